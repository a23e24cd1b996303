import type { Attempt, PostToCheck } from '../network.ts'
import { linksIn } from '../toolkit/text-rules.ts'
import { fieldsOf } from './fields.ts'

/**
 * A mention of a Page is written `@[id]` in the text and shown as the Page's name:
 * https://developers.facebook.com/docs/graph-api/reference/page/feed/ (read 2026-11-21). Apps need a review for it.
 */
interface Piece {
  text: string
  /** Id of the Page that is mentioned in place of the text. */
  mention: string | null
}

type Post = Pick<PostToCheck | Attempt['post'], 'caption' | 'fields'>

export const isPageId = (id: string): boolean => /^\d{1,30}$/.test(id)

function piecesOf({ caption, fields }: Post): Piece[] {
  const pieces = fieldsOf(fields).segments.map((segment): Piece => {
    if (typeof segment === 'string') return { text: segment, mention: null }
    const id = segment.mention?.id.trim() ?? ''
    return { text: segment.text, mention: isPageId(id) ? id : null }
  })
  // Segments that do not add up to the caption were refused before; the caption is what people see.
  const whole = pieces.map(({ text }) => text).join('') === caption
  return whole ? pieces : [{ text: caption, mention: null }]
}

/** The text as it is sent. */
export function messageOf(post: Post): string {
  return piecesOf(post)
    .map(({ text, mention }) => (mention === null ? text : `@[${mention}]`))
    .join('')
    .trim()
}

/** Addresses of the network itself, which it does not take as links (error 1609008). */
export const isOwn = ({ hostname }: URL): boolean => /(^|\.)(facebook\.com|fb\.com|fb\.me)$/i.test(hostname)

/**
 * The address that a post of text alone shows a preview of: one inside of the text is not looked up. The network does
 * not take addresses of its own.
 */
export function linkOf({ caption }: Post): string | null {
  return (
    linksIn(caption).find((link) => {
      const url = URL.parse(link)
      return url !== null && !isOwn(url)
    }) ?? null
  )
}

/**
 * Whether a text in a listing is the post's: white space may have changed, characters may be composed anew, and
 * mentions are shown as names.
 */
export function isMessageOf(post: Post, shown: string): boolean {
  const source = piecesOf(post)
    .map(({ text, mention }) => (mention === null ? patternOf(text) : '.{1,200}?'))
    .join('')
  return new RegExp(`^\\s*${source.replace(/^(\\s\+)+|(\\s\+)+$/g, '')}\\s*$`, 'su').test(shown.normalize('NFC'))
}

const patternOf = (text: string) =>
  text
    .normalize('NFC')
    .replace(/[.*+?^${}()|[\]\\]/g, (character) => `\\${character}`)
    .replace(/\s+/g, '\\s+')
