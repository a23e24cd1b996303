import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { nextMonday, readDate, today } from '../calendar/dates.ts'
import { wallTime, zoneChip } from '../time/zones.ts'
import type { Asked } from './asked.ts'

/** Asks for a day and a time by the clock of the social set. */
export function MoveForm({ asked, zone }: { asked: Extract<Asked, { kind: 'move' }>; zone: string }) {
  const { subject, answer } = asked
  const at = wallTime(subject.scheduledAt, zone)
  const [date, setDate] = useState(at.toPlainDate().toString())
  const [time, setTime] = useState(at.toPlainTime().toString({ smallestUnit: 'minute' }))
  const [wrong, setWrong] = useState<{ date?: string; time?: string }>({})

  const submit = (event: FormEvent) => {
    event.preventDefault()
    const clock = /^(\d{2}):(\d{2})/.exec(time)
    const known = date !== '' && readDate(date, zone).toString() === date
    if (!clock || !known) {
      return setWrong({
        ...(known ? {} : { date: 'Enter a day between 2000 and 2100.' }),
        ...(clock ? {} : { time: 'Enter a time.' }),
      })
    }
    answer({ to: 'time', date, minutes: Number(clock[1]) * 60 + Number(clock[2]) })
  }
  const days = [
    { label: 'Tomorrow', date: today(zone).add({ days: 1 }) },
    { label: 'Next Monday', date: nextMonday(today(zone)) },
  ]
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <Group grow align="flex-start">
          <TextInput
            type="date"
            label="Day"
            min="2000-01-01"
            max="2100-12-31"
            value={date}
            onChange={(event) => {
              setDate(event.currentTarget.value)
              setWrong({})
            }}
            error={wrong.date}
            data-autofocus
          />
          <TextInput
            type="time"
            label="Time"
            value={time}
            onChange={(event) => {
              setTime(event.currentTarget.value)
              setWrong({})
            }}
            error={wrong.time}
          />
        </Group>
        <Group gap="xs">
          {days.map((day) => (
            <Button key={day.label} variant="default" size="xs" onClick={() => setDate(day.date.toString())}>
              {day.label}
            </Button>
          ))}
        </Group>
        <Text size="sm" c="dimmed">
          By the clock of {zoneChip(zone, subject.scheduledAt)}.
        </Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={() => answer(null)}>
            Cancel
          </Button>
          <Button type="submit">Move</Button>
        </Group>
      </Stack>
    </form>
  )
}
