import { randomBytes } from 'node:crypto'
import type { SimulatedAnswer } from '../kit/faults.ts'
import { record } from '../kit/read-json.ts'
import type { SimulatorDeps } from '../kit/simulation.ts'
import type { Call } from '../kit/simulator.ts'
import { limits } from './manifest.ts'
import type { Access } from './simulator-accounts.ts'
import { denied, ok, refuse, refuseInput } from './simulator-answers.ts'

/** A file that is being uploaded, or is there. */
export interface SimulatedAsset {
  urn: string
  kind: 'images' | 'videos'
  owner: string
  secret: string
  /** Bytes that were announced; null for images, which announce none. */
  bytes: number | null
  /** Blobs of the parts by their number, with the names that were given to them. */
  parts: Readonly<Record<string, { blobId: string; etag: string; bytes: number }>>
  urlExpiresAt: string
  /** The whole file, and when it was there. */
  file: { blobId: string; mimeType: string; usable: boolean; at: string } | null
}

const PART_BYTES = 4 * 1024 * 1024
const URL_LASTS_MS = 3_600_000
/** How long the network works on a file. */
const WORK_MS = { images: 2_000, videos: 4_000 } as const
export const MAX_PUT_BYTES = 64 * 1024 * 1024

export const findAsset = (deps: SimulatorDeps, urn: string) => deps.store.get<SimulatedAsset>('assets', urn)

/** `POST /rest/images?action=…` and `/rest/videos?action=…` */
export function handleAction(
  { deps, by: access, query }: Call<Access>,
  kind: SimulatedAsset['kind'],
  body: unknown,
): Promise<SimulatedAnswer> | SimulatedAnswer {
  const action = query.get('action')
  if (action === 'initializeUpload') return begin(deps, access, kind, record(record(body)?.initializeUploadRequest))
  if (action === 'finalizeUpload' && kind === 'videos') {
    return finish(deps, access, record(record(body)?.finalizeUploadRequest))
  }
  return refuse(404, `No action ${action}`)
}

/** Whether the token may act for this author. */
export function mayWrite(access: Access, urn: unknown): urn is string {
  if (urn === `urn:li:person:${access.person.id}`) return access.scopes.includes('w_member_social')
  const page = access.pages.find((each) => each.urn === urn)
  return page !== undefined && page.role !== 'ANALYST' && access.scopes.includes('w_organization_social')
}

function begin(
  deps: SimulatorDeps,
  access: Access,
  kind: SimulatedAsset['kind'],
  ask: Readonly<Record<string, unknown>> | undefined,
): SimulatedAnswer {
  const known = kind === 'images' ? ['owner'] : ['owner', 'fileSizeBytes', 'uploadCaptions', 'uploadThumbnail']
  const unknown = Object.keys(ask ?? {}).find((name) => !known.includes(name))
  if (!ask || unknown) return refuse(422, `ERROR :: /${unknown ?? ''} :: unrecognized field found but not allowed`)
  const { owner, fileSizeBytes } = ask
  if (typeof owner !== 'string') return refuse(422, 'ERROR :: /owner :: field is required but not found')
  if (!mayWrite(access, owner)) return denied(`${kind}.ACTION-initializeUpload`)
  const bytes = kind === 'videos' ? Number(fileSizeBytes) : null
  const { videoMinBytes: least, videoMaxBytes: most } = limits
  if (bytes !== null && !(Number.isInteger(bytes) && bytes >= least.value && bytes <= most.value)) {
    return refuseInput(400, 'INVALID_VALUE_FOR_FIELD', 'fileSizeBytes is out of range')
  }
  const asset: SimulatedAsset = {
    urn: `urn:li:${kind === 'images' ? 'image' : 'video'}:C4E${randomBytes(12).toString('hex')}`,
    kind,
    owner,
    secret: randomBytes(18).toString('base64url'),
    bytes,
    parts: {},
    urlExpiresAt: new Date(deps.now().getTime() + URL_LASTS_MS).toISOString(),
    file: null,
  }
  deps.store.put('assets', asset.urn, asset)
  const url = (part: number) => `${deps.url}/web/dms-uploads/${asset.urn}/${part}?sign=${asset.secret}`
  const expires = new Date(asset.urlExpiresAt).getTime()
  if (bytes === null) return ok({ value: { uploadUrlExpiresAt: expires, uploadUrl: url(0), image: asset.urn } })
  const uploadInstructions = Array.from({ length: Math.ceil(bytes / PART_BYTES) }, (_, part) => ({
    uploadUrl: url(part),
    firstByte: part * PART_BYTES,
    lastByte: Math.min((part + 1) * PART_BYTES, bytes) - 1,
  }))
  return ok({ value: { uploadUrlsExpireAt: expires, video: asset.urn, uploadInstructions, uploadToken: '' } })
}

/** The asset of an address for bytes, before they are read. @throws SimulatedRefusal */
export function openAsset(deps: SimulatorDeps, urn: string | undefined, sign: string | null): SimulatedAsset {
  const asset = findAsset(deps, urn ?? '')
  if (!asset || asset.secret !== sign) return refuse(403, 'The upload is not known')
  if (new Date(asset.urlExpiresAt) <= deps.now()) {
    return refuseInput(400, 'EXPIRED_UPLOAD_URL', 'The upload URL has expired')
  }
  return asset
}

/** `PUT` of the bytes of an image, or of a part of a video. */
export async function takeBytes(
  deps: SimulatorDeps,
  asset: SimulatedAsset,
  part: string,
  bytes: Buffer,
): Promise<SimulatedAnswer> {
  const { urn } = asset
  if (asset.kind === 'images') {
    const blobId = await deps.store.putBlob(bytes)
    const mimeType = imageType(bytes)
    const usable = mimeType !== null
    const file = { blobId, mimeType: mimeType ?? 'application/octet-stream', usable, at: deps.now().toISOString() }
    deps.store.put('assets', urn, { ...asset, file } satisfies SimulatedAsset)
    return ok('', {}, 201)
  }
  const number = Number(part)
  const wanted = Math.min((number + 1) * PART_BYTES, asset.bytes ?? 0) - number * PART_BYTES
  if (bytes.length !== wanted) return refuse(400, `The part has ${bytes.length} bytes instead of ${wanted}`)
  const blobId = await deps.store.putBlob(bytes)
  const etag = `${blobId.slice(0, 16)}-${number}`
  const latest = findAsset(deps, urn) ?? asset
  const parts = { ...latest.parts, [part]: { blobId, etag, bytes: bytes.length } }
  deps.store.put('assets', urn, { ...latest, parts } satisfies SimulatedAsset)
  return ok('', { etag: `"${etag}"` })
}

async function finish(
  deps: SimulatorDeps,
  access: Access,
  ask: Readonly<Record<string, unknown>> | undefined,
): Promise<SimulatedAnswer> {
  const asset = findAsset(deps, String(ask?.video))
  if (!ask || !asset || asset.kind !== 'videos') return refuse(404, 'The video is not known')
  if (!mayWrite(access, asset.owner)) return denied('videos.ACTION-finalizeUpload')
  if (ask.uploadToken !== '') return refuseInput(400, 'INVALID_VALUE_FOR_FIELD', 'uploadToken is another one')
  const count = Math.ceil((asset.bytes ?? 0) / PART_BYTES)
  const parts = Array.from({ length: count }, (_, part) => asset.parts[part])
  const etags = parts.map((part) => part?.etag)
  if (etags.includes(undefined) || JSON.stringify(ask.uploadedPartIds) !== JSON.stringify(etags)) {
    return refuseInput(400, 'INVALID_VALUE_FOR_FIELD', 'uploadedPartIds are not those of all parts in order')
  }
  const blobs = await Promise.all(parts.map((part) => deps.store.getBlob(part?.blobId ?? '')))
  const bytes = Buffer.concat(blobs.filter((blob) => blob !== undefined))
  const usable = bytes.toString('latin1', 4, 8) === 'ftyp' && bytes.toString('latin1', 8, 12) !== 'qt  '
  const blobId = await deps.store.putBlob(bytes)
  const file = { blobId, mimeType: 'video/mp4', usable, at: deps.now().toISOString() }
  deps.store.put('assets', asset.urn, { ...asset, file } satisfies SimulatedAsset)
  return ok('')
}

export function statusOf(deps: SimulatorDeps, asset: SimulatedAsset): string {
  if (asset.file === null) return 'WAITING_UPLOAD'
  if (deps.now().getTime() < new Date(asset.file.at).getTime() + WORK_MS[asset.kind]) return 'PROCESSING'
  return asset.file.usable ? 'AVAILABLE' : 'PROCESSING_FAILED'
}

/** `GET /rest/images/{urn}` and `/rest/videos/{urn}`: apps that may only write for a person may not ask for images. */
export function readAsset({ deps, by: access, at }: Call<Access>, kind: SimulatedAsset['kind']): SimulatedAnswer {
  const asset = findAsset(deps, at.id ?? '')
  if (!asset || asset.kind !== kind) return refuse(404, 'The asset is not known')
  if (!mayWrite(access, asset.owner)) return denied(`${kind}.GET`)
  if (kind === 'images' && !access.scopes.includes('r_organization_social')) return denied('images.GET')
  const status = statusOf(deps, asset)
  return ok({
    id: asset.urn,
    owner: asset.owner,
    status,
    ...(status === 'PROCESSING_FAILED' ? { processingFailureReason: 'The file could not be read' } : {}),
  })
}

function imageType(bytes: Buffer): string | null {
  if (bytes.readUInt16BE(0) === 0xffd8) return 'image/jpeg'
  if (bytes.toString('latin1', 1, 4) === 'PNG') return 'image/png'
  return bytes.toString('latin1', 0, 3) === 'GIF' ? 'image/gif' : null
}
