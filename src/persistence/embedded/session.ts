import { realpath } from 'node:fs/promises'
import { Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { passwordFile, readPassword, SUPERUSER } from './cluster.ts'
import { diskFull, EmbeddedDatabaseError } from './embedded-database-error.ts'
import type { Home } from './home.ts'
import { findServer, type RunningServer } from './postmaster.ts'
import {
  APP_ROLE,
  appPasswordFile,
  hasOtherPresences,
  isRoleReady,
  PRESENCE_NAME,
  prepareRole,
  readAppPassword,
} from './role.ts'

const DATABASE = 'almanac'

/** What to connect to. */
type Way = Pick<RunningServer, 'host' | 'port'>

/** A process of Almanac that uses the server: one session, kept open all the time, by which others see it. */
export interface Presence {
  /** The address with which the application works. Its role may do nothing but that; one that only looks may have another. */
  url: string
  /** The server went away, or `leave` was called. */
  ended: Promise<void>
  /** Whether other processes of Almanac use the server. */
  others(): Promise<boolean>
  leave(): Promise<void>
}

/** A live server that gives no answer within this time is taken for stuck. */
const ANSWER_MS = 5_000

/** Giving tables to the application's role waits for those who use them; longer than `prepareRole` lets it. */
const PREPARE_MS = 90_000

interface PresenceOptions {
  /** Changes nothing on the server; where the application's role is not ready, the superuser looks. */
  look?: boolean
  /** The password that this process works with, for when its file was lost. */
  password?: string | undefined
}

/**
 * Opens this process's presence on a server, first making the database and the application's role should they be missing.
 * Null when the server gives no answer. A server that starts or recovers does answer, and is waited for while it lives.
 *
 * @throws EmbeddedDatabaseError, and any other refusal of an answering server or a file
 */
export async function openPresence(home: Home, server: Way, options: PresenceOptions): Promise<Presence | null> {
  let heardOf = performance.now()
  const heard = () => {
    heardOf = performance.now()
  }
  for (;;) {
    try {
      const role = await prepare(home, server, options, heard)
      return await present(server, role)
    } catch (error) {
      const { code } = error as { code?: string }
      if (code === INVALID_CATALOG_NAME) {
        if (options.look) throw noDatabaseYet(home)
        await createDatabase(home, server)
      }
      if (code === INVALID_CATALOG_NAME || code === CANNOT_CONNECT_NOW) heard()
      // A server that gives any other answer is not ended for it.
      else if (!(error instanceof NoAnswer)) throw error
    }
    if (performance.now() - heardOf >= ANSWER_MS || !(await findServer(home))) return null
    await delay(20)
  }
}

/** The server could not be reached, or went away. */
class NoAnswer extends Error {
  override name = 'NoAnswer'
}

// PostgreSQL's error codes, appendix A of its manual.
const INVALID_CATALOG_NAME = '3D000'
const CANNOT_CONNECT_NOW = '57P03'
const INVALID_PASSWORD = '28P01'
const TOO_MANY_CONNECTIONS = '53300'
const DISK_FULL = '53100'
const PROGRAM_FAILED = '38000'
/** A server that ends, by order or by a crash, says so to its sessions. */
const ENDS = ['57P01', '57P02']

/** What only the superuser may: look at whose server it is, and see to the application's role. Gives the role to work with. */
async function prepare(home: Home, server: Way, { look, password }: PresenceOptions, heard: () => void) {
  const admin = await superuser(home)
  await using session = await connect(server, DATABASE, admin)
  heard()
  try {
    await checkThatItIsOurs(session.client, home)
    if (!look) await prepareRole(session.client, home, password)
    else if (!(await isRoleReady(session.client, home))) return admin
  } catch (error) {
    const { code = '' } = error as { code?: string }
    if (session.isLost() || ENDS.includes(code)) throw new NoAnswer('The server went away.', { cause: error })
    throw code === DISK_FULL ? diskFull(home.folder) : error
  }
  return { user: APP_ROLE, password: await readAppPassword(home), file: appPasswordFile(home) }
}

async function present(server: Way, role: Role): Promise<Presence> {
  const { client, ended, leave } = await connect(server, DATABASE, role, PRESENCE_NAME)
  return {
    url: `postgres://${role.user}:${encodeURIComponent(role.password)}@${encodeURIComponent(server.host)}:${server.port}/${DATABASE}`,
    ended,
    leave,
    others: () => hasOtherPresences(client),
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

/** @throws EmbeddedDatabaseError, NoAnswer, or what the server answers */
async function connect({ host, port }: Way, database: string, { user, password, file }: Role, name = 'almanac-start') {
  const socket = new Socket()
  const client = new pg.Client({
    stream: () => socket,
    host,
    port,
    user,
    password,
    database,
    ssl: false,
    application_name: name,
    connectionTimeoutMillis: ANSWER_MS,
    query_timeout: name === PRESENCE_NAME ? ANSWER_MS : PREPARE_MS,
  })
  const ended = new Promise<void>((resolve) => client.once('end', resolve))
  let lost = false
  // A server that goes away shows in `ended`; without this the error would end the process.
  client.on('error', () => {
    lost = true
  })
  const leave = async () => {
    // A server that is stuck does not answer a farewell.
    await Promise.race([client.end(), delay(1_000, undefined, { ref: false })])
    socket.destroy()
  }
  try {
    await client.connect()
  } catch (error) {
    socket.destroy()
    if (!(error instanceof pg.DatabaseError)) throw new NoAnswer('The server cannot be reached.', { cause: error })
    const { code = '' } = error
    if (code === INVALID_PASSWORD) throw wrongPassword(user, file)
    if (code === TOO_MANY_CONNECTIONS) throw noConnectionLeft(user)
    throw ENDS.includes(code) ? new NoAnswer('The server ends.', { cause: error }) : error
  }
  return { client, ended, isLost: () => lost, leave, [Symbol.asyncDispose]: leave }
}

async function checkThatItIsOurs(client: pg.Client, home: Home) {
  const { rows } = await client.query<{ data_directory: string }>('show data_directory')
  const served = rows[0]?.data_directory ?? ''
  if (served === home.clusterDir || (await realpath(served).catch(() => null)) === home.clusterDir) return
  throw new EmbeddedDatabaseError(`The server of ${home.clusterDir} serves ${served}. Stop it and start again.`)
}

/**
 * Has a server end in order that no signal from here reaches: it gives the signal to itself. Resolves when it may have
 * done so.
 */
export async function askToEnd(home: Home, server: Way): Promise<void> {
  await using session = await connect(server, 'postgres', await superuser(home))
  // Run in the cluster, by a shell of the server's.
  const command = 'read -r pid < postmaster.pid && kill -INT "$pid"'
  await session.client.query(`copy (select) to program '${command}'`).catch((error: pg.DatabaseError) => {
    // The server ends the shell with its own processes.
    const ended = error.code === PROGRAM_FAILED && /signal/.test(error.detail ?? '')
    if (!ended && !session.isLost() && !ENDS.includes(error.code ?? '')) throw error
  })
}

async function createDatabase(home: Home, server: Way) {
  await using session = await connect(server, 'postgres', await superuser(home))
  await session.client.query(`create database ${DATABASE} template template0`)
}

const wrongPassword = (user: string, file: string) =>
  new EmbeddedDatabaseError(
    `The database refuses the password of its role ${user} in ${file}. ${
      user === APP_ROLE
        ? 'Stop Almanac, remove that file and start again: the start makes another.'
        : 'Restore that file from a backup.'
    }`,
  )

const noConnectionLeft = (user: string) =>
  new EmbeddedDatabaseError(
    `The database has no connection left for its role ${user}. End other programs that use it and start again.`,
  )

/** For those who only look. */
export const noDatabaseYet = (home: Home) =>
  new EmbeddedDatabaseError(`There is no database in ${home.folder} yet; the next start makes it.`)
