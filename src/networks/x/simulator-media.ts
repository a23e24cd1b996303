import { randomInt } from 'node:crypto'
import type { SimulatedAnswer } from '../kit/faults.ts'
import { measureVideo } from '../kit/measure-video.ts'
import { id, number, record, string } from '../kit/read-json.ts'
import { readJson, readMultipart } from '../kit/request-body.ts'
import type { SimulatorDeps } from '../kit/simulation.ts'
import type { Call } from '../kit/simulator.ts'
import { limits } from './manifest.ts'
import type { SimulatedAccount } from './simulator-accounts.ts'
import { forbidden, invalidRequest, notFound, ok, problem, refuse } from './simulator-answers.ts'

const COLLECTION = 'uploads'
const DAY_S = 24 * 3_600
/** A request with more is refused, as programs report of the network. */
export const MAX_PART_BYTES = 5 * 1024 * 1024
/** Milliseconds after the last part until work begins, and until it is done. */
const PENDING_MS = 1_000
const WORKING_MS = 3_000

const CATEGORIES: Record<string, { prefix: string; types: readonly string[]; maxBytes: number; works: boolean }> = {
  tweet_image: {
    prefix: '3',
    types: ['image/jpeg', 'image/png', 'image/webp', 'image/gif'],
    maxBytes: 5 * 1024 * 1024,
    works: false,
  },
  tweet_gif: { prefix: '16', types: ['image/gif'], maxBytes: 15 * 1024 * 1024, works: true },
  tweet_video: {
    prefix: '7',
    types: ['video/mp4', 'video/quicktime'],
    maxBytes: 512 * 1024 * 1024,
    works: true,
  },
  /** Of any length, for accounts with Premium. */
  amplify_video: {
    prefix: '13',
    types: ['video/mp4', 'video/quicktime'],
    maxBytes: limits.longVideoBytes.value,
    works: true,
  },
}

/** An upload as it is kept. */
export interface SimulatedUpload {
  id: string
  key: string
  userId: string
  category: string
  mimeType: string
  totalBytes: number
  parts: Record<string, { blobId: string; bytes: number }>
  finalizedAt: string | null
  blobId: string | null
  /** The bytes are what they are said to be. */
  sound: boolean
  /** Of a video that can be measured. */
  seconds: number | null
  altText: string | null
  expiresAt: string
}

export function findUpload(deps: SimulatorDeps, account: SimulatedAccount, uploadId: string): SimulatedUpload | null {
  const upload = deps.store.get<SimulatedUpload>(COLLECTION, uploadId)
  return upload?.userId === account.userId && new Date(upload.expiresAt) > deps.now() ? upload : null
}

function own(deps: SimulatorDeps, account: SimulatedAccount, uploadId: string): SimulatedUpload {
  return findUpload(deps, account, uploadId) ?? refuse(notFound('media', uploadId))
}

/** `POST /2/media/upload/initialize` */
export async function initialize({ deps, by: account, request }: Call<SimulatedAccount>): Promise<SimulatedAnswer> {
  const body = record(await readJson(request)) ?? refuse(invalidRequest('The body is not a JSON object.'))
  const known = ['media_type', 'media_category', 'total_bytes', 'shared', 'additional_owners']
  refuseUnknown(Object.keys(body), known)
  const category = string(body.media_category) ?? 'tweet_image'
  const rules = CATEGORIES[category] ?? refuse(invalidRequest(`media_category ${category} is not played here.`))
  if (category === 'amplify_video' && !account.premium) refuse(forbidden('Not allowed to use Amplify Video'))
  const mimeType = string(body.media_type) ?? ''
  if (!rules.types.includes(mimeType)) refuse(invalidRequest(`The media type ${mimeType} is not one of ${category}.`))
  const totalBytes = number(body.total_bytes)
  if (totalBytes === undefined || typeof body.total_bytes !== 'number' || totalBytes < 1) {
    refuse(invalidRequest('total_bytes must be an integer.'))
  }
  if (totalBytes > rules.maxBytes) refuse(invalidRequest(`File size exceeds ${rules.maxBytes} bytes.`))
  const uploadId = `19${randomInt(10 ** 12)
    .toString()
    .padStart(16, '0')}`
  const upload: SimulatedUpload = {
    id: uploadId,
    key: `${rules.prefix}_${uploadId}`,
    userId: account.userId,
    category,
    mimeType,
    totalBytes,
    parts: {},
    finalizedAt: null,
    blobId: null,
    sound: false,
    seconds: null,
    altText: null,
    expiresAt: new Date(deps.now().getTime() + DAY_S * 1000).toISOString(),
  }
  deps.store.put(COLLECTION, uploadId, upload)
  return ok({ data: { id: uploadId, media_key: upload.key, expires_after_secs: DAY_S } })
}

/**
 * `POST /2/media/upload/{id}/append`. Parts may come again, and in any order. The contract promises 200 with data; the
 * vendor's own playground was seen to answer 204 without a body. Here even parts get the one and odd parts the other.
 */
export async function append({ deps, by: account, request, at }: Call<SimulatedAccount>): Promise<SimulatedAnswer> {
  const uploadId = at.id ?? ''
  const form = await readMultipart(request, MAX_PART_BYTES)
  const upload = own(deps, account, uploadId)
  if (!form) refuse(invalidRequest('The body is not multipart/form-data.'))
  refuseUnknown([...form.keys()], ['segment_index', 'media'])
  const [index, media] = [form.get('segment_index'), form.get('media')]
  if (typeof index !== 'string' || !/^\d{1,3}$/.test(index)) refuse(invalidRequest('segment_index must be 0 to 999.'))
  if (!(media instanceof Blob) || media.size === 0) refuse(invalidRequest('media is missing.'))
  if (upload.finalizedAt !== null) refuse(invalidRequest('The upload is finalized.'))
  const bytes = new Uint8Array(await media.arrayBuffer())
  const part = { blobId: await deps.store.putBlob(bytes), bytes: bytes.length }
  // Other parts may have come while this one was read.
  const { parts } = own(deps, account, uploadId)
  deps.store.put(COLLECTION, uploadId, { ...upload, parts: { ...parts, [Number(index)]: part } })
  if (Number(index) % 2 === 0) return { status: 204, body: '' }
  return ok({ data: { expires_at: Math.floor(new Date(upload.expiresAt).getTime() / 1000) } })
}

/** `POST /2/media/upload/{id}/finalize` */
export async function finalize({ deps, by: account, at }: Call<SimulatedAccount>): Promise<SimulatedAnswer> {
  const uploadId = at.id ?? ''
  const upload = own(deps, account, uploadId)
  if (upload.finalizedAt !== null) refuse(invalidRequest('The upload is finalized.'))
  const blobs: Buffer[] = []
  for (let index = 0; index < Object.keys(upload.parts).length; index++) {
    const part = upload.parts[index] ?? refuse(invalidRequest(`Segment ${index} is missing.`))
    blobs.push((await deps.store.getBlob(part.blobId)) ?? refuse(invalidRequest(`Segment ${index} is missing.`)))
  }
  const bytes = Buffer.concat(blobs)
  if (bytes.length !== upload.totalBytes) {
    refuse(invalidRequest('Segments do not add up to provided total file size.'))
  }
  const sound = isSound(bytes, upload.mimeType)
  // Pictures are looked at at once, all else in its own time.
  if (!sound && !CATEGORIES[upload.category]?.works) refuse(invalidRequest('InvalidMedia: the file cannot be read.'))
  const now = deps.now()
  const finished: SimulatedUpload = {
    ...upload,
    sound,
    seconds: upload.mimeType.startsWith('video/') ? ((await measureVideo(bytes))?.seconds ?? null) : null,
    blobId: await deps.store.putBlob(bytes),
    finalizedAt: now.toISOString(),
    expiresAt: new Date(now.getTime() + DAY_S * 1000).toISOString(),
  }
  deps.store.put(COLLECTION, uploadId, finished)
  return told(finished, now)
}

/** `GET /2/media/upload?command=STATUS` */
export function readStatus({ deps, by: account, query }: Call<SimulatedAccount>): SimulatedAnswer {
  refuseUnknown([...query.keys()], ['media_id', 'command'])
  if ((query.get('command') ?? 'STATUS') !== 'STATUS') refuse(invalidRequest('The command must be STATUS.'))
  return told(own(deps, account, query.get('media_id') ?? ''), deps.now())
}

/** `POST /2/media/metadata` */
export async function describe({ deps, by: account, request }: Call<SimulatedAccount>): Promise<SimulatedAnswer> {
  const body = record(await readJson(request))
  const upload = own(deps, account, id(body?.id) ?? '')
  const altText = string(record(record(body?.metadata)?.alt_text)?.text)
  if (altText === undefined || altText.length > 1000) refuse(invalidRequest('alt_text must have 1 to 1000 characters.'))
  deps.store.put(COLLECTION, upload.id, { ...upload, altText })
  return ok({ data: { id: upload.id, associated_metadata: { alt_text: { text: altText } } } })
}

export type Progress = 'pending' | 'in_progress' | 'succeeded' | 'failed'

/** How far the network is with a file; null before its last part. */
export function progressOf(upload: SimulatedUpload, now: Date): Progress | null {
  const { category, finalizedAt, sound } = upload
  if (finalizedAt === null) return null
  if (!CATEGORIES[category]?.works) return 'succeeded'
  const age = now.getTime() - new Date(finalizedAt).getTime()
  if (age < PENDING_MS) return 'pending'
  if (age < WORKING_MS) return 'in_progress'
  return sound && !isTooLong(upload) ? 'succeeded' : 'failed'
}

const isTooLong = ({ category, seconds }: SimulatedUpload) =>
  category === 'tweet_video' && (seconds ?? 0) > limits.videoMaxSeconds.value

/** Seen: https://twittercommunity.com/t/announcement-uploading-long-videos/92845 (read 2026-11-23). */
const TOO_LONG = {
  code: 3,
  name: 'UnsupportedMedia',
  message: 'Duration 2.minutes+30.seconds exceeds max duration of 2.minutes+20.seconds',
}

function told(upload: SimulatedUpload, now: Date): SimulatedAnswer {
  const state = progressOf(upload, now)
  const works = CATEGORIES[upload.category]?.works
  const percent = { pending: 0, in_progress: 50, succeeded: 100, failed: 50 }
  return ok({
    data: {
      id: upload.id,
      media_key: upload.key,
      size: upload.totalBytes,
      expires_after_secs: Math.floor((new Date(upload.expiresAt).getTime() - now.getTime()) / 1000),
      ...(works && state !== null
        ? {
            processing_info: {
              state,
              progress_percent: percent[state],
              ...(state === 'pending' || state === 'in_progress' ? { check_after_secs: 1 } : {}),
              ...(state === 'failed'
                ? {
                    error: isTooLong(upload)
                      ? TOO_LONG
                      : { code: 1, name: 'InvalidMedia', message: 'Unsupported video format' },
                  }
                : {}),
            },
          }
        : {}),
    },
  })
}

/** The first bytes of the formats. */
function isSound(bytes: Buffer, mimeType: string): boolean {
  const text = (start: number, end: number) => bytes.toString('latin1', start, end)
  switch (mimeType) {
    case 'image/jpeg':
      return bytes[0] === 0xff && bytes[1] === 0xd8
    case 'image/png':
      return text(1, 4) === 'PNG'
    case 'image/gif':
      return text(0, 4) === 'GIF8'
    case 'image/webp':
      return text(8, 12) === 'WEBP'
    default:
      return text(4, 8) === 'ftyp'
  }
}

export function refuseUnknown(names: readonly string[], known: readonly string[]): void {
  const unknown = names.find((name) => !known.includes(name))
  if (unknown === undefined) return
  refuse(invalidRequest(`The parameter [${unknown}] is not one of [${known.join(',')}].`, { [unknown]: [] }))
}

export const tooLarge = problem(413, null, { title: 'Payload Too Large', detail: 'Payload Too Large' })
