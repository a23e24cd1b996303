import Type from 'typebox'
import type { DefaultField } from '../network.ts'

/** https://github.com/bluesky-social/atproto/blob/main/lexicons/app/bsky/feed/threadgate.json (read 2026-11-30) */
export const GATE_RULES = { MENTIONED: 'mentionRule', FOLLOWERS: 'followerRule', FOLLOWING: 'followingRule' } as const
export const AUDIENCES = Object.keys(GATE_RULES) as (keyof typeof GATE_RULES)[]

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
