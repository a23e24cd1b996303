import type { AppBskyRichtextFacet } from '@atproto/api'

/** A part of a text that leads somewhere, by its bytes in UTF-8: a link, a tag or a mention. */
export interface Facet {
  index: { byteStart: number; byteEnd: number }
  features: Feature[]
}

export type Feature =
  | { $type: 'app.bsky.richtext.facet#link'; uri: string }
  | { $type: 'app.bsky.richtext.facet#tag'; tag: string }
  | { $type: 'app.bsky.richtext.facet#mention'; did: string }

/** Facets of a text as Bluesky's own app finds them. The `did` of a mention is still the handle as written. */
export async function detectFacets(text: string): Promise<Facet[]> {
  // Large, and needed by those alone who publish here.
  const { RichText } = await import('@atproto/api')
  const rich = new RichText({ text })
  rich.detectFacetsWithoutResolution()
  return (rich.facets ?? []).flatMap(({ index, features }) => {
    const kept = features.flatMap(readFeature)
    return kept.length === 0 ? [] : [{ index: { byteStart: index.byteStart, byteEnd: index.byteEnd }, features: kept }]
  })
}

/** The handles that facets mention, each once. */
export function mentionedHandles(facets: readonly Facet[]): string[] {
  const handles = facets.flatMap(({ features }) =>
    features.flatMap((feature) => (feature.$type === 'app.bsky.richtext.facet#mention' ? [feature.did] : [])),
  )
  return [...new Set(handles)]
}

/** Puts the accounts in for the handles. Mentions of handles that nobody has stay plain text. */
export function withAccounts(facets: readonly Facet[], accounts: ReadonlyMap<string, string>): Facet[] {
  return facets.flatMap(({ index, features }) => {
    const kept = features.flatMap((feature): Feature[] => {
      if (feature.$type !== 'app.bsky.richtext.facet#mention') return [feature]
      const did = accounts.get(feature.did)
      return did === undefined ? [] : [{ ...feature, did }]
    })
    return kept.length === 0 ? [] : [{ index, features: kept }]
  })
}

function readFeature(feature: AppBskyRichtextFacet.Main['features'][number]): Feature[] {
  switch (feature.$type) {
    case 'app.bsky.richtext.facet#link':
      // What looks like a link and is no address would make the server refuse the whole post.
      return 'uri' in feature && typeof feature.uri === 'string' && URL.canParse(feature.uri)
        ? [{ $type: 'app.bsky.richtext.facet#link', uri: feature.uri }]
        : []
    case 'app.bsky.richtext.facet#tag':
      return 'tag' in feature && typeof feature.tag === 'string'
        ? [{ $type: 'app.bsky.richtext.facet#tag', tag: feature.tag }]
        : []
    case 'app.bsky.richtext.facet#mention':
      return 'did' in feature && typeof feature.did === 'string'
        ? [{ $type: 'app.bsky.richtext.facet#mention', did: feature.did }]
        : []
    default:
      return []
  }
}
