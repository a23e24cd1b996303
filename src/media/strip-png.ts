import { crc32 } from 'node:zlib'
import { type Listener, orientationTiff, sourceTypeXmp } from './picture-tells.ts'
import { keep, MOST_READ, type PictureFile, type Piece, UncuttableError } from './strip-parts.ts'

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex')
/** What the picture is made of, how its colors and its size are meant, and the frames of an APNG (PNG specification, third edition, 11). */
const KEPT = new Set(
  'IHDR PLTE IDAT IEND tRNS cHRM gAMA iCCP sRGB sBIT cICP mDCV cLLI bKGD hIST pHYs acTL fcTL fdAT'.split(' '),
)
const XMP = 'XML:com.adobe.xmp\0'
/** Name and value of a text in XMP: not compressed, no language. */
const XMP_HEAD = `${XMP}\0\0\0\0`
/** Signature, and the chunk IHDR. */
const HEAD_BYTES = 33

/** The picture of a PNG, or all those of an APNG: what else is in it goes, as does what is behind its end. */
export async function stripPng(file: PictureFile, listen: Listener): Promise<Piece[]> {
  if (!(await file.read(0, 8)).equals(SIGNATURE)) throw new UncuttableError('It is no PNG.')
  const rest: Piece[] = []
  for (let at = 8; ; ) {
    file.count()
    const head = await file.read(at, 8)
    const length = head.readUInt32BE(0)
    const type = head.toString('latin1', 4, 8)
    const [content, end] = [at + 8, at + 12 + length]
    if (end > file.bytes) throw new UncuttableError('The length of a chunk is wrong.')
    if (at === 8 && (type !== 'IHDR' || end !== HEAD_BYTES)) throw new UncuttableError('It does not begin as a PNG.')
    if (KEPT.has(type)) keep(rest, at, end)
    else if (isCritical(type)) throw new UncuttableError('A chunk is of an unknown kind.')
    else if (type === 'eXIf' && length <= MOST_READ) listen.exif(await file.read(content, length))
    else if (type === 'iTXt' && length <= MOST_READ) listenText(await file.read(content, length), listen)
    else if (type === 'caBX') await listen.c2pa(file, content, end - 4)
    if (type === 'IEND') return withHead(rest, listen)
    at = end
  }
}

/** Without it the picture cannot be shown as it was meant (5.4). */
const isCritical = (type: string) => (type.charCodeAt(0) & 0x20) === 0

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
