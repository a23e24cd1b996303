import '../design/more-styles.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button, Group, Stack, Text, Title } from '@mantine/core'
import { IconListCheck, IconUserPlus, IconUsers } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useMay } from '../api/session.ts'
import { PageTitle } from '../design/page-title.tsx'
import { EmptyState, ErrorState, LoadingRows } from '../design/states.tsx'
import { AccountName } from './account-name.tsx'
import { Invitations } from './team-invitations.tsx'
import { InviteDialog } from './team-invite.tsx'
import { Members } from './team-members.tsx'
import { teamQuery } from './team-queries.ts'
import { RolesDialog } from './team-roles.tsx'

export function Page(): ReactNode {
  const { data, error, refetch } = useQuery(teamQuery)
  const manages = useMay('members:manage')
  const [inviting, setInviting] = useState(false)
  const [roles, setRoles] = useState(false)
  return (
    <Stack gap="lg">
      <Group justify="space-between" gap="sm">
        <PageTitle title={t`Team`} />
        {manages && (
          <Button leftSection={<IconUserPlus size={18} aria-hidden />} onClick={() => setInviting(true)}>
            <Trans>Invite a member</Trans>
          </Button>
        )}
      </Group>
      {error && !data ? (
        <ErrorState title={t`The team could not be loaded`} error={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <LoadingRows />
      ) : (
        <>
          <Members members={data.members} />
          {data.members.length === 1 && data.invitations.length === 0 && manages && (
            <EmptyState icon={<IconUsers size={32} aria-hidden />}>
              <Trans>You are the only member. Invite the people who plan, write and approve with you.</Trans>
            </EmptyState>
          )}
          {data.invitations.length > 0 && (
            <Stack gap="sm">
              <Title order={2} size="h4">
                <Trans>Invitations</Trans>
              </Title>
              <Invitations invitations={data.invitations} />
            </Stack>
          )}
          <Group gap="sm">
            <Button
              variant="default"
              leftSection={<IconListCheck size={18} aria-hidden />}
              onClick={() => setRoles(true)}
            >
              <Trans>What each role can do</Trans>
            </Button>
            {!manages && (
              <Text size="sm" c="dimmed">
                <Trans>Only owners and admins can invite people and change their roles.</Trans>
              </Text>
            )}
          </Group>
          <AccountName />
        </>
      )}
      <InviteDialog opened={inviting} onClose={() => setInviting(false)} />
      <RolesDialog opened={roles} onClose={() => setRoles(false)} />
    </Stack>
  )
}
