import { randomBytes } from 'node:crypto'
import { faultIn, type SimulatedAnswer } from '../kit/faults.ts'
import { readBytes, readJson } from '../kit/request-body.ts'
import type { SimulatorDeps } from '../kit/simulation.ts'
import { type Call, visibly } from '../kit/simulator.ts'
import { nextQuotaDay } from './outcomes.ts'
import { QUANTUM } from './session.ts'
import type { SimulatedChannel } from './simulator-accounts.ts'
import { apiError, beginFaults, pieceFaults, refuse, SimulatedRefusal } from './simulator-answers.ts'
import {
  type Behaviour,
  findVideo,
  type Metadata,
  makeVideo,
  readMetadata,
  videoResourceAt,
} from './simulator-videos.ts'

/** A session of the resumable protocol, as the store holds it. */
interface Session {
  id: string
  channel: SimulatedChannel
  metadata: Metadata
  parts: readonly string[]
  mimeType: string
  total: number
  openedAt: string
  /** What has arrived, in order. */
  pieces: readonly { blobId: string; bytes: number }[]
  videoId: string | null
}

type Upload = Call<SimulatedChannel>

const SESSIONS = 'sessions'
const DAY_MS = 24 * 3_600_000
/** Larger than any piece of the connector. A file that comes at once may be as large as this too. */
const MAX_PIECE_BYTES = 256 * 1024 * 1024
const PARAMETERS = ['uploadType', 'part', 'notifySubscribers', 'upload_id']

/** `part=snippet,status`, or the name several times. */
export const partsIn = (query: URLSearchParams) => query.getAll('part').flatMap((part) => part.split(','))

/** Opens a session. */
export async function beginUpload(
  { deps, request, query, by: channel }: Upload,
  behaviour: Behaviour,
): Promise<SimulatedAnswer> {
  const metadata = checkedMetadata(deps, query, await readJson(request), behaviour)
  const total = Number(request.headers['x-upload-content-length'])
  const mimeType = request.headers['x-upload-content-type']
  if (!request.headers['content-type']?.startsWith('application/json')) {
    refuse(400, 'badContent', 'Media type of the metadata is not supported.')
  }
  if (!Number.isSafeInteger(total) || total <= 0)
    refuse(400, 'mediaBodyRequired', 'The length of the media is missing.')
  if (typeof mimeType !== 'string' || !/^(video\/|application\/octet-stream$)/.test(mimeType)) {
    refuse(400, 'mediaBodyRequired', `Media type '${mimeType}' is not supported. Valid media types: [video/*].`)
  }
  const session: Session = {
    id: randomBytes(24).toString('base64url'),
    channel,
    metadata,
    parts: partsIn(query),
    mimeType,
    total,
    openedAt: deps.now().toISOString(),
    pieces: [],
    videoId: null,
  }
  deps.store.put(SESSIONS, session.id, session)
  const address = new URLSearchParams([...query, ['upload_id', session.id]])
  return { status: 200, headers: { location: `${deps.url}/api/upload/youtube/v3/videos?${address}` }, body: '' }
}

function checkedMetadata(deps: SimulatorDeps, query: URLSearchParams, body: unknown, behaviour: Behaviour): Metadata {
  const stranger = [...query.keys()].find((name) => !PARAMETERS.includes(name))
  if (stranger) refuse(400, 'invalidParameter', `Unknown name "${stranger}": Cannot bind query parameter.`)
  const metadata = readMetadata(body, partsIn(query))
  const fault = beginFaults[faultIn(metadata.description) ?? '']
  if (fault) throw new SimulatedRefusal(fault)
  const dayBegan = nextQuotaDay(deps.now()).getTime() - DAY_MS
  const today = deps.store.list<Session>(SESSIONS).filter(({ openedAt }) => new Date(openedAt).getTime() >= dayBegan)
  if (today.length >= (behaviour.quota ?? Number.POSITIVE_INFINITY)) {
    refuse(
      403,
      'quotaExceeded',
      'The request cannot be completed because you have exceeded your <a href="/">quota</a>.',
    )
  }
  return metadata
}

/** A request to a session: a piece, the last piece, or a question how much has arrived. */
export async function continueUpload(upload: Upload, behaviour: Behaviour): Promise<SimulatedAnswer | null> {
  const { deps, request, query, by: channel } = upload
  const bytes = await readBytes(request, MAX_PIECE_BYTES)
  const session = deps.store.get<Session>(SESSIONS, query.get('upload_id') ?? '')
  const age = deps.now().getTime() - new Date(session?.openedAt ?? 0).getTime()
  if (!session || session.channel.id !== channel.id || age > (behaviour.sessionMs ?? DAY_MS)) {
    return { status: 404, body: 'Not Found' }
  }
  const range = request.headers['content-range'] ?? `bytes 0-${bytes.length - 1}/${bytes.length}`
  const [, start, end, total] = /^bytes (?:(\d+)-(\d+)|\*)\/(\d+)$/.exec(range) ?? []
  if (Number(total) !== session.total) refuse(400, 'badRequest', 'Failed to parse Content-Range header.')
  if (start === undefined) return session.videoId === null ? resume(session) : finished(deps, session)
  const held = heldBy(session)
  // What the network says to bytes that it has already is not documented.
  if (session.videoId !== null || Number(start) !== held || Number(end) + 1 - held !== bytes.length) {
    refuse(400, 'badRequest', 'Invalid request. The bytes do not follow on those which have arrived.')
  }
  if (held + bytes.length === session.total) {
    return sendVideo(upload, behaviour, session, bytes)
  }
  if (bytes.length % QUANTUM !== 0) refuse(400, 'badRequest', 'The size of a piece must be a multiple of 262144 bytes.')
  return takePiece(deps, session, bytes, behaviour)
}

async function takePiece(deps: SimulatorDeps, session: Session, bytes: Buffer, { firstPiece = 'in-part' }: Behaviour) {
  const first = session.pieces.length === 0 && bytes.length >= 2 * QUANTUM
  const taken = first && firstPiece !== 'whole' ? bytes.subarray(0, bytes.length - QUANTUM) : bytes
  const piece = { blobId: await deps.store.putBlob(taken), bytes: taken.length }
  const longer = { ...session, pieces: [...session.pieces, piece] }
  deps.store.put(SESSIONS, session.id, longer)
  if (first && firstPiece === 'broken') return apiError(503, 'backendError', 'Service Unavailable')
  return resume(longer)
}

const heldBy = (session: Session) => session.pieces.reduce((sum, { bytes }) => sum + bytes, 0)

function resume(session: Session): SimulatedAnswer {
  const held = heldBy(session)
  return { status: 308, headers: held === 0 ? {} : { range: `bytes=0-${held - 1}` }, body: '' }
}

function finished(deps: SimulatorDeps, session: Session): SimulatedAnswer {
  const video = findVideo(deps, session.videoId ?? '')
  if (!video) throw new Error('A finished session has no video.')
  return { status: 201, body: videoResourceAt(video, deps.now(), session.parts) }
}

/** The visible call: with the last byte there is a video. */
function sendVideo(upload: Upload, behaviour: Behaviour, session: Session, last: Buffer): Promise<null> {
  const { deps, by: channel } = upload
  return visibly(upload, {
    key: `upload:${session.id}`,
    text: session.metadata.description,
    answers: pieceFaults,
    async accept() {
      const pieces = await Promise.all(session.pieces.map(({ blobId }) => deps.store.getBlob(blobId)))
      const bytes = Buffer.concat([...pieces.filter((piece) => piece !== undefined), last])
      if (bytes.length !== session.total) throw new Error('Pieces of an upload are missing.')
      const file = { bytes, mimeType: session.mimeType }
      const video = await makeVideo(deps, channel, session.metadata, file, behaviour)
      const done = { ...session, videoId: video.id }
      deps.store.put(SESSIONS, session.id, done)
      return finished(deps, done)
    },
  })
}

/** An upload in one request: `multipart/related` of a resource and a file. */
export async function uploadAtOnce(upload: Upload, behaviour: Behaviour): Promise<null> {
  const { deps, request, query, by: channel } = upload
  const [resource, file] = splitRelated(
    await readBytes(request, MAX_PIECE_BYTES),
    request.headers['content-type'] ?? '',
  )
  if (!resource || !file) refuse(400, 'badContent', 'The body is not multipart/related with two parts.')
  const metadata = checkedMetadata(deps, query, parsed(resource.body), behaviour)
  return visibly(upload, {
    key: `upload:${randomBytes(8).toString('hex')}`,
    text: metadata.description,
    answers: pieceFaults,
    async accept() {
      const video = await makeVideo(deps, channel, metadata, { bytes: file.body, mimeType: file.type }, behaviour)
      return { status: 200, body: videoResourceAt(video, deps.now(), partsIn(query)) }
    },
  })
}

function splitRelated(bytes: Buffer, contentType: string): { type: string; body: Buffer }[] {
  const boundary = /^multipart\/related;.*boundary="?([^";]+)"?/.exec(contentType)?.[1]
  if (boundary === undefined) return []
  const text = bytes.toString('latin1')
  return text
    .split(`--${boundary}`)
    .slice(1, -1)
    .map((part) => {
      const [head = '', ...rest] = part.split('\r\n\r\n')
      const body = Buffer.from(rest.join('\r\n\r\n').replace(/\r\n$/, ''), 'latin1')
      return { type: /content-type:\s*([^\s;]+)/i.exec(head)?.[1] ?? '', body }
    })
}

function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch {
    return undefined
  }
}
