import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Group, Text } from '@mantine/core'
import type { SocialSet } from '#contract'
import { DateField } from '../planning/dates/date-field.tsx'
import { today } from '../planning/dates/dates.ts'
import { FreeSlots } from '../planning/dates/free-slots.tsx'
import { TimeField } from '../planning/dates/time-field.tsx'
import { clockTime, wallTime, zoneChip } from '../time/zones.ts'

/** What a form asks for: a day and a time by the clock of the brand, `2030-06-12` and `14:30`; empty for what is none. */
export interface DayTime {
  date: string
  time: string
}

export const dayTimeChecks = {
  date: (date: string) => (date === '' ? t`Enter a day between 2000 and 2100.` : null),
  time: (time: string) => (time === '' ? t`Enter a time.` : null),
}

export function dayTimeOf(instant: string, zone: string): DayTime {
  const at = wallTime(instant, zone)
  return { date: at.toPlainDate().toString(), time: at.toPlainTime().toString({ smallestUnit: 'minute' }) }
}

export function targetOf({ date, time }: DayTime): { to: 'time'; date: string; minutes: number } {
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  return { to: 'time', date, minutes: hours * 60 + minutes }
}

interface DayTimeFieldsProps {
  /** Of `useForm`, whose fields have these names. */
  form: {
    values: DayTime
    wrong: { date?: string | undefined; time?: string | undefined }
    set: (name: 'date' | 'time', value: string) => void
    idOf: (name: 'date' | 'time') => string
  }
  socialSet: Pick<SocialSet, 'id' | 'timezone'>
  /** Offered while the fields show no time. */
  otherwise: string
  autofocus?: boolean
}

/** A day and a time, with the next free times of the brand. */
export function DayTimeFields({ form, socialSet, otherwise, autofocus = false }: DayTimeFieldsProps) {
  const { timezone: zone } = socialSet
  const { values, wrong, set, idOf } = form
  const at = instantOf(values, zone) ?? otherwise
  return (
    <>
      <Group align="flex-start">
        <DateField
          id={idOf('date')}
          label={t`Day`}
          value={values.date}
          today={today(zone)}
          error={wrong.date ?? null}
          autofocus={autofocus}
          onChange={(date) => set('date', date)}
        />
        <TimeField
          id={idOf('time')}
          label={t`Time`}
          value={values.time}
          error={wrong.time ?? null}
          onChange={(time) => set('time', time)}
        />
      </Group>
      <FreeSlots
        socialSet={socialSet}
        at={at}
        onChoose={(instant) => {
          const chosen = dayTimeOf(instant, zone)
          set('date', chosen.date)
          set('time', chosen.time)
        }}
      />
      <Text size="sm" c="dimmed">
        <Trans>Time zone: {zoneChip(zone, at)}</Trans>
      </Text>
    </>
  )
}

/** The instant that the fields show; of two the first. Null while they show none. */
function instantOf({ date, time }: DayTime, zone: string): string | null {
  if (date === '' || time === '') return null
  const clock = clockTime(Temporal.PlainDateTime.from(`${date}T${time}`), zone)
  return clock.kind === 'exact' ? clock.instant : clock.kind === 'gap' ? clock.later : clock.first
}
