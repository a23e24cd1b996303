import { createWriteStream } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { LIMITS, ProblemError } from '#contract'
import { beginsCalendar } from './components.ts'
import { decodeCalendar } from './decode-calendar.ts'

/** A calendar's file that a client has sent, on the disk until it is stored. */
export interface CalendarFile {
  /** False: it is larger than calendars may be, and not here. */
  whole: boolean
  /** Whether a calendar begins at its beginning. */
  isCalendar: boolean
  /** All of it, compressed by gzip. */
  read(): Promise<Buffer>
  /** Removes it; it cannot be read any more. */
  remove(): Promise<void>
}

/** What of a file is looked at while it comes. */
const BEGINNING_BYTES = 4_096
/** What is over the limit is read on for its answer, up to so many times the limit. */
const DROPPED_FACTOR = 2

/**
 * Takes the file of a calendar to its end, piece by piece: it is compressed and written to the disk, and never in memory as a whole.
 * One that is too large is taken to its end too, and dropped; far too large ones are not.
 *
 * @throws ProblemError `request:too_large`, or the stream's own error; nothing is left then
 */
export async function receiveCalendarFile(
  source: Readable,
  maxBytes: number = LIMITS.calendarBytes,
): Promise<CalendarFile> {
  const dir = await mkdtemp(join(tmpdir(), 'almanac-calendar-'))
  const path = join(dir, 'calendar.gz')
  const remove = () => rm(dir, { recursive: true, force: true })
  const first: Buffer[] = []
  let bytes = 0
  async function* bounded(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const piece of pieces) {
      if (bytes < BEGINNING_BYTES) first.push(piece.subarray(0, BEGINNING_BYTES - bytes))
      bytes += piece.length
      if (bytes <= maxBytes) yield piece
      // Somebody who sends on for ever holds no request.
      if (bytes > DROPPED_FACTOR * maxBytes)
        throw new ProblemError('request:too_large', 'The calendar file is much too large.')
    }
  }
  try {
    await pipeline(source, bounded, createGzip(), createWriteStream(path, { mode: 0o600 }))
  } catch (error) {
    await remove()
    throw error
  }
  return {
    whole: bytes <= maxBytes,
    isCalendar: beginsCalendar(decodeCalendar(Buffer.concat(first))),
    read: () => readFile(path),
    remove,
  }
}
