import * as LIMITS from './limits.ts'

/** Control characters, ends of lines, and those that turn the text behind them round. */
const UNPRINTABLE = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\u202a-\u202e\u2066-\u2069]/gu

/** What is not seen itself: soft hyphens, joiners, marks of direction, and the mark of byte order. */
const INVISIBLE = /[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g

/**
 * The rule of names that people and programs choose: one line of at most `LIMITS.nameCodePoints` code
 * points that is not empty, without characters that neither lists nor terminals should show. Marks of direction and
 * joiners are no such characters: names of right-to-left scripts and joined emoji need them.
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

/** A text of one line without the characters that neither lists nor terminals should show, and without halves of characters. */
export function withoutUnprintable(text: string): string {
  return text.replace(UNPRINTABLE, '')
}

/**
 * A text without characters that are not seen, for what a person types to be recognized by, such as a mail address or a handle:
 * chat programs and web pages put them around what is copied out of them. Not for texts and names, which need some of them.
 */
export function withoutInvisible(text: string): string {
  return text.replace(INVISIBLE, '')
}

/** Makes a name from elsewhere, such as the one in an address, fit the rule; empty when nothing of it does. */
export function cleanName(text: string): string {
  const plain = withoutUnprintable(text).trim()
  return [...plain.slice(0, 2 * LIMITS.nameCodePoints)].slice(0, LIMITS.nameCodePoints).join('').trim()
}
