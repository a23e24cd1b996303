import { plural, t } from '@lingui/core/macro'
import { Radio, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { SocialSet } from '#contract'
import * as LIMITS from '#contract/limits'
import { usePreferences } from '../api/session.ts'
import { Form, FormButtons, useForm } from '../design/form.tsx'
import { freeSlotsQuery } from '../planning/brands/brand-queries.ts'
import { today } from '../planning/dates/dates.ts'
import { formatDateTime } from '../time/zones.ts'
import { type DayTime, DayTimeFields, dayTimeChecks, dayTimeOf, targetOf } from './day-time-fields.tsx'
import { weekLater } from './duplicate-times.ts'
import type { DuplicateWhen, Prompt } from './prompt.ts'

type Choice = DuplicateWhen['when']
interface Values extends DayTime {
  when: Choice
}

/** Asks when the copies of posts are to go out. They are drafts, with any choice. */
export function DuplicateForm({
  asked,
  socialSet,
}: {
  asked: Extract<Prompt, { kind: 'duplicate' }>
  socialSet: SocialSet
}) {
  const { subjects, answer } = asked
  const preferences = usePreferences()
  const { id, timezone: zone } = socialSet
  const number = subjects.length
  const [only] = number === 1 ? subjects : []
  const { data: slots = [] } = useQuery({
    ...freeSlotsQuery(id, today(zone).toString(), Math.min(number, LIMITS.freeSlots.max)),
    enabled: number <= LIMITS.freeSlots.max,
  })
  const week = only && weekLater(only.scheduledAt, zone)
  const checked = (check: (value: string) => string | null) => (value: string, values: Values) =>
    values.when === 'time' ? check(value) : null
  const initial: Values = { when: 'week', ...dayTimeOf(week ?? new Date().toISOString(), zone) }
  const form = useForm<Values>({
    initial,
    check: { date: checked(dayTimeChecks.date), time: checked(dayTimeChecks.time) },
    send({ when, ...chosen }) {
      if (when === 'free') return answer({ when, at: slots.map(({ at }) => at) })
      answer(when === 'time' ? { when, target: targetOf(chosen) } : { when })
    },
  })
  const said = (instant: string) => formatDateTime(instant, zone, preferences)
  const [slot] = slots
  const ahead = subjects.every(({ scheduledAt }) => Date.parse(scheduledAt) > Date.now())
  const choices: { value: Choice; label: string; description?: string }[] = [
    {
      value: 'week',
      label: only ? t`Same time next week` : t`Same times next week`,
      ...(week ? { description: said(week) } : {}),
    },
    ...(slot && slots.length === number
      ? [
          {
            value: 'free' as const,
            label: only ? t`Next free time` : t`Next free times, in this order`,
            description: only ? said(slot.at) : t`From ${said(slot.at)}`,
          },
        ]
      : []),
    ...(ahead
      ? [
          {
            value: 'same' as const,
            label: only ? t`Same day and time` : t`Same days and times`,
            ...(only ? { description: said(only.scheduledAt) } : {}),
          },
        ]
      : []),
    ...(only ? [{ value: 'time' as const, label: t`Another time` }] : []),
  ]
  return (
    <Form form={form}>
      <Radio.Group
        label={
          only
            ? t`When should the copy go out?`
            : plural(number, { one: 'When is # copy due?', other: 'When are # copies due?' })
        }
        value={form.values.when}
        onChange={(value) => form.set('when', value as Choice)}
      >
        <Stack gap="xs" mt="xs">
          {choices.map((choice, index) => (
            <Radio key={choice.value} {...choice} data-autofocus={index === 0 || undefined} />
          ))}
        </Stack>
      </Radio.Group>
      {only && form.values.when === 'time' && (
        <DayTimeFields form={form} socialSet={socialSet} otherwise={week ?? only.scheduledAt} />
      )}
      <Text size="sm" c="dimmed">
        {plural(number, {
          one: 'The copy is a draft. It does not go out before you schedule it.',
          other: 'The copies are drafts. They do not go out before you schedule them.',
        })}
      </Text>
      <FormButtons form={form} submit={t`Duplicate`} onCancel={() => answer(null)} />
    </Form>
  )
}
