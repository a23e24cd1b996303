import { t } from '@lingui/core/macro'
import { Checkbox, Radio, ScrollArea, Stack, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { SharedCalendar, SharedCalendarBody } from '#contract'
import * as LIMITS from '#contract/limits'
import { Failure } from '../design/confirm-action.tsx'
import { ErrorSummary } from '../design/error-summary.tsx'
import { Form, FormButtons, useForm } from '../design/form.tsx'
import { socialSetsQuery } from '../frame/social-sets.ts'
import { usePlanLacksApprovals } from '../planning/brands/plan-query.ts'
import { useViewerZone } from '../time/viewer.ts'
import { today } from './api-keys-expiry.ts'
import { ALLOWED, ALLOWED_WORDS, type Allowed, SHOWN, SHOWN_WORDS, type Shown } from './shared-calendars-words.ts'

const {
  nameCodePoints: NAME_LIMIT,
  passcode: { min: SHORTEST_PASSCODE, max: LONGEST_PASSCODE },
} = LIMITS.sharedCalendars

interface SharedCalendarValues {
  name: string
  socialSetIds: string[]
  shows: Shown[]
  allows: Allowed[]
  formal: boolean
  guard: 'none' | 'keep' | 'new'
  passcode: string
  ends: 'never' | 'date'
  lastDay: string
}

/** What a link is as the server takes it; without a passcode the present one stays. */
export type SharedCalendarFields = Omit<SharedCalendarBody, 'lastDay'> & { lastDay: string | null }

interface SharedCalendarFormProps {
  /** The link that is changed. */
  present?: SharedCalendar
  /** The brand that a new one is about; null: none is chosen yet. */
  socialSetId?: string | null
  submitLabel: string
  /** What it throws is shown in the form. */
  onSubmit: (fields: SharedCalendarFields) => Promise<void>
  onCancel: () => void
}

type SharedForm = ReturnType<typeof useForm<SharedCalendarValues>>

/** Asks what a link is called, what it shows to guests, what they may do, and how it is guarded. */
export function SharedCalendarForm({
  present,
  socialSetId = null,
  submitLabel,
  onSubmit,
  onCancel,
}: SharedCalendarFormProps) {
  const zone = useViewerZone()
  // Of a link that has it already, it may stay.
  const cannotDecide = usePlanLacksApprovals() && !present?.allows.decide
  const form: SharedForm = useForm<SharedCalendarValues>({
    initial: present ? valuesOf(present) : { ...NEW, socialSetIds: socialSetId === null ? [] : [socialSetId] },
    summary: true,
    check: {
      name: nameProblem,
      socialSetIds: (ids) => (ids.length === 0 ? t`Choose at least one brand.` : null),
      passcode: (passcode, { guard }) => (guard === 'new' ? passcodeProblem(passcode) : null),
      lastDay: (day, { ends }) => {
        if (ends === 'never') return null
        if (day === '') return t`Enter the last day.`
        return day === present?.lastDay || day >= today(zone) ? null : t`Choose a day that is not over.`
      },
    },
    async send({ name, socialSetIds, shows, allows, formal, guard, passcode, ends, lastDay }) {
      await onSubmit({
        name: name.trim(),
        socialSetIds,
        shows: {
          scheduled: shows.includes('scheduled'),
          drafts: shows.includes('drafts'),
          published: shows.includes('published'),
        },
        allows: {
          comment: allows.includes('comment'),
          decide: allows.includes('decide') && !cannotDecide,
          notes: allows.includes('notes'),
          files: allows.includes('files'),
        },
        formal,
        ...(guard === 'keep' ? {} : { passcode: guard === 'new' ? passcode : null }),
        lastDay: ends === 'date' ? lastDay : null,
      })
    },
  })
  return (
    <Form form={form} gap="lg">
      <ErrorSummary problems={form.problems} />
      <TextInput
        label={t`Name`}
        description={t`Your guests see it, such as “Autumn campaign”.`}
        autoComplete="off"
        data-autofocus
        {...form.text('name')}
      />
      <Brands form={form} />
      <Contents form={form} cannotDecide={cannotDecide} />
      <Checkbox
        label={t`Address guests formally`}
        description={t`In German, the page and its mails say “Sie” instead of “du”.`}
        checked={form.values.formal}
        onChange={({ currentTarget: { checked } }) => form.set('formal', checked)}
      />
      <Passcode form={form} has={present?.hasPasscode ?? false} />
      <End form={form} min={today(zone)} />
      <Failure error={form.rest} />
      <FormButtons form={form} submit={submitLabel} onCancel={onCancel} />
    </Form>
  )
}

const NEW: SharedCalendarValues = {
  name: '',
  socialSetIds: [],
  shows: ['scheduled', 'published'],
  allows: ['decide', 'comment', 'notes'],
  formal: false,
  guard: 'none',
  passcode: '',
  ends: 'never',
  lastDay: '',
}

function valuesOf({
  name,
  socialSetIds,
  shows,
  allows,
  formal,
  hasPasscode,
  lastDay,
}: SharedCalendar): SharedCalendarValues {
  return {
    name,
    socialSetIds,
    shows: SHOWN.filter((each) => shows[each]),
    allows: ALLOWED.filter((each) => allows[each]),
    formal,
    guard: hasPasscode ? 'keep' : 'none',
    passcode: '',
    ends: lastDay === null ? 'never' : 'date',
    lastDay: lastDay ?? '',
  }
}

function nameProblem(name: string): string | null {
  const length = [...name.trim()].length
  if (length === 0) return t`Enter a name.`
  return length > NAME_LIMIT ? t`Shorten the name to ${NAME_LIMIT} characters.` : null
}

function passcodeProblem(passcode: string): string | null {
  const { length } = passcode
  if (length < SHORTEST_PASSCODE) return t`Use at least ${SHORTEST_PASSCODE} characters.`
  return length > LONGEST_PASSCODE ? t`Use at most ${LONGEST_PASSCODE} characters.` : null
}

function Brands({ form }: { form: SharedForm }) {
  const { data: sets = [] } = useQuery(socialSetsQuery)
  return (
    <Checkbox.Group label={t`Brands`} {...form.choice('socialSetIds')}>
      <ScrollArea.Autosize mah={180} mt="xs">
        <Stack gap="xs" py={2}>
          {sets.map(({ id, name }, index) => (
            <Checkbox key={id} {...(index === 0 ? { id: form.idOf('socialSetIds') } : {})} value={id} label={name} />
          ))}
        </Stack>
      </ScrollArea.Autosize>
    </Checkbox.Group>
  )
}

function Contents({ form, cannotDecide }: { form: SharedForm; cannotDecide: boolean }) {
  const { shows, allows } = form.values
  return (
    <>
      <Checkbox.Group
        label={t`What it shows`}
        value={['waiting', ...shows]}
        onChange={(chosen) =>
          form.set(
            'shows',
            SHOWN.filter((each) => chosen.includes(each)),
          )
        }
      >
        <Stack gap="xs" mt="xs">
          <Checkbox value="waiting" label={t`Posts that wait for the client`} disabled />
          {SHOWN.map((each) => (
            <Checkbox key={each} value={each} label={SHOWN_WORDS[each]} />
          ))}
        </Stack>
      </Checkbox.Group>
      <Checkbox.Group
        label={t`What guests may do`}
        value={['look', ...(cannotDecide ? allows.filter((each) => each !== 'decide') : allows)]}
        onChange={(chosen) =>
          form.set(
            'allows',
            ALLOWED.filter((each) => chosen.includes(each)),
          )
        }
      >
        <Stack gap="xs" mt="xs">
          <Checkbox value="look" label={t`Look`} disabled />
          {ALLOWED.map((each) => (
            <Checkbox
              key={each}
              value={each}
              label={ALLOWED_WORDS[each]}
              {...(cannotDecide && each === 'decide'
                ? { disabled: true, description: t`The plan does not include approvals.` }
                : {})}
              {...(each === 'files' ? { description: t`A PDF file can say more than its pages show.` } : {})}
            />
          ))}
        </Stack>
      </Checkbox.Group>
    </>
  )
}

function Passcode({ form, has }: { form: SharedForm; has: boolean }) {
  const { guard } = form.values
  return (
    <Stack gap="xs">
      <Radio.Group
        label={t`Passcode`}
        value={guard}
        onChange={(chosen) => form.set('guard', chosen as SharedCalendarValues['guard'])}
      >
        <Stack gap="xs" mt="xs">
          <Radio value="none" label={t`No passcode`} />
          {has && <Radio value="keep" label={t`Keep the present one`} />}
          <Radio value="new" label={has ? t`Another one` : t`Ask guests for a passcode`} />
        </Stack>
      </Radio.Group>
      {guard === 'new' && (
        <TextInput
          label={has ? t`New passcode` : t`The passcode`}
          description={
            has
              ? t`At least 6 characters. Guests who are in have to enter it.`
              : t`At least 6 characters. Send it by another way than the link.`
          }
          autoComplete="off"
          spellCheck={false}
          {...form.text('passcode')}
          maw={420}
        />
      )}
    </Stack>
  )
}

function End({ form, min }: { form: SharedForm; min: string }) {
  const { ends } = form.values
  return (
    <Stack gap="xs">
      <Radio.Group
        label={t`Works until`}
        value={ends}
        onChange={(chosen) => form.set('ends', chosen === 'date' ? 'date' : 'never')}
      >
        <Stack gap="xs" mt="xs">
          <Radio value="never" label={t`No end date`} />
          <Radio value="date" label={t`A last day`} />
        </Stack>
      </Radio.Group>
      {ends === 'date' && (
        <TextInput type="date" label={t`Last day`} min={min} max="2100-12-31" {...form.text('lastDay')} maw={240} />
      )}
    </Stack>
  )
}
