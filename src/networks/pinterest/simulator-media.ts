import { randomBytes, randomInt } from 'node:crypto'
import type { SimulatedAnswer } from '../kit/faults.ts'
import { type MeasuredVideo, measureVideo } from '../kit/measure-video.ts'
import { readJson, readMultipart, TooLargeError } from '../kit/request-body.ts'
import type { SimulatorDeps } from '../kit/simulation.ts'
import type { Call } from '../kit/simulator.ts'
import type { Grant, SimulatedAccount } from './simulator-accounts.ts'
import { invalid, ok, refuse } from './simulator-answers.ts'

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
  const body = (await readJson(request)) as Record<string, unknown> | undefined
  const foreign = Object.keys(body ?? {}).find((name) => name !== 'media_type')
  if (foreign !== undefined) invalid(`${foreign} is not known`)
  if (body?.media_type !== 'video') invalid('media_type must be video')
  const id = `5${String(randomInt(10 ** 12)).padStart(12, '0')}`
  const secret = () => randomBytes(24).toString('base64url')
  const fields = {
    'x-amz-date': deps
      .now()
      .toISOString()
      .replace(/[-:]|\.\d+/g, ''),
    'x-amz-signature': secret(),
    'x-amz-security-token': secret(),
    'x-amz-algorithm': 'AWS4-HMAC-SHA256',
    key: `uploads/${secret()}:video:${id}`,
    policy: secret(),
    'x-amz-credential': 'PRETEND/20260101/us-east-1/s3/aws4_request',
    'Content-Type': 'multipart/form-data',
  }
  const media = { id, accountId: account.id, fields, blobId: null, mimeType: '', usable: false, looksLeft: LOOKS }
  deps.store.put(COLLECTION, id, media satisfies SimulatedMedia)
  return ok(
    {
      media_id: id,
      media_type: 'video',
      upload_url: `${deps.url}/upload/?key=${deps.tokens.write('upload', { id })}`,
      upload_parameters: fields,
    },
    201,
  )
}

/** The form that takes in a file: all fields as they were given, the file last, and no token. */
export async function takeUpload({ deps, request, query }: Call): Promise<SimulatedAnswer> {
  // The fields say the same, but stand in a body that is not read for just anyone.
  if (deps.tokens.read('upload', query.get('key') ?? '') === undefined) return storageError(403, 'AccessDenied')
  if (request.headers.authorization !== undefined) return storageError(400, 'InvalidArgument')
  if (request.headers['content-length'] === undefined) return storageError(411, 'MissingContentLength')
  const form = await readMultipart(request, MAX_BYTES).catch((error: unknown) => {
    if (error instanceof TooLargeError) return 'too large' as const
    throw error
  })
  if (form === 'too large') return storageError(400, 'EntityTooLarge')
  const entries = [...(form ?? [])]
  const [name, file] = entries.at(-1) ?? []
  if (name !== 'file' || !(file instanceof File)) return storageError(400, 'InvalidArgument')
  const given = Object.fromEntries(entries.slice(0, -1))
  const media = deps.store.get<SimulatedMedia>(COLLECTION, String(given.key).split(':').at(-1) ?? '')
  const names = Object.keys(media?.fields ?? {})
  const right = names.length === Object.keys(given).length && names.every((each) => given[each] === media?.fields[each])
  if (!media || !right) return storageError(403, 'AccessDenied')
  const bytes = Buffer.from(await file.arrayBuffer())
  const measured = await measureVideo(bytes)
  const usable = measured !== null && isTaken(measured)
  const blobId = await deps.store.putBlob(bytes)
  const mimeType = measured?.mimeType ?? 'application/octet-stream'
  deps.store.put(COLLECTION, media.id, { ...media, blobId, mimeType, usable } satisfies SimulatedMedia)
  return { status: 204, body: '' }
}

/** `GET /v5/media/{media_id}`. Every look is a step of the work on it. */
export function readMedia({ deps, by, at: { id = '' } }: Call<Grant>): SimulatedAnswer {
  const media = findMedia(deps, by.account, id)
  if (!media) return refuse(404, 404, 'Media not found.')
  const status = statusOf(media)
  if (media.blobId !== null && media.looksLeft > 0) {
    deps.store.put(COLLECTION, id, { ...media, looksLeft: media.looksLeft - 1 })
  }
  return ok({ media_id: id, media_type: 'video', status })
}

/** The file of a video that may be used in a pin. @throws SimulatedRefusal */
export function usableVideo(deps: SimulatorDeps, account: SimulatedAccount, id: string) {
  const media = findMedia(deps, account, id)
  if (!media) return refuse(404, 404, 'Media not found.')
  if (statusOf(media) !== 'succeeded' || media.blobId === null) return invalid('the media is not ready')
  return { blobId: media.blobId, mimeType: media.mimeType }
}

function findMedia(deps: SimulatorDeps, account: SimulatedAccount, id: string): SimulatedMedia | null {
  const media = deps.store.get<SimulatedMedia>(COLLECTION, id)
  return media?.accountId === account.id ? media : null
}

function statusOf({ blobId, looksLeft, usable }: SimulatedMedia): string {
  if (blobId === null || looksLeft === LOOKS) return 'registered'
  if (looksLeft > 0) return 'processing'
  return usable ? 'succeeded' : 'failed'
}

function isTaken({ seconds, width, height, videoCodec }: MeasuredVideo): boolean {
  const ratio = width / height
  return (
    seconds >= 3.9 &&
    seconds <= 900.1 &&
    ratio >= 0.495 &&
    ratio <= 1.915 &&
    (videoCodec === 'avc' || videoCodec === 'hevc')
  )
}

const storageError = (status: number, code: string): SimulatedAnswer => ({
  status,
  headers: { 'content-type': 'application/xml' },
  body: `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code></Error>`,
})
