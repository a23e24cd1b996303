import { afterAll, beforeAll } from 'vitest'
import { type Database, openDatabase } from '#persistence'
import { createDatabase } from '../database/database.ts'
import type { testBrowser } from './browser.ts'
import { type Dashboard, startDashboard } from './dashboard.ts'

/** For a file of tests: a dashboard on a database of its own, in which tests change what people cannot. Both are there once tests run. */
export function dashboardOnDatabase(browser: ReturnType<typeof testBrowser>): { dashboard: Dashboard; db: Database } {
  const started = {} as { dashboard: Dashboard; db: Database }
  let database: { url: string; drop(): Promise<void> }
  beforeAll(async () => {
    database = await createDatabase()
    started.db = openDatabase(database.url, { poolSize: 1 })
    started.dashboard = await startDashboard(browser, {
      DATABASE_URL: database.url,
      ALMANAC_SECRET_KEY: Buffer.alloc(32, 1).toString('base64'),
    })
  }, 120_000)
  afterAll(async () => {
    await started.dashboard?.stop()
    await started.db?.destroy()
    await database?.drop()
  })
  return started
}
