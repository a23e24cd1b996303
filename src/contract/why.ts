import Type from 'typebox'
import { closed } from './schema.ts'

/**
 * Why something is not done with a post now, and what to do: English by the id that the dashboard's catalogs have it under,
 * with values in braces.
 */
export const WHY_WORDS = {
  'why:not_sent': 'It has not been sent yet.',
  'why:publishing': 'It is being published.',
  'why:sending_again': 'It is being sent again already.',
  'why:published': 'It is published.',
  'why:may_be_live':
    'It may be live: the network never confirmed it. Look at the account, then make a copy of what failed if it is not there.',
  'why:not_connected': 'The account is not connected any more. Connect it, then retry.',
  'why:reconnect': 'The network wants you to sign in again. Reconnect the account, then retry.',
  'why:stopped': 'Publishing is stopped ({reason}). Resume it, then retry.',
  'why:being_asked': 'The network is being asked right now.',
  'why:being_sent': 'It is being sent right now.',
  'why:never_answered':
    'Almanac has asked as often as it makes sense, and the network never said. Look at the account.',
  'why:nothing_to_ask': 'There is nothing to ask the network about this post.',
  'why:has_been_published': 'It has been published.',
  'why:locked': 'It was locked by {name}.',
  'why:in_the_past': 'It would be in the past and be published at once.',
  'why:there_already': 'It is there already.',
  'why:draft_time_passed': 'Its time has passed meanwhile, so it came back as a draft.',
  'why:draft_accounts_changed': 'The accounts that it goes to have changed meanwhile, so it came back as a draft.',
  'why:draft_role': 'It came back as a draft: someone who may schedule has to schedule it again.',
  'why:draft_refused': 'It came back as a draft, because it could not be scheduled now. {reason}',
  'why:drafts_only': 'It is scheduled, and your role changes drafts only.',
} as const
type WhyCode = keyof typeof WHY_WORDS

/** A sentence for a person: its id, its values, and the English of both. */
export const Why = closed({
  code: Type.String({ description: 'One of `WHY_WORDS`, or the code of an error.' }),
  message: Type.String({ description: 'In English.' }),
  values: Type.Record(Type.String(), Type.String(), {
    description: 'Where an error is the reason, `reason` is its message and `code` its code.',
  }),
})
export type Why = Type.Static<typeof Why>

/** The sentence of a code, with its values filled in. */
export function why(code: WhyCode, values: Readonly<Record<string, string>> = {}): Why {
  const message = WHY_WORDS[code].replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '')
  return { code, message, values: { ...values } }
}
