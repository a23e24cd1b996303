import type { MediaFacts } from '#contract'
import { HOUR_MS, MINUTE_MS } from '#contract/durations'
import type { Call, Fruitless } from '../kit/api.ts'
import { fittedImage } from '../kit/images.ts'
import { failedPreparing, whilePreparing } from '../kit/outcomes.ts'
import { again, type Stop } from '../kit/pending.ts'
import { withFittedVideos } from '../kit/videos.ts'
import type { Attempt, Handles, MediaSource, MediaToSend } from '../network.ts'
import { limits } from './manifest.ts'
import { classify } from './outcomes.ts'
import { isGif } from './rules.ts'
import { readState, type Upload, withoutUploads } from './state.ts'
import { call, parseAnything, parseUploaded } from './wire.ts'

/** So many bytes of a file go out at a time: more of a file that would not fit into the parts that X counts. */
export const partOf = (bytes: number): number => {
  const { segmentBytes, segments } = limits
  return segmentBytes.value * Math.ceil(bytes / (segmentBytes.value * segments.value))
}
/** Progress is written down after so many parts, and after a crash no more than these are sent again. */
const PARTS_BETWEEN_STORES = 8
/** A large file takes several turns, so that a slow line does not meet the limit of one. */
const PARTS_PER_TURN = 32
/** Uploads that are made again because the network refused or lost them. */
const FEW_TRIES = 3
/** How long an upload lives when the network does not say (the pages say 24 hours). */
const LIFE_MS = 23 * HOUR_MS
/** An upload that ends within this time is made again. */
const LIFE_MARGIN_MS = 10 * MINUTE_MS
/** A file that is worked on for longer is uploaded again. */
const STUCK_MS = HOUR_MS

/** Whether all files of the post are ready, and stay so for a while. */
export function hasUploads(attempt: Attempt): boolean {
  const { uploads } = readState(attempt.handles)
  const ready = uploads.every((each) => each.phase === 'ready' && isAlive(attempt, each))
  return ready && uploads.length === attempt.post.media.length
}

const isAlive = (attempt: Attempt, { expiresAt }: Upload): boolean =>
  new Date(expiresAt).getTime() - attempt.now().getTime() > LIFE_MARGIN_MS

const fromNow = (attempt: Attempt, ms: number) => new Date(attempt.now().getTime() + ms)

/** Uploads what is not uploaded yet. Nothing of it is visible. Null when everything is there. */
export async function uploadMedia(given: Attempt): Promise<Stop | null> {
  const attempt = await withFittedVideos(given, { mimeTypes: ['video/mp4', 'video/quicktime'] })
  if ('kind' in attempt) return attempt
  const state = readState(attempt.handles)
  if (state.uploads.some((each) => !isAlive(attempt, each))) await attempt.store(withoutUploads(state))
  for (const [index, media] of attempt.post.media.entries()) {
    const uploadNow = () => readState(attempt.handles).uploads[index]
    for (let upload = uploadNow(); upload?.phase !== 'ready'; upload = uploadNow()) {
      const item = { attempt, index, media }
      const stop = await (upload ? STEPS[upload.phase](item, upload) : begin(item))
      if (stop) return stop
    }
  }
  return null
}

/** A file of the post. */
type Item = { attempt: Attempt; index: number; media: MediaToSend }
/** What takes a file one step further. */
const STEPS = { sending: sendParts, processing: progress, processed: describe, ready: async () => null }

async function begin(item: Item): Promise<Stop | null> {
  const { attempt, media } = item
  const { facts } = await fileToSend(media)
  const path = '2/media/upload/initialize'
  const file = { media_type: facts.mimeType, total_bytes: facts.bytes }
  const ask = (media_category: string) =>
    call(attempt, { method: 'POST', path, json: { ...file, media_category }, parse: parseUploaded })
  const [category, other] = categoriesOf(facts, readState(attempt.handles).longRefusal !== null)
  const first = await ask(category)
  const isRefused = first.kind === 'refused' && classify(first.answer, attempt.now(), '').meaning.kind === 'refused'
  const taken = isRefused ? (other ?? category) : category
  const begun = taken === category ? first : await ask(taken)
  if (begun.kind !== 'ok') return stopFor(item, begun)
  const { id, key, expiresAfterMs } = begun.value
  const expiresAt = fromNow(attempt, expiresAfterMs ?? LIFE_MS).toISOString()
  return keep(item, { id, key, category: taken, parts: 0, phase: 'sending', since: null, expiresAt })
}

/**
 * What X calls a file of this kind. Long videos have a name of their own, which older accounts were refused; whether Premium
 * brings it or makes the usual one longer is not written, so both are tried.
 */
function categoriesOf(facts: MediaFacts, asUsual: boolean): [string, string?] {
  const { type, durationMs } = facts
  if (type === 'IMAGE') return [isGif({ facts }) ? 'tweet_gif' : 'tweet_image']
  const isLong = (durationMs ?? 0) > limits.videoMaxSeconds.value * 1000
  return isLong && !asUsual ? [LONG, 'tweet_video'] : ['tweet_video']
}
const LONG = 'amplify_video'

/**
 * A long video of which X has no use by its own name is uploaded once more, by the usual one: pages of X's ads call the first the name of
 * promoted videos, and a wrong name is said to show only when the post is made. False for all other files.
 */
export async function renames(attempt: Attempt, longRefusal: string): Promise<boolean> {
  const state = readState(attempt.handles)
  if (!state.uploads.some(({ category }) => category === LONG)) return false
  await attempt.store({ ...withoutUploads(state), longRefusal })
  return true
}

/** Parts may be sent again: the network puts them in order by their number. */
async function sendParts(item: Item, upload: Upload): Promise<Stop | null> {
  const { attempt, media } = item
  const source = await fileToSend(media)
  const { bytes } = source.facts
  const size = partOf(bytes)
  const count = Math.ceil(bytes / size)
  const end = Math.min(count, upload.parts + PARTS_PER_TURN)
  const file = { field: 'media', filename: 'media', mimeType: 'application/octet-stream', source }
  for (let part = upload.parts; part < end; part++) {
    const range = { start: part * size, end: Math.min(bytes, (part + 1) * size) }
    const sent = await call(attempt, {
      method: 'POST',
      path: `2/media/upload/${upload.id}/append`,
      form: { ...file, held: true, fields: [['segment_index', String(part)]], range },
      timeoutMs: 120_000,
      parse: parseAnything,
    })
    if (sent.kind !== 'ok') return stopFor(item, sent)
    const parts = part + 1
    if (parts % PARTS_BETWEEN_STORES === 0 && parts < count) await keep(item, { ...upload, parts })
  }
  if (end < count) return { kind: 'waiting', askAgainAt: attempt.now() }
  return progress(item, { ...upload, since: attempt.now().toISOString() })
}

/** Ends an upload, or asks for it. Nothing to process means done; unknown states mean that it is being worked on. */
async function progress(item: Item, upload: Upload): Promise<Stop | null> {
  const { attempt } = item
  const request: Omit<Call<never>, 'parse'> = upload.phase === 'sending'
    ? // The contract names no body, and without one the network was seen to refuse the call.
      { method: 'POST', path: `2/media/upload/${upload.id}/finalize`, json: {}, timeoutMs: 60_000 }
    : { method: 'GET', path: '2/media/upload', query: { media_id: upload.id, command: 'STATUS' } }
  const asked = await call(attempt, { ...request, parse: parseUploaded })
  if (asked.kind !== 'ok') return stopFor(item, asked)
  const { state, checkAfterMs, errorName, errorMessage, expiresAfterMs } = asked.value
  const key = asked.value.key ?? upload.key
  if (state === 'failed') {
    const words = [errorName, errorMessage].filter(Boolean).join(': ').slice(0, 300)
    const message = `${nameOf(item)} X could not use the file${words ? ` (${words})` : ''}.`
    if (/internal/i.test(errorName)) return uploadAnew(item, message)
    const advice = /max duration/i.test(words)
      ? 'Longer videos are for accounts with X Premium.'
      : 'Export it again, or use another one.'
    if (await renames(attempt, `${message} ${advice}`)) return null
    // That it is too long by the usual name is no news of a video whose own name was taken.
    const why = readState(attempt.handles).longRefusal ?? `${message} ${advice}`
    return { kind: 'refused', reason: 'UNKNOWN_MEDIA_ERROR', message: why }
  }
  if (state === null || state === 'succeeded') {
    const expiresAt = expiresAfterMs === null ? upload.expiresAt : fromNow(attempt, expiresAfterMs).toISOString()
    return keep(item, { ...upload, key, phase: 'processed', expiresAt })
  }
  if (upload.phase !== 'processing') await keep(item, { ...upload, key, phase: 'processing' })
  if (upload.since !== null && attempt.now().getTime() - new Date(upload.since).getTime() > STUCK_MS) {
    return uploadAnew(item, `${nameOf(item)} X has not got ready with it for an hour.`)
  }
  const pause = Math.min(60_000, Math.max(1_000, checkAfterMs ?? 5_000))
  return { kind: 'waiting', askAgainAt: fromNow(attempt, pause) }
}

/** An alternative text that X does not take, or fails at a few times, is no reason not to publish: a warning says so. */
async function describe(item: Item, upload: Upload): Promise<Stop | null> {
  const { attempt, media } = item
  const { describeTries, warnings } = readState(attempt.handles)
  const ready = { ...upload, phase: 'ready' } as const
  if (media.facts.type !== 'IMAGE' || !media.altText?.trim()) return keep(item, ready)
  const json = { id: upload.id, metadata: { alt_text: { text: media.altText } } }
  const described = await call(attempt, { method: 'POST', path: '2/media/metadata', json, parse: parseAnything })
  if (described.kind === 'ok') return keep(item, ready, { describeTries: 0 })
  const { kind, message } =
    described.kind === 'failed'
      ? ({ ...described, kind: 'ambiguous' } as const)
      : classify(described.answer, attempt.now(), '').meaning
  const isGone = kind === 'again' || (described.kind === 'refused' && isUnknownThere(described.answer))
  const isFault = !isGone && kind === 'ambiguous' && describeTries < FEW_TRIES
  if (isFault) await attempt.store({ describeTries: describeTries + 1 })
  if (isGone || isFault || kind === 'wait' || kind === 'reconnect') return stopFor(item, described)
  const warning = `${nameOf(item)} X did not take the alternative text, so the post has none there. ${message}`
  return keep(item, ready, { describeTries: 0, warnings: [...warnings, warning] })
}

const isUnknownThere = ({ status }: { status: number }) => status === 404 || status === 410

/** The form in which a file goes out: videos as they come here, pictures made to fit where they do not. */
async function fileToSend(media: MediaToSend): Promise<MediaSource> {
  const mimeTypes = ['image/jpeg', 'image/png', 'image/webp']
  if (media.facts.type === 'VIDEO') return media.source
  if (isGif(media)) return fittedImage(media.source, { mimeTypes: ['image/gif'] })
  return fittedImage(media.source, { mimeTypes, maxBytes: limits.imageBytes.value })
}

async function keep({ attempt, index }: Item, upload: Upload, more: Handles = {}): Promise<null> {
  await attempt.store({ uploads: [...readState(attempt.handles).uploads.slice(0, index), upload], ...more })
  return null
}

/** What a refusal, or no answer, leads to here. An upload that the network does not know as it should is made again. */
async function stopFor(item: Item, refusal: Fruitless): Promise<Stop | null> {
  if (refusal.kind === 'failed') return failedPreparing(refusal)
  const { answer } = refusal
  const { meaning, known, spent, ofMedia } = classify(answer, item.attempt.now(), item.attempt.post.caption)
  const isOdd = answer.status === 400 && !known && meaning.kind === 'refused'
  const message = `${nameOf(item)} ${meaning.message}`
  if (spent || isUnknownThere(answer) || isOdd) return uploadAnew(item, message)
  if (ofMedia && (await renames(item.attempt, message))) return null
  const outcome = whilePreparing(meaning)
  return outcome.kind === 'refused' ? { ...outcome, message } : outcome
}

/** What was uploaded is discarded, and uploaded again a few times. */
const uploadAnew = ({ attempt }: Item, message: string): Promise<Stop> =>
  again(attempt, message, FEW_TRIES, withoutUploads(readState(attempt.handles)))

const nameOf = ({ index }: Item) => `Media item ${index + 1}:`
