import { realpath } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { readPassword, ROLE } from './cluster.ts'
import { EmbeddedDatabaseError } from './embedded-database-error.ts'
import type { Home } from './home.ts'
import { findPostmaster } from './postmaster.ts'

export const DATABASE = 'almanac'

/** How an Almanac process that uses the server shows itself: by one session of this name, kept open all the time. */
const PRESENCE = 'almanac-presence'

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
export async function openPresence(home: Home, port: number): Promise<pg.Client | null> {
  for (;;) {
    try {
      return await connect(home, port, DATABASE)
    } catch (error) {
      const { code } = error as { code?: string }
      if (code === INVALID_CATALOG_NAME) await createDatabase(home, port)
      else if (code === CANNOT_CONNECT_NOW) await delay(100)
      else if (code === INVALID_PASSWORD) throw wrongPassword(home)
      else if (error instanceof EmbeddedDatabaseError) throw error
      else return null
      if (code === CANNOT_CONNECT_NOW && !(await findPostmaster(home.clusterDir))) return null
    }
  }
}

/** Whether other processes of Almanac use the server. */
export async function othersPresent(presence: pg.Client): Promise<boolean> {
  const { rowCount } = await presence.query(
    'select 1 from pg_stat_activity where application_name = $1 and pid <> pg_backend_pid()',
    [PRESENCE],
  )
  return rowCount !== 0
}

// PostgreSQL's error codes, appendix A of its manual.
const INVALID_CATALOG_NAME = '3D000'
const CANNOT_CONNECT_NOW = '57P03'
const INVALID_PASSWORD = '28P01'

async function connect(home: Home, port: number, database: string): Promise<pg.Client> {
  const client = new pg.Client({
    host: '127.0.0.1',
    port,
    user: ROLE,
    password: await readPassword(home),
    database,
    ssl: false,
    application_name: PRESENCE,
    connectionTimeoutMillis: ANSWER_MS,
    query_timeout: ANSWER_MS,
  })
  // A server that goes away is noticed by 'end'; without this the error would end the process.
  client.on('error', () => {})
  try {
    await client.connect()
    await checkThatItIsOurs(client, home)
    return client
  } catch (error) {
    await client.end().catch(() => {})
    throw error
  }
}

async function checkThatItIsOurs(client: pg.Client, home: Home) {
  const { rows } = await client.query<{ data_directory: string }>('show data_directory')
  const served = rows[0]?.data_directory ?? ''
  if (served === home.clusterDir || (await realpath(served).catch(() => null)) === home.clusterDir) return
  throw new EmbeddedDatabaseError(`The server of ${home.clusterDir} serves ${served}. Stop it and start again.`)
}

async function createDatabase(home: Home, port: number) {
  const client = await connect(home, port, 'postgres')
  try {
    await client.query(`create database ${DATABASE} template template0`)
  } finally {
    await client.end()
  }
}

const wrongPassword = (home: Home) =>
  new EmbeddedDatabaseError(
    `The database in ${home.folder} refuses the password in the file password there. Restore that file from a backup.`,
  )
