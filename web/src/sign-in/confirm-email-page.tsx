import '../design/more-styles.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Alert, Button, Stack, Text } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { hasCode } from '../api/api-error.ts'
import { change } from '../api/change.ts'
import { PageTitle } from '../design/page-title.tsx'
import { RouterButton } from '../frame/links.tsx'
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
      const { email } = await change('POST /email-changes/redeem', { body: { token } })
      setConfirmed(email)
    } catch (failure) {
      setError(failure)
    } finally {
      setBusy(false)
    }
  }
  if (hasCode(error, 'auth:link_over')) {
    return (
      <LinkOver to="/settings/profile" label={t`Go to your profile`}>
        <Trans>This link was already used, or it is too old. Ask for a new one in your profile.</Trans>
      </LinkOver>
    )
  }
  if (confirmed !== null) {
    return (
      <Stack>
        <PageTitle title={t`Address confirmed`} />
        <Alert color="teal" icon={<IconCheck aria-hidden />} role="status">
          <Trans>From now on you sign in with {confirmed}.</Trans>
        </Alert>
        <RouterButton to="/">
          <Trans>Go to the calendar</Trans>
        </RouterButton>
      </Stack>
    )
  }
  return (
    <Stack>
      <PageTitle title={t`Confirm your address`} />
      <Text>
        <Trans>The address this link was sent to will be the one you sign in with.</Trans>
      </Text>
      <Refused error={error} />
      <Button loading={busy} onClick={() => void confirm()}>
        <Trans>Confirm the address</Trans>
      </Button>
    </Stack>
  )
}
