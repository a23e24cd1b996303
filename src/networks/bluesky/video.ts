import { MINUTE_MS } from '#contract/durations'
import type { Called } from '../kit/api.ts'
import type { Meaning } from '../kit/errors.ts'
import type { HttpAnswer } from '../kit/http.ts'
import { fittedImage } from '../kit/images.ts'
import { failedPreparing, retryFrom, whilePreparing } from '../kit/outcomes.ts'
import { type Stop, stopAfter } from '../kit/pending.ts'
import { fittedVideo } from '../kit/videos.ts'
import type { Attempt, MediaSource } from '../network.ts'
import { errors, fullDay, parseError } from './outcomes.ts'
import { VIDEO_TYPES } from './rules.ts'
import { choosePlace, readState } from './state.ts'
import { call, readDid, readServiceToken, readUploadLimits, readVideoJob, type VideoJob } from './wire.ts'

/** Longest time for one file. */
export const UPLOAD_MS = 10 * MINUTE_MS
/** Pause between two questions to the video service. */
const VIDEO_PAUSE_MS = 1_500
/** The server lets a token for one call of another service live for so long. */
const SERVICE_TOKEN_SECONDS = 30 * 60
/** What passes by itself is tried so many times again. */
const SERVICE_RETRIES = 3
/** A question that nothing hangs on. */
const LIMITS_MS = 15_000

/** An animated GIF moves in its own form alone. */
const MOVING = { mimeTypes: ['image/gif'] }
const NAMES: Readonly<Record<string, string>> = { 'video/webm': 'webm', 'video/mpeg': 'mpeg', 'image/gif': 'gif' }

/** Reasons of a job that lie in the file (`app.bsky.video.defs#jobStatus`); all others pass by themselves. */
const FINAL_FAILURES = ['validation_failure', 'pds_upload_unsupported_blob_size', 'unsupported_blob_size']

/** The video service does not take the video; the server of the account may. */
const declined = (why: string) => ({ kind: 'declined', why }) as const
type Declined = ReturnType<typeof declined>
/** Null: it is there. */
type Outcome = Promise<Stop | Declined | null>

/** By the video service, which checks and converts the video and puts it on the account's server. */
export async function uploadByService(attempt: Attempt, source: MediaSource): Outcome {
  const running = readState(attempt.handles).videoJob
  return running === null ? startJob(attempt, source) : askForJob(attempt, running)
}

async function startJob(attempt: Attempt, source: MediaSource): Outcome {
  const isGif = source.facts.mimeType === 'image/gif'
  // The MP4 can be downloaded by everyone, so it must not show where it was taken.
  const file = isGif ? await fittedImage(source, MOVING) : await fittedVideo(source, { mimeTypes: VIDEO_TYPES })
  if ('kind' in file) return file
  const full = afterLimits(attempt, await askLimits(attempt), file.facts.bytes)
  if (full) return full
  const server = await call(attempt, 'com.atproto.server.describeServer', { parse: readDid })
  if (server.kind === 'failed') return failedPreparing(server)
  if (server.kind === 'refused') return retryFrom('prepare', 'The server of the account does not say who it is.')
  const token = await serviceToken(attempt, server.value.did, 'com.atproto.repo.uploadBlob')
  if (token.kind !== 'ok') return token.kind === 'failed' ? failedPreparing(token) : withoutToken(attempt, token.answer)
  const { rkey } = await choosePlace(attempt)
  const sent = await call(attempt, 'app.bsky.video.uploadVideo', {
    host: attempt.endpoint('video'),
    token: token.value.token,
    query: { did: attempt.account.externalId, name: `${rkey}.${NAMES[file.facts.mimeType] ?? 'mp4'}` },
    file: { source: file },
    timeoutMs: UPLOAD_MS,
    parse: readVideoJob,
  })
  if (sent.kind === 'failed') return again(attempt, sent.message)
  // The same bytes were sent before: the service says so as an error, and names the job that has them.
  const job = sent.kind === 'ok' ? sent.value : readVideoJob(sent.answer.json)
  if (sent.kind === 'refused' && job?.error !== 'already_exists') return afterRefusal(attempt, sent.answer)
  if (!job) throw new TypeError('An upload that was taken has a job.')
  await attempt.store({ videoJob: job.jobId })
  return afterJob(attempt, job)
}

async function askForJob(attempt: Attempt, jobId: string): Outcome {
  const host = attempt.endpoint('video')
  const asked = await call(attempt, 'app.bsky.video.getJobStatus', { host, query: { jobId }, parse: readVideoJob })
  const job = asked.kind === 'ok' ? asked.value : asked.kind === 'refused' ? readVideoJob(asked.answer.json) : undefined
  if (job) return afterJob(attempt, job)
  const status = asked.kind === 'refused' ? asked.answer.status : 0
  if (asked.kind !== 'ok' && (status < 400 || status >= 500 || status === 429)) return stopAfter(attempt, asked, errors)
  return again(attempt, 'The video service of Bluesky no longer knows the upload.')
}

/** A blob means done, by any name of the state; unknown states mean that it is being worked on. */
async function afterJob(attempt: Attempt, job: VideoJob): Outcome {
  if (job.blob) {
    await attempt.store({ blobs: [...readState(attempt.handles).blobs, job.blob] })
    return null
  }
  if (job.state !== 'JOB_STATE_FAILED') {
    return { kind: 'waiting', askAgainAt: new Date(attempt.now().getTime() + VIDEO_PAUSE_MS) }
  }
  const { failureCode = '' } = job
  const why = job.message ?? job.failureCode ?? job.error ?? 'no reason given'
  const message = `Bluesky could not use the video (${why}). Use another file.`
  const refused = { kind: 'refused', reason: 'UNKNOWN_MEDIA_ERROR', message } as const
  if (FINAL_FAILURES.includes(failureCode)) return refused
  const last = failureCode === 'pds_upload_failure' ? undefined : refused
  return again(attempt, `The video service of Bluesky failed (${why}).`, last)
}

/** What a refusal of the video service leads to: what is not known to be final is tried again with a new token. */
async function afterRefusal(attempt: Attempt, answer: HttpAnswer): Outcome {
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
function afterAccountRefusal(attempt: Attempt, meaning: Meaning): Stop | Declined {
  const { hostname } = new URL(attempt.endpoint('pds'))
  const isOwn = hostname === 'bsky.social' || hostname.endsWith('.bsky.network')
  return isOwn ? whilePreparing(meaning) : declined(meaning.message)
}

/** Tries again with a new upload, a few times; then `last`, or the server of the account is asked. */
async function again(attempt: Attempt, message: string, last?: Stop): Outcome {
  const faults = readState(attempt.handles).videoFaults + 1
  await attempt.store({ videoFaults: faults, videoJob: null })
  if (faults <= SERVICE_RETRIES) return retryFrom('prepare', message)
  return last ?? declined(message)
}

type Asking = Pick<Attempt, 'endpoint' | 'setting' | 'http' | 'signal' | 'credentials' | 'now'>

/** Asks how much the account may still upload. Where that is not known, the upload shows it. */
export async function askLimits(asking: Asking) {
  const host = asking.endpoint('video')
  const lexicon = 'app.bsky.video.getUploadLimits'
  const token = await serviceToken(asking, `did:web:${encodeURIComponent(new URL(host).host)}`, lexicon)
  if (token.kind !== 'ok') return token
  return call(asking, lexicon, { host, token: token.value.token, timeoutMs: LIMITS_MS, parse: readUploadLimits })
}

type Limits = Awaited<ReturnType<typeof askLimits>>

/** Null when the file fits. */
function afterLimits(attempt: Attempt, limits: Limits, size: number): Stop | Declined | null {
  if (limits.kind !== 'ok') return null
  const { canUpload, videos, bytes, error: name, message } = limits.value
  if (canUpload && (videos ?? 1) > 0 && (bytes ?? size) >= size) return null
  const now = attempt.now()
  const known = canUpload ? undefined : errors.classifyError({ status: 400, name, message, headers: {} }, now)
  if (known?.video === 'account') return afterAccountRefusal(attempt, known.meaning)
  return whilePreparing(fullDay(null, now))
}

/**
 * A token with which the service may call one method, and do nothing else: of the account's server that it puts the blob
 * there, of the service itself that it answers.
 */
function serviceToken(asking: Asking, aud: string, lxm: string): Promise<Called<{ token: string }>> {
  const exp = Math.floor(asking.now().getTime() / 1000) + SERVICE_TOKEN_SECONDS - 60
  return call(asking, 'com.atproto.server.getServiceAuth', {
    token: asking.credentials.accessJwt,
    query: { aud, lxm, exp: String(exp) },
    parse: readServiceToken,
  })
}

function withoutToken(attempt: Attempt, answer: HttpAnswer): Stop | Declined {
  const { meaning, known } = errors.classify(answer, attempt.now())
  if (meaning.kind === 'refused' && !known) return declined('The server of the account gives no token for it.')
  // Whether the sign-in is over, the refresh shows.
  return whilePreparing(meaning.kind === 'reconnect' ? { ...meaning, mayRefresh: true } : meaning)
}
