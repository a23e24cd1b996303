import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Badge, Button, Group, Paper, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Invitation, MadeInvitation } from '#contract'
import { change } from '../api/change.ts'
import { useMay } from '../api/session.ts'
import { useConfirmAction } from '../design/confirm.tsx'
import { showDone, showError } from '../design/toast.tsx'
import { socialSetsQuery } from '../frame/social-sets.ts'
import { LinkDialog } from './team-invite.tsx'
import { accessWords, expiryWords, rolesQuery } from './team-queries.ts'

/** Who was asked and has not answered. */
export function Invitations({ invitations }: { invitations: readonly Invitation[] }) {
  const [made, setMade] = useState<MadeInvitation | null>(null)
  return (
    <>
      <Stack component="ul" gap="sm" p={0} m={0} style={{ listStyle: 'none' }} aria-label={t`Invitations`}>
        {invitations.map((invitation) => (
          <Paper key={invitation.id} component="li" withBorder p="md">
            <OpenInvitation invitation={invitation} onResent={setMade} />
          </Paper>
        ))}
      </Stack>
      <LinkDialog made={made} onClose={() => setMade(null)} />
    </>
  )
}

function OpenInvitation({
  invitation,
  onResent,
}: {
  invitation: Invitation
  onResent: (made: MadeInvitation) => void
}) {
  const { id, email, role, socialSetIds, invitedBy, expiresAt, expired } = invitation
  const { data: table } = useQuery(rolesQuery)
  const { data: sets = [] } = useQuery(socialSetsQuery)
  const manages = useMay('members:manage')
  const ownersToo = useMay('owners:manage')
  const mine = manages && (role !== 'owner' || ownersToo)
  const confirm = useConfirmAction()
  const [busy, setBusy] = useState(false)

  const resend = async () => {
    setBusy(true)
    try {
      onResent(await change('POST /invitations/:id/resend', { params: { id } }))
    } catch (error) {
      showError(error)
    } finally {
      setBusy(false)
    }
  }
  const revoke = () =>
    confirm({
      title: t`Withdraw the invitation of ${email}?`,
      children: (
        <Text size="sm">
          <Trans>The link stops working. You can invite {email} again at any time.</Trans>
        </Text>
      ),
      confirmLabel: t`Withdraw`,
      danger: true,
      run: async () => {
        await change('DELETE /invitations/:id', { params: { id } })
        showDone(t`The invitation of ${email} was withdrawn.`)
      },
    })
  return (
    <Group justify="space-between" gap="sm">
      <div>
        <Group gap={6}>
          <Text fw={600}>{email}</Text>
          {expired && (
            <Badge color="yellow" variant="light">
              <Trans>Expired</Trans>
            </Badge>
          )}
        </Group>
        <Text size="sm">
          {table?.roles.find((one) => one.role === role)?.title ?? role} · {accessWords(socialSetIds, sets)}
        </Text>
        <Text size="xs" c="dimmed">
          <Trans>Invited by {invitedBy}.</Trans> {expired ? t`The link has expired.` : expiryWords(expiresAt)}
        </Text>
      </div>
      {mine && (
        <Group gap="xs">
          <Button
            size="compact-sm"
            variant="default"
            loading={busy}
            onClick={() => void resend()}
            aria-label={t`New link for ${email}`}
          >
            <Trans>New link</Trans>
          </Button>
          <Button
            size="compact-sm"
            variant="default"
            onClick={() => void revoke()}
            aria-label={t`Withdraw the invitation of ${email}`}
          >
            <Trans>Withdraw</Trans>
          </Button>
        </Group>
      )}
    </Group>
  )
}
