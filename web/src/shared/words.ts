// What posts are, in the words of a guest.
import { msg, plural, t } from '@lingui/core/macro'
import type { Decision, GuestCard, GuestOutcome, GuestPost } from '#contract'
import { networkName } from '../design/network-icon.tsx'
import { listOf } from '../design/words.ts'
import { wordsOfList, wordsOfOption } from '../language/server-words.ts'
import { translated } from '../language/translated.ts'
import { commentIn, fieldName, fieldValue } from '../planning/posts/field-words.ts'

/** What a post waits for or has become, for its color and its words. */
type PostState =
  | 'waiting'
  | 'changed'
  | 'approved'
  | 'changes-requested'
  | 'draft'
  | 'scheduled'
  | 'publishing'
  | GuestOutcome

type Known = Pick<GuestCard, 'waiting' | 'changed' | 'decision' | 'status' | 'outcome'>

/** That it waits for the guest comes before all others. */
export function stateOf({ waiting, changed, decision, status, outcome }: Known): PostState {
  if (waiting) return changed ? 'changed' : 'waiting'
  if (status === 'PUBLISHING' || status === 'PUBLISHED') return outcome ?? 'publishing'
  if (decision) return DECIDED[decision.decision]
  return status === 'DRAFT' ? 'draft' : 'scheduled'
}

/** What a post has become by a decision. */
export const DECIDED = {
  approve: 'approved',
  'request-changes': 'changes-requested',
} as const satisfies Record<Decision, PostState>

export const POST_STATES: Readonly<Record<PostState, string>> = translated({
  waiting: msg`Needs your answer`,
  changed: msg`Changed since you saw it`,
  approved: msg`Approved`,
  'changes-requested': msg`Changes requested`,
  draft: msg`Draft`,
  scheduled: msg`Scheduled`,
  publishing: msg`Publishing`,
  published: msg`Published`,
  'partly-published': msg`Partly published`,
  'in-inbox': msg`In the inbox of the app`,
  'not-finished': msg`Not finished`,
  failed: msg`Not published`,
})

/** Who decided what, as a sentence; null while no guest of the link has. */
export function decisionWords({ decision }: Pick<GuestCard, 'decision'>): string | null {
  if (!decision) return null
  const { by, mine } = decision
  if (decision.decision === 'approve') return mine ? t`You approved this.` : t`${isolated(by)} approved this.`
  return mine ? t`You requested changes.` : t`${isolated(by)} requested changes.`
}

/** A name or a text of someone, in a sentence that it must not turn round. */
export const isolated = (text: string) => `\u2068${text}\u2069`

/** "3 posts need you, the first by Friday" */
export function needWords(count: number, by: string | null): string {
  if (by === null) return plural(count, { one: '# post needs you', other: '# posts need you' })
  return plural(count, { one: `# post needs you by ${by}`, other: `# posts need you, the first by ${by}` })
}

/** "Instagram, Facebook and X" */
export const networksText = ({ accountTypes }: Pick<GuestCard, 'accountTypes'>) =>
  listOf([...new Set(accountTypes)].map(networkName))

/** In the order that they are shown in. The title is in the preview. */
const SHOWN = ['type', 'collaborators', 'firstComment', 'audioName', 'ctaType', 'ctaUrl', 'website', 'board', 'privacy']
/** Of these the values are words of the API, of the others texts of people. */
const CHOSEN: ReadonlySet<string> = new Set(['type', 'ctaType', 'privacy'])

/** What a post has besides texts and pictures that its preview shows: names and values in words. */
export function detailsOf(post: GuestPost): { name: string; value: string }[] {
  const fields = SHOWN.flatMap((field) => {
    const value = valueText(field === 'firstComment' ? commentIn(post) : post[field])
    if (value === '' || value === 'NONE') return []
    return [{ name: fieldName(field), value: CHOSEN.has(field) ? fieldValue(value) : value }]
  })
  return [...fields, ...optionsOf(post)]
}

/** What was chosen for the network, such as who may reply. */
function optionsOf({ accountType, options, optionTitles }: GuestPost): { name: string; value: string }[] {
  const given = (options ?? {}) as Readonly<Record<string, unknown>>
  return optionTitles.flatMap(({ name, title, titles }) => {
    // It is among the fields.
    if (name === 'firstComment') return []
    const words = wordsOfOption(accountType, { name, title, titles, description: '' })
    return [{ name: words.title, value: optionText(given[name], words.titles) }]
  })
}

function optionText(value: unknown, titles: Readonly<Record<string, string>> | null): string {
  if (typeof value === 'boolean') return value ? t`Yes` : t`No`
  if (Array.isArray(value)) return wordsOfList(value, titles)
  if (typeof value === 'string') return titles?.[value] ?? (/^[A-Z_]+$/.test(value) ? fieldValue(value) : value)
  return typeof value === 'number' ? String(value) : valueText(value)
}

function valueText(value: unknown): string {
  if (Array.isArray(value)) return value.filter((item) => typeof item === 'string').join(', ')
  if (typeof value === 'object' && value !== null && 'name' in value) return String(value.name)
  return typeof value === 'string' ? value : ''
}
