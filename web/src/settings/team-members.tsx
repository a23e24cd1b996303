import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { ActionIcon, Avatar, Badge, Button, Card, Group, Stack, Table, Text } from '@mantine/core'
import { IconPencil, IconShieldCheck, IconShieldOff, IconUserMinus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { TeamMember } from '#contract'
import { dashboardPath } from '../api/base.ts'
import { change } from '../api/change.ts'
import { call } from '../api/client.ts'
import { useMay, usePreferences, useSession } from '../api/session.ts'
import { useConfirmPassword } from '../design/confirm.tsx'
import { showDone } from '../design/toast.tsx'
import { socialSetsQuery } from '../frame/social-sets.ts'
import { useIsWide } from '../frame/use-is-wide.ts'
import { useViewerZone } from '../time/viewer.ts'
import { formatDate } from '../time/zones.ts'
import { AccessDialog } from './team-access-dialog.tsx'
import { EmailDecision } from './team-email-decision.tsx'
import { accessWords, lastSeenWords, rolesQuery } from './team-queries.ts'
import { useRemoveMember } from './team-remove.tsx'

/** The people of the account: a table, on narrow screens cards. */
export function Members({ members }: { members: readonly TeamMember[] }) {
  const wide = useIsWide()
  const [editing, setEditing] = useState<TeamMember | null>(null)
  const reads = useMay('members:read')
  return (
    <>
      {wide ? (
        <Table.ScrollContainer minWidth={reads ? 640 : 400}>
          <Table verticalSpacing="sm" aria-label={t`Members`}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>
                  <Trans>Person</Trans>
                </Table.Th>
                <Table.Th>
                  <Trans>Role</Trans>
                </Table.Th>
                <Table.Th>
                  <Trans>Brands</Trans>
                </Table.Th>
                {reads && (
                  <Table.Th>
                    <Trans>Last active</Trans>
                  </Table.Th>
                )}
                <Table.Th ta="right">
                  <Trans>Actions</Trans>
                </Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {members.map((member) => (
                <Table.Tr key={member.userId}>
                  <Table.Td>
                    <Person member={member} />
                  </Table.Td>
                  <Table.Td>
                    <RoleTitle member={member} />
                  </Table.Td>
                  <Table.Td maw={220}>
                    <AccessText member={member} />
                  </Table.Td>
                  {reads && (
                    <Table.Td>
                      <LastActive member={member} />
                    </Table.Td>
                  )}
                  <Table.Td>
                    <Actions member={member} onlyOwner={onlyOwner(members, member)} onEdit={setEditing} />
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      ) : (
        <Stack component="ul" gap="sm" p={0} m={0} style={{ listStyle: 'none' }} aria-label={t`Members`}>
          {members.map((member) => (
            <Card key={member.userId} component="li" withBorder padding="md">
              <Stack gap="xs">
                <Person member={member} />
                <Text size="sm">
                  <RoleTitle member={member} /> · <AccessText member={member} />
                </Text>
                {reads && (
                  <Group gap="xs" align="baseline">
                    <Text size="sm">
                      <Trans>Last active:</Trans>
                    </Text>
                    <LastActive member={member} />
                  </Group>
                )}
                <Actions member={member} onlyOwner={onlyOwner(members, member)} onEdit={setEditing} />
              </Stack>
            </Card>
          ))}
        </Stack>
      )}
      <AccessDialog member={editing} onClose={() => setEditing(null)} />
    </>
  )
}

function Person({ member }: { member: TeamMember }) {
  const { name, email, isYou, twoFactorEnabled, pendingEmail, secondStepRemoved } = member
  return (
    <Group gap="sm" wrap="nowrap">
      <Avatar name={name} size={36} aria-hidden />
      <div>
        <Group gap={6}>
          <Text fw={600}>{name}</Text>
          {isYou && (
            <Badge variant="default">
              <Trans>You</Trans>
            </Badge>
          )}
        </Group>
        {email !== null && (
          <Text size="sm" c="dimmed">
            {email}
          </Text>
        )}
        {twoFactorEnabled !== null && (
          <Group gap={4} wrap="nowrap" c="dimmed">
            {twoFactorEnabled ? <IconShieldCheck size={14} aria-hidden /> : <IconShieldOff size={14} aria-hidden />}
            <Text size="xs">{twoFactorEnabled ? t`Two-factor on` : t`Two-factor off`}</Text>
          </Group>
        )}
        {secondStepRemoved && <RemovedSecondStep removed={secondStepRemoved} />}
        {pendingEmail !== null && <EmailDecision member={member} email={pendingEmail} />}
      </div>
    </Group>
  )
}

/** Who let the person sign in by password alone: there is no other history of an account. */
function RemovedSecondStep({ removed: { at, by } }: { removed: NonNullable<TeamMember['secondStepRemoved']> }) {
  const preferences = usePreferences()
  const date = formatDate(at, useViewerZone(), preferences)
  return (
    <Text size="xs" c="dimmed">
      {by === null ? t`Second step removed by the operator on ${date}` : t`Second step removed by ${by} on ${date}`}
    </Text>
  )
}

function RoleTitle({ member }: { member: TeamMember }) {
  const { data } = useQuery(rolesQuery)
  return data?.roles.find(({ role }) => role === member.role)?.title ?? member.role
}

function AccessText({ member }: { member: TeamMember }) {
  const { data: sets = [] } = useQuery(socialSetsQuery)
  return accessWords(member.socialSetIds, sets)
}

function LastActive({ member: { lastActiveAt, joinedAt } }: { member: TeamMember }) {
  const preferences = usePreferences()
  const zone = useViewerZone()
  return (
    <div>
      <Text size="sm">{lastSeenWords(lastActiveAt, zone)}</Text>
      <Text size="xs" c="dimmed">
        <Trans>Joined {formatDate(joinedAt, zone, preferences)}</Trans>
      </Text>
    </div>
  )
}

/** Whether that is the reader, without whom the account would have no owner. */
function onlyOwner(members: readonly TeamMember[], { role, isYou }: TeamMember): boolean {
  return isYou && role === 'owner' && members.filter((one) => one.role === 'owner').length === 1
}

function Actions({ member, onlyOwner, onEdit }: ActionsProps) {
  const { user, rights } = useSession()
  const confirm = useConfirmPassword()
  const remove = useRemoveMember()
  const manages = rights.includes('members:manage') && (member.role !== 'owner' || rights.includes('owners:manage'))

  const leave = async () => {
    const left = await confirm({
      title: t`Leave this account?`,
      children: (
        <Text size="sm">
          <Trans>
            You lose access to this account immediately. Your open invitations are withdrawn and your previews of shared
            calendars end. What you wrote stays.
          </Trans>
        </Text>
      ),
      confirmLabel: t`Leave`,
      danger: true,
      run: async (password) => {
        await call('DELETE /members/:id', { params: { id: user.id }, body: { password } })
      },
    })
    if (!left) return
    // Nothing of the account that was left may stay on the page.
    window.location.replace(dashboardPath)
  }
  const removeSecondStep = () =>
    confirm({
      title: t`Remove the second step of ${member.name}?`,
      children: (
        <Text size="sm">
          <Trans>
            {member.name} is signed out everywhere, signs in with the password alone, and gets a mail about it. Do this
            only if you know that {member.name} asked for it.
          </Trans>
        </Text>
      ),
      confirmLabel: t`Remove`,
      danger: true,
      run: async (password) => {
        await change('DELETE /members/:id/second-step', { params: { id: member.userId }, body: { password } })
        showDone(t`${member.name} signs in with the password alone now.`)
      },
    })
  return (
    <Group gap={4} justify="flex-end" wrap="nowrap">
      {manages && !onlyOwner && (
        <ActionIcon aria-label={t`Change role and access of ${member.name}`} onClick={() => onEdit(member)}>
          <IconPencil size={18} aria-hidden />
        </ActionIcon>
      )}
      {rights.includes('member-sign-in:manage') && member.twoFactorEnabled && !member.isYou && (
        <ActionIcon aria-label={t`Remove the second step of ${member.name}`} onClick={() => void removeSecondStep()}>
          <IconShieldOff size={18} aria-hidden />
        </ActionIcon>
      )}
      {onlyOwner ? (
        <Text size="sm" c="dimmed">
          <Trans>The only owner</Trans>
        </Text>
      ) : member.isYou ? (
        <Button size="compact-sm" variant="default" onClick={() => void leave()}>
          <Trans>Leave</Trans>
        </Button>
      ) : (
        manages && (
          <ActionIcon color="red" aria-label={t`Remove ${member.name}`} onClick={() => void remove(member)}>
            <IconUserMinus size={18} aria-hidden />
          </ActionIcon>
        )
      )}
    </Group>
  )
}

interface ActionsProps {
  member: TeamMember
  /** The account keeps an owner: nothing can be taken from this one. */
  onlyOwner: boolean
  onEdit: (member: TeamMember) => void
}
