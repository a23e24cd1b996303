import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readFixture } from '../networks/file-server.ts'

/** Boxes of MP4 and QuickTime files, written by hand as phones write them. */

type Content = Buffer | string | readonly number[]

const bytesOf = (content: Content) =>
  typeof content === 'string' ? Buffer.from(content, 'latin1') : Buffer.from(content)

/** ISO 14496-12, 4.2: size, type of four letters, content. */
export function box(type: string, ...contents: Content[]): Buffer {
  const content = Buffer.concat(contents.map(bytesOf))
  const size = Buffer.alloc(4)
  size.writeUInt32BE(content.length + 8)
  return Buffer.concat([size, bytesOf(type), content])
}

/**
 * The file with something more at the end of the box at a path, such as `['moov', 'udta']`; of several boxes of a type
 * the first. For files whose index stands at the end: places of packets do not move.
 */
export function withInside(file: Buffer, path: readonly string[], more: Buffer): Buffer {
  const bytes = Buffer.from(file)
  let [start, end] = [0, bytes.length]
  for (const type of path) {
    let at = start
    while (bytes.toString('latin1', at + 4, at + 8) !== type) {
      at += bytes.readUInt32BE(at)
      if (at >= end) throw new Error(`There is no ${type}.`)
    }
    end = at + bytes.readUInt32BE(at)
    start = at + 8
    bytes.writeUInt32BE(end - at + more.length, at)
  }
  return Buffer.concat([bytes.subarray(0, end), more, bytes.subarray(end)])
}

/** Where the boxes below were written, in the spellings that they use. */
export const PLACE = '+48.8577+002.2950+035.000/'

/** QuickTime File Format Specification, user data text: length, language, ISO 6709. iPhones and Android phones. */
export const XYZ = box('\xa9xyz', [0, PLACE.length, 0x15, 0xc7], PLACE)

/** 3GPP TS 26.244, 8.9: version, language, name, role, longitude, latitude and altitude as 16.16, body, notes. */
export const LOCI = box('loci', [0, 0, 0, 0, 0x15, 0xc7], 'Tour Eiffel\0', [
  ...[0, 0, 2, 0x4b, 0x85, 0, 48, 0xdb, 0x92, 0, 35, 0, 0],
  ...Buffer.from('earth\0\0'),
])

/** QuickTime metadata: keys with their values, in a `meta` without a version, as iPhones write it into `moov`. */
export function keyed(entries: Readonly<Record<string, string>>): Buffer {
  const names = Object.keys(entries)
  const keys = names.map((name) => box('mdta', name))
  const values = Object.values(entries).map((value, index) =>
    box(String.fromCharCode(0, 0, 0, index + 1), box('data', [0, 0, 0, 1, 0, 0, 0, 0], value)),
  )
  const hdlr = box('hdlr', [0, 0, 0, 0, 0, 0, 0, 0], 'mdta', Buffer.alloc(13))
  return box('meta', hdlr, box('keys', [0, 0, 0, 0, 0, 0, 0, names.length], ...keys), box('ilst', ...values))
}

/**
 * The file with a list of keys that has no end: it announces more than memory holds, and its first key says that it has no
 * byte, so that mediabunny 1.x reads it again and again into a map. V8 ends the process in which such a map grows.
 */
export function withEndlessKeys(file: Buffer): Buffer {
  const keys = box('keys', [0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff], Buffer.alloc(8))
  return withInside(file, ['moov'], box('meta', [0, 0, 0, 0], keys))
}

/** A track of data beside the picture, as iPhones (`mebx`) and action cameras (`gpmd`) write one. */
export function dataTrack(): Buffer {
  const tkhd = Buffer.alloc(84)
  tkhd.writeUInt32BE(7, 12)
  const hdlr = box('hdlr', [0, 0, 0, 0], 'mhlr', 'meta', Buffer.alloc(13))
  return box('trak', box('tkhd', tkhd), box('mdia', box('mdhd', Buffer.alloc(24)), hdlr))
}

/** What an iPhone puts into a film: maker, day and place, twice, and a track of its own. */
export function asPhonesWrite(file: Buffer): Buffer {
  const meta = keyed({
    'com.apple.quicktime.location.ISO6709': PLACE,
    'com.apple.quicktime.location.accuracy.horizontal': '4.5',
    'com.apple.quicktime.make': 'Fruit',
    'com.apple.quicktime.creationdate': '2026-11-21T10:00:00+0100',
  })
  return [box('udta', XYZ, LOCI), meta, dataTrack()].reduce((made, more) => withInside(made, ['moov'], more), file)
}

/**
 * A file that reveals its place, whose path samples of the conformance suite take: an iPhone's MOV of 180x320, or one of
 * the fixtures with the place behind everything else, where nothing has to move for it.
 */
export async function writePhoneFilm(fixture?: string): Promise<{ path: string; remove(): Promise<void> }> {
  const dir = await mkdtemp(join(tmpdir(), 'almanac-film-'))
  const path = join(dir, fixture ?? 'film.mov')
  const place = keyed({ 'com.apple.quicktime.location.ISO6709': PLACE })
  const film = fixture ? Buffer.concat([await readFixture(fixture), place]) : asPhonesWrite(await readFixture(MOV))
  await writeFile(path, film)
  return { path, remove: () => rm(dir, { recursive: true }) }
}

const MOV = 'video-rotated.mov'
