import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { sql } from 'kysely'
import { expect, test, vi } from 'vitest'
import { openDatabase } from '#persistence'
import { dumpSchema } from '../../src/persistence/schema-dump.ts'
import { totp } from '../_util/api/totp.ts'
import { createDatabase } from '../_util/database/database.ts'
import { makeDataDir, type RunningAlmanac, startAlmanac, withAnyRate } from '../_util/processes/app.ts'
import { freePort } from '../_util/processes/ports.ts'
import { part } from '../_util/run/whole.ts'
import { newPerson, type Person } from '../_util/upgrades/browser.ts'
import type { Filled } from '../_util/upgrades/fill.ts'
import { readAll } from '../_util/upgrades/read-all.ts'

/** Databases of earlier versions, filled with something of every kind, are brought to this version and used. */

vi.setConfig({ testTimeout: 120_000 })

const FOLDER = join(import.meta.dirname, '../_fixtures/upgrades')
const SCHEMA = join(import.meta.dirname, '../../src/persistence/schema.sql')

/** As test/_util/upgrades/make-dump.ts writes it. */
interface Facts {
  madeAt: string
  secretKey: string
  filled: Filled
  answers: Record<string, unknown>
}

/** Runs `work` on an installation that starts on a dump, as if the dump had been made a minute ago. */
async function onUpgraded(name: string, work: (almanac: RunningAlmanac, facts: Facts) => Promise<void>) {
  const read = async (file: string) => gunzipSync(await readFile(join(FOLDER, name, file))).toString()
  const facts: Facts = JSON.parse(await read('facts.json.gz'))
  const dump = await read('dump.sql.gz')
  const dataDir = await makeDataDir()
  const database = await createDatabase('template0')
  const db = openDatabase(database.url, { poolSize: 2 })
  const running: RunningAlmanac[] = []
  try {
    await sql.raw(dump).execute(db)
    // Restored it would be held: this is the only one.
    await sql`do $$ begin
      if to_regclass('installation_identity') is not null then
        update installation_identity set table_oid = tableoid, id = null, database_oid = null, system_identifier = null;
      end if;
    end $$`.execute(db)
    const minutesSince = (Date.now() - new Date(facts.madeAt).getTime()) / 60_000 - 1
    await sql`create or replace function almanac_now() returns timestamptz language sql stable parallel safe
      return date_trunc('milliseconds', clock_timestamp() - ${sql.lit(`${minutesSince} minutes`)}::interval)`.execute(
      db,
    )
    const settings = {
      ALMANAC_DATA_DIR: dataDir.path,
      ALMANAC_PORT: await freePort(),
      ALMANAC_SECRET_KEY: facts.secretKey,
      DATABASE_URL: database.url,
      ...(await withAnyRate(dataDir.path)),
    }
    // The API alone: a worker would meet networks that do not know the accounts of the dump.
    const api = await startAlmanac({ process: 'api', settings })
    running.push(api)
    // Only operators learn what an installation lacks.
    await db.updateTable('users').set({ is_operator: true }).where('email', '=', facts.filled.owner.email).execute()
    await work(api, facts)
    await api.stop()

    // What was begun is taken up: it was cut off in its visible call, so it is looked for and not sent again.
    const all = await startAlmanac({ settings })
    running.push(all)
    const inFlight = db.selectFrom('deliveries').select('state').where('post_set_id', '=', facts.filled.inFlight)
    const state = async () => (await inFlight.executeTakeFirstOrThrow()).state
    await vi.waitFor(async () => expect(await state()).not.toBe('SENDING'), { timeout: 90_000, interval: 100 })
    await all.stop()
    // No secret is left behind that the key of the dump does not open.
    for (const { stderr } of running) expect(stderr()).not.toContain('secret key')
    const clock = /CREATE OR REPLACE FUNCTION public\.almanac_now\(\)[^;]*;/.exec(await readFile(SCHEMA, 'utf8'))
    await sql.raw(clock?.[0] ?? '').execute(db)
    expect(flat(await dumpSchema(db))).toBe(flat(await readFile(SCHEMA, 'utf8')))
  } finally {
    for (const each of running) await each.stop()
    await db.destroy()
    await database.drop()
    await dataDir.remove()
  }
}

/** An account without publishing defaults may have some since: its network declares more. */
const withoutDefaults = (answers: object) =>
  JSON.parse(JSON.stringify(answers, (key, value) => (key === 'hasDefaults' && value === false ? undefined : value)))

/** Rows that are compared become one OR within another, which PostgreSQL flattens when it reads them again from a dump. */
const flat = (schema: string) => schema.replace(/^CREATE TRIGGER .*$/gm, (trigger) => trigger.replace(/[()]/g, ''))

const statusWith = async (url: string, key: string) =>
  (await fetch(`${url}/v1/social-sets`, { headers: { authorization: `Bearer ${key}` } })).status

async function signInTwice(url: string, { member }: Filled): Promise<Person> {
  const { email, password, secret, backupCodes } = member
  for (const code of [backupCodes[0], totp(secret)]) {
    const person = newPerson(url)
    expect(await person.ask('POST', '/internal/session', { email, password })).toEqual({ next: 'second-step' })
    await person.ask('POST', '/internal/session/second-step', { code })
    expect(await person.ask('GET', '/internal/session')).toMatchObject({ user: { email } })
    if (code !== backupCodes[0]) return person
  }
  throw new Error('There are two codes.')
}

// At once: each waits longest for the lease that a worker of the earlier version has left.
test.concurrent.each(part((await readdir(FOLDER)).sort(), 2))(
  'what was there after %s is there and works',
  async (name) => {
    await onUpgraded(name, async ({ url }, { filled, answers, madeAt }) => {
      const api = newPerson(url, filled.key)
      expect(await readAll(url, filled, new Date(madeAt))).toMatchObject(withoutDefaults(answers))

      const keys = [filled.key, filled.readingKey, filled.disabledKey, filled.revokedKey]
      expect(await Promise.all(keys.map((key) => statusWith(url, key)))).toEqual([200, 200, 401, 401])
      await signInTwice(url, filled)
      const { invitation: token, removed } = filled
      const looked = await newPerson(url).ask('POST', '/internal/invitations/look', { token })
      expect(looked).toMatchObject({ email: 'bob@example.com' })

      // The member who deleted them brings them back: with posts, media and labels, in the series that they were of.
      const owner = newPerson(url)
      await owner.ask('POST', '/internal/session', filled.owner)
      for (const id of [removed.draft, removed.scheduled, removed.occurrence]) {
        await owner.ask('POST', `/internal/post-sets/${id}/restore`)
      }
      await owner.ask('POST', `/internal/notes/${removed.note}/restore`)
      expect(await api.ask('GET', `/v1/post-sets/${removed.draft}`)).toMatchObject({
        status: 'DRAFT',
        labelsId: [expect.any(String)],
        posts: [{ media: [{ altText: 'Here' }] }, { media: [{}] }],
      })
      expect(await api.ask('GET', `/v1/post-sets/${removed.scheduled}`)).toMatchObject({ status: 'SCHEDULED' })
      expect(await api.ask('GET', `/v1/post-sets/${removed.occurrence}`)).toMatchObject({
        seriesId: expect.any(String),
      })
      expect(await api.ask('GET', `/v1/notes/${removed.note}`)).toMatchObject({ content: 'Deleted' })

      for (const address of [filled.sharedAddress, filled.feedAddress]) {
        if (address === undefined) continue
        const path = `${url}${new URL(address).pathname}`
        expect((await fetch(path, { redirect: 'manual' })).status).not.toBe(
          (await fetch(`${path}x`, { redirect: 'manual' })).status,
        )
      }

      const created = await api.ask('POST', '/v1/notes', {
        socialSetId: filled.socialSetId,
        content: 'After the upgrade',
        hexColor: '#faf785',
        scheduledAt: madeAt,
      })
      await owner.ask('DELETE', `/internal/notes/${created.id}`)
      await owner.ask('POST', `/internal/notes/${created.id}/restore`)
    })
  },
)
