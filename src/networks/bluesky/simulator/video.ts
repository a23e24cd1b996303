import { createHash, randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { fileTypeFromBuffer } from 'file-type'
import type { SimulatedAnswer } from '../../kit/faults.ts'
import type { SimulatorDeps } from '../../kit/simulation.ts'
import type { Blob } from '../wire.ts'
import type { Account, Accounts } from './accounts.ts'
import { readBytes, refusal } from './answers.ts'
import type { Blobs } from './blobs.ts'
import { isAnswer } from './tokens.ts'

interface Job {
  jobId: string
  did: string
  startedAt: string
  /** Null when the work on it fails. */
  blob: Blob | null
}

/** What an account has uploaded on a day. */
interface Used {
  videos: number
  bytes: number
}

/** The largest video (`app.bsky.embed.video`). */
export const MAX_BYTES = 300_000_000
/** Of an account and day, as published earlier; the present numbers are known to the service alone. */
export const DAILY = { videos: 25, bytes: 10_000_000_000 }
/** What the service makes an MP4 of. */
const TYPES = new Set(['video/mp4', 'video/quicktime', 'video/x-m4v', 'video/webm', 'video/mpeg', 'image/gif'])
/** How long the simulated work on a video takes, and the states that it goes through meanwhile. */
const WORK_MS = 1_200
const STATES = ['JOB_STATE_CREATED', 'JOB_STATE_ENCODING', 'JOB_STATE_SCANNING', 'JOB_STATE_UPLOADING']

/** The video service: it puts what it is sent on the simulated server, and takes its time. */
export function openVideoService(deps: SimulatorDeps, { accounts, blobs }: { accounts: Accounts; blobs: Blobs }) {
  const { store } = deps
  /** Files that arrive now, by account and content. */
  const arriving = new Set<string>()

  function statusOf({ jobId, did, startedAt, blob }: Job): Record<string, unknown> {
    const done = (deps.now().getTime() - new Date(startedAt).getTime()) / WORK_MS
    if (done >= 1 && blob === null) {
      const message = 'Video failed validation'
      return { jobId, did, state: 'JOB_STATE_FAILED', error: message, failureCode: 'validation_failure', message }
    }
    if (done >= 1) return { jobId, did, state: 'JOB_STATE_COMPLETED', blob }
    const progress = Math.floor(Math.max(done, 0) * 100)
    return { jobId, did, state: STATES[Math.floor(Math.max(done, 0) * STATES.length)], progress }
  }

  const dayOf = ({ did }: Account) => `${did}/${deps.now().toISOString().slice(0, 10)}`
  const usedBy = (account: Account): Used => store.get<Used>('video-days', dayOf(account)) ?? { videos: 0, bytes: 0 }
  const isFull = ({ videos, bytes }: Used, more: number) => videos >= DAILY.videos || bytes + more > DAILY.bytes

  async function addJob(account: Account, bytes: Buffer, key: string): Promise<SimulatedAnswer> {
    const type = (await fileTypeFromBuffer(bytes))?.mime ?? ''
    if (!TYPES.has(type)) return refusal(400, 'UnsupportedVideo', 'The file is not a video')
    const used = usedBy(account)
    if (isFull(used, bytes.length)) return refusal(400, 'DailyLimitExceeded', 'Daily upload limit exceeded')
    store.put('video-days', dayOf(account), { videos: used.videos + 1, bytes: used.bytes + bytes.length })
    const blob = isWhole(bytes, type) ? await blobs.addVideo(account.did, bytes, type) : null
    const job: Job = { jobId: randomUUID(), did: account.did, startedAt: deps.now().toISOString(), blob }
    store.put('video-jobs', job.jobId, job)
    if (blob) store.put('video-files', key, { jobId: job.jobId })
    return { status: 200, body: { jobStatus: statusOf(job) } }
  }

  return {
    /** A repeated upload of the same bytes is an error that names the job which has them. */
    async upload(request: IncomingMessage, query: URLSearchParams): Promise<SimulatedAnswer> {
      const account = accounts.authorizeService(request.headers.authorization, 'com.atproto.repo.uploadBlob')
      if (isAnswer(account)) return account
      const bytes = await readBytes(request, MAX_BYTES)
      if (query.get('did') !== account.did)
        return refusal(401, 'AuthenticationRequired', 'did does not match the token')
      if (!query.get('name')) return refusal(400, 'InvalidRequest', 'name is required')
      if (bytes === null) return refusal(400, 'VideoTooLarge', 'The video is too large')
      const key = `${account.did}/${createHash('sha256').update(bytes).digest('hex')}`
      const known = store.get<{ jobId: string }>('video-files', key)
      const old = known && store.get<Job>('video-jobs', known.jobId)
      if (old) {
        return {
          status: 409,
          body: { ...statusOf(old), error: 'already_exists', message: 'Video already processed' },
        }
      }
      // Two uploads of the same bytes at once: there is no job yet that the second could be shown.
      if (arriving.has(key)) return refusal(409, 'already_exists', 'Video is being uploaded')
      arriving.add(key)
      try {
        return await addJob(account, bytes, key)
      } finally {
        arriving.delete(key)
      }
    },

    status(query: URLSearchParams): SimulatedAnswer {
      const job = store.get<Job>('video-jobs', query.get('jobId') ?? '')
      return job ? { status: 200, body: { jobStatus: statusOf(job) } } : refusal(404, 'JobNotFound', 'Job not found')
    },

    /** What is left of the day. */
    limits(request: IncomingMessage): SimulatedAnswer {
      const account = accounts.authorizeService(request.headers.authorization, 'app.bsky.video.getUploadLimits')
      if (isAnswer(account)) return account
      const { videos, bytes } = usedBy(account)
      const left = { remainingDailyVideos: DAILY.videos - videos, remainingDailyBytes: DAILY.bytes - bytes }
      if (left.remainingDailyVideos > 0 && left.remainingDailyBytes > 0) {
        return { status: 200, body: { canUpload: true, ...left } }
      }
      const message = 'User has reached the daily upload limit'
      return { status: 200, body: { canUpload: false, ...left, error: 'DailyLimitExceeded', message } }
    },
  }
}

/** An MP4 whose boxes do not end with the file cannot be read by the service. Other formats are taken as they are. */
function isWhole(bytes: Buffer, type: string): boolean {
  if (type !== 'video/mp4' && type !== 'video/quicktime') return true
  let at = 0
  while (at + 8 <= bytes.length) {
    const size = bytes.readUInt32BE(at)
    const long = size === 1 && at + 16 <= bytes.length ? Number(bytes.readBigUInt64BE(at + 8)) : size
    if (long === 0) return true
    if (long < 8) return false
    at += long
  }
  return at === bytes.length
}
