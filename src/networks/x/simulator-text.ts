import { createHash } from 'node:crypto'
import { replaceLinks, weightedLength } from './count-text.ts'
import { limits } from './manifest.ts'
import type { SimulatedPost } from './simulator-posts.ts'
import { SNOWFLAKE_EPOCH } from './wire.ts'

/** What a listing has as the text of a post, and the whole of a long one. */
export function shownText(post: SimulatedPost) {
  const whole = shortened(post, post.text)
  if (weightedLength(post.text) <= limits.textLength.value) return { short: whole, long: null }
  const beginning = [...post.text].slice(0, 100).join('')
  return { short: shortened(post, `${beginning}… https://x.com/i/web/status/${post.id}`), long: whole }
}

/** A text as the network shows it: links shortened, characters escaped, with its media's link at the end. */
function shortened({ id, username, media }: SimulatedPost, written: string) {
  const urls: { url: string; expanded_url: string; media_key?: string }[] = []
  let text = replaceLinks(written.normalize('NFC').trim(), (link) => {
    const url = shortLink(`${id} ${urls.length} ${link}`)
    urls.push({ url, expanded_url: /^https?:\/\//i.test(link) ? link : `http://${link}` })
    return url
  })
  if (media.length > 0) {
    const url = shortLink(`${id} media`)
    text = `${text} ${url}`.trim()
    const kind = media[0]?.key.startsWith('3_') ? 'photo' : 'video'
    const expanded = `https://x.com/${username}/status/${id}/${kind}/1`
    urls.push(...media.map(({ key }) => ({ url, expanded_url: expanded, media_key: key })))
  }
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
  const withPlaces = urls.map((link) => {
    const start = [...text.slice(0, text.indexOf(link.url))].length
    return { start, end: start + link.url.length, ...link }
  })
  return { text: escaped, urls: withPlaces }
}

const shortLink = (seed: string) =>
  `https://t.co/${createHash('sha256').update(seed).digest('base64').replace(/[+/=]/g, '').slice(0, 10)}`

/** An id that carries the time and is larger than the one before it. */
export function snowflakeId(at: Date, before: string | undefined): string {
  const wanted = BigInt(at.getTime() - SNOWFLAKE_EPOCH) << 22n
  const last = BigInt(before ?? 0)
  return String(wanted > last ? wanted : last + 1n)
}
