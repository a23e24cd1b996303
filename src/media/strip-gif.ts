import type { Listener } from './picture-tells.ts'
import {
  type Cut,
  EndsEarlyError,
  keep,
  MOST_READ,
  type PictureFile,
  type Piece,
  UncuttableError,
} from './strip-parts.ts'

const [EXTENSION, IMAGE, END] = [0x21, 0x2c, 0x3b]
const [CONTROL, APPLICATION] = [0xf9, 0xff]
/** How often an animation is repeated: both names are in use. */
const LOOPS = ['NETSCAPE2.0', 'ANIMEXTS1.0']
const PROFILE = 'ICCRGBG1012'
const XMP = 'XMP DataXMP'
/** What says how often needs 19 bytes, and some write how much to hold as well. */
const MOST_LOOP_BYTES = 32

/**
 * The pictures of a GIF with their times, how often they are repeated, and their color profile (GIF89a specification; the
 * applications by their own names): comments, texts and other applications go, as does what is behind its end. One that ends behind
 * a frame without saying so gets its end.
 */
export async function stripGif(file: PictureFile, listen: Listener): Promise<Cut> {
  const head = await file.read(0, 13)
  if (!/^GIF8[79]a$/.test(head.toString('latin1', 0, 6))) throw new UncuttableError('It is no GIF.')
  const kept: Piece[] = []
  let at = 13 + tableBytes(head[10] ?? 0)
  keep(kept, 0, at)
  /** Whether it may end here: behind a frame, or zeros that fill up. */
  let mayEnd = false
  for (;;) {
    file.count()
    if (at === file.bytes && mayEnd) {
      kept.push(Buffer.from([END]))
      return { pieces: kept, mended: true }
    }
    const kind = (await file.read(at, 1))[0]
    if (kind === END) {
      keep(kept, at, at + 1)
      return { pieces: kept, mended: false }
    }
    if (kind === IMAGE) {
      const data = at + 10 + tableBytes((await file.read(at, 10))[9] ?? 0) + 1
      const end = await endOfBlocks(file, data)
      keep(kept, at, end)
      at = end
      mayEnd = true
      continue
    }
    if (kind !== EXTENSION) {
      // Decoders look for the next block behind what they do not know.
      if (kind !== 0) mayEnd = false
      at++
      continue
    }
    const label = (await file.read(at + 1, 1))[0]
    const end = await endOfBlocks(file, at + 2)
    const name = label === APPLICATION && end - at > 14 ? (await file.read(at + 3, 11)).toString('latin1') : ''
    if (name === XMP) listen.xmp(await file.read(at, Math.min(end - at, MOST_READ)))
    const loops = LOOPS.includes(name) && end - at <= MOST_LOOP_BYTES
    if (label === CONTROL) mayEnd = false
    if (label === CONTROL || loops || name === PROFILE) keep(kept, at, end)
    at = end
  }
}

/** Bytes of the table of colors that the flags of a header announce. */
const tableBytes = (flags: number) => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0)

/** Where a row of blocks ends: each has its length in front, the last one none. */
async function endOfBlocks(file: PictureFile, start: number): Promise<number> {
  for (let at = start; ; ) {
    file.count()
    const length = (await file.read(at, 1))[0] ?? 0
    at += 1 + length
    if (at > file.bytes) throw new EndsEarlyError()
    if (length === 0) return at
  }
}
