import { Alert, Button, Group, Text } from '@mantine/core'
import { IconPlayerPauseFilled } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { Hold } from '#contract'
import { useMay, usePreferences, useSession } from '../api/session.ts'
import { useViewerZone } from '../time/viewer.ts'
import { formatDateTime } from '../time/zones.ts'
import { placeOf, whoWords } from './hold-words.ts'
import { holdsQuery } from './queries.ts'
import { useResume } from './use-hold-dialogs.tsx'

/** Says where publishing is stopped, by whom and why, and lets it go on. Stands above every screen. */
export function HoldsBanner() {
  const holds = useQuery(holdsQuery).data?.data ?? []
  const { resume, dialog } = useResume()
  return (
    <>
      {holds.length > 0 && (
        <section aria-label="Publishing is stopped">
          {holds.map((hold) => (
            <HoldLine key={hold.id} hold={hold} onResume={() => resume(hold)} />
          ))}
        </section>
      )}
      {dialog}
    </>
  )
}

function HoldLine({ hold, onResume }: { hold: Hold; onResume: () => void }) {
  const publishes = useMay('post-sets:publish')
  const { socialSetIds } = useSession()
  const zone = useViewerZone()
  const preferences = usePreferences()
  const may = publishes && (hold.scope !== 'ACCOUNT' || socialSetIds === null)
  const place = placeOf(hold)
  return (
    <Alert color="orange" icon={<IconPlayerPauseFilled aria-hidden />} mb="md" py="xs">
      <Group justify="space-between" gap="sm">
        <Text size="sm" flex="1 1 240px">
          <strong>Publishing is stopped for {place}.</strong>{' '}
          <span dir="auto">{whoWords(hold, formatDateTime(hold.since, zone, preferences))}</span>
          {!may && ' Owners, admins and editors can resume it.'}
        </Text>
        {may && (
          <Button size="compact-md" variant="default" onClick={onResume} aria-label={`Resume publishing for ${place}`}>
            Resume publishing
          </Button>
        )}
      </Group>
    </Alert>
  )
}
