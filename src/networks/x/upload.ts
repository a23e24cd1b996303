import type { Fruitless } from '../kit/api.ts'
import { fittedImage } from '../kit/images.ts'
import { failedPreparing, whilePreparing } from '../kit/outcomes.ts'
import { anew, type Stop } from '../kit/pending.ts'
import { withFittedVideos } from '../kit/videos.ts'
import type { Attempt, MediaSource, MediaToSend } from '../network.ts'
import { call } from './api.ts'
import { limits } from './manifest.ts'
import { classify } from './outcomes.ts'
import { isGif } from './rules.ts'
import { readState, type Upload, withoutUploads } from './state.ts'
import { parseAnything, parseUploaded, type Uploaded } from './wire.ts'

/** So many bytes of a file go out at a time: more of a file that would not fit into the parts that X counts. */
export const partOf = (bytes: number): number => {
  const { segmentBytes, segments } = limits
  return segmentBytes.value * Math.ceil(bytes / (segmentBytes.value * segments.value))
}
/** Progress is written down after so many parts, and after a crash no more than these are sent again. */
const PARTS_BETWEEN_STORES = 8
/** A large file takes several turns, so that a slow line does not meet the limit of one. */
const PARTS_PER_TURN = 32
/** Uploads that are made anew because the network refused or lost them. */
const FEW_TRIES = 3
/** How long an upload lives when the network does not say (the pages say 24 hours). */
const LIFE_MS = 23 * 3_600_000
/** An upload that ends within this time is made anew. */
const LIFE_MARGIN_MS = 10 * 60_000
/** A file that is worked on for longer is uploaded anew. */
const STUCK_MS = 60 * 60_000
const POLL_MS = { least: 1_000, usual: 5_000, most: 60_000 }

/** Whether all files of the post are ready, and stay so for a while. */
export function hasUploads(attempt: Attempt): boolean {
  const { uploads } = readState(attempt.handles)
  const ready = uploads.every((each) => each.phase === 'ready' && isAlive(attempt, each))
  return ready && uploads.length === attempt.post.media.length
}

function isAlive(attempt: Attempt, { expiresAt }: Upload): boolean {
  return new Date(expiresAt).getTime() - attempt.now().getTime() > LIFE_MARGIN_MS
}

/** Uploads what is not uploaded yet. Nothing of it is visible. Null when everything is there. */
export async function uploadMedia(given: Attempt): Promise<Stop | null> {
  const attempt = await withFittedVideos(given, { mimeTypes: ['video/mp4', 'video/quicktime'] })
  if ('kind' in attempt) return attempt
  const state = readState(attempt.handles)
  if (state.uploads.some((each) => !isAlive(attempt, each))) await attempt.store(withoutUploads(state))
  for (const index of attempt.post.media.keys()) {
    for (let upload = uploadAt(attempt, index); upload?.phase !== 'ready'; upload = uploadAt(attempt, index)) {
      const stop = await advance(attempt, index, upload)
      if (stop) return stop
    }
  }
  return null
}

function uploadAt(attempt: Attempt, index: number): Upload | undefined {
  return readState(attempt.handles).uploads[index]
}

/** Takes one file one step further. */
async function advance(attempt: Attempt, index: number, upload: Upload | undefined): Promise<Stop | null> {
  const media = attempt.post.media[index]
  if (!media) throw new TypeError(`The post has no media item ${index}.`)
  switch (upload?.phase) {
    case undefined:
      return begin(attempt, index, media)
    case 'sending':
      return sendParts(attempt, index, media, upload)
    case 'processing':
      return askForProgress(attempt, index, upload)
    case 'processed':
      return describe(attempt, index, media, upload)
    case 'ready':
      return null
  }
}

async function begin(attempt: Attempt, index: number, media: MediaToSend): Promise<Stop | null> {
  const { facts } = await fileToSend(media)
  const ask = (category: string) =>
    call(attempt, {
      method: 'POST',
      path: '2/media/upload/initialize',
      json: { media_type: facts.mimeType, media_category: category, total_bytes: facts.bytes },
      parse: parseUploaded,
    })
  const [category, other] = categoriesOf(media)
  const first = await ask(category)
  const isRefused = first.kind === 'refused' && classify(first.answer, attempt.now(), '').meaning.kind === 'refused'
  const begun = isRefused && other !== undefined ? await ask(other) : first
  if (begun.kind !== 'ok') return stopFor(attempt, index, begun)
  const { id, key, expiresAfterMs } = begun.value
  const expiresAt = endOfLife(attempt, expiresAfterMs)
  await keep(attempt, index, { id, key, parts: 0, phase: 'sending', since: null, expiresAt })
  return null
}

/**
 * What X calls a file of this kind. Long videos have a name of their own, which older accounts were refused; whether Premium
 * brings it or makes the usual one longer is not written, so both are tried.
 */
function categoriesOf(media: MediaToSend): [string, string?] {
  const { type, durationMs } = media.facts
  if (type === 'IMAGE') return [isGif(media) ? 'tweet_gif' : 'tweet_image']
  return (durationMs ?? 0) > limits.videoMaxSeconds.value * 1000 ? ['amplify_video', 'tweet_video'] : ['tweet_video']
}

/** Parts may be sent again: the network puts them in order by their number. */
async function sendParts(attempt: Attempt, index: number, media: MediaToSend, upload: Upload): Promise<Stop | null> {
  const file = await fileToSend(media)
  const size = partOf(file.facts.bytes)
  const count = Math.ceil(file.facts.bytes / size)
  const end = Math.min(count, upload.parts + PARTS_PER_TURN)
  for (let part = upload.parts; part < end; part++) {
    const sent = await call(attempt, {
      method: 'POST',
      path: `2/media/upload/${upload.id}/append`,
      form: {
        fields: [['segment_index', String(part)]],
        field: 'media',
        filename: 'media',
        mimeType: 'application/octet-stream',
        source: file,
        range: { start: part * size, end: Math.min(file.facts.bytes, (part + 1) * size) },
        held: true,
      },
      timeoutMs: 120_000,
      parse: parseAnything,
    })
    if (sent.kind !== 'ok') return stopFor(attempt, index, sent)
    const written = part + 1
    if (written % PARTS_BETWEEN_STORES === 0 && written < count) {
      await keep(attempt, index, { ...upload, parts: written })
    }
  }
  if (end < count) return { kind: 'waiting', askAgainAt: attempt.now() }
  return finish(attempt, index, upload)
}

async function finish(attempt: Attempt, index: number, upload: Upload): Promise<Stop | null> {
  const finished = await call(attempt, {
    method: 'POST',
    path: `2/media/upload/${upload.id}/finalize`,
    // The contract names no body, and without one the network was seen to refuse the call.
    json: {},
    timeoutMs: 60_000,
    parse: parseUploaded,
  })
  if (finished.kind !== 'ok') return stopFor(attempt, index, finished)
  return afterProgress(attempt, index, { ...upload, since: attempt.now().toISOString() }, finished.value)
}

async function askForProgress(attempt: Attempt, index: number, upload: Upload): Promise<Stop | null> {
  const asked = await call(attempt, {
    method: 'GET',
    path: '2/media/upload',
    query: { media_id: upload.id, command: 'STATUS' },
    parse: parseUploaded,
  })
  if (asked.kind !== 'ok') return stopFor(attempt, index, asked)
  return afterProgress(attempt, index, upload, asked.value)
}

/** Nothing to process means done; states that nobody knows mean that it is being worked on. */
async function afterProgress(attempt: Attempt, index: number, upload: Upload, told: Uploaded): Promise<Stop | null> {
  const now = attempt.now().getTime()
  const key = told.key ?? upload.key
  const { processing } = told
  if (processing?.state === 'failed') return processingFailed(attempt, index, processing.error)
  if (!processing || processing.state === 'succeeded') {
    const expiresAt = endOfLife(attempt, told.expiresAfterMs, upload.expiresAt)
    await keep(attempt, index, { ...upload, key, phase: 'processed', expiresAt })
    return null
  }
  if (upload.phase !== 'processing') await keep(attempt, index, { ...upload, key, phase: 'processing' })
  if (now - new Date(upload.since ?? now).getTime() > STUCK_MS) {
    return uploadAnew(attempt, index, 'X has not got ready with it for an hour.')
  }
  const pause = Math.min(POLL_MS.most, Math.max(POLL_MS.least, processing.checkAfterMs ?? POLL_MS.usual))
  return { kind: 'waiting', askAgainAt: new Date(now + pause) }
}

async function processingFailed(
  attempt: Attempt,
  index: number,
  error: { name: string; message: string } | null,
): Promise<Stop> {
  const words = [error?.name, error?.message].filter(Boolean).join(': ').slice(0, 300)
  const message = `X could not use the file${words ? ` (${words})` : ''}.`
  if (/internal/i.test(error?.name ?? '')) return uploadAnew(attempt, index, message)
  if (/max duration/i.test(words)) return unusable(index, `${message} Longer videos are for accounts with X Premium.`)
  return unusable(index, `${message} Export it anew, or use another one.`)
}

/** An alternative text that X does not take is no reason not to publish: a warning says so. */
async function describe(attempt: Attempt, index: number, media: MediaToSend, upload: Upload): Promise<Stop | null> {
  const text = media.altText?.trim() ? media.altText : null
  if (media.facts.type === 'IMAGE' && text !== null) {
    const described = await call(attempt, {
      method: 'POST',
      path: '2/media/metadata',
      json: { id: upload.id, metadata: { alt_text: { text } } },
      parse: parseAnything,
    })
    const stop = described.kind === 'ok' ? null : await stopDescribing(attempt, index, described)
    if (stop) return stop
    await attempt.store({ describeTries: 0 })
  }
  await keep(attempt, index, { ...upload, phase: 'ready' })
  return null
}

/** Null when the post goes out without the text: it was refused, or X failed at it a few times. */
async function stopDescribing(attempt: Attempt, index: number, fruitless: Fruitless): Promise<Stop | null> {
  const { describeTries, warnings } = readState(attempt.handles)
  const [kind, why] = whyNotDescribed(attempt, fruitless)
  if (kind === 'other') return stopFor(attempt, index, fruitless)
  if (kind === 'fault' && describeTries < FEW_TRIES) {
    await attempt.store({ describeTries: describeTries + 1 })
    return stopFor(attempt, index, fruitless)
  }
  const message = `${itemAt(index)} X did not take the alternative text, so the post has none there. ${why}`
  await attempt.store({ warnings: [...warnings, message] })
  return null
}

/** `other`: the file itself is gone, the sign-in is over, or X asks to wait. */
function whyNotDescribed(attempt: Attempt, fruitless: Fruitless): ['refused' | 'fault' | 'other', string] {
  if (fruitless.kind === 'failed') return ['fault', fruitless.message]
  const { status } = fruitless.answer
  const { meaning, spent } = classify(fruitless.answer, attempt.now(), '')
  if (spent || status === 404 || status === 410) return ['other', '']
  if (meaning.kind === 'refused') return ['refused', meaning.message]
  return [meaning.kind === 'ambiguous' || meaning.kind === 'again' ? 'fault' : 'other', meaning.message]
}

/** The form in which a file goes out: animated GIFs and videos as they come here, pictures made to fit where they do not. */
export async function fileToSend(media: MediaToSend): Promise<MediaSource> {
  if (media.facts.type === 'VIDEO' || isGif(media)) return media.source
  return fittedImage(media.source, {
    mimeTypes: ['image/jpeg', 'image/png', 'image/webp'],
    maxBytes: limits.imageBytes.value,
  })
}

async function keep(attempt: Attempt, index: number, upload: Upload): Promise<void> {
  await attempt.store({ uploads: [...readState(attempt.handles).uploads.slice(0, index), upload] })
}

/** What a refusal, or no answer, leads to here. An upload that the network does not know as it should is made anew. */
async function stopFor(attempt: Attempt, index: number, refusal: Fruitless): Promise<Stop> {
  if (refusal.kind === 'failed') return failedPreparing(refusal)
  const { meaning, known, spent } = classify(refusal.answer, attempt.now(), attempt.post.caption)
  const { status } = refusal.answer
  const lost = spent || status === 404 || status === 410 || (status === 400 && !known && meaning.kind === 'refused')
  if (lost) return uploadAnew(attempt, index, meaning.message)
  const outcome = whilePreparing(meaning)
  return outcome.kind === 'refused' ? { ...outcome, message: `${itemAt(index)} ${outcome.message}` } : outcome
}

/** What was uploaded is discarded, and uploaded again a few times. */
async function uploadAnew(attempt: Attempt, index: number, message: string): Promise<Stop> {
  return anew(attempt, `${itemAt(index)} ${message}`, FEW_TRIES, withoutUploads(readState(attempt.handles)))
}

const unusable = (index: number, message: string): Stop => ({
  kind: 'refused',
  reason: 'UNKNOWN_MEDIA_ERROR',
  message: `${itemAt(index)} ${message}`,
})

const itemAt = (index: number) => `Media item ${index + 1}:`

function endOfLife(attempt: Attempt, ms: number | null, otherwise?: string): string {
  if (ms === null && otherwise !== undefined) return otherwise
  return new Date(attempt.now().getTime() + (ms ?? LIFE_MS)).toISOString()
}
