import type { InputTrack } from 'mediabunny'
import { type Box, boxesIn, findBox, type ReadRange } from './video-boxes.ts'

/** Seconds that a track may go on behind the end that its edits name: sound ends with whole packets. */
const OVERHANG_S = 0.5
/** Entries of a list of edits that are looked at. */
const MAX_EDITS = 16

/**
 * What keeps the packets of an MP4 or QuickTime file from being all there is to show, in words; null when nothing does.
 * A file may say that only parts of a track are shown (ISO 14496-12, 8.6.6). mediabunny honors where the first part
 * begins and no more, and what was cut away must not come back.
 */
export async function obstacleIn(
  read: ReadRange,
  bytes: number,
  tracks: readonly InputTrack[],
): Promise<string | null> {
  const moov = await findBox(read, { start: 0, end: bytes }, ['moov'])
  const mvhd = moov && (await findBox(read, moov, ['mvhd']))
  if (!moov || !mvhd) return 'The video has no index.'
  const unitsPerSecond = await idOrScale(read, mvhd)
  for await (const trak of boxesIn(read, moov.start, moov.end)) {
    const tkhd = trak.type === 'trak' ? await findBox(read, trak, ['tkhd']) : null
    const id = tkhd && (await idOrScale(read, tkhd))
    const track = tracks.find((one) => one.id === id)
    if (!track) continue
    const stsd = await findBox(read, trak, ['mdia', 'minf', 'stbl', 'stsd'])
    if (!stsd || Buffer.from(await read(stsd.start, stsd.start + 8)).readUInt32BE(4) !== 1) {
      return 'The video changes its form on the way. Export it again as one.'
    }
    const edits = await editsOf(read, trak)
    const shown = edits.filter(({ empty }) => !empty)
    const seconds = edits.reduce((sum, edit) => sum + edit.duration, 0) / unitsPerSecond
    const hidden = seconds > 0 && (await track.computeDuration()) - seconds > OVERHANG_S
    if (shown.length > 1 || shown.some(({ plain }) => !plain) || hidden) {
      return 'Parts of the video were cut away and are still in the file. Export it again, so that they are gone.'
    }
  }
  return null
}

/** The fourth field of a movie header (units per second) and of a track header (its id): behind the two times. */
async function idOrScale(read: ReadRange, header: { start: number; end: number }): Promise<number> {
  const content = Buffer.from(await read(header.start, Math.min(header.start + 24, header.end)))
  return content.readUInt32BE(content[0] === 1 ? 20 : 12)
}

interface Edit {
  /** In units of the movie. */
  duration: number
  /** Shows nothing: the track begins later. */
  empty: boolean
  /** At the usual speed. */
  plain: boolean
}

async function editsOf(read: ReadRange, trak: Box): Promise<Edit[]> {
  const elst = await findBox(read, trak, ['edts', 'elst'])
  if (!elst) return []
  const content = Buffer.from(await read(elst.start, Math.min(elst.end, elst.start + 8 + MAX_EDITS * 20)))
  const large = content[0] === 1
  const size = large ? 20 : 12
  const edits: Edit[] = []
  for (let at = 8; edits.length < content.readUInt32BE(4) && at + size <= content.length; at += size) {
    edits.push({
      duration: large ? Number(content.readBigUInt64BE(at)) : content.readUInt32BE(at),
      empty: large ? content.readBigInt64BE(at + 8) === -1n : content.readInt32BE(at + 4) === -1,
      plain: content.readUInt32BE(at + size - 4) === 0x10000,
    })
  }
  return edits
}
