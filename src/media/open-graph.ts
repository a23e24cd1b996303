import { html, parse, type DefaultTreeAdapterTypes as Tree } from 'parse5'
import { certainCharset, claimedCharset, likelyCharset, xmlCharset } from './page-charset.ts'

/** Runs in the thread of `page-program.ts`: the page is a stranger's, and what a parser takes for it is not bounded by its length. */

/** What a page says of itself, as far as it does. */
export interface PageFacts {
  title: string | null
  description: string | null
  /** As written: perhaps relative to `base`. The first that can be had is the one; no more than three. */
  images: string[]
  /** What addresses of the page are relative to, as written; null: to its own. */
  base: string | null
}

export interface Page {
  /** Its beginning at least. */
  bytes: Uint8Array
  /** What the header called its charset. */
  charset: string | null
}

/** Characters that are read of a value. */
const MAX_VALUE = 4_096
const MAX_IMAGES = 3

const TITLES = ['og:title', 'twitter:title']
const DESCRIPTIONS = ['og:description', 'twitter:description', 'description']
const IMAGES = ['og:image:secure_url', 'og:image', 'og:image:url', 'twitter:image', 'twitter:image:src']
const NAMES = new Set([...TITLES, ...DESCRIPTIONS, ...IMAGES])

/**
 * Reads Open Graph data (https://ogp.me, read 2026-11-23) or what stands in for them, wherever in a page they are: some sites send
 * them in its body.
 */
export function readPage({ bytes, charset }: Page): PageFacts {
  const page = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const look = (name: string) => lookThrough(new TextDecoder(name).decode(page))
  const certain = certainCharset(page, charset)
  if (certain !== null) return factsOf(look(certain))
  const guessed = xmlCharset(page) ?? likelyCharset(page)
  const said = look(guessed)
  return factsOf(said.charset === null || said.charset === guessed ? said : look(said.charset))
}

/** What is found in a page, or in those parts of it that are for browsers without scripts. */
interface Said {
  values: Map<string, string[]>
  title: string
  base: string | null
  /** The first that is known, by the name that decoders know it by. */
  charset: string | null
  withoutScripts: string[]
}

function lookThrough(text: string): Said {
  const said: Said = { values: new Map(), title: '', base: null, charset: null, withoutScripts: [] }
  // Not by calls: elements may stand in each other as deep as a page is long. What is in a template is not among the children.
  const waiting: Tree.Node[] = [parse(text)]
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if ('tagName' in node && node.namespaceURI === html.NS.HTML) note(node, said)
    if ('childNodes' in node)
      for (let at = node.childNodes.length - 1; at >= 0; at--) waiting.push(node.childNodes[at] as Tree.Node)
  }
  return said
}

function note(element: Tree.Element, said: Said): void {
  const attribute = (name: string) => element.attrs.find((each) => each.name === name)?.value
  switch (element.tagName) {
    case 'title':
      said.title ||= plain(textIn(element))
      break
    case 'base':
      said.base ??= attribute('href')?.trim() ?? null
      break
    case 'noscript':
      said.withoutScripts.push(textIn(element))
      break
    case 'meta': {
      const content = attribute('content')
      const isType = attribute('http-equiv')?.trim().toLowerCase() === 'content-type'
      const label = attribute('charset') ?? (isType && content !== undefined ? charsetIn(content) : null)
      if (label !== null) said.charset ??= claimedCharset(label)
      if (content === undefined) break
      const names = `${attribute('property') ?? ''} ${attribute('name') ?? ''}`.toLowerCase().split(/\s+/)
      // An empty one says nothing: another may.
      const value = plain(content)
      for (const name of names) if (NAMES.has(name) && value !== '') add(said.values, name, value)
    }
  }
}

function add(values: Said['values'], name: string, value: string): void {
  const known = values.get(name) ?? []
  if (known.length < MAX_IMAGES && !known.includes(value)) values.set(name, [...known, value])
}

const textIn = (element: Tree.Element): string =>
  element.childNodes.map((child) => ('value' in child ? child.value : '')).join('')

const charsetIn = (content: string): string | null => {
  const [, doubled, single, bare] = /charset\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s;"']+))/i.exec(content) ?? []
  return doubled ?? single ?? bare ?? null
}

function factsOf(said: Said): PageFacts {
  const all = (names: readonly string[]) => names.flatMap((each) => said.values.get(each) ?? [])
  const first = (names: readonly string[]) => all(names)[0] ?? null
  const facts = {
    title: first(TITLES) ?? (said.title || null),
    description: first(DESCRIPTIONS),
    images: [...new Set(all(IMAGES))].slice(0, MAX_IMAGES),
    base: said.base,
  }
  if (facts.title !== null || said.withoutScripts.length === 0) return facts
  const other = factsOf({ ...lookThrough(said.withoutScripts.join('')), withoutScripts: [] })
  return {
    title: other.title,
    description: facts.description ?? other.description,
    images: facts.images.length > 0 ? facts.images : other.images,
    base: facts.base ?? other.base,
  }
}

/** Text with one space where there were several, and without what is not shown. */
function plain(text: string): string {
  return text
    .slice(0, MAX_VALUE)
    .replace(/\s+/g, ' ')
    .replace(/[\p{Cc}\u00ad]/gu, '')
    .trim()
    .toWellFormed()
}
