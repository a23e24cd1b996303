import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Alert, Text } from '@mantine/core'
import { IconClockExclamation } from '@tabler/icons-react'
import type { ClockJump } from '#contract'
import { MINUTE_MS } from '#contract/durations'
import { useSession } from '../api/session.ts'
import { NoticeLine } from '../design/notice-line.tsx'

/** Says that the clock has jumped ahead, and to operators what to do about it: as a notice, or within the bell. */
export function ClockLine({ clock: { aheadMs }, within = false }: { clock: ClockJump; within?: boolean }) {
  const { operator } = useSession()
  const span = spanWords(aheadMs)
  const words = (
    <>
      <strong>
        <Trans>The clock of Almanac has jumped ahead by {span}.</Trans>
      </strong>{' '}
      {operator ? (
        <Trans>
          For now, posts follow the time before the jump. If the new time is wrong, set the clock right (NTP). If it is
          right, run “almanac clock believe” on the server. Otherwise Almanac accepts it after ten minutes unless a
          network’s time disagrees.
        </Trans>
      ) : (
        <Trans>
          For now, posts follow the time before the jump. The person who operates Almanac can set the clock right or
          confirm the new time.
        </Trans>
      )}
    </>
  )
  const label = t`The clock has jumped ahead`
  if (!within) {
    return (
      <NoticeLine tone="warn" label={label} Icon={IconClockExclamation}>
        {words}
      </NoticeLine>
    )
  }
  return (
    <Alert role="note" aria-label={label} color="orange" icon={<IconClockExclamation aria-hidden />} py="xs">
      <Text size="sm">{words}</Text>
    </Alert>
  )
}

function spanWords(ms: number): string {
  const minutes = Math.round(ms / MINUTE_MS)
  if (minutes < 120) return plural(minutes, { one: '# minute', other: '# minutes' })
  const hours = Math.round(minutes / 60)
  return plural(hours, { one: '# hour', other: '# hours' })
}
