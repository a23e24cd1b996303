import { linkPlaces } from '#contract'
import type { Finding, Limit } from '../network.ts'

/**
 * A text that is too long by a network's own counting. `what` and `network` make the sentence: "YouTube takes titles of
 * at most 100 characters; this one has 120. Shorten it by 20."
 */
export function tooLong(text: {
  network: string
  /** Plural: `captions`, `titles`, `alternative texts`. */
  what: string
  /** Plural, as the network counts: `characters`, `bytes`. Default: characters. */
  unit?: string
  code?: Finding['code']
  steps: Finding['steps']
  limit: Limit
  /** Counted as the limit counts. */
  actual: number
}): Finding[] {
  const { network, what, unit = 'characters', steps, actual } = text
  const limit = text.limit.value
  if (actual <= limit) return []
  const message = `${network} takes ${what} of at most ${limit} ${unit}; this one has ${actual}. Shorten it by ${actual - limit}.`
  return [{ code: text.code ?? 'post:caption_too_long', steps, limit, actual, message }]
}

/**
 * Whether a text is so much longer than its limit that this is all there is to say of it: counters that look into texts
 * are not asked, for their time grows with the text. `atLeast` is never more than what the network would count.
 */
export const isFarTooLong = (atLeast: number, limit: Limit): boolean => atLeast > 2 * limit.value

/** `#hashtags` of a text. */
export const hashtagsIn = (text: string): string[] => [...text.matchAll(/#[\p{L}\p{N}_]+/gu)].map(([tag]) => tag)

/** `@handles` of a text, not the hosts of mail addresses. */
export const mentionsIn = (text: string): string[] =>
  [...text.matchAll(/(?<![\p{L}\p{N}._])@[\w.]+/gu)].map(([handle]) => handle)

/** Web addresses of a text, each once, as they stand there: without the sentence around them. */
export const linksIn = (text: string): string[] => [
  ...new Set(linkPlaces(text).map(({ start, end }) => text.slice(start, end))),
]
