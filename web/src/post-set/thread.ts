// The further parts of a post while they are written: each is published as a reply to the one before.
import type { DraftPart } from './draft-shape.ts'
import { shortened } from './shorten.ts'

/** Three line breaks end a part; two are a paragraph. */
const BETWEEN = /\s*\n[^\S\n]*\n[^\S\n]*\n\s*/

export const newPart = (caption = ''): DraftPart => ({ uid: crypto.randomUUID(), id: null, caption, media: [] })

/** The texts of parts that are written as one, the first one first. An end that is still empty is a part too. */
export const splitText = (text: string): [string, ...string[]] => {
  const [first = '', ...rest] = text.split(BETWEEN)
  return [first, ...rest]
}

/**
 * A text that is too long for one part, as several: each ends with a sentence where there is one.
 *
 * @param limit UTF-16 code units that every network counts as no more than it takes
 */
export function splitLong(text: string, limit: number): [string, ...string[]] {
  const whole = text.trim()
  if (whole.length <= limit) return [whole]
  // The sign for the rest is for texts that end there.
  const first = shortened(whole, limit).replace(/…$/, '').trimEnd()
  if (first === '') return [whole]
  return [first, ...splitLong(whole.slice(first.length), limit)]
}

/** Room for ` (24/25)` behind each part. */
const NUMBER_ROOM = 8
const NUMBER = /\s*\(\d{1,2}\/\d{1,2}\)$/

/** The same, with room for numbers: nothing is cut of what fits as it is. */
export const splitToFit = (text: string, limit: number): [string, ...string[]] =>
  text.trim().length <= limit ? [text] : splitLong(text, limit - NUMBER_ROOM)

/** Whether each text of a thread, where there is any, ends with its number. */
export const areNumbered = (texts: readonly string[]): boolean => {
  const written = texts.filter((text) => text.trim() !== '')
  return written.length > 0 && written.every((text) => NUMBER.test(text))
}

/** The texts of a thread with `(1/5)` at their ends, and without. One that says nothing gets none. */
export const withNumbers = (texts: readonly string[]): string[] =>
  withoutNumbers(texts).map((text, at) => (text.trim() === '' ? text : `${text} (${at + 1}/${texts.length})`))
export const withoutNumbers = (texts: readonly string[]): string[] => texts.map((text) => text.replace(NUMBER, ''))

/**
 * Parts of a thread whose texts that are too long were split: files stay with the beginning of their text. The first part is the post.
 *
 * @param limits of each text, as `splitLong` takes them
 */
export function splitParts(
  caption: string,
  parts: readonly DraftPart[],
  limits: readonly number[],
  most: number,
): { caption: string; parts: readonly DraftPart[] } {
  const split = [caption, ...parts.map((part) => part.caption)].map((text, at) =>
    splitToFit(text, limits[at] ?? Number.POSITIVE_INFINITY),
  )
  const all = split.flatMap((texts, at) => {
    const part = parts[at - 1]
    return texts.map((text, nth) => (nth === 0 && part ? { ...part, caption: text } : newPart(text)))
  })
  const [first, ...rest] = all
  return rest.length > most ? { caption, parts } : { caption: first?.caption ?? '', parts: rest }
}

/** At most so many texts: what is left over is in the last one, where its length is a problem that is seen. */
export const atMost = (texts: readonly string[], most: number): string[] =>
  texts.length <= most ? [...texts] : [...texts.slice(0, most - 1), texts.slice(most - 1).reduce(joined)]

/** Parts after the text of one of them was changed: `null` is the post itself. Three line breaks in it make further parts. */
export function withText(
  parts: readonly DraftPart[],
  at: number | null,
  text: string,
): { own: string | null; parts: readonly DraftPart[]; added: DraftPart | null } {
  const [first, ...rest] = splitText(text)
  const added = rest.map((caption) => newPart(caption))
  const place = at === null ? 0 : at + 1
  const changed = parts.map((part, index) => (index === at ? { ...part, caption: first } : part))
  const all = [...changed.slice(0, place), ...added, ...changed.slice(place)]
  return { own: at === null ? first : null, parts: all, added: added.at(-1) ?? null }
}

/** A text and the one behind it as one. */
export const joined = (one: string, other: string): string =>
  [one.trimEnd(), other.trimStart()].filter((text) => text !== '').join('\n\n')
