import { AsyncLocalStorage } from 'node:async_hooks'
import type { IncomingMessage } from 'node:http'
import { PassThrough, Readable } from 'node:stream'
import { DataStore, Metadata, Server, Upload } from '@tus/server'
import { LIMITS, ProblemError } from '#contract'
import { HOUR_MS } from '#contract/durations'
import { requireClient } from './problems.ts'

/** The version of the protocol: https://tus.io/protocols/resumable-upload */
export const TUS_VERSION = '1.0.0'
export const TUS_EXTENSIONS = ['creation', 'expiration', 'termination'] as const

const EXPIRE_MS = LIMITS.uploadHours * HOUR_MS

/** An upload as the protocol sees it. */
export interface TusUpload {
  id: string
  length: number
  offset: number
  /** Milliseconds until it expires without another byte; null when all bytes are here. */
  expiresInMs: number | null
  metadata: Record<string, string | null>
}

/** What a request does with an upload. Each is called once at most; what they reject with is thrown. */
interface TusActions {
  create?(length: number): Promise<TusUpload>
  /** The upload of the path, which the request has taken over. */
  upload?: TusUpload
  /** Takes the stream to its end and gives the new offset. */
  append?(offset: number, bytes: Readable): Promise<number>
  remove?(): Promise<void>
}

/** A request that the library answers. */
interface Asked extends TusActions {
  /** The address of uploads, without a slash at the end. */
  location: string
  /** What an action rejected with: the library would report it in its own words. */
  failure?: unknown
}

export interface TusAnswer {
  status: number
  headers: Record<string, string>
}

/** The pairs of Upload-Metadata; nothing of a header that cannot be read, of which the protocol complains later. */
export function readMetadata(header: string | undefined): Record<string, string | null> {
  if (header === undefined) return {}
  try {
    return Metadata.parse(header)
  } catch {
    return {}
  }
}

/** The request that the library has in hand: it names a request to its hooks, and to its store no more than an id. */
const inHand = new AsyncLocalStorage<Asked>()

function asked(): Asked {
  const found = inHand.getStore()
  if (!found) throw new Error('The library of uploads has no request in hand.')
  return found
}

async function tried<T>(action: T): Promise<Awaited<T>> {
  try {
    return await action
  } catch (error) {
    // Those of the library have a status.
    if (!(error instanceof Error && 'status_code' in error)) asked().failure = error
    throw error
  }
}

/** Our uploads as the library wants them: rows that the request has found and taken over before. */
class Store extends DataStore {
  override extensions = [...TUS_EXTENSIONS]

  override async create(upload: Upload): Promise<Upload> {
    const request = asked()
    if (!request.create || upload.size === undefined) throw new Error('An upload cannot be made here.')
    request.upload = await tried(request.create(upload.size))
    return Object.assign(upload, { id: request.upload.id, creation_date: begunAt(request.upload) })
  }

  override async getUpload(): Promise<Upload> {
    const { upload } = asked()
    if (!upload) throw new Error('An upload cannot be read here.')
    const { id, length: size, offset, metadata } = upload
    return new Upload({ id, size, offset, metadata, creation_date: begunAt(upload) })
  }

  override async write(bytes: Readable, _id: string, offset: number): Promise<number> {
    const { append } = asked()
    if (!append) throw new Error('Bytes cannot be added here.')
    return tried(append(offset, bytes))
  }

  override async remove(): Promise<void> {
    await tried(asked().remove?.())
  }

  override getExpiration(): number {
    return EXPIRE_MS
  }
}

/** By the database's clock it has so long: the library asks that of this process. */
const begunAt = ({ expiresInMs }: TusUpload) =>
  new Date(Date.now() + (expiresInMs ?? EXPIRE_MS) - EXPIRE_MS).toISOString()

/** Of all processes the one has an upload that has taken over its row: that is the lock, and this server needs no other. */
const ROW_IS_LOCKED = { lock: async () => {}, unlock: async () => {} }

const server = new Server({
  path: '/',
  datastore: new Store(),
  locker: { newLock: () => ROW_IS_LOCKED },
  maxSize: LIMITS.mediaBytes,
  namingFunction: () => 'to-be-made',
  getFileIdFromRequest: () => asked().upload?.id,
  generateUrl: (_, { id }) => `${asked().location}/${id}`,
})

/**
 * Answers a request by the tus protocol, as the library reads it. The request has been let in and its upload found before.
 *
 * @param location the address of uploads, without a slash at the end
 * @throws ProblemError, or what an action rejected with
 */
export async function answerTus(raw: IncomingMessage, location: string, actions: TusActions): Promise<TusAnswer> {
  if (raw.headers['tus-resumable'] !== TUS_VERSION) throw unsupportedVersion()
  if (actions.append) requireClient(raw)
  // The library may end its stream early; the rest of the request is not its own.
  const body = actions.append ? raw.pipe(new PassThrough()) : null
  const breakOff = (error: Error) => void body?.destroy(error)
  raw.once('error', breakOff)
  try {
    const request = new Request('http://tus/upload', {
      method: raw.method ?? 'GET',
      headers: protocolHeaders(raw),
      ...(body ? { body: Readable.toWeb(body) as ReadableStream, duplex: 'half' } : {}),
    })
    const inQuestion: Asked = { ...actions, location }
    const response = await inHand.run(inQuestion, () => server.handleWeb(request))
    if (raw.errored) throw raw.errored
    if (inQuestion.failure !== undefined) throw inQuestion.failure
    if (response.status >= 400) throw await problemOfResponse(response, actions)
    return { status: response.status, headers: answerHeaders(response) }
  } finally {
    raw.off('error', breakOff)
    if (body) {
      raw.unpipe(body)
      body.destroy()
    }
  }
}

/** The library looks at no other headers: what proxies add is none of its business. */
function protocolHeaders({ headers, method }: IncomingMessage): Headers {
  const names = [
    'tus-resumable',
    'upload-offset',
    'upload-length',
    'upload-metadata',
    'upload-defer-length',
    'upload-concat',
  ]
  const withBody = method === 'PATCH' ? ['content-type', 'content-length'] : []
  const given = new Headers()
  for (const name of [...names, ...withBody]) {
    const value = headers[name]
    if (value !== undefined) given.set(name, [value].flat().join())
  }
  return given
}

function answerHeaders(response: Response): Record<string, string> {
  const headers = [...response.headers].filter(([name]) => /^(tus-|upload-|location$)/.test(name))
  // The library counts from when an upload was made; it expires by its last byte.
  const expires = new Date(Date.now() + EXPIRE_MS).toUTCString()
  return Object.fromEntries(headers.map(([name, value]) => [name, name === 'upload-expires' ? expires : value]))
}

function unsupportedVersion(): ProblemError {
  return new ProblemError(
    'media-upload:unsupported_version',
    `Send the header Tus-Resumable: ${TUS_VERSION}, the version of the protocol that is spoken here.`,
    { headers: { 'tus-version': TUS_VERSION } },
  )
}

/** What the library refuses by itself, in our words. */
async function problemOfResponse(response: Response, { upload }: TusActions): Promise<unknown> {
  const words = (await response.text()).trim()
  switch (response.status) {
    case 409:
      return new ProblemError(
        'media-upload:offset_mismatch',
        `The upload goes on at byte ${upload?.offset}. Send the bytes from there, with that Upload-Offset.`,
      )
    case 413:
      return new ProblemError(
        'request:too_large',
        `There are more bytes than the ${upload?.length} that the upload announced.`,
      )
    case 400:
    case 403:
    case 501:
      return new ProblemError('request:invalid_header', words)
    default:
      return new Error(`The library of uploads answered ${response.status}: ${words}`)
  }
}
