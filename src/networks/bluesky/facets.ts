import { retryFrom } from '../kit/outcomes.ts'
import type { Attempt, Retry } from '../network.ts'
import { readState } from './state.ts'
import { call, readDid } from './wire.ts'

/** A part of a text that leads somewhere, by its bytes in UTF-8: a link, a tag or a mention. */
export interface Facet {
  index: { byteStart: number; byteEnd: number }
  features: { $type: string; uri?: string; tag?: string; did?: string }[]
}

/** A mention whose account cannot be looked up after so many tries is sent as plain text. */
const MENTION_TRIES = 3

/** Finds the facets of the text as Bluesky's own app does, and the accounts behind mentions. Once: the record must not vary. */
export async function findFacets(attempt: Attempt): Promise<Retry | null> {
  if (readState(attempt.handles).facets) return null
  // Large, and needed by those alone who publish here.
  const { RichText } = await import('@atproto/api')
  const rich = new RichText({ text: attempt.post.caption })
  rich.detectFacetsWithoutResolution()
  const facets: Facet[] = []
  const accounts = new Map<string, string | null>()
  for (const { index, features } of (rich.facets ?? []) as Facet[]) {
    for (const { did: handle, ...feature } of features) {
      // What looks like a link and is no address would make the server refuse the whole post.
      if (feature.uri !== undefined && !URL.canParse(feature.uri)) continue
      if (handle !== undefined && !accounts.has(handle)) {
        const found = await accountOf(attempt, handle)
        if (found !== null && typeof found === 'object') return found
        accounts.set(handle, found)
      }
      const did = handle === undefined ? undefined : accounts.get(handle)
      const { byteStart, byteEnd } = index
      const kept = { ...feature, ...(did ? { did } : {}) }
      if (did !== null) facets.push({ index: { byteStart, byteEnd }, features: [kept] })
    }
  }
  await attempt.store({ facets })
  return null
}

/** Null for a handle that nobody has, which stays plain text. */
async function accountOf(attempt: Attempt, handle: string): Promise<string | null | Retry> {
  const asked = await call(attempt, 'com.atproto.identity.resolveHandle', {
    query: { handle },
    timeoutMs: 15_000,
    parse: readDid,
  })
  if (asked.kind === 'ok') return asked.value.did
  const status = asked.kind === 'refused' ? asked.answer.status : 0
  const faults = readState(attempt.handles).mentionFaults + 1
  if ((status >= 400 && status < 500 && status !== 429) || faults >= MENTION_TRIES) return null
  await attempt.store({ mentionFaults: faults })
  return retryFrom('prepare', asked.kind === 'failed' ? asked.message : `Bluesky could not look up @${handle}.`)
}
