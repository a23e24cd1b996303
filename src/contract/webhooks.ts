import Type from 'typebox'
import type { Loose } from './asked.ts'
import { unchangeable } from './check-shape.ts'
import { EVENT_TYPES } from './events.ts'
import * as LIMITS from './limits.ts'
import { pageOf } from './pages.ts'
import type { ProblemEntry } from './problem.ts'
import { closed, Id, Instant, orNull } from './schema.ts'

/**
 * Why nothing is sent to an endpoint any more: its receiver answered 410, everything failed for days, its key is revoked or has
 * expired, who made it has left or may not make one any more.
 */
const WEBHOOK_CLOSED_WHYS = ['GONE', 'FAILING', 'KEY_ENDED', 'MAKER_LEFT'] as const
export type WebhookClosedWhy = (typeof WEBHOOK_CLOSED_WHYS)[number]

/** What an event is to an endpoint: `KEPT` while it is closed, `LEFT_OUT` when its key did not see it any more. */
const WEBHOOK_SEND_STATES = ['WAITING', 'SENT', 'FAILED', 'KEPT', 'LEFT_OUT'] as const
export type WebhookSendState = (typeof WEBHOOK_SEND_STATES)[number]

/** The type of a test message, which is not an event. */
export const WEBHOOK_TEST = 'webhook.test'

const optional = Type.Optional

const fields = {
  types: Type.Array(Type.Enum([...EVENT_TYPES]), {
    maxItems: EVENT_TYPES.length,
    description: 'Event types to send. Empty: all.',
  }),
  socialSetIds: Type.Array(Id, {
    maxItems: LIMITS.webhooks.socialSets,
    description: 'Social sets whose events are sent. Empty: all that its key sees; for a webhook of the account, all.',
  }),
  description: Type.String({ maxLength: LIMITS.webhooks.descriptionCodePoints }),
  enabled: Type.Boolean({
    description: 'While it is false nothing is sent, and events from that time are never sent.',
  }),
  ignoreOwn: Type.Boolean({
    description: 'Do not send what its own key did. Default: true if a key creates it.',
  }),
  ignoreKeyIds: Type.Array(Id, {
    maxItems: LIMITS.webhooks.ignoredKeys,
    description: 'Do not send what these API keys did: those of the programs that its receiver runs.',
  }),
}
const url = Type.String({
  maxLength: LIMITS.urlCharacters,
  description:
    'https. Other schemes, and addresses of private networks, only if the operator trusts the host. It cannot be changed: create another webhook for another address.',
})

export const Webhook = closed({
  id: Type.String(),
  url,
  ...fields,
  closed: orNull(closed({ at: Instant, why: Type.Enum([...WEBHOOK_CLOSED_WHYS]) }), {
    description: 'Nothing is sent any more; events are kept for 30 days. Adopting it reopens it.',
  }),
  failing: orNull(closed({ since: Instant, failures: Type.Integer({ minimum: 1 }) }), {
    description: 'Nothing has succeeded since then.',
  }),
  key: orNull(closed({ id: Type.String(), name: Type.String() }), {
    description: 'The API key that it belongs to. Null: the account.',
  }),
  createdBy: Type.String({ description: 'Name of the person or of the API key.' }),
  createdAt: Instant,
  oldSecretUntil: orNull(Instant, { description: 'Until then, the previous secret also signs.' }),
})
export type Webhook = Type.Static<typeof Webhook>

export const WebhookWithSecret = closed({
  ...Webhook.properties,
  secret: Type.String({ description: 'Signs what is sent. Shown only once.' }),
})
export type WebhookWithSecret = Type.Static<typeof WebhookWithSecret>

export const WebhookList = closed({
  data: Type.Array(Webhook),
  openCount: Type.Integer({
    description: 'Of the account, including those that are not listed, but not closed ones.',
  }),
  limit: Type.Integer({ description: 'Open endpoints that an account may have.' }),
})
export type WebhookList = Type.Static<typeof WebhookList>

const optionals = Type.Partial(closed(fields)).properties

export const WebhookCreate = closed({ url, ...optionals })
export type WebhookCreate = Type.Static<typeof WebhookCreate>

const { closed: closing, failing, key, oldSecretUntil } = Webhook.properties
const readOnly = Type.String({ description: 'Read-only.' })
/** Read-only fields are accepted with the value that they have. */
export const WebhookUpdate = closed({
  ...optionals,
  ...Type.Partial(
    closed({
      ...{ id: readOnly, url: readOnly, createdBy: readOnly, createdAt: readOnly },
      ...{ closed: closing, failing, key, oldSecretUntil },
    }),
  ).properties,
})
export type WebhookUpdate = Type.Static<typeof WebhookUpdate>

/**
 * Problems of read-only fields in a change. Sending back what was read is no problem; counters may have changed
 * since.
 */
export function checkWebhookReadOnly(given: Loose<WebhookUpdate>, current: Webhook): ProblemEntry[] {
  const moment = (text: unknown) => (typeof text === 'string' ? Date.parse(text) : text)
  const field = (value: unknown, name: string) =>
    typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : value
  const changes: [name: string, given: unknown, current: unknown][] = [
    ['id', typeof given.id === 'string' ? given.id.toLowerCase() : given.id, current.id],
    ['url', given.url, current.url],
    ['closed', field(given.closed, 'why'), current.closed?.why ?? null],
    ['key', field(given.key, 'id'), current.key?.id ?? null],
    ['createdBy', given.createdBy, current.createdBy],
    ['createdAt', moment(given.createdAt), moment(current.createdAt)],
  ]
  return unchangeable(changes.filter(([, one, other]) => one !== undefined && one !== other).map(([name]) => name))
}

/** A request that was sent to a webhook. */
export const WebhookAttempt = closed({
  id: Type.String(),
  at: Instant,
  durationMs: Type.Integer(),
  status: orNull(Type.Integer(), { description: 'Status of the answer. Null: no answer.' }),
  failure: orNull(Type.String(), { description: 'Why it counts as failed, in a sentence. Null: it succeeded.' }),
  answer: orNull(Type.String(), { description: 'The beginning of the answer of a public host, at most 1 kB.' }),
  event: closed({
    id: Type.String(),
    position: orNull(Type.Integer(), { description: 'Null: of a test.' }),
    type: Type.String(),
    timestamp: Instant,
    socialSetId: orNull(Type.String()),
  }),
  state: Type.Enum([...WEBHOOK_SEND_STATES], { description: 'The current state of the event for this webhook.' }),
  nextAt: orNull(Instant, { description: 'If it waits: when it is sent again, at the earliest.' }),
})
export type WebhookAttempt = Type.Static<typeof WebhookAttempt>

export const WebhookAttemptPage = pageOf(WebhookAttempt)
export type WebhookAttemptPage = Type.Static<typeof WebhookAttemptPage>

export const WebhookAttemptQuery = Type.Object({
  page: optional(Type.Integer({ minimum: 1, maximum: LIMITS.page.maxReach, default: 1 })),
  size: optional(Type.Integer({ minimum: 1, maximum: LIMITS.page.maxSize, default: LIMITS.page.defaultSize })),
  failed: optional(Type.Boolean({ description: 'Only those that failed, or only those that succeeded. Absent: all.' })),
})
export type WebhookAttemptQuery = Type.Static<typeof WebhookAttemptQuery>

export const WebhookResend = closed({
  eventId: optional(Id),
  since: optional(
    Type.String({
      description: 'ISO 8601: all events since then that could not be sent. A bare date is its start in UTC.',
    }),
  ),
})
export type WebhookResend = Type.Static<typeof WebhookResend>

export const WebhookQueued = closed({ queued: Type.Integer({ description: 'How many events are sent again.' }) })
export type WebhookQueued = Type.Static<typeof WebhookQueued>

export const WebhookTested = closed({ eventId: Type.String({ description: '`webhook-id` of what is sent.' }) })
export type WebhookTested = Type.Static<typeof WebhookTested>
