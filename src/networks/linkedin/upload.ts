import type { Attempt, MediaSource } from '../network.ts'
import type { Called } from '../toolkit/graph.ts'
import { fittedImage } from '../toolkit/images.ts'
import { authorization, call, read } from './api.ts'
import { limits } from './manifest.ts'
import { parseImageUpload, parsePart, parseVideoUpload, type VideoPart } from './wire.ts'

/** Longest time for one request with bytes. */
const UPLOAD_MS = 10 * 60_000

/**
 * Uploads one media item and gives its urn. The addresses to which bytes go are secrets of a kind, so they are kept
 * nowhere: an upload that was interrupted begins anew, under a new urn, and the old one is never seen by anybody.
 */
export async function upload(attempt: Attempt, source: MediaSource): Promise<Called<string>> {
  return source.facts.type === 'VIDEO' ? uploadVideo(attempt, source) : uploadImage(attempt, source)
}

/** https://learn.microsoft.com/en-us/linkedin/marketing/community-management/shares/images-api (read 2026-11-21) */
async function uploadImage(attempt: Attempt, source: MediaSource): Promise<Called<string>> {
  const file = await imageToSend(source)
  const begun = await call(attempt, {
    method: 'POST',
    path: 'rest/images',
    query: { action: 'initializeUpload' },
    body: JSON.stringify({ initializeUploadRequest: { owner: attempt.account.externalId } }),
    parse: parseImageUpload,
  })
  if (begun.kind !== 'ok') return begun
  const { urn, url } = begun.value
  const bytes = { start: 0, end: file.facts.bytes }
  return put(attempt, { url, file, bytes, type: file.facts.mimeType }, () => urn)
}

/** https://learn.microsoft.com/en-us/linkedin/marketing/community-management/shares/videos-api (read 2026-11-21) */
async function uploadVideo(attempt: Attempt, file: MediaSource): Promise<Called<string>> {
  const { bytes } = file.facts
  const owner = attempt.account.externalId
  const begun = await call(attempt, {
    method: 'POST',
    path: 'rest/videos',
    query: { action: 'initializeUpload' },
    body: JSON.stringify({
      initializeUploadRequest: { owner, fileSizeBytes: bytes, uploadCaptions: false, uploadThumbnail: false },
    }),
    parse: parseVideoUpload(bytes),
  })
  if (begun.kind !== 'ok') return begun
  const { urn, token, parts } = begun.value
  const uploadedPartIds: string[] = []
  for (const part of parts) {
    const sent = await putPart(attempt, file, part)
    if (sent.kind !== 'ok') return sent
    uploadedPartIds.push(sent.value)
  }
  return call(attempt, {
    method: 'POST',
    path: 'rest/videos',
    query: { action: 'finalizeUpload' },
    body: JSON.stringify({ finalizeUploadRequest: { video: urn, uploadToken: token, uploadedPartIds } }),
    timeoutMs: 60_000,
    parse: () => urn,
  })
}

function putPart(attempt: Attempt, file: MediaSource, part: VideoPart): Promise<Called<string>> {
  const bytes = { start: part.firstByte, end: part.lastByte + 1 }
  return put(attempt, { url: part.url, file, bytes, type: 'application/octet-stream' }, parsePart)
}

async function put<T>(
  attempt: Attempt,
  what: { url: string; file: MediaSource; bytes: { start: number; end: number }; type: string },
  parse: Parameters<typeof read<T>>[1],
): Promise<Called<T>> {
  const { url, file, bytes, type } = what
  const body = await file.open(bytes)
  try {
    const answer = await attempt.http({
      method: 'PUT',
      url,
      headers: {
        'content-type': type,
        'content-length': String(bytes.end - bytes.start),
        ...(isTheirs(attempt, url) ? { authorization: authorization(attempt) } : {}),
      },
      body,
      signal: attempt.signal,
      timeoutMs: UPLOAD_MS,
    })
    return read(answer, parse)
  } finally {
    body.destroy()
  }
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
