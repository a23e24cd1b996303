import { linkPlaces } from '#contract'
import { graphemes, utf8Bytes } from '../kit/text.ts'
import { isFarTooLong } from '../kit/text-rules.ts'
import { LIMITS } from './manifest.ts'

/** A text as the network gets it. `links`: where they stand in it (UTF-16), and the whole addresses, in order. */
export interface SentText {
  text: string
  links: { start: number; end: number; uri: string }[]
}

/** The text that goes out: as it was written where that fits, else with its links shortened. */
export function sentText(caption: string): SentText {
  const links = linksOf(caption)
  return fits(caption) ? { text: caption, links } : shortened(caption, links)
}

/** What is counted: the app shortens the links of a text before it counts, so a text that fits so can be sent. */
export function countedText(caption: string): string {
  const { text } = shortened(caption, linksOf(caption))
  // Letters of some scripts become more when their address is cut.
  return fits(caption) && graphemes(caption) < graphemes(text) ? caption : text
}

function fits(text: string): boolean {
  const bytes = utf8Bytes(text)
  if (isFarTooLong(bytes, LIMITS.textBytes)) return false
  return bytes <= LIMITS.textBytes.value && graphemes(text) <= LIMITS.textGraphemes.value
}

/** Addresses with http in front. */
function linksOf(text: string): SentText['links'] {
  return linkPlaces(text).flatMap((place) => {
    const { start } = place
    const end = endInApp(text, place)
    const uri = text.slice(start, end)
    // What looks like a link and is no address would make the server refuse the whole post.
    return URL.canParse(uri) ? [{ start, end, uri }] : []
  })
}

/** What goes on right behind an address, up to a space or a mark of a sentence: words behind a slash, a dash, an emoji within a word. */
const BEHIND =
  /(?:(?<=\/)[\p{L}\p{N}]|(?<=[\p{L}\p{N}])\p{Pd}[\p{L}\p{N}]|\p{Extended_Pictographic}\ufe0f?[a-z\d])[^\s<>"`。、！？；：「」『』（）【】《》…“”„«»]*/uy
const SENTENCE = '.,;:!?)'

/**
 * Where an address ends for the app, which takes all up to the next space: with words right behind its path, where other networks would
 * end it; and one that holds an opening bracket keeps all closing ones behind it. Marks that close what was opened in front are none of it.
 */
export function endInApp(text: string, { start, end }: { start: number; end: number }): number {
  let last = end
  BEHIND.lastIndex = end
  if (text.slice(start + 'https://'.length, end).includes('/')) last += BEHIND.exec(text)?.[0].length ?? 0
  while (last > end && SENTENCE.includes(text.charAt(last - 1))) last--
  if (text.slice(start, last).includes('(')) while (text.charAt(last) === ')') last++
  return last
}

function shortened(text: string, links: SentText['links']): SentText {
  const sent: SentText = { text: '', links: [] }
  let read = 0
  for (const { start, end, uri } of links) {
    sent.text += text.slice(read, start)
    const from = sent.text.length
    sent.text += shownAddress(uri)
    sent.links.push({ start: from, end: sent.text.length, uri })
    read = end
  }
  sent.text += text.slice(read)
  return sent
}

/** More of an address behind its host is cut, to so many characters and three points. */
const [SHOWN, CUT] = [15, 13]

/**
 * An address as the app shows it, which counts what it shows: the host with its port, and behind it path, query and
 * fragment when they have at most 15 characters, else the first 13 of them and three points. A bare slash is left out.
 * https://github.com/bluesky-social/social-app/blob/main/src/lib/strings/url-helpers.ts, rich-text-manip.ts (read 2026-11-29)
 */
function shownAddress(uri: string): string {
  const { host, pathname, search, hash } = new URL(uri)
  const behind = `${pathname === '/' ? '' : pathname}${search}${hash}`
  const shown = host + (behind.length > SHOWN ? `${behind.slice(0, CUT)}...` : behind)
  // Hosts with other letters than ASCII have long names in it.
  return shown.length < uri.length ? shown : uri
}
