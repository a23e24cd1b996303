import { Button, Group, NativeSelect, Stack, Switch, Text } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import type { Preferences } from '#contract'
import { api } from '../api/client.ts'
import { refreshSession, useSession } from '../api/session.ts'
import { Failure } from '../design/confirm-action.tsx'
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

/** How dates, times and colours look to the member. */
export function PreferencesSection() {
  const { preferences } = useSession()
  const [draft, setDraft] = useState(preferences)
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const change = (part: Partial<Preferences>) => setDraft((before) => ({ ...before, ...part }))

  const save = async (event: FormEvent) => {
    event.preventDefault()
    setBusy(true)
    setError(null)
    try {
      setDraft(await api.patch<Preferences>('/preferences', draft))
      await refreshSession()
      showDone('Your preferences are saved.')
    } catch (failure) {
      setError(failure)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Section title="Preferences" description="How the dashboard looks to you. Others have their own.">
      <form onSubmit={(event) => void save(event)}>
        <Stack>
          <Failure error={error} />
          <NativeSelect
            label="Appearance"
            data={[
              { value: AUTO, label: 'As the device' },
              { value: 'light', label: 'Light' },
              { value: 'dark', label: 'Dark' },
            ]}
            value={draft.theme}
            onChange={(event) => change({ theme: event.currentTarget.value as Preferences['theme'] })}
          />
          <NativeSelect
            label="Language of dates"
            data={localeOptions(draft.locale)}
            value={draft.locale ?? AUTO}
            onChange={(event) => change({ locale: orNull(event.currentTarget.value) })}
          />
          <NativeSelect
            label="Clock"
            data={[
              { value: AUTO, label: 'As usual in the language' },
              { value: 'h23', label: '24 hours' },
              { value: 'h12', label: '12 hours, am and pm' },
            ]}
            value={draft.hourCycle}
            onChange={(event) => change({ hourCycle: event.currentTarget.value as Preferences['hourCycle'] })}
          />
          <NativeSelect
            label="First day of the week"
            data={[
              { value: AUTO, label: 'As usual in the language' },
              { value: 'monday', label: 'Monday' },
              { value: 'saturday', label: 'Saturday' },
              { value: 'sunday', label: 'Sunday' },
            ]}
            value={draft.weekStart}
            onChange={(event) => change({ weekStart: event.currentTarget.value as Preferences['weekStart'] })}
          />
          <ZoneSelect
            label="Your timezone"
            description="Where the calendar shows “your time”. Posts go by the timezone of their social set."
            first={{ value: AUTO, label: `As the device (${viewerZone().replaceAll('_', ' ')})` }}
            zone={draft.timezone ?? viewerZone()}
            value={draft.timezone ?? AUTO}
            onChange={(zone) => change({ timezone: orNull(zone) })}
          />
          <Text size="sm" c="dimmed" aria-live="polite">
            It is {example(draft)}.
          </Text>
          <Switch
            label="Keyboard shortcuts"
            description="Single keys such as N and T do something. Switch them off when you use voice control."
            checked={draft.shortcuts}
            onChange={(event) => change({ shortcuts: event.currentTarget.checked })}
          />
          <Group>
            <Button type="submit" loading={busy}>
              Save preferences
            </Button>
          </Group>
        </Stack>
      </form>
    </Section>
  )
}

const orNull = (value: string) => (value === AUTO ? null : value)

function example(draft: Preferences): string {
  return formatDateTime(Temporal.Now.instant().toString(), draft.timezone ?? viewerZone(), draft)
}

function localeOptions(chosen: string | null): { value: string; label: string }[] {
  const all = chosen === null || LOCALES.includes(chosen) ? LOCALES : [chosen, ...LOCALES]
  return [
    { value: AUTO, label: 'As the browser' },
    ...all.map((locale) => ({
      value: locale,
      label: new Intl.DisplayNames(locale, { type: 'language' }).of(locale) ?? locale,
    })),
  ]
}
