import '../design/more-styles.ts'
import { Alert, Button, Stack, Text, TextInput } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { PasswordResetLink } from '#contract'
import { hasCode } from '../api/api-error.ts'
import { api } from '../api/client.ts'
import { queryClient } from '../api/query-client.ts'
import { ErrorSummary } from '../design/error-summary.tsx'
import { PageTitle } from '../design/page-title.tsx'
import { ErrorState, LoadingRows } from '../design/states.tsx'
import { RouterButton } from '../shell/links.tsx'
import { LinkIncomplete, LinkOver } from './link-over.tsx'
import { useLinkSecret } from './link-secret.ts'
import { NewPasswordInput } from './new-password.tsx'
import { Refused } from './refused.tsx'
import { useTextForm } from './text-form.ts'

/** What the link of a mail or of the operator leads to. */
export function Page(): ReactNode {
  const token = useLinkSecret('token')
  return token === undefined ? <LinkIncomplete /> : <Reset key={token} token={token} />
}

function Reset({ token }: { token: string }) {
  const [done, setDone] = useState(false)
  const { data, error, refetch } = useQuery({
    queryKey: ['password-reset', token],
    queryFn: ({ signal }) => api.post<PasswordResetLink>('/password-resets/look', { token }, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    enabled: !done,
  })
  if (done) return <Done />
  if (data) return <Choose email={data.email} token={token} onDone={() => setDone(true)} />
  if (hasCode(error, 'auth:link_over')) {
    return (
      <LinkOver to="/forgot-password" label="Get a new link">
        {error.message}
      </LinkOver>
    )
  }
  return (
    <Stack>
      <PageTitle title="New password" />
      {error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <LoadingRows rows={2} />}
    </Stack>
  )
}

function Choose({ email, token, onDone }: { email: string; token: string; onDone: () => void }) {
  const form = useTextForm({
    initial: { password: '' },
    required: { password: 'Choose a new password.' },
    async send({ password }) {
      await api.post('/password-resets/redeem', { token, password })
      // Whoever was signed in here is so no longer.
      queryClient.clear()
      onDone()
    },
  })
  return (
    <form onSubmit={form.submit} noValidate>
      <Stack>
        <PageTitle title="New password" />
        <ErrorSummary problems={form.problems} />
        <Refused error={form.rest} />
        {/* Tells password managers whose password it is. */}
        <TextInput label="Email" type="email" autoComplete="username" value={email} readOnly />
        <NewPasswordInput label="New password" autoFocus {...form.field('password')} />
        <Text size="sm" c="dimmed">
          You will be signed out everywhere. A second step stays as it is.
        </Text>
        <Button type="submit" loading={form.busy}>
          Save the password
        </Button>
      </Stack>
    </form>
  )
}

function Done() {
  return (
    <Stack>
      <PageTitle title="Password changed" />
      <Alert color="teal" icon={<IconCheck aria-hidden />} role="status">
        Your new password holds. Sign in with it.
      </Alert>
      <RouterButton to="/sign-in">Sign in</RouterButton>
    </Stack>
  )
}
