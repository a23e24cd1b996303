import { AlmanacError, MediaUploadError } from './errors.ts'
import { pause } from './pause.ts'
import type { RequestOptions, Transport } from './request.ts'
import { uploadPieces } from './tus.ts'
import type { MediaUpload } from './types.ts'

/** A public address, or the bytes themselves. */
export type MediaSource = string | URL | Blob | ReadableStream<Uint8Array>

export interface ImportOptions extends Pick<RequestOptions, 'signal' | 'timeout'> {
  socialSetId: string
  name?: string | undefined
  altText?: string | undefined
  /** How long a stream is. Needed for one of more than 8 MiB, which is sent piece by piece as it comes. */
  bytes?: number | undefined
  /** Called as bytes are sent. */
  onProgress?: ((sent: { bytesSent: number; bytesTotal: number }) => void) | undefined
}

/** An upload whose file is in the media library. */
export interface ReadyUpload extends MediaUpload {
  status: 'READY'
  mediaLibraryId: string
}

/** What is longer is sent in pieces of this length, and goes on where it was when the connection breaks. */
export const PIECE_BYTES = 8_388_608

/** Brings a file into the media library and waits until it is there. */
export async function importMedia(
  transport: Transport,
  source: MediaSource,
  options: ImportOptions,
): Promise<ReadyUpload> {
  const { signal, timeout } = options
  const begun = await begin(transport, source, options)
  let upload = typeof begun === 'string' ? null : begun
  const id = typeof begun === 'string' ? begun : begun.id
  for (let look = 0; ; look++) {
    upload ??= await transport.send<MediaUpload>({ method: 'GET', path: `/v1/media-upload/${id}` }, { signal, timeout })
    if (upload.status === 'READY') return upload as ReadyUpload
    if (upload.status === 'FAILED') {
      const { error } = upload
      throw new MediaUploadError(upload.id, error ?? { code: 'media-upload:failed', message: 'The upload failed.' })
    }
    upload = null
    await pause(Math.min(250 * 2 ** look, 5_000), signal)
  }
}

/** The upload; of one that was sent in pieces its id. */
async function begin(transport: Transport, source: MediaSource, options: ImportOptions): Promise<MediaUpload | string> {
  const { socialSetId, name, altText, bytes, signal, timeout } = options
  const fields = { socialSetId, ...(name === undefined ? {} : { name }), ...(altText === undefined ? {} : { altText }) }
  if (typeof source === 'string' || source instanceof URL) {
    const body = { ...fields, url: String(source) }
    return transport.send<MediaUpload>({ method: 'POST', path: '/v1/media-upload', body }, { signal, timeout })
  }
  if (source instanceof Blob && source.size > PIECE_BYTES) {
    return uploadPieces(transport, piecesOf(source), { ...options, fields, bytesTotal: source.size })
  }
  if (!(source instanceof Blob) && bytes !== undefined && bytes > PIECE_BYTES) {
    return uploadPieces(transport, inPieces(source, bytes), { ...options, fields, bytesTotal: bytes })
  }
  const file = source instanceof Blob ? source : await whole(source)
  const form = new FormData()
  for (const [field, value] of Object.entries(fields)) form.set(field, value)
  form.set('file', file, name ?? (file instanceof File ? file.name : 'file'))
  const sent = { method: 'POST', path: '/v1/media-upload', body: form } as const
  const upload = await transport.send<MediaUpload>(sent, { signal, timeout })
  options.onProgress?.({ bytesSent: file.size, bytesTotal: file.size })
  return upload
}

async function* piecesOf(blob: Blob): AsyncGenerator<Uint8Array<ArrayBuffer>, void, undefined> {
  for (let from = 0; from < blob.size; from += PIECE_BYTES) {
    yield new Uint8Array(await blob.slice(from, from + PIECE_BYTES).arrayBuffer())
  }
}

/** What a stream gives, in pieces of one length; the last one may be shorter. */
async function* inPieces(
  stream: ReadableStream<Uint8Array>,
  bytes: number,
): AsyncGenerator<Uint8Array<ArrayBuffer>, void, undefined> {
  let total = 0
  let piece = new Uint8Array(Math.min(PIECE_BYTES, bytes))
  let filled = 0
  for await (const chunk of chunksOf(stream)) {
    total += chunk.length
    if (total > bytes) break
    for (let from = 0; from < chunk.length; ) {
      const part = chunk.subarray(from, from + piece.length - filled)
      piece.set(part, filled)
      filled += part.length
      from += part.length
      if (filled < piece.length) continue
      yield piece
      piece = new Uint8Array(PIECE_BYTES)
      filled = 0
    }
  }
  if (total !== bytes) throw new AlmanacError(`The stream does not have the ${bytes} bytes that were announced.`)
  if (filled > 0) yield piece.subarray(0, filled)
}

/** A short stream, as one. */
async function whole(stream: ReadableStream<Uint8Array>): Promise<Blob> {
  const chunks: Uint8Array<ArrayBuffer>[] = []
  let total = 0
  for await (const chunk of chunksOf(stream)) {
    total += chunk.length
    if (total > PIECE_BYTES) {
      throw new AlmanacError(`Of a stream with more than ${PIECE_BYTES} bytes give their number in \`bytes\`.`)
    }
    chunks.push(new Uint8Array(chunk))
  }
  return new Blob(chunks)
}

/** Browsers have streams that cannot be iterated. */
async function* chunksOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
  const reader = stream.getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      yield value
    }
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}
