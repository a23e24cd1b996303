import { pipeline, type Readable, Transform } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { MediaFailure } from './failure.ts'
import type { ByteRange, MediaStore } from './store.ts'
import { boxesIn, byPages, MAX_BOXES, type ReadRange } from './video-boxes.ts'

/**
 * What is not needed to play an MP4 or QuickTime file is covered while it is read: place, camera, maker, titles, covers, tracks that are
 * neither picture nor sound. Every byte has its place still, so that parts of the file stay as they are asked for. What lies among the
 * frames is not looked at.
 */

/** A part of a file, and what is read in its place: `bytes`, then zeros. */
export interface Cover extends ByteRange {
  bytes: Buffer
}

const EMPTY = Buffer.alloc(0)
/** A box that readers skip (ISO 14496-12, 8.1.2). */
const FREE = Buffer.from('free')

type Known = ReadonlyMap<string, Known | null>
const known = (types: string, more: readonly [string, Known][] = []): Known =>
  new Map<string, Known | null>([...types.split(' ').map((type) => [type, null] as const), ...more])
const FILE = known('ftyp styp mdat moof mfra sidx ssix prft pdin wide', [
  ['moov', known('mvhd iods mvex', [['trak', known('tkhd edts tref tapt load mdia')]])],
])
/** Picture, sound, timecode. */
const SHOWN = ['vide', 'soun', 'tmcd']

/** Uploads have at most `MAX_BOXES` outermost ones; real files have far fewer inside of those that are looked into. */
const MOST_BOXES = 2 * MAX_BOXES

/**
 * The covers of a file, in order. None for WebM, which no phone records.
 *
 * @throws MediaFailure it has too many boxes
 * @throws Error `ENOENT`: the file is not there
 */
export async function coversOf(store: MediaStore, key: string, mimeType: string): Promise<readonly Cover[]> {
  if (mimeType === 'video/webm') return []
  const found = await store.stat(key)
  if (!found) throw Object.assign(new Error(`The file ${key} is not in the library.`), { code: 'ENOENT' })
  const { bytes } = found
  const read = byPages(async (start, end) => buffer(await store.open(key, { start, end })), bytes)
  const covers: Cover[] = []
  let boxes = 0
  const count = () => {
    if (++boxes > MOST_BOXES) throw new MediaFailure('media-upload:corrupt', 'The video consists of too many parts.')
  }
  await look(read, { start: 0, end: bytes }, FILE, { covers, count })
  return covers
}

async function look(
  read: ReadRange,
  within: ByteRange,
  types: Known,
  found: { covers: Cover[]; count(): void },
): Promise<void> {
  const { covers, count } = found
  let at = within.start
  for await (const { type, start, end } of boxesIn(read, within.start, within.end)) {
    count()
    const inside = types.get(type)
    if (inside === undefined || (type === 'trak' && !(await isShown(read, { start, end })))) {
      // Its size stays, which may be before the content once more, in 64 bits.
      covers.push({ start: at + 4, end: at + 8, bytes: FREE })
      covers.push({ start, end, bytes: EMPTY })
    } else if (inside !== null) await look(read, { start, end }, inside, found)
    at = end
  }
  // What is no box.
  if (at < within.end) covers.push({ start: at, end: within.end, bytes: EMPTY })
}

async function isShown(read: ReadRange, track: ByteRange): Promise<boolean> {
  for await (const media of boxesIn(read, track.start, track.end)) {
    if (media.type !== 'mdia') continue
    for await (const { type, start, end } of boxesIn(read, media.start, media.end)) {
      if (type !== 'hdlr' || end - start < 12) continue
      return SHOWN.includes(Buffer.from(await read(start + 8, start + 12)).toString('latin1'))
    }
  }
  return false
}

/** A file, or a part of it, under its covers. */
export async function openCovered(
  store: MediaStore,
  key: string,
  covers: readonly Cover[],
  range?: ByteRange,
): Promise<Readable> {
  const source = await store.open(key, range)
  let at = range?.start ?? 0
  let next = 0
  const covering = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      const end = at + chunk.length
      while ((covers[next]?.end ?? Number.POSITIVE_INFINITY) <= at) next++
      let piece = chunk
      for (let each = next; each < covers.length; each++) {
        const cover = covers[each]
        if (!cover || cover.start >= end) break
        if (piece === chunk) piece = Buffer.from(chunk)
        coverPiece(piece, at, cover)
      }
      at = end
      done(null, piece)
    },
  })
  // Who reads it hears of errors from it; when it is given up, the file is closed.
  pipeline(source, covering, () => {})
  return covering
}

function coverPiece(piece: Buffer, at: number, { start, end, bytes }: Cover): void {
  const [from, to] = [Math.max(start, at), Math.min(end, at + piece.length)]
  piece.fill(0, from - at, to - at)
  bytes.subarray(from - start, to - start).copy(piece, from - at)
}
