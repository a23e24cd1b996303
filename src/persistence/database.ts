import { Kysely, PostgresDialect, type SelectQueryBuilder, sql, type Transaction } from 'kysely'
import pg from 'pg'
import { LIMITS } from '#contract'
import { type DatabaseAddress, directAddress } from './connection.ts'
import { type ConnectionLimits, openPool, type Pool, type PoolCounts } from './pool.ts'
import type { Tables } from './tables.ts'

/** The pool or a transaction on it: what the functions of this room take first. */
export type Database = Kysely<Tables>
export type DatabaseTransaction = Transaction<Tables>

/**
 * Does work in a transaction: in the caller's when `db` is one, so that the work is committed with what the caller
 * writes besides, else in one of its own.
 */
export function inTransaction<T>(db: Database, work: (trx: DatabaseTransaction) => Promise<T>): Promise<T> {
  return db.isTransaction ? work(db as DatabaseTransaction) : db.transaction().execute(work)
}

const INT8 = 20

export interface DatabaseOptions {
  poolSize?: number
  name?: string
  /** Hears of connections that die while unused; the pool replaces them by itself. */
  onIdleError?: (error: Error) => void
  /** Absent: statements take as long as they take, as for migrations and the operator's commands. */
  limits?: ConnectionLimits
  /**
   * Whether connections keep statements of constant text prepared. Default true, but behind a pooler that gives each
   * transaction another connection.
   */
  prepares?: boolean
  /** After this long without an answer the server is asked whether it is there, in milliseconds. Default 2,000. */
  silenceMs?: number
  /** For so long a connection is kept that is not used, in milliseconds. Default: longer than a quarter of an hour. */
  idleMs?: number | undefined
  /**
   * Asked before a connection is used that was made while there was no other: the database may be another one since. Until it
   * resolves nothing is done on this pool; when it rejects, what waits fails.
   */
  admit?: () => Promise<void>
}

/**
 * Opens a pool on a PostgreSQL database. Times come as `Date`, bigint columns (byte counts) as numbers. What goes wrong
 * with the server or the way to it fails the query that met it, and nothing else: `databaseFault` has words for it.
 */
export function openDatabase(address: string | DatabaseAddress, options: DatabaseOptions = {}): Database {
  const { poolSize = 10, name = 'almanac', limits = null, prepares, silenceMs, idleMs, onIdleError, admit } = options
  const settings = {
    max: poolSize,
    application_name: name,
    types: {
      getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
        oid === INT8 && format !== 'binary' ? Number : pg.types.getTypeParser(oid, format as 'text')) as never,
    },
  }
  const ways = typeof address === 'string' ? directAddress(address) : address
  const pool = openPool(ways, settings, { limits, prepares, silenceMs, idleMs, onIdleError, admit })
  const database = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
  pools.set(database, pool)
  return database
}

const pools = new WeakMap<Database, Pool>()

function poolOf(db: Database): Pool {
  const pool = pools.get(db)
  if (!pool) throw new Error('This is no pool.')
  return pool
}

/** The connections of a pool that `openDatabase` has opened, at this moment. */
export const poolCounts = (db: Database): PoolCounts => poolOf(db).counts()

/**
 * Closes the connections of a pool, even those with running statements, and opens none any more. It is still to be destroyed.
 */
export const cutPool = (db: Database): void => poolOf(db).cut()

/** The database's clock: the one that "due", leases and months go by. */
export async function databaseNow(db: Database): Promise<Date> {
  const { rows } = await sql<{ now: Date }>`select almanac_now() as now`.execute(db)
  const row = rows[0]
  if (!row) throw new Error('The database did not return the time.')
  return row.now
}

/**
 * Repeats work that takes `batch` rows at the most, each time as a transaction of its own, until it takes fewer or the signal
 * aborts. Resolves with how many rows it took in all.
 */
export async function inBatches(
  { batch, signal }: { batch: number; signal?: AbortSignal | undefined },
  work: () => Promise<bigint | undefined>,
): Promise<number> {
  let all = 0
  for (let last = batch; last === batch && !signal?.aborted; all += last) last = Number((await work()) ?? 0)
  return all
}

/** `almanac_now()` as an expression for queries. */
export const now = sql<Date>`almanac_now()`

/** All that the database's clock may say is believed. */
export const ANY_TIME = new Date('9999-12-31T00:00:00Z')

/**
 * The database's clock as far as a worker believes it, as an expression for queries: `notAfter` at the latest, which comes with the
 * statement, so that a clock that jumps ahead in the middle of a look is noticed too.
 */
export const believedNow = (notAfter: Date = ANY_TIME) => sql<Date>`least(almanac_now(), ${notAfter}::timestamptz)`

/**
 * The same for what no worker sends along: at most a minute and a half ahead of the last time that one has believed. For what cannot
 * be undone, such as removing what is old, and for what is given up.
 */
export const settledNow = sql<Date>`(select least(almanac_now(), clock_seen_at + interval '90 seconds') from heartbeat)`

/** So many milliseconds from `settledNow`. */
export const fromSettled = (milliseconds: number) =>
  sql<Date>`${settledNow} + ${milliseconds} * interval '1 millisecond'`

/** No lease of a chore, an import or a calendar is longer. */
const LONGEST_LEASE = sql`interval '15 minutes'`

/** Whether a lease goes on. One that ends later than any can was taken by a clock that was set back since, and is over. */
export const isLeased = (until: string) =>
  sql<boolean>`coalesce(${sql.ref(until)} > ${now} and ${sql.ref(until)} <= ${now} + ${LONGEST_LEASE}, false)`

/** So many milliseconds from `almanac_now()`, as an expression for queries. */
export const fromNow = (milliseconds: number) => sql<Date>`almanac_now() + ${milliseconds} * interval '1 millisecond'`

/** How many rows a query of ids gives: exact up to `LIMITS.exactTotal`, then one more; so no list counts for long. */
export async function countRows(db: Database, ids: SelectQueryBuilder<Tables, never, { id: string }>): Promise<number> {
  const { count } = await db
    .selectFrom(ids.limit(LIMITS.exactTotal + 1).as('counted'))
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}
