import { Button, Group, Stack, Text, VisuallyHidden } from '@mantine/core'
import { useState } from 'react'
import type { TeamMember } from '#contract'
import { api } from '../api/client.ts'
import { useConfirmAction } from '../design/confirm.tsx'
import { showDone, showError } from '../design/toast.tsx'
import { teamChanged } from './team-queries.ts'

/** Asks an owner about the address that a member wants to change to. Shown where no mail can be sent to confirm it. */
export function EmailDecision({ member, email }: { member: TeamMember; email: string }) {
  const { userId, name } = member
  const confirm = useConfirmAction()
  const [busy, setBusy] = useState(false)

  const refuse = async () => {
    setBusy(true)
    try {
      await api.post(`/members/${userId}/email/refuse`, { email })
      showDone(`The change to ${email} was refused.`)
    } catch (error) {
      showError(error)
    } finally {
      // What was decided elsewhere meanwhile goes from the page too.
      await teamChanged()
      setBusy(false)
    }
  }
  const accept = () =>
    confirm({
      title: `Change the email of ${name}?`,
      children: (
        <Text size="sm">
          {name} then signs in with {email} instead of {member.email}. Confirm it only if you know that the address is
          theirs.
        </Text>
      ),
      confirmLabel: 'Change email',
      run: async () => {
        const after = await api.post<TeamMember>(`/members/${userId}/email/confirm`, { email })
        await teamChanged()
        showDone(
          after.email === email
            ? `${name} signs in with ${email} from now on.`
            : `Confirmed. An owner of another account of ${name} has to confirm it too.`,
        )
      },
    })
  return (
    <Stack gap={4} mt={4}>
      <Text size="sm">
        Wants to change the address to <strong>{email}</strong>
      </Text>
      <Group gap="xs">
        <Button size="compact-sm" disabled={busy} onClick={() => void accept()}>
          Confirm<VisuallyHidden> the new address of {name}</VisuallyHidden>
        </Button>
        <Button size="compact-sm" variant="default" loading={busy} onClick={() => void refuse()}>
          Refuse<VisuallyHidden> the new address of {name}</VisuallyHidden>
        </Button>
      </Group>
    </Stack>
  )
}
