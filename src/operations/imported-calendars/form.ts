import type { Readable } from 'node:stream'
import { type CalendarFile, receiveCalendarFile } from '#icalendar'
import { diskFull } from '../media/uploads/begin.ts'

/**
 * Writes the file of a form to disk. The caller removes the file.
 *
 * @throws ProblemError `service:unavailable`, the disk is full; or the stream's own error
 */
export function receiveCalendar(file: Readable): Promise<CalendarFile> {
  return receiveCalendarFile(file).catch((error: NodeJS.ErrnoException) => {
    throw ['ENOSPC', 'EDQUOT'].includes(error.code ?? '') ? diskFull() : error
  })
}
