import { setTimeout as pause } from 'node:timers/promises'
import type { PostgresPool, PostgresPoolClient } from 'kysely'
import pg from 'pg'
import { MINUTE_MS } from '#contract/durations'
import { backendOf, closeSocket, type DatabaseAddress, FAREWELL_MS } from './connection.ts'
import { markOutdated, markUnreached, noteFault, silenceError } from './database-faults.ts'
import { preparedName, renamePrepared } from './prepared-names.ts'
import { lookAtServer } from './server-look.ts'

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

/** The way of a post: short statements alone, and the rest of a process keeps none of them waiting. */
export const publishingLimits: ConnectionLimits = { acquireMs: 10_000, statementMs: 20_000, lockMs: 10_000 }

/** Looks at the state of the database: they are over before a health check gives up. */
export const healthLimits: ConnectionLimits = { acquireMs: 2_000, statementMs: 1_500, lockMs: 1_000 }

/** Looks by a person who waits for the answer: a busy machine is slow, and not broken. */
export const examineLimits: ConnectionLimits = { acquireMs: 10_000, statementMs: 30_000, lockMs: 20_000 }

/** Figures for metrics: a scrape waits ten seconds by default. */
export const metricLimits: ConnectionLimits = { acquireMs: 2_000, statementMs: 2_000, lockMs: 1_000 }

/** PostgreSQL ends a session that leaves a transaction open for this long: its process may be gone, and others wait. */
const IDLE_IN_TRANSACTION_MS = 15_000

/** How PostgreSQL notices that we have vanished: within 25 seconds, instead of two hours. */
const SERVER_KEEPALIVE =
  '-c tcp_keepalives_idle=10 -c tcp_keepalives_interval=5 -c tcp_keepalives_count=3 -c tcp_user_timeout=25000'

/** How a connection and its server notice that the other one has vanished. For every connection that lasts. */
const lastingConnection = {
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
  options: SERVER_KEEPALIVE,
} as const

/** A role, or the server, may have limits of its own. Migrations, backups and the operator's commands have none. */
export const WITHOUT_LIMITS = '-c statement_timeout=0 -c lock_timeout=0 -c idle_in_transaction_session_timeout=0'

/** What a connection of a session's own is opened with. */
function sessionSettings(limits: ConnectionLimits | null): pg.PoolConfig {
  if (!limits) return { ...lastingConnection, options: `${SERVER_KEEPALIVE} ${WITHOUT_LIMITS}` }
  return {
    ...lastingConnection,
    connectionTimeoutMillis: limits.acquireMs,
    statement_timeout: limits.statementMs,
    lock_timeout: limits.lockMs,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
  }
}

/**
 * What a connection to a pooler is opened with: a session begins there with nothing but its name, since settings would be
 * refused, dropped, or left to another client.
 */
function poolerSettings(limits: ConnectionLimits | null): pg.PoolConfig {
  const { keepAlive, keepAliveInitialDelayMillis } = lastingConnection
  return { keepAlive, keepAliveInitialDelayMillis, ...(limits ? { connectionTimeoutMillis: limits.acquireMs } : {}) }
}

/** Behind a pooler a transaction brings its limits itself, in the message that begins it. */
const withLimits = (begin: string, { statementMs, lockMs }: ConnectionLimits) =>
  `${begin}; set local statement_timeout = ${statementMs}; set local lock_timeout = ${lockMs}; set local idle_in_transaction_session_timeout = ${IDLE_IN_TRANSACTION_MS}`

/** What a role needs of its own behind a pooler, for statements outside of transactions; `doctor` checks them. */
export const POOLED_ROLE_SETTINGS: Readonly<Record<string, string>> = {
  statement_timeout: `${workLimits.statementMs / 1_000}s`,
  lock_timeout: `${workLimits.lockMs / 1_000}s`,
  idle_in_transaction_session_timeout: `${IDLE_IN_TRANSACTION_MS / 1_000}s`,
}

/** After this long without an answer to a query, the server is asked by another connection whether it is there. */
const SILENCE_MS = 2_000
/** PostgreSQL breaks a statement off by itself; when nothing is heard of it this much later, the connection is dead. */
const BEYOND_STATEMENT_MS = 3_000
/** Between two looks that both found nothing of a query at the server: its answer may have been on its way. */
const CONFIRM_MS = 250

/**
 * A connection that is not used is kept for longer than a quarter of an hour, on which posts are scheduled: one that is opened
 * costs a process of the server, and has to plan every statement again.
 */
const KEPT_IDLE_MS = 20 * MINUTE_MS

/** A pool for kysely, and what this room wants to know and do of it besides. */
export interface Pool extends PostgresPool {
  counts(): PoolCounts
  /** Closes every connection, even with a running statement, and opens none any more: the process has to end. */
  cut(): void
}

/**
 * A pool for kysely. A query that gets no answer, because the server stands still or the line is silent, is given up
 * within seconds, and its connection is closed rather than put back: the query still runs on it. With limits, a query
 * that is merely slow goes on while the server has it in hand.
 */
export function openPool(
  address: DatabaseAddress,
  settings: pg.PoolConfig,
  {
    limits,
    prepares = !address.pooled,
    silenceMs = SILENCE_MS,
    idleMs = KEPT_IDLE_MS,
    onIdleError = () => {},
    admit,
  }: {
    limits: ConnectionLimits | null
    prepares?: boolean | undefined
    silenceMs?: number | undefined
    idleMs?: number | undefined
    onIdleError?: ((error: Error) => void) | undefined
    admit?: (() => Promise<void>) | undefined
  },
): Pool {
  const pool = new pg.Pool({
    connectionString: address.url,
    connectionTimeoutMillis: 10_000,
    idleTimeoutMillis: idleMs,
    ...(address.pooled ? poolerSettings(limits) : sessionSettings(limits)),
    ...settings,
  })
  /** Every connection: when the server was last heard on it, and whether it is in use. */
  const connections = new Map<pg.PoolClient, { heardAt: number; used: boolean }>()
  /** Those that have not ended; one that has may still be with its caller. */
  const live = new Set<pg.PoolClient>()
  // The pool replaces one that dies unused.
  let ending = false
  let cut = false
  /** Since there are connections again after there were none; null: it was not asked yet. */
  let admitted: Promise<void> | null = null
  pool.on('error', (error) => {
    if (!ending) onIdleError(error)
  })
  pool.on('connect', (client) => {
    // One that dies while it is used fails its query; an event that nothing listens to would end the process besides.
    client.on('error', () => {})
    if (live.size === 0) admitted = null
    live.add(client)
    client.once('end', () => live.delete(client))
    connections.set(client, { heardAt: performance.now(), used: true })
    if (cut) closeSocket(client)
  })
  pool.on('acquire', (client) => mark(client, { used: true }))
  pool.on('release', (_, client) => mark(client, { used: false }))
  pool.on('remove', (client) => void connections.delete(client))
  const look = askOnce(() => lookAtServer(address))
  const longestMs = limits ? limits.statementMs + BEYOND_STATEMENT_MS : Number.POSITIVE_INFINITY

  function mark(client: pg.PoolClient, change: { heardAt?: number; used?: boolean }): void {
    const connection = connections.get(client)
    if (connection) Object.assign(connection, change)
  }

  /** Closes the client's socket when the server stands still, knows nothing of the query, or takes longer than it may. */
  async function giveUpWhenSilent(client: pg.PoolClient, asked: PendingQuery): Promise<void> {
    for (let missed = 0; !asked.over && performance.now() - asked.at < longestMs; ) {
      const { there, busy } = await look()
      if (!there) break
      missed = busy?.has(backendOf(client)) === false ? missed + 1 : 0
      await pause(missed > 0 ? CONFIRM_MS : silenceMs, undefined, { ref: false })
      if (missed > 1) break
    }
    if (asked.over) return
    asked.givenUp = true
    closeSocket(client)
    // Those that have waited since before then are as silent, and would cost the next queries as long.
    for (const [other, { heardAt, used }] of connections) if (!used && heardAt < asked.at) closeSocket(other)
  }

  /** Callers wait for one answer; after a refusal the next one asks again. */
  async function whenAdmitted(): Promise<void> {
    if (!admit) return
    admitted ??= admit()
    const asked = admitted
    try {
      await asked
    } catch (error) {
      if (admitted === asked) admitted = null
      throw error
    }
    // Meanwhile there may have been none again.
    if (admitted !== asked) await whenAdmitted()
  }

  async function query(client: pg.PoolClient, text: string, values: readonly unknown[]): Promise<pg.QueryResult> {
    const asked: PendingQuery = { at: performance.now(), over: false, givenUp: false }
    const timer = limits && setTimeout(() => void giveUpWhenSilent(client, asked), silenceMs).unref()
    try {
      const name = prepares ? preparedName(text) : undefined
      if (name) return await queryPrepared(client, { name, text, values: values as unknown[] })
      const begins = address.pooled && limits !== null && /^(begin|start transaction)\b/.test(text)
      return await client.query({ text: begins ? withLimits(text, limits) : text, values: values as unknown[] })
    } catch (error) {
      const fault = asked.givenUp ? silenceError(error) : error
      noteFault(fault)
      throw fault
    } finally {
      asked.over = true
      if (!asked.givenUp) mark(client, { heardAt: performance.now() })
      if (timer) clearTimeout(timer)
    }
  }

  return {
    options: {},
    async connect() {
      if (cut) throw markUnreached(new Error('Cannot use a pool after it was cut off: the process ends.'))
      const client = await pool.connect().catch((error: unknown) => {
        noteFault(markUnreached(error))
        throw error
      })
      try {
        await whenAdmitted()
      } catch (error) {
        client.release()
        throw error
      }
      let over = false
      const noteEnd = (error: unknown) => {
        over ||= endsConnection(error)
        throw error
      }
      return {
        query: ((text: string, values: readonly unknown[]) =>
          query(client, text, values).catch(noteEnd)) as unknown as PostgresPoolClient['query'],
        release: (discard?: boolean) => client.release(discard || over),
      }
    },
    end() {
      // A server that is stopped right behind it may cut connections off that are being closed.
      ending = true
      // A server that is silent does not hear a farewell: its connections would not end, and keep the process from it.
      const closeSilent = () => {
        for (const [client, { used }] of connections) if (!used) closeSocket(client)
      }
      return pool.end().then(() => void setTimeout(closeSilent, FAREWELL_MS).unref())
    },
    cut() {
      cut = true
      ending = true
      for (const client of connections.keys()) closeSocket(client)
    },
    counts: () => ({
      used: pool.totalCount - pool.idleCount,
      idle: pool.idleCount,
      waiting: pool.waitingCount,
    }),
  }
}

/** SQLSTATEs: PostgreSQL's manual, appendix A. */
const [OTHER_COLUMNS, TRANSACTION_FAILED] = ['0A000', '25P02']

/**
 * Runs a statement that is kept prepared. One that gives other columns since a migration is refused before it does anything,
 * so it is prepared and run again; in a transaction, which has failed by that, the refusal is a fault that passes.
 */
async function queryPrepared(
  client: pg.PoolClient,
  query: { name: string; text: string; values: unknown[] },
): Promise<pg.QueryResult> {
  try {
    return await client.query(query)
  } catch (refusal) {
    if (!hasCode(refusal, OTHER_COLUMNS)) throw refusal
    renamePrepared(query.text, query.name)
    try {
      return await client.query({ ...query, name: preparedName(query.text) })
    } catch (error) {
      throw hasCode(error, TRANSACTION_FAILED) ? markOutdated(refusal) : error
    }
  }
}

const hasCode = (error: unknown, code: string) => error instanceof pg.DatabaseError && error.code === code

/** The connections of a pool at this moment. */
export interface PoolCounts {
  /** In use. */
  used: number
  idle: number
  /** Callers that wait for a connection. */
  waiting: number
}

/** A query under way. */
interface PendingQuery {
  at: number
  over: boolean
  givenUp: boolean
}

/** The server closes a connection behind such an error, or has: the next query would be the one to find out. */
const endsConnection = (error: unknown): boolean => !(error instanceof pg.DatabaseError) || error.severity === 'FATAL'

/** Callers that ask while an answer is on its way get the same one. */
function askOnce<T>(ask: () => Promise<T>): () => Promise<T> {
  let asking: Promise<T> | null = null
  return () =>
    (asking ??= ask().finally(() => {
      asking = null
    }))
}
