import type { AlmanacEvent, EventType } from '#contract'

interface StoredEvent {
  id: string
  position: number
  type: EventType
  at: Date
  socialSetId: string | null
  data: Record<string, unknown>
}

/** An event as programs get it, by `GET /v1/events` and by webhooks. */
export const shownEvent = ({ id, position, type, at, socialSetId, data }: StoredEvent): AlmanacEvent => ({
  ...{ id, position, type, timestamp: at.toISOString(), socialSetId },
  data,
})
