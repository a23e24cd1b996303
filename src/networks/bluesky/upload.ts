import type { HttpAnswer } from '../kit/http.ts'
import { failedPreparing, retryFrom, whilePreparing } from '../kit/outcomes.ts'
import { type Stop, stopAfter } from '../kit/pending.ts'
import { fittedVideo } from '../kit/videos.ts'
import type { Attempt, MediaSource } from '../network.ts'
import { call } from './api.ts'
import { choosePlace, readState } from './handles.ts'
import { imageToSend } from './images.ts'
import { errors } from './outcomes.ts'
import { readServer, readServiceToken, readUploadedBlob, readVideoJob, type VideoJob } from './wire.ts'

/** Longest time for one file. */
const UPLOAD_MS = 10 * 60_000
/** Pause between two questions to the video service. */
const VIDEO_PAUSE_MS = 1_500
/** The server lets a token for one call of another service live for so long. */
const SERVICE_TOKEN_SECONDS = 30 * 60

/** Uploads what is not uploaded yet. Null when everything is there. */
export async function uploadMedia(attempt: Attempt): Promise<Stop | null> {
  for (const { facts, source } of attempt.post.media.slice(readState(attempt.handles).blobs.length)) {
    const byService = facts.type === 'VIDEO' && attempt.credentials.video === 'service'
    const trouble = byService ? await uploadByService(attempt, source) : await uploadToServer(attempt, source)
    if (trouble) return trouble
  }
  return null
}

/** Everybody can download a video as it was uploaded, so it goes out without the place where it was taken. */
function videoToSend(source: MediaSource) {
  return fittedVideo(source, { mimeTypes: ['video/mp4'] })
}

/** Straight to the server of the account. Blobs are known by their content, so a repeated upload is the same blob. */
async function uploadToServer(attempt: Attempt, source: MediaSource) {
  const file = source.facts.type === 'IMAGE' ? await imageToSend(source) : await videoToSend(source)
  if ('kind' in file) return file
  const sent = await call(attempt, attempt.endpoint('pds'), 'com.atproto.repo.uploadBlob', {
    method: 'POST',
    token: attempt.credentials.accessJwt,
    file: { source: file },
    timeoutMs: UPLOAD_MS,
    parse: readUploadedBlob,
  })
  if (sent.kind !== 'ok') return stopAfter(attempt, sent, errors)
  const { blob } = sent.value
  if (blob.size !== file.facts.bytes) {
    return retryFrom('prepare', 'Bluesky answered an upload in a way that could not be understood.')
  }
  await attempt.store({ blobs: [...readState(attempt.handles).blobs, blob] })
  return null
}

/** By the video service, which checks and converts the video and puts it on the account's server. */
async function uploadByService(attempt: Attempt, source: MediaSource) {
  const running = readState(attempt.handles).videoJob
  return running === null ? startJob(attempt, source) : askForJob(attempt, running)
}

async function startJob(attempt: Attempt, source: MediaSource) {
  const file = await videoToSend(source)
  if ('kind' in file) return file
  const { externalId } = attempt.account
  const token = await serviceToken(attempt)
  if (typeof token !== 'string') return token
  const { rkey } = await choosePlace(attempt)
  const sent = await call(attempt, attempt.endpoint('video'), 'app.bsky.video.uploadVideo', {
    method: 'POST',
    token,
    query: { did: externalId, name: `${rkey}.mp4` },
    file: { source: file },
    timeoutMs: UPLOAD_MS,
    parse: readVideoJob,
  })
  // The same bytes were sent before: the service says so as an error, and names the job that has them.
  const known = sent.kind === 'refused' ? readVideoJob(sent.answer.json) : undefined
  if (sent.kind !== 'ok' && known?.error !== 'already_exists') return stopAfter(attempt, sent, errors)
  const job = sent.kind === 'ok' ? sent.value : known
  if (!job) throw new TypeError('An upload that was taken has a job.')
  await attempt.store({ videoJob: job.jobId })
  return afterJob(attempt, job)
}

async function askForJob(attempt: Attempt, jobId: string) {
  const host = attempt.endpoint('video')
  const asked = await call(attempt, host, 'app.bsky.video.getJobStatus', { query: { jobId }, parse: readVideoJob })
  if (asked.kind === 'ok') return afterJob(attempt, asked.value)
  const isGone = ({ status, json }: HttpAnswer) => status === 404 || (status === 400 && !readVideoJob(json))
  if (asked.kind === 'failed' || !isGone(asked.answer)) return stopAfter(attempt, asked, errors)
  await attempt.store({ videoJob: null })
  return retryFrom('prepare', 'The video service of Bluesky no longer knows the upload; it is made again.')
}

/** A blob means done, whatever the state is called; states that nobody knows mean that it is being worked on. */
async function afterJob(attempt: Attempt, job: VideoJob) {
  if (job.blob) {
    await attempt.store({ blobs: [...readState(attempt.handles).blobs, job.blob] })
    return null
  }
  if (job.state !== 'JOB_STATE_FAILED') {
    return { kind: 'waiting', askAgainAt: new Date(attempt.now().getTime() + VIDEO_PAUSE_MS) } as const
  }
  const why = job.message ?? job.failureCode ?? job.error ?? 'no reason given'
  if (job.failureCode === 'pds_upload_failure' || job.failureCode === 'generic_failure') {
    await attempt.store({ videoJob: null })
    return retryFrom('prepare', `The video service of Bluesky failed (${why}).`)
  }
  return {
    kind: 'refused',
    reason: 'UNKNOWN_MEDIA_ERROR',
    message: `Bluesky could not use the video (${why}). Use another file.`,
  } as const
}

/** A token with which the video service may put the blob on the account's server, and do nothing else. */
async function serviceToken(attempt: Attempt) {
  const pds = attempt.endpoint('pds')
  const server = await call(attempt, pds, 'com.atproto.server.describeServer', { parse: readServer })
  if (server.kind === 'failed') return failedPreparing(server)
  if (server.kind === 'refused') return retryFrom('prepare', 'The server of the account does not say who it is.')
  const asked = await call(attempt, pds, 'com.atproto.server.getServiceAuth', {
    token: attempt.credentials.accessJwt,
    query: {
      aud: server.value.did,
      lxm: 'com.atproto.repo.uploadBlob',
      exp: String(Math.floor(attempt.now().getTime() / 1000) + SERVICE_TOKEN_SECONDS - 60),
    },
    parse: readServiceToken,
  })
  if (asked.kind === 'ok') return asked.value.token
  if (asked.kind === 'failed') return failedPreparing(asked)
  const { meaning } = errors.lookUp(asked.answer, attempt.now())
  // Whether the sign-in is over, the refresh tells.
  return whilePreparing(meaning.kind === 'reconnect' ? { ...meaning, mayRefresh: true } : meaning)
}
