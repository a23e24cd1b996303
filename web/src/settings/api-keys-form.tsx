import { Button, Checkbox, Code, Group, PasswordInput, Radio, ScrollArea, Stack, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import type { Scope } from '#contract'
import { usePreferences, useSession } from '../api/session.ts'
import { Failure } from '../design/confirm-action.tsx'
import { ErrorSummary, type FieldProblem } from '../design/error-summary.tsx'
import { passwordProblem } from '../design/error-text.ts'
import { socialSetsQuery } from '../shell/social-sets.ts'
import { useViewerZone } from '../time/viewer.ts'
import { formatDate } from '../time/zones.ts'
import { defaultLastDay, endOfDay, today } from './api-keys-expiry.ts'
import { SCOPES, scopeWords } from './api-keys-words.ts'

const NAME_LIMIT = 200

export interface KeyValues {
  name: string
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
}

interface KeyFormProps {
  initial: KeyValues
  /** Offers the usual time besides a date and none. */
  isNew?: boolean
  submitLabel: string
  /** Sends it with the password. What it throws is told in the form. */
  onSubmit: (fields: KeyFields, password: string) => Promise<void>
  onCancel: () => void
}

type Field = 'name' | 'socialSetIds' | 'date' | 'password'

/** Asks what a key is called, what it may do, where and until when, and for the member's password. */
export function KeyForm({ initial, isNew = false, submitLabel, onSubmit, onCancel }: KeyFormProps) {
  const zone = useViewerZone()
  const [values, setValues] = useState(initial)
  const [password, setPassword] = useState('')
  const [problems, setProblems] = useState<readonly FieldProblem[]>([])
  const [failure, setFailure] = useState<unknown>(null)
  const [busy, setBusy] = useState(false)
  const form = useId()
  const idOf = (field: Field) => `${form}-${field}`
  const errorOf = (field: Field) => problems.find((problem) => problem.field === idOf(field))?.message
  const change = (part: Partial<KeyValues>) => setValues((before) => ({ ...before, ...part }))

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setFailure(null)
    const lastDay = values.expiry === 'default' ? defaultLastDay(zone) : values.date
    const expiresAt = values.expiry === 'never' ? null : endOfDay(lastDay, zone)
    const wrong = problemsOf(values, { expiresAt, untouched: !isNew && values.date === initial.date }, password)
    setProblems(wrong.map(([field, message]) => ({ field: idOf(field), message })))
    if (wrong.length > 0) return
    setBusy(true)
    const { name, scopes } = values
    const socialSetIds = values.sets === 'all' ? null : values.socialSetIds
    try {
      await onSubmit({ name: name.trim(), scopes, socialSetIds, expiresAt }, password)
    } catch (error) {
      const why = passwordProblem(error)
      if (why) setProblems([{ field: idOf('password'), message: why }])
      else setFailure(error)
    } finally {
      setBusy(false)
    }
  }

  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <Stack gap="lg">
        <ErrorSummary problems={problems} />
        <TextInput
          id={idOf('name')}
          label="Name"
          description="What the program is that uses it, such as “Newsletter bot”. History shows this name."
          autoComplete="off"
          value={values.name}
          onChange={(event) => change({ name: event.currentTarget.value })}
          error={errorOf('name')}
          data-autofocus
        />
        <Scopes chosen={values.scopes} onChange={(scopes) => change({ scopes })} />
        <SocialSets id={idOf('socialSetIds')} values={values} onChange={change} error={errorOf('socialSetIds')} />
        <Expiry id={idOf('date')} values={values} onChange={change} isNew={isNew} error={errorOf('date')} />
        <PasswordInput
          id={idOf('password')}
          label="Your password"
          description="Confirms that it is you."
          autoComplete="current-password"
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
          error={errorOf('password')}
        />
        <Failure error={failure} />
        <Group justify="flex-end">
          <Button variant="default" disabled={busy} onClick={onCancel}>
            Cancel
          </Button>
          <Button type="submit" loading={busy}>
            {submitLabel}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

/** `untouched`: the last day is the one that the key has, which may be over. */
function problemsOf(
  values: KeyValues,
  { expiresAt, untouched }: { expiresAt: string | null; untouched: boolean },
  password: string,
): [Field, string][] {
  const problems: [Field, string][] = []
  const length = [...values.name.trim()].length
  if (length === 0) problems.push(['name', 'Enter a name.'])
  if (length > NAME_LIMIT) problems.push(['name', `Shorten the name: it has at most ${NAME_LIMIT} characters.`])
  if (values.sets === 'chosen' && values.socialSetIds.length === 0) {
    problems.push(['socialSetIds', 'Choose a social set at least.'])
  }
  if (values.expiry === 'date') {
    if (expiresAt === null) problems.push(['date', 'Enter the last day of the key.'])
    else if (!untouched && Date.parse(expiresAt) <= Date.now())
      problems.push(['date', 'Choose a day that is not over.'])
  }
  if (password === '') problems.push(['password', 'Enter your password.'])
  return problems
}

function Scopes({ chosen, onChange }: { chosen: Scope[]; onChange: (scopes: Scope[]) => void }) {
  return (
    <Checkbox.Group
      label="What it may do"
      value={['read', ...chosen]}
      onChange={(values) => onChange(SCOPES.filter((scope) => values.includes(scope)))}
    >
      <Stack gap="sm" mt="xs">
        <Checkbox
          value="read"
          label="Read"
          description="Every key reads what is on the calendar of its social sets."
          disabled
        />
        {SCOPES.map((scope) => (
          <Checkbox
            key={scope}
            value={scope}
            label={
              <>
                {scopeWords[scope].title} <Code fz="xs">{scope}</Code>
              </>
            }
            description={scopeWords[scope].description}
          />
        ))}
      </Stack>
    </Checkbox.Group>
  )
}

interface PartProps {
  id: string
  values: KeyValues
  onChange: (part: Partial<KeyValues>) => void
  error: string | undefined
}

function SocialSets({ id, values, onChange, error }: PartProps) {
  const restricted = useSession().socialSetIds !== null
  const { data: sets = [] } = useQuery(socialSetsQuery)
  return (
    <Stack gap="xs">
      <Radio.Group
        label="Social sets"
        value={values.sets}
        onChange={(value) => onChange({ sets: value === 'all' ? 'all' : 'chosen' })}
      >
        <Stack gap="sm" mt="xs">
          <Radio
            value="all"
            label="All, those that come later too"
            disabled={restricted}
            description={restricted ? 'You see some social sets only, and so do your keys.' : undefined}
          />
          <Radio id={id} value="chosen" label="Only those chosen here" />
        </Stack>
      </Radio.Group>
      {values.sets === 'chosen' && (
        <Checkbox.Group
          aria-label="Chosen social sets"
          value={values.socialSetIds}
          onChange={(socialSetIds) => onChange({ socialSetIds })}
          error={error}
          pl={30}
        >
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

function Expiry({ id, values, onChange, isNew, error }: PartProps & { isNew: boolean }) {
  const zone = useViewerZone()
  const preferences = usePreferences()
  const usual = endOfDay(defaultLastDay(zone), zone) ?? ''
  return (
    <Stack gap="xs">
      <Radio.Group
        label="Expires"
        value={values.expiry}
        onChange={(expiry) => onChange({ expiry: expiry as KeyValues['expiry'] })}
      >
        <Stack gap="sm" mt="xs">
          {isNew && <Radio value="default" label={`In 90 days, on ${formatDate(usual, zone, preferences)}`} />}
          <Radio value="date" label="On a date" />
          <Radio value="never" label="Never" />
        </Stack>
      </Radio.Group>
      {values.expiry === 'date' && (
        <TextInput
          id={id}
          type="date"
          label="Last day"
          min={today(zone)}
          max="2100-12-31"
          value={values.date}
          onChange={(event) => onChange({ date: event.currentTarget.value })}
          error={error}
          pl={30}
          maw={240}
        />
      )}
      {values.expiry === 'never' && (
        <Text size="sm" c="dimmed" pl={30}>
          A key that never expires stays open until somebody disables or revokes it.
        </Text>
      )}
    </Stack>
  )
}
