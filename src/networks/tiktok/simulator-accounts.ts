/** What the owner of a demo account has set in the app, or what the network thinks of it. */
export interface AccountSettings {
  isPrivate: boolean
  /** What others may not do with its posts. */
  off: readonly SwitchedOff[]
  /** The longest video that it may post; null: the most that there is. */
  maxSeconds: number | null
  /** How the network answers whenever the account wants to post. */
  refusal: readonly [status: number, code: string, message: string] | null
}

export type SwitchedOff = 'comments' | 'duets' | 'stitches'

/** Some of these refusals come with HTTP 200. */
const REFUSALS: Readonly<Record<string, NonNullable<AccountSettings['refusal']>>> = {
  'too-many-posts': [200, 'spam_risk_too_many_posts', 'The user has posted too many times in the last 24 hours.'],
  banned: [200, 'spam_risk_user_banned_from_posting', 'The user is banned from making new posts.'],
  'too-many-users': [403, 'reached_active_user_cap', 'The daily quota of users of the client is reached.'],
}
const SWITCHES: readonly SwitchedOff[] = ['comments', 'duets', 'stitches']

/**
 * The settings that words in the name of a demo account ask for, and the name without them. The list is closed, and other words
 * are part of the name: `[[account:private]]`, `[[account:no-comments]]`, `[[account:no-duets]]`, `[[account:no-stitches]]`,
 * `[[account:10-seconds]]`, `[[account:too-many-posts]]`, `[[account:banned]]`, `[[account:too-many-users]]`.
 */
export function settingsIn(name: string): { name: string; settings: AccountSettings } {
  const words = new Set<string>()
  const rest = name.replace(/ ?\[\[account:([a-z0-9-]+)\]\]/g, (whole, word: string) => {
    if (!isKnown(word)) return whole
    words.add(word)
    return ''
  })
  const seconds = [...words].flatMap((word) => /^(\d+)-seconds$/.exec(word)?.[1] ?? []).at(0)
  return {
    name: rest.trim(),
    settings: {
      isPrivate: words.has('private'),
      off: SWITCHES.filter((what) => words.has(`no-${what}`)),
      maxSeconds: seconds === undefined ? null : Number(seconds),
      refusal: [...words].flatMap((word) => (REFUSALS[word] ? [REFUSALS[word]] : [])).at(0) ?? null,
    },
  }
}

const isKnown = (word: string) =>
  word === 'private' ||
  SWITCHES.some((what) => word === `no-${what}`) ||
  /^\d{1,3}-seconds$/.test(word) ||
  Object.hasOwn(REFUSALS, word)
