/** What the head of a page says of it, as far as it does. */
export interface PageFacts {
  title: string | null
  description: string | null
  /** As written: perhaps relative to the page. */
  image: string | null
}

/** Tags that are read of a page, characters of one, and characters of a value. */
const MAX_TAGS = 500
const MAX_TAG = 8_192
const MAX_VALUE = 4_096

const TITLES = ['og:title', 'twitter:title']
const DESCRIPTIONS = ['og:description', 'twitter:description', 'description']
const IMAGES = ['og:image:secure_url', 'og:image', 'og:image:url', 'twitter:image', 'twitter:image:src']

/**
 * Reads Open Graph data (https://ogp.me, read 2026-11-23) or what stands in for them out of the head of a page. The page is
 * a stranger's: the work grows with its length alone, not with what is written in it.
 */
export function readPage(html: string): PageFacts {
  const values = new Map<string, string>()
  let title: string | null = null
  const tags = /<(meta|title|body|\/head)(?=[\s/>])/gi
  for (let count = 0; count < MAX_TAGS; count++) {
    const name = tags.exec(html)?.[1]?.toLowerCase()
    if (name === undefined || name === 'body' || name === '/head') break
    const start = tags.lastIndex
    if (name === 'title') {
      title ??= titleAt(html, start)
      continue
    }
    const attributes = attributesAt(html, start)
    const property = (attributes.get('property') ?? attributes.get('name') ?? '').toLowerCase()
    const content = attributes.get('content')
    if (content !== undefined && !values.has(property)) values.set(property, plain(content))
  }
  const first = (names: readonly string[]) => names.map((each) => values.get(each)).find(Boolean) ?? null
  return { title: first(TITLES) ?? (title || null), description: first(DESCRIPTIONS), image: first(IMAGES) }
}

/** The charset that the first bytes of a page name; UTF-8 when they name none. */
export function charsetOf(head: Buffer): string {
  const text = head.subarray(0, 2_048).toString('latin1')
  return /<meta[^<>]{0,200}charset=["']?([\w-]{2,40})/i.exec(text)?.[1] ?? 'utf-8'
}

function titleAt(html: string, start: number): string | null {
  const text = html.slice(start, start + MAX_VALUE)
  const [from, to] = [text.indexOf('>'), text.indexOf('</')]
  return from >= 0 && to > from ? plain(text.slice(from + 1, to)) : null
}

/** The attributes of a tag, from behind its name to its end. Of a repeated name the first. */
function attributesAt(html: string, start: number): Map<string, string> {
  const tag = html.slice(start, start + MAX_TAG)
  const found = new Map<string, string>()
  let at = 0
  const skip = (isSkipped: (letter: string) => boolean) => {
    const from = at
    while (at < tag.length && isSkipped(tag.charAt(at))) at++
    return tag.slice(from, at)
  }
  while (at < tag.length) {
    skip((letter) => /[\s/]/.test(letter))
    if (tag.charAt(at) === '>') break
    const name = skip((letter) => !/[\s/>=]/.test(letter)).toLowerCase()
    skip(isSpace)
    if (tag.charAt(at) !== '=') {
      if (name === '') at++
      continue
    }
    at++
    skip(isSpace)
    const quote = tag.charAt(at)
    let value: string
    if (quote === '"' || quote === "'") {
      at++
      value = skip((letter) => letter !== quote)
      at++
    } else {
      value = skip((letter) => !/[\s>]/.test(letter))
    }
    if (!found.has(name)) found.set(name, value)
  }
  return found
}

const isSpace = (letter: string) => /\s/.test(letter)

const NAMED: Readonly<Record<string, string>> = {
  ...{ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ', ndash: '–', mdash: '—', hellip: '…' },
  ...{ lsquo: '‘', rsquo: '’', ldquo: '“', rdquo: '”', laquo: '«', raquo: '»', middot: '·', shy: '' },
  ...{ auml: 'ä', ouml: 'ö', uuml: 'ü', Auml: 'Ä', Ouml: 'Ö', Uuml: 'Ü', szlig: 'ß', eacute: 'é', egrave: 'è' },
}

/** Text without character references, and with one space where there were several. */
function plain(text: string): string {
  return text
    .slice(0, MAX_VALUE)
    .replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,6}));/gi, (whole, decimal, hex, name) => {
      if (name !== undefined) return NAMED[name] ?? NAMED[String(name).toLowerCase()] ?? whole
      const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal)
      return code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff) ? String.fromCodePoint(code) : ''
    })
    .replace(/\s+/g, ' ')
    .trim()
    .toWellFormed()
}
