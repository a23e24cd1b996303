import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { openDatabase } from '#persistence'
import { follow } from '../_util/api/event-stream.ts'
import { createDatabase } from '../_util/database/database.ts'
import { type DatabaseServer, startDatabaseServer } from '../_util/database/database-server.ts'
import { hasPgbouncer, type Pgbouncer, startPgbouncer } from '../_util/database/pgbouncer.ts'
import {
  makeDataDir,
  type RunningAlmanac,
  runAlmanac,
  type Settings,
  startAlmanac,
  withAnyRate,
} from '../_util/processes/app.ts'
import { freePort } from '../_util/processes/ports.ts'
import { client } from '../e2e/client.ts'

/** `up` and a second worker behind PgBouncer in transaction mode with four connections, as docs/operating.md describes it. */

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

if (!hasPgbouncer) console.warn('There is no PgBouncer on this machine: Almanac behind a pooler is not tested.')

describe.skipIf(!hasPgbouncer)('behind a pooler in transaction mode', () => {
  let dataDir: { path: string; remove(): Promise<void> }
  let server: DatabaseServer
  let pooler: Pgbouncer
  let settings: Settings
  let up: RunningAlmanac
  let worker: RunningAlmanac
  let api: ReturnType<typeof client>
  let key: string
  let socialSetId: string

  beforeAll(async () => {
    dataDir = await makeDataDir()
    server = await startDatabaseServer()
    pooler = await startPgbouncer(server.url)
    const port = await freePort()
    settings = {
      ALMANAC_DATA_DIR: dataDir.path,
      DATABASE_URL: pooler.url,
      ALMANAC_DATABASE_POOLED: 'on',
      ALMANAC_SECRET_KEY: Buffer.alloc(32, 1).toString('base64'),
      ALMANAC_PORT: port,
      ALMANAC_SANDBOX_URL: `http://127.0.0.1:${port}/sandbox`,
      ALMANAC_WORKER_PORT: await freePort(),
      ALMANAC_LEASE: '6s',
      ALMANAC_LOG_LEVEL: 'warn',
      ...(await withAnyRate(dataDir.path)),
    }
    // One with a way around the pooler, one without.
    up = await startAlmanac({ settings: { ...settings, ALMANAC_DATABASE_DIRECT_URL: server.url } })
    worker = await startAlmanac({ process: 'worker', settings })
    ;({ key } = await up.firstSignIn())
    // While keys cannot be looked up, requests are counted by address: ten a second.
    api = client(up.url, key, { pauseMs: 250 })
    socialSetId = (await api.get('/v1/social-sets')).data[0].id
  })
  afterAll(async () => {
    await Promise.all([up?.stop(), worker?.stop()])
    await pooler?.close()
    await server?.close()
    await dataDir?.remove()
  })

  /** Schedules posts for now; gives those that were accepted, by their captions. */
  async function schedule(count: number): Promise<Map<string, string>> {
    const accepted = new Map<string, string>()
    await Promise.all(
      Array.from({ length: count }, async () => {
        const caption = `Pooled ${randomUUID()}`
        const posts = (['BLUESKY', 'THREADS', 'TWITTER'] as const).map((accountType) => ({
          accountType,
          caption,
          media: [],
        }))
        const body = {
          socialSetId,
          scheduledAt: new Date().toISOString(),
          status: 'SCHEDULED',
          approval: 'NONE',
          posts,
        }
        const answer = await fetch(`${up.url}/v1/post-sets`, {
          method: 'POST',
          headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
          body: JSON.stringify(body),
        })
        // 429: while keys cannot be looked up, requests are counted by address.
        expect([201, 429, 503]).toContain(answer.status)
        if (answer.ok) accepted.set(caption, ((await answer.json()) as { id: string }).id)
      }),
    )
    return accepted
  }

  async function expectPublished(accepted: ReadonlyMap<string, string>): Promise<void> {
    for (const id of accepted.values()) {
      const set = await api.until(`/v1/post-sets/${id}`, ({ status }) => status === 'PUBLISHED')
      const results = set.posts.map(({ result }: { result: { status: string } }) => result.status)
      expect(results).toEqual(['POSTED', 'POSTED', 'POSTED'])
    }
    const held = (await (await fetch(`${up.url}/sandbox/bluesky/posts`)).json()) as { text: string }[]
    for (const caption of accepted.keys()) expect(held.filter(({ text }) => text === caption)).toHaveLength(1)
  }

  async function signIn(): Promise<{ cookie: string }> {
    const { ownerEmail: email, ownerPassword: password } = await up.firstSignIn()
    const answer = await fetch(`${up.url}/internal/session`, {
      method: 'POST',
      headers: { origin: up.url, 'content-type': 'application/json' },
      body: JSON.stringify({ email, password }),
    })
    expect(answer.ok).toBe(true)
    return {
      cookie: answer.headers
        .getSetCookie()
        .map((each) => each.split(';')[0])
        .join('; '),
    }
  }

  const untilReady = () =>
    expect.poll(async () => (await fetch(`${up.url}/readyz`)).status, { timeout: 30_000 }).toBe(200)

  test('two workers publish everything once, and nothing of a session is left at the server', async () => {
    const { cookie } = await signIn()
    const stream = await follow(up, { cookie }, socialSetId)
    await stream.until('ready')
    const accepted = await schedule(20)
    expect(accepted.size).toBe(20)
    await expectPublished(accepted)
    await stream.until('post-sets', [...accepted.values()].slice(0, 1))
    stream.close()
    const db = openDatabase(server.url, { poolSize: 1 })
    try {
      const { rows } = await sql<{ locks: number }>`select count(*)::int as locks from pg_locks
        where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())`.execute(
        db,
      )
      expect(rows).toEqual([{ locks: 0 }])
    } finally {
      await db.destroy()
    }
    // What the pooler's own connections hold is seen through it.
    const pooled = openDatabase({ url: pooler.url, pooled: true, directUrl: null }, { poolSize: 4 })
    try {
      const looks = Array.from({ length: 8 }, () =>
        sql<Record<string, unknown>>`select (select count(*)::int from pg_prepared_statements) as statements,
          (select count(*)::int from pg_listening_channels()) as channels,
          (select count(*)::int from pg_settings where source = 'session' and name not in ('application_name',
            'client_encoding', 'DateStyle', 'TimeZone', 'standard_conforming_strings')) as settings`.execute(pooled),
      )
      for (const { rows } of await Promise.all(looks)) {
        expect(rows).toEqual([{ statements: 0, channels: 0, settings: 0 }])
      }
    } finally {
      await pooled.destroy()
    }
  })

  test('the one without a way around it says at its start what it does without', () => {
    expect(worker.stdout() + worker.stderr()).toContain('ALMANAC_DATABASE_DIRECT_URL is not set.')
    expect(up.stdout() + up.stderr()).not.toContain('ALMANAC_DATABASE_DIRECT_URL is not set.')
  })

  test.each([
    ['the pooler', () => pooler.restart()],
    ['the server behind it', () => server.restart()],
  ])('a restart of %s ends no process, and loses no post', async (_, restart) => {
    const [accepted] = await Promise.all([schedule(10), restart()])
    await untilReady()
    await expect.poll(async () => (await schedule(1)).size, { timeout: 30_000, interval: 500 }).toBe(1)
    await expectPublished(new Map([...accepted, ...(await schedule(3))]))
    expect([up.process.exitCode, worker.process.exitCode]).toEqual([null, null])
  })

  test('doctor names the limits that the role lacks, and is content once it has them', async () => {
    const examine = () => runAlmanac(['doctor'], { settings: { ...settings, ALMANAC_DATABASE_DIRECT_URL: server.url } })
    const found = (await examine()).stdout
    const [, statements = ''] = /Run: (alter role .*?;) Then/.exec(found) ?? []
    expect(statements).toMatch(/set statement_timeout = '60s'; .* set idle_in_transaction_session_timeout = '15s';/)
    const db = openDatabase(server.url, { poolSize: 1 })
    for (const statement of statements.split('; ')) await sql.raw(statement).execute(db)
    await db.destroy()
    await pooler.restart()
    expect((await examine()).stdout).toContain('Statements through the pooler have the limits of the role.')
  })

  test('migrations are refused without a way around it, in words', async () => {
    const empty = await createDatabase('template0')
    const through = await startPgbouncer(empty.url)
    try {
      const reported = await runAlmanac(['migrate'], { settings: { ...settings, DATABASE_URL: through.url } })
      expect(reported).toMatchObject({ code: 1, stderr: expect.stringContaining('Set ALMANAC_DATABASE_DIRECT_URL') })
      const done = await runAlmanac(['migrate'], {
        settings: { ...settings, DATABASE_URL: through.url, ALMANAC_DATABASE_DIRECT_URL: empty.url },
      })
      expect(done.code, done.stderr).toBe(0)
    } finally {
      await through.close()
      await empty.drop()
    }
  })

  test('who forgot to say that there is a pooler is reminded', async () => {
    const reported = await runAlmanac(['migrate'], { settings: { ...settings, ALMANAC_DATABASE_POOLED: 'off' } })
    expect(reported).toMatchObject({ code: 1, stderr: expect.stringContaining('ALMANAC_DATABASE_POOLED=on') })
  })
})
