import { ActionIcon, Avatar, Badge, Button, Card, Group, Stack, Table, Text } from '@mantine/core'
import { IconPencil, IconShieldCheck, IconShieldOff, IconUserMinus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { TeamMember } from '#contract'
import { dashboardPath } from '../api/base.ts'
import { api } from '../api/client.ts'
import { useMay, usePreferences, useSession } from '../api/session.ts'
import { useConfirmPassword } from '../design/confirm.tsx'
import { useIsWide } from '../shell/shell.tsx'
import { socialSetsQuery } from '../shell/social-sets.ts'
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
          <Table verticalSpacing="sm" aria-label="Members">
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Person</Table.Th>
                <Table.Th>Role</Table.Th>
                <Table.Th>Social sets</Table.Th>
                {reads && <Table.Th>Last active</Table.Th>}
                <Table.Th ta="right">Actions</Table.Th>
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
        <Stack component="ul" gap="sm" p={0} m={0} style={{ listStyle: 'none' }} aria-label="Members">
          {members.map((member) => (
            <Card key={member.userId} component="li" withBorder padding="md">
              <Stack gap="xs">
                <Person member={member} />
                <Text size="sm">
                  <RoleTitle member={member} /> · <AccessText member={member} />
                </Text>
                {reads && (
                  <Group gap="xs" align="baseline">
                    <Text size="sm">Last active:</Text>
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
  const { name, email, isYou, twoFactorEnabled, pendingEmail } = member
  return (
    <Group gap="sm" wrap="nowrap">
      <Avatar name={name} color="initials" size={36} aria-hidden />
      <div>
        <Group gap={6}>
          <Text fw={600}>{name}</Text>
          {isYou && <Badge variant="default">You</Badge>}
        </Group>
        {email !== null && (
          <Text size="sm" c="dimmed">
            {email}
          </Text>
        )}
        {twoFactorEnabled !== null && (
          <Group gap={4} wrap="nowrap" c="dimmed">
            {twoFactorEnabled ? <IconShieldCheck size={14} aria-hidden /> : <IconShieldOff size={14} aria-hidden />}
            <Text size="xs">{twoFactorEnabled ? 'Two-factor on' : 'Two-factor off'}</Text>
          </Group>
        )}
        {pendingEmail !== null && <EmailDecision member={member} email={pendingEmail} />}
      </div>
    </Group>
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
        Joined {formatDate(joinedAt, zone, preferences)}
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
      title: 'Leave this account?',
      children: (
        <Text size="sm">
          You can no longer open this account, at once. Invitations that you sent and nobody has accepted are taken
          back. What you wrote stays.
        </Text>
      ),
      confirmLabel: 'Leave',
      danger: true,
      run: (password) => api.delete(`/members/${user.id}`, { body: { password } }),
    })
    if (!left) return
    // Nothing of the account that was left may stay on the page.
    window.location.replace(dashboardPath)
  }
  return (
    <Group gap={4} justify="flex-end" wrap="nowrap">
      {manages && !onlyOwner && (
        <ActionIcon aria-label={`Change role and access of ${member.name}`} onClick={() => onEdit(member)}>
          <IconPencil size={18} aria-hidden />
        </ActionIcon>
      )}
      {onlyOwner ? (
        <Text size="sm" c="dimmed">
          The only owner
        </Text>
      ) : member.isYou ? (
        <Button size="compact-sm" variant="default" onClick={() => void leave()}>
          Leave
        </Button>
      ) : (
        manages && (
          <ActionIcon color="red" aria-label={`Remove ${member.name}`} onClick={() => void remove(member)}>
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
