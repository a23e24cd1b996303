import type { FastifyInstance } from 'fastify'
import { WEBHOOK_ENDPOINTS } from '#contract'
import {
  adoptWebhook,
  changeWebhook,
  createWebhook,
  getWebhook,
  listAttemptsOfWebhook,
  listWebhooksOf,
  type OperationDeps,
  removeWebhook,
  resendWebhookEvents,
  rotateWebhookSecret,
  testWebhook,
} from '#operations'
import { type Guard, serve } from '../route.ts'

/** Where events are sent. */
export function serveWebhooks(server: FastifyInstance, guard: Guard, deps: OperationDeps): void {
  serve(server, guard, WEBHOOK_ENDPOINTS, {
    'GET /webhooks': (caller) => listWebhooksOf(deps, caller),
    'POST /webhooks': (caller, request) => createWebhook(request.within(deps), caller, request.body),
    'GET /webhooks/:id': (caller, { params }) => getWebhook(deps, caller, params.id),
    'PATCH /webhooks/:id': (caller, request) =>
      changeWebhook(request.within(deps), caller, request.params.id, request.body),
    'DELETE /webhooks/:id': (caller, request) => removeWebhook(deps, caller, request.params.id, request),
    'POST /webhooks/:id/rotate-secret': (caller, request) =>
      rotateWebhookSecret(request.within(deps), caller, request.params.id, request),
    'POST /webhooks/:id/test': (caller, request) =>
      testWebhook(request.within(deps), caller, request.params.id, request.query),
    'GET /webhooks/:id/attempts': (caller, { params, query }) => listAttemptsOfWebhook(deps, caller, params.id, query),
    'POST /webhooks/:id/resend': (caller, request) =>
      resendWebhookEvents(request.within(deps), caller, request.params.id, request.body),
    'POST /webhooks/:id/adopt': (caller, request) =>
      adoptWebhook(request.within(deps), caller, request.params.id, request),
  })
}
