import { buffer } from 'node:stream/consumers'
import type { ByteRange, MediaStore } from './store.ts'

/** The file is not as its format says, or has more parts than are looked at: its picture has to be decoded. */
export class UncuttableError extends Error {
  override readonly name: string = 'UncuttableError'
}

/** The file ends where something of its picture has to follow. */
export class EndsEarlyError extends UncuttableError {
  override readonly name = 'EndsEarlyError'
  constructor() {
    super('The file ends early.')
  }
}

/** What a copy consists of, in order: parts of the file, and bytes in between. */
export type Piece = Buffer | ByteRange

/** What is left of a picture's file. */
export interface Cut {
  pieces: Piece[]
  /** The file breaks its format's rules beside its picture, such as without the mark of its end; the pieces keep them. */
  mended: boolean
}

/** A file that is read from its beginning to its end, a window at a time. */
export interface PictureFile {
  bytes: number
  /** The bytes from `start` on, `length` of them. Throws when the file ends before. */
  read(start: number, length: number): Promise<Buffer>
  /** What is at hand from `start` on: a byte at least. Throws at the end of the file. */
  ahead(start: number): Promise<Buffer>
  /** Counts a part of the file. Throws when there are too many. */
  count(): void
}

const WINDOW_BYTES = 65_536
/** What is only gone through is read in larger pieces. */
const AHEAD_BYTES = 1024 * 1024
/** What is looked into is no larger. */
export const MOST_READ = 1024 * 1024
/** A GIF of 255 MB has so many blocks; a PNG of 800 MB in the usual chunks a tenth of that. */
const MOST_PARTS = 1_000_000
/** Each is opened by itself. A thousand frames with a comment each stay below. */
const MOST_PIECES = 3_000

export function openPicture(store: MediaStore, key: string, bytes: number): PictureFile {
  let from = 0
  let window: Buffer = Buffer.alloc(0)
  let parts = 0
  /** Has `length` bytes from `start` on in the window, as far as there are; reads `more` at a time. */
  async function look(start: number, length: number, more = WINDOW_BYTES): Promise<Buffer> {
    if (start < from || start + length > from + window.length) {
      const end = Math.min(bytes, start + Math.max(length, more))
      window = start < end ? await buffer(await store.open(key, { start, end })) : Buffer.alloc(0)
      from = start
    }
    return window.subarray(start - from)
  }
  return {
    bytes,
    async read(start, length) {
      if (length > MOST_READ) throw new UncuttableError('A part is too large to be looked into.')
      const found = (await look(start, length)).subarray(0, length)
      if (found.length < length) throw new EndsEarlyError()
      return found
    },
    async ahead(start) {
      const found = await look(start, 1, AHEAD_BYTES)
      if (found.length === 0) throw new EndsEarlyError()
      return found
    },
    count() {
      parts++
      if (parts > MOST_PARTS) throw new UncuttableError('The file has too many parts.')
    },
  }
}

/** Adds a part of the file to what is kept; one that follows another one is one with it. */
export function keep(pieces: Piece[], start: number, end: number): void {
  const last = pieces.at(-1)
  if (last && !Buffer.isBuffer(last) && last.end === start) {
    pieces[pieces.length - 1] = { start: last.start, end }
    return
  }
  if (pieces.length >= MOST_PIECES) throw new UncuttableError('The file would be cut too often.')
  pieces.push({ start, end })
}

export const lengthOf = (pieces: readonly Piece[]): number =>
  pieces.reduce((sum, piece) => sum + (Buffer.isBuffer(piece) ? piece.length : piece.end - piece.start), 0)
