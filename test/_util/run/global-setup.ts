import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { migrate, openEmbeddedDatabase } from '#persistence'
import { RUN_DIR } from '../database/begun-data.ts'
import { TEMPLATE } from '../database/database.ts'
import { overTcp } from '../database/over-tcp.ts'
import { POOLER_URL, startPgbouncer } from '../database/pgbouncer.ts'
import { superuserUrl } from '../database/superuser.ts'
import { KEPT_DIR, RUN_PREFIX, rootOfRuns } from './run-folder.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** A superuser's address on the run's PostgreSQL server. */
    databaseAdminUrl: string
    /** The address of the product's own role there. */
    databaseUrl: string
  }
}

/**
 * One PostgreSQL for the whole run, in a folder of its own that is removed afterwards. With `ALMANAC_TESTS_POOLED` the engine of tests
 * reaches it through PgBouncer: `ALMANAC_TESTS_POOLED=on npx vitest run test/engine`.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  await removeLeftovers()
  const dataDir = await mkdtemp(join(tmpdir(), PREFIX))
  // As root, PostgreSQL runs as another user, who has to pass through.
  await chmod(dataDir, 0o711)
  const database = await open(dataDir)
  let pooler: { url: string; close(): Promise<void> } | null = null
  try {
    const databaseUrl = overTcp(database.url)
    const adminUrl = await superuserUrl(dataDir, databaseUrl)
    const url = new URL(databaseUrl)
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
    project.provide('databaseUrl', databaseUrl)
    if (process.env.ALMANAC_TESTS_POOLED) pooler = await startPgbouncer(databaseUrl, { poolSize: 10 })
    if (pooler) process.env[POOLER_URL] = pooler.url
    process.env[RUN_DIR] = dataDir
  } catch (error) {
    await pooler?.close()
    await database.stop()
    throw error
  }
  return async () => {
    await pooler?.close()
    await database.stop()
    await rm(dataDir, { recursive: true })
    // Empty, unless a test left something behind.
    const own = basename(tmpdir()) === `${RUN_PREFIX}${process.pid}`
    if (own) await rm(tmpdir(), { recursive: true, force: true })
  }
}

const PREFIX = 'almanac-tests-'

const open = (dataDir: string) =>
  openEmbeddedDatabase({ dataDir, projectDir: join(import.meta.dirname, '../../..'), log: () => {}, mode: 'own' })

/** A run that was killed leaves its server running and its files; the next one ends and removes them. */
async function removeLeftovers() {
  for (const root of new Set([rootOfRuns(), process.env[KEPT_DIR] ?? tmpdir()])) {
    for (const name of await readdir(root)) {
      if (!name.startsWith(RUN_PREFIX) || isAlive(Number(name.slice(RUN_PREFIX.length)))) continue
      const folder = join(root, name)
      // One of another user stays that user's matter.
      for (const inside of await readdir(folder).catch(() => [])) {
        if (!inside.startsWith(PREFIX)) continue
        const left = await open(join(folder, inside)).catch(() => null)
        await left?.stop()
      }
      await rm(folder, { recursive: true, force: true }).catch(() => {})
    }
  }
}

function isAlive(pid: number) {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
