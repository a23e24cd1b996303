import { crc32 } from 'node:zlib'
import { type Listener, orientationTiff, sourceTypeXmp } from './picture-tells.ts'
import {
  type Cut,
  EndsEarlyError,
  keep,
  MOST_READ,
  type PictureFile,
  type Piece,
  UncuttableError,
} from './strip-parts.ts'

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex')
/** What the picture is made of, how its colors and its size are meant, and the frames of an APNG (PNG specification, third edition, 11). */
const PICTURE = new Set('IHDR PLTE IDAT IEND acTL fcTL fdAT'.split(' '))
/** Without its checksum being right, what is said of the picture is left out, as browsers do (5.3, 13.2). */
const SAID = new Set('tRNS cHRM gAMA iCCP sRGB sBIT cICP mDCV cLLI bKGD hIST pHYs'.split(' '))
const XMP = 'XML:com.adobe.xmp\0'
/** Name and value of a text in XMP: not compressed, no language. */
const XMP_HEAD = `${XMP}\0\0\0\0`
/** Signature, and the chunk IHDR. */
const HEAD_BYTES = 33
/** A chunk without content. */
const CHUNK_BYTES = 12

/**
 * The picture of a PNG, or all those of an APNG: what else is in it goes, as does what is behind its end. One that ends behind its
 * picture without saying so gets its end.
 */
export async function stripPng(file: PictureFile, listen: Listener): Promise<Cut> {
  if (!(await file.read(0, 8)).equals(SIGNATURE)) throw new UncuttableError('It is no PNG.')
  const rest: Piece[] = []
  let mended = false
  /** Whether all that shows it is there: its pixels, and as many frames as it announces. */
  let [shown, frames] = [false, 0]
  const ended = () => {
    if (!shown || frames > 0) throw new EndsEarlyError()
    return { pieces: withHead([...rest, chunk('IEND', Buffer.alloc(0))], listen), mended: true }
  }
  for (let at = 8; ; ) {
    file.count()
    if (file.bytes - at < CHUNK_BYTES) return ended()
    const head = await file.read(at, 8)
    const length = head.readUInt32BE(0)
    const type = head.toString('latin1', 4, 8)
    const [content, end] = [at + 8, at + 12 + length]
    if (end > file.bytes) {
      if (PICTURE.has(type) || isCritical(type)) throw new EndsEarlyError()
      return ended()
    }
    if (at === 8 && (type !== 'IHDR' || end !== HEAD_BYTES)) throw new UncuttableError('It does not begin as a PNG.')
    if (type === 'acTL' && length >= 4) frames = (await file.read(content, 4)).readUInt32BE()
    if (type === 'fcTL') frames--
    if (type === 'IDAT') shown = true
    if (PICTURE.has(type)) keep(rest, at, end)
    else if (SAID.has(type)) {
      if (await isSound(file, at, end)) keep(rest, at, end)
      else mended = true
    } else if (isCritical(type)) throw new UncuttableError('A chunk is of an unknown kind.')
    else if (type === 'eXIf' && length <= MOST_READ) listen.exif(await file.read(content, length))
    else if (type === 'iTXt' && length <= MOST_READ) listenText(await file.read(content, length), listen)
    else if (type === 'caBX') await listen.c2pa(file, content, end - 4)
    if (type === 'IEND') return { pieces: withHead(rest, listen), mended }
    at = end
  }
}

/** Without it the picture cannot be shown as it was meant (5.4). */
const isCritical = (type: string) => (type.charCodeAt(0) & 0x20) === 0

/** Whether the checksum of a chunk is right (5.5). */
async function isSound(file: PictureFile, at: number, end: number): Promise<boolean> {
  let sum = 0
  for (let from = at + 4; from < end - 4; ) {
    const part = (await file.ahead(from)).subarray(0, end - 4 - from)
    sum = crc32(part, sum)
    from += part.length
  }
  return (await file.read(end - 4, 4)).readUInt32BE() === sum
}

function listenText(content: Buffer, listen: Listener): void {
  if (content.subarray(0, XMP.length).toString('latin1') === XMP) listen.xmp(content)
}

function withHead([first, ...others]: Piece[], { said }: Listener): Piece[] {
  const written = [
    ...(said.orientation === 1 ? [] : [chunk('eXIf', orientationTiff(said.orientation))]),
    ...(said.sourceType === null
      ? []
      : [chunk('iTXt', Buffer.concat([Buffer.from(XMP_HEAD), sourceTypeXmp(said.sourceType)]))]),
  ]
  if (!first || Buffer.isBuffer(first)) throw new TypeError('A PNG begins with a part of its file.')
  const all: Piece[] = []
  keep(all, 0, HEAD_BYTES)
  all.push(...written)
  if (first.end > HEAD_BYTES) keep(all, HEAD_BYTES, first.end)
  return [...all, ...others]
}

function chunk(type: string, content: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type), content])
  const all = Buffer.alloc(named.length + 8)
  all.writeUInt32BE(content.length, 0)
  named.copy(all, 4)
  all.writeUInt32BE(crc32(named), named.length + 4)
  return all
}
