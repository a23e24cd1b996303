import type { HttpAnswer } from '../kit/http.ts'
import { failedPreparing, retryFrom, whilePreparing } from '../kit/outcomes.ts'
import { type Stop, stopAfter } from '../kit/pending.ts'
import { fittedVideo } from '../kit/videos.ts'
import type { Attempt, MediaSource } from '../network.ts'
import { call } from './api.ts'
import { choosePlace, readState } from './handles.ts'
import { VIDEO_TYPES } from './moving.ts'
import { errors } from './outcomes.ts'
import {
  parseError,
  readServer,
  readServiceToken,
  readUploadLimits,
  readVideoJob,
  type UploadLimits,
  type VideoJob,
} from './wire.ts'

/** Longest time for one file. */
export const UPLOAD_MS = 10 * 60_000
/** Pause between two questions to the video service. */
const VIDEO_PAUSE_MS = 1_500
/** The server lets a token for one call of another service live for so long. */
const SERVICE_TOKEN_SECONDS = 30 * 60
/** What passes by itself is tried so many times again. */
const SERVICE_RETRIES = 3
/** A question that nothing hangs on. */
const LIMITS_MS = 15_000

const NAMES: Readonly<Record<string, string>> = {
  'video/webm': 'webm',
  'video/mpeg': 'mpeg',
  'image/gif': 'gif',
}

/** Reasons of a job that lie in the file (`app.bsky.video.defs#jobStatus`); all others pass by themselves. */
const FINAL_FAILURES = new Set(['validation_failure', 'pds_upload_unsupported_blob_size', 'unsupported_blob_size'])

/** The video service does not take the video; the server of the account may. */
export interface Declined {
  kind: 'declined'
  why: string
}
const declined = (why: string): Declined => ({ kind: 'declined', why })

/** By the video service, which checks and converts the video and puts it on the account's server. Null when it is there. */
export async function uploadByService(attempt: Attempt, source: MediaSource): Promise<Stop | Declined | null> {
  const running = readState(attempt.handles).videoJob
  return running === null ? startJob(attempt, source) : askForJob(attempt, running)
}

async function startJob(attempt: Attempt, source: MediaSource): Promise<Stop | Declined | null> {
  const isGif = source.facts.mimeType === 'image/gif'
  // The MP4 can be downloaded by everyone, so it must not show where it was taken.
  const file = isGif ? source : await fittedVideo(source, { mimeTypes: VIDEO_TYPES })
  if ('kind' in file) return file
  const full = await checkLimits(attempt, file.facts.bytes)
  if (full) return full
  const { externalId } = attempt.account
  const server = await describeServer(attempt)
  if (typeof server !== 'string') return server
  const token = await serviceToken(attempt, server, 'com.atproto.repo.uploadBlob')
  if (typeof token !== 'string') return token
  const { rkey } = await choosePlace(attempt)
  const sent = await call(attempt, attempt.endpoint('video'), 'app.bsky.video.uploadVideo', {
    method: 'POST',
    token,
    query: { did: externalId, name: `${rkey}.${NAMES[file.facts.mimeType] ?? 'mp4'}` },
    file: { source: file },
    timeoutMs: UPLOAD_MS,
    parse: readVideoJob,
  })
  // The same bytes were sent before: the service says so as an error, and names the job that has them.
  const known = sent.kind === 'refused' ? readVideoJob(sent.answer.json) : undefined
  const job = sent.kind === 'ok' ? sent.value : known
  if (job && (sent.kind === 'ok' || job.error === 'already_exists')) {
    await attempt.store({ videoJob: job.jobId })
    return afterJob(attempt, job)
  }
  if (sent.kind === 'failed') return again(attempt, sent.message)
  if (sent.kind === 'ok') throw new TypeError('An upload that was taken has a job.')
  return afterRefusal(attempt, sent.answer)
}

async function askForJob(attempt: Attempt, jobId: string): Promise<Stop | Declined | null> {
  const host = attempt.endpoint('video')
  const asked = await call(attempt, host, 'app.bsky.video.getJobStatus', { query: { jobId }, parse: readVideoJob })
  if (asked.kind === 'ok') return afterJob(attempt, asked.value)
  const known = asked.kind === 'refused' ? readVideoJob(asked.answer.json) : undefined
  if (known) return afterJob(attempt, known)
  const isGone = ({ status }: HttpAnswer) => status >= 400 && status < 500 && status !== 429
  if (asked.kind === 'failed' || !isGone(asked.answer)) return stopAfter(attempt, asked, errors)
  return again(attempt, 'The video service of Bluesky no longer knows the upload.')
}

/** A blob means done, whatever the state is called; states that nobody knows mean that it is being worked on. */
async function afterJob(attempt: Attempt, job: VideoJob): Promise<Stop | Declined | null> {
  if (job.blob) {
    await attempt.store({ blobs: [...readState(attempt.handles).blobs, job.blob] })
    return null
  }
  if (job.state !== 'JOB_STATE_FAILED') {
    return { kind: 'waiting', askAgainAt: new Date(attempt.now().getTime() + VIDEO_PAUSE_MS) }
  }
  const why = job.message ?? job.failureCode ?? job.error ?? 'no reason given'
  const refused = {
    kind: 'refused',
    reason: 'UNKNOWN_MEDIA_ERROR',
    message: `Bluesky could not use the video (${why}). Use another file.`,
  } as const
  if (FINAL_FAILURES.has(job.failureCode ?? '')) return refused
  const words = `The video service of Bluesky failed (${why}).`
  const mayBeServer = job.failureCode === 'pds_upload_failure'
  return again(attempt, words, mayBeServer ? undefined : refused)
}

/** What a refusal of the video service leads to: what is not known to be final is tried again with a new token. */
async function afterRefusal(attempt: Attempt, answer: HttpAnswer): Promise<Stop | Declined> {
  const { meaning, video } = errors.classify(answer, attempt.now())
  if (meaning.kind === 'wait' || video === 'file') return whilePreparing(meaning)
  if (video === 'account') return afterAccountRefusal(attempt, meaning)
  const { status, name } = parseError(answer)
  const words = `The video service of Bluesky refused the upload (${name ?? `status ${status}`}).`
  return status === 413 ? declined(words) : again(attempt, words)
}

/**
 * The service refuses the account. On Bluesky's own servers its owner can settle that, and a video that the service never
 * saw would stay invisible. Accounts elsewhere may have nothing to settle, such as no mail to confirm an address by.
 */
function afterAccountRefusal(attempt: Attempt, meaning: Parameters<typeof whilePreparing>[0]): Stop | Declined {
  const { hostname } = new URL(attempt.endpoint('pds'))
  const isOwn = hostname === 'bsky.social' || hostname.endsWith('.bsky.network')
  return isOwn ? whilePreparing(meaning) : declined(meaning.message)
}

/** Tries again with a new upload, a few times; then `last`, or the server of the account is asked. */
async function again(attempt: Attempt, message: string, last?: Stop): Promise<Stop | Declined> {
  const faults = readState(attempt.handles).videoFaults + 1
  await attempt.store({ videoFaults: faults, videoJob: null })
  if (faults <= SERVICE_RETRIES) return retryFrom('prepare', message)
  return last ?? declined(message)
}

/** Asks how much the account may still upload. Null when the file fits, or nobody knows: then the upload shows it. */
async function checkLimits(attempt: Attempt, bytes: number): Promise<Stop | Declined | null> {
  const host = attempt.endpoint('video')
  const audience = `did:web:${encodeURIComponent(new URL(host).host)}`
  const token = await serviceToken(attempt, audience, 'app.bsky.video.getUploadLimits')
  if (typeof token !== 'string') return token.kind === 'reconnect' ? token : null
  const asked = await call(attempt, host, 'app.bsky.video.getUploadLimits', {
    token,
    timeoutMs: LIMITS_MS,
    parse: readUploadLimits,
  })
  return asked.kind === 'ok' ? afterLimits(attempt, asked.value, bytes) : null
}

function afterLimits(attempt: Attempt, limits: UploadLimits, bytes: number): Stop | Declined | null {
  const { canUpload, remainingDailyVideos = 1, remainingDailyBytes = bytes, error, message = '' } = limits
  if (canUpload && remainingDailyVideos > 0 && remainingDailyBytes >= bytes) return null
  const named = (name: string) => errors.classifyError({ status: 400, name, message, headers: {} }, attempt.now())
  const known = canUpload || error === undefined ? undefined : named(error)
  if (known?.video === 'account') return afterAccountRefusal(attempt, known.meaning)
  const full = named('DailyLimitExceeded')
  if (!full) throw new TypeError('The daily limit has no row.')
  return whilePreparing(full.meaning)
}

/** The DID of the account's server, for which the token of the upload is made out. */
async function describeServer(attempt: Attempt): Promise<string | Stop> {
  const server = await call(attempt, attempt.endpoint('pds'), 'com.atproto.server.describeServer', {
    parse: readServer,
  })
  if (server.kind === 'ok') return server.value.did
  if (server.kind === 'failed') return failedPreparing(server)
  return retryFrom('prepare', 'The server of the account does not say who it is.')
}

/**
 * A token with which the service may call one method, and do nothing else: of the account's server that it puts the blob
 * there, of the service itself that it answers.
 */
async function serviceToken(attempt: Attempt, aud: string, lxm: string): Promise<string | Stop | Declined> {
  const asked = await call(attempt, attempt.endpoint('pds'), 'com.atproto.server.getServiceAuth', {
    token: attempt.credentials.accessJwt,
    query: { aud, lxm, exp: String(Math.floor(attempt.now().getTime() / 1000) + SERVICE_TOKEN_SECONDS - 60) },
    parse: readServiceToken,
  })
  if (asked.kind === 'ok') return asked.value.token
  if (asked.kind === 'failed') return failedPreparing(asked)
  const { meaning, known } = errors.classify(asked.answer, attempt.now())
  if (meaning.kind === 'refused' && !known) return declined('The server of the account gives no token for it.')
  // Whether the sign-in is over, the refresh shows.
  return whilePreparing(meaning.kind === 'reconnect' ? { ...meaning, mayRefresh: true } : meaning)
}
