import { Group, Radio, Stack, Text, TextInput } from '@mantine/core'
import { useEffect, useState } from 'react'
import { usePreferences } from '../api/session.ts'
import { type ClockTime, clockTime, formatDateTime, formatTime, viewerZone, wallTime, zoneChip } from '../time/zones.ts'

interface ScheduleFieldsProps {
  /** ISO 8601 in UTC. */
  at: string
  zone: string
  disabled?: boolean
  error?: string | null
  onChange: (at: string) => void
}

/** Day and clock time in the zone of the social set. A time that the clocks skip or show twice is asked about. */
export function ScheduleFields({ at, zone, disabled = false, error = null, onChange }: ScheduleFieldsProps) {
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
  }, [at, zone])

  const choose = (nextDate: string, nextTime: string) => {
    setDate(nextDate)
    setTime(nextTime)
    const wanted = plainDateTime(nextDate, nextTime)
    if (!wanted) return
    const meant = clockTime(wanted, zone)
    setAsked(meant.kind === 'exact' ? null : meant)
    const instant = meant.kind === 'exact' ? meant.instant : meant.kind === 'gap' ? meant.later : meant.first
    // Until the question is answered the later one holds; the fields show it.
    onChange(instant)
  }
  const incomplete = plainDateTime(date, time) === null
  const yours = viewerZone()
  return (
    <Stack gap="xs">
      <Group align="flex-start" gap="sm">
        <TextInput
          type="date"
          label="Date"
          value={date}
          disabled={disabled}
          required
          error={incomplete ? 'Choose a day and a time.' : error}
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
      <Text size="sm" c="dimmed">
        Time in {zoneChip(zone, at)}
        {yours !== zone && `; for you ${formatDateTime(at, yours, preferences)}`}
      </Text>
      {asked && (
        <Radio.Group
          label={
            asked.kind === 'gap' ? 'The clocks skip this time. Which is meant?' : 'The clocks show this time twice.'
          }
          value={at}
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
    return Temporal.PlainDate.from(date).toPlainDateTime(Temporal.PlainTime.from(time))
  } catch {
    return null
  }
}
