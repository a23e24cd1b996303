import { createRequire } from 'node:module'
import { codePoints } from '../kit/text.ts'

type TwitterText = Pick<
  typeof import('twitter-text'),
  'parseTweet' | 'extractCashtags' | 'extractUrlsWithIndices' | 'hasInvalidCharacters' | 'regexen'
>

let loaded: TwitterText | null = null

/** The vendor's own counting. Loading it takes 70 to 110 ms (Node 26, 2026-11-21), so it waits until it is needed. */
function library(): TwitterText {
  loaded ??= createRequire(import.meta.url)('twitter-text') as TwitterText
  return loaded
}

/** A link hardly ever is longer. */
const LONGEST_LINK = 2_048
/** No name of a host is longer (RFC 1035, 2.3.4). */
const LONGEST_HOST = 253

/**
 * Cuts a text into words and what is between them. Joined they are the text. The library looks for the hosts of links in
 * time that grows with the square of a word's length, 19 s for one of 60,000 characters; so longer words are cut, around
 * the links in them.
 */
function wordsOf(text: string): string[] {
  return text.split(/(\s+)/).flatMap((word) => {
    if (word.length <= LONGEST_HOST) return [word]
    if (!word.includes('.')) return cut(word, LONGEST_LINK)
    return word.split(/(?=https?:\/\/)/i).flatMap((part) => {
      const end = endOfLink(part)
      return [...(end === 0 ? [] : [part.slice(0, end)]), ...cut(part.slice(end), LONGEST_HOST)]
    })
  })
}

let link: RegExp | null = null

/** The end of the link that a part of a word begins with; 0 when it begins with none. */
function endOfLink(part: string): number {
  const [host = ''] = /^(?:https?:\/\/)?[^/?#:@]{1,253}(?=[/?#:])/i.exec(part) ?? []
  // Behind a host that is one, what the library takes first ends with the link; else it would search the whole part.
  if (library().extractUrlsWithIndices(host).at(-1)?.indices[1] !== host.length) return 0
  // A copy: the library's own remembers where it was.
  link ??= new RegExp(library().regexen.extractUrl, 'i')
  const found = link.exec(part.slice(0, LONGEST_LINK))
  return found ? found.index + found[0].length : 0
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

/**
 * Length of a text as the network counts: https://docs.x.com/fundamentals/counting-characters (read 2026-11-21). What
 * comes after `enough` is counted by code points, which is cheap: then the number is not exact, and more than `enough`.
 */
export function weightedLength(text: string, enough = Number.POSITIVE_INFINITY): number {
  let length = 0
  // No link, emoji or composed character spans white space, so the words add up to the text.
  for (const word of wordsOf(text)) {
    if (length > enough) length += codePoints(word)
    else length += PLAIN.test(word) ? word.length : library().parseTweet(word).weightedLength
  }
  return length
}

/** `$TICKER`s of a text, without the `$`. */
export function cashtagsIn(text: string): string[] {
  return library().extractCashtags(text)
}

/** Whether a text holds a character that the network takes in no post (byte order marks, unassigned ones, half ones). */
export function hasInvalidCharacters(text: string): boolean {
  return !text.isWellFormed() || library().hasInvalidCharacters(text)
}

/** Replaces everything that the network makes a link of, also without `https://`. */
export function replaceLinks(text: string, replace: (link: string) => string): string {
  const replaced = wordsOf(text).map((word) => {
    const links = word.includes('.') ? library().extractUrlsWithIndices(word) : []
    return links.reduceRight(
      (rest, { url, indices: [start, end] }) => rest.slice(0, start) + replace(url) + rest.slice(end),
      word,
    )
  })
  return replaced.join('')
}
