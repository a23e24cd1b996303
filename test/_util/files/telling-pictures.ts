import { crc32 } from 'node:zlib'
import sharp, { type Sharp } from 'sharp'

/** Stands in everything that is not to get out. */
export const SECRET = 'N48.8588 E2.2943'
const AI = 'http://cv.iptc.org/newscodes/digitalsourcetype/trainedAlgorithmicMedia'

export interface TellingPicture {
  name: string
  mimeType: 'image/jpeg' | 'image/png' | 'image/webp' | 'image/gif'
  bytes: Buffer
  /** What is left when it is cut; null where it cannot be. */
  bare: Buffer | null
  frames: number
  /** The turn, as Exif counts it, and what the file says of how it came to be. */
  orientation?: number
  sourceType?: string
}

/** Standing or lying, all networks take the shape. */
const [WIDTH, HEIGHT] = [480, 400]
/** A picture of one color with some grain: of a size that networks take, and quickly made. */
const drawn = (background: string) => {
  const side = 200
  let seed = 1
  const next = () => {
    seed = (seed * 48_271) % 2_147_483_647
    return seed >> 8
  }
  const grain = Buffer.from(Array.from({ length: side * side * 3 }, next))
  return sharp({ create: { width: WIDTH, height: HEIGHT, channels: 3, background } }).composite([
    { input: grain, raw: { width: side, height: side, channels: 3 }, left: 20, top: 20 },
  ])
}
const joined = (fills: readonly string[]): Promise<Sharp> =>
  Promise.all(fills.map((fill) => drawn(fill).png().toBuffer())).then((all) => sharp(all, { join: { animated: true } }))

/** Pictures as cameras, phones, editors and generators write them, each with its secret, made here byte by byte. */
export async function tellingPictures(): Promise<TellingPicture[]> {
  const jpeg = withJfif(await drawn('#c33').jpeg().toBuffer())
  const progressive = await drawn('#3c3').withIccProfile('p3').jpeg({ progressive: true }).toBuffer()
  const png = await drawn('#33c').png().toBuffer()
  const webp = await drawn('#aa3').webp({ lossless: true }).toBuffer()
  const gif = await (await joined(['#f00', '#0f0'])).gif({ delay: [100, 100] }).toBuffer()
  const moving = await (await joined(['#f0f', '#0ff'])).webp({ delay: [100, 100], lossless: true }).toBuffer()
  const exif = segment(0xe1, 'Exif\0\0', tiff(6))
  const film = Buffer.concat([Buffer.from('\0\0\0\x18ftypmp42'), Buffer.from(SECRET), Buffer.alloc(400)])
  const turned = inJpeg(jpeg, segment(0xe1, 'Exif\0\0', turn(6)))
  const comment = segment(0xfe, SECRET)
  const photoshop = segment(0xed, 'Photoshop 3.0\0', SECRET)
  const c2pa = segment(0xeb, 'JP\0\x01', `jumb c2pa ${SECRET} ${AI}k`)

  return [
    { name: 'a plain JPEG', mimeType: 'image/jpeg', bytes: jpeg, bare: jpeg, frames: 1 },
    {
      name: 'a photo with GPS, camera and a small picture',
      ...{ mimeType: 'image/jpeg', frames: 1, orientation: 6 },
      bytes: inJpeg(jpeg, exif, segment(0xec, 'Ducky', SECRET), comment, segment(0xe0, 'JFXX\0', SECRET)),
      bare: turned,
    },
    {
      name: 'a photo with IPTC and XMP',
      ...{ mimeType: 'image/jpeg', frames: 1 },
      bytes: inJpeg(progressive, photoshop, xmpSegment(`<x>${SECRET}</x>`)),
      bare: progressive,
    },
    {
      name: 'an AI picture that says so in XMP',
      ...{ mimeType: 'image/jpeg', frames: 1, sourceType: 'trainedAlgorithmicMedia' },
      bytes: inJpeg(jpeg, xmpSegment(`<x a="${AI}">${SECRET}</x>`)),
      bare: inJpeg(jpeg, xmpSegment(labelXmp())),
    },
    {
      name: 'an AI picture that says so in C2PA',
      ...{ mimeType: 'image/jpeg', frames: 1, sourceType: 'trainedAlgorithmicMedia' },
      bytes: inJpeg(jpeg, c2pa),
      bare: inJpeg(jpeg, xmpSegment(labelXmp())),
    },
    {
      name: 'two pictures in one (MPF)',
      ...{ mimeType: 'image/jpeg', frames: 1 },
      bytes: Buffer.concat([inJpeg(jpeg, segment(0xe2, 'MPF\0', SECRET)), jpeg, Buffer.from(SECRET)]),
      bare: jpeg,
    },
    {
      name: 'a motion photo',
      ...{ mimeType: 'image/jpeg', frames: 1, orientation: 6 },
      bytes: Buffer.concat([inJpeg(jpeg, exif), film]),
      bare: turned,
    },
    {
      name: 'a JPEG with something between its segments',
      ...{ mimeType: 'image/jpeg', frames: 1 },
      bytes: Buffer.concat([jpeg.subarray(0, 20), Buffer.from('\0\0\0'), jpeg.subarray(20), Buffer.from(SECRET)]),
      bare: null,
    },
    {
      name: 'a cropped screenshot',
      ...{ mimeType: 'image/png', frames: 1 },
      bytes: Buffer.concat([png, png.subarray(60), Buffer.from(SECRET)]),
      bare: png,
    },
    {
      name: 'a PNG with Exif, texts, a time and C2PA',
      ...{ mimeType: 'image/png', frames: 1, orientation: 3, sourceType: 'trainedAlgorithmicMedia' },
      bytes: inPng(
        png,
        chunk('eXIf', tiff(3)),
        chunk('tEXt', `Comment\0${SECRET}`),
        chunk('iTXt', `XML:com.adobe.xmp\0\0\0\0\0<x>${SECRET}</x>`),
        chunk('tIME', Buffer.alloc(7, 1)),
        chunk('caBX', `jumb c2pa ${SECRET} ${AI}`),
        chunk('prVt', SECRET),
      ),
      bare: inPng(png, chunk('eXIf', turn(3)), chunk('iTXt', `XML:com.adobe.xmp\0\0\0\0\0${labelXmp()}`)),
    },
    {
      name: 'an APNG',
      ...{ mimeType: 'image/png', frames: 2 },
      bytes: Buffer.concat([apng(png, chunk('tEXt', `Software\0${SECRET}`)), Buffer.from(SECRET)]),
      bare: apng(png),
    },
    {
      name: 'a WebP with Exif and XMP',
      ...{ mimeType: 'image/webp', frames: 1, sourceType: 'trainedAlgorithmicMedia' },
      bytes: Buffer.concat([
        riff(
          vp8x(0x0c),
          webp.subarray(12),
          riffChunk('EXIF', tiff(1)),
          riffChunk('XMP ', `<x a="${AI}">${SECRET}</x>`),
        ),
        Buffer.from(SECRET),
      ]),
      bare: riff(vp8x(0x04), webp.subarray(12), riffChunk('XMP ', labelXmp())),
    },
    {
      name: 'a moving WebP',
      ...{ mimeType: 'image/webp', frames: 2 },
      bytes: riff(flagged(moving, 0x08), riffChunk('EXIF', tiff(1)), riffChunk('priv', SECRET)),
      bare: moving,
    },
    {
      name: 'a moving GIF',
      ...{ mimeType: 'image/gif', frames: 2 },
      bytes: Buffer.concat([inGif(gif, gifComment(SECRET), gifXmp(`<x>${SECRET}</x>`)), Buffer.alloc(20)]),
      bare: gif,
    },
  ]
}

/** A little TIFF with a secret: what Exif is. */
function tiff(orientation: number): Buffer {
  const head = Buffer.from(turn(orientation))
  head.writeUInt16BE(2, 8)
  const make = Buffer.alloc(12)
  make.writeUInt16BE(0x010f, 0)
  make.writeUInt16BE(2, 2)
  make.writeUInt32BE(SECRET.length + 1, 4)
  make.writeUInt32BE(8 + 2 + 24 + 4, 8)
  // Directories are in the order of their tags.
  return Buffer.concat([head.subarray(0, 10), make, head.subarray(10, 22), Buffer.alloc(4), Buffer.from(`${SECRET}\0`)])
}

const turn = (orientation: number) =>
  Buffer.concat([
    Buffer.from('4d4d002a0000000800010112000300000001', 'hex'),
    Buffer.from([0, orientation, 0, 0, 0, 0, 0, 0]),
  ])

const labelXmp = () =>
  '<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" xmlns:Iptc4xmpExt="http://iptc.org/std/Iptc4xmpExt/2008-02-29/" Iptc4xmpExt:DigitalSourceType="' +
  `${AI}"/></rdf:RDF></x:xmpmeta><?xpacket end="r"?>`

type Part = string | Buffer
const bytesOf = (parts: readonly Part[]) => Buffer.concat(parts.map((part) => Buffer.from(part as string)))

export function segment(marker: number, ...parts: Part[]): Buffer {
  const content = bytesOf(parts)
  const head = Buffer.from([0xff, marker, 0, 0])
  head.writeUInt16BE(content.length + 2, 2)
  return Buffer.concat([head, content])
}
const xmpSegment = (xmp: string) => segment(0xe1, 'http://ns.adobe.com/xap/1.0/\0', xmp)
const JFIF = segment(0xe0, 'JFIF\0', Buffer.from([1, 2, 0, 0, 1, 0, 1, 0, 0]))
const withJfif = (jpeg: Buffer) => Buffer.concat([jpeg.subarray(0, 2), JFIF, jpeg.subarray(2)])
/** Behind JFIF, which is first where it is. */
function inJpeg(jpeg: Buffer, ...segments: Buffer[]): Buffer {
  const at = jpeg.includes(JFIF) ? 2 + JFIF.length : 2
  return Buffer.concat([jpeg.subarray(0, at), ...segments, jpeg.subarray(at)])
}

export function chunk(type: string, content: Part): Buffer {
  const named = bytesOf([type, content])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(named.length - 4)
  sum.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, sum])
}
/** Behind the header. */
const inPng = (png: Buffer, ...chunks: Buffer[]) => Buffer.concat([png.subarray(0, 33), ...chunks, png.subarray(33)])

/** Two frames: the picture, and the same once more. */
function apng(png: Buffer, ...more: Buffer[]): Buffer {
  const control = (sequence: number) => {
    const content = Buffer.alloc(26)
    for (const [at, value] of [sequence, WIDTH, HEIGHT].entries()) content.writeUInt32BE(value, 4 * at)
    content.writeUInt16BE(1, 20)
    content.writeUInt16BE(10, 22)
    return chunk('fcTL', content)
  }
  const chunks = pngChunks(png)
  const data = Buffer.concat(chunks.filter(({ type }) => type === 'IDAT').map(({ content }) => content))
  const before = chunks.filter(({ type }) => type !== 'IDAT' && type !== 'IEND').map(({ all }) => all)
  const sequence = Buffer.from([0, 0, 0, 2])
  return Buffer.concat([
    ...[png.subarray(0, 8), ...before, chunk('acTL', Buffer.from([0, 0, 0, 2, 0, 0, 0, 0])), ...more],
    ...[control(0), chunk('IDAT', data), control(1), chunk('fdAT', Buffer.concat([sequence, data]))],
    chunk('IEND', ''),
  ])
}

function pngChunks(png: Buffer): { type: string; content: Buffer; all: Buffer }[] {
  const found = []
  for (let at = 8; at < png.length; ) {
    const end = at + 12 + png.readUInt32BE(at)
    const type = png.toString('latin1', at + 4, at + 8)
    found.push({ type, content: png.subarray(at + 8, end - 4), all: png.subarray(at, end) })
    at = end
  }
  return found
}

export function riffChunk(type: string, content: Part): Buffer {
  const bytes = bytesOf([content])
  const head = Buffer.alloc(8)
  head.write(type, 'latin1')
  head.writeUInt32LE(bytes.length, 4)
  return Buffer.concat([head, bytes, Buffer.alloc(bytes.length % 2)])
}
function riff(...chunks: Buffer[]): Buffer {
  const content = Buffer.concat([Buffer.from('WEBP'), ...chunks])
  return riffChunk('RIFF', content)
}
const vp8x = (flags: number) => riffChunk('VP8X', Buffer.from([flags, 0, 0, 0, ...size(WIDTH), ...size(HEIGHT)]))
/** One less, in three bytes. */
const size = (pixels: number) => [(pixels - 1) & 0xff, (pixels - 1) >> 8, 0]
/** The chunks of an animation, with flags more. */
function flagged(moving: Buffer, flags: number): Buffer {
  const chunks = Buffer.from(moving.subarray(12))
  chunks[8] = (chunks[8] ?? 0) | flags
  return chunks
}

/** Behind the table of colors. */
function inGif(gif: Buffer, ...blocks: Buffer[]): Buffer {
  const flags = gif[10] ?? 0
  const at = 13 + (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0)
  return Buffer.concat([gif.subarray(0, at), ...blocks, gif.subarray(at)])
}
const gifComment = (text: string) =>
  Buffer.concat([Buffer.from([0x21, 0xfe, text.length]), Buffer.from(text), Buffer.alloc(1)])
/** The trailer of XMP in a GIF leads readers of blocks to its end, wherever they came in. */
const gifXmp = (xmp: string) =>
  Buffer.concat([
    Buffer.from('\x21\xff\x0bXMP DataXMP', 'latin1'),
    Buffer.from(xmp),
    Buffer.from([1, ...Array.from({ length: 256 }, (_, at) => 255 - at), 0]),
  ])
