import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import type { TeamMember } from '#contract'
import { change, readAgain } from '../api/change.ts'
import { call } from '../api/client.ts'
import { useConfirmAction } from '../design/confirm.tsx'
import { showDone, showError } from '../design/toast.tsx'

/** Asks an owner about the address that a member wants to change to. Shown where no mail can be sent to confirm it. */
export function EmailDecision({ member, email }: { member: TeamMember; email: string }) {
  const { userId, name } = member
  const confirm = useConfirmAction()
  const [busy, setBusy] = useState(false)

  const refuse = async () => {
    setBusy(true)
    try {
      await call('POST /members/:id/email/refuse', { params: { id: userId }, body: { email } })
      showDone(t`The change to ${email} was refused.`)
    } catch (error) {
      showError(error)
    } finally {
      // What was decided elsewhere meanwhile goes from the page too.
      await readAgain('POST /members/:id/email/refuse')
      setBusy(false)
    }
  }
  const accept = () =>
    confirm({
      title: t`Change the email of ${name}?`,
      children: (
        <Text size="sm">
          <Trans>
            {name} then signs in with {email} instead of {member.email}. Confirm it only if you know that the address is
            theirs.
          </Trans>
        </Text>
      ),
      confirmLabel: t`Change email`,
      run: async () => {
        const after = await change('POST /members/:id/email/confirm', { params: { id: userId }, body: { email } })
        showDone(
          after.email === email
            ? t`${name} signs in with ${email} from now on.`
            : t`Confirmed. An owner of another account of ${name} has to confirm it too.`,
        )
      },
    })
  return (
    <Stack gap={4} mt={4}>
      <Text size="sm">
        <Trans>
          Wants to change the address to <strong>{email}</strong>
        </Trans>
      </Text>
      <Group gap="xs">
        <Button
          size="compact-sm"
          disabled={busy}
          onClick={() => void accept()}
          aria-label={t`Confirm the new address of ${name}`}
        >
          <Trans>Confirm</Trans>
        </Button>
        <Button
          size="compact-sm"
          variant="default"
          loading={busy}
          onClick={() => void refuse()}
          aria-label={t`Refuse the new address of ${name}`}
        >
          <Trans>Refuse</Trans>
        </Button>
      </Group>
    </Stack>
  )
}
