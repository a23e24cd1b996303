import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { IconAlertTriangle, IconBan, IconCircleCheck, IconPlayerPause, type TablerIcon } from '@tabler/icons-react'
import type { EventType, Webhook, WebhookAttempt, WebhookClosedWhy } from '#contract'

/** How an endpoint is. */
type WebhookState = 'OPEN' | 'FAILING' | 'OFF' | 'CLOSED'

export function stateOf({ closed, enabled, failing }: Webhook): WebhookState {
  if (closed) return 'CLOSED'
  if (!enabled) return 'OFF'
  return failing ? 'FAILING' : 'OPEN'
}

export const stateLooks = {
  OPEN: { word: msg`Active`, Icon: IconCircleCheck, color: 'green' },
  FAILING: { word: msg`Failing`, Icon: IconAlertTriangle, color: 'orange' },
  OFF: { word: msg`Switched off`, Icon: IconPlayerPause, color: 'yellow' },
  CLOSED: { word: msg`Closed`, Icon: IconBan, color: 'red' },
} as const satisfies Record<WebhookState, { word: MessageDescriptor; Icon: TablerIcon; color: string }>

/** Why nothing is sent any more. */
export const closedWords: Readonly<Record<WebhookClosedWhy, MessageDescriptor>> = {
  GONE: msg`The receiver answered that it is gone (410).`,
  FAILING: msg`Everything failed for five days.`,
  KEY_ENDED: msg`Its API key was revoked or has expired.`,
  MAKER_LEFT: msg`The member who made it has left, or may not manage webhooks any more.`,
}

/** What becomes of an event that was sent. */
export const sendWords: Readonly<Record<WebhookAttempt['state'], MessageDescriptor>> = {
  WAITING: msg`is tried again`,
  SENT: msg`arrived`,
  FAILED: msg`given up`,
  KEPT: msg`kept while the webhook is closed`,
  LEFT_OUT: msg`left out: its key does not see it any more`,
}

/** Kinds of events as people choose them. */
export const EVENT_GROUPS: readonly { label: MessageDescriptor; types: readonly EventType[] }[] = [
  {
    label: msg`Posts`,
    types: [
      ...(['post_set.created', 'post_set.updated', 'post_set.scheduled', 'post_set.parked'] as const),
      ...(['post_set.deleted', 'post_set.restored', 'post_set.publishing', 'post_set.published'] as const),
      'post_set.approval_changed',
    ],
  },
  { label: msg`Results`, types: ['post.posted', 'post.failed', 'post.delivered', 'post.delivery_ended'] },
  { label: msg`Notes`, types: ['note.created', 'note.updated', 'note.deleted'] },
  { label: msg`Files`, types: ['media_upload.ready', 'media_upload.failed', 'media.deleted'] },
  {
    label: msg`Connections`,
    types: [
      ...(['connection.connected', 'connection.reconnect_required'] as const),
      ...(['connection.expires_soon', 'connection.closed'] as const),
    ],
  },
  {
    label: msg`Stops of publishing`,
    types: [
      ...(['account.held', 'account.released', 'social_set.held', 'social_set.released'] as const),
      ...(['connection.held', 'connection.released'] as const),
    ],
  },
]
