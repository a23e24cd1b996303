import type { Readable } from 'node:stream'
import type { ByteRange } from '#media'

/** A file as it is served. */
export interface PublicMedia {
  /** By what was measured, never by what a client claimed. */
  mimeType: string
  bytes: number
  /** The item's name. It was given by a user: not safe in a header as it is. */
  name: string
  /** Changes with the bytes; quoted, as in `ETag`. */
  etag: string
  open(range?: ByteRange): Promise<Readable>
}
