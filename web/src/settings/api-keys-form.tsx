import { i18n } from '@lingui/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Checkbox, Code, PasswordInput, Radio, ScrollArea, Stack, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { AgentOfKey, Scope } from '#contract'
import * as LIMITS from '#contract/limits'
import { usePreferences, useSession } from '../api/session.ts'
import { Failure } from '../design/confirm-action.tsx'
import { ErrorSummary } from '../design/error-summary.tsx'
import { explainPassword, Form, FormButtons, useForm } from '../design/form.tsx'
import { socialSetsQuery } from '../frame/social-sets.ts'
import { useViewerZone } from '../time/viewer.ts'
import { formatDate } from '../time/zones.ts'
import { AgentFields, type AgentValues, agentChecks, agentOf } from './api-keys-agent.tsx'
import { DEFAULT_DAYS, defaultLastDay, endOfDay, today } from './api-keys-expiry.ts'
import { SCOPES, scopeWords } from './api-keys-words.ts'

const NAME_LIMIT = LIMITS.nameCodePoints

interface KeyValues extends AgentValues {
  name: string
  /** What uses it. */
  user: 'program' | 'agent'
  scopes: Scope[]
  sets: 'all' | 'chosen'
  socialSetIds: string[]
  expiry: 'default' | 'date' | 'never'
  /** Of the last day: `2027-03-01`. */
  date: string
}

/** What a key is, as the server takes it. */
export interface KeyFields {
  name: string
  scopes: Scope[]
  socialSetIds: string[] | null
  expiresAt: string | null
  /** Null: it is for a program. */
  agent: AgentOfKey | null
}

interface KeyFormProps {
  initial: KeyValues
  /** Offers the usual time besides a date and none. */
  isNew?: boolean
  submitLabel: string
  /** Sends it with the password. What it throws is reported in the form. */
  onSubmit: (fields: KeyFields, password: string) => Promise<void>
  onCancel: () => void
}

type FormValues = KeyValues & { password: string }

/** Asks what a key is called, what it may do, where and until when, and for the member's password. */
export function KeyForm({ initial, isNew = false, submitLabel, onSubmit, onCancel }: KeyFormProps) {
  const zone = useViewerZone()
  const expiryOf = ({ expiry, date, user }: KeyValues) =>
    expiry === 'never' ? null : endOfDay(expiry === 'default' ? defaultLastDay(zone, user) : date, zone)
  const form = useForm<FormValues>({
    initial: { ...initial, password: '' },
    summary: true,
    check: {
      name: nameProblem,
      dailyPostSets: (text, { user }) => (user === 'agent' ? agentChecks.dailyPostSets(text) : null),
      dailyMegabytes: (text, { user }) => (user === 'agent' ? agentChecks.dailyMegabytes(text) : null),
      socialSetIds: (ids, { sets }) => (sets === 'chosen' && ids.length === 0 ? t`Choose at least one brand.` : null),
      date: (date, values) => {
        if (values.expiry !== 'date') return null
        const expiresAt = expiryOf(values)
        if (expiresAt === null) return t`Enter the last day of the key.`
        // The last day that the key has may be over.
        const untouched = !isNew && date === initial.date
        return untouched || Date.parse(expiresAt) > Date.now() ? null : t`Choose a day in the future.`
      },
      password: (value) => (value === '' ? t`Enter your password.` : null),
    },
    async send({ password, ...values }) {
      const { name } = values
      const { scopes, agent } = values.user === 'agent' ? agentOf(values) : { scopes: values.scopes, agent: null }
      const socialSetIds = values.sets === 'all' ? null : values.socialSetIds
      await onSubmit({ name: name.trim(), scopes, socialSetIds, expiresAt: expiryOf(values), agent }, password)
    },
    explain: explainPassword,
  })

  return (
    <Form form={form} gap="lg">
      <ErrorSummary problems={form.problems} />
      <TextInput
        label={t`Name`}
        description={t`The program that uses the key, such as “Newsletter bot”. History shows this name.`}
        autoComplete="off"
        data-autofocus
        {...form.text('name')}
      />
      {isNew && <User user={form.values.user} onChange={(user) => form.set('user', user)} />}
      {form.values.user === 'agent' ? (
        <AgentFields
          may={form.values.may}
          onMay={(may) => form.set('may', may)}
          dailyPostSets={form.text('dailyPostSets')}
          dailyMegabytes={form.text('dailyMegabytes')}
        />
      ) : (
        <Scopes chosen={form.values.scopes} onChange={(scopes) => form.set('scopes', scopes)} />
      )}
      <SocialSets form={form} />
      <Expiry form={form} isNew={isNew} />
      <PasswordInput
        label={t`Your password`}
        description={t`Confirms that it is you.`}
        autoComplete="current-password"
        {...form.text('password')}
      />
      <Failure error={form.rest} />
      <FormButtons form={form} submit={submitLabel} onCancel={onCancel} />
    </Form>
  )
}

function nameProblem(name: string): string | null {
  const length = [...name.trim()].length
  if (length === 0) return t`Enter a name.`
  return length > NAME_LIMIT ? t`Shorten the name to ${NAME_LIMIT} characters.` : null
}

function User({ user, onChange }: { user: KeyValues['user']; onChange: (user: KeyValues['user']) => void }) {
  return (
    <Radio.Group label={t`For`} value={user} onChange={(value) => onChange(value as KeyValues['user'])}>
      <Stack gap="sm" mt="xs">
        <Radio value="program" label={t`A program`} description={t`Has the rights that you choose.`} />
        <Radio
          value="agent"
          label={t`An agent`}
          description={t`A program of a language model, such as Claude or Cursor. Has a budget for each day.`}
        />
      </Stack>
    </Radio.Group>
  )
}

function Scopes({ chosen, onChange }: { chosen: Scope[]; onChange: (scopes: Scope[]) => void }) {
  return (
    <Checkbox.Group
      label={t`Rights`}
      value={['read', ...chosen]}
      onChange={(values) => onChange(SCOPES.filter((scope) => values.includes(scope)))}
    >
      <Stack gap="sm" mt="xs">
        <Checkbox
          value="read"
          label={t`Read`}
          description={t`Every key can read the calendar of its brands.`}
          disabled
        />
        {SCOPES.map((scope) => (
          <Checkbox
            key={scope}
            value={scope}
            label={
              <>
                {i18n._(scopeWords[scope].title)} <Code fz="xs">{scope}</Code>
              </>
            }
            description={i18n._(scopeWords[scope].description)}
          />
        ))}
      </Stack>
    </Checkbox.Group>
  )
}

interface PartProps {
  form: ReturnType<typeof useForm<FormValues>>
}

function SocialSets({ form }: PartProps) {
  const { values, set: change } = form
  const restricted = useSession().socialSetIds !== null
  const { data: sets = [] } = useQuery(socialSetsQuery)
  return (
    <Stack gap="xs">
      <Radio.Group
        label={t`Brands`}
        value={values.sets}
        onChange={(value) => change('sets', value === 'all' ? 'all' : 'chosen')}
      >
        <Stack gap="sm" mt="xs">
          <Radio
            value="all"
            label={t`All, including future ones`}
            disabled={restricted}
            description={restricted ? t`You can see some brands only, and so can your keys.` : undefined}
          />
          <Radio id={form.idOf('socialSetIds')} value="chosen" label={t`Only the chosen ones`} />
        </Stack>
      </Radio.Group>
      {values.sets === 'chosen' && (
        <Checkbox.Group aria-label={t`Chosen brands`} {...form.choice('socialSetIds')} ps={30}>
          <ScrollArea.Autosize mah={180}>
            <Stack gap="xs" py={2}>
              {sets.map((set) => (
                <Checkbox key={set.id} value={set.id} label={set.name} />
              ))}
            </Stack>
          </ScrollArea.Autosize>
        </Checkbox.Group>
      )}
    </Stack>
  )
}

function Expiry({ form, isNew }: PartProps & { isNew: boolean }) {
  const { values } = form
  const zone = useViewerZone()
  const preferences = usePreferences()
  const usual = endOfDay(defaultLastDay(zone, values.user), zone) ?? ''
  const days = DEFAULT_DAYS[values.user]
  const lastDay = formatDate(usual, zone, preferences)
  return (
    <Stack gap="xs">
      <Radio.Group
        label={t`Expires`}
        value={values.expiry}
        onChange={(expiry) => form.set('expiry', expiry as KeyValues['expiry'])}
      >
        <Stack gap="sm" mt="xs">
          {isNew && <Radio value="default" label={t`In ${days} days, on ${lastDay}`} />}
          <Radio value="date" label={t`On a date`} />
          <Radio value="never" label={t`Never`} />
        </Stack>
      </Radio.Group>
      {values.expiry === 'date' && (
        <TextInput
          type="date"
          label={t`Last day`}
          min={today(zone)}
          max="2100-12-31"
          {...form.text('date')}
          ps={30}
          maw={240}
        />
      )}
      {values.expiry === 'never' && (
        <Text size="sm" c="dimmed" ps={30}>
          <Trans>A key that never expires works until someone disables or revokes it.</Trans>
        </Text>
      )}
    </Stack>
  )
}
