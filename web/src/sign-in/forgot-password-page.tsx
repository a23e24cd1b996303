import '../design/more-styles.ts'
import { Alert, Button, Stack, Text, TextInput } from '@mantine/core'
import { IconMail } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { PasswordResetWays } from '#contract'
import { api } from '../api/client.ts'
import { ErrorSummary } from '../design/error-summary.tsx'
import { PageTitle } from '../design/page-title.tsx'
import { ErrorState, LoadingRows } from '../design/states.tsx'
import { RouterAnchor } from '../shell/links.tsx'
import { Refused } from './refused.tsx'
import { useTextForm } from './text-form.ts'

/** How somebody comes to a new password: a link by mail, or from whoever runs the installation. */
export function Page(): ReactNode {
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['password-resets'],
    queryFn: ({ signal }) => api.get<PasswordResetWays>('/password-resets', { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  })
  const [sentTo, setSentTo] = useState<string | null>(null)
  return (
    <Stack>
      <PageTitle title={sentTo === null ? 'Forgot your password?' : 'Look at your mail'} />
      {isPending && <LoadingRows rows={2} />}
      {error && <ErrorState error={error} onRetry={() => void refetch()} />}
      {data && !data.byMail && <AskOperator />}
      {data?.byMail && sentTo === null && <AskForLink onSent={setSentTo} />}
      {sentTo !== null && <Sent to={sentTo} />}
      <RouterAnchor to="/sign-in" size="sm" ta="center">
        Back to the sign-in
      </RouterAnchor>
    </Stack>
  )
}

/** Without mail, and for addresses to which none goes. */
function AskOperator() {
  return (
    <Stack gap="xs">
      <Text>This installation sends no mail. Ask whoever runs it for a link with which you choose a new password.</Text>
      <OperatorHint />
    </Stack>
  )
}

function OperatorHint() {
  return (
    <Text size="sm" c="dimmed">
      If that is you: <code>npm run --silent almanac -- users reset-link ADDRESS</code> prints the link.
    </Text>
  )
}

function AskForLink({ onSent }: { onSent: (email: string) => void }) {
  const form = useTextForm({
    initial: { email: '' },
    required: { email: 'Enter your email address.' },
    async send({ email }) {
      await api.post<PasswordResetWays>('/password-resets', { email })
      onSent(email.trim())
    },
  })
  const noMail = form.values.email.trim().toLowerCase().endsWith('.invalid')
  return (
    <form onSubmit={form.submit} noValidate>
      <Stack>
        <ErrorSummary problems={form.problems} />
        <Refused error={form.rest} />
        <Text size="sm">Enter the address that you sign in with. We send you a link to choose a new password.</Text>
        <TextInput label="Email" type="email" autoComplete="username" autoFocus {...form.field('email')} />
        {noMail && (
          <Alert role="status" color="yellow">
            No mail arrives at an address that ends in .invalid. <OperatorHint />
          </Alert>
        )}
        <Button type="submit" loading={form.busy} disabled={noMail}>
          Send the link
        </Button>
      </Stack>
    </form>
  )
}

function Sent({ to }: { to: string }) {
  return (
    <Alert color="teal" icon={<IconMail aria-hidden />} role="status">
      If somebody signs in here with {to}, a link is on its way there. It works once, within an hour. Look into the
      folder for spam, too.
    </Alert>
  )
}
