import type { LiveEvent } from '#contract'
import type { Change, ChangeHandlers, ChangeListener } from '#persistence'

/** What a screen is told. */
export interface LiveMessage {
  event: LiveEvent
  /** What has changed; null of `ready`. Empty: more than are told. */
  ids: string[] | null
}

export interface LiveFeed {
  /**
   * Tells what changes in a social set, until the answer is called. The first message is `ready`, and there is one after
   * every time that changes may have been missed: screens read anew what they show.
   */
  follow(socialSetId: string, tell: (message: LiveMessage) => void): () => void
  close(): Promise<void>
}

/** Changes of a social set that come within this time are told together. */
const FOLD_MS = 100

/** What has changed in a social set since the last message. */
type Folded = Map<Change['kind'], Set<string> | 'more'>

/** The changes of a process's screens. It begins to listen when the first one follows. */
export function createLiveFeed({ listen }: { listen(handlers: ChangeHandlers): ChangeListener }): LiveFeed {
  const followers = new Map<string, Set<(message: LiveMessage) => void>>()
  const folded = new Map<string, Folded>()
  let listener: ChangeListener | null = null
  let listening = false

  function tell(socialSetId: string, message: LiveMessage): void {
    for (const follower of followers.get(socialSetId) ?? []) follower(message)
  }

  function fold({ kind, socialSetId, ids }: Change): void {
    if (!followers.has(socialSetId)) return
    const waiting = folded.get(socialSetId)
    const changes: Folded = waiting ?? new Map()
    const known = changes.get(kind) ?? new Set()
    changes.set(kind, known === 'more' || ids.length === 0 ? 'more' : known.union(new Set(ids)))
    if (waiting) return
    folded.set(socialSetId, changes)
    setTimeout(() => {
      folded.delete(socialSetId)
      for (const [event, ids] of changes) tell(socialSetId, { event, ids: ids === 'more' ? [] : [...ids] })
    }, FOLD_MS)
  }

  const handlers: ChangeHandlers = {
    onChange: fold,
    onListening() {
      listening = true
      for (const socialSetId of followers.keys()) tell(socialSetId, { event: 'ready', ids: null })
    },
    onLost() {
      listening = false
    },
  }

  return {
    follow(socialSetId, follower) {
      const others = followers.get(socialSetId) ?? new Set()
      followers.set(socialSetId, others.add(follower))
      listener ??= listen(handlers)
      if (listening) follower({ event: 'ready', ids: null })
      return () => {
        others.delete(follower)
        if (others.size === 0 && followers.get(socialSetId) === others) followers.delete(socialSetId)
      }
    },
    async close() {
      await listener?.close()
    },
  }
}
