import { chmod, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import pg from 'pg'
import { type Database, migrate, openDatabase, openEmbeddedDatabase } from '#persistence'
import { overTcp } from '../test/_util/database/over-tcp.ts'
import { superuserUrl } from '../test/_util/database/superuser.ts'

export interface Place {
  /** The database of this name, opened; made, migrated and filled when it is not there yet. */
  database(name: string, fill: (db: Database) => Promise<void>, poolSize?: number): Promise<Database>
  /** The address of such a database. */
  url(name: string, fill: (db: Database) => Promise<void>): Promise<string>
}

/**
 * Runs `work` with a PostgreSQL server of its own, in `dir` when it is given, else in a temporary folder that is removed
 * afterwards. What was seeded in a `dir` is used again by the next run.
 */
export async function withPlace(dir: string | undefined, work: (place: Place) => Promise<void>): Promise<void> {
  await removeLeftovers()
  const dataDir = dir === undefined ? await mkdtemp(join(tmpdir(), `${PREFIX}${process.pid}-`)) : resolve(dir)
  await mkdir(dataDir, { recursive: true })
  // As root, PostgreSQL runs as another user, who has to pass through.
  await chmod(dataDir, 0o711)
  const server = await open(dataDir)
  const opened: Database[] = []
  const interrupted = async () => {
    await server.stop()
    if (dir === undefined) await rm(dataDir, { recursive: true })
    process.exit(1)
  }
  process.once('SIGINT', interrupted).once('SIGTERM', interrupted)
  const urlOf: Place['url'] = async (name, fill) => filled(await superuserUrl(dataDir, overTcp(server.url)), name, fill)
  try {
    await work({
      url: urlOf,
      async database(name, fill, poolSize = 1) {
        const db = openDatabase(await urlOf(name, fill), { poolSize })
        opened.push(db)
        return db
      },
    })
  } finally {
    process.off('SIGINT', interrupted).off('SIGTERM', interrupted)
    for (const db of opened) await db.destroy()
    await server.stop()
    if (dir === undefined) await rm(dataDir, { recursive: true })
  }
}

const PREFIX = 'almanac-bench-'

const open = (dataDir: string) =>
  openEmbeddedDatabase({ dataDir, projectDir: join(import.meta.dirname, '..'), log: () => {}, mode: 'own' })

/** A run that was killed leaves its server running; the next one ends it. */
async function removeLeftovers(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    const pid = Number(new RegExp(`^${PREFIX}(\\d+)-`).exec(name)?.[1])
    if (!pid || isAlive(pid)) continue
    const dataDir = join(tmpdir(), name)
    // One of another user stays that user's matter.
    const left = await open(dataDir).catch(() => null)
    await left?.stop()
    if (left) await rm(dataDir, { recursive: true, force: true })
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** A database gets its name when it is complete. */
async function filled(serverUrl: string, name: string, fill: (db: Database) => Promise<void>): Promise<string> {
  const url = (database: string) => Object.assign(new URL(serverUrl), { pathname: `/${database}` }).href
  const draft = `${name}_draft`
  const admin = new pg.Client(serverUrl)
  await admin.connect()
  try {
    const { rowCount } = await admin.query('select from pg_database where datname = $1', [name])
    if (rowCount === 0) {
      process.stderr.write(`Filling the database ${name} …\n`)
      await admin.query(`drop database if exists ${draft}`)
      await admin.query(`create database ${draft} template template0`)
      await migrate(url(draft))
      const db = openDatabase(url(draft), { poolSize: 1 })
      await fill(db).finally(() => db.destroy())
      await admin.query(`alter database ${draft} rename to ${name}`)
    }
  } finally {
    await admin.end()
  }
  return url(name)
}
