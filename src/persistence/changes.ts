import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { CHANGE_KINDS, type ChangeKind } from '#contract'
import type { Database } from './database.ts'
import { type Listener, openListener } from './listener.ts'

/** Something of a social set has changed, in any process. */
export interface Change {
  kind: ChangeKind
  accountId: string
  socialSetId: string
  /** Empty: more than are reported. */
  ids: string[]
}

export interface ChangeHandlers {
  onChange(change: Change): void
  /** A notification that this version does not know: a newer one may run beside it. */
  onUnknown(payload: string): void
  /** From now on is heard what is reported. What happened before, also while the connection was lost, was not. */
  onListening(): void
  /** The connection is lost; another one is tried. */
  onLost(error: unknown): void
}

/** Sent by the triggers of the tables. */
const CHANNEL = 'almanac_changes'

/** Hears what changes, on a connection of its own, which is made again when it is lost. */
export function listenForChanges(url: string | null, handlers: ChangeHandlers): Listener {
  return openListener(url, {
    channel: CHANNEL,
    name: 'almanac-changes',
    onMessage(payload) {
      const change = changeOf(payload)
      if (change) handlers.onChange(change)
      else handlers.onUnknown(payload)
    },
    onListening: handlers.onListening,
    onLost: handlers.onLost,
  })
}

function changeOf(payload: string): Change | null {
  const [kind = '', accountId = '', socialSetId = '', ids = ''] = payload.split(' ')
  const known = CHANGE_KINDS.find((name) => name === kind)
  if (!known || socialSetId === '') return null
  return { kind: known, accountId, socialSetId, ids: ids === '' ? [] : ids.split(',') }
}

/** What is watched and not renewed lapses after this. */
const WATCHED = sql`interval '2 minutes'`
const SETTLING_PAUSE_MS = 20

/**
 * From now on changes of these social sets are reported, for two minutes; answers those that no one has watched until now.
 * What is under way already may still not be reported: `untilReported` waits for it.
 */
export async function watchSocialSets(db: Database, ids: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    with before as (
      select social_set_id from watched_social_sets
      where social_set_id = any(${[...ids]}::uuid[]) and watched_until > clock_timestamp()
    ), renewed as (
      insert into watched_social_sets (social_set_id, watched_until)
      select distinct id, clock_timestamp() + ${WATCHED} from unnest(${[...ids]}::uuid[]) as watched (id) order by id
      on conflict (social_set_id) do update set watched_until = excluded.watched_until
      returning social_set_id
    )
    select social_set_id as id from renewed where social_set_id not in (select social_set_id from before)`.execute(db)
  return rows.map(({ id }) => id)
}

/**
 * Waits until every transaction is over that may have looked who watches before now, for so long at most; answers whether
 * they are. What comes later sees all that is watched.
 */
export async function untilReported(
  db: Database,
  { withinMs, signal }: { withinMs: number; signal: AbortSignal },
): Promise<boolean> {
  const { rows } = await sql<{ mark: string }>`select pg_current_xact_id()::text as mark`.execute(db)
  const mark = rows[0]?.mark ?? ''
  for (const end = performance.now() + withinMs; ; ) {
    const { rows } = await sql`
      select where pg_snapshot_xmin(pg_current_snapshot()) > ${mark}::text::xid8`.execute(db)
    if (rows.length > 0) return true
    if (signal.aborted || performance.now() > end) return false
    await pause(SETTLING_PAUSE_MS, undefined, { signal }).catch(() => {})
  }
}

/** Whether a session is not over and its user still sees these social sets of the account. By the real clock. */
export async function sessionStillSees(
  db: Database,
  wanted: { sessionId: string; accountId: string; socialSetIds: readonly string[] },
): Promise<boolean> {
  const { rows } = await sql`
    select from sessions session join memberships membership using (user_id)
    where session.id = ${wanted.sessionId} and session.expires_at > clock_timestamp()
      and coalesce(session.active_account_id, membership.account_id) = membership.account_id
      and membership.account_id = ${wanted.accountId}
      and (membership.social_set_ids is null or ${wanted.socialSetIds}::uuid[] <@ membership.social_set_ids)`.execute(
    db,
  )
  return rows.length > 0
}
