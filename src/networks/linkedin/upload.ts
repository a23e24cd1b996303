import { bareCall, bearer, type Call, type Called, type Fruitless } from '../kit/api.ts'
import { fittedImage } from '../kit/images.ts'
import type { Stop } from '../kit/pending.ts'
import type { Attempt, MediaSource } from '../network.ts'
import { limits } from './manifest.ts'
import { meaningOf, renew, stopFor } from './outcomes.ts'
import { readState, type VideoUnderWay } from './state.ts'
import { call, parseImageUpload, parsePart, parseVideoUpload } from './wire.ts'

/** Longest time for one request with bytes. */
const UPLOAD_MS = 10 * 60_000
/** A large video takes several turns, so that a slow line does not meet the limit of one (ten minutes). */
const PARTS_PER_TURN = 8
/** No part is begun so shortly before the addresses lapse. */
const EXPIRY_MARGIN_MS = 60_000
/** What LinkedIn answers to bytes for an upload that it does not know, or no longer. */
const LOST = [400, 403, 404, 410]

/**
 * Uploads one media item and gives its urn, or what stands in the way. An image that was interrupted begins anew, under a
 * new urn, and the old one is never seen by anybody. A video goes on with the next part, in another turn when it is large.
 */
export function upload(attempt: Attempt, source: MediaSource): Promise<string | Stop> {
  return source.facts.type === 'VIDEO' ? uploadVideo(attempt, source) : uploadImage(attempt, source)
}

/** An action of the APIs of images and videos. */
function act<T>(
  attempt: Attempt,
  at: 'images' | 'videos',
  action: string,
  ask: object,
  parse: (body: unknown) => T | undefined,
) {
  const json = { [`${action}Request`]: ask }
  return call(attempt, { method: 'POST', path: `rest/${at}`, query: { action }, json, timeoutMs: 60_000, parse })
}

/** https://learn.microsoft.com/en-us/linkedin/marketing/community-management/shares/images-api (read 2026-11-21) */
async function uploadImage(attempt: Attempt, source: MediaSource): Promise<string | Stop> {
  const file = await imageToSend(source)
  const ask = { owner: attempt.account.externalId }
  const begun = await act(attempt, 'images', 'initializeUpload', ask, parseImageUpload)
  if (begun.kind !== 'ok') return stopFor(attempt, begun)
  const { urn, url } = begun.value
  const sent = await put(attempt, url, { source: file }, () => urn)
  return sent.kind === 'ok' ? sent.value : stopFor(attempt, sent)
}

/** https://learn.microsoft.com/en-us/linkedin/marketing/community-management/shares/videos-api (read 2026-11-21) */
async function uploadVideo(attempt: Attempt, file: MediaSource): Promise<string | Stop> {
  const kept = readState(attempt.handles).video
  if (kept !== null && kept.bytes === file.facts.bytes) {
    if (!hasLapsed(attempt, kept)) return sendVideo(attempt, file, kept)
    return renew(attempt, 'The upload took longer than LinkedIn allows.')
  }
  const begun = await beginVideo(attempt, file.facts.bytes)
  if ('kind' in begun) return begun
  await attempt.store({ video: begun })
  return sendVideo(attempt, file, begun)
}

/** Only while bytes are missing: a file that is there is finished at any time. */
function hasLapsed(attempt: Attempt, { parts, names, expiresAt }: VideoUnderWay): boolean {
  if (names.length === parts.length || expiresAt === null) return false
  return new Date(expiresAt).getTime() - attempt.now().getTime() < EXPIRY_MARGIN_MS
}

async function beginVideo(attempt: Attempt, bytes: number): Promise<VideoUnderWay | Stop> {
  const owner = attempt.account.externalId
  const ask = { owner, fileSizeBytes: bytes, uploadCaptions: false, uploadThumbnail: false }
  const begun = await act(attempt, 'videos', 'initializeUpload', ask, parseVideoUpload(bytes))
  if (begun.kind !== 'ok') return stopFor(attempt, begun)
  const { urn, token, parts, expiresAt } = begun.value
  const { accessToken = '' } = attempt.credentials
  const secrets = [accessToken, encodeURIComponent(accessToken)].filter((each) => each !== '')
  if (parts.some(({ url }) => secrets.some((each) => url.includes(each)))) {
    const message = 'LinkedIn names the token of the account in addresses for the video, which may not be kept.'
    return { kind: 'refused', reason: 'UNKNOWN', message }
  }
  // A time that is over already is no time that could be meant.
  const ends = expiresAt !== null && expiresAt > attempt.now() ? expiresAt.toISOString() : null
  return { urn, token, parts, names: [], bytes, expiresAt: ends }
}

/** Sends what is missing, as much as one turn may take. What LinkedIn calls a part is stored before the next one goes. */
async function sendVideo(attempt: Attempt, source: MediaSource, kept: VideoUnderWay): Promise<string | Stop> {
  const { urn, token, parts } = kept
  let { names } = kept
  for (const { url, firstByte, lastByte } of parts.slice(names.length, names.length + PARTS_PER_TURN)) {
    const part = { source, range: { start: firstByte, end: lastByte + 1 } }
    const sent = await put(attempt, url, part, parsePart, { 'content-type': 'application/octet-stream' })
    if (sent.kind !== 'ok') return stopVideo(attempt, sent)
    names = [...names, sent.value]
    await attempt.store({ video: { ...kept, names } })
  }
  if (names.length < parts.length) return { kind: 'waiting', askAgainAt: attempt.now() }
  const ask = { video: urn, uploadToken: token, uploadedPartIds: names }
  const finished = await act(attempt, 'videos', 'finalizeUpload', ask, () => urn)
  return finished.kind === 'ok' ? finished.value : stopVideo(attempt, finished)
}

/** An upload that LinkedIn does not know as it should is begun anew, once; otherwise it goes on where it stands. */
async function stopVideo(attempt: Attempt, refusal: Fruitless): Promise<Stop> {
  if (refusal.kind === 'refused' && LOST.includes(refusal.answer.status)) {
    const { meaning } = meaningOf(attempt, refusal.answer)
    // A 400 whose words are known and ask for another try means this very upload.
    const isLost =
      meaning.kind === 'again' ? refusal.answer.status !== 400 : ['refused', 'ambiguous'].includes(meaning.kind)
    if (isLost && readState(attempt.handles).renewals === 0) return renew(attempt, meaning.message)
  }
  return stopFor(attempt, refusal)
}

/** The token goes to hosts of the network alone, wherever an answer says that bytes are to go. */
function put<T>(
  attempt: Attempt,
  address: string,
  file: { source: MediaSource; range?: { start: number; end: number } },
  parse: Call<T>['parse'],
  headers = {},
): Promise<Called<T>> {
  const { origin, protocol, hostname } = new URL(address)
  const known = ['api', 'web'].map((name) => new URL(attempt.endpoint(name)).origin)
  const isTheirs = known.includes(origin) || (protocol === 'https:' && /(^|\.)linkedin\.com$/.test(hostname))
  return bareCall(attempt, {
    method: 'PUT',
    path: address,
    headers: { ...headers, ...(isTheirs ? { authorization: bearer(attempt) } : {}) },
    file,
    timeoutMs: UPLOAD_MS,
    parse: (body, answer) => (answer.status < 300 ? parse(body, answer) : undefined),
  })
}

/** JPEG, PNG and GIF as they are when they fit; everything else becomes a JPEG within the bounds. */
export function imageToSend(source: MediaSource): Promise<MediaSource> {
  const { width, height } = source.facts
  const scale = Math.sqrt(limits.imagePixels.value / (width * height))
  return fittedImage(source, {
    mimeTypes: ['image/jpeg', 'image/png', 'image/gif'],
    maxBytes: limits.imageBytes.value,
    ...(scale < 1 ? { maxWidth: Math.floor(width * scale), maxHeight: Math.floor(height * scale) } : {}),
  })
}
