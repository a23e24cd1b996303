import { createHash, randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { fileTypeFromBuffer } from 'file-type'
import type { SimulatedAnswer } from '../../kit/faults.ts'
import type { SimulatorDeps } from '../../kit/simulation.ts'
import type { Blob } from '../wire.ts'
import type { Accounts } from './accounts.ts'
import { readBytes, refusal } from './answers.ts'
import type { Blobs } from './blobs.ts'
import { isAnswer } from './tokens.ts'

interface Job {
  jobId: string
  did: string
  startedAt: string
  blob: Blob
}

/** What the service takes in one piece. */
const MAX_BYTES = 100_000_000
/** How long the pretend work on a video takes, and the states that it goes through meanwhile. */
const WORK_MS = 1_200
const STATES = ['JOB_STATE_CREATED', 'JOB_STATE_ENCODING', 'JOB_STATE_SCANNING', 'JOB_STATE_UPLOADING']

/** The pretend video service: it puts what it is sent on the pretend server, and takes its time. */
export function openVideoService(deps: SimulatorDeps, { accounts, blobs }: { accounts: Accounts; blobs: Blobs }) {
  const { store } = deps

  function statusOf({ jobId, did, startedAt, blob }: Job): Record<string, unknown> {
    const done = (deps.now().getTime() - new Date(startedAt).getTime()) / WORK_MS
    if (done >= 1) return { jobId, did, state: 'JOB_STATE_COMPLETED', blob }
    const progress = Math.floor(Math.max(done, 0) * 100)
    return { jobId, did, state: STATES[Math.floor(Math.max(done, 0) * STATES.length)], progress }
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
      const type = await fileTypeFromBuffer(bytes)
      if (type?.mime !== 'video/mp4') return refusal(400, 'UnsupportedVideo', 'The file is not an MP4 video')
      const key = `${account.did}/${createHash('sha256').update(bytes).digest('hex')}`
      const known = store.get<{ jobId: string }>('video-files', key)
      const old = known && store.get<Job>('video-jobs', known.jobId)
      if (old) {
        const { jobId, did, state, blob } = statusOf(old)
        return {
          status: 409,
          body: { jobId, did, state, blob, error: 'already_exists', message: 'Video already processed' },
        }
      }
      const blob = await blobs.add(account.did, bytes, 'video/mp4')
      const job: Job = { jobId: randomUUID(), did: account.did, startedAt: deps.now().toISOString(), blob }
      store.put('video-jobs', job.jobId, job)
      store.put('video-files', key, { jobId: job.jobId })
      return { status: 200, body: { jobStatus: statusOf(job) } }
    },

    status(query: URLSearchParams): SimulatedAnswer {
      const job = store.get<Job>('video-jobs', query.get('jobId') ?? '')
      return job ? { status: 200, body: { jobStatus: statusOf(job) } } : refusal(404, 'JobNotFound', 'Job not found')
    },
  }
}
