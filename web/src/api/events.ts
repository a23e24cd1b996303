import type { LiveEvent } from '#contract'
import { basePath } from './base.ts'
import { queryClient } from './query-client.ts'
import { queryKeys } from './query-keys.ts'
import { isReachable, noteNoAnswer } from './reachable.ts'

/** While no news arrive, everything that they would report is read this often. */
const POLL_MS = 30_000
/** News of one moment are answered by one reading. */
const GATHER_MS = 100
/** What is read first is read this long before the server listens, at most; else it is read again. */
const FIRST_MS = 1_000
/** How soon a stream that the server refused is asked for again, once: its page was one of too many in a second. */
const REFUSED_MS = 2_000

/** What each kind of news makes stale. */
const TOUCHED: Record<Exclude<LiveEvent, 'ready'>, readonly (readonly string[])[]> = {
  'post-sets': [queryKeys.calendar.all, queryKeys.postSets.all, queryKeys.results.all, queryKeys.approvals.all],
  // Comes beside `post-sets`, for what counts failures.
  results: [queryKeys.results.all, queryKeys.unseenFailures],
  comments: [queryKeys.comments.all, queryKeys.approvals.all],
  presence: [queryKeys.presence.all],
  media: [queryKeys.media.all],
  // The bell.
  news: [queryKeys.news.all],
  notes: [queryKeys.calendar.all, queryKeys.notes.all],
  'imported-calendars': [queryKeys.importedCalendars.all],
  connections: [queryKeys.connections.all, queryKeys.socialSets.all, queryKeys.unseenFailures],
  // Its timezone may be another one, and publishing may be stopped.
  'social-sets': [
    queryKeys.socialSets.all,
    queryKeys.calendar.all,
    queryKeys.postSets.all,
    queryKeys.results.all,
    queryKeys.approvals.all,
    queryKeys.notes.all,
    queryKeys.holds.all,
    queryKeys.connections.all,
  ],
}
const KINDS = Object.keys(TOUCHED) as (keyof typeof TOUCHED)[]

/** Names the stream of this window, by which it says which post it has open. */
export const stream = crypto.randomUUID()
/** What is said once the server listens. */
export const onReady = new Set<() => void>()

/** The query of the stream, and what makes it another one. */
let followed: { query: string; key: string } | null = null
let onFollow: () => void = () => {}

/** Says of which brand the news are wanted; null: of all that are seen, which are known by `key`. */
export function followBrands(id: string | null, key = id ?? ''): void {
  if (key === followed?.key) return
  followed = { query: `?${new URLSearchParams({ ...(id === null ? {} : { socialSetId: id }), stream })}`, key }
  onFollow()
}

/**
 * Listens to the server's news about the brands that are followed, and marks as stale what they touch. Answers how to
 * stop. Only while the page is in sight: of connections to one server a browser has six for all of its tabs, and each
 * that listens takes one.
 */
export function listenToServer(): () => void {
  let source: EventSource | null = null
  let live = false
  /** Since when news are wanted, until they come for the first time. */
  let wantedAt: number | undefined
  /** Whether something may have happened while no one listened. */
  let missed = false
  let refused: number | undefined
  let gathering: number | undefined
  const stale = new Set<keyof typeof TOUCHED>()

  const refresh = () => {
    gathering = undefined
    const keys = new Set([...stale].flatMap((kind) => TOUCHED[kind]))
    stale.clear()
    for (const queryKey of keys) void queryClient.invalidateQueries({ queryKey })
  }
  const heard = (kinds: readonly (keyof typeof TOUCHED)[]) => {
    for (const kind of kinds) stale.add(kind)
    gathering ??= window.setTimeout(refresh, GATHER_MS)
  }
  const connect = () => {
    source?.close()
    source = null
    live = false
    if (followed === null) return
    wantedAt ??= performance.now()
    if (document.visibilityState === 'hidden') {
      missed = true
      return
    }
    source = new EventSource(`${basePath}/internal/live${followed.query}`)
    source.addEventListener('ready', () => {
      if (missed || performance.now() - (wantedAt ?? 0) > FIRST_MS) heard(KINDS)
      live = true
      refused = undefined
      for (const say of onReady) say()
      // Whenever it is ready again there was a time without it.
      missed = true
    })
    for (const kind of KINDS) source.addEventListener(kind, () => heard([kind]))
    source.addEventListener('error', () => {
      live = false
      noteNoAnswer()
      // The browser tries again by itself, unless the server refused.
      if (source?.readyState === EventSource.CLOSED) refused ??= window.setTimeout(connect, REFUSED_MS)
    })
  }
  const poll = window.setInterval(() => {
    if (live || followed === null || document.visibilityState === 'hidden') return
    if (source?.readyState === EventSource.CLOSED) connect()
    if (isReachable()) heard(KINDS)
  }, POLL_MS)

  onFollow = connect
  document.addEventListener('visibilitychange', connect)
  connect()
  return () => {
    onFollow = () => {}
    document.removeEventListener('visibilitychange', connect)
    window.clearInterval(poll)
    window.clearTimeout(gathering)
    window.clearTimeout(refused)
    source?.close()
  }
}
