import { fittedImage } from '../kit/images.ts'
import { retryFrom, whilePreparing } from '../kit/outcomes.ts'
import { type Stop, stopAfter } from '../kit/pending.ts'
import { fittedVideo } from '../kit/videos.ts'
import { noteFormerWords } from '../kit/words.ts'
import type { Attempt, MediaSource, PrepareOutcome, Retry } from '../network.ts'
import { facetsOf } from './facets.ts'
import { LIMITS } from './manifest.ts'
import { errors } from './outcomes.ts'
import { isMoving } from './rules.ts'
import { type Card, choosePlace, type Facet, readState } from './state.ts'
import { sentText } from './text.ts'
import { partsOf } from './thread.ts'
import { UPLOAD_MS, uploadByService } from './video.ts'
import { call, readDid, readUploaded } from './wire.ts'

/** Everything that the records of a post and its further parts need. Nothing of it is visible. */
export async function prepare(attempt: Attempt): Promise<PrepareOutcome> {
  await choosePlace(attempt)
  for (const part of partsOf(attempt)) {
    const stop = (await findFacets(part)) ?? (await uploadMedia(part)) ?? (await makeCard(part))
    if (stop) return stop
  }
  return { kind: 'ready' }
}

/** A mention whose account cannot be looked up after so many tries is sent as plain text. */
const MENTION_TRIES = 3
/** People's pictures lie sideways there that are turned by Exif alone (bluesky-social/social-app, issue 10714, read 2026-11-29). */
const IMAGE_FORM = { mimeTypes: ['image/jpeg', 'image/png'], maxBytes: LIMITS.imageBytes.value, upright: true }

/** Finds the facets of the text, and the accounts behind mentions. Once: the record must not vary. */
async function findFacets(attempt: Attempt): Promise<Retry | null> {
  if (readState(attempt.handles).facets) {
    await noteFormerWords(attempt)
    return null
  }
  const facets: Facet[] = []
  const accounts = new Map<string, string | null>()
  for (const { index, features } of await facetsOf(sentText(attempt.post.caption))) {
    for (const { did: handle, ...feature } of features) {
      if (handle !== undefined && !accounts.has(handle)) {
        const found = await accountOf(attempt, handle)
        if (found !== null && typeof found === 'object') return found
        accounts.set(handle, found)
      }
      const did = handle === undefined ? undefined : accounts.get(handle)
      if (did === null) continue
      facets.push({ index, features: [did ? { ...feature, did } : feature] })
    }
  }
  await attempt.store({ facets, words: attempt.words })
  return null
}

/** Null for a handle that no one has, which stays plain text. */
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

/** Uploads what is not uploaded yet. Null when everything is there. */
async function uploadMedia(attempt: Attempt): Promise<Stop | null> {
  const { media } = attempt.post
  for (const item of media.slice(readState(attempt.handles).blobs.length)) {
    const upload = isMoving(item, media.length) ? uploadVideo : uploadToServer
    const stop = await upload(attempt, item.source)
    if (stop) return stop
  }
  return null
}

/**
 * By the video service, which has the video ready before the post is made. Only when it declines, straight to the account's
 * own server: such a video is converted when somebody looks, and of an animated GIF the first picture is sent.
 */
async function uploadVideo(attempt: Attempt, source: MediaSource): Promise<Stop | null> {
  let { declined } = readState(attempt.handles)
  if (declined === null) {
    const outcome = await uploadByService(attempt, source)
    if (outcome?.kind !== 'declined') return outcome
    declined = outcome.why
    await attempt.store({ declined, videoJob: null })
  }
  const stop = await uploadToServer(attempt, source)
  if (stop?.kind !== 'refused' || stop.reason !== 'UNKNOWN_MEDIA_ERROR') return stop
  return { ...stop, message: `${stop.message} The video service did not take the video before: ${declined}` }
}

/**
 * Straight to the server of the account: JPEG and PNG as they are while they fit and reveal nothing of where they were taken.
 * Blobs are known by their content, so a repeated upload is the same blob.
 */
async function uploadToServer(attempt: Attempt, source: MediaSource): Promise<Stop | null> {
  const file =
    source.facts.type === 'IMAGE'
      ? await fittedImage(source, IMAGE_FORM)
      : await fittedVideo(source, { mimeTypes: ['video/mp4'] })
  if ('kind' in file) return file
  const sent = await uploadBlob(attempt, { file: { source: file }, timeoutMs: UPLOAD_MS })
  if (sent.kind !== 'ok') return stopAfter(attempt, sent, errors)
  const { blob } = sent.value
  if (blob.size !== file.facts.bytes) {
    return retryFrom('prepare', 'Bluesky answered an upload in a way that could not be understood.')
  }
  await attempt.store({ blobs: [...readState(attempt.handles).blobs, blob] })
  return null
}

type Upload = Pick<Parameters<typeof call>[2], 'file' | 'body' | 'headers' | 'timeoutMs'>
const uploadBlob = (attempt: Attempt, upload: Upload) =>
  call(attempt, 'com.atproto.repo.uploadBlob', { ...upload, token: attempt.credentials.accessJwt, parse: readUploaded })

/** A card shows no more of its picture. */
const THUMB = { format: 'jpeg', maxBytes: LIMITS.thumbBytes.value, maxWidth: 1_200, maxHeight: 1_200 } as const
const THUMB_MS = 30_000

/**
 * The card of the first link of a post without media: servers make none by themselves. Looked for once and as well as it
 * goes: a page that cannot be read, or says nothing of itself, gives no card, and a picture that cannot be had a card without
 * one. Null unless the sign-in is over.
 */
async function makeCard(attempt: Attempt): Promise<Stop | null> {
  const { card, facets } = readState(attempt.handles)
  if (card !== null || attempt.post.media.length > 0) return null
  // Facets are in the order of the text.
  const uri = facets?.flatMap(({ features }) => features.flatMap((feature) => feature.uri ?? []))[0]
  const preview = uri === undefined ? null : await attempt.preview(uri, THUMB)
  if (uri === undefined || preview === null) {
    await attempt.store({ card: 'none' })
    return null
  }
  const { title, description, image } = preview
  const found: Card = { uri, title, description }
  if (image !== null) {
    const headers = { 'content-type': 'image/jpeg', 'content-length': String(image.length) }
    const sent = await uploadBlob(attempt, { body: image, headers, timeoutMs: THUMB_MS })
    const meaning = sent.kind === 'refused' ? errors.lookUp(sent.answer, attempt.now()).meaning : null
    if (meaning?.kind === 'reconnect') return whilePreparing(meaning)
    if (sent.kind === 'ok') found.thumb = sent.value.blob
  }
  await attempt.store({ card: found })
  return null
}
