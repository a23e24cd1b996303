import { DAY_MS, MINUTE_MS } from '#contract/durations'
import { type Fruitless, pages } from '../kit/api.ts'
import { comparable, lookUp } from '../kit/lookup.ts'
import { failedFinding, failedPublishing, retryFrom, whileFinding, whilePublishing } from '../kit/outcomes.ts'
import { followUps } from '../kit/parts.ts'
import { fromPrepare, type Stop, stopAfter } from '../kit/pending.ts'
import { type VideoForm, withFittedVideos } from '../kit/videos.ts'
import { noteFormerWords } from '../kit/words.ts'
import type { Attempt, Connector, FindOutcome, PrepareOutcome, PublishOutcome } from '../network.ts'
import { askChannels, askUploads, openSession, put, QUANTUM } from './api.ts'
import { followUp } from './comment.ts'
import { limits } from './manifest.ts'
import { errors, meaningOf, meaningOfPublish, parseError } from './outcomes.ts'
import { dropped, fieldsOf, keepVideo, readState, videoIn } from './state.ts'
import { shortsThumbnail, thumbnail } from './thumbnail.ts'
import { askVerdict, verdictOf } from './verdict.ts'

/** Few requests for a large file, and not much to send again when one breaks. */
const PIECE_BYTES = 64 * QUANTUM
/** A piece of 16 MB needs more than 0.7 Mbit/s for this. */
const PIECE_MS = 3 * MINUTE_MS
/** A turn ends before the step's own limit, so that a long upload goes on in the next. */
const TURN_MS = 4 * MINUTE_MS
/** How long a session lives is not documented; a week is said to be common. One that nothing came of is not kept so long. */
const SESSION_MS = DAY_MS
/** The attempt's signal is the limit of the visible call. */
const CALL_MS = 5 * MINUTE_MS
/** Clocks of two parties, and what a listing rounds. */
const CLOCK_SKEW_MS = MINUTE_MS
const PAGE_SIZE = 50
/** More than this many pages are not looked through. */
const MAX_PAGES = 4

/** YouTube converts everything it is sent and shows no one the file. */
const FORM: VideoForm = { mimeTypes: ['video/mp4', 'video/quicktime', 'video/webm'], elseAsItIs: true }

/** At every step the video is the same file: as it was uploaded, or without the place where it was taken. */
export const connector: Connector = {
  wordsOf: ({ caption, fields }) => ({ title: fieldsOf(fields).title, description: caption }),
  async prepare(attempt) {
    const fitted = await withFittedVideos(attempt, FORM)
    return 'kind' in fitted ? fitted : prepare(fitted)
  },
  async publish(attempt) {
    // Nothing was sent yet, so what goes wrong here may not end as unknown.
    const fitted = await withFittedVideos(attempt, FORM).catch(() => null)
    return !fitted || 'kind' in fitted ? retryFrom('prepare', 'The video could not be read.') : publish(fitted)
  },
  /** Asks how far YouTube is with the video. It is there with any answer. */
  async confirm(attempt) {
    const { videoId } = readState(attempt.handles)
    if (videoId === null) return { kind: 'unknown', message: 'YouTube did not say clearly whether it has the video.' }
    return askVerdict(attempt, videoId)
  },
  async find(attempt) {
    const fitted = await withFittedVideos(attempt, FORM)
    return 'kind' in fitted ? { kind: 'cannot-tell', message: fitted.message } : find(fitted)
  },
  parts: followUps(thumbnail, followUp),
  lateCover: shortsThumbnail,
}

/** A session that takes the file, and how much of it is there. */
type Upload = { session: string; bytes: number }

/**
 * Sends the file but for its last piece. Nothing of it is visible, and nothing is ever made of it without the last
 * piece. How much of the file has arrived is asked at each turn, so that it goes on wherever it was broken off.
 */
async function prepare(attempt: Attempt): Promise<PrepareOutcome> {
  if (readState(attempt.handles).videoId !== null) return { kind: 'ready' }
  const upload = (await resume(attempt)) ?? (await begin(attempt))
  return 'kind' in upload ? upload : send(attempt, upload)
}

async function made(attempt: Attempt, videoId: string): Promise<PrepareOutcome> {
  await keepVideo(attempt, videoId)
  return { kind: 'ready' }
}

/** The session that there is; null when a new one is needed, which is only when the old one makes no video any more. */
async function resume(attempt: Attempt): Promise<Upload | PrepareOutcome | null> {
  const { session, openedAt } = readState(attempt.handles)
  if (session === null) return null
  await noteFormerWords(attempt)
  const progress = await put(attempt, session)
  switch (progress.kind) {
    case 'done':
      return made(attempt, progress.video.id)
    case 'holds': {
      const age = attempt.now().getTime() - (openedAt ?? attempt.now()).getTime()
      // Once the last piece may have been sent, another one is sent to no other session than this.
      if (age > SESSION_MS && attempt.fencedAt === null) break
      return { session, bytes: progress.bytes }
    }
    case 'gone': {
      if (attempt.fencedAt === null) break
      const found = await lookInUploads(attempt)
      if (found.kind === 'reconnect') return found
      if (found.kind === 'cannot-tell') return retryFrom('prepare', found.message)
      if (found.kind === 'found') return made(attempt, found.videoId)
      break
    }
    default:
      return stopAfter(attempt, progress, errors)
  }
  await attempt.store(dropped)
  return null
}

async function begin(attempt: Attempt): Promise<Upload | Stop> {
  const tooLong = await checkLength(attempt)
  if (tooLong) return tooLong
  const opened = await openSession(attempt)
  if (opened.kind !== 'ok') return stopAfter(attempt, opened, errors)
  const openedAt = attempt.now().toISOString()
  await attempt.store({ session: opened.value, openedAt, sent: null, words: attempt.words })
  return { session: opened.value, bytes: 0 }
}

/**
 * Channels that are not verified have short videos only; others would be rejected after the whole upload. A channel that
 * may not be read is no reason not to upload.
 */
async function checkLength(attempt: Attempt): Promise<Stop | null> {
  const { durationMs } = videoIn(attempt.post).facts
  const limit = limits.unverifiedSeconds.value
  if (durationMs === null || durationMs <= limit * 1000) return null
  const asked = await askChannels(attempt, { part: 'id,status', id: attempt.account.externalId })
  if (asked.kind !== 'ok') {
    const stop = await stopAfter(attempt, asked, errors)
    return stop.kind === 'reconnect' && !stop.mayRefresh ? null : stop
  }
  const status = asked.value.entries[0]?.longUploads
  if (status !== 'disallowed' && status !== 'eligible') return null
  const message = `The video lasts ${Math.round(durationMs / MINUTE_MS)} minutes, and YouTube takes at most ${limit / 60} from a channel that is not verified. Verify the channel by phone at youtube.com/verify, or cut the video.`
  return { kind: 'refused', reason: 'UNKNOWN_MEDIA_ERROR', message }
}

/** Sends pieces until the last one is left. */
async function send(attempt: Attempt, { session, bytes }: Upload): Promise<PrepareOutcome> {
  const total = videoIn(attempt.post).facts.bytes
  const until = attempt.now().getTime() + TURN_MS
  let sent = bytes
  while (total - sent > QUANTUM) {
    if (attempt.now().getTime() >= until) return { kind: 'waiting', askAgainAt: attempt.now() }
    const size = Math.min(PIECE_BYTES, Math.floor((total - sent - 1) / QUANTUM) * QUANTUM)
    const progress = await put(attempt, session, { start: sent, end: sent + size }, PIECE_MS)
    if (progress.kind === 'done') return made(attempt, progress.video.id)
    if (progress.kind === 'gone') return retryFrom('prepare', 'The upload to YouTube ended too early; it begins again.')
    if (progress.kind !== 'holds') return stopAfter(attempt, progress, errors)
    if (progress.bytes <= sent) return retryFrom('prepare', 'YouTube did not take a piece of the file.')
    // It may have taken less than it was sent.
    sent = progress.bytes
  }
  if (readState(attempt.handles).sent !== sent) await attempt.store({ sent })
  return { kind: 'ready' }
}

/** Sends the last piece of the file, at which the video is made: one call. Another try begins in `prepare`, with a look. */
async function publish(attempt: Attempt): Promise<PublishOutcome> {
  const { session, sent, videoId, refusal } = readState(attempt.handles)
  if (refusal) return { kind: 'refused', ...refusal }
  if (videoId !== null) return { kind: 'accepted', askAgainAt: attempt.now(), providerId: videoId }
  if (session === null || sent === null) return retryFrom('prepare', 'Nothing was uploaded yet.')
  const { bytes } = videoIn(attempt.post).facts
  const progress = await put(attempt, session, { start: sent, end: bytes }, CALL_MS)
  switch (progress.kind) {
    case 'done':
      await keepVideo(attempt, progress.video.id)
      return verdictOf(attempt, progress.video)
    case 'holds':
      return retryFrom('prepare', 'YouTube did not take the last piece of the file.')
    case 'gone':
      return { kind: 'unknown', message: 'The upload to YouTube was over before its last piece was answered.' }
    case 'failed':
      return fromPrepare(failedPublishing(progress))
    case 'refused':
      return fromPrepare(whilePublishing(meaningOfPublish(progress.answer, attempt.now())))
  }
}

type Looked =
  | { kind: 'found'; videoId: string }
  | Extract<FindOutcome, { kind: 'absent' | 'cannot-tell' | 'reconnect' }>

/**
 * Whether the last piece has made the video: the session knows, for as long as it lives; then the uploads of the
 * channel are looked through. A video that is there is no post yet: what becomes of it is asked as `confirm` does.
 */
async function find(attempt: Attempt): Promise<FindOutcome> {
  const { videoId, refusal } = readState(attempt.handles)
  if (refusal) return { kind: 'absent' }
  const looked: Looked = videoId === null ? await look(attempt) : { kind: 'found', videoId }
  if (looked.kind !== 'found') return looked
  if (videoId === null) await keepVideo(attempt, looked.videoId)
  const verdict = await askVerdict(attempt, looked.videoId)
  if (verdict.kind === 'published') return { ...verdict, kind: 'found' }
  if (verdict.kind !== 'refused') return verdict
  // A lookup can say no more than that no one gets to see it. The video is known, so that nothing is sent again, and
  // `publish` says why.
  const { reason, message } = verdict
  await attempt.store({ refusal: { reason, message } })
  return { kind: 'absent' }
}

async function look(attempt: Attempt): Promise<Looked> {
  const { session } = readState(attempt.handles)
  // Without a session no byte was ever sent.
  if (session === null) return { kind: 'absent', byItself: true }
  const progress = await put(attempt, session)
  if (progress.kind === 'done') return { kind: 'found', videoId: progress.video.id }
  // The session makes one video at its last byte, which it has not got: no list has to be waited for.
  if (progress.kind === 'holds') return { kind: 'absent', byItself: true }
  return progress.kind === 'gone' ? lookInUploads(attempt) : unanswered(attempt, progress)
}

const unanswered = (attempt: Attempt, called: Fruitless) =>
  called.kind === 'failed' ? failedFinding(called) : whileFinding(meaningOf(called.answer, attempt.now()))

/** Looks for the video among those that came to the channel since the session was opened, by title and description. */
async function lookInUploads(attempt: Attempt): Promise<Looked> {
  const channels = await askChannels(attempt, { part: 'id,contentDetails', id: attempt.account.externalId })
  if (channels.kind !== 'ok') return unanswered(attempt, channels)
  const playlistId = channels.value.entries[0]?.uploads
  if (!playlistId) return { kind: 'cannot-tell', message: 'YouTube does not show the uploads of the channel.' }
  const found = await lookUp(attempt, {
    title: 'YouTube',
    skewMs: CLOCK_SKEW_MS,
    since: readState(attempt.handles).openedAt ?? attempt.now(),
    list: (from) => listUploads(attempt, playlistId, from),
    id: ({ videoId }) => videoId,
    at: ({ at }) => at,
    match(upload, { title = '', description = '' }) {
      if (comparable(upload.title) !== comparable(title)) return null
      return comparable(upload.description) === comparable(description) ? 'same' : 'similar'
    },
    meaningOf: (answer) => meaningOf(answer, attempt.now()),
  })
  return found.kind === 'entry' ? { kind: 'found', videoId: found.entry.videoId } : found
}

async function listUploads(attempt: Attempt, playlistId: string, from: Date) {
  const query = { part: 'snippet,contentDetails', playlistId, maxResults: String(PAGE_SIZE) }
  const listed = await pages(
    MAX_PAGES,
    (pageToken) => askUploads(attempt, { ...query, ...(pageToken === null ? {} : { pageToken }) }),
    // Newest first: behind a page without anything new there is nothing new.
    (uploads) => uploads.length > 0 && uploads.slice(-PAGE_SIZE).every(({ at }) => at !== null && at < from),
  )
  // The playlist of a channel comes to be with its first upload.
  const isMissing = listed.kind === 'refused' && parseError(listed.answer).reason === 'playlistNotFound'
  return isMissing ? { kind: 'ok' as const, value: { entries: [], whole: true } } : listed
}
