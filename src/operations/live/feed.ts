import { setTimeout as pause } from 'node:timers/promises'
import type { LiveEvent } from '#contract'
import {
  type Change,
  type ChangeHandlers,
  type Database,
  type Listener,
  untilReported,
  watchSocialSets,
} from '#persistence'

/** What a screen is reported. */
export interface LiveMessage {
  event: LiveEvent
  /** What has changed; null of `ready`. Empty: more than are reported. */
  ids: string[] | null
}

export interface LiveFeed {
  /**
   * Reports what changes in a social set, until the answer is called. The first message is `ready`, and there is one after
   * every time that changes may have been missed: screens read again what they show.
   */
  follow(socialSetId: string, notify: (message: LiveMessage) => void): () => void
  close(): Promise<void>
}

interface LiveFeedDeps {
  db: Database
  listen(handlers: ChangeHandlers): Listener
  log: { debug(fields: object, message: string): void; warn(fields: object, message: string): void }
}

/** Changes of a social set that come within this time are reported together. */
const FOLD_MS = 100
/** How often the database gets the list of what is followed again: it reports changes of that alone. */
const RENEW_MS = 30_000
const RETRY_MS = 1_000
/** Screens do not wait longer for changes that are under way when they begin to follow; they read again later. */
const SETTLE_MS = 5_000

/** What has changed in a social set since the last message. */
type Folded = Map<Change['kind'], Set<string> | 'more'>

/** The live changes for a process's screens. Starts listening when the first screen follows. */
export function createLiveFeed({ db, listen, log }: LiveFeedDeps): LiveFeed {
  const followers = new Map<string, Set<(message: LiveMessage) => void>>()
  const folded = new Map<string, Folded>()
  /** Social sets of whose changes none is missed. */
  const heard = new Set<string>()
  const closing = new AbortController()
  let listener: Listener | null = null
  let timer: NodeJS.Timeout | null = null
  /** Counts connections that listen; null while there is none. */
  let listening: number | null = null
  let connections = 0
  let renewing: Promise<void> | null = null
  let again = false

  function notify(socialSetId: string, message: LiveMessage): void {
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
      for (const [event, ids] of changes) notify(socialSetId, { event, ids: ids === 'more' ? [] : [...ids] })
    }, FOLD_MS)
  }

  /** Has the database report what is followed, one time after the other. */
  function renew(): void {
    again = true
    renewing ??= renewWhileAsked().finally(() => {
      renewing = null
    })
  }

  async function renewWhileAsked(): Promise<void> {
    while (again && !closing.signal.aborted) {
      again = false
      try {
        await renewOnce()
      } catch (error) {
        log.warn({ error }, 'Changes of what is on screens cannot be followed at the moment')
        again = true
        await pause(RETRY_MS, undefined, { signal: closing.signal }).catch(() => {})
      }
    }
  }

  async function renewOnce(): Promise<void> {
    const connection = listening
    const followed = [...followers.keys()]
    if (connection === null || followed.length === 0) return
    // No process has renewed those for too long, not even this one: it may have stood still.
    for (const id of await watchSocialSets(db, followed)) heard.delete(id)
    const fresh = followed.filter((id) => !heard.has(id))
    if (fresh.length === 0) return
    const reported = await untilReported(db, { withinMs: SETTLE_MS, signal: closing.signal })
    if (connection !== listening) return
    for (const id of fresh.filter((id) => followers.has(id))) {
      if (reported) heard.add(id)
      notify(id, { event: 'ready', ids: null })
    }
  }

  const handlers: ChangeHandlers = {
    onChange: fold,
    onUnknown(payload) {
      log.debug({ payload }, 'A notification came that this version does not know')
    },
    onListening() {
      listening = connections++
      heard.clear()
      renew()
    },
    onLost(error) {
      listening = null
      heard.clear()
      log.warn({ error }, 'Changes are not heard at the moment; the connection to the database is made again')
    },
  }

  return {
    follow(socialSetId, follower) {
      const others = followers.get(socialSetId) ?? new Set()
      followers.set(socialSetId, others.add(follower))
      listener ??= listen(handlers)
      timer ??= setInterval(renew, RENEW_MS).unref()
      if (heard.has(socialSetId)) follower({ event: 'ready', ids: null })
      else renew()
      return () => {
        others.delete(follower)
        if (others.size > 0 || followers.get(socialSetId) !== others) return
        followers.delete(socialSetId)
        heard.delete(socialSetId)
      }
    },
    async close() {
      closing.abort()
      if (timer) clearInterval(timer)
      await listener?.close()
      await renewing
    },
  }
}
