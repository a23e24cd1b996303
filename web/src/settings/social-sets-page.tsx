import '../design/more-styles.ts'
import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Badge, Button, Group, Paper, Stack, Text, Title } from '@mantine/core'
import { IconPencil, IconPlayerPause, IconPlus, IconStack2 } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import type { SocialSet } from '#contract'
import { call } from '../api/client.ts'
import { queryKeys } from '../api/query-keys.ts'
import { useMay, useSession } from '../api/session.ts'
import { NetworkIcon } from '../design/network-icon.tsx'
import { PageTitle } from '../design/page-title.tsx'
import { EmptyState, ErrorState, LoadingRows } from '../design/states.tsx'
import { BrandFace } from '../frame/brand-face.tsx'
import { RouterAnchor } from '../frame/links.tsx'
import { needsReconnecting, socialSetsQuery } from '../frame/social-sets.ts'
import { StopButton } from '../holds/stop-button.tsx'
import { viewerZone, zoneChip } from '../time/zones.ts'
import { EditSocialSetDialog, NewSocialSetDialog } from './social-sets-edit.tsx'

export function Page(): ReactNode {
  const { data: sets, error, refetch } = useQuery(socialSetsQuery)
  const manages = useMay('social-sets:manage')
  const asked = useSearch({ strict: false, select: (search) => 'new' in search && search.new !== undefined })
  const [making, setMaking] = useState(asked)
  const [editing, setEditing] = useState<SocialSet | null>(null)
  const room = useRoom()
  const { socialSetIds } = useSession()
  const make = (
    <Button
      leftSection={<IconPlus size={18} aria-hidden />}
      disabled={room?.full === true}
      onClick={() => setMaking(true)}
    >
      <Trans>New brand</Trans>
    </Button>
  )
  return (
    <Stack gap="lg">
      <Group justify="space-between" gap="sm">
        <PageTitle title={t`Brands`} />
        <Group gap="xs">
          {socialSetIds === null && sets && sets.length > 1 && (
            <StopButton target={{ socialSet: null }} label={t`Stop publishing for all brands`} />
          )}
          {manages && make}
        </Group>
      </Group>
      <Text>
        <Trans>A brand has its own connected accounts, calendar and time zone.</Trans>
      </Text>
      {manages && room && (
        <Text size="sm" {...(room.full ? {} : { c: 'dimmed' })}>
          {room.words}
        </Text>
      )}
      {error && !sets ? (
        <ErrorState title={t`The brands could not be loaded`} error={error} onRetry={() => void refetch()} />
      ) : !sets ? (
        <LoadingRows />
      ) : sets.length === 0 ? (
        <EmptyState icon={<IconStack2 size={32} aria-hidden />} action={manages ? make : undefined}>
          {manages ? t`There is no brand yet. Create your first one.` : t`You do not have access to a brand yet.`}
        </EmptyState>
      ) : (
        <Stack component="ul" gap="sm" p={0} m={0} style={{ listStyle: 'none' }} aria-label={t`Brands`}>
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
          <BrandFace brand={socialSet} size="s" />
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
            {plural(accounts.length, {
              0: 'No account connected.',
              one: '# connected account.',
              other: '# connected accounts.',
            })}{' '}
            {needsReconnecting(socialSet) && t`One needs to be reconnected.`}
          </Text>
        </Group>
        <Group gap="4px 20px">
          <RouterAnchor
            to="/connections"
            search={{ set: socialSet.id }}
            size="sm"
            aria-label={t`Connections of ${name}`}
          >
            <Trans>Connections</Trans>
          </RouterAnchor>
          <RouterAnchor
            to="/settings/social-sets/$id"
            params={{ id: socialSet.id }}
            size="sm"
            aria-label={t`Approval, times and hashtags of ${name}`}
          >
            <Trans>Approval, times and hashtags</Trans>
          </RouterAnchor>
        </Group>
      </Stack>
      <Group gap="xs">
        {socialSet.hold ? (
          <Badge color="orange" variant="light" tt="none" leftSection={<IconPlayerPause size={12} aria-hidden />}>
            <Trans>Stopped</Trans>
          </Badge>
        ) : (
          <StopButton target={{ socialSet }} label={t`Stop publishing for ${name}`} size="xs" />
        )}
        {onEdit && (
          <Button
            variant="default"
            size="xs"
            leftSection={<IconPencil size={16} aria-hidden />}
            onClick={() => onEdit(socialSet)}
            aria-label={t`Change ${name}`}
          >
            <Trans>Change</Trans>
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
    queryFn: ({ signal }) => call('GET /usage', { signal }),
  })
  const sets = data?.socialSets
  if (!sets || sets.limit === null) return null
  const full = sets.used >= sets.limit
  const { used, limit } = sets
  const words = full
    ? plural(limit, {
        one: `${used} of # brand of your plan used. You cannot create more. Existing brands keep publishing.`,
        other: `${used} of # brands of your plan used. You cannot create more. Existing brands keep publishing.`,
      })
    : plural(limit, { one: `${used} of # brand of your plan used.`, other: `${used} of # brands of your plan used.` })
  return { full, words }
}
