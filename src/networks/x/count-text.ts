import { createRequire } from 'node:module'
import { codePoints } from '../kit/text.ts'
import { CASHTAGS, endOfFirstLink, type Link, linksIn } from './links.ts'

/** Of the emoji that the network's own library knows. Loaded when it is needed. */
const emojiPattern = () =>
  (createRequire(import.meta.url)('twemoji-parser/dist/lib/regex') as { default: RegExp }).default

/** A link hardly ever is longer. */
const LONGEST_LINK = 2_048
/** No name of a host is longer (RFC 1035, 2.3.4). */
const LONGEST_HOST = 253

const SPACE = /(\s+)/

/**
 * Cuts a text into words and what is between them. Joined they are the text. The hosts of links are looked for in time that
 * grows with the square of a word's length, seconds for one of 60,000 characters; so longer words are cut, around the links in them.
 */
function wordsOf(text: string): string[] {
  return text.split(SPACE).flatMap((word) => {
    if (word.length <= LONGEST_HOST) return [word]
    if (!word.includes('.')) return cut(word, LONGEST_LINK)
    return word.split(/(?=https?:\/\/)/i).flatMap((part) => {
      const end = endOfLink(part)
      return [...(end === 0 ? [] : [part.slice(0, end)]), ...cut(part.slice(end), LONGEST_HOST)]
    })
  })
}

/** The end of the link that a part of a word begins with; 0 when it begins with none. */
function endOfLink(part: string): number {
  const [host = ''] = /^(?:https?:\/\/)?[^/?#:@]{1,253}(?=[/?#:])/i.exec(part) ?? []
  // Behind a host that is one, what is taken first ends with the link; else the whole part would be searched.
  if (linksIn(host).at(-1)?.end !== host.length) return 0
  return endOfFirstLink(part.slice(0, LONGEST_LINK))
}

/** Parts of at most so many UTF-16 units, cut between characters, and outside of hosts where there is such a place. */
function cut(text: string, most: number): string[] {
  const parts: string[] = []
  for (let at = 0; at < text.length; ) {
    let end = Math.min(at + most, text.length)
    if (end < text.length) {
      while (end > at + most - LOOK_BACK && belongTogether(text.slice(end - 1, end + 1))) end--
      if (end === at + most - LOOK_BACK) end = at + most - (/[\ud800-\udbff]/.test(text.charAt(at + most - 1)) ? 1 : 0)
    }
    parts.push(text.slice(at, end))
    at = end
  }
  return parts
}

const LOOK_BACK = 64
/** Two UTF-16 units of which one may belong to a host, a pair of surrogates or a composed character. */
const belongTogether = (units: string) => /[\w.\-\u200d\ud800-\udfff]/.test(units) || /\p{M}/u.test(units)

/** ASCII without stops: no link, no emoji, nothing that counts double. */
const PLAIN = /^[\n\x20-\x2d\x2f-\x7e]*$/

const LINK_LENGTH = 23
/** UTF-16 units of Latin and the scripts beside it, of spaces, and of some punctuation; all others count double. */
const SINGLE = /^[\0-\u10ff\u2000-\u200d\u2010-\u201f\u2032-\u2037]$/

/**
 * Length of a text as the network counts: https://docs.x.com/fundamentals/counting-characters (read 2026-11-21). What
 * comes after `enough` is counted by code points, which is cheap: then the number is not exact, and more than `enough`.
 */
export function weightedLength(text: string, enough = Number.POSITIVE_INFINITY): number {
  let length = 0
  // No link, emoji or composed character spans white space, so the words add up to the text.
  let before = ''
  for (const word of wordsOf(text)) {
    if (length > enough) length += codePoints(word)
    else length += PLAIN.test(word) ? word.length : lengthOf(word.normalize(), before)
    before = word
  }
  return length
}

/** The links of a word. What is before it can decide where the first one begins: space does not, and is one that none begins with. */
function linksOf(word: string, before: string): Link[] {
  if (!word.includes('.')) return []
  if (!SPACE.test(before)) return linksIn(word)
  return linksIn(` ${word}`).map(({ url, start, end }) => ({ url, start: start - 1, end: end - 1 }))
}

/** Links count as what they are shortened to, emoji as one character that counts double. */
function lengthOf(text: string, before: string): number {
  const emoji = /[^\0-\xa8]/.test(text) ? [...text.matchAll(emojiPattern())] : []
  const whole = new Map(emoji.map(({ 0: found, index }) => [index, { units: found.length, counts: 2 }]))
  for (const { url, start } of linksOf(text, before)) whole.set(start, { units: url.length, counts: LINK_LENGTH })
  let length = 0
  for (let at = 0; at < text.length; ) {
    const { units, counts } = whole.get(at) ?? characterAt(text, at)
    at += units
    length += counts
  }
  return length
}

const characterAt = (text: string, at: number) =>
  SINGLE.test(text.charAt(at)) ? ONE : (text.codePointAt(at) ?? 0) > 0xffff ? PAIR : DOUBLE
const ONE = { units: 1, counts: 1 }
const DOUBLE = { units: 1, counts: 2 }
const PAIR = { units: 2, counts: 2 }

/** `$TICKER`s of a text, without the `$`. */
export function cashtagsIn(text: string): string[] {
  return [...text.matchAll(CASHTAGS)].map(({ groups }) => groups?.ticker ?? '')
}

/** Whether a text holds a character that the network takes in no post (byte order marks, unassigned ones, half ones). */
export function hasInvalidCharacters(text: string): boolean {
  return !text.isWellFormed() || /[\ufffe\ufeff\uffff]/.test(text)
}

/** Replaces everything that the network makes a link of, also without `https://`. */
export function replaceLinks(text: string, replace: (link: string) => string): string {
  const replaced = wordsOf(text).map((word, nth, words) =>
    linksOf(word, words[nth - 1] ?? '').reduceRight(
      (rest, { url, start, end }) => rest.slice(0, start) + replace(url) + rest.slice(end),
      word,
    ),
  )
  return replaced.join('')
}
