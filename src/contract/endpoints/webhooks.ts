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
const OWN = 'Extension. A key has those alone that it made or adopted.'

/** Where events are sent. Members confirm with their password what changes that. */
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
      description: 'Extension. Events are sent from now on. The answer has the secret that signs them, this once.',
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
    api: { tag, summary: 'Get a webhook', description: OWN },
    right,
    status: 200,
    answer: Webhook,
    problems: ['webhook:not_found'],
  },
  'PATCH /webhooks/:id': {
    api: {
      tag,
      summary: 'Change a webhook',
      description: 'Extension. The address stays: another one is another webhook.',
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
    api: { tag, summary: 'Delete a webhook', description: 'Extension. With its log, and with what waits to be sent.' },
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
        'Extension. For 24 hours the secret before this one signs too; until then it cannot be replaced again.',
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
      summary: 'List what was sent to a webhook',
      description: 'Extension. Each request that was made, the newest first, for 30 days.',
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
      description: 'Extension. One event, or all since a moment that could not be sent. Each keeps its `webhook-id`.',
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
        'Extension. Opens it again and makes it the own one of a key that sees no less than was sent. What has happened since it closed is sent.',
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
