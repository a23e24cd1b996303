import { type Listener, orientationTiff, sourceTypeXmp } from './picture-tells.ts'
import { type Cut, keep, type PictureFile, type Piece, UncuttableError } from './strip-parts.ts'

const EXIF = 'Exif\0\0'
const XMP = 'http://ns.adobe.com/xap/1.0/\0'
const [SOI, EOI, SOS, APP0, APP1, APP2, APP11, APP14, COM] = [0xd8, 0xd9, 0xda, 0xe0, 0xe1, 0xe2, 0xeb, 0xee, 0xfe]
/** JFIF without a small picture of its own (JFIF 1.02): marker, length, and 14 bytes. */
const JFIF_BYTES = 18

/**
 * The picture of a JPEG (ITU T.81, B.1): tables and scans, its color profile (APP2 `ICC_PROFILE`), what Adobe says of its colors
 * (APP14) and JFIF, up to its end. All other segments go, as do further pictures behind the end. One that ends behind its last
 * scan without saying so gets its end; whether all rows are in the scan, only decoding tells.
 */
export async function stripJpeg(file: PictureFile, listen: Listener): Promise<Cut> {
  if ((await file.read(0, 2)).readUInt16BE() !== (0xff00 | SOI)) throw new UncuttableError('It is no JPEG.')
  const head: Piece[] = []
  const rest: Piece[] = []
  keep(head, 0, 2)
  const scans = createScans()
  for (let at = 2; ; ) {
    file.count()
    if (at + 2 > file.bytes && scans.areWhole()) {
      rest.push(Buffer.from([0xff, EOI]))
      return { pieces: joined(head, written(listen), rest), mended: true }
    }
    const [first, marker = 0] = await file.read(at, 2)
    if (first !== 0xff) throw new UncuttableError('There is something between two segments.')
    if (marker === 0xff) {
      at++
      continue
    }
    if (marker === EOI) {
      keep(rest, at, at + 2)
      return { pieces: joined(head, written(listen), rest), mended: false }
    }
    const end = at + 2 + (await file.read(at + 2, 2)).readUInt16BE()
    if (end < at + 4 || end > file.bytes) throw new UncuttableError('The length of a segment is wrong.')
    const name = (await file.read(at + 4, Math.min(end - at - 4, XMP.length))).toString('latin1')
    if (marker === APP0 && name.startsWith('JFIF\0') && end - at >= JFIF_BYTES) await keepJfif(file, head, at, end)
    else if (isFrame(marker) && (await file.read(at + 9, 1))[0] === INKS)
      throw new UncuttableError('It is of four inks (CMYK).')
    else if (isPicture(marker) || isColor(marker, name)) keep(rest, at, end)
    else if (marker === APP1 && name.startsWith(EXIF)) listen.exif(await file.read(at + 4, end - at - 4))
    else if (marker === APP1 && name.startsWith(XMP)) listen.xmp(await file.read(at + 4, end - at - 4))
    else if (marker === APP11) await listen.c2pa(file, at + 4, end)
    else if (!isApplication(marker)) throw new UncuttableError('A segment is of an unknown kind.')
    if (isFrame(marker)) scans.frame(marker, await file.read(at + 4, end - at - 4))
    if (marker === SOS) scans.scan(await file.read(at + 4, end - at - 4))
    at = end
    if (marker !== SOS) continue
    at = await endOfScan(file, end)
    keep(rest, end, at)
  }
}

/** Of printers' files, which not every browser shows: decoded, they become sRGB. */
const INKS = 4
const isFrame = (marker: number) => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
/** Frames, Huffman and arithmetic tables, quantization, scans, number of lines, restarts: all but what is reserved (0xc8). */
const isPicture = (marker: number) => (marker >= 0xc0 && marker <= 0xcf && marker !== 0xc8) || isTable(marker)
const isTable = (marker: number) => marker >= SOS && marker <= 0xdf
/** 0xc2, 0xc6, 0xca, 0xce. */
const isProgressive = (frame: number) => frame % 4 === 2
const isColor = (marker: number, name: string) =>
  (marker === APP2 && name.startsWith('ICC_PROFILE\0')) || (marker === APP14 && name.startsWith('Adobe'))
const isApplication = (marker: number) => (marker >= APP0 && marker <= 0xef) || marker === COM

async function keepJfif(file: PictureFile, head: Piece[], at: number, end: number): Promise<void> {
  if (end - at === JFIF_BYTES) {
    keep(head, at, end)
    return
  }
  const plain = Buffer.from(await file.read(at, JFIF_BYTES))
  plain.writeUInt16BE(JFIF_BYTES - 2, 2)
  plain.writeUInt16BE(0, 16)
  head.push(plain)
}

const COEFFICIENTS = 64
const ALL_BITS = 16

/** Follows which bits of the coefficients the scans of a file give (G.1.1.1): not all are in each scan of a progressive one. */
function createScans() {
  /** How many bits are missing, by component and coefficient. */
  const missing = new Map<number | undefined, number[]>()
  let byParts = false
  return {
    /** Precision, height and width, and components of three bytes each (B.2.2). */
    frame(marker: number, content: Buffer): void {
      byParts = isProgressive(marker)
      for (let at = 6; at + 3 <= content.length; at += 3) missing.set(content[at], Array(COEFFICIENTS).fill(ALL_BITS))
    },
    /** Components of two bytes each, the first coefficient and the last, and bits (B.2.3). */
    scan(content: Buffer): void {
      const [first = 0, last = 0, bits = 0] = byParts ? content.subarray(-3) : [0, COEFFICIENTS - 1, 0]
      for (let at = 1; at + 2 <= content.length - 3; at += 2) missing.get(content[at])?.fill(bits % 16, first, last + 1)
    },
    areWhole: () => missing.size > 0 && [...missing.values()].every((bits) => bits.every((count) => count === 0)),
  }
}

/** Where the next marker is, or the file ends: in a scan, 0xff comes alone before 0 and restarts (B.1.1.5). */
async function endOfScan(file: PictureFile, start: number): Promise<number> {
  for (let from = start; from + 2 <= file.bytes; ) {
    const window = await file.ahead(from)
    let at = window.indexOf(0xff)
    while (at !== -1 && at + 1 < window.length) {
      const next = window[at + 1] ?? 0
      if (next !== 0 && next !== 0xff && (next < 0xd0 || next > 0xd7)) return from + at
      at = window.indexOf(0xff, next === 0xff ? at + 1 : at + 2)
    }
    from += at === -1 ? window.length : at
    if (at === -1) continue
    if (from + 2 > file.bytes) return from
    // What follows the last byte at hand is needed.
    await file.read(from, 2)
  }
  return file.bytes
}

function written({ said }: Listener): Buffer[] {
  const exif = Buffer.concat([Buffer.from(EXIF), orientationTiff(said.orientation)])
  return [
    ...(said.orientation === 1 ? [] : [segment(exif)]),
    ...(said.sourceType === null ? [] : [sourceTypeSegment(said.sourceType)]),
  ]
}

/** APP1 with XMP that says how the picture came to be. */
export const sourceTypeSegment = (sourceType: string): Buffer =>
  segment(Buffer.concat([Buffer.from(XMP), sourceTypeXmp(sourceType)]))

function segment(content: Buffer): Buffer {
  const head = Buffer.from([0xff, APP1, 0, 0])
  head.writeUInt16BE(content.length + 2, 2)
  return Buffer.concat([head, content])
}

function joined(head: readonly Piece[], between: readonly Buffer[], rest: readonly Piece[]): Piece[] {
  const all: Piece[] = [...head, ...between]
  for (const piece of rest) Buffer.isBuffer(piece) ? all.push(piece) : keep(all, piece.start, piece.end)
  return all
}
