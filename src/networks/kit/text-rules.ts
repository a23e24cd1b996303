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

/**
 * Web addresses of a text, each once, as they stand there: without the punctuation of the sentence around them, and not
 * running on into words of languages that are written without spaces.
 */
export const linksIn = (text: string): string[] => [...new Set([...text.matchAll(LINK)].map(([link]) => trimmed(link)))]

const LINK =
  /https?:\/\/[^\s<>"'`*…\u3000-\u303f\uff00-\uffef\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]+/giu

/** A closing bracket belongs to the address when the address has opened it. */
function trimmed(link: string): string {
  const counts = new Map<string, number>()
  for (const [bracket] of link.matchAll(/[()[\]{}]/g)) counts.set(bracket, (counts.get(bracket) ?? 0) + 1)
  const count = (bracket: string) => counts.get(bracket) ?? 0
  let end = link.length
  for (; end > 0; end--) {
    const last = link.charAt(end - 1)
    const opening = { ')': '(', ']': '[', '}': '{' }[last]
    const unopened = opening !== undefined && count(last) > count(opening)
    if (!unopened && !/[.,;:!?]/.test(last)) break
    // Taken off, it no longer counts.
    if (opening !== undefined) counts.set(last, count(last) - 1)
  }
  return link.slice(0, end)
}
