import { createHash } from 'node:crypto'
import { replaceLinks, weightedLength } from './count-text.ts'
import { limits } from './manifest.ts'
import { SNOWFLAKE_EPOCH } from './wire.ts'

interface LinkEntity {
  start: number
  end: number
  url: string
  expanded_url: string
  display_url: string
  media_key?: string
}

/** A text as the network shows it: links shortened, characters escaped, with its media's link at the end. */
export interface ShownText {
  text: string
  urls: LinkEntity[]
}

export interface WrittenPost {
  id: string
  username: string
  text: string
  mediaKeys: readonly string[]
}

/** What a listing has as the text of a post, and the whole of a long one. */
export function shownText(post: WrittenPost): { short: ShownText; long: ShownText | null } {
  const whole = shortened(post, post.text)
  if (weightedLength(post.text) <= limits.textLength.value) return { short: whole, long: null }
  return {
    short: shortened(post, `${[...post.text].slice(0, 100).join('')}… https://x.com/i/web/status/${post.id}`),
    long: whole,
  }
}

function shortened({ id, username, mediaKeys }: WrittenPost, written: string): ShownText {
  const urls: Omit<LinkEntity, 'start' | 'end'>[] = []
  let text = replaceLinks(written.normalize('NFC').trim(), (link) => {
    const url = shortLink(`${id} ${urls.length} ${link}`)
    const full = /^https?:\/\//i.test(link) ? link : `http://${link}`
    urls.push({ url, expanded_url: full, display_url: full.replace(/^https?:\/\//i, '').slice(0, 30) })
    return url
  })
  if (mediaKeys.length > 0) {
    const url = shortLink(`${id} media`)
    text = text === '' ? url : `${text} ${url}`
    const kind = mediaKeys[0]?.startsWith('3_') ? 'photo' : 'video'
    for (const key of mediaKeys) {
      const expanded = `https://x.com/${username}/status/${id}/${kind}/1`
      urls.push({ url, expanded_url: expanded, display_url: `pic.x.com/${url.slice(-10)}`, media_key: key })
    }
  }
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
  const characters = (part: string) => [...part].length
  return {
    text: escaped,
    urls: urls.map((link) => {
      const start = characters(text.slice(0, text.indexOf(link.url)))
      return { start, end: start + characters(link.url), ...link }
    }),
  }
}

const shortLink = (seed: string) =>
  `https://t.co/${createHash('sha256').update(seed).digest('base64').replace(/[+/=]/g, '').slice(0, 10)}`

/** An id that carries the time and is larger than the one before it. */
export function snowflakeId(at: Date, before: string | undefined): string {
  const wanted = BigInt(at.getTime() - SNOWFLAKE_EPOCH) << 22n
  const last = BigInt(before ?? 0)
  return String(wanted > last ? wanted : last + 1n)
}
