import type { Readable } from 'node:stream'
import type { Static, TSchema } from 'typebox'
import { type AskedBody, type AskedQuery, askedBody } from '#contract'
import { type CalendarFile, receiveCalendarFile } from '#icalendar'
import { diskFull } from '../media/uploads/begin.ts'
import type { GivenOrigin } from './origin.ts'

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

/** A request about a calendar: in JSON, or as a form with its file. */
export interface CalendarRequest<T> {
  query: AskedQuery<undefined>
  body: AskedBody<T>
  /** Null for a body in JSON. */
  form: CalendarForm | null
}

/** The fields besides the file, which have the same shape for create and update. */
export function fieldsOf<T extends TSchema>(
  { query, body, form }: CalendarRequest<Static<T>>,
  schema: T,
): AskedBody<Static<T>> {
  return form ? askedBody(schema, form.fields, () => query.read()) : body
}

export function fileOf({ form }: Pick<CalendarRequest<unknown>, 'form'>): GivenOrigin['file'] {
  return form ? { name: form.fileName, received: form.file } : undefined
}

/**
 * Writes the file of a form to disk. The caller removes the file.
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
