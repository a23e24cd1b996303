import { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { receiveDefaults } from '#importing'
import { CalendarForm, receiveCalendarForm, tooSlow } from '#operations'
import { boundByProgress } from '../connections.ts'
import { readForm } from '../form.ts'

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
    const received: CalendarForm[] = []
    try {
      request.body = await readForm(request.raw, progress, async (...form) => {
        const one = await receiveCalendarForm(...form)
        received.push(one)
        return one
      })
    } catch (error) {
      // The file came, and the rest of the form did not.
      for (const { file } of received) await file.remove()
      throw error
    }
  })
  server.addHook('onSend', async ({ body }) => {
    if (!(body instanceof CalendarForm)) return
    await body.file
      .remove()
      .catch((error: unknown) => log.warn({ error }, 'The file of a calendar that was sent could not be removed'))
  })
}
