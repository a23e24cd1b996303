import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { createDatabaseBefore } from '../_util/database/database-before.ts'
import { holdTables } from '../_util/database/table-holder.ts'
import { makeDataDir, spawnAlmanac } from '../_util/processes/app.ts'
import { freePort } from '../_util/processes/ports.ts'

/** A newer version starts while the tables are in use, as by a dump that is being made. */

test.each(['api', 'worker'] as const)(
  'a new %s that waits for a dump lives, is not ready, says behind what, and goes on afterwards',
  async (process) => {
    const { url, drop } = await createDatabaseBefore('0029')
    const dataDir = await makeDataDir()
    const port = await freePort()
    const dump = await holdTables(url)
    const child = spawnAlmanac([process], {
      ALMANAC_DATA_DIR: dataDir.path,
      ALMANAC_PORT: port,
      ALMANAC_WORKER_PORT: port,
      ALMANAC_SECRET_KEY: Buffer.alloc(32, 1).toString('base64'),
      ALMANAC_SANDBOX: 'off',
      DATABASE_URL: url,
    })
    const ask = (path: string) => fetch(`http://127.0.0.1:${port}${path}`).catch(() => null)
    try {
      const words = /pg_dump \(process \d+ of .*\) uses them/
      await expect
        .poll(async () => {
          const ready = await ask('/readyz')
          return ready && [ready.status, await ready.text()]
        })
        .toEqual([503, expect.stringMatching(words)])
      const live = await ask('/healthz')
      expect([live?.status, await live?.text()]).toEqual([200, expect.stringMatching(words)])
      expect((await ask('/v1/social-sets'))?.status).toBe(503)
      expect(child.stderr()).toMatch(words)

      await dump.end()
      await expect.poll(async () => (await ask('/readyz'))?.status).toBe(200)
      child.process.kill('SIGTERM')
      expect((await child.ended).code).toBe(0)
    } finally {
      child.process.kill('SIGKILL')
      await child.ended
      await dump.end()
      await drop()
      await dataDir.remove()
    }
  },
)

test('a process and a command that are asked to stop while they wait end at once and change nothing', async () => {
  const { url, db, drop } = await createDatabaseBefore('0029')
  const dataDir = await makeDataDir()
  const dump = await holdTables(url)
  const settings = {
    ALMANAC_DATA_DIR: dataDir.path,
    ALMANAC_PORT: await freePort(),
    ALMANAC_SECRET_KEY: Buffer.alloc(32, 1).toString('base64'),
    DATABASE_URL: url,
  }
  const children = [spawnAlmanac(['api'], settings), spawnAlmanac(['accounts', 'list'], settings)]
  try {
    for (const child of children) {
      await expect.poll(() => child.stderr()).toMatch(/uses them|Another process/)
    }
    for (const child of children) child.process.kill('SIGTERM')
    const ends = await Promise.all(children.map(({ ended }) => ended))
    expect(ends.map(({ code }) => code)).toEqual([0, 1])
    const { rows } = await sql`select from migrations where name >= '0029'`.execute(db)
    expect(rows).toEqual([])
  } finally {
    for (const child of children) child.process.kill('SIGKILL')
    await Promise.all(children.map(({ ended }) => ended))
    await dump.end()
    await drop()
    await dataDir.remove()
  }
})
