import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { migrate, openEmbeddedDatabase } from '#persistence'
import { RUN_DIR } from './begun-data.ts'
import { TEMPLATE } from './database.ts'
import { superuserUrl } from './superuser.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** A superuser's address on the run's PostgreSQL server. */
    databaseAdminUrl: string
    /** The address of the product's own role there. */
    databaseUrl: string
  }
}

/** One PostgreSQL for the whole run, in a folder of its own that is removed afterwards. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  await removeLeftovers()
  const dataDir = await mkdtemp(join(tmpdir(), `${PREFIX}${process.pid}-`))
  // As root, PostgreSQL runs as another user, who has to pass through.
  await chmod(dataDir, 0o711)
  const database = await open(dataDir)
  try {
    const adminUrl = await superuserUrl(dataDir, database.url)
    const url = new URL(database.url)
    url.pathname = `/${TEMPLATE}`
    const admin = new pg.Client(adminUrl)
    await admin.connect()
    // The data lives as long as the run. Every file of tests creates and drops a database, and each waits for a
    // checkpoint to reach the disk: a quarter of a second to three seconds.
    for (const setting of ['fsync', 'full_page_writes', 'synchronous_commit']) {
      await admin.query(`alter system set ${setting} = off`)
    }
    await admin.query('select pg_reload_conf()')
    await admin.query(`create database ${TEMPLATE} template template0 owner ${url.username}`)
    await admin.end()
    await migrate(url.href)
    project.provide('databaseAdminUrl', adminUrl)
    project.provide('databaseUrl', database.url)
    process.env[RUN_DIR] = dataDir
  } catch (error) {
    await database.stop()
    throw error
  }
  return async () => {
    await database.stop()
    await rm(dataDir, { recursive: true })
  }
}

const PREFIX = 'almanac-tests-'

const open = (dataDir: string) =>
  openEmbeddedDatabase({ dataDir, projectDir: join(import.meta.dirname, '..', '..'), log: () => {}, mode: 'own' })

/** A run that was killed leaves its server running; the next one ends it. */
async function removeLeftovers() {
  for (const name of await readdir(tmpdir())) {
    if (!name.startsWith(PREFIX) || isAlive(Number(name.slice(PREFIX.length).split('-')[0]))) continue
    const dataDir = join(tmpdir(), name)
    // One of another user stays that user's matter.
    const left = await open(dataDir).catch(() => null)
    await left?.stop()
    if (left) await rm(dataDir, { recursive: true, force: true })
  }
}

function isAlive(pid: number) {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
