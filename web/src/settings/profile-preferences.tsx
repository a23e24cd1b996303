import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button, Group, NativeSelect, Switch, Text } from '@mantine/core'
import type { Preferences } from '#contract'
import { change } from '../api/change.ts'
import { useSession } from '../api/session.ts'
import { Failure } from '../design/confirm-action.tsx'
import { Form, useForm } from '../design/form.tsx'
import { showDone } from '../design/toast.tsx'
import { ZoneSelect } from '../time/zone-select.tsx'
import { formatDateTime, viewerZone } from '../time/zones.ts'
import { Section } from './profile-section.tsx'

const AUTO = 'auto'

const LOCALES = [
  'en-GB',
  'en-US',
  'en-CA',
  'en-AU',
  'de-DE',
  'de-CH',
  'fr-FR',
  'es-ES',
  'it-IT',
  'nl-NL',
  'pt-BR',
  'pl-PL',
  'sv-SE',
  'ja-JP',
]

/** How dates, times and colors look to the member. */
export function PreferencesSection() {
  // Groups of accounts are kept where they are chosen.
  const { accountGroups: _, ...preferences } = useSession().preferences
  const form = useForm({
    initial: preferences,
    async send(body) {
      await change('PATCH /preferences', { body })
      showDone(t`Your preferences are saved.`)
    },
  })
  const draft = form.values
  return (
    <Section title={t`Preferences`} description={t`How the dashboard looks to you. Other members have their own.`}>
      <Form form={form}>
        <Failure error={form.rest} />
        <NativeSelect
          label={t`Appearance`}
          data={[
            { value: AUTO, label: t`Same as device` },
            { value: 'light', label: t`Light` },
            { value: 'dark', label: t`Dark` },
          ]}
          value={draft.theme}
          onChange={(event) => form.set('theme', event.currentTarget.value as Preferences['theme'])}
        />
        <NativeSelect
          label={t`Language and region`}
          description={t`Words appear in this language where Almanac has it. Dates and times always follow it.`}
          data={localeOptions(draft.locale)}
          value={draft.locale ?? AUTO}
          onChange={(event) => form.set('locale', orNull(event.currentTarget.value))}
        />
        <NativeSelect
          label={t`Clock`}
          data={[
            { value: AUTO, label: t`Default of the language` },
            { value: 'h23', label: t`24 hours` },
            { value: 'h12', label: t`12 hours, am and pm` },
          ]}
          value={draft.hourCycle}
          onChange={(event) => form.set('hourCycle', event.currentTarget.value as Preferences['hourCycle'])}
        />
        <NativeSelect
          label={t`First day of the week`}
          data={[
            { value: AUTO, label: t`Default of the language` },
            { value: 'monday', label: t`Monday` },
            { value: 'saturday', label: t`Saturday` },
            { value: 'sunday', label: t`Sunday` },
          ]}
          value={draft.weekStart}
          onChange={(event) => form.set('weekStart', event.currentTarget.value as Preferences['weekStart'])}
        />
        <ZoneSelect
          label={t`Your time zone`}
          description={t`Where the calendar shows “your time”. Posts follow the time zone of their brand.`}
          first={{ value: AUTO, label: t`Same as device (${viewerZone().replaceAll('_', ' ')})` }}
          zone={draft.timezone ?? viewerZone()}
          value={draft.timezone ?? AUTO}
          onChange={(zone) => form.set('timezone', orNull(zone))}
        />
        <Text size="sm" c="dimmed" aria-live="polite">
          <Trans>Example: {example(draft)}</Trans>
        </Text>
        <Switch
          label={t`Keyboard shortcuts`}
          description={t`Single keys such as N and T run commands. Turn them off if you use voice control.`}
          checked={draft.shortcuts}
          onChange={(event) => form.set('shortcuts', event.currentTarget.checked)}
        />
        <Switch
          label={t`Show who has a post open`}
          description={t`Others see which post you have open, and you see who else has it open. Clients never do.`}
          checked={draft.presence}
          onChange={(event) => form.set('presence', event.currentTarget.checked)}
        />
        <Group>
          <Button type="submit" loading={form.busy}>
            <Trans>Save preferences</Trans>
          </Button>
        </Group>
      </Form>
    </Section>
  )
}

const orNull = (value: string) => (value === AUTO ? null : value)

function example(draft: Omit<Preferences, 'accountGroups'>): string {
  return formatDateTime(Temporal.Now.instant().toString(), draft.timezone ?? viewerZone(), draft)
}

function localeOptions(chosen: string | null): { value: string; label: string }[] {
  const all = chosen === null || LOCALES.includes(chosen) ? LOCALES : [chosen, ...LOCALES]
  return [
    { value: AUTO, label: t`Same as browser` },
    ...all.map((locale) => ({
      value: locale,
      label: new Intl.DisplayNames(locale, { type: 'language' }).of(locale) ?? locale,
    })),
  ]
}
