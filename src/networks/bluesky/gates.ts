import type { Attempt } from '../network.ts'
import { AUDIENCES, GATE_RULES } from './manifest-gates.ts'

/** Records that say who may do what with a post. They stand under its key in collections of their own. */
export const THREADGATES = 'app.bsky.feed.threadgate'
export const POSTGATES = 'app.bsky.feed.postgate'

/** A record beside that of a post. */
interface Gate {
  collection: string
  record: object
}

/** The gates that a post wants, by its options. */
export function gatesOf({ account: { defaults } }: Pick<Attempt, 'account'>, post: string, createdAt: string): Gate[] {
  const { replyAudience: audience, allowQuotes } = defaults
  const gate = (collection: string, rules: object): Gate => ({
    collection,
    record: { $type: collection, post, createdAt, ...rules },
  })
  const allow = Array.isArray(audience)
    ? AUDIENCES.filter((each) => audience.includes(each)).map((each) => ({
        $type: `${THREADGATES}#${GATE_RULES[each]}`,
      }))
    : null
  return [
    ...(allow === null ? [] : [gate(THREADGATES, { allow })]),
    ...(allowQuotes === false ? [gate(POSTGATES, { embeddingRules: [{ $type: `${POSTGATES}#disableRule` }] })] : []),
  ]
}
