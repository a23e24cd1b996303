import { Group, Radio, Stack, Text, TextInput } from '@mantine/core'
import { useEffect, useState } from 'react'
import { usePreferences } from '../api/session.ts'
import { useViewerZone } from '../time/viewer.ts'
import { type ClockTime, clockTime, formatDateTime, formatTime, sameClock, wallTime, zoneChip } from '../time/zones.ts'

/** Why nothing can be saved while a field is empty or half written, and while a question is open. */
const INCOMPLETE = 'Choose a day from 2000 to 2100, and a time.'
const UNDECIDED = 'Choose which time is meant.'

interface ScheduleFieldsProps {
  /** ISO 8601 in UTC. */
  at: string
  zone: string
  disabled?: boolean
  error?: string | null
  onChange: (at: string) => void
  /** Tells why it cannot be saved; null when it can: what is saved must be what the fields show. */
  onIncomplete: (why: string | null) => void
}

/** Day and clock time in the zone of the social set. A time that the clocks skip or show twice is asked about. */
export function ScheduleFields({
  at,
  zone,
  disabled = false,
  error = null,
  onChange,
  onIncomplete,
}: ScheduleFieldsProps) {
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
  const why = incomplete ? INCOMPLETE : undecided ? UNDECIDED : null
  useEffect(() => onIncomplete(why), [why, onIncomplete])
  const yours = useViewerZone()
  return (
    <Stack gap="xs">
      <Group align="flex-start" gap="sm">
        <TextInput
          type="date"
          min="2000-01-01"
          max="2100-12-31"
          label="Date"
          value={date}
          disabled={disabled}
          required
          error={incomplete ? INCOMPLETE : error}
          onChange={(event) => choose(event.currentTarget.value, time)}
        />
        <TextInput
          type="time"
          label="Time"
          value={time}
          disabled={disabled}
          required
          onChange={(event) => choose(date, event.currentTarget.value)}
        />
      </Group>
      <Text size="sm" c="dimmed" hidden={!complete}>
        Time in {zoneChip(zone, at)}
        {!sameClock(at, yours, zone) && `; for you ${formatDateTime(at, yours, preferences)}`}
      </Text>
      {asked && (
        <Radio.Group
          label={
            asked.kind === 'gap' ? 'The clocks skip this time. Which is meant?' : 'The clocks show this time twice.'
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
                    : `The ${index === 0 ? 'first' : 'second'} (UTC${wallTime(instant, zone).offset})`
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
