import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { IconPlayerPause } from '@tabler/icons-react'
import type { Hold } from '#contract'
import { useMay, usePreferences, useSession } from '../api/session.ts'
import { useSocialSet } from '../shell/social-sets.ts'
import { useViewerZone } from '../time/viewer.ts'
import { formatDateTime } from '../time/zones.ts'
import { placeOf, whoWords } from './hold-words.ts'
import { useResume } from './use-hold-dialogs.tsx'

/** Where publishing is stopped, by whom and why, and the way on. */
export function HoldLines({ holds }: { holds: readonly Hold[] }) {
  const { resume, dialog } = useResume()
  return (
    <>
      <Stack component="section" aria-label="Publishing is stopped" gap="xs" mb="md">
        {holds.map((hold) => (
          <HoldLine key={hold.id} hold={hold} onResume={() => resume(hold)} />
        ))}
      </Stack>
      {dialog}
    </>
  )
}

function HoldLine({ hold, onResume }: { hold: Hold; onResume: () => void }) {
  const publishes = useMay('post-sets:publish')
  const { socialSetIds } = useSession()
  const yours = useViewerZone()
  const { socialSet, sets } = useSocialSet()
  // The clock of what is stopped, or of what is looked at beside it.
  const zone = (sets?.find(({ id }) => id === hold.socialSetId) ?? socialSet)?.timezone ?? yours
  const preferences = usePreferences()
  const may = publishes && (hold.scope !== 'ACCOUNT' || socialSetIds === null)
  const place = placeOf(hold)
  return (
    <Alert color="orange" icon={<IconPlayerPause aria-hidden />} py="xs">
      <Group justify="space-between" gap="sm">
        <Text size="sm" flex="1 1 240px">
          <strong>Publishing is stopped for {place}.</strong>{' '}
          <span dir="auto">{whoWords(hold, formatDateTime(hold.since, zone, preferences))}</span>
          {!may && ' Owners, admins and editors can resume it.'}
        </Text>
        {may && (
          <Button size="compact-sm" variant="default" onClick={onResume} aria-label={`Resume publishing for ${place}`}>
            Resume publishing
          </Button>
        )}
      </Group>
    </Alert>
  )
}
