import { setTimeout as pause } from 'node:timers/promises'
import type { PostgresPool, PostgresPoolClient } from 'kysely'
import pg from 'pg'
import { markUnreached, noteFault, silenceError } from './database-faults.ts'
import { preparedName } from './statements.ts'

/** How long the connections of a pool wait, in milliseconds. */
export interface ConnectionLimits {
  /** For a free connection of the pool, or for a new one. */
  acquireMs: number
  /** PostgreSQL breaks a statement off after this. */
  statementMs: number
  /** PostgreSQL breaks a statement off that waits this long for a lock. */
  lockMs: number
}

/** Requests: a client waits for the answer. */
export const requestLimits: ConnectionLimits = { acquireMs: 3_000, statementMs: 30_000, lockMs: 10_000 }

/** Publishing and importing: nothing of it takes as long, and what does must not keep the rest from its work. */
export const workLimits: ConnectionLimits = { acquireMs: 10_000, statementMs: 60_000, lockMs: 20_000 }

/** Looks at the state of the database: they are over before a health check gives up. */
export const healthLimits: ConnectionLimits = { acquireMs: 2_000, statementMs: 1_500, lockMs: 1_000 }

/** Figures for metrics: a scrape waits ten seconds by default. */
export const metricLimits: ConnectionLimits = { acquireMs: 2_000, statementMs: 2_000, lockMs: 1_000 }

/** PostgreSQL ends a session that leaves a transaction open for this long: its process may be gone, and others wait. */
const IDLE_IN_TRANSACTION_MS = 15_000

/** How PostgreSQL notices that we have vanished: within 25 seconds, instead of two hours. */
const SERVER_KEEPALIVE =
  '-c tcp_keepalives_idle=10 -c tcp_keepalives_interval=5 -c tcp_keepalives_count=3 -c tcp_user_timeout=25000'

/** How a connection and its server notice that the other one has vanished. For every connection that lasts. */
export const lastingConnection = {
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
  options: SERVER_KEEPALIVE,
} as const

/** What a connection with limits is opened with. Migrations, backups and the operator's commands have none. */
export const limitedConnection = ({ acquireMs, statementMs, lockMs }: ConnectionLimits) => ({
  ...lastingConnection,
  connectionTimeoutMillis: acquireMs,
  statement_timeout: statementMs,
  lock_timeout: lockMs,
  idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
})

/** After this long without an answer to a query, the server is asked by another connection whether it is there. */
const SILENCE_MS = 2_000
/** A server that does not greet a new connection within this time is not there. */
const GREETING_MS = 3_000
/** PostgreSQL breaks a statement off by itself; when nothing is heard of it this much later, the connection is dead. */
const BEYOND_STATEMENT_MS = 3_000

/**
 * A pool for kysely. A query that gets no answer, because the server stands still or the line is silent, is given up
 * within seconds, and its connection is closed rather than put back: the query still runs on it. With limits, a query
 * that is merely slow goes on while the server greets others.
 */
export function openPool(
  url: string,
  settings: pg.PoolConfig,
  {
    limits,
    prepares = true,
    silenceMs = SILENCE_MS,
    onIdleError = () => {},
  }: {
    limits: ConnectionLimits | null
    prepares?: boolean | undefined
    silenceMs?: number | undefined
    onIdleError?: ((error: Error) => void) | undefined
  },
): PostgresPool & { counts(): PoolCounts } {
  const pool = new pg.Pool({
    connectionString: url,
    connectionTimeoutMillis: 10_000,
    ...(limits ? limitedConnection(limits) : lastingConnection),
    ...settings,
  })
  // The pool replaces one that dies unused.
  let ending = false
  pool.on('error', (error) => {
    if (!ending) onIdleError(error)
  })
  // One that dies while it is used fails its query; an event that nothing listens to would end the process besides.
  pool.on('connect', (client) => void client.on('error', () => {}))
  const isThere = askOnce(() => greets(url))
  const longestMs = limits ? limits.statementMs + BEYOND_STATEMENT_MS : Number.POSITIVE_INFINITY

  /** Closes the client's socket when the server stands still, or is silent for longer than it lets a statement run. */
  async function giveUpWhenSilent(client: pg.PoolClient, asked: Asked): Promise<void> {
    while (!asked.over && performance.now() - asked.at < longestMs && (await isThere())) {
      await pause(silenceMs, undefined, { ref: false })
    }
    if (asked.over) return
    asked.givenUp = true
    // With a query under way this closes the socket at once, and the pool does not take the client back.
    void (client as unknown as pg.Client).end()
  }

  async function query(client: pg.PoolClient, text: string, values: readonly unknown[]): Promise<pg.QueryResult> {
    const asked: Asked = { at: performance.now(), over: false, givenUp: false }
    const timer = limits && setTimeout(() => void giveUpWhenSilent(client, asked), silenceMs).unref()
    try {
      const name = prepares ? preparedName(text) : undefined
      return await client.query(
        name ? { name, text, values: values as unknown[] } : { text, values: values as unknown[] },
      )
    } catch (error) {
      const fault = asked.givenUp ? silenceError(error) : error
      noteFault(fault)
      throw fault
    } finally {
      asked.over = true
      if (timer) clearTimeout(timer)
    }
  }

  return {
    options: {},
    async connect() {
      const client = await pool.connect().catch((error: unknown) => {
        noteFault(markUnreached(error))
        throw error
      })
      return {
        query: ((text: string, values: readonly unknown[]) =>
          query(client, text, values)) as unknown as PostgresPoolClient['query'],
        release: (discard?: boolean) => client.release(discard),
      }
    },
    end() {
      // A server that is stopped right behind it may cut connections off that are being closed.
      ending = true
      return pool.end()
    },
    counts: () => ({
      used: pool.totalCount - pool.idleCount,
      idle: pool.idleCount,
      waiting: pool.waitingCount,
    }),
  }
}

/** The connections of a pool at this moment. */
export interface PoolCounts {
  /** In use. */
  used: number
  idle: number
  /** Callers that wait for a connection. */
  waiting: number
}

/** A query under way. */
interface Asked {
  at: number
  over: boolean
  givenUp: boolean
}

/** Callers that ask while an answer is on its way get the same one. */
function askOnce<T>(ask: () => Promise<T>): () => Promise<T> {
  let asking: Promise<T> | null = null
  return () =>
    (asking ??= ask().finally(() => {
      asking = null
    }))
}

/** Whether the server answers a new connection, be it by a refusal. */
async function greets(url: string): Promise<boolean> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'almanac-health',
    connectionTimeoutMillis: GREETING_MS,
  })
  client.on('error', () => {})
  try {
    await client.connect()
    return true
  } catch (error) {
    return error instanceof pg.DatabaseError
  } finally {
    void client.end().catch(() => {})
  }
}
