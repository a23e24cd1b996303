import { randomBytes } from 'node:crypto'
import type { SimulatedAnswer } from '../kit/faults.ts'
import { record } from '../kit/read-json.ts'
import { readBytes } from '../kit/request-body.ts'
import type { SimulatorDeps } from '../kit/simulation.ts'
import type { Call } from '../kit/simulator.ts'
import { limits } from './manifest.ts'
import { type Access, mayWrite } from './simulator-accounts.ts'
import { bodyOf, denied, fieldsOf, invalid, ok, refuse, refuseInput } from './simulator-answers.ts'

/** A file that is being uploaded, or is there. */
interface SimulatedAsset {
  urn: string
  kind: 'images' | 'videos'
  owner: string
  secret: string
  /** Bytes that were announced; null for images, which announce none. */
  bytes: number | null
  /** Blobs of the parts by their number, with the names that were given to them. */
  parts: Readonly<Record<string, { blobId: string; etag: string }>>
  urlExpiresAt: string
  /** The whole file, and when it was there. */
  file: { blobId: string; mimeType: string; usable: boolean; at: string } | null
}

const PART_BYTES = 4 * 1024 * 1024
const URL_LASTS_MS = 3_600_000
/** How long the network works on a file. */
const WORK_MS = { images: 2_000, videos: 4_000 } as const
const MAX_PUT_BYTES = 64 * 1024 * 1024

export const findAsset = (deps: SimulatorDeps, urn = '') => deps.store.get<SimulatedAsset>('assets', urn)
const keep = ({ store }: SimulatorDeps, asset: SimulatedAsset) => store.put('assets', asset.urn, asset)

/** `POST /rest/images?action=…` and `/rest/videos?action=…` */
export async function takeAction(call: Call<Access>, kind: SimulatedAsset['kind']): Promise<SimulatedAnswer> {
  const body = record(await bodyOf(call))
  const action = call.query.get('action')
  if (action === 'initializeUpload') return begin(call, kind, body?.initializeUploadRequest)
  if (action === 'finalizeUpload' && kind === 'videos') return finish(call, body?.finalizeUploadRequest)
  return refuse(404, `No action ${action}`)
}

function begin({ deps, by }: Call<Access>, kind: SimulatedAsset['kind'], body: unknown): SimulatedAnswer {
  const more = kind === 'images' ? [] : ['fileSizeBytes', 'uploadCaptions', 'uploadThumbnail']
  const { owner, fileSizeBytes } = fieldsOf('', body, ['owner'], more)
  if (!mayWrite(by, owner)) return denied(`${kind}.ACTION-initializeUpload`)
  const bytes = kind === 'videos' ? Number(fileSizeBytes) : null
  const { videoMinBytes: least, videoMaxBytes: most } = limits
  if (bytes !== null && !(Number.isInteger(bytes) && bytes >= least.value && bytes <= most.value)) {
    return invalid('fileSizeBytes is out of range')
  }
  const urn = `urn:li:${kind === 'images' ? 'image' : 'video'}:C4E${randomBytes(12).toString('hex')}`
  const secret = randomBytes(18).toString('base64url')
  const expires = deps.now().getTime() + URL_LASTS_MS
  keep(deps, { urn, kind, owner, secret, bytes, parts: {}, urlExpiresAt: new Date(expires).toISOString(), file: null })
  const url = (part: number) => `${deps.url}/web/dms-uploads/${urn}/${part}?sign=${secret}`
  if (bytes === null) return ok({ value: { uploadUrlExpiresAt: expires, uploadUrl: url(0), image: urn } })
  const uploadInstructions = Array.from({ length: Math.ceil(bytes / PART_BYTES) }, (_, part) => ({
    uploadUrl: url(part),
    firstByte: part * PART_BYTES,
    lastByte: Math.min((part + 1) * PART_BYTES, bytes) - 1,
  }))
  return ok({ value: { uploadUrlsExpireAt: expires, video: urn, uploadInstructions, uploadToken: '' } })
}

/** `PUT` of the bytes of an image, or of a part of a video. The address is looked at before they are read. */
export async function takeBytes({ deps, request, query, at }: Call): Promise<SimulatedAnswer> {
  const asset = findAsset(deps, at.urn)
  if (!asset || asset.secret !== query.get('sign')) return refuse(403, 'The upload is not known')
  if (new Date(asset.urlExpiresAt) <= deps.now()) {
    return refuseInput('EXPIRED_UPLOAD_URL', 'The upload URL has expired')
  }
  const bytes = await readBytes(request, MAX_PUT_BYTES)
  if (asset.kind === 'images') {
    const mimeType = imageType(bytes)
    await keepFile(deps, asset, bytes, mimeType ?? 'application/octet-stream', mimeType !== null)
    return ok('', {}, 201)
  }
  const part = Number(at.part)
  const wanted = Math.min((part + 1) * PART_BYTES, asset.bytes ?? 0) - part * PART_BYTES
  if (bytes.length !== wanted) return refuse(400, `The part has ${bytes.length} bytes instead of ${wanted}`)
  const blobId = await deps.store.putBlob(bytes)
  const etag = `${blobId.slice(0, 16)}-${part}`
  const latest = findAsset(deps, asset.urn) ?? asset
  keep(deps, { ...latest, parts: { ...latest.parts, [part]: { blobId, etag } } })
  return ok('', { etag: `"${etag}"` })
}

async function finish({ deps, by }: Call<Access>, body: unknown): Promise<SimulatedAnswer> {
  const { video, uploadToken, uploadedPartIds } = fieldsOf('', body, ['video', 'uploadToken', 'uploadedPartIds'])
  const asset = findAsset(deps, String(video))
  if (asset?.kind !== 'videos') return refuse(404, 'The video is not known')
  if (!mayWrite(by, asset.owner)) return denied('videos.ACTION-finalizeUpload')
  if (uploadToken !== '') return invalid('uploadToken is another one')
  const parts = Array.from({ length: Math.ceil((asset.bytes ?? 0) / PART_BYTES) }, (_, part) => asset.parts[part])
  const etags = parts.map((part) => part?.etag)
  if (etags.includes(undefined) || JSON.stringify(uploadedPartIds) !== JSON.stringify(etags)) {
    return invalid('uploadedPartIds are not those of all parts in order')
  }
  const blobs = await Promise.all(parts.map((part) => deps.store.getBlob(part?.blobId ?? '')))
  const bytes = Buffer.concat(blobs.filter((blob) => blob !== undefined))
  const brand = bytes.toString('latin1', 4, 12)
  await keepFile(deps, asset, bytes, 'video/mp4', brand.startsWith('ftyp') && !brand.endsWith('qt  '))
  return ok('')
}

async function keepFile(
  deps: SimulatorDeps,
  asset: SimulatedAsset,
  bytes: Buffer,
  mimeType: string,
  usable: boolean,
): Promise<void> {
  const blobId = await deps.store.putBlob(bytes)
  keep(deps, { ...asset, file: { blobId, mimeType, usable, at: deps.now().toISOString() } })
}

export function statusOf(deps: SimulatorDeps, { file, kind }: SimulatedAsset): string {
  if (file === null) return 'WAITING_UPLOAD'
  if (deps.now().getTime() < new Date(file.at).getTime() + WORK_MS[kind]) return 'PROCESSING'
  return file.usable ? 'AVAILABLE' : 'PROCESSING_FAILED'
}

/** `GET /rest/images/{urn}` and `/rest/videos/{urn}`: apps that may only write for a person may not ask for images. */
export function readAsset({ deps, by, at }: Call<Access>, kind: SimulatedAsset['kind']): SimulatedAnswer {
  const asset = findAsset(deps, at.id)
  if (asset?.kind !== kind) return refuse(404, 'The asset is not known')
  const maySee = kind === 'videos' || by.scopes.includes('r_organization_social')
  if (!maySee || !mayWrite(by, asset.owner)) return denied(`${kind}.GET`)
  const status = statusOf(deps, asset)
  const why = status === 'PROCESSING_FAILED' ? { processingFailureReason: 'The file could not be read' } : {}
  return ok({ id: asset.urn, owner: asset.owner, status, ...why })
}

function imageType(bytes: Buffer): string | null {
  if (bytes.readUInt16BE(0) === 0xffd8) return 'image/jpeg'
  if (bytes.toString('latin1', 1, 4) === 'PNG') return 'image/png'
  return bytes.toString('latin1', 0, 3) === 'GIF' ? 'image/gif' : null
}
