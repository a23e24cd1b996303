import { linksIn } from '../kit/text-rules.ts'
import type { Attempt, PostToCheck } from '../network.ts'
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
  return pieces.map(({ text }) => text).join('') === caption ? pieces : [{ text: caption, mention: null }]
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
  const urls = linksIn(caption).map((link) => ({ link, url: URL.parse(link) }))
  return urls.find(({ url }) => url !== null && !isOwn(url))?.link ?? null
}

/** Signs in the name of a Page at most, generously. */
const NAME_LENGTH = 200

/**
 * Whether a text in a listing may be the post's: white space may have changed, characters may be composed anew, and
 * mentions are shown as names. The words between mentions are looked for in order, each at the first place: where the
 * text fits at all it fits so, and the time does not grow with the number of mentions.
 */
export function isMessageOf(post: Post, shown: string): boolean {
  const text = plain(shown).trim()
  const words = wordsOf(post)
  const [head = '', ...others] = words
  const tail = others.pop()
  if (tail === undefined) return text === head
  if (!text.startsWith(head)) return false
  let end = head.length
  for (const each of others) {
    const at = text.indexOf(each, end + 1)
    if (at < 0) return false
    end = at + each.length
  }
  const names = text.length - words.join('').length
  return text.endsWith(tail) && text.length - tail.length > end && names <= NAME_LENGTH * (words.length - 1)
}

/** A text of nothing but mentions looks like many others. */
export function isOnlyMentions(post: Post): boolean {
  const words = wordsOf(post)
  return words.length > 1 && !/[\p{L}\p{N}]/u.test(words.join(''))
}

/** What stands before, between and behind the mentions: no text that is kept holds a NUL. */
function wordsOf(post: Post): string[] {
  const marked = piecesOf(post).map(({ text, mention }) => (mention === null ? text : '\0'))
  return plain(marked.join('')).trim().split('\0')
}

const plain = (text: string) => text.normalize('NFC').replace(/\s+/g, ' ')
