import { sql } from 'kysely'
import type { MediaUploadStatus } from '#contract'
import type { DeliveryState } from '#domain'
import type { DeliveryPlace } from './columns.ts'
import type { Database } from './database.ts'
import { waitsForRelease } from './deliveries.ts'
import { unfinished } from './delivery-states.ts'
import { startIsHeld } from './held-start.ts'
import { isHeld } from './holds.ts'
import { LAST_BACKUP } from './restored.ts'

/** The oldest things that should not grow old; null: there is none. By the database's clock. */
export interface Oldest {
  /** Of post sets that are due, held by nothing and not claimed: the earliest time. */
  dueAt: Date | null
  /** Of deliveries whose worker let its lease run out: the earliest end of a lease. */
  pastLeaseAt: Date | null
}

/** What is open in the whole installation; ages in seconds, 0 where there is nothing. */
export interface Figures {
  /** Post sets that are due, held by nothing and not claimed. At most `COUNTED_SETS`. */
  due: { count: number; oldestSeconds: number }
  deliveries: { lane: string; state: DeliveryState; place: DeliveryPlace; count: number }[]
  /** How long the oldest set that is PUBLISHING is past its time. */
  oldestPublishingSeconds: number
  pastLease: { count: number; oldestSeconds: number }
  /** Imports that have not ended. */
  imports: { status: MediaUploadStatus; count: number }[]
  /** Of which moment the newest backup is; null: none was made. */
  lastBackupAt: Date | null
}

/** A larger number of due sets says no more, and takes longer to count. */
const COUNTED_SETS = 100_000

const due = sql`post_sets.status = 'SCHEDULED' and post_sets.scheduled_at <= almanac_now()
  and not ${startIsHeld} and not ${isHeld({ account: 'post_sets.account_id', socialSet: 'post_sets.social_set_id' })}`
/** What waits for a release, or for a start that is held, keeps the lease of a worker that died: nothing is to be taken over. */
const pastLease = sql`deliveries.place = 'UNDER_WAY' and deliveries.state <> 'DONE'
  and coalesce(deliveries.lease_until, deliveries.next_at) <= almanac_now() and deliveries.lease_owner is not null
  and not ${startIsHeld} and not ${waitsForRelease}`
const secondsSince = (time: ReturnType<typeof sql>) => sql<number>`
  coalesce(greatest(0, extract(epoch from almanac_now() - ${time})), 0)::float8`

/** For health checks: by indexes, however much waits. */
export async function readOldest(db: Database): Promise<Oldest> {
  const { rows } = await sql<Oldest>`
    select (select scheduled_at from post_sets where ${due} order by scheduled_at limit 1) as "dueAt",
      (select min(lease_until) from deliveries where ${pastLease}) as "pastLeaseAt"`.execute(db)
  return rows[0] ?? { dueAt: null, pastLeaseAt: null }
}

/** For metrics: by the indexes of what is due and what is open, one statement each. */
export async function readFigures(db: Database): Promise<Figures> {
  const dueSets = await sql<Figures['due']>`
    select count(*)::int as count, ${secondsSince(sql`min(scheduled_at)`)} as "oldestSeconds"
    from (select scheduled_at from post_sets where ${due} order by scheduled_at limit ${COUNTED_SETS}) as due`.execute(
    db,
  )
  const deliveries = await sql<Figures['deliveries'][number] & { oldestSeconds: number }>`
    select lane, state, place, count(*)::int as count, ${secondsSince(sql`min(due_at)`)} as "oldestSeconds"
    from deliveries where ${unfinished} and lane is not null and place is not null group by lane, state, place`.execute(
    db,
  )
  const pastLeases = await sql<Figures['pastLease']>`
    select count(*)::int as count, ${secondsSince(sql`min(lease_until)`)} as "oldestSeconds"
    from deliveries where ${pastLease}`.execute(db)
  const imports = await sql<Figures['imports'][number]>`
    select status, count(*)::int as count from media_uploads where status in ('PENDING', 'PROCESSING')
    group by status`.execute(db)
  const backups = await sql<{ takenAt: Date | null }>`
    select (value ->> 'takenAt')::timestamptz as "takenAt" from installation where name = ${LAST_BACKUP}`.execute(db)
  return {
    due: dueSets.rows[0] ?? { count: 0, oldestSeconds: 0 },
    deliveries: deliveries.rows.map(({ lane, state, place, count }) => ({ lane, state, place, count })),
    oldestPublishingSeconds: Math.max(0, ...deliveries.rows.map(({ oldestSeconds }) => oldestSeconds)),
    pastLease: pastLeases.rows[0] ?? { count: 0, oldestSeconds: 0 },
    imports: imports.rows,
    lastBackupAt: backups.rows[0]?.takenAt ?? null,
  }
}
