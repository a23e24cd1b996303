import { createHash, randomBytes } from 'node:crypto'
import type { SimulatedAnswer } from '../kit/faults.ts'
import { faultIn } from '../kit/faults.ts'
import type { SimulatorDeps } from '../kit/simulation.ts'
import { limits } from './manifest.ts'
import type { Account } from './simulator-accounts.ts'
import { digits, ok, refuse } from './simulator-answers.ts'
import { failureOfVideo, type Photo, takePhotos } from './simulator-files.ts'
import type { PhotoInit, VideoInit } from './simulator-params.ts'

const COLLECTION = 'jobs'
/** Times that the status is asked for until the network has worked on a post, and until moderation has let it pass. */
const LOOKS = { processed: 2, moderated: 3 }

/** A try to publish. */
export interface Job {
  publishId: string
  openId: string
  kind: 'video' | 'photo'
  /** As sent. */
  info: Readonly<Record<string, unknown>>
  text: string
  /** Tells the post from all others, and is the same at every try. */
  key: string
  upload: { token: string; size: number; chunkSize: number; chunks: string[]; received: number; since: string } | null
  /** It has everything: from then on nothing can be taken back. */
  taken: boolean
  looks: number
  /** Reason that the work on it ends with. */
  failure: string | null
  postId: string | null
}

const keyOf = (...parts: unknown[]) => createHash('sha256').update(JSON.stringify(parts)).digest('base64url')

/** The text and key of a post that is about to be made: what a fault is asked for by. */
export function describeInit(account: Account, init: VideoInit | PhotoInit): { text: string; key: string } {
  const { info } = init
  if ('size' in init) return { text: String(info.title ?? ''), key: keyOf(account.openId, info, init.size) }
  // Addresses of media are signed again for every try.
  return { text: String(info.description ?? ''), key: keyOf(account.openId, info, init.urls.length) }
}

/** `POST /v2/post/publish/video/init/`. Nothing is public before the last byte of the upload. */
export function beginVideo(deps: SimulatorDeps, account: Account, init: VideoInit): SimulatedAnswer {
  const { info, size, chunkSize } = init
  const publishId = `v_pub_file~v2-1.${digits(19)}`
  const token = randomBytes(24).toString('base64url')
  keepJob(deps, {
    publishId,
    openId: account.openId,
    kind: 'video',
    info,
    ...describeInit(account, init),
    upload: { token, size, chunkSize, chunks: [], received: 0, since: deps.now().toISOString() },
    taken: false,
    looks: 0,
    failure: null,
    postId: null,
  })
  const query = new URLSearchParams({ upload_id: publishId, upload_token: token })
  return ok({ publish_id: publishId, upload_url: `${deps.url}/upload/video/?${query}` })
}

/** `POST /v2/post/publish/content/init/`: from here on the network fetches and publishes by itself. */
export async function publishPhotos(deps: SimulatorDeps, account: Account, init: PhotoInit): Promise<SimulatedAnswer> {
  const { info, urls } = init
  const { photos, failure } = await takePhotos(deps, urls)
  const publishId = `p_pub_url~v2.${digits(19)}`
  const job: Job = {
    publishId,
    openId: account.openId,
    kind: 'photo',
    info,
    ...describeInit(account, init),
    upload: null,
    taken: true,
    looks: 0,
    failure,
    postId: null,
  }
  finish(deps, account, job, photos)
  return ok({ publish_id: publishId })
}

export function jobOfUpload(deps: SimulatorDeps, query: URLSearchParams): Job | null {
  const job = deps.store.get<Job>(COLLECTION, query.get('upload_id') ?? '')
  return job?.upload && job.upload.token === query.get('upload_token') ? job : null
}

/** An answer to a chunk: a status, and no body that is documented. */
const chunkAnswer = (status: number, range?: string): SimulatedAnswer => ({
  status,
  ...(range === undefined ? {} : { headers: { 'content-range': range } }),
  body: '',
})

export interface Chunk {
  type: string | undefined
  range: string | undefined
  bytes: Buffer
}

/** Takes a chunk. `last` is the call that publishes: it must be made, and nothing before. */
export async function takeChunk(
  deps: SimulatorDeps,
  job: Job,
  chunk: Chunk,
): Promise<{ kind: 'answer'; answer: SimulatedAnswer } | { kind: 'last'; accept(): Promise<SimulatedAnswer> }> {
  const { upload } = job
  const answer = (...words: Parameters<typeof chunkAnswer>) =>
    ({ kind: 'answer', answer: chunkAnswer(...words) }) as const
  // An upload that is done is forgotten.
  if (!upload || job.taken) return answer(404)
  const age = deps.now().getTime() - new Date(upload.since).getTime()
  if (age > limits.uploadMinutes.value * 60_000) return answer(403)
  const { size, chunkSize, received } = upload
  const [, from, to, total] = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(chunk.range ?? '') ?? []
  const [start, end] = [Number(from), Number(to) + 1]
  const known = ['video/mp4', 'video/quicktime', 'video/webm'].includes(chunk.type ?? '')
  if (!known || Number(total) !== size || end - start !== chunk.bytes.length) return answer(400)
  const there = received === 0 ? `bytes */${size}` : `bytes 0-${received - 1}/${size}`
  if (start !== received) return answer(416, there)
  const isLast = start === (Math.floor(size / chunkSize) - 1) * chunkSize
  if (end !== (isLast ? size : start + chunkSize)) return answer(416, there)

  const chunks = [...upload.chunks, await deps.store.putBlob(chunk.bytes)]
  if (!isLast) {
    keepJob(deps, { ...job, upload: { ...upload, chunks, received: end } })
    return answer(206, `bytes 0-${end - 1}/${size}`)
  }
  return {
    kind: 'last',
    async accept() {
      const parts = await Promise.all(chunks.map((id) => deps.store.getBlob(id)))
      const bytes = Buffer.concat(parts.filter((part) => part !== undefined))
      const failure = await failureOfVideo(bytes)
      const owner = deps.store.get<Account>('accounts', job.openId)
      if (!owner) throw new Error('An upload belongs to no account.')
      const file = { blobId: await deps.store.putBlob(bytes), mimeType: chunk.type ?? '' }
      finish(deps, owner, { ...job, upload: { ...upload, chunks: [], received: size }, taken: true, failure }, [file])
      return chunkAnswer(201, `bytes 0-${size - 1}/${size}`)
    },
  }
}

/** The network has everything. What it will publish is published now, however long it says that it works on it. */
function finish(deps: SimulatorDeps, account: Account, job: Job, media: readonly Photo[]): void {
  const failure = faultIn(job.text) === 'media-rejected' ? 'file_format_check_failed' : job.failure
  const postId = failure === null ? `7${digits(18)}` : null
  if (postId !== null) {
    deps.store.addPost({
      id: postId,
      accountId: account.ledgerId,
      text: job.text,
      permalink: `${deps.url}/p/${postId}`,
      createdAt: deps.now().toISOString(),
      media,
      details: { kind: job.kind, ...job.info },
    })
  }
  keepJob(deps, { ...job, failure, postId })
}

function keepJob(deps: SimulatorDeps, job: Job): void {
  deps.store.put(COLLECTION, job.publishId, job)
}

/** `POST /v2/post/publish/status/fetch/`. Every look is a step of the work on it. */
export function readStatus(deps: SimulatorDeps, account: Account, publishId: unknown): SimulatedAnswer {
  const job = deps.store.get<Job>(COLLECTION, String(publishId))
  if (!job) return refuse(400, 'invalid_publish_id', 'The publish_id does not exist.')
  if (job.openId !== account.openId) return refuse(403, 'token_not_authorized_for_specified_publish_id')
  const uploaded = job.upload?.received ?? 0
  const bytes = job.upload ? { uploaded_bytes: uploaded } : {}
  if (!job.taken) return ok({ status: 'PROCESSING_UPLOAD', ...bytes })
  const looks = job.looks + 1
  keepJob(deps, { ...job, looks })
  if (looks <= LOOKS.processed) {
    // Whether it tells the number while it works on the file is not documented.
    return ok({ status: job.kind === 'video' ? 'PROCESSING_UPLOAD' : 'PROCESSING_DOWNLOAD' })
  }
  if (job.failure !== null) return ok({ status: 'FAILED', fail_reason: job.failure, ...bytes })
  const isPublic = job.info.privacy_level === 'PUBLIC_TO_EVERYONE' && looks > LOOKS.moderated
  const answer = ok({ status: 'PUBLISH_COMPLETE', publicaly_available_post_id: [], ...bytes })
  // The id is a number of 64 bits, which `JSON.stringify` cannot write.
  return isPublic ? { ...answer, body: JSON.stringify(answer.body).replace('[]', `[${job.postId}]`) } : answer
}

const LISTED_LENGTH = 150

/** `POST /v2/video/list/`: public posts, the newest first. */
export function listVideos(
  deps: SimulatorDeps,
  account: Account,
  query: URLSearchParams,
  options: { listsPhotos: boolean },
): SimulatedAnswer {
  const fields = (query.get('fields') ?? '').split(',').filter((field) => field !== '')
  if (fields.length === 0) refuse(400, 'invalid_params', 'fields is missing.')
  const posts = deps.store
    .posts()
    .filter(({ accountId, details }) => {
      const isListed = details?.kind === 'video' || options.listsPhotos
      return accountId === account.ledgerId && isListed && details?.privacy_level === 'PUBLIC_TO_EVERYONE'
    })
    .slice(-20)
    .reverse()
  const videos = posts.map((post) => {
    const all: Record<string, unknown> = {
      id: post.id,
      title: post.text.slice(0, LISTED_LENGTH),
      video_description: post.text.slice(0, LISTED_LENGTH),
      create_time: Math.floor(new Date(post.createdAt).getTime() / 1000),
      share_url: `${deps.url}/web/@${account.username}/${post.details?.kind}/${post.id}`,
    }
    return Object.fromEntries(fields.map((field) => [field, all[field]]))
  })
  return ok({ videos, cursor: 0, has_more: false })
}
