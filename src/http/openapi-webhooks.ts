import { EVENT_TYPES, WEBHOOK_TEST } from '#contract'

const header = (name: string, description: string, type: 'string' | 'integer' = 'string') => ({
  in: 'header',
  name,
  required: true,
  description,
  schema: { type },
})

/** By their names in the description. */
export const WEBHOOK_HEADERS = {
  WebhookId: header('webhook-id', 'The id of the event: the same for each attempt.'),
  WebhookTimestamp: header('webhook-timestamp', 'When this attempt was signed, in epoch seconds.', 'integer'),
  WebhookSignature: header(
    'webhook-signature',
    'As in Standard Webhooks 1.0: `v1,` and base64. Two of them, separated by a space, while a secret is being replaced.',
  ),
}

export const WEBHOOK_RESPONSES = {
  WebhookArrived: { description: 'It has arrived.' },
  WebhookClosed: { description: 'Nothing is sent any more: the webhook is closed.' },
  WebhookFailed: { description: 'It is sent again.' },
}

const response = (name: keyof typeof WEBHOOK_RESPONSES) => ({ $ref: `#/components/responses/${name}` })

/** `onPostSetCreated` of `post_set.created`. */
const nameOf = (type: string) =>
  `on${type
    .split(/[._]/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')}`

/** What is sent to the address of a webhook, for the description of the API: one for each type of event. */
export const OPEN_API_WEBHOOKS = Object.fromEntries(
  [...EVENT_TYPES, WEBHOOK_TEST].map((type) => [
    type,
    {
      post: {
        operationId: nameOf(type),
        summary: type === WEBHOOK_TEST ? 'A test, which is no event' : `The event ${type}`,
        parameters: Object.keys(WEBHOOK_HEADERS).map((name) => ({ $ref: `#/components/parameters/${name}` })),
        requestBody: { required: true, content: { 'application/json': { schema: bodyOf(type) } } },
        responses: {
          '2XX': response('WebhookArrived'),
          '410': response('WebhookClosed'),
          default: response('WebhookFailed'),
        },
      },
    },
  ]),
)

function bodyOf(type: string): object {
  if (type !== WEBHOOK_TEST) {
    return { allOf: [{ $ref: '#/components/schemas/Event' }, { properties: { type: { const: type } } }] }
  }
  return {
    type: 'object',
    required: ['id', 'position', 'type', 'timestamp', 'socialSetId', 'data'],
    properties: {
      id: { type: 'string' },
      position: { type: 'null' },
      type: { const: type },
      timestamp: { type: 'string' },
      socialSetId: { type: 'null' },
      data: { type: 'object' },
    },
  }
}
