import { randomBytes } from 'node:crypto'
import { HOUR_MS } from '#contract/durations'
import type { SimulatedAnswer } from '../kit/faults.ts'
import { record } from '../kit/read-json.ts'
import { readBytes, readJson } from '../kit/request-body.ts'
import type { SimulatorDeps } from '../kit/simulation.ts'
import type { Call } from '../kit/simulator.ts'
import { limits } from './manifest.ts'
import { type Access, denied, fieldsOf, mayAct, ok, refuse, refuseField } from './simulator-answers.ts'

/** A file that is being uploaded, or is there. */
interface SimulatedAsset extends Record<'urn' | 'owner' | 'secret' | 'urlExpiresAt', string> {
  kind: 'images' | 'documents' | 'videos'
  /** Bytes that were announced; null where none are: of all but videos. */
  bytes: number | null
  /** The whole file, and when it was there. */
  file: { blobId: string; mimeType: string; at: string } | null
  /** Of a file that cannot be used. */
  why?: string
}

const PART_BYTES = 4 * 1024 * 1024
const URL_LASTS_MS = HOUR_MS
/** How long the network works on a file. */
const WORK_MS = { images: 2_000, documents: 3_000, videos: 4_000 } as const
const SINGULAR = { images: 'image', documents: 'document', videos: 'video' } as const
/** Types of images by the letters that their files begin with. */
const IMAGES = { 'image/jpeg': '\xff\xd8', 'image/png': '\x89PNG', 'image/gif': 'GIF' }
/** Of a file that cannot be used. */
const UNUSABLE = 'application/octet-stream'
const DAMAGED = 'The file could not be read'
const MAX_PUT_BYTES = 64 * 1024 * 1024

export const findAsset = (deps: SimulatorDeps, urn = '') => deps.store.get<SimulatedAsset>('assets', urn)
const keep = ({ store }: SimulatorDeps, asset: SimulatedAsset) => store.put('assets', asset.urn, asset)

/** `POST /rest/images?action=…`, `/rest/documents?action=…` and `/rest/videos?action=…` */
export async function takeAction(call: Call<Access>, kind: SimulatedAsset['kind']): Promise<SimulatedAnswer> {
  const body = record(await readJson(call.request))
  const action = call.query.get('action')
  if (action === 'initializeUpload') return begin(call, kind, body?.initializeUploadRequest)
  if (action === 'finalizeUpload' && kind === 'videos') return finish(call, body?.finalizeUploadRequest)
  return refuse(404, `No action ${action}`)
}

function begin({ deps, by }: Call<Access>, kind: SimulatedAsset['kind'], body: unknown): SimulatedAnswer {
  const more = kind !== 'videos' ? [] : ['fileSizeBytes', 'uploadCaptions', 'uploadThumbnail']
  const { owner, fileSizeBytes } = fieldsOf('', body, ['owner'], more)
  if (!mayAct(by, owner)) return denied(`${kind}.ACTION-initializeUpload`)
  const bytes = kind === 'videos' ? Number(fileSizeBytes) : null
  const isTaken = bytes === null || (bytes >= limits.videoMinBytes.value && bytes <= limits.videoMaxBytes.value)
  if (!isTaken) return refuseField('fileSizeBytes is out of range')
  const urn = `urn:li:${SINGULAR[kind]}:C4E${randomBytes(12).toString('hex')}`
  const secret = randomBytes(18).toString('base64url')
  const expires = deps.now().getTime() + URL_LASTS_MS
  keep(deps, { urn, kind, owner, secret, bytes, urlExpiresAt: new Date(expires).toISOString(), file: null })
  const url = (part: number) => `${deps.url}/web/dms-uploads/${urn}/${part}?sign=${secret}`
  if (bytes === null) return ok({ value: { uploadUrlExpiresAt: expires, uploadUrl: url(0), [SINGULAR[kind]]: urn } })
  const uploadInstructions = Array.from({ length: Math.ceil(bytes / PART_BYTES) }, (_, part) => {
    const firstByte = part * PART_BYTES
    return { uploadUrl: url(part), firstByte, lastByte: Math.min(firstByte + PART_BYTES, bytes) - 1 }
  })
  return ok({ value: { uploadUrlsExpireAt: expires, video: urn, uploadInstructions, uploadToken: '' } })
}

/** `PUT` of the bytes of an image or a document, or of a part of a video. The address is looked at before they are read. */
export async function takeBytes({ deps, request, query, at }: Call): Promise<SimulatedAnswer> {
  const asset = findAsset(deps, at.urn)
  if (!asset || asset.secret !== query.get('sign')) return refuse(403, 'The upload is not known')
  if (new Date(asset.urlExpiresAt) <= deps.now()) return refuseField('The upload URL has expired', 'EXPIRED_UPLOAD_URL')
  const bytes = await readBytes(request, asset.kind === 'documents' ? limits.documentBytes.value : MAX_PUT_BYTES)
  if (asset.kind === 'documents') {
    const why = whyUnusable(bytes)
    await keepFile(deps, why === null ? asset : { ...asset, why }, bytes, why === null ? 'application/pdf' : undefined)
    return ok('', {}, 201)
  }
  if (asset.kind === 'images') {
    const head = bytes.toString('latin1', 0, 4)
    await keepFile(deps, asset, bytes, Object.entries(IMAGES).find(([, begins]) => head.startsWith(begins))?.[0])
    return ok('', {}, 201)
  }
  const part = Number(at.part)
  const wanted = Math.min((part + 1) * PART_BYTES, asset.bytes ?? 0) - part * PART_BYTES
  if (bytes.length !== wanted) return refuse(400, `The part has ${bytes.length} bytes instead of ${wanted}`)
  return ok('', { etag: `"${part}-${await deps.store.putBlob(bytes)}"` })
}

/** What the network says of a PDF that it cannot use; null: it can. Pages whose objects are packed are not counted. */
function whyUnusable(bytes: Buffer): string | null {
  const text = bytes.toString('latin1')
  if (!text.startsWith('%PDF-') || !text.slice(-1_024).includes('%%EOF')) return DAMAGED
  if (/\/Encrypt\b/.test(text)) return 'The file is protected by a password'
  const pages = text.match(/\/Type\s*\/Page\b/g)?.length ?? 0
  return pages > limits.documentPages.value ? `The file has ${pages} pages` : null
}

async function finish({ deps, by }: Call<Access>, body: unknown): Promise<SimulatedAnswer> {
  const { video, uploadToken, uploadedPartIds } = fieldsOf('', body, ['video', 'uploadToken', 'uploadedPartIds'])
  const asset = findAsset(deps, String(video))
  if (asset?.kind !== 'videos') return refuse(404, 'The video is not known')
  if (!mayAct(by, asset.owner)) return denied('videos.ACTION-finalizeUpload')
  if (uploadToken !== '') return refuseField('uploadToken is another one')
  const parts = Array.isArray(uploadedPartIds) ? uploadedPartIds.map(String) : []
  const blobs = await Promise.all(parts.map((name, part) => deps.store.getBlob(name.replace(`${part}-`, ''))))
  const bytes = Buffer.concat(blobs.filter((blob) => blob !== undefined))
  if (bytes.length !== asset.bytes) return refuseField('uploadedPartIds are not those of all parts in order')
  const brand = bytes.toString('latin1', 4, 12)
  await keepFile(deps, asset, bytes, brand.startsWith('ftyp') && !brand.endsWith('qt  ') ? 'video/mp4' : undefined)
  return ok('')
}

async function keepFile(deps: SimulatorDeps, asset: SimulatedAsset, bytes: Buffer, mimeType = UNUSABLE) {
  const blobId = await deps.store.putBlob(bytes)
  keep(deps, { ...asset, file: { blobId, mimeType, at: deps.now().toISOString() } })
}

export function statusOf(deps: SimulatorDeps, { file, kind }: SimulatedAsset): string {
  if (file === null) return 'WAITING_UPLOAD'
  if (deps.now().getTime() < new Date(file.at).getTime() + WORK_MS[kind]) return 'PROCESSING'
  return file.mimeType === UNUSABLE ? 'PROCESSING_FAILED' : 'AVAILABLE'
}

/** `GET /rest/images/{urn}`, `/rest/documents/{urn}` and `/rest/videos/{urn}` */
export function readAsset({ deps, by, at }: Call<Access>, kind: SimulatedAsset['kind']): SimulatedAnswer {
  const asset = findAsset(deps, at.id)
  if (asset?.kind !== kind) return refuse(404, 'The asset is not known')
  if (!mayAct(by, asset.owner)) return denied(`${kind}.GET`)
  const status = statusOf(deps, asset)
  const why = status === 'PROCESSING_FAILED' ? { processingFailureReason: asset.why ?? DAMAGED } : {}
  return ok({ id: asset.urn, owner: asset.owner, status, ...why })
}
