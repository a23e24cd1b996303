import { Trans, useLingui } from '@lingui/react/macro'
import { Group, Radio, Stack, Text } from '@mantine/core'
import { type ReactNode, useEffect, useState } from 'react'
import { usePreferences } from '../../api/session.ts'
import { useViewerZone } from '../../time/viewer.ts'
import {
  type ClockTime,
  clockTime,
  formatDateTime,
  formatTime,
  sameClock,
  shortZone,
  wallTime,
  zoneChip,
} from '../../time/zones.ts'
import { DateField } from './date-field.tsx'
import { today } from './dates.ts'
import { TimeField } from './time-field.tsx'

interface ScheduleFieldsProps {
  /** ISO 8601 in UTC. */
  at: string
  zone: string
  disabled?: boolean
  error?: string | null
  onChange: (at: string) => void
  /** Reports why it cannot be saved; null when it can: what is saved must be what the fields show. */
  onIncomplete: (why: string | null) => void
  /** In as few lines as can be: without names above the fields, the zone beside them. */
  compact?: boolean
  /** What stands beside the fields. */
  children?: ReactNode
}

/** Day and clock time in the zone of the social set. A time that the clocks skip or show twice is asked about. */
export function ScheduleFields({
  at,
  zone,
  disabled = false,
  error = null,
  compact = false,
  onChange,
  onIncomplete,
  children,
}: ScheduleFieldsProps) {
  const { t } = useLingui()
  const preferences = usePreferences()
  const now = wallTime(at, zone)
  const [date, setDate] = useState(now.toPlainDate().toString())
  const [time, setTime] = useState(now.toPlainTime().toString({ smallestUnit: 'minute' }))
  const [asked, setAsked] = useState<Exclude<ClockTime, { kind: 'exact' }> | null>(null)

  // Moved from elsewhere: the fields follow.
  useEffect(() => {
    const wall = wallTime(at, zone)
    setDate(wall.toPlainDate().toString())
    setTime(wall.toPlainTime().toString({ smallestUnit: 'minute' }))
    setAsked((now) => (now && choicesOf(now).includes(at) ? now : null))
  }, [at, zone])

  const choose = (nextDate: string, nextTime: string) => {
    setDate(nextDate)
    setTime(nextTime)
    const wanted = plainDateTime(nextDate, nextTime)
    if (!wanted) return
    const meant = clockTime(wanted, zone)
    setAsked(meant.kind === 'exact' ? null : meant)
    // A time that the clocks skip is chosen below; until then the fields stay as they were typed.
    if (meant.kind !== 'gap') onChange(meant.kind === 'exact' ? meant.instant : meant.first)
  }
  const incomplete = plainDateTime(date, time) === null
  const undecided = asked?.kind === 'gap' && !choicesOf(asked).includes(at)
  const complete = !incomplete && !undecided
  // What is saved must be what the fields show.
  const missing = t`Choose a day from 2000 to 2100, and a time.`
  const why = incomplete ? missing : undecided ? t`Choose which time is meant.` : null
  useEffect(() => onIncomplete(why), [why, onIncomplete])
  const occurrence = (index: number, offset: string) =>
    index === 0 ? t`The first (UTC${offset})` : t`The second (UTC${offset})`
  const yours = useViewerZone()
  const chip = zoneChip(zone, at)
  const same = sameClock(at, yours, zone)
  const beside = compact && same
  const own = formatDateTime(at, yours, preferences)
  return (
    <Stack gap="xs">
      <Group align={compact ? 'flex-start' : 'flex-end'} gap={compact ? 6 : 'sm'}>
        <DateField
          label={t`Date`}
          compact={compact}
          value={date}
          today={today(zone)}
          disabled={disabled}
          error={incomplete ? missing : error}
          onChange={(next) => choose(next, time)}
        />
        <TimeField
          label={t`Time`}
          compact={compact}
          value={time}
          disabled={disabled}
          onChange={(next) => choose(date, next)}
        />
        {beside && (
          <Text span size="sm" c="dimmed" px={6} lh="36px" title={chip}>
            {shortZone(zone, at)}
          </Text>
        )}
        {children}
      </Group>
      <Text size="sm" c="dimmed" hidden={!complete || beside}>
        {same ? (
          <Trans>Time zone: {chip}</Trans>
        ) : (
          <Trans>
            Time zone: {chip}. For you {own}
          </Trans>
        )}
      </Text>
      {asked && (
        <Radio.Group
          label={
            asked.kind === 'gap' ? t`The clocks skip this time. Which is meant?` : t`The clocks show this time twice.`
          }
          value={undecided ? '' : at}
          onChange={onChange}
        >
          <Group mt="xs">
            {choicesOf(asked).map((instant, index) => (
              <Radio
                key={instant}
                value={instant}
                label={
                  asked.kind === 'gap'
                    ? formatTime(instant, zone, preferences)
                    : occurrence(index, wallTime(instant, zone).offset)
                }
              />
            ))}
          </Group>
        </Radio.Group>
      )}
    </Stack>
  )
}

function choicesOf(asked: Exclude<ClockTime, { kind: 'exact' }>): [string, string] {
  return asked.kind === 'gap' ? [asked.earlier, asked.later] : [asked.first, asked.second]
}

/** Null while one of the fields is empty or half written. */
function plainDateTime(date: string, time: string): Temporal.PlainDateTime | null {
  try {
    const day = Temporal.PlainDate.from(date)
    // A year that is still being typed.
    if (day.year < 2000 || day.year > 2100) return null
    return day.toPlainDateTime(Temporal.PlainTime.from(time))
  } catch {
    return null
  }
}
