import { createHash } from 'node:crypto'
import { fileTypeFromBuffer } from 'file-type'
import type { SimulatedAnswer } from '../../kit/faults.ts'
import { readBytes } from '../../kit/request-body.ts'
import type { SimulatorDeps } from '../../kit/simulation.ts'
import type { Call } from '../../kit/simulator.ts'
import { LIMITS } from '../manifest.ts'
import type { Blob } from '../wire.ts'
import type { Account } from './accounts.ts'
import { ok, refusal, refuse } from './answers.ts'
import type { Records } from './records.ts'

/** Its id is that of account and content. `blob` is null when the work on it fails. */
type Job = { jobId: string; did: string; startedAt: string; blob: Blob | null }

/** Of an account and day, as published earlier; the present numbers are known to the service alone. */
export const DAILY = { videos: 25, bytes: 10_000_000_000 }
/** What the service makes an MP4 of. */
const TYPES = ['video/mp4', 'video/quicktime', 'video/x-m4v', 'video/webm', 'video/mpeg', 'image/gif']
/** How long the simulated work on a video takes, and the states that it goes through meanwhile. */
const WORK_MS = 1_200
const STATES = ['JOB_STATE_CREATED', 'JOB_STATE_ENCODING', 'JOB_STATE_SCANNING', 'JOB_STATE_UPLOADING']

/** The video service: it puts what it is sent on the simulated server, and takes its time. */
export function openVideoService({ store, now }: SimulatorDeps, records: Records) {
  /** Jobs whose files arrive now. */
  const arriving = new Set<string>()

  function statusOf({ jobId, did, startedAt, blob }: Job) {
    const done = Math.max(0, (now().getTime() - Date.parse(startedAt)) / WORK_MS)
    if (done < 1)
      return { jobId, did, state: STATES[Math.floor(done * STATES.length)], progress: Math.floor(done * 100) }
    if (blob) return { jobId, did, state: 'JOB_STATE_COMPLETED', blob }
    const message = 'Video failed validation'
    return { jobId, did, state: 'JOB_STATE_FAILED', error: message, failureCode: 'validation_failure', message }
  }

  const dayOf = ({ did }: Account) => `${did}/${now().toISOString().slice(0, 10)}`
  const usedBy = (account: Account) => store.get<typeof DAILY>('video-days', dayOf(account)) ?? { videos: 0, bytes: 0 }

  async function addJob(account: Account, bytes: Buffer, jobId: string): Promise<Job> {
    const type = (await fileTypeFromBuffer(bytes))?.mime ?? ''
    if (!TYPES.includes(type)) refuse(400, 'UnsupportedVideo', 'The file is not a video')
    const used = usedBy(account)
    if (used.videos >= DAILY.videos || used.bytes + bytes.length > DAILY.bytes) {
      refuse(400, 'DailyLimitExceeded', 'Daily upload limit exceeded')
    }
    store.put('video-days', dayOf(account), { videos: used.videos + 1, bytes: used.bytes + bytes.length })
    const blob = isWhole(bytes, type) ? await records.addVideo(account, bytes, type) : null
    const job: Job = { jobId, did: account.did, startedAt: now().toISOString(), blob }
    store.put('video-jobs', jobId, job)
    return job
  }

  return {
    /** A repeated upload of the same bytes is an error that names the job which has them. */
    async upload({ by, request, query }: Call<Account>): Promise<SimulatedAnswer> {
      const tooLarge = () => refuse(400, 'VideoTooLarge', 'The video is too large')
      const bytes = await readBytes(request, LIMITS.videoBytes.value).catch(tooLarge)
      if (query.get('did') !== by.did) refuse(401, 'AuthenticationRequired', 'did does not match the token')
      if (!query.get('name')) refuse(400, 'InvalidRequest', 'name is required')
      const jobId = createHash('sha256').update(by.did).update(bytes).digest('hex')
      const old = store.get<Job>('video-jobs', jobId)
      const again = { error: 'already_exists', message: 'Video already processed' }
      if (old?.blob) return { status: 409, body: { ...statusOf(old), ...again } }
      // Two uploads of the same bytes at once: there is no job yet that the second could be shown.
      if (arriving.has(jobId)) return refusal(409, 'already_exists', 'Video is being uploaded')
      arriving.add(jobId)
      return addJob(by, bytes, jobId)
        .then((job) => ok({ jobStatus: statusOf(job) }))
        .finally(() => arriving.delete(jobId))
    },

    status({ query }: Pick<Call, 'query'>): SimulatedAnswer {
      const job = store.get<Job>('video-jobs', query.get('jobId') ?? '')
      return job ? ok({ jobStatus: statusOf(job) }) : refusal(404, 'JobNotFound', 'Job not found')
    },

    /** What is left of the day. */
    limits({ by }: Call<Account>): SimulatedAnswer {
      const { videos, bytes } = usedBy(by)
      const left = { remainingDailyVideos: DAILY.videos - videos, remainingDailyBytes: DAILY.bytes - bytes }
      const canUpload = left.remainingDailyVideos > 0 && left.remainingDailyBytes > 0
      const full = { error: 'DailyLimitExceeded', message: 'User has reached the daily upload limit' }
      return ok({ canUpload, ...left, ...(canUpload ? {} : full) })
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
