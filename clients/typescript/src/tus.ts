import { AlmanacError, ApiError, ConnectionError } from './errors.ts'
import { pause } from './pause.ts'
import type { RequestOptions, Transport } from './request.ts'

interface PiecesOptions extends Pick<RequestOptions, 'signal' | 'timeout'> {
  fields: Readonly<Record<string, string>>
  bytesTotal: number
  onProgress?: ((sent: { bytesSent: number; bytesTotal: number }) => void) | undefined
}

const FILES = '/v1/media-upload/files'
const PROTOCOL = { 'tus-resumable': '1.0.0' }
/** A piece of a slow line takes its time; what does not move the service ends by itself. */
const PIECE_MS = 600_000
/** Without a byte more. */
const MOST_FAILURES = 5

/**
 * Uploads a file by the tus protocol (https://tus.io/protocols/resumable-upload), which goes on where it was when the connection breaks.
 *
 * @returns the id of the upload
 */
export async function uploadPieces(
  transport: Transport,
  pieces: AsyncIterable<Uint8Array<ArrayBuffer>>,
  { fields, bytesTotal, onProgress, signal, timeout = PIECE_MS }: PiecesOptions,
): Promise<string> {
  const headers = { ...PROTOCOL, 'upload-length': String(bytesTotal), 'upload-metadata': metadataOf(fields) }
  // Sent again it would be a second upload.
  const begun = { method: 'POST', path: FILES, headers, again: 'refused' } as const
  const { response } = await transport.send(begun, { signal }).withResponse()
  const id = response.headers.get('location')?.split('/').at(-1)
  if (!id) throw new AlmanacError('The service did not say where the bytes go.')
  let sent = 0
  for await (const piece of pieces) {
    sent = await sendPiece(transport, { path: `${FILES}/${id}`, piece, from: sent }, { signal, timeout })
    onProgress?.({ bytesSent: sent, bytesTotal })
  }
  return id
}

/** Sends a piece, in as many requests as it takes. */
async function sendPiece(
  transport: Transport,
  { path, piece, from }: { path: string; piece: Uint8Array<ArrayBuffer>; from: number },
  options: Pick<RequestOptions, 'signal' | 'timeout'>,
): Promise<number> {
  const end = from + piece.length
  let offset = from
  for (let failures = 0; offset < end; ) {
    const headers = { ...PROTOCOL, 'upload-offset': String(offset), 'content-type': 'application/offset+octet-stream' }
    const body = piece.subarray(offset - from)
    try {
      const { response } = await transport
        .send({ method: 'PATCH', path, body, headers, again: 'refused' }, options)
        .withResponse()
      offset = offsetOf(response, offset, end)
      failures = 0
    } catch (error) {
      // What arrived of it is safe: 409 means that more did than was known.
      const resumes = error instanceof ConnectionError || (error instanceof ApiError && RESUMED.includes(error.status))
      failures += 1
      if (!resumes || failures > MOST_FAILURES) throw error
      await pause(250 * 2 ** failures, options.signal)
      const { response } = await transport.send({ method: 'HEAD', path, headers: PROTOCOL }, options).withResponse()
      const known = offsetOf(response, from, end)
      if (known > offset) failures = 0
      offset = known
    }
  }
  return offset
}

const RESUMED = [408, 409, 423, 500, 502, 504]

function offsetOf(response: Response, from: number, end: number): number {
  const offset = Number(response.headers.get('upload-offset') ?? Number.NaN)
  if (offset >= from && offset <= end) return offset
  throw new AlmanacError('The service has other bytes of the file than were sent.')
}

function metadataOf(fields: Readonly<Record<string, string>>): string {
  return Object.entries(fields)
    .map(([name, value]) => `${name} ${base64Of(value)}`)
    .join(',')
}

function base64Of(text: string): string {
  return btoa(Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join(''))
}
