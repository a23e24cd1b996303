import { Readable } from 'node:stream'
import type { MediaFacts } from '#contract'
import { createListener, type Listener, type Said } from './picture-tells.ts'
import type { Rendition } from './rendition.ts'
import { sniff } from './sniff.ts'
import type { ByteRange, MediaStore } from './store.ts'
import { stripGif } from './strip-gif.ts'
import { stripJpeg } from './strip-jpeg.ts'
import {
  type Cut,
  EndsEarlyError,
  lengthOf,
  openPicture,
  type PictureFile,
  type Piece,
  UncuttableError,
} from './strip-parts.ts'
import { stripPng } from './strip-png.ts'
import { stripWebp } from './strip-webp.ts'

/** A picture without what is written about it. Nothing is decoded: its pixels are the same bytes. */
type Stripped =
  /** There is nothing beside it. */
  | { kind: 'bare' }
  /**
   * `put` stores a copy with what shows it alone, `open` gives that copy, or a part of it, without storing it. The same file gives the
   * same bytes. `turned`: it says that it is shown turned.
   */
  | {
      kind: 'cut'
      bytes: number
      turned: boolean
      put(facts: MediaFacts): Promise<Rendition>
      open(range?: ByteRange): Readable
    }
  /** The file is not as its format says. */
  | { kind: 'impossible' }

const FORMATS: Readonly<Record<string, (file: PictureFile, listen: Listener) => Promise<Cut>>> = {
  'image/jpeg': stripJpeg,
  'image/png': stripPng,
  'image/webp': stripWebp,
  'image/gif': stripGif,
}

/**
 * Looks through a stored image for what says more than it shows: places, cameras, comments, small and further pictures, films,
 * what an editor left behind its end. Its turn, its color profile, its motion and how it came to be (`picture-tells.ts`) stay.
 */
export async function stripPicture(store: MediaStore, key: string): Promise<Stripped> {
  const { pieces, bytes, said } = await readPicture(store, key)
  if (pieces === null) return { kind: 'impossible' }
  const [first, ...others] = pieces
  const isWhole = first && !Buffer.isBuffer(first) && others.length === 0 && first.end - first.start === bytes
  if (isWhole) return { kind: 'bare' }
  const open = (range?: ByteRange) => streamOf(store, key, range ? within(pieces, range) : pieces)
  return {
    kind: 'cut',
    bytes: lengthOf(pieces),
    turned: said.orientation !== 1,
    open,
    async put(facts) {
      const stored = await store.put(open())
      return { key: stored.key, facts: { ...facts, bytes: stored.bytes } }
    },
  }
}

export interface ReadPicture {
  /** Null where it cannot be cut. */
  pieces: Piece[] | null
  /** The file breaks its format's rules where its picture does not need them: `pieces` is what decoders are to read. */
  mended: boolean
  endsEarly: boolean
  said: Said
  bytes: number
}

/** Goes through a stored file part by part. */
export async function readPicture(store: MediaStore, key: string): Promise<ReadPicture> {
  const listen = createListener()
  const sniffed = await sniff(store, key)
  const bytes = (await store.stat(key))?.bytes ?? 0
  const strip = sniffed.kind === 'image' ? FORMATS[sniffed.mimeType] : undefined
  try {
    const cut = strip ? await strip(openPicture(store, key, bytes), listen) : { pieces: null, mended: false }
    return { ...cut, endsEarly: false, said: listen.said, bytes }
  } catch (error) {
    if (!(error instanceof UncuttableError)) throw error
    const endsEarly = error instanceof EndsEarlyError
    return { pieces: null, mended: false, endsEarly, said: listen.said, bytes }
  }
}

/** Of what the pieces make together, the pieces of a part. */
function within(pieces: readonly Piece[], { start, end }: ByteRange): Piece[] {
  let at = 0
  return pieces.flatMap((piece): Piece[] => {
    const [from, to] = [Math.max(0, start - at), Math.min(lengthOf([piece]), end - at)]
    at += lengthOf([piece])
    if (from >= to) return []
    return [Buffer.isBuffer(piece) ? piece.subarray(from, to) : { start: piece.start + from, end: piece.start + to }]
  })
}

export const streamOf = (store: MediaStore, key: string, pieces: readonly Piece[]): Readable =>
  Readable.from(contentOf(store, key, pieces), { objectMode: false })

async function* contentOf(store: MediaStore, key: string, pieces: readonly Piece[]): AsyncGenerator<Buffer> {
  for (const piece of pieces) {
    if (Buffer.isBuffer(piece)) yield piece
    else yield* await store.open(key, piece)
  }
}
