import pg from 'pg'
import { backendOf, type DatabaseAddress, endClient } from './connection.ts'

/** A server that does not answer a new connection within this time is not there. */
const ANSWER_MS = 3_000
/** The same behind a pooler, which keeps a client waiting while all of its own connections are in use. */
const POOLER_ANSWER_MS = 10_000

/** The process that answers, and those that have a statement of our role in hand. */
const BACKENDS = `
  select pg_backend_pid() as own, array(
    select pid from pg_stat_activity where usename = session_user and coalesce(state, 'active') not like 'idle%'
  ) as busy`

/** What a server shows that is asked on a new connection. */
interface ServerLook {
  there: boolean
  /** The server's processes that have a statement of our role in hand; null: that cannot be known. */
  busy: ReadonlySet<number> | null
}

/** pgbouncer has one SQLSTATE for most of its refusals. */
const isFull = ({ message }: Error) => /no more connections allowed/.test(message)

/**
 * Asks a server on a new connection whether it is there, and what it has in hand. A refusal is an answer too. Behind a pooler
 * the question goes all the way: the pooler answers for itself. One in session mode is known by the number that it gave the
 * connection, which is not that of the server's process; so what is busy cannot be known there either.
 */
export async function lookAtServer({ url, pooled }: DatabaseAddress): Promise<ServerLook> {
  const answerMs = pooled ? POOLER_ANSWER_MS : ANSWER_MS
  const client = new pg.Client({
    connectionString: url,
    application_name: 'almanac-health',
    connectionTimeoutMillis: answerMs,
    query_timeout: answerMs,
  })
  client.on('error', () => {})
  try {
    await client.connect()
    if (pooled) {
      await client.query('select')
      return { there: true, busy: null }
    }
    const { rows } = await client.query<{ own: number; busy: number[] }>(BACKENDS)
    const [backends] = rows
    return { there: true, busy: backends?.own === backendOf(client) ? new Set(backends.busy) : null }
  } catch (error) {
    return { there: error instanceof pg.DatabaseError && (!pooled || isFull(error)), busy: null }
  } finally {
    void endClient(client)
  }
}
