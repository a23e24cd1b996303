import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button } from '@mantine/core'
import { IconPlayerPause } from '@tabler/icons-react'
import type { Hold } from '#contract'
import { useMay, usePreferences, useSession } from '../api/session.ts'
import { NoticeLine } from '../design/notice-line.tsx'
import { useSocialSet } from '../frame/social-sets.ts'
import { timeThere } from '../planning/brands/there-words.ts'
import { useViewerZone } from '../time/viewer.ts'
import { formatDateTime } from '../time/zones.ts'
import { placeOf, whoWords } from './hold-words.ts'
import { useResume } from './use-hold-dialogs.tsx'

/** Where publishing is stopped, by whom and why, and the way on: a notice for each. */
export function HoldLines({ holds }: { holds: readonly Hold[] }) {
  const { resume, dialog } = useResume()
  return (
    <>
      {holds.map((hold) => (
        <HoldLine key={hold.id} hold={hold} onResume={() => resume(hold)} />
      ))}
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
  const since = formatDateTime(hold.since, zone, preferences)
  return (
    <NoticeLine
      tone="warn"
      label={t`Publishing is stopped`}
      Icon={IconPlayerPause}
      action={
        may && (
          <Button size="compact-sm" variant="default" onClick={onResume} aria-label={t`Resume publishing for ${place}`}>
            <Trans>Resume publishing</Trans>
          </Button>
        )
      }
    >
      <strong>
        <Trans>Publishing is stopped for {place}.</Trans>
      </strong>{' '}
      <span dir="auto">{whoWords(hold, timeThere(since, hold.since, { brand: zone, viewer: yours }))}</span>
      {!may && ' '}
      {!may && <Trans>Owners, admins and editors can resume it.</Trans>}
    </NoticeLine>
  )
}
