import { failedPreparing, retryFrom, whilePreparing } from '../kit/outcomes.ts'
import type { Attempt, PrepareOutcome } from '../network.ts'
import { videoIn } from './fields.ts'
import { lookInUploads } from './lookup.ts'
import { limits } from './manifest.ts'
import { meaningOf } from './outcomes.ts'
import { openSession, probe, QUANTUM, sendPiece } from './session.ts'
import { dropped, keepVideo, readState } from './state.ts'
import { ask, parseChannels } from './wire.ts'

const MINUTE = 60_000
/** Few requests for a large file, and not much to send again when one breaks. */
const PIECE_BYTES = 64 * QUANTUM
/** A piece of 16 MB needs more than 0.7 Mbit/s for this. */
const PIECE_MS = 3 * MINUTE
/** A turn ends before the step's own limit, so that a long upload goes on in the next. */
const TURN_MS = 4 * MINUTE
/** How long a session lives is not documented; a week is said to be common. One that nothing came of is not kept so long. */
const SESSION_MS = 24 * 60 * MINUTE

type Stop = Exclude<PrepareOutcome, { kind: 'ready' }>
type Opened =
  /** A session that takes the file, and how much of it is there. */
  | { kind: 'open'; session: string; bytes: number }
  /** The video is there already. */
  | { kind: 'made' }
  | Stop

/**
 * Sends the file but for its last piece. Nothing of it is visible, and nothing is ever made of it without the last
 * piece. How much of the file has arrived is asked at each turn, so that it goes on wherever it was broken off.
 */
export async function prepare(attempt: Attempt): Promise<PrepareOutcome> {
  if (readState(attempt.handles).videoId !== null) return { kind: 'ready' }
  const opened = (await resume(attempt)) ?? (await begin(attempt))
  if (opened.kind === 'made') return { kind: 'ready' }
  return opened.kind === 'open' ? send(attempt, opened) : opened
}

/** The session that there is; null when a new one is needed, which is only when the old one makes no video any more. */
async function resume(attempt: Attempt): Promise<Opened | null> {
  const { session, openedAt } = readState(attempt.handles)
  if (session === null) return null
  const progress = await probe(attempt, session)
  switch (progress.kind) {
    case 'done':
      await keepVideo(attempt, progress.video.id)
      return { kind: 'made' }
    case 'holds': {
      const age = attempt.now().getTime() - (openedAt ?? attempt.now()).getTime()
      // Once the last piece may have been sent, another one is sent to no other session than this.
      if (age > SESSION_MS && attempt.fencedAt === null) break
      return { kind: 'open', session, bytes: progress.bytes }
    }
    case 'gone': {
      if (attempt.fencedAt === null) break
      const found = await lookInUploads(attempt)
      if (found.kind === 'reconnect') return found
      if (found.kind === 'cannot-tell') return retryFrom('prepare', found.message)
      if (found.kind === 'absent') break
      await keepVideo(attempt, found.videoId)
      return { kind: 'made' }
    }
    case 'failed':
      return failedPreparing(progress)
    case 'refused':
      return whilePreparing(meaningOf(progress.answer, attempt.now()))
  }
  await attempt.store(dropped)
  return null
}

async function begin(attempt: Attempt): Promise<Opened> {
  const tooLong = await checkLength(attempt)
  if (tooLong) return tooLong
  const opened = await openSession(attempt)
  if (opened.kind === 'failed') return failedPreparing(opened)
  if (opened.kind === 'refused') return whilePreparing(meaningOf(opened.answer, attempt.now()))
  await attempt.store({ session: opened.value, openedAt: attempt.now().toISOString(), sent: null })
  return { kind: 'open', session: opened.value, bytes: 0 }
}

/**
 * Channels that are not verified have short videos only; others would be rejected after the whole upload. A channel that
 * may not be read is no reason not to upload.
 */
async function checkLength(attempt: Attempt): Promise<Stop | null> {
  const { durationMs } = videoIn(attempt.post).facts
  const limit = limits.unverifiedSeconds.value
  if (durationMs === null || durationMs <= limit * 1000) return null
  const asked = await ask(attempt, {
    path: 'channels',
    query: { part: 'id,status', id: attempt.account.externalId },
    parse: parseChannels,
  })
  if (asked.kind === 'failed') return failedPreparing(asked)
  if (asked.kind === 'refused') {
    const meaning = meaningOf(asked.answer, attempt.now())
    return meaning.kind === 'reconnect' && !meaning.mayRefresh ? null : whilePreparing(meaning)
  }
  const status = asked.value[0]?.longUploads ?? null
  if (status !== 'disallowed' && status !== 'eligible') return null
  return {
    kind: 'refused',
    reason: 'UNKNOWN_MEDIA_ERROR',
    message: `The video lasts ${Math.round(durationMs / 60_000)} minutes, and YouTube takes at most ${limit / 60} from a channel that is not verified. Verify the channel by phone at youtube.com/verify, or cut the video.`,
  }
}

/** Sends pieces until the last one is left. */
async function send(attempt: Attempt, { session, bytes }: { session: string; bytes: number }): Promise<PrepareOutcome> {
  const total = videoIn(attempt.post).facts.bytes
  const until = attempt.now().getTime() + TURN_MS
  let sent = bytes
  while (total - sent > QUANTUM) {
    if (attempt.now().getTime() >= until) return { kind: 'waiting', askAgainAt: attempt.now() }
    const size = Math.min(PIECE_BYTES, Math.floor((total - sent - 1) / QUANTUM) * QUANTUM)
    const progress = await sendPiece(attempt, session, { start: sent, end: sent + size, timeoutMs: PIECE_MS })
    switch (progress.kind) {
      case 'holds':
        if (progress.bytes <= sent) return retryFrom('prepare', 'YouTube did not take a piece of the file.')
        // It may have taken less than it was sent.
        sent = progress.bytes
        break
      case 'done':
        await keepVideo(attempt, progress.video.id)
        return { kind: 'ready' }
      case 'gone':
        return retryFrom('prepare', 'The upload to YouTube is over before its end; it begins anew.')
      case 'failed':
        return failedPreparing(progress)
      case 'refused':
        return whilePreparing(meaningOf(progress.answer, attempt.now()))
    }
  }
  if (readState(attempt.handles).sent !== sent) await attempt.store({ sent })
  return { kind: 'ready' }
}
