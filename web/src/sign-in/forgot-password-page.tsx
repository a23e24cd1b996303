import '../design/more-styles.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Alert, Button, Stack, Text, TextInput } from '@mantine/core'
import { IconMail } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { call } from '../api/client.ts'
import { ErrorSummary } from '../design/error-summary.tsx'
import { Form, filled, useForm } from '../design/form.tsx'
import { PageTitle } from '../design/page-title.tsx'
import { ErrorState, LoadingRows } from '../design/states.tsx'
import { RouterAnchor } from '../frame/links.tsx'
import { Refused } from './refused.tsx'

/** How a person gets a new password: by a link in a mail, or from the operator. */
export function Page(): ReactNode {
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['password-resets'],
    queryFn: ({ signal }) => call('GET /password-resets', { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  })
  const [sentTo, setSentTo] = useState<string | null>(null)
  return (
    <Stack>
      <PageTitle title={sentTo === null ? t`Forgot your password?` : t`Check your mail`} />
      {isPending && <LoadingRows rows={2} />}
      {error && <ErrorState error={error} onRetry={() => void refetch()} />}
      {data && !data.byMail && <AskOperator />}
      {data?.byMail && sentTo === null && <AskForLink onSent={setSentTo} />}
      {sentTo !== null && <Sent to={sentTo} />}
      <RouterAnchor to="/sign-in" size="sm" ta="center">
        <Trans>Back to the sign-in</Trans>
      </RouterAnchor>
    </Stack>
  )
}

/** Without mail, and for addresses to which none goes. */
function AskOperator() {
  return (
    <Stack gap="xs">
      <Text>
        <Trans>This installation sends no mail. Ask its operator for a link to choose a new password.</Trans>
      </Text>
      <OperatorHint />
    </Stack>
  )
}

function OperatorHint() {
  return (
    <Text size="sm" c="dimmed">
      <Trans>
        If that is you: <code>npm run --silent almanac -- users reset-link ADDRESS</code> prints the link.
      </Trans>
    </Text>
  )
}

function AskForLink({ onSent }: { onSent: (email: string) => void }) {
  const form = useForm({
    summary: true,
    initial: { email: '' },
    check: { email: filled(t`Enter your email address.`) },
    async send({ email }) {
      await call('POST /password-resets', { body: { email } })
      onSent(email.trim())
    },
  })
  const noMail = form.values.email.trim().toLowerCase().endsWith('.invalid')
  return (
    <Form form={form}>
      <ErrorSummary problems={form.problems} />
      <Refused error={form.rest} />
      <Text size="sm">
        <Trans>Enter the address that you sign in with. We send you a link to choose a new password.</Trans>
      </Text>
      <TextInput label={t`Email`} type="email" autoComplete="username" autoFocus {...form.text('email')} />
      {noMail && (
        <Alert role="status" color="yellow">
          <Trans>No mail arrives at an address that ends in .invalid.</Trans> <OperatorHint />
        </Alert>
      )}
      <Button type="submit" loading={form.busy} disabled={noMail}>
        <Trans>Send the link</Trans>
      </Button>
    </Form>
  )
}

function Sent({ to }: { to: string }) {
  return (
    <Alert color="teal" icon={<IconMail aria-hidden />} role="status">
      <Trans>
        If an account exists for {to}, a link is on its way there. It works once, within an hour. Look into the folder
        for spam, too.
      </Trans>
    </Alert>
  )
}
