import * as LIMITS from './limits.ts'

/** Control characters, ends of lines, and those that turn the text behind them round. */
const UNPRINTABLE = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\u202a-\u202e\u2066-\u2069]/gu

/** What is not seen itself: soft hyphens, joiners, marks of direction, and the mark of byte order. */
const INVISIBLE = /[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g

/**
 * The rule for names that people and programs choose: one line of 1 to `LIMITS.nameCodePoints` code points, without
 * characters that neither lists nor terminals should show. Direction marks and joiners are allowed: right-to-left
 * names and joined emoji need them.
 *
 * @param name trimmed
 * @param what begins the sentence where there is none: `A person`
 * @returns a sentence; null when the name is good
 */
export function nameProblem(name: string, what: string): string | null {
  if (name.length > 2 * LIMITS.nameCodePoints || [...name].length > LIMITS.nameCodePoints) {
    return `A name has at most ${LIMITS.nameCodePoints} characters.`
  }
  if (name.trim() === '') return `${what} needs a name.`
  if (name.search(UNPRINTABLE) < 0) return null
  return 'A name must not have line breaks or invisible control characters. If you have pasted it, type it instead.'
}

/**
 * A one-line text without characters that neither lists nor terminals should show, and without half surrogate pairs.
 */
export function withoutUnprintable(text: string): string {
  return text.replace(UNPRINTABLE, '')
}

/**
 * A text without invisible characters, for what a person types to identify something, such as an email address or a
 * handle: chat programs and web pages add such characters to copied text. Not for texts and names, which need some
 * of them.
 */
export function withoutInvisible(text: string): string {
  return text.replace(INVISIBLE, '')
}

/** Makes a name from elsewhere, such as one in an address, fit the rule; empty if nothing of it does. */
export function cleanName(text: string): string {
  const plain = withoutUnprintable(text).trim()
  return [...plain.slice(0, 2 * LIMITS.nameCodePoints)].slice(0, LIMITS.nameCodePoints).join('').trim()
}
