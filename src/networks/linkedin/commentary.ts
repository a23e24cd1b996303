import type { RichCaptionSegment } from '#contract'
import { comparable } from '../kit/lookup.ts'
import type { PostToCheck } from '../network.ts'

/**
 * The text of a post as LinkedIn reads it ("little text"): some characters stand for something and need a backslash to
 * stand for themselves. One that lacks it cuts the text off there, without an error.
 * https://learn.microsoft.com/en-us/linkedin/marketing/community-management/shares/little-text-format (read 2026-11-21)
 */

/**
 * A mention in a rich caption. What is shown is the account's name, without an @ in front; `urn` is null for an id that names
 * neither an organization nor a person.
 */
type Mention = { text: string; urn: string | null; name: string }

const ACCOUNT = /^urn:li:(organization:\d{1,20}|person:[\w-]{1,64})$/

/** Pieces of the caption in order. Segments that do not add up to the caption are not the caption's. */
export function piecesOf({ caption, fields }: Pick<PostToCheck, 'caption' | 'fields'>): (string | Mention)[] {
  const segments = Array.isArray(fields.richCaption) ? (fields.richCaption as RichCaptionSegment[]) : []
  const joined = segments.map((segment) => (typeof segment === 'string' ? segment : segment.text)).join('')
  if (joined !== caption) return [caption]
  return segments.map((segment) => {
    const { text, mention } = typeof segment === 'string' ? { text: segment, mention: null } : segment
    return mention ? { text: text.replace(/^@/, ''), urn: urnOf(mention.id), name: mention.name } : text
  })
}

/** A bare number is that of an organization, as people find it in the address of its page. */
function urnOf(id: string): string | null {
  const urn = /^\d{1,20}$/.test(id) ? `urn:li:organization:${id}` : id
  return ACCOUNT.test(urn) ? urn : null
}

/** The caption as `commentary`: mentions and hashtags work, everything else is what it looks like. */
export function commentaryOf(post: Pick<PostToCheck, 'caption' | 'fields'>): string {
  const written = piecesOf(post).map((piece) => {
    if (typeof piece === 'string') return littleText(piece)
    return piece.urn === null ? littleText(piece.text) : `@[${escaped(piece.text)}](${piece.urn})`
  })
  return written.join('')
}

const escaped = (text: string) => text.replace(/[\\|{}@[\]()<>#*_~]/g, '\\$&')

/** Addresses, in which # is no hashtag; words behind a # that hold a letter; and characters that stand for something. */
const TOKENS =
  /https?:\/\/\S+|(?<![\p{L}\p{N}_&/#])#(?=[\p{N}_]*\p{L})(?<tag>[\p{L}\p{M}\p{N}_]+)|[\\|{}@[\]()<>#*_~]/gu

const littleText = (text: string) =>
  text.replace(TOKENS, (token, tag?: string) => (tag === undefined ? escaped(token) : `#${escaped(tag)}`))

/**
 * A commentary of the network as people see it, to compare texts: without escapes, hashtags and mentions as words, white
 * space and composed characters made equal.
 */
export const plainText = (commentary: string): string =>
  comparable(
    commentary
      // Three times of what the network takes.
      .slice(0, 10_000)
      .replace(/\{hashtag\|\\?#\|((?:\\.|[^}\\])*)\}/gu, '#$1')
      .replace(/@\[((?:\\.|[^\]\\])*)\]\(urn:li:[^)]*\)/gu, '$1')
      .replace(/\\([\\|{}@[\]()<>#*_~])/g, '$1'),
  )
