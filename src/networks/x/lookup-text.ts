import { replaceLinks } from './count-text.ts'
import type { ListedPost } from './wire.ts'

/**
 * A text as it is compared: the network composes characters anew, cuts white space, and writes links in its own way. The
 * texts of two posts are the same when these are.
 */
export function comparable(text: string): string {
  return replaceLinks(text.normalize('NFC'), plainLink).replace(/\s+/g, ' ').trim()
}

/** The text of a listed post as its author wrote it: links in full, without those of its media, nothing escaped. */
export function writtenText({ text, links }: ListedPost): string {
  // The ampersand comes last: `&amp;lt;` is `&lt;`.
  const unescaped = text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
  return links.reduce((rest, { short, target, ofMedia }) => rest.replaceAll(short, ofMedia ? '' : target), unescaped)
}

/** `example.com/Path?a=b` of a link with or without `https://`, however its characters are written. */
function plainLink(link: string): string {
  const url = URL.parse(/^https?:\/\//i.test(link) ? link : `http://${link}`)
  if (!url) return link
  return url.host + (decoded(url.pathname) + decoded(url.search) + decoded(url.hash)).replace(/\/+$/, '')
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
