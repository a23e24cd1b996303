import Type from 'typebox'
import type { Attempt, DefaultField } from '../network.ts'

/** Records that say who may do what with a post. They stand under its key in collections of their own. */
export const THREADGATES = 'app.bsky.feed.threadgate'
export const POSTGATES = 'app.bsky.feed.postgate'

/** https://github.com/bluesky-social/atproto/blob/main/lexicons/app/bsky/feed/threadgate.json (read 2026-11-30) */
const RULES = { MENTIONED: 'mentionRule', FOLLOWERS: 'followerRule', FOLLOWING: 'followingRule' } as const
const AUDIENCES = Object.keys(RULES) as (keyof typeof RULES)[]

export const gateOptions: readonly DefaultField[] = [
  {
    name: 'replyAudience',
    option: 'only',
    group: 'interaction',
    title: 'Who can reply',
    description: 'Everyone where nothing is chosen, no one where the list is empty. It holds for the whole thread.',
    schema: Type.Array(Type.Enum(AUDIENCES), { uniqueItems: true, maxItems: AUDIENCES.length }),
    titles: {
      ANY: 'Everyone',
      NONE: 'No one',
      MENTIONED: 'People who are mentioned',
      FOLLOWERS: 'People who follow the account',
      FOLLOWING: 'People whom the account follows',
    },
    required: false,
  },
  {
    name: 'allowQuotes',
    option: 'only',
    group: 'interaction',
    title: 'Others can quote it',
    description: 'Whether other people can show the post inside of theirs. They can where nothing is chosen.',
    schema: Type.Boolean(),
    required: false,
  },
]

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
    ? AUDIENCES.filter((each) => audience.includes(each)).map((each) => ({ $type: `${THREADGATES}#${RULES[each]}` }))
    : null
  return [
    ...(allow === null ? [] : [gate(THREADGATES, { allow })]),
    ...(allowQuotes === false ? [gate(POSTGATES, { embeddingRules: [{ $type: `${POSTGATES}#disableRule` }] })] : []),
  ]
}
