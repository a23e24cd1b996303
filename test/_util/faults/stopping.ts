import { sql } from 'kysely'
import { SCOPES } from '#contract'
import { type Database, openDatabase } from '#persistence'
import { createDatabase } from '../database/database.ts'
import { type FileServer, startFileServer } from '../networks/file-server.ts'
import { almanacJson, makeDataDir, type RunningAlmanac, type Settings, startAlmanac } from '../processes/app.ts'
import { freePort } from '../processes/ports.ts'
import { cuttableWay } from './cuttable-way.ts'

/** An installation whose processes are started and stopped one by one; the simulators are a process of their own. */
export interface Installation {
  db: Database
  /** The way of its processes to the database. */
  way: Awaited<ReturnType<typeof cuttableWay>>
  files: FileServer
  socialSetId: string
  key: string
  settings: Settings
  start(process: 'up' | 'api' | 'worker', settings?: Settings): Promise<RunningAlmanac>
  /** Puts posts on the calendar behind the API's back, each a second before the other. */
  pile(count: number, options?: { caption?: string; secondsAgo?: number; accountType?: string }): Promise<void>
  /** How many post sets there are by status. */
  statuses(): Promise<Record<string, number>>
  /** Deliveries that a worker has in hand. */
  leased(state?: string): Promise<number>
  clear(): Promise<void>
  close(): Promise<void>
}

/** @param projectDir another checkout than this one, to see what it does */
export async function openInstallation(projectDir?: string): Promise<Installation> {
  const dataDir = await makeDataDir()
  const database = await createDatabase()
  const way = await cuttableWay(database.url)
  const files = await startFileServer()
  const db = openDatabase(database.url, { poolSize: 2 })
  const checkout = projectDir === undefined ? {} : { projectDir }
  const settings: Settings = {
    ALMANAC_DATA_DIR: dataDir.path,
    DATABASE_URL: way.url,
    ALMANAC_SECRET_KEY: Buffer.alloc(32, 1).toString('base64'),
    ALMANAC_SANDBOX_PORT: await freePort(),
    ALMANAC_TRUSTED_FETCH_HOSTS: files.host,
    ALMANAC_LOG_LEVEL: 'warn',
  }
  const args = ['accounts', 'create', '--name', 'Brand', '--plan', 'SCALE', '--sandbox']
  // The connections are made at simulators that run.
  const sandbox = await startAlmanac({ process: 'sandbox', settings, ...checkout })
  const account = await almanacJson<{ accountId: string; socialSetId: string }>(args, { settings, ...checkout })
  const keyArgs = ['keys', 'create', '--account', account.accountId, '--name', 'all', '--scopes', SCOPES.join(',')]
  const { key } = await almanacJson<{ key: string }>(keyArgs, { settings, ...checkout })
  const { socialSetId } = account
  return {
    db,
    way,
    files,
    socialSetId,
    key,
    settings,
    async start(process, more = {}) {
      const ports = { ALMANAC_PORT: await freePort(), ALMANAC_WORKER_PORT: await freePort() }
      return startAlmanac({ process, settings: { ...settings, ...ports, ...more }, ...checkout })
    },
    async pile(count, { caption = 'hello', secondsAgo = 0, accountType = 'BLUESKY' } = {}) {
      await sql`
        with sets as (
          insert into post_sets (id, account_id, social_set_id, scheduled_at, schedule_requested_at, status, approval)
          select gen_random_uuid(), account_id, id, at, at, 'SCHEDULED', 'NONE'
          from social_sets, generate_series(1, ${count}) as number,
            lateral (select almanac_now() - ${secondsAgo} * interval '1 second' - number * interval '1 millisecond' as at)
          where social_sets.id = ${socialSetId}
          returning id, social_set_id
        )
        insert into posts (id, post_set_id, social_set_id, position, account_type, caption, fields)
        select gen_random_uuid(), id, social_set_id, 0, ${accountType}, ${caption}, '{}' from sets`.execute(db)
    },
    async statuses() {
      const { rows } = await sql<{ status: string; count: number }>`
        select status, count(*)::int as count from post_sets group by status`.execute(db)
      return Object.fromEntries(rows.map(({ status, count }) => [status, count]))
    },
    async leased(state) {
      const { rows } = await sql<{ count: number }>`select count(*)::int as count from deliveries
        where lease_until > almanac_now() and (${state ?? null}::text is null or state = ${state ?? null})`.execute(db)
      return rows[0]?.count ?? 0
    },
    async clear() {
      await sql`truncate all_post_sets cascade`.execute(db)
    },
    async close() {
      await sandbox.stop()
      await files.close()
      await db.destroy()
      await way.close()
      await database.drop()
      await dataDir.remove()
    },
  }
}
