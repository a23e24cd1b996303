import '../design/more-styles.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Alert, Button, Stack, Text, TextInput } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { hasCode } from '../api/api-error.ts'
import { call } from '../api/client.ts'
import { queryClient } from '../api/query-client.ts'
import { ErrorSummary } from '../design/error-summary.tsx'
import { Form, filled, useForm } from '../design/form.tsx'
import { NewPasswordInput } from '../design/new-password.tsx'
import { PageTitle } from '../design/page-title.tsx'
import { ErrorState, LoadingRows } from '../design/states.tsx'
import { RouterButton } from '../frame/links.tsx'
import { LinkIncomplete, LinkOver } from './link-over.tsx'
import { useLinkSecret } from './link-secret.ts'
import { Refused } from './refused.tsx'

/** What the link of a mail or of the operator leads to. */
export function Page(): ReactNode {
  const token = useLinkSecret('token')
  return token === undefined ? <LinkIncomplete /> : <Reset key={token} token={token} />
}

function Reset({ token }: { token: string }) {
  const [done, setDone] = useState(false)
  const { data, error, refetch } = useQuery({
    queryKey: ['password-reset', token],
    queryFn: ({ signal }) => call('POST /password-resets/look', { body: { token }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    enabled: !done,
  })
  if (done) return <Done />
  if (data) return <Choose email={data.email} token={token} onDone={() => setDone(true)} />
  if (hasCode(error, 'auth:link_over')) {
    return (
      <LinkOver to="/forgot-password" label={t`Get a new link`}>
        {error.message}
      </LinkOver>
    )
  }
  return (
    <Stack>
      <PageTitle title={t`New password`} />
      {error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <LoadingRows rows={2} />}
    </Stack>
  )
}

function Choose({ email, token, onDone }: { email: string; token: string; onDone: () => void }) {
  const form = useForm({
    summary: true,
    initial: { password: '' },
    check: { password: filled(t`Choose a new password.`) },
    async send({ password }) {
      await call('POST /password-resets/redeem', { body: { token, password } })
      // The person who was signed in here no longer is.
      queryClient.clear()
      onDone()
    },
  })
  return (
    <Form form={form}>
      <PageTitle title={t`New password`} />
      <ErrorSummary problems={form.problems} />
      <Refused error={form.rest} />
      {/* Shows password managers whose password it is. */}
      <TextInput label={t`Email`} type="email" autoComplete="username" value={email} readOnly />
      <NewPasswordInput label={t`New password`} autoFocus {...form.text('password')} />
      <Text size="sm" c="dimmed">
        <Trans>You will be signed out everywhere. Your second step does not change.</Trans>
      </Text>
      <Button type="submit" loading={form.busy}>
        <Trans>Save the password</Trans>
      </Button>
    </Form>
  )
}

function Done() {
  return (
    <Stack>
      <PageTitle title={t`Password changed`} />
      <Alert color="teal" icon={<IconCheck aria-hidden />} role="status">
        <Trans>Sign in with your new password.</Trans>
      </Alert>
      <RouterButton to="/sign-in">
        <Trans>Sign in</Trans>
      </RouterButton>
    </Stack>
  )
}
