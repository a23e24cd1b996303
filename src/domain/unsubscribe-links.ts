import { createHmac, timingSafeEqual } from 'node:crypto'
import { NEWS_CAUSES, type NewsCause } from '#contract'

/** Whose mails end, and about what. */
export interface Unsubscribing {
  /** `member` of the account, or `guest` of one of its shared calendars. */
  type: 'member' | 'guest'
  /** Of the user or the guest. */
  id: string
  accountId: string
  causes: readonly NewsCause[]
  /** Of the one that a member's mail was about, which its page names; absent where it was about several or none. */
  socialSetId?: string
}

const TYPES = { m: 'member', g: 'guest' } as const
const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/**
 * What a link in a mail carries so that it works without a sign-in: signed, and of use for nothing but ending these mails.
 *
 * @param keys of 32 bytes; the first signs
 */
export function unsubscribeToken(keys: readonly [Buffer, ...Buffer[]], wanted: Unsubscribing): string {
  const causes = NEWS_CAUSES.filter((cause) => wanted.causes.includes(cause))
  const { type, id, accountId, socialSetId } = wanted
  const about = socialSetId === undefined ? [] : [socialSetId]
  const text = [type === 'member' ? 'm' : 'g', id, accountId, causes.join('+'), ...about].join('.')
  return `${Buffer.from(text).toString('base64url')}.${signed(keys[0], text).toString('base64url')}`
}

/** What a token asks for; null when none of the keys has signed it. */
export function readUnsubscribeToken(keys: readonly Buffer[], token: string): Unsubscribing | null {
  if (token.length > 1_000) return null
  const [encoded = '', signature = '', ...rest] = token.split('.')
  if (rest.length > 0) return null
  const text = Buffer.from(encoded, 'base64url').toString()
  const given = Buffer.from(signature, 'base64url')
  const isOurs = keys.some((key) => {
    const expected = signed(key, text)
    return expected.length === given.length && timingSafeEqual(expected, given)
  })
  if (!isOurs) return null
  const [letter, id = '', accountId = '', names = '', socialSetId = ''] = text.split('.')
  const type = letter === 'm' || letter === 'g' ? TYPES[letter] : null
  const causes = NEWS_CAUSES.filter((cause) => names.split('+').includes(cause))
  if (!type || !ID.test(id) || !ID.test(accountId)) return null
  return { type, id, accountId, causes, ...(ID.test(socialSetId) ? { socialSetId } : {}) }
}

const signed = (key: Buffer, text: string) => createHmac('sha256', key).update(`unsubscribe ${text}`).digest()
