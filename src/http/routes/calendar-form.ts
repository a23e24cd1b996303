import { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'
import type { CalendarFile } from '#icalendar'
import { receiveDefaults } from '#importing'
import { receiveCalendar, tooSlow } from '#operations'
import { boundByProgress } from '../connections.ts'
import { Form, readForm } from '../form.ts'

/** A form that brings the file of a calendar. */
export class CalendarForm extends Form {
  readonly file: { name: string; received: CalendarFile }

  constructor(fields: Form['fields'], file: CalendarForm['file']) {
    super(fields)
    this.file = file
  }
}

/**
 * Lets routes of this context take multipart/form-data: the file of a calendar is on the disk before the route is called, whose
 * body is then a `CalendarForm`, and is removed before the answer.
 */
export function takeCalendarForms(
  server: FastifyInstance,
  { log }: { log: { warn(fields: object, message: string): void } },
): void {
  const progress = { ...receiveDefaults, onIdle: () => tooSlow('Send the form again.') }
  server.addContentTypeParser(/^multipart\/form-data\b/i, (_, payload, done) => done(null, payload))
  server.addHook('preHandler', async (request) => {
    if (!(request.body instanceof IncomingMessage)) return
    boundByProgress(request.raw)
    const files: CalendarFile[] = []
    try {
      request.body = await readForm(request.raw, progress, async (fields, name, file) => {
        const received = await receiveCalendar(file)
        files.push(received)
        return new CalendarForm(fields, { name: name ?? '', received })
      })
    } catch (error) {
      // The file came, and the rest of the form did not.
      for (const file of files) await file.remove()
      throw error
    }
  })
  server.addHook('onSend', async ({ body }) => {
    if (!(body instanceof CalendarForm)) return
    await body.file.received
      .remove()
      .catch((error: unknown) => log.warn({ error }, 'The file of a calendar that was sent could not be removed'))
  })
}
