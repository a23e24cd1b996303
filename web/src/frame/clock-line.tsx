import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Alert, Text } from '@mantine/core'
import { IconClockExclamation } from '@tabler/icons-react'
import type { ClockJump } from '#contract'
import { MINUTE_MS } from '#contract/durations'
import { useSession } from '../api/session.ts'

/** Says that the clock has jumped ahead, and to operators what to do about it: above every screen, or within the bell. */
export function ClockLine({ clock: { aheadMs }, within = false }: { clock: ClockJump; within?: boolean }) {
  const { operator } = useSession()
  const span = spanWords(aheadMs)
  return (
    <Alert
      component={within ? 'div' : 'section'}
      role={within ? 'note' : 'region'}
      aria-label={t`The clock has jumped ahead`}
      color="orange"
      icon={<IconClockExclamation aria-hidden />}
      mb={within ? 0 : 'md'}
      py="xs"
    >
      <Text size="sm">
        <strong>
          <Trans>The clock of Almanac has jumped ahead by {span}.</Trans>
        </strong>{' '}
        {operator ? (
          <Trans>
            For now, posts follow the time before the jump. If the new time is wrong, set the clock right (NTP). If it
            is right, run “almanac clock believe” on the server. Otherwise Almanac accepts it after ten minutes unless a
            network’s time disagrees.
          </Trans>
        ) : (
          <Trans>
            For now, posts follow the time before the jump. The person who operates Almanac can set the clock right or
            confirm the new time.
          </Trans>
        )}
      </Text>
    </Alert>
  )
}

function spanWords(ms: number): string {
  const minutes = Math.round(ms / MINUTE_MS)
  if (minutes < 120) return plural(minutes, { one: '# minute', other: '# minutes' })
  const hours = Math.round(minutes / 60)
  return plural(hours, { one: '# hour', other: '# hours' })
}
