import { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { askedQuery } from '#contract'
import { type ReceiveDeps, ReceivedForm, readIdempotencyKey, receiveForm, requireSeen, tooSlow } from '#operations'
import type { AdmitAgain } from '../admit-again.ts'
import { boundByProgress } from '../connections.ts'
import { readForm } from '../form.ts'

interface UploadFormDeps extends ReceiveDeps {
  admitAgain: AdmitAgain
}

/**
 * Lets routes of this context take multipart/form-data: the file is received before the route is called, whose body is then a
 * `ReceivedForm`. What the route does not hand over is removed after the answer.
 */
export function takeUploadForms(server: FastifyInstance, deps: UploadFormDeps): void {
  server.addContentTypeParser(/^multipart\/form-data\b/i, (_, payload, done) => done(null, payload))
  server.addHook('preHandler', async (request) => {
    if (!(request.body instanceof IncomingMessage)) return
    boundByProgress(request.raw)
    request.body = await receive(deps, request)
  })
  // Before the answer is sent, not after it: of a client that has gone there is no after.
  server.addHook('onSend', async ({ body }) => {
    if (!(body instanceof ReceivedForm)) return
    await body.discard(deps).catch((error: unknown) => deps.log.warn({ error }, 'A refused form could not be removed'))
  })
}

async function receive(deps: UploadFormDeps, request: FastifyRequest): Promise<ReceivedForm> {
  const { caller, raw, headers } = request
  if (!caller) throw new Error('A form was sent without a caller.')
  const length = headers['content-length']
  const key = caller.member ? undefined : headers['idempotency-key']
  const idempotencyKey = key === undefined ? null : readIdempotencyKey([key].flat().join())
  const progress = { ...deps.settings, onIdle: () => tooSlow('Send the form again.') }
  const received: ReceivedForm[] = []
  try {
    return await readForm(raw, progress, async (fields, fileName, file) => {
      const form = await receiveForm(deps, caller, {
        fields,
        fileName,
        file,
        contentLength: length === undefined ? null : Number(length),
        idempotencyKey,
        query: askedQuery(undefined, (request.query as { text?: string }).text ?? ''),
        stillAllowed: async (row) => requireSeen(await deps.admitAgain(request), row),
      })
      received.push(form)
      return form
    })
  } catch (error) {
    for (const form of received) await form.discard(deps)
    throw error
  }
}
