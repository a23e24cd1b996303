import { constants, crc32, deflateRawSync } from 'node:zlib'

export interface BlankPng {
  width: number
  height: number
  /** RGBA of 8 or 16 bits a sample. */
  bits: 8 | 16
  interlaced: boolean
}

const SAMPLES = 4
/** Adam7 (PNG specification, 8.2): first column and row of each pass, and the steps from there. */
const PASSES = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const
const BLOCK = 1024 * 1024

/**
 * A valid PNG of transparent black: a file a thousand times smaller than its pixels. It is put together from one
 * compressed block, so that a picture of a gigabyte takes milliseconds to write.
 */
export function blankPng(picture: BlankPng): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(picture.width, 0)
  header.writeUInt32BE(picture.height, 4)
  header.set([picture.bits, 6, 0, 0, picture.interlaced ? 1 : 0], 8)
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', zeros(scanlineBytes(picture))),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

/** Bytes of all scanlines before compression, each with its filter byte. */
function scanlineBytes({ width, height, bits, interlaced }: BlankPng): number {
  const passes = interlaced ? PASSES : ([[0, 0, 1, 1]] as const)
  return passes.reduce((sum, [left, top, across, down]) => {
    const columns = Math.ceil((width - left) / across)
    const rows = Math.ceil((height - top) / down)
    return columns > 0 && rows > 0 ? sum + rows * (1 + (columns * SAMPLES * bits) / 8) : sum
  }, 0)
}

/** A zlib stream (RFC 1950) of that many zeros. */
function zeros(bytes: number): Buffer {
  const block = deflateRawSync(Buffer.alloc(BLOCK), { level: 9, finishFlush: constants.Z_FULL_FLUSH })
  const blocks = Array.from({ length: Math.floor(bytes / BLOCK) }, () => block)
  const checksum = Buffer.alloc(4)
  // Adler-32 of zeros: the first sum stays 1, the second counts the bytes.
  checksum.writeUInt32BE((bytes % 65_521) * 65_536 + 1)
  return Buffer.concat([Buffer.from([0x78, 0xda]), ...blocks, deflateRawSync(Buffer.alloc(bytes % BLOCK)), checksum])
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}
