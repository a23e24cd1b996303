import { randomInt } from 'node:crypto'
import type { SimulatedAnswer } from '../kit/faults.ts'
import { measureImage } from '../kit/measure-image.ts'
import { measureVideo } from '../kit/measure-video.ts'
import { id, number, record, string } from '../kit/read-json.ts'
import { readJson, readMultipart } from '../kit/request-body.ts'
import type { SimulatorDeps } from '../kit/simulation.ts'
import type { Call } from '../kit/simulator.ts'
import { limits } from './manifest.ts'
import { type Account, forbid, invalid, notFound, ok, refuse, refuseUnknown } from './simulator-answers.ts'

const COLLECTION = 'uploads'
const DAY_S = 24 * 3_600
const MIB = 1024 * 1024
/** A request with more is refused, as programs report of the network. */
const MAX_PART_BYTES = 5 * MIB
/** Milliseconds after the last part until work is done. */
const WORKING_MS = 3_000

const VIDEO = /^video\/(mp4|quicktime)$/
/** What may be uploaded. Of what `works`, the network gets ready in its own time. */
const CATEGORIES: Readonly<Record<string, { prefix: string; types: RegExp; maxBytes: number; works: boolean }>> = {
  tweet_image: { prefix: '3', types: /^image\/(jpeg|png|gif|webp)$/, maxBytes: 5 * MIB, works: false },
  tweet_gif: { prefix: '16', types: /^image\/gif$/, maxBytes: 15 * MIB, works: true },
  tweet_video: { prefix: '7', types: VIDEO, maxBytes: 512 * MIB, works: true },
  /** Of any length, for accounts with Premium. */
  amplify_video: { prefix: '13', types: VIDEO, maxBytes: limits.longVideoBytes.value, works: true },
}

const INVALID = { code: 1, name: 'InvalidMedia', message: 'Unsupported video format' }
/** Seen: https://twittercommunity.com/t/announcement-uploading-long-videos/92845 (read 2026-11-23). */
const tooLong = 'Duration 2.minutes+30.seconds exceeds max duration of 2.minutes+20.seconds'
const TOO_LONG = { code: 3, name: 'UnsupportedMedia', message: tooLong }

/** An upload as it is kept. */
export interface SimulatedUpload {
  id: string
  key: string
  userId: string
  category: string
  mimeType: string
  totalBytes: number
  /** Ids of their blobs, by their numbers. */
  parts: Record<string, string>
  expiresAt: string
  finalizedAt?: string
  blobId?: string
  /** Why the network cannot use it, as it says in the end. */
  error?: object | null
  altText?: string
}

export function findUpload(deps: SimulatorDeps, account: Account, uploadId: string): SimulatedUpload | null {
  const upload = deps.store.get<SimulatedUpload>(COLLECTION, uploadId)
  return upload?.userId === account.userId && new Date(upload.expiresAt) > deps.now() ? upload : null
}

const own = (deps: SimulatorDeps, account: Account, uploadId = ''): SimulatedUpload =>
  findUpload(deps, account, uploadId) ?? refuse(notFound('media', uploadId))

const inADay = ({ now }: SimulatorDeps) => new Date(now().getTime() + DAY_S * 1000).toISOString()

/** `POST /2/media/upload/initialize` */
export async function initialize({ deps, by: account, request }: Call<Account>): Promise<SimulatedAnswer> {
  const body = record(await readJson(request)) ?? invalid('The body is not a JSON object.')
  refuseUnknown(Object.keys(body), ['media_type', 'media_category', 'total_bytes'])
  const [category, mimeType] = [string(body.media_category) ?? 'tweet_image', string(body.media_type) ?? '']
  const { prefix, types, maxBytes } = CATEGORIES[category] ?? invalid(`media_category ${category} is unknown.`)
  if (category === 'amplify_video' && !account.premium) forbid('Not allowed to use Amplify Video')
  if (!types.test(mimeType)) invalid(`The media type ${mimeType} is none of ${category}.`)
  const totalBytes = typeof body.total_bytes === 'number' ? (number(body.total_bytes) ?? 0) : 0
  if (totalBytes < 1) invalid('total_bytes must be an integer.')
  if (totalBytes > maxBytes) invalid(`File size exceeds ${maxBytes} bytes.`)
  const uploadId = `19${String(randomInt(10 ** 12)).padStart(16, '0')}`
  const [key, userId] = [`${prefix}_${uploadId}`, account.userId]
  const upload = { id: uploadId, key, userId, category, mimeType, totalBytes, parts: {}, expiresAt: inADay(deps) }
  deps.store.put(COLLECTION, uploadId, upload satisfies SimulatedUpload)
  return ok({ id: uploadId, media_key: key, expires_after_secs: DAY_S })
}

/**
 * `POST /2/media/upload/{id}/append`. Parts may come again, and in any order. The contract promises 200 with data; the
 * vendor's own playground was seen to answer 204 without a body. Here even parts get the one and odd parts the other.
 */
export async function append({ deps, by: account, request, at }: Call<Account>): Promise<SimulatedAnswer> {
  const form = await readMultipart(request, MAX_PART_BYTES)
  const upload = own(deps, account, at.id)
  const [index, media] = [form?.get('segment_index'), form?.get('media')]
  if (typeof index !== 'string' || !/^\d{1,3}$/.test(index)) invalid('segment_index must be 0 to 999.')
  if (!(media instanceof Blob) || media.size === 0) return invalid('media is missing.')
  if (upload.finalizedAt) invalid('The upload is finalized.')
  const bytes = new Uint8Array(await media.arrayBuffer())
  const part = await deps.store.putBlob(bytes)
  // Other parts may have come while this one was read.
  const { parts } = own(deps, account, at.id)
  deps.store.put(COLLECTION, upload.id, { ...upload, parts: { ...parts, [Number(index)]: part } })
  if (Number(index) % 2 === 0) return { status: 204, body: '' }
  return ok({ expires_at: Math.floor(new Date(upload.expiresAt).getTime() / 1000) })
}

/** `POST /2/media/upload/{id}/finalize` */
export async function finalize({ deps, by: account, at }: Call<Account>): Promise<SimulatedAnswer> {
  const upload = own(deps, account, at.id)
  if (upload.finalizedAt) invalid('The upload is finalized.')
  const part = (index: number) => upload.parts[index] ?? invalid(`Segment ${index} is missing.`)
  const blobs = await Promise.all(Object.keys(upload.parts).map((_, index) => deps.store.getBlob(part(index))))
  const bytes = Buffer.concat(blobs.filter((blob) => blob !== undefined))
  if (bytes.length !== upload.totalBytes) invalid('Segments do not add up to provided total file size.')
  const [image, video] = await Promise.all([measureImage(bytes), measureVideo(bytes)])
  const isSound = upload.mimeType.endsWith(image?.format ?? video?.mimeType ?? 'nothing')
  // Pictures are looked at at once, all else in its own time.
  if (!isSound && !CATEGORIES[upload.category]?.works) invalid('InvalidMedia: the file cannot be read.')
  const isUsual = upload.category === 'tweet_video' && !(account.premium && account.promotes)
  const isTooLong = isUsual && (video?.seconds ?? 0) > limits.videoMaxSeconds.value
  const finished: SimulatedUpload = {
    ...upload,
    error: !isSound ? INVALID : isTooLong ? TOO_LONG : null,
    blobId: await deps.store.putBlob(bytes),
    finalizedAt: deps.now().toISOString(),
    expiresAt: inADay(deps),
  }
  deps.store.put(COLLECTION, upload.id, finished)
  return reported(finished, deps.now())
}

/** `GET /2/media/upload?command=STATUS` */
export function readStatus({ deps, by: account, query }: Call<Account>): SimulatedAnswer {
  refuseUnknown(query.keys(), ['media_id', 'command'])
  if (query.get('command') !== 'STATUS') invalid('The command must be STATUS.')
  return reported(own(deps, account, query.get('media_id') ?? ''), deps.now())
}

/** `POST /2/media/metadata` */
export async function describe({ deps, by: account, request }: Call<Account>): Promise<SimulatedAnswer> {
  const body = record(await readJson(request))
  const upload = own(deps, account, id(body?.id))
  const altText = string(record(record(body?.metadata)?.alt_text)?.text) ?? ''
  if (altText === '' || altText.length > limits.altTextLength.value) invalid('alt_text must have 1 to 1000 characters.')
  deps.store.put(COLLECTION, upload.id, { ...upload, altText })
  return ok({ id: upload.id, associated_metadata: { alt_text: { text: altText } } })
}

/** How far the network is with a file; null before its last part. */
export function progressOf(upload: SimulatedUpload, now: Date) {
  const { category, finalizedAt, error } = upload
  if (!finalizedAt) return null
  if (!CATEGORIES[category]?.works) return 'succeeded'
  if (now.getTime() - new Date(finalizedAt).getTime() < WORKING_MS) return 'in_progress'
  return error ? 'failed' : 'succeeded'
}

function reported(upload: SimulatedUpload, now: Date): SimulatedAnswer {
  const state = progressOf(upload, now)
  const more = state === 'in_progress' ? { check_after_secs: 1 } : state === 'failed' ? { error: upload.error } : {}
  return ok({
    id: upload.id,
    media_key: upload.key,
    expires_after_secs: Math.floor((new Date(upload.expiresAt).getTime() - now.getTime()) / 1000),
    ...(CATEGORIES[upload.category]?.works && state !== null ? { processing_info: { state, ...more } } : {}),
  })
}
