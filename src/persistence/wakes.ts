import { type Listener, openListener } from './listener.ts'

/** What workers are woken for, by triggers of the tables. A worker that is not woken finds the same at the next tick. */
export const WAKE_TOPICS = ['posts', 'imports', 'calendars', 'webhooks'] as const
type WakeTopic = (typeof WAKE_TOPICS)[number]

interface WakeHandlers {
  /** Something is due now. Also called for every topic when listening begins: what came before was not heard. */
  onWake(topic: WakeTopic): void
  /** The connection is lost; another one is tried. */
  onLost(error: unknown): void
}

/** Hears when something is due now, on a connection of its own, which is made again when it is lost. */
export function listenForWakes(url: string | null, { onWake, onLost }: WakeHandlers): Listener {
  return openListener(url, {
    channel: 'almanac_wake',
    name: 'almanac-wakes',
    onMessage(payload) {
      const topic = WAKE_TOPICS.find((each) => each === payload)
      if (topic) onWake(topic)
    },
    onListening() {
      for (const topic of WAKE_TOPICS) onWake(topic)
    },
    onLost,
  })
}
