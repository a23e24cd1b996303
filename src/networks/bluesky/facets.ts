import { linkPlaces } from '#contract'
import { utf8Bytes } from '../kit/text.ts'
import type { Facet } from './state.ts'
import { endInApp, type SentText } from './text.ts'

/** Large, and needed by those alone who publish here. */
export const loadLibrary = () => import('@atproto/api')

const LINK = 'app.bsky.richtext.facet#link'

/**
 * The parts of a text that lead somewhere, in its order: links as they were found (`text.ts`), and tags, mentions and domains
 * without http in front as Bluesky's own library finds them. `did` of a mention is its handle still.
 */
export async function facetsOf({ text, links }: SentText): Promise<Facet[]> {
  const { RichText } = await loadLibrary()
  const rich = new RichText({ text })
  rich.detectFacetsWithoutResolution()
  const own = links.map(({ start, end, uri }): Facet => {
    const byteStart = utf8Bytes(text.slice(0, start))
    const index = { byteStart, byteEnd: byteStart + utf8Bytes(text.slice(start, end)) }
    return { index, features: [{ $type: LINK, uri }] }
  })
  const others = ((rich.facets ?? []) as Facet[]).flatMap(({ index: { byteStart, byteEnd }, features }) => {
    const { uri } = features[0] ?? {}
    const index = { byteStart, byteEnd }
    if (own.some((each) => overlap(each.index, index))) return []
    return uri === undefined ? [{ index, features }] : domainAt(index, uri)
  })
  return [...own, ...others].sort((one, other) => one.index.byteStart - other.index.byteStart)
}

const overlap = (one: Facet['index'], other: Facet['index']) =>
  one.byteStart < other.byteEnd && other.byteStart < one.byteEnd

/**
 * A link by a domain: where an address ends. The library takes all up to the next space; `example.com’s` is none, for no one
 * means a host of that name (https://github.com/bluesky-social/social-app/issues/6927, read 2026-11-29).
 */
function domainAt({ byteStart, byteEnd }: Facet['index'], found: string): Facet[] {
  const place = linkPlaces(found)[0]
  if (!place) return []
  const uri = found.slice(0, endInApp(found, place))
  if (!URL.canParse(uri) || /^['’ʼ]\p{L}/u.test(found.slice(uri.length))) return []
  const index = { byteStart, byteEnd: byteEnd - utf8Bytes(found.slice(uri.length)) }
  return [{ index, features: [{ $type: LINK, uri }] }]
}
