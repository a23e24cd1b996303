import { randomBytes, randomInt } from 'node:crypto'
import type { SimulatedAnswer } from '../kit/faults.ts'
import { type MeasuredVideo, measureVideo } from '../kit/measure-video.ts'
import { record } from '../kit/read-json.ts'
import { readJson, readMultipart } from '../kit/request-body.ts'
import type { SimulatorDeps } from '../kit/simulation.ts'
import type { Call } from '../kit/simulator.ts'
import type { Grant, SimulatedAccount } from './simulator-accounts.ts'
import { invalid, ok, refuse, refuseOthers } from './simulator-answers.ts'

const COLLECTION = 'media'
/** Far below the network's, because files pass through memory here. */
const MAX_BYTES = 300_000_000
/** Looks at a video that was taken in until it is worked on: the first is too early to know of it at all. */
const LOOKS = 2

interface SimulatedMedia {
  id: string
  accountId: string
  fields: Readonly<Record<string, string>>
  /** Null until its bytes are there. */
  blobId: string | null
  mimeType: string
  /** What the work on it will come to. */
  usable: boolean
  looksLeft: number
}

/** `POST /v5/media` */
export async function registerMedia({ deps, by: { account }, request }: Call<Grant>): Promise<SimulatedAnswer> {
  const body = record(await readJson(request)) ?? {}
  refuseOthers(body, ['media_type'], 'media')
  if (body.media_type !== 'video') invalid('media_type must be video')
  const id = `5${String(randomInt(10 ** 12)).padStart(12, '0')}`
  const secret = () => randomBytes(24).toString('base64url')
  const now = deps.now().toISOString()
  const fields = {
    'x-amz-date': now.replace(/[-:]|\.\d+/g, ''),
    'x-amz-signature': secret(),
    'x-amz-security-token': secret(),
    'x-amz-algorithm': 'AWS4-HMAC-SHA256',
    key: `uploads/${secret()}:video:${id}`,
    policy: secret(),
    'x-amz-credential': 'SANDBOX/20260101/us-east-1/s3/aws4_request',
    'Content-Type': 'multipart/form-data',
  }
  keep(deps, { id, accountId: account.id, fields, blobId: null, mimeType: '', usable: false, looksLeft: LOOKS })
  const url = `${deps.url}/upload/?key=${deps.tokens.write('upload', { id })}`
  return ok({ media_id: id, media_type: 'video', upload_url: url, upload_parameters: fields }, 201)
}

/** The form that takes in a file: all fields as they were given, the file last, and no token. */
export async function takeUpload({ deps, request, query }: Call): Promise<SimulatedAnswer> {
  // The fields say the same, but are in a body that is not read for just anyone.
  const key = deps.tokens.read('upload', query.get('key') ?? '') as { id: string } | undefined
  const media = key && deps.store.get<SimulatedMedia>(COLLECTION, key.id)
  if (!media) return storageError(403, 'AccessDenied')
  if (request.headers.authorization !== undefined) return storageError(400, 'InvalidArgument')
  if (request.headers['content-length'] === undefined) return storageError(411, 'MissingContentLength')
  const entries = [...((await readMultipart(request, MAX_BYTES)) ?? [])]
  const [name, file] = entries.pop() ?? []
  if (name !== 'file' || !(file instanceof File)) return storageError(400, 'InvalidArgument')
  const given = Object.fromEntries(entries)
  const names = Object.keys(media.fields)
  const right = names.length === Object.keys(given).length && names.every((each) => given[each] === media.fields[each])
  if (!right) return storageError(403, 'AccessDenied')
  const bytes = Buffer.from(await file.arrayBuffer())
  const measured = await measureVideo(bytes)
  const mimeType = measured?.mimeType ?? 'application/octet-stream'
  keep(deps, { ...media, blobId: await deps.store.putBlob(bytes), mimeType, usable: isTaken(measured) })
  return { status: 204, body: '' }
}

/** `GET /v5/media/{media_id}`. Every look is a step of the work on it. */
export function readMedia({ deps, by, at: { id = '' } }: Call<Grant>): SimulatedAnswer {
  const media = mediaOf(deps, by.account, id)
  const { blobId, looksLeft } = media
  if (blobId !== null && looksLeft > 0) keep(deps, { ...media, looksLeft: looksLeft - 1 })
  return ok({ media_id: id, media_type: 'video', status: statusOf(media) })
}

/** The file of a video that may be used in a pin. @throws SimulatedRefusal */
export function usableVideo(deps: SimulatorDeps, account: SimulatedAccount, id: string) {
  const media = mediaOf(deps, account, id)
  if (statusOf(media) !== 'succeeded' || media.blobId === null) return invalid('the media is not ready')
  return { blobId: media.blobId, mimeType: media.mimeType }
}

const keep = (deps: SimulatorDeps, media: SimulatedMedia) => deps.store.put(COLLECTION, media.id, media)

function mediaOf(deps: SimulatorDeps, account: SimulatedAccount, id: string): SimulatedMedia {
  const media = deps.store.get<SimulatedMedia>(COLLECTION, id)
  return media?.accountId === account.id ? media : refuse(404, 404, 'Media not found.')
}

function statusOf({ blobId, looksLeft, usable }: SimulatedMedia): string {
  if (blobId === null || looksLeft === LOOKS) return 'registered'
  if (looksLeft > 0) return 'processing'
  return usable ? 'succeeded' : 'failed'
}

function isTaken(video: MeasuredVideo | null): boolean {
  if (!video || (video.videoCodec !== 'avc' && video.videoCodec !== 'hevc')) return false
  const ratio = video.width / video.height
  return video.seconds >= 3.9 && video.seconds <= 900.1 && ratio >= 0.495 && ratio <= 1.915
}

const storageError = (status: number, code: string): SimulatedAnswer => ({
  status,
  headers: { 'content-type': 'application/xml' },
  body: `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code></Error>`,
})
