import { bareCall, bearer, type Call, type Called, type Fruitless } from '../kit/api.ts'
import { fittedImage } from '../kit/images.ts'
import type { Stop } from '../kit/pending.ts'
import type { Attempt, MediaSource } from '../network.ts'
import { call } from './api.ts'
import { limits } from './manifest.ts'
import { readState, type VideoUnderWay } from './state.ts'
import { meaningOf, renew, stopFor, waitingUntil } from './stops.ts'
import { parseImageUpload, parsePart, parseVideoUpload, type VideoPart } from './wire.ts'

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
export async function upload(attempt: Attempt, source: MediaSource): Promise<string | Stop> {
  return source.facts.type === 'VIDEO' ? uploadVideo(attempt, source) : uploadImage(attempt, source)
}

/** https://learn.microsoft.com/en-us/linkedin/marketing/community-management/shares/images-api (read 2026-11-21) */
async function uploadImage(attempt: Attempt, source: MediaSource): Promise<string | Stop> {
  const file = await imageToSend(source)
  const begun = await call(attempt, {
    method: 'POST',
    path: 'rest/images',
    query: { action: 'initializeUpload' },
    json: { initializeUploadRequest: { owner: attempt.account.externalId } },
    parse: parseImageUpload,
  })
  if (begun.kind !== 'ok') return stopFor(attempt, begun)
  const { urn, url } = begun.value
  const sent = await put(attempt, { url, file: { source: file } }, () => urn)
  return sent.kind === 'ok' ? sent.value : stopFor(attempt, sent)
}

/** https://learn.microsoft.com/en-us/linkedin/marketing/community-management/shares/videos-api (read 2026-11-21) */
async function uploadVideo(attempt: Attempt, file: MediaSource): Promise<string | Stop> {
  const kept = readState(attempt.handles).video
  if (kept !== null && kept.bytes === file.facts.bytes) {
    if (!hasLapsed(attempt, kept)) return sendVideo(attempt, file, kept)
    return renew(attempt, 'The upload took longer than LinkedIn allows.')
  }
  const begun = await beginVideo(attempt, file)
  if ('kind' in begun) return begun
  await attempt.store({ video: begun })
  return sendVideo(attempt, file, begun)
}

/** Only while bytes are missing: a file that is there is finished at any time. */
function hasLapsed(attempt: Attempt, { parts, names, expiresAt }: VideoUnderWay): boolean {
  if (names.length === parts.length || expiresAt === null) return false
  return new Date(expiresAt).getTime() - attempt.now().getTime() < EXPIRY_MARGIN_MS
}

async function beginVideo(attempt: Attempt, file: MediaSource): Promise<VideoUnderWay | Stop> {
  const { bytes } = file.facts
  const owner = attempt.account.externalId
  const begun = await call(attempt, {
    method: 'POST',
    path: 'rest/videos',
    query: { action: 'initializeUpload' },
    json: { initializeUploadRequest: { owner, fileSizeBytes: bytes, uploadCaptions: false, uploadThumbnail: false } },
    parse: parseVideoUpload(bytes),
  })
  if (begun.kind !== 'ok') return stopFor(attempt, begun)
  const { urn, token, parts, expiresAt } = begun.value
  const { accessToken = '' } = attempt.credentials
  const tokens = [accessToken, encodeURIComponent(accessToken)].filter((each) => each !== '')
  if (parts.some(({ url }) => tokens.some((each) => url.includes(each)))) {
    const message = 'LinkedIn names the token of the account in addresses for the video, which may not be kept.'
    return { kind: 'refused', reason: 'UNKNOWN', message }
  }
  // A time that is over already is no time that could be meant.
  const ends = expiresAt !== null && expiresAt > attempt.now() ? expiresAt.toISOString() : null
  return { urn, token, parts, names: [], bytes, expiresAt: ends }
}

/** Sends what is missing, as much as one turn may take. What LinkedIn calls a part is stored before the next one goes. */
async function sendVideo(attempt: Attempt, file: MediaSource, kept: VideoUnderWay): Promise<string | Stop> {
  let video = kept
  const begin = kept.names.length
  for (const part of kept.parts.slice(begin, begin + PARTS_PER_TURN)) {
    const sent = await putPart(attempt, file, part)
    if (sent.kind !== 'ok') return stopVideo(attempt, sent)
    video = { ...video, names: [...video.names, sent.value] }
    await attempt.store({ video })
  }
  if (video.names.length < video.parts.length) return waitingUntil(attempt.now())
  const { urn, token, names } = video
  const finished = await call(attempt, {
    method: 'POST',
    path: 'rest/videos',
    query: { action: 'finalizeUpload' },
    json: { finalizeUploadRequest: { video: urn, uploadToken: token, uploadedPartIds: names } },
    timeoutMs: 60_000,
    parse: () => urn,
  })
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

function putPart(
  attempt: Attempt,
  source: MediaSource,
  { url, firstByte, lastByte }: VideoPart,
): Promise<Called<string>> {
  const file = { source, range: { start: firstByte, end: lastByte + 1 } }
  return put(attempt, { url, file, headers: { 'content-type': 'application/octet-stream' } }, parsePart)
}

function put<T>(
  attempt: Attempt,
  { url, file, headers }: { url: string } & Pick<Call<T>, 'file' | 'headers'>,
  parse: Call<T>['parse'],
): Promise<Called<T>> {
  return bareCall(attempt, {
    method: 'PUT',
    path: url,
    headers: { ...headers, ...(isTheirs(attempt, url) ? { authorization: bearer(attempt) } : {}) },
    ...(file ? { file } : {}),
    timeoutMs: UPLOAD_MS,
    parse: (body, answer) => (answer.status < 300 ? parse(body, answer) : undefined),
  })
}

/** The token goes to hosts of the network alone, wherever an answer says that bytes are to go. */
function isTheirs(attempt: Attempt, address: string): boolean {
  const { origin, protocol, hostname } = new URL(address)
  const known = ['api', 'web'].map((name) => new URL(attempt.endpoint(name)).origin)
  return known.includes(origin) || (protocol === 'https:' && /(^|\.)linkedin\.com$/.test(hostname))
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
