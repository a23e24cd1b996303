import { t } from '@lingui/core/macro'
import { Button, Group } from '@mantine/core'
import type { SocialSet } from '#contract'
import { Form, FormButtons, useForm } from '../design/form.tsx'
import { nextMonday, today } from '../planning/dates/dates.ts'
import { type DayTime, DayTimeFields, dayTimeChecks, dayTimeOf, targetOf } from './day-time-fields.tsx'
import type { Prompt } from './prompt.ts'

/** Asks for a day and a time by the clock of the social set. */
export function MoveForm({ asked, socialSet }: { asked: Extract<Prompt, { kind: 'move' }>; socialSet: SocialSet }) {
  const { subject, answer } = asked
  const zone = socialSet.timezone
  const form = useForm<DayTime>({
    initial: dayTimeOf(subject.scheduledAt, zone),
    check: dayTimeChecks,
    send: (values) => answer(targetOf(values)),
  })
  const days = [
    { label: t`Tomorrow`, date: today(zone).add({ days: 1 }) },
    { label: t`Next Monday`, date: nextMonday(today(zone)) },
  ]
  return (
    <Form form={form}>
      <DayTimeFields form={form} socialSet={socialSet} otherwise={subject.scheduledAt} autofocus />
      <Group gap="xs">
        {days.map((day) => (
          <Button key={day.label} variant="default" size="xs" onClick={() => form.set('date', day.date.toString())}>
            {day.label}
          </Button>
        ))}
      </Group>
      <FormButtons form={form} submit={asked.asked?.verb ?? t`Move`} onCancel={() => answer(null)} />
    </Form>
  )
}
