import { whilePreparing } from '../kit/outcomes.ts'
import type { Stop } from '../kit/pending.ts'
import type { Attempt, LinkPreview } from '../network.ts'
import { call } from './api.ts'
import type { Facet } from './facets.ts'
import { type Card, readState } from './handles.ts'
import { LIMITS } from './manifest.ts'
import { errors } from './outcomes.ts'
import { type Blob, readUploadedBlob } from './wire.ts'

/** A card shows no more of its picture. */
const THUMB_PIXELS = 1_200
const THUMB_MS = 30_000

/**
 * The card of the first link of a post without media: servers make none by themselves. Looked for once and as well as it
 * goes: a page that cannot be read, or says nothing of itself, gives no card, and a picture that cannot be had a card without
 * one. Null unless the sign-in is over.
 */
export async function makeCard(attempt: Attempt): Promise<Stop | null> {
  const { card, facets } = readState(attempt.handles)
  if (card !== null || attempt.post.media.length > 0) return null
  const uri = firstLink(facets ?? [])
  const preview = uri === null ? null : await attempt.preview(uri, thumbForm)
  if (uri === null || preview === null) {
    await attempt.store({ card: 'none' })
    return null
  }
  const thumb = await uploadThumb(attempt, preview)
  if (thumb !== null && 'kind' in thumb) return thumb
  const { title, description } = preview
  await attempt.store({ card: { uri, title, description, ...(thumb ? { thumb } : {}) } satisfies Card })
  return null
}

const thumbForm = {
  format: 'jpeg',
  maxBytes: LIMITS.thumbBytes.value,
  maxWidth: THUMB_PIXELS,
  maxHeight: THUMB_PIXELS,
} as const

/** By its place in the text. */
function firstLink(facets: readonly Facet[]): string | null {
  const links = [...facets]
    .sort((one, other) => one.index.byteStart - other.index.byteStart)
    .flatMap(({ features }) => features.flatMap((feature) => ('uri' in feature ? [feature.uri] : [])))
  return links[0] ?? null
}

async function uploadThumb(attempt: Attempt, { image }: LinkPreview): Promise<Blob | Stop | null> {
  if (image === null) return null
  const sent = await call(attempt, attempt.endpoint('pds'), 'com.atproto.repo.uploadBlob', {
    method: 'POST',
    token: attempt.credentials.accessJwt,
    body: image,
    headers: { 'content-type': 'image/jpeg', 'content-length': String(image.length) },
    timeoutMs: THUMB_MS,
    parse: readUploadedBlob,
  })
  if (sent.kind === 'ok') return sent.value.blob
  if (sent.kind === 'failed') return null
  const { meaning } = errors.lookUp(sent.answer, attempt.now())
  return meaning.kind === 'reconnect' ? whilePreparing(meaning) : null
}
