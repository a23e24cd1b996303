import '../design/more-styles.ts'
import { Alert, Button, Stack, Text } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import type { ConfirmedEmail } from '#contract'
import { hasCode } from '../api/api-error.ts'
import { api } from '../api/client.ts'
import { queryClient } from '../api/query-client.ts'
import { queryKeys } from '../api/query-keys.ts'
import { PageTitle } from '../design/page-title.tsx'
import { RouterButton } from '../shell/links.tsx'
import { LinkIncomplete, LinkOver } from './link-over.tsx'
import { useLinkSecret } from './link-secret.ts'
import { Refused } from './refused.tsx'

/** What the link to a new address leads to. A button confirms it: programs that look at mail open links, too. */
export function Page(): ReactNode {
  const token = useLinkSecret('token')
  return token === undefined ? <LinkIncomplete /> : <Confirm key={token} token={token} />
}

function Confirm({ token }: { token: string }) {
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const [confirmed, setConfirmed] = useState<string | null>(null)

  const confirm = async () => {
    setBusy(true)
    setError(null)
    try {
      const { email } = await api.post<ConfirmedEmail>('/email-changes/redeem', { token })
      setConfirmed(email)
      await queryClient.invalidateQueries({ queryKey: queryKeys.session })
      await queryClient.invalidateQueries({ queryKey: queryKeys.profile.all })
    } catch (failure) {
      setError(failure)
    } finally {
      setBusy(false)
    }
  }
  if (hasCode(error, 'auth:link_over')) {
    return (
      <LinkOver to="/settings/profile" label="Go to your profile">
        This link was used already, or it is too old. Ask for a new one in your profile.
      </LinkOver>
    )
  }
  if (confirmed !== null) {
    return (
      <Stack>
        <PageTitle title="Address confirmed" />
        <Alert color="teal" icon={<IconCheck aria-hidden />} role="status">
          From now on you sign in with {confirmed}.
        </Alert>
        <RouterButton to="/">Go to the calendar</RouterButton>
      </Stack>
    )
  }
  return (
    <Stack>
      <PageTitle title="Confirm your address" />
      <Text>The address that this link was sent to becomes the one that you sign in with.</Text>
      <Refused error={error} />
      <Button loading={busy} onClick={() => void confirm()}>
        Confirm the address
      </Button>
    </Stack>
  )
}
