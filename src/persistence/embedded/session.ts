import { realpath } from 'node:fs/promises'
import { Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { passwordFile, readPassword, SUPERUSER } from './cluster.ts'
import { EmbeddedDatabaseError } from './embedded-database-error.ts'
import type { Home } from './home.ts'
import { findPostmaster } from './postmaster.ts'
import { APP_ROLE, appPasswordFile, prepareRole, readAppPassword } from './role.ts'

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

/** Giving tables to the application's role waits for those who use them; longer than `prepareRole` lets it. */
const PREPARE_MS = 90_000

/** The address with which the application works; its role may do nothing but that. */
export async function databaseUrl(home: Home, port: number): Promise<string> {
  return `postgres://${APP_ROLE}:${encodeURIComponent(await readAppPassword(home))}@127.0.0.1:${port}/${DATABASE}`
}

/**
 * Opens this process's presence on a server, first making the database and the application's role should they be missing.
 * Null when the server gives no answer. A server that starts or recovers does answer, and is waited for while it lives.
 *
 * @throws EmbeddedDatabaseError
 */
export async function openPresence(home: Home, port: number): Promise<Presence | null> {
  let heardOf = performance.now()
  for (;;) {
    try {
      await prepare(home, port)
      return await present(home, port)
    } catch (error) {
      const { code } = error as { code?: string }
      // Of class 42 are statements that are wrong: no server gets better by being asked again.
      if (error instanceof EmbeddedDatabaseError || code?.startsWith('42')) throw error
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

/** What only the superuser may: look at whose server it is, and see to the application's role. */
async function prepare(home: Home, port: number): Promise<void> {
  await using session = await connect(port, DATABASE, await superuser(home))
  await checkThatItIsOurs(session.client, home)
  await prepareRole(session.client, home)
}

async function present(home: Home, port: number): Promise<Presence> {
  const role = { user: APP_ROLE, password: await readAppPassword(home), file: appPasswordFile(home) }
  const { client, ended, leave } = await connect(port, DATABASE, role)
  return {
    ended,
    leave,
    async others() {
      const { rowCount } = await client.query(
        'select 1 from pg_stat_activity where application_name = $1 and pid <> pg_backend_pid()',
        [PRESENCE_NAME],
      )
      return rowCount !== 0
    },
  }
}

interface Role {
  user: string
  password: string
  /** Where the password is from. */
  file: string
}

const superuser = async (home: Home): Promise<Role> => ({
  user: SUPERUSER,
  password: await readPassword(home),
  file: passwordFile(home),
})

async function connect(port: number, database: string, { user, password, file }: Role) {
  const socket = new Socket()
  const client = new pg.Client({
    stream: () => socket,
    host: '127.0.0.1',
    port,
    user,
    password,
    database,
    ssl: false,
    application_name: user === APP_ROLE ? PRESENCE_NAME : 'almanac-start',
    connectionTimeoutMillis: ANSWER_MS,
    query_timeout: user === APP_ROLE ? ANSWER_MS : PREPARE_MS,
  })
  const ended = new Promise<void>((resolve) => client.once('end', resolve))
  // A server that goes away shows in `ended`; without this the error would end the process.
  client.on('error', () => {})
  const leave = async () => {
    // A server that is stuck does not answer a farewell.
    await Promise.race([client.end(), delay(1_000, undefined, { ref: false })])
    socket.destroy()
  }
  try {
    await client.connect()
  } catch (error) {
    socket.destroy()
    if ((error as { code?: string }).code === INVALID_PASSWORD) throw wrongPassword(user, file)
    throw error
  }
  return { client, ended, leave, [Symbol.asyncDispose]: leave }
}

async function checkThatItIsOurs(client: pg.Client, home: Home) {
  const { rows } = await client.query<{ data_directory: string }>('show data_directory')
  const served = rows[0]?.data_directory ?? ''
  if (served === home.clusterDir || (await realpath(served).catch(() => null)) === home.clusterDir) return
  throw new EmbeddedDatabaseError(`The server of ${home.clusterDir} serves ${served}. Stop it and start again.`)
}

async function createDatabase(home: Home, port: number) {
  await using session = await connect(port, 'postgres', await superuser(home))
  await session.client.query(`create database ${DATABASE} template template0`)
}

const wrongPassword = (user: string, file: string) =>
  new EmbeddedDatabaseError(
    `The database refuses the password of its role ${user} in ${file}. ${
      user === APP_ROLE
        ? 'Remove that file and start again: the start makes another.'
        : 'Restore that file from a backup.'
    }`,
  )
