import { msg, t } from '@lingui/core/macro'
import type { SharedCalendar, SharedCalendarState, SocialSet } from '#contract'
import { listOf } from '../design/words.ts'
import { translated } from '../language/translated.ts'

export type Shown = keyof SharedCalendar['shows']
export type Allowed = keyof SharedCalendar['allows']

/** What a link shows besides what waits for the client. */
export const SHOWN_WORDS: Readonly<Record<Shown, string>> = translated({
  scheduled: msg`Scheduled posts`,
  drafts: msg`Drafts`,
  published: msg`Published posts with their results`,
})
export const SHOWN = Object.keys(SHOWN_WORDS) as Shown[]

/** What guests may do besides looking. */
export const ALLOWED_WORDS: Readonly<Record<Allowed, string>> = translated({
  decide: msg`Approve and request changes`,
  comment: msg`Comment`,
  notes: msg`Add notes`,
  files: msg`Save documents as PDF files`,
})
export const ALLOWED = Object.keys(ALLOWED_WORDS) as Allowed[]

export const STATE_LOOKS: Readonly<Record<SharedCalendarState, { color: string; word: () => string }>> = {
  open: { color: 'green', word: () => t`Active` },
  expired: { color: 'yellow', word: () => t`Expired` },
  closed: { color: 'gray', word: () => t`Closed` },
}

/** "Shows: Posts that wait for the client · Drafts" */
export function showsWords({ shows }: Pick<SharedCalendar, 'shows'>): string {
  const shown = SHOWN.filter((each) => shows[each]).map((each) => SHOWN_WORDS[each])
  const list = [t`Posts that wait for the client`, ...shown].join(' · ')
  return t`Shows: ${list}`
}

/** "Guests may: Look · Comment" */
export function allowsWords({ allows }: Pick<SharedCalendar, 'allows'>): string {
  const allowed = ALLOWED.filter((each) => allows[each]).map((each) => ALLOWED_WORDS[each])
  const list = [t`Look`, ...allowed].join(' · ')
  return t`Guests may: ${list}`
}

/** The names of the brands that a link shows. */
export function brandsOf({ socialSetIds }: Pick<SharedCalendar, 'socialSetIds'>, sets: readonly SocialSet[]): string {
  return listOf(sets.filter(({ id }) => socialSetIds.includes(id)).map(({ name }) => name))
}
