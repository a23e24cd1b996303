import { Kysely, PostgresDialect, type SelectQueryBuilder, sql, type Transaction } from 'kysely'
import pg from 'pg'
import { LIMITS } from '#contract'
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

/**
 * Opens a pool on a PostgreSQL database. Times come as `Date`, bigint columns (byte counts) as numbers.
 * `onIdleError` hears of connections that die while unused; the pool replaces them by itself.
 */
export function openDatabase(
  url: string,
  options: {
    poolSize?: number
    name?: string
    onIdleError?: (error: Error) => void
    /** A statement that takes longer is broken off, and so is one that waits a third of it for a lock. */
    statementMs?: number
  } = {},
): Database {
  const pool = new pg.Pool({
    connectionString: url,
    max: options.poolSize ?? 10,
    application_name: options.name ?? 'almanac',
    connectionTimeoutMillis: 10_000,
    ...(options.statementMs === undefined
      ? {}
      : { statement_timeout: options.statementMs, lock_timeout: Math.floor(options.statementMs / 3) }),
    types: {
      getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
        oid === INT8 && format !== 'binary' ? Number : pg.types.getTypeParser(oid, format as 'text')) as never,
    },
  })
  pool.on('error', options.onIdleError ?? (() => {}))
  // One that dies while it is used fails its query; an event that nothing listens to would end the process besides.
  pool.on('connect', (client) => void client.on('error', () => {}))
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
}

/** The database's clock: the one that "due", leases and months go by. */
export async function databaseNow(db: Database): Promise<Date> {
  const { rows } = await sql<{ now: Date }>`select almanac_now() as now`.execute(db)
  const row = rows[0]
  if (!row) throw new Error('The database did not tell the time.')
  return row.now
}

/** `almanac_now()` as an expression for queries. */
export const now = sql<Date>`almanac_now()`

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
