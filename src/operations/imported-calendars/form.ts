import type { Readable } from 'node:stream'
import { type CalendarFile, receiveCalendarFile } from '#icalendar'
import { diskFull } from '../media/uploads/begin.ts'

/** A form that brings the file of a calendar: the body of a request instead of JSON. */
export class CalendarForm {
  readonly fields: Readonly<Record<string, unknown>>
  readonly fileName: string
  readonly file: CalendarFile

  constructor(fields: Readonly<Record<string, unknown>>, fileName: string, file: CalendarFile) {
    this.fields = fields
    this.fileName = fileName
    this.file = file
  }
}

/**
 * Takes the file of a form to its end, onto the disk. Whoever has the form removes the file.
 *
 * @throws ProblemError `service:unavailable`, the disk is full; or the stream's own error
 */
export async function receiveCalendarForm(
  fields: Readonly<Record<string, unknown>>,
  fileName: string | null,
  file: Readable,
): Promise<CalendarForm> {
  const received = await receiveCalendarFile(file).catch((error: NodeJS.ErrnoException) => {
    throw ['ENOSPC', 'EDQUOT'].includes(error.code ?? '') ? diskFull() : error
  })
  return new CalendarForm(fields, fileName ?? '', received)
}
