import { type Listener, orientationTiff, sourceTypeXmp } from './picture-tells.ts'
import {
  type Cut,
  EndsEarlyError,
  keep,
  lengthOf,
  MOST_READ,
  type PictureFile,
  type Piece,
  UncuttableError,
} from './strip-parts.ts'

/** The picture, its color profile, and the frames of an animation (RFC 9649, 2.7). */
const KEPT = new Set(['VP8X', 'ICCP', 'ANIM', 'ALPH', 'VP8 ', 'VP8L'])
const OF_FRAME = new Set(['ALPH', 'VP8 ', 'VP8L'])
/** Flags of the first chunk that say that there is Exif, or XMP. */
const [EXIF_FLAG, XMP_FLAG] = [0x08, 0x04]
/** Place, size, time and way of a frame, before its own chunks. */
const FRAME_BYTES = 16

interface Chunk {
  type: string
  at: number
  content: number
  /** Of its content, and of all of it: there is a byte more where the first is odd. */
  contentEnd: number
  end: number
}

/**
 * The picture of a WebP, or all those of an animation: what else is in it goes, as does what is behind its end. The byte that fills up
 * an odd chunk at the end is written where the file, or its length, leaves it out.
 */
export async function stripWebp(file: PictureFile, listen: Listener): Promise<Cut> {
  const riff = await file.read(0, 12)
  const isWebp = riff.toString('latin1', 0, 4) === 'RIFF' && riff.toString('latin1', 8, 12) === 'WEBP'
  const announced = 8 + riff.readUInt32LE(4)
  if (!isWebp) throw new UncuttableError('It is no WebP.')
  if (announced > file.bytes + 1) throw new EndsEarlyError()
  const end = Math.min(announced, file.bytes)
  const kept: Piece[] = []
  let flags: number | null = null
  let mended = announced !== end
  for (let at = 12; at < end; ) {
    const chunk = await readChunk(file, at, end)
    const { type, content, contentEnd } = chunk
    const length = contentEnd - content
    if (type === 'VP8X' && at === 12) flags = (await file.read(content, 1))[0] ?? 0
    if (type === 'ANMF') await keepFrame(file, kept, chunk)
    else if (KEPT.has(type)) {
      keep(kept, at, Math.min(chunk.end, end))
      if (chunk.end > end) kept.push(Buffer.alloc(1))
    } else if (type === 'EXIF' && length <= MOST_READ) listen.exif(await file.read(content, length))
    else if (type === 'XMP ' && length <= MOST_READ) listen.xmp(await file.read(content, length))
    else if (type === 'C2PA') await listen.c2pa(file, content, contentEnd)
    mended ||= chunk.end > end
    at = chunk.end
  }
  const pieces = await (flags === null ? wholeOf(kept, 0, file) : withFlags(kept, flags, file, listen))
  return { pieces, mended }
}

async function readChunk(file: PictureFile, at: number, within: number): Promise<Chunk> {
  file.count()
  const head = await file.read(at, 8)
  const contentEnd = at + 8 + head.readUInt32LE(4)
  const end = contentEnd + (contentEnd % 2)
  if (contentEnd > within) throw new UncuttableError('The length of a chunk is wrong.')
  return { type: head.toString('latin1', 0, 4), at, content: at + 8, contentEnd, end }
}

/** A frame may hold more than a picture as well. */
async function keepFrame(file: PictureFile, kept: Piece[], frame: Chunk): Promise<void> {
  if (frame.end > file.bytes) throw new EndsEarlyError()
  const pieces: Piece[] = []
  const first = frame.content + FRAME_BYTES
  for (let at = first; at < frame.contentEnd; ) {
    const chunk = await readChunk(file, at, frame.contentEnd)
    if (chunk.end > frame.end) throw new UncuttableError('The length of a chunk is wrong.')
    if (OF_FRAME.has(chunk.type)) keep(pieces, at, chunk.end)
    at = chunk.end
  }
  if (lengthOf(pieces) === frame.end - first) {
    keep(kept, frame.at, frame.end)
    return
  }
  const head = Buffer.from(await file.read(frame.at, 8 + FRAME_BYTES))
  head.writeUInt32LE(FRAME_BYTES + lengthOf(pieces), 4)
  kept.push(head)
  for (const piece of pieces) if (!Buffer.isBuffer(piece)) keep(kept, piece.start, piece.end)
}

async function withFlags(kept: Piece[], flags: number, file: PictureFile, { said }: Listener): Promise<Piece[]> {
  const turned = said.orientation !== 1 && (flags & EXIF_FLAG) !== 0
  const wanted =
    (flags & ~(EXIF_FLAG | XMP_FLAG)) | (turned ? EXIF_FLAG : 0) | (said.sourceType === null ? 0 : XMP_FLAG)
  const written = [
    ...(turned ? [chunkOf('EXIF', orientationTiff(said.orientation))] : []),
    ...(said.sourceType === null ? [] : [chunkOf('XMP ', sourceTypeXmp(said.sourceType))]),
  ]
  const [first, ...others] = kept
  if (wanted === flags || !first || Buffer.isBuffer(first)) return wholeOf([...kept, ...written], 0, file)
  // The flags are the first byte of the first chunk, which is one with what follows it.
  const flagged = Buffer.from(await file.read(first.start, 9))
  flagged[8] = wanted
  const rest = { start: first.start + flagged.length, end: first.end }
  return wholeOf([rest, ...others, ...written], flagged.length, file, flagged)
}

/** With the length of it all in front: the file's own beginning where that is the same. */
async function wholeOf(pieces: Piece[], more: number, file: PictureFile, flagged?: Buffer): Promise<Piece[]> {
  const riff = Buffer.from(await file.read(0, 12))
  const length = 4 + more + lengthOf(pieces)
  const [first, ...others] = pieces
  const isSame = length === riff.readUInt32LE(4) && !flagged
  if (isSame && first && !Buffer.isBuffer(first) && first.start === 12) return [{ start: 0, end: first.end }, ...others]
  riff.writeUInt32LE(length, 4)
  return [flagged ? Buffer.concat([riff, flagged]) : riff, ...pieces]
}

function chunkOf(type: string, content: Buffer): Buffer {
  const head = Buffer.alloc(8)
  head.write(type, 'latin1')
  head.writeUInt32LE(content.length, 4)
  return Buffer.concat([head, content, Buffer.alloc(content.length % 2)])
}
