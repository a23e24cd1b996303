import type { EndpointTable } from '../endpoint.ts'
import {
  Webhook,
  WebhookAttemptPage,
  WebhookAttemptQuery,
  WebhookCreate,
  WebhookList,
  WebhookQueued,
  WebhookResend,
  WebhookTested,
  WebhookUpdate,
  WebhookWithSecret,
} from '../webhooks.ts'

const right = 'webhooks:write'
const tag = 'Webhooks'
const touches = ['webhooks'] as const
const confirmed = true
const OWN = 'Extension. A key has only those that it created or adopted.'

/** Webhooks. Members confirm changes with their password. */
export const WEBHOOK_ENDPOINTS = {
  'GET /webhooks': {
    api: { tag, summary: 'List webhooks', description: OWN },
    right,
    status: 200,
    answer: WebhookList,
    problems: [],
  },
  'POST /webhooks': {
    api: {
      tag,
      summary: 'Create a webhook',
      description:
        'Extension. Events are sent from now on. The answer has the secret that signs them; it is shown only once.',
    },
    right,
    confirmed,
    answersSecret: true,
    body: WebhookCreate,
    touches,
    status: 201,
    answer: WebhookWithSecret,
    problems: ['social-set:not_found', 'request:invalid_body', 'webhook:limit_reached'],
  },
  'GET /webhooks/:id': {
    api: { tag, summary: 'Read a webhook', description: OWN },
    right,
    status: 200,
    answer: Webhook,
    problems: ['webhook:not_found'],
  },
  'PATCH /webhooks/:id': {
    api: {
      tag,
      summary: 'Update a webhook',
      description: 'Extension. The address cannot be changed: create another webhook instead.',
    },
    right,
    confirmed,
    body: WebhookUpdate,
    touches,
    status: 200,
    answer: Webhook,
    problems: ['webhook:not_found', 'social-set:not_found', 'request:invalid_body'],
  },
  'DELETE /webhooks/:id': {
    api: {
      tag,
      summary: 'Delete a webhook',
      description: 'Extension. Also deletes its log and what waits to be sent.',
    },
    right,
    confirmed,
    touches,
    status: 204,
    problems: ['webhook:not_found'],
  },
  'POST /webhooks/:id/rotate-secret': {
    api: {
      tag,
      summary: 'Replace the secret of a webhook',
      description:
        'Extension. For 24 hours the previous secret also signs; until then the secret cannot be replaced again.',
      operationId: 'rotateWebhookSecret',
    },
    right,
    confirmed,
    answersSecret: true,
    touches,
    status: 200,
    answer: WebhookWithSecret,
    problems: ['webhook:not_found', 'webhook:rotation_in_progress'],
  },
  'POST /webhooks/:id/test': {
    api: {
      tag,
      summary: 'Send a test to a webhook',
      description: 'Extension. Sent like an event, with the type `webhook.test` and without a position.',
      operationId: 'testWebhook',
    },
    right,
    touches,
    status: 201,
    answer: WebhookTested,
    problems: ['webhook:not_found', 'request:refused'],
  },
  'GET /webhooks/:id/attempts': {
    api: {
      tag,
      summary: 'List requests to a webhook',
      description: 'Extension. Each request of the last 30 days, newest first.',
      operationId: 'listWebhookAttempts',
    },
    right,
    query: WebhookAttemptQuery,
    status: 200,
    answer: WebhookAttemptPage,
    problems: ['webhook:not_found'],
  },
  'POST /webhooks/:id/resend': {
    api: {
      tag,
      summary: 'Send events to a webhook again',
      description:
        'Extension. One event, or all since a given time that could not be sent. Each keeps its `webhook-id`.',
      operationId: 'resendWebhookEvents',
    },
    right,
    body: WebhookResend,
    touches,
    status: 200,
    answer: WebhookQueued,
    problems: ['webhook:not_found', 'request:refused', 'request:invalid_body'],
  },
  'POST /webhooks/:id/adopt': {
    api: {
      tag,
      summary: 'Adopt a closed webhook',
      description:
        'Extension. Reopens it; it then belongs to the key, which must see at least what was sent. Events since it was closed are sent.',
      operationId: 'adoptWebhook',
    },
    right,
    confirmed,
    touches,
    status: 200,
    answer: Webhook,
    problems: ['webhook:not_found', 'request:refused', 'webhook:limit_reached'],
  },
} as const satisfies EndpointTable
