import type { RichCaptionSegment } from '#contract'
import type { PostToCheck } from '../network.ts'

/**
 * The text of a post as LinkedIn reads it ("little text"): some characters stand for something and need a backslash to
 * stand for themselves. One that lacks it cuts the text off there, without an error.
 * https://learn.microsoft.com/en-us/linkedin/marketing/community-management/shares/little-text-format (read 2026-11-21)
 */

/** A mention in a rich caption. */
export interface Mention {
  /** What is shown: the account's name, without an @ in front. */
  text: string
  /** Null for an id that names neither an organization nor a person. */
  urn: string | null
  name: string
}

const ORGANIZATION = /^urn:li:organization:\d{1,20}$/
const PERSON = /^urn:li:person:[\w-]{1,64}$/

/** Pieces of the caption in order. Segments that do not add up to the caption are not the caption's. */
export function piecesOf({ caption, fields }: Pick<PostToCheck, 'caption' | 'fields'>): (string | Mention)[] {
  const segments = Array.isArray(fields.richCaption) ? (fields.richCaption as RichCaptionSegment[]) : []
  const joined = segments.map((segment) => (typeof segment === 'string' ? segment : segment.text)).join('')
  if (joined !== caption) return [caption]
  return segments.map((segment) => {
    if (typeof segment === 'string') return segment
    const { text, mention } = segment
    if (!mention) return text
    return { text: text.replace(/^@/, ''), urn: urnOf(mention.id), name: mention.name }
  })
}

/** A bare number is that of an organization, as people find it in the address of its page. */
function urnOf(id: string): string | null {
  const urn = /^\d{1,20}$/.test(id) ? `urn:li:organization:${id}` : id
  return ORGANIZATION.test(urn) || PERSON.test(urn) ? urn : null
}

/** The caption as `commentary`: mentions and hashtags work, everything else is what it looks like. */
export function commentaryOf(post: Pick<PostToCheck, 'caption' | 'fields'>): string {
  return piecesOf(post)
    .map((piece) => {
      if (typeof piece === 'string') return littleText(piece)
      return piece.urn === null ? littleText(piece.text) : `@[${escaped(piece.text)}](${piece.urn})`
    })
    .join('')
}

const escaped = (text: string) => text.replace(/[\\|{}@[\]()<>#*_~]/g, '\\$&')

/** Addresses, in which # is no hashtag; and words behind a # that hold a letter. */
const TOKENS = /(?<address>https?:\/\/\S+)|(?<![\p{L}\p{N}_&/#])#(?=[\p{N}_]*\p{L})(?<tag>[\p{L}\p{M}\p{N}_]+)/gu

function littleText(text: string): string {
  let written = ''
  let at = 0
  for (const match of text.matchAll(TOKENS)) {
    const { address, tag } = match.groups ?? {}
    written += escaped(text.slice(at, match.index)) + (tag === undefined ? escaped(address ?? '') : `#${escaped(tag)}`)
    at = match.index + match[0].length
  }
  return written + escaped(text.slice(at))
}

/**
 * A commentary of the network as people see it, to compare texts: without escapes, hashtags and mentions as words, white
 * space and composed characters made equal.
 */
export function plainText(commentary: string): string {
  return commentary
    .replace(/\{hashtag\|\\?#\|((?:\\.|[^}\\])*)\}/gu, '#$1')
    .replace(/@\[((?:\\.|[^\]\\])*)\]\(urn:li:[^)]*\)/gu, '$1')
    .replace(/\\([\\|{}@[\]()<>#*_~])/g, '$1')
    .normalize('NFC')
    .replace(/\s+/g, ' ')
    .trim()
}
