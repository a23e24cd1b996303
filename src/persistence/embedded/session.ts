import { realpath } from 'node:fs/promises'
import { Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { ROLE, readPassword } from './cluster.ts'
import { EmbeddedDatabaseError } from './embedded-database-error.ts'
import type { Home } from './home.ts'
import { findPostmaster } from './postmaster.ts'

export const DATABASE = 'almanac'

/** A process of Almanac that uses the server: one session, kept open all the time, by which others see it. */
export interface Presence {
  /** The server went away, or `leave` was called. */
  ended: Promise<void>
  /** Whether other processes of Almanac use the server. */
  others(): Promise<boolean>
  leave(): Promise<void>
}

const PRESENCE_NAME = 'almanac-presence'

/** A live server that gives no answer within this time is taken for stuck. */
const ANSWER_MS = 5_000

export async function databaseUrl(home: Home, port: number): Promise<string> {
  return `postgres://${ROLE}:${encodeURIComponent(await readPassword(home))}@127.0.0.1:${port}/${DATABASE}`
}

/**
 * Opens this process's presence on a server, first making the database should it be missing. Null when the server gives
 * no answer. A server that starts or recovers does answer, and is waited for while it lives.
 *
 * @throws EmbeddedDatabaseError
 */
export async function openPresence(home: Home, port: number): Promise<Presence | null> {
  let heardOf = performance.now()
  for (;;) {
    try {
      return await connect(home, port, DATABASE)
    } catch (error) {
      const { code } = error as { code?: string }
      if (code === INVALID_PASSWORD) throw wrongPassword(home)
      if (error instanceof EmbeddedDatabaseError) throw error
      if (code === INVALID_CATALOG_NAME) await createDatabase(home, port)
      if (code === INVALID_CATALOG_NAME || code === CANNOT_CONNECT_NOW) heardOf = performance.now()
    }
    if (performance.now() - heardOf >= ANSWER_MS || !(await findPostmaster(home.clusterDir))) return null
    await delay(20)
  }
}

// PostgreSQL's error codes, appendix A of its manual.
const INVALID_CATALOG_NAME = '3D000'
const CANNOT_CONNECT_NOW = '57P03'
const INVALID_PASSWORD = '28P01'

async function connect(home: Home, port: number, database: string): Promise<Presence & { client: pg.Client }> {
  const socket = new Socket()
  const client = new pg.Client({
    stream: () => socket,
    host: '127.0.0.1',
    port,
    user: ROLE,
    password: await readPassword(home),
    database,
    ssl: false,
    application_name: PRESENCE_NAME,
    connectionTimeoutMillis: ANSWER_MS,
    query_timeout: ANSWER_MS,
  })
  const ended = new Promise<void>((resolve) => client.once('end', resolve))
  // A server that goes away shows in `ended`; without this the error would end the process.
  client.on('error', () => {})
  try {
    await client.connect()
    await checkThatItIsOurs(client, home)
  } catch (error) {
    socket.destroy()
    throw error
  }
  return {
    client,
    ended,
    async others() {
      const { rowCount } = await client.query(
        'select 1 from pg_stat_activity where application_name = $1 and pid <> pg_backend_pid()',
        [PRESENCE_NAME],
      )
      return rowCount !== 0
    },
    async leave() {
      // A server that is stuck does not answer a farewell.
      await Promise.race([client.end(), delay(1_000, undefined, { ref: false })])
      socket.destroy()
    },
  }
}

async function checkThatItIsOurs(client: pg.Client, home: Home) {
  const { rows } = await client.query<{ data_directory: string }>('show data_directory')
  const served = rows[0]?.data_directory ?? ''
  if (served === home.clusterDir || (await realpath(served).catch(() => null)) === home.clusterDir) return
  throw new EmbeddedDatabaseError(`The server of ${home.clusterDir} serves ${served}. Stop it and start again.`)
}

async function createDatabase(home: Home, port: number) {
  const { client, leave } = await connect(home, port, 'postgres')
  try {
    await client.query(`create database ${DATABASE} template template0`)
  } finally {
    await leave()
  }
}

const wrongPassword = (home: Home) =>
  new EmbeddedDatabaseError(
    `The database in ${home.folder} refuses the password in the file password there. Restore that file from a backup.`,
  )
