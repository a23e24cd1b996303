import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { IconPlayerPause } from '@tabler/icons-react'
import type { Hold } from '#contract'
import { useMay, usePreferences, useSession } from '../api/session.ts'
import { useSocialSet } from '../frame/social-sets.ts'
import { useViewerZone } from '../time/viewer.ts'
import { formatDateTime } from '../time/zones.ts'
import { placeOf, whoWords } from './hold-words.ts'
import { useResume } from './use-hold-dialogs.tsx'

/** Where publishing is stopped, by whom and why, and the way on. */
export function HoldLines({ holds }: { holds: readonly Hold[] }) {
  const { resume, dialog } = useResume()
  return (
    <>
      <Stack component="section" aria-label={t`Publishing is stopped`} gap="xs" mb="md">
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
          <strong>
            <Trans>Publishing is stopped for {place}.</Trans>
          </strong>{' '}
          <span dir="auto">{whoWords(hold, formatDateTime(hold.since, zone, preferences))}</span>
          {!may && ' '}
          {!may && <Trans>Owners, admins and editors can resume it.</Trans>}
        </Text>
        {may && (
          <Button size="compact-sm" variant="default" onClick={onResume} aria-label={t`Resume publishing for ${place}`}>
            <Trans>Resume publishing</Trans>
          </Button>
        )}
      </Group>
    </Alert>
  )
}
