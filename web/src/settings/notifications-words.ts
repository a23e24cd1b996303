import { msg, t } from '@lingui/core/macro'
import type { NewsCause, NewsChoice, NewsChoices } from '#contract'
import { translated } from '../language/translated.ts'

export const CAUSE_WORDS: Readonly<Record<NewsCause, string>> = translated({
  POST_FAILED: msg`Failed posts`,
  CONNECTION: msg`Accounts to reconnect`,
  REVIEW_REQUESTED: msg`Posts that wait for your approval`,
  DECIDED: msg`Approvals and requests for changes`,
  COMMENTED: msg`Comments and notes of guests`,
  MENTIONED: msg`Comments that mention you`,
  REVIEW_REMINDER: msg`Reminders of approvals`,
  STILL_WAITING: msg`Scheduled posts that are not approved`,
  IN_INBOX: msg`Posts in the inbox of a network, to be finished there`,
  CALENDAR_FAILING: msg`Calendars that cannot be read`,
  WEBHOOKS: msg`Webhooks that fail or end soon`,
  PLAN: msg`Plan and usage`,
})

export const CHOICE_WORDS: Readonly<Record<NewsChoice, string>> = translated({
  NONE: msg`Nothing`,
  BELL: msg`Bell`,
  DAILY: msg`Bell and daily summary`,
  MAIL: msg`Bell and mail`,
})

/** From nothing to most. */
export const CHOICES = Object.keys(CHOICE_WORDS) as NewsChoice[]

/** A cause as a row of the table, for all brands or for one. */
export interface CauseRow {
  cause: NewsCause
  /** Null: what is above it applies. */
  choice: NewsChoice | null
  /** What applies where nothing is chosen, in words. */
  otherwise: string
}

/** The rows for a brand; null: for all of them. */
export function rowsOf({ defaults, account, socialSets }: NewsChoices, brand: string | null): CauseRow[] {
  const ofAccount = new Map(account.map(({ cause, choice }) => [cause, choice]))
  const usual = new Map(defaults.map(({ cause, choice, concerned }) => [cause, defaultWords(choice, concerned)]))
  if (brand === null) {
    return account.map(({ cause, choice }) => ({ cause, choice, otherwise: usual.get(cause) ?? '' }))
  }
  const chosen = socialSets.find(({ socialSetId }) => socialSetId === brand)?.choices ?? []
  return chosen.map(({ cause, choice }) => {
    const above = ofAccount.get(cause) ?? null
    return { cause, choice, otherwise: above === null ? (usual.get(cause) ?? '') : CHOICE_WORDS[above] }
  })
}

/** "Bell", or "Bell. If it concerns you: Bell and mail". */
function defaultWords(choice: NewsChoice, concerned: NewsChoice): string {
  const [usual, own] = [CHOICE_WORDS[choice], CHOICE_WORDS[concerned]]
  return choice === concerned ? usual : t`${usual}. If it concerns you: ${own}`
}
