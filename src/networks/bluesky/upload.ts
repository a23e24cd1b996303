import type { Attempt, MediaSource, PrepareOutcome } from '../network.ts'
import type { HttpResult } from '../toolkit/http.ts'
import { failedPreparing, retryFrom, whilePreparing } from '../toolkit/outcomes.ts'
import { fittedVideo } from '../toolkit/videos.ts'
import { blobsOf, choosePlace, videoJobOf } from './handles.ts'
import { imageToSend } from './images.ts'
import { blueskyErrors } from './outcomes.ts'
import { readServer, readServiceToken, readUploadedBlob, readVideoJob, type VideoJob } from './wire.ts'

/** Longest time for one file. */
const UPLOAD_MS = 10 * 60_000
/** Pause between two questions to the video service. */
const VIDEO_PAUSE_MS = 1_500
/** The server lets a token for one call of another service live for so long. */
const SERVICE_TOKEN_SECONDS = 30 * 60

/** Uploads what is not uploaded yet. Null when everything is there. */
export async function uploadMedia(attempt: Attempt): Promise<Exclude<PrepareOutcome, { kind: 'ready' }> | null> {
  for (const { facts, source } of attempt.post.media.slice(blobsOf(attempt.handles).length)) {
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
  const answer = await send(attempt, file, {
    url: `${attempt.endpoint('pds')}/xrpc/com.atproto.repo.uploadBlob`,
    token: attempt.credentials.accessJwt ?? '',
  })
  if (answer.kind === 'failed') return failedPreparing(answer)
  if (answer.status !== 200) return whilePreparing(blueskyErrors.lookUp(answer, attempt.now()).meaning)
  const uploaded = readUploadedBlob(answer.json)
  if (uploaded?.blob.size !== file.facts.bytes) {
    return retryFrom('prepare', 'Bluesky answered an upload in a way that could not be understood.')
  }
  await attempt.store({ blobs: [...blobsOf(attempt.handles), uploaded.blob] })
  return null
}

/** By the video service, which checks and converts the video and puts it on the account's server. */
async function uploadByService(attempt: Attempt, source: MediaSource) {
  const running = videoJobOf(attempt.handles)
  return running === null ? startJob(attempt, source) : askForJob(attempt, running)
}

async function startJob(attempt: Attempt, source: MediaSource) {
  const file = await videoToSend(source)
  if ('kind' in file) return file
  const { externalId } = attempt.account
  const token = await serviceToken(attempt)
  if (typeof token !== 'string') return token
  const { rkey } = await choosePlace(attempt)
  const query = new URLSearchParams({ did: externalId, name: `${rkey}.mp4` })
  const url = `${attempt.endpoint('video')}/xrpc/app.bsky.video.uploadVideo?${query}`
  const answer = await send(attempt, file, { url, token })
  if (answer.kind === 'failed') return failedPreparing(answer)
  const job = readVideoJob(answer.json)
  // The same bytes were sent before: the service says so as an error, and names the job that has them.
  if (job && (answer.status === 200 || job.error === 'already_exists')) {
    await attempt.store({ videoJob: job.jobId })
    return afterJob(attempt, job)
  }
  if (answer.status === 200) {
    return retryFrom('prepare', 'The video service of Bluesky answered in a way that could not be understood.')
  }
  return whilePreparing(blueskyErrors.lookUp(answer, attempt.now()).meaning)
}

async function askForJob(attempt: Attempt, jobId: string) {
  const query = new URLSearchParams({ jobId })
  const url = `${attempt.endpoint('video')}/xrpc/app.bsky.video.getJobStatus?${query}`
  const answer = await attempt.http({ method: 'GET', url, signal: attempt.signal })
  if (answer.kind === 'failed') return failedPreparing(answer)
  if (answer.status === 404 || (answer.status === 400 && readVideoJob(answer.json) === null)) {
    await attempt.store({ videoJob: null })
    return retryFrom('prepare', 'The video service of Bluesky no longer knows the upload; it is made again.')
  }
  if (answer.status !== 200) return whilePreparing(blueskyErrors.lookUp(answer, attempt.now()).meaning)
  const job = readVideoJob(answer.json)
  if (!job) return retryFrom('prepare', 'The video service of Bluesky answered in a way that could not be understood.')
  return afterJob(attempt, job)
}

/** A blob means done, whatever the state is called; states that nobody knows mean that it is being worked on. */
async function afterJob(attempt: Attempt, job: VideoJob) {
  if (job.blob) {
    await attempt.store({ blobs: [...blobsOf(attempt.handles), job.blob] })
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
  const { signal } = attempt
  const pds = attempt.endpoint('pds')
  const described = await attempt.http({ method: 'GET', url: `${pds}/xrpc/com.atproto.server.describeServer`, signal })
  if (described.kind === 'failed') return failedPreparing(described)
  const server = described.status === 200 ? readServer(described.json) : null
  if (!server) return retryFrom('prepare', 'The server of the account does not say who it is.')
  const query = new URLSearchParams({
    aud: server.did,
    lxm: 'com.atproto.repo.uploadBlob',
    exp: String(Math.floor(attempt.now().getTime() / 1000) + SERVICE_TOKEN_SECONDS - 60),
  })
  const answer = await attempt.http({
    method: 'GET',
    url: `${pds}/xrpc/com.atproto.server.getServiceAuth?${query}`,
    headers: { authorization: `Bearer ${attempt.credentials.accessJwt}` },
    signal,
  })
  if (answer.kind === 'failed') return failedPreparing(answer)
  if (answer.status !== 200) {
    const { meaning } = blueskyErrors.lookUp(answer, attempt.now())
    // Whether the sign-in is over, the refresh tells.
    return whilePreparing(meaning.kind === 'reconnect' ? { ...meaning, mayRefresh: true } : meaning)
  }
  return (
    readServiceToken(answer.json)?.token ??
    retryFrom('prepare', 'The server of the account gave no token for the video service.')
  )
}

async function send(attempt: Attempt, file: MediaSource, to: { url: string; token: string }): Promise<HttpResult> {
  const body = await file.open()
  try {
    return await attempt.http({
      method: 'POST',
      url: to.url,
      headers: {
        authorization: `Bearer ${to.token}`,
        'content-type': file.facts.mimeType,
        'content-length': String(file.facts.bytes),
      },
      body,
      signal: attempt.signal,
      timeoutMs: UPLOAD_MS,
    })
  } finally {
    body.destroy()
  }
}
