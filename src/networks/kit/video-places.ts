import { buffer } from 'node:stream/consumers'
import type { MediaSource } from '../network.ts'

/**
 * Whether the file of a video tells, or may tell, where it was taken. Phones write the place beside the picture: into
 * `moov/udta` as `©xyz` (QuickTime) or `loci` (3GPP TS 26.244, 8.9), into `moov/meta` under keys such as
 * `com.apple.quicktime.location.ISO6709`; cameras into boxes, tracks and XMP of their own. Nobody knows them all, so an
 * MP4 or QuickTime file is silent only when it holds nothing but what is known not to tell. A few ranges are read, never
 * the packets: what an encoder wrote into the picture itself is not seen.
 */
export async function tellsPlace(source: MediaSource): Promise<boolean> {
  const file = { read: windowed(source), stream: (start: number, end: number) => source.open({ start, end }) }
  const { bytes } = source.facts
  if (source.facts.mimeType === 'video/webm') return webmTells(file, bytes)
  return boxesTell(file, 0, bytes, KNOWN)
}

/** Bytes of the file: `start` inclusive, `end` exclusive. */
interface File {
  read(start: number, end: number): Promise<Buffer>
  stream(start: number, end: number): Promise<AsyncIterable<Buffer>>
}

const WINDOW_BYTES = 8192
/** What is looked into as a whole is at most so large. What is larger is in doubt. */
const MAX_BYTES = 1024 * 1024
/** A recording of three hours in fragments of a second has 21,600. What has more is in doubt. */
const MAX_BOXES = 50_000

/** Reads a little more than is asked for: boxes lie close together. */
function windowed(source: MediaSource): File['read'] {
  let from = 0
  let window = Buffer.alloc(0)
  return async (start, end) => {
    if (start < from || end > from + window.length) {
      from = start
      const until = Math.min(Math.max(end, start + WINDOW_BYTES), source.facts.bytes)
      window = start < until ? await buffer(await source.open({ start, end: until })) : Buffer.alloc(0)
    }
    return window.subarray(start - from, end - from)
  }
}

/** Looks into the content of a box: whether it tells. */
type Look = (file: File, start: number, end: number) => Promise<boolean>
/** Boxes by their types that may stand at one place. Null: known to hold nothing of the kind. */
interface Boxes {
  readonly [type: string]: Look | Boxes | null
}

const plain = (types: string): Boxes => Object.fromEntries(types.split(' ').map((type) => [type, null]))
const FILLERS = { wide: null, free: holdsSomething, skip: holdsSomething }
/** Who made the file and with which program, its title, its rights. */
const NAMES = plain('name titl cprt \xa9nam \xa9too \xa9swr \xa9enc \xa9fmt \xa9cpy \xa9day hnti hinf kind')
const USER_DATA: Boxes = { ...NAMES, ...FILLERS, meta: metaTells }
const TRACK: Boxes = {
  ...plain('tkhd edts tref tapt load'),
  ...FILLERS,
  mdia: { ...plain('mdhd elng minf'), hdlr: trackTells },
  udta: USER_DATA,
  meta: metaTells,
}
/** ISO 14496-12 and the QuickTime File Format Specification. */
const KNOWN: Boxes = {
  ...plain('ftyp styp mdat moof mfra sidx ssix prft pdin'),
  ...FILLERS,
  // Zeros up to the end, which some programs leave behind.
  '\0\0\0\0': holdsSomething,
  moov: { ...plain('mvhd iods mvex'), ...FILLERS, trak: TRACK, udta: USER_DATA, meta: metaTells },
}

async function boxesTell(file: File, start: number, end: number, known: Boxes): Promise<boolean> {
  let position = start
  for (let count = 0; position + 8 <= end; count++) {
    const header = await file.read(position, Math.min(position + 16, end))
    let size = header.readUInt32BE(0)
    let content = 8
    if (size === 0) size = end - position
    if (size === 1 && header.length === 16) {
      size = Number(header.readBigUInt64BE(8))
      content = 16
    }
    if (count === MAX_BOXES || size < content || position + size > end) return true
    const look = known[header.toString('latin1', 4, 8)]
    if (look === undefined) return true
    const [from, to] = [position + content, position + size]
    if (typeof look === 'function' ? await look(file, from, to) : look && (await boxesTell(file, from, to, look))) {
      return true
    }
    position += size
  }
  return false
}

/** Room that is left free is empty. Some recorders hide what they know in it. */
async function holdsSomething(file: File, start: number, end: number): Promise<boolean> {
  for await (const part of await file.stream(start, end)) {
    if (!part.equals(Buffer.alloc(part.length))) return true
  }
  return false
}

/** Picture, sound, timecode and captions for the deaf. Tracks of text or data have carried positions since there are any. */
async function trackTells(file: File, start: number): Promise<boolean> {
  return !['vide', 'soun', 'tmcd', 'clcp'].includes((await file.read(start, start + 12)).toString('latin1', 8, 12))
}

/** Begins with a version in ISO files and without one in QuickTime's. */
async function metaTells(file: File, start: number, end: number): Promise<boolean> {
  const plainly = (await file.read(start, start + 8)).toString('latin1', 4, 8) === 'hdlr'
  return boxesTell(file, plainly ? start : start + 4, end, META)
}

const META: Boxes = { hdlr: null, ...FILLERS, keys: keysTell, ilst: itemsTell }

/** Keys that are known to say with what, when and by whom, and not where. */
const SILENT_KEY =
  /^(com\.(apple\.quicktime|android)\.)?(make|model|manufacturer|software|encoder|version|capture\.fps|creationdate|title|copyright)$/

/** QuickTime File Format Specification, metadata item keys: a count, then size, namespace and name of each. */
async function keysTell(file: File, start: number, end: number): Promise<boolean> {
  if (end - start > MAX_BYTES) return true
  const keys = await file.read(start, end)
  for (let at = 8; at + 8 <= keys.length; ) {
    const size = keys.readUInt32BE(at)
    if (size < 8 || !SILENT_KEY.test(keys.toString('utf8', at + 8, at + size))) return true
    at += size
  }
  return false
}

/** Values, each under the number of its key or under a name of four letters. A cover may be a photo with its place. */
async function itemsTell(file: File, start: number, end: number): Promise<boolean> {
  for (let at = start; at + 8 <= end; ) {
    const header = await file.read(at, at + 8)
    const size = header.readUInt32BE(0)
    if (size < 8 || at + size > end) return true
    if (header.readUInt16BE(4) !== 0 && !(header.toString('latin1', 4, 8) in NAMES)) return true
    at += size
  }
  return false
}

/** Parts of a WebM file (RFC 9559, 5.1) that describe how it is built. */
const WEBM_PLAIN = new Set([0x114d9b74, 0x1549a966, 0x1654ae6b, 0x1c53bb6b, 0xec, 0xbf])
const [EBML, SEGMENT, CLUSTER, TAGS] = [0x1a45dfa3, 0x18538067, 0x1f43b675, 0x1254c367]

/**
 * No phone records WebM, but programs that make one of a phone's video carry the place over as a tag, and nothing can be
 * taken out of it here. So tags are read for words. A stream of unknown size is read up to its first frames: who
 * streams has no time for tags behind them.
 */
async function webmTells(file: File, bytes: number): Promise<boolean> {
  for (let at = 0, count = 0; at + 2 <= bytes; count++) {
    const header = await file.read(at, Math.min(at + 12, bytes))
    const idLength = Math.clz32(header[0] ?? 0) - 23
    if (count === MAX_BOXES || idLength > 4 || header.length < idLength + 1) return true
    const id = header.readUIntBE(0, idLength)
    const sizeLength = Math.clz32(header[idLength] ?? 0) - 23
    if (sizeLength > 8 || header.length < idLength + sizeLength) return true
    const raw = BigInt(`0x${header.toString('hex', idLength, idLength + sizeLength)}`)
    const mask = (1n << BigInt(7 * sizeLength)) - 1n
    const unknown = (raw & mask) === mask
    const start = at + idLength + sizeLength
    const end = start + Number(raw & mask)
    if (id === CLUSTER && unknown) return false
    if (id === TAGS) {
      if (unknown || end - start > MAX_BYTES) return true
      if (/location|gps|latitude|longitude|6709/i.test((await file.read(start, end)).toString('latin1'))) return true
    } else if (id !== SEGMENT && (unknown || !(id === EBML || id === CLUSTER || WEBM_PLAIN.has(id)))) {
      return true
    }
    at = id === SEGMENT ? start : end
  }
  return false
}
