import { TOP_LEVEL_DOMAINS } from './top-level-domains.ts'

/**
 * What the network makes a link of in a text. The grammar is that of its own library, twitter-text 3.1.0, which has had no release since
 * 2020: a test compares both. Patterns read UTF-16 units, as the library does: hosts may have any letters, half characters too.
 */

/** A link, and where it is in UTF-16 units. Beside a host without `https://` there may be letters that are no part of it. */
export interface Link {
  url: string
  start: number
  end: number
}

const NEVER = '\\ufffe\\ufeff\\uffff'
const SPACES = '\\t-\\r \\x85\\xa0\\u1680\\u180e\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000'
/** Marks of the direction of writing. */
const DIRECTIONS = '\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069'
const PUNCTUATION = "!'#%&()*+,\\\\\\-./:;<=>?@[\\]^_{|}~$"
const LATIN =
  '\\xc0-\\xd6\\xd8-\\xf6\\xf8-\\u024f\\u0253\\u0254\\u0256\\u0257\\u0259\\u025b\\u0263\\u0268\\u026f\\u0272\\u0289\\u028b\\u02bb\\u0300-\\u036f\\u1e00-\\u1eff'
const CYRILLIC = '\\u0400-\\u04ff'

/** Before a link: neither a letter or digit, nor what begins a mention, hashtag or cashtag. */
const BEFORE = `[^a-z0-9@＠$#＃${NEVER}]|[${DIRECTIONS}]|^`

const notInHosts = `${PUNCTUATION}${SPACES}${NEVER}${DIRECTIONS}`
const LETTER = `[^${notInHosts}]`
/** Labels but the last of a host: what is between two letters may be a hyphen, and below the domain itself an underscore. */
const label = (between: string) => `${LETTER}(?:(?:${between}|${LETTER})*${LETTER})?\\.`
const known = TOP_LEVEL_DOMAINS.toSorted((a, b) => b.length - a.length).join('|')
const TOP = `(?:${known})(?=[^0-9a-z@+-]|$)|xn--[-0-9a-z]+`
const HOST = `(?:${label('[-_]')})*${label('-')}(?:${TOP})`

const inPath = `[a-z${CYRILLIC}0-9!*';:=+,.$/%#[\\]\\-\\u2013_~@|&${LATIN}]`
/** In parentheses, which may have others in them. */
const GROUP = `\\((?:${inPath}+|${inPath}*\\(${inPath}+\\)${inPath}*)\\)`
const PATH = `${inPath}*(?:${GROUP}${inPath}*)*[-+a-z${CYRILLIC}0-9=_#/${LATIN}]|${GROUP}|@${inPath}+/`
const QUERY = `[a-z0-9!?*'@();:&=+$/%#[\\]\\-_.,~|]*[a-z0-9\\-_&=#/]`

const grammar = `(?<before>${BEFORE})(?<url>(?<scheme>https?://)?(?<host>${HOST})(?::[0-9]+)?(?<path>/(?:${PATH})*)?(?:\\?${QUERY})?)`
const LINKS = new RegExp(grammar, 'gi')
const FIRST = new RegExp(grammar, 'i')

const asciiHosts = new RegExp(`(?:[-a-z0-9${LATIN}]+\\.)+(?:${TOP})`, 'gi')
const SHORTENED = new RegExp(`^https?://t\\.co/(?<slug>[a-z0-9]+)(?:\\?${QUERY})?`, 'i')

/** `$TICKER`, with at most six letters and two behind a dot. */
export const CASHTAGS = new RegExp(
  `(?:^|[${SPACES}])\\$(?<ticker>[a-z]{1,6}(?:[._][a-z]{1,2})?)(?=$|\\s|[${PUNCTUATION}])`,
  'gi',
)

const LONGEST_URL = 4_096
const LONGEST_SLUG = 40
const LONGEST_LABEL = 63

/** The links of a text, in their order. Time grows with the square of a word's length. */
export function linksIn(text: string): Link[] {
  if (!text.includes('.')) return []
  return [...text.matchAll(LINKS)].flatMap((match) => {
    const { before = '', url = '', scheme, host = '', path } = match.groups ?? {}
    const end = match.index + match[0].length
    const start = end - url.length
    if ((scheme ?? 'https://').length + url.length > LONGEST_URL || !isHost(host)) return []
    if (scheme) return withScheme(url, start)
    return /[-_./]$/.test(before) ? [] : withoutScheme({ url, start, end }, host, path !== undefined)
  })
}

/** The end of the first link, wherever it is, in whatever the grammar takes for one; 0 for none. */
export function endOfFirstLink(text: string): number {
  const found = FIRST.exec(text)
  return found ? found.index + found[0].length : 0
}

/** Addresses of the network's own shortener end with what is its. */
function withScheme(url: string, start: number): Link[] {
  const shortened = SHORTENED.exec(url)
  if (!shortened) return [{ url, start, end: start + url.length }]
  if ((shortened.groups?.slug ?? '').length > LONGEST_SLUG) return []
  return [{ url: shortened[0], start, end: start + shortened[0].length }]
}

/** Without `https://` only hosts of Latin letters are taken out of what looks like one; the last has the path. */
function withoutScheme({ url, start, end }: Link, host: string, hasPath: boolean): Link[] {
  let from = 0
  const links = [...host.matchAll(asciiHosts)].map(([found]) => {
    // The first place where the same letters are, as the library has it, though they may be no host there.
    const at = host.indexOf(found, from)
    from = at + found.length
    return { url: found, start: start + at, end: start + from }
  })
  const last = links.at(-1)
  if (last && hasPath) Object.assign(last, { url: `${last.url}${url.slice(host.length)}`, end })
  return links
}

/** Labels are as long as the names of hosts can have them, once they are written in ASCII. */
function isHost(host: string): boolean {
  if (host.startsWith('xn--') && host.search(asciiHosts) === -1) return false
  return host.split('.').every((each) => asciiLength(each) <= LONGEST_LABEL)
}

/** Its other stops, such as those of Chinese and Japanese, separate labels too, and yet the length is of all. */
function asciiLength(text: string): number {
  const labels = text.split(/[\u3002\uff0e\uff61]/)
  return labels.reduce((sum, each) => sum + (isAscii(each) ? each.length : 4 + punycodeLength(each)), labels.length - 1)
}

const isAscii = (text: string) => !/[^ -~]/.test(text)

/** How long a label is in Punycode (RFC 3492, 6.3), without its prefix. */
function punycodeLength(text: string): number {
  const points = Array.from(text, (character) => character.codePointAt(0) ?? 0)
  const ascii = points.filter((point) => point < 0x80).length
  let length = ascii + (ascii > 0 ? 1 : 0)
  let [next, delta, bias, done] = [0x80, 0, 72, ascii]
  while (done < points.length) {
    const least = Math.min(...points.filter((point) => point >= next))
    delta += (least - next) * (done + 1)
    for (const point of points) {
      if (point < least) delta += 1
      if (point !== least) continue
      length += digitsOf(delta, bias)
      bias = adapted(delta, done + 1, done === ascii)
      delta = 0
      done += 1
    }
    delta += 1
    next = least + 1
  }
  return length
}

const [BASE, LEAST, MOST, SKEW, DAMP] = [36, 1, 26, 38, 700]

function digitsOf(delta: number, bias: number): number {
  let digits = 1
  for (let [rest, place] = [delta, BASE]; ; place += BASE, digits += 1) {
    const threshold = Math.min(Math.max(place - bias, LEAST), MOST)
    if (rest < threshold) return digits
    rest = Math.floor((rest - threshold) / (BASE - threshold))
  }
}

function adapted(delta: number, points: number, first: boolean): number {
  let rest = Math.floor(delta / (first ? DAMP : 2))
  rest += Math.floor(rest / points)
  let bias = 0
  for (; rest > ((BASE - LEAST) * MOST) / 2; bias += BASE) rest = Math.floor(rest / (BASE - LEAST))
  return bias + Math.floor(((BASE - LEAST + 1) * rest) / (rest + SKEW))
}
