import { Trans, useLingui } from '@lingui/react/macro'
import { Button, Group } from '@mantine/core'
import { IconClock } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { DateField } from '../planning/dates/date-field.tsx'
import { dayOf, nextSensibleTime, startOfDay, today } from '../planning/dates/dates.ts'
import { isStartOfDay } from '../planning/dates/note-time.ts'
import { ScheduleFields } from '../planning/dates/schedule-fields.tsx'

interface NoteWhenProps {
  /** ISO 8601 in UTC; the start of a day is a note without a time. */
  at: string
  zone: string
  disabled: boolean
  error: string | null
  onChange: (at: string) => void
  /** Reports why it cannot be saved; null when it can. */
  onIncomplete: (why: string | null) => void
}

/** The day of a note, and its time where it has one. */
export function NoteWhen(props: NoteWhenProps) {
  const { at, zone, disabled, onChange, onIncomplete } = props
  const [timed, setTimed] = useState(!isStartOfDay(at, zone))
  const place = useRef<HTMLDivElement>(null)
  const day = () => Temporal.PlainDate.from(dayOf(at, zone))
  const change = (next: boolean) => {
    onIncomplete(null)
    onChange(next ? nextSensibleTime(day(), zone) : startOfDay(day(), zone))
    setTimed(next)
    // The button that was pressed is gone: the focus goes to what took its place.
    requestAnimationFrame(() => {
      const element = next ? place.current?.querySelectorAll('input')[1] : place.current?.querySelector('[data-time]')
      if (element instanceof HTMLElement) element.focus()
    })
  }
  return (
    <div ref={place}>
      {timed ? (
        <ScheduleFields {...props}>
          {!disabled && (
            <Button variant="subtle" color="gray" data-time onClick={() => change(false)}>
              <Trans>Remove the time</Trans>
            </Button>
          )}
        </ScheduleFields>
      ) : (
        <Group align="flex-end" gap="sm">
          <DayField {...props} />
          {!disabled && (
            <Button
              variant="subtle"
              color="gray"
              leftSection={<IconClock size={16} aria-hidden />}
              data-time
              onClick={() => change(true)}
            >
              <Trans>Add a time</Trans>
            </Button>
          )}
        </Group>
      )}
    </div>
  )
}

function DayField({ at, zone, disabled, error, onChange, onIncomplete }: NoteWhenProps) {
  const { t } = useLingui()
  const [date, setDate] = useState(() => dayOf(at, zone))
  // Moved from elsewhere: the field follows.
  useEffect(() => setDate(dayOf(at, zone)), [at, zone])
  const missing = t`Choose a day from 2000 to 2100.`
  const why = date === '' ? missing : null
  useEffect(() => onIncomplete(why), [why, onIncomplete])
  return (
    <DateField
      label={t`Date`}
      value={date}
      today={today(zone)}
      disabled={disabled}
      error={why ?? error}
      onChange={(next) => {
        setDate(next)
        if (next !== '') onChange(startOfDay(Temporal.PlainDate.from(next), zone))
      }}
    />
  )
}
