import '../design/more-styles.ts'
import { Badge, Button, Group, Paper, Stack, Text, Title, VisuallyHidden } from '@mantine/core'
import { IconPencil, IconPlayerPause, IconPlus, IconStack2 } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { AccountUsage, SocialSet } from '#contract'
import { api } from '../api/client.ts'
import { queryKeys } from '../api/query-keys.ts'
import { useMay, useSession } from '../api/session.ts'
import { NetworkIcon } from '../design/network-icon.tsx'
import { PageTitle } from '../design/page-title.tsx'
import { EmptyState, ErrorState, LoadingRows } from '../design/states.tsx'
import { count } from '../design/words.ts'
import { StopButton } from '../holds/stop-button.tsx'
import { RouterAnchor } from '../shell/links.tsx'
import { needsReconnecting, socialSetsQuery } from '../shell/social-sets.ts'
import { viewerZone, zoneChip } from '../time/zones.ts'
import { EditSocialSetDialog, NewSocialSetDialog } from './social-sets-edit.tsx'

export function Page(): ReactNode {
  const { data: sets, error, refetch } = useQuery(socialSetsQuery)
  const manages = useMay('social-sets:manage')
  const [making, setMaking] = useState(false)
  const [editing, setEditing] = useState<SocialSet | null>(null)
  const room = useRoom()
  const { socialSetIds } = useSession()
  const make = (
    <Button
      leftSection={<IconPlus size={18} aria-hidden />}
      disabled={room?.full === true}
      onClick={() => setMaking(true)}
    >
      New social set
    </Button>
  )
  return (
    <Stack gap="lg">
      <Group justify="space-between" gap="sm">
        <PageTitle title="Social sets" />
        <Group gap="xs">
          {socialSetIds === null && sets && sets.length > 1 && (
            <StopButton target={{ socialSet: null }} of=" for all" />
          )}
          {manages && make}
        </Group>
      </Group>
      <Text>A social set is a brand with its connected accounts, its calendar and its timezone.</Text>
      {manages && room && (
        <Text size="sm" {...(room.full ? {} : { c: 'dimmed' })}>
          {room.words}
        </Text>
      )}
      {error && !sets ? (
        <ErrorState title="The social sets could not be loaded" error={error} onRetry={() => void refetch()} />
      ) : !sets ? (
        <LoadingRows />
      ) : sets.length === 0 ? (
        <EmptyState icon={<IconStack2 size={32} aria-hidden />} action={manages ? make : undefined}>
          {manages ? 'There is no social set yet. Make one for your first brand.' : 'You see no social set yet.'}
        </EmptyState>
      ) : (
        <Stack component="ul" gap="sm" p={0} m={0} style={{ listStyle: 'none' }} aria-label="Social sets">
          {sets.map((set) => (
            <Paper key={set.id} component="li" withBorder p="md">
              <SocialSetLine socialSet={set} onEdit={manages ? setEditing : null} />
            </Paper>
          ))}
        </Stack>
      )}
      <NewSocialSetDialog opened={making} timezone={viewerZone()} onClose={() => setMaking(false)} />
      <EditSocialSetDialog socialSet={editing} onClose={() => setEditing(null)} />
    </Stack>
  )
}

function SocialSetLine({ socialSet, onEdit }: { socialSet: SocialSet; onEdit: ((set: SocialSet) => void) | null }) {
  const { name, timezone, accounts } = socialSet
  return (
    <Group justify="space-between" gap="sm" align="flex-start">
      <Stack gap={6} miw={0}>
        <Group gap="xs">
          <Title order={2} size="h5">
            {name}
          </Title>
          <Badge variant="default" tt="none" fw={500}>
            {zoneChip(timezone, Temporal.Now.instant().toString()).replaceAll('_', ' ')}
          </Badge>
        </Group>
        <Group gap={6}>
          {accounts.map(({ id, type }) => (
            <NetworkIcon key={id} accountType={type} />
          ))}
          <Text size="sm" c="dimmed">
            {accounts.length === 0 ? 'No account connected. ' : `${count(accounts.length, 'connected account')}. `}
            {needsReconnecting(socialSet) && 'One needs to be connected again. '}
            <RouterAnchor to="/connections" search={{ set: socialSet.id }}>
              Connections<VisuallyHidden> of {name}</VisuallyHidden>
            </RouterAnchor>
          </Text>
        </Group>
      </Stack>
      <Group gap="xs">
        {socialSet.hold ? (
          <Badge color="orange" variant="light" tt="none" leftSection={<IconPlayerPause size={12} aria-hidden />}>
            Stopped
          </Badge>
        ) : (
          <StopButton target={{ socialSet }} of={` for ${name}`} size="xs" />
        )}
        {onEdit && (
          <Button
            variant="default"
            size="xs"
            leftSection={<IconPencil size={16} aria-hidden />}
            onClick={() => onEdit(socialSet)}
          >
            Change<VisuallyHidden> {name}</VisuallyHidden>
          </Button>
        )}
      </Group>
    </Group>
  )
}

/** How many social sets the plan still has room for, in words; null while that is not known or where it has no end. */
function useRoom(): { full: boolean; words: string } | null {
  const { data } = useQuery({
    queryKey: queryKeys.plan.list(),
    queryFn: ({ signal }) => api.get<AccountUsage>('/usage', { signal }),
  })
  const sets = data?.socialSets
  if (!sets || sets.limit === null) return null
  const full = sets.used >= sets.limit
  const words = `${sets.used} of ${count(sets.limit, 'social set')} of your plan.`
  if (!full) return { full, words }
  return { full, words: `${words} There is no room for another one; what is there keeps working and publishing.` }
}
