import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { newId } from '#domain'
import { CHORES, type Chore, createHousekeeper, type Housekeeper } from '#housekeeping'
import type { MediaSource } from '#networks'
import { purgeRemoved, unnamedFiles } from '#persistence'
import { explaining } from '../_util/database/explain.ts'
import { createEngine, type Engine } from '../_util/engine/engine.ts'
import { scriptedNetwork } from '../_util/engine/scripted-network.ts'

const DAY = 86_400_000
const SETTINGS = { tickMs: 1_000, leaseMs: 60_000, retryMs: 900_000 }

/** The scripted network reads no file. */
const NO_SOURCE = {} as MediaSource

let engine: Engine
let accountId: string
let removedFiles: string[]
const logged: { level: string; fields: object }[] = []
const housekeepers: Housekeeper[] = []

beforeEach(async () => {
  engine = await createEngine({
    networks: [scriptedNetwork({})],
    media: () => ({ mediaSources: async (ids) => new Map(ids.map((id) => [id, NO_SOURCE])) }),
  })
  accountId = (await engine.db.selectFrom('accounts').select('id').executeTakeFirstOrThrow()).id
  removedFiles = []
  logged.length = 0
})
afterEach(async () => {
  for (const housekeeper of housekeepers.splice(0)) await housekeeper.stop()
  await engine.close()
})

const noFiles = {
  list: async function* () {},
  remove: async (key: string) => void removedFiles.push(key),
  stat: async () => null,
}
const trash = { take: noFiles.remove, empty: async () => 0 }
const files = { ...noFiles, arriving: noFiles, trash, witnesses: { read: async () => [] } }
function keeper(chores: readonly Chore[] = CHORES): Housekeeper {
  const log = (level: string) => (fields: object) => void logged.push({ level, fields })
  const deps = { db: engine.db, files, settings: SETTINGS, log: { info: log('info'), error: log('error') } }
  const housekeeper = createHousekeeper({ ...deps, chores })
  housekeepers.push(housekeeper)
  return housekeeper
}
const chore = (name: string, run: Chore['run']): Chore => ({ name, what: '', kept: '', everyMs: DAY, run })
const run = (statement: string) => sql.raw(statement).execute(engine.db)
const count = async (from: string) => {
  const { rows } = await sql.raw<{ count: number }>(`select count(*)::int as count from ${from}`).execute(engine.db)
  return rows[0]?.count
}

test('the docs have a table of what is kept for how long', async () => {
  const docs = await readFile(join(import.meta.dirname, '../../docs/operating.md'), 'utf8')
  const [, section = ''] = docs.split('\n## What is kept for how long\n')
  const lines = (section.split('\n## ')[0] ?? '').split('\n').filter((line) => line.startsWith('| '))
  expect(lines.slice(2)).toEqual(CHORES.map(({ what, kept }) => `| ${what} | ${kept} |`))
  expect(new Set(CHORES.map(({ name }) => name)).size).toBe(CHORES.length)
})

test('each kind of rows goes when it is old, and not before', async () => {
  const user = newId()
  await run(`insert into users (id, name, email) values ('${user}', 'Ada', 'ada@example.test')`)
  await run(
    `insert into memberships (id, account_id, user_id, role) values (gen_random_uuid(), '${accountId}', '${user}', 'author')`,
  )
  const at = (days: number) => `almanac_now() - interval '${days} days' - interval '1 minute'`
  const place = `'${accountId}', '${engine.socialSetId}'`
  const feeds = [newId(), newId()]
  for (const [index, feed] of feeds.entries()) {
    await run(`insert into calendar_feeds (id, account_id, shared_calendar_id, token_hash)
      values ('${feed}', '${accountId}', gen_random_uuid(), '\\x0${index}')`)
  }
  const rows: [table: string, columns: string, old: string, young: string][] = [
    [
      'sessions',
      'id, token, user_id, expires_at',
      `gen_random_uuid(), 'a', '${user}', ${at(0)}`,
      `gen_random_uuid(), 'b', '${user}', ${at(-1)}`,
    ],
    [
      'verifications',
      'id, identifier, value, expires_at',
      `gen_random_uuid(), 'a', 'x', ${at(0)}`,
      `gen_random_uuid(), 'b', 'x', ${at(-1)}`,
    ],
    [
      'user_links',
      'token_hash, user_id, purpose, expires_at',
      `'\\x01', '${user}', 'password-reset', ${at(0)}`,
      `'\\x02', '${user}', 'password-reset', ${at(-1)}`,
    ],
    ['attempts', 'subject, tries, began_at', `'a', 1, ${at(1)}`, `'b', 1, ${at(0)}`],
    [
      'kept_calendar_feeds',
      'feed_id, version, etag, body, bytes, checked_at',
      `'${feeds[0]}', 'v', 'e', '', 0, ${at(7)}`,
      `'${feeds[1]}', 'v', 'e', '', 0, ${at(6)}`,
    ],
    [
      'watched_social_sets',
      'social_set_id, watched_until',
      `gen_random_uuid(), ${at(1)}`,
      `gen_random_uuid(), ${at(0)}`,
    ],
    ...(['accepted_at', 'revoked_at'] as const).map((end): [string, string, string, string] => [
      'invitations',
      `id, account_id, email, role, token_hash, inviter_name, expires_at, ${end}`,
      `gen_random_uuid(), '${accountId}', '${end}', 'owner', '${end} 1', 'Ada', ${at(-1)}, ${at(30)}`,
      `gen_random_uuid(), '${accountId}', '${end}', 'owner', '${end} 2', 'Ada', ${at(40)}, ${at(29)}`,
    ]),
    [
      'invitations',
      'id, account_id, email, role, token_hash, inviter_name, expires_at',
      `gen_random_uuid(), '${accountId}', 'c', 'owner', 'c', 'Ada', ${at(30)}`,
      `gen_random_uuid(), '${accountId}', 'd', 'owner', 'd', 'Ada', ${at(29)}`,
    ],
    [
      'media_uploads',
      'id, account_id, social_set_id, url, status, updated_at',
      `gen_random_uuid(), ${place}, 'x', 'FAILED', ${at(30)}`,
      `gen_random_uuid(), ${place}, 'x', 'READY', ${at(29)}`,
    ],
    [
      'media_uploads',
      'id, account_id, social_set_id, url, status, updated_at',
      `gen_random_uuid(), ${place}, 'x', 'READY', ${at(30)}`,
      `gen_random_uuid(), ${place}, 'x', 'PENDING', ${at(90)}`,
    ],
    // Whole ones, and what is left of those that were deleted.
    ...(
      [
        ['{}', 90],
        [null, 1],
      ] as const
    ).map(([content, days]): [string, string, string, string] => {
      const text = content === null ? 'null' : `'${content}'`
      const draft = `'${accountId}', '${user}', gen_random_uuid(), '${engine.socialSetId}', 1, '', ${text}`
      return [
        'kept_drafts',
        'account_id, user_id, id, social_set_id, sequence, excerpt, content, updated_at',
        `${draft}, ${at(days)}`,
        `${draft}, ${at(days - 1)}`,
      ]
    }),
    [
      'authorizations',
      'id, account_id, social_set_id, network, account_type, sandbox, state_hash, redirect_uri, expires_at',
      `gen_random_uuid(), ${place}, 'x', 'X', false, 'a', '', ${at(1)}`,
      `gen_random_uuid(), ${place}, 'x', 'X', false, 'b', '', ${at(0)}`,
    ],
    [
      'news',
      'id, account_id, social_set_id, kind, subject, created_at',
      `gen_random_uuid(), ${place}, 'POST_FAILED', 'x', ${at(90)}`,
      `gen_random_uuid(), ${place}, 'POST_FAILED', 'x', ${at(89)}`,
    ],
  ]
  const left = new Map<string, number>()
  const insert = (table: string, columns: string, values: string) =>
    run(`insert into ${table} (${columns}) values (${values})`)
  for (const [table, columns, , young] of rows) {
    await insert(table, columns, young)
    left.set(table, (left.get(table) ?? 0) + 1)
  }
  const expectLeft = async () => {
    for (const [table, expected] of left) expect([table, await count(table)]).toEqual([table, expected])
  }
  await keeper().runDue()
  await expectLeft()
  for (const [table, columns, old] of rows) await insert(table, columns, old)
  await run('update chores set next_at = almanac_now()')
  const other = newId()
  await run(`insert into users (id, name, email) values ('${other}', 'Bob', 'bob@example.test')`)
  await run(`insert into email_changes (user_id, email, requested_at) values
    ('${user}', 'a@example.test', ${at(14)}), ('${other}', 'b@example.test', ${at(13)})`)
  const key = newId()
  await run(`insert into api_keys (id, account_id, name, prefix, secret_hash, scopes)
    values ('${key}', '${accountId}', 'Key', 'alm_', '', '{}')`)
  await run(`insert into idempotency_keys (api_key_id, key, request_hash, status, headers, answered_at) values
    ('${key}', 'old', '', 201, '{}', ${at(1)}), ('${key}', 'young', '', 201, '{}', ${at(0)})`)

  await keeper().runDue()
  expect(logged.filter(({ level }) => level === 'error')).toEqual([])
  await expectLeft()
  expect(await count(`media_uploads where status = 'FAILED'`)).toBe(0)
  expect(await count(`email_changes where user_id = '${other}'`)).toBe(1)
  expect(await count('email_changes')).toBe(1)
  expect(await count('idempotency_keys')).toBe(1)
})

test('a delivery that ends keeps no handles, and those of earlier versions are emptied', async () => {
  const kept = async (id: string) => {
    const { state, handles } = await engine.delivery(id)
    return [state, handles]
  }
  const set = await engine.schedule()
  await engine.look()
  await run(`update deliveries set handles = '{"upload": "https://upload.example/token"}'`)
  await engine.drain()
  expect(await kept(set)).toEqual(['DONE', {}])
  await run(`update deliveries set handles = '{"upload": "https://upload.example/token"}'`)
  const open = await engine.schedule()
  await engine.look()
  await run(`update deliveries set handles = '{"upload": "open"}' where state <> 'DONE'`)
  await keeper().runDue()
  expect(await kept(set)).toEqual(['DONE', {}])
  expect(await kept(open)).toEqual(['PREPARING', { upload: 'open' }])
})

test('secrets of accounts that are connected nowhere are emptied a day later; one connected again keeps its own', async () => {
  const secrets = () => count('network_identities where secret is not null')
  await run(`update network_identities set updated_at = almanac_now() - interval '40 days', refreshed_at = null`)
  await keeper().runDue()
  expect(await secrets()).toBe(1)
  await run(`update connections set closed_at = almanac_now()`)
  await engine.advance(DAY / 2)
  await keeper().runDue()
  expect(await secrets()).toBe(1)
  await engine.advance(DAY)
  // It is being connected again at this moment: the row is held, and new afterwards.
  await engine.db.transaction().execute(async (trx) => {
    await sql`update network_identities set secret = '\\x01', updated_at = almanac_now()`.execute(trx)
    await keeper().runDue()
  })
  expect(await secrets()).toBe(1)
  await engine.advance(2 * DAY)
  await keeper().runDue()
  expect(await count('network_identities where secret is null and secret_key_id is null')).toBe(1)
})

test('copies for networks go when no post needs them, with their files', async () => {
  const add = async (days: number) => {
    const [media, key] = [newId(), newId()]
    await run(`insert into media_items (id, account_id, social_set_id, name, facts, bytes, sha256, storage_key, source)
      values ('${media}', '${accountId}', '${engine.socialSetId}', 'a', '{}', 1, '', '${newId()}', 'UPLOAD')`)
    await run(`insert into media_renditions (id, media_id, spec, facts, storage_key, created_at)
      values (gen_random_uuid(), '${media}', 'mp4', '{}', '${key}', almanac_now() - interval '${days} days')`)
    return { media, key }
  }
  const [unused, young, used] = [await add(31), await add(29), await add(31)]
  const set = await engine.schedule()
  await run(`insert into post_media (id, post_id, media_id, position)
    select gen_random_uuid(), id, '${used.media}', 0 from posts where post_set_id = '${set}'`)
  await engine.look()
  await keeper().runDue()
  expect(removedFiles).toEqual([unused.key])
  await engine.drain()
  await engine.advance(2 * DAY)
  await keeper().runDue()
  expect(removedFiles).toEqual([unused.key, young.key])
  await engine.advance(3 * DAY)
  await keeper().runDue()
  expect(removedFiles).toEqual([unused.key, young.key, used.key])
})

test('the history of a post set goes a year after the set', async () => {
  const [gone, kept] = [await engine.schedule(), await engine.schedule()]
  await engine.drain()
  await run(`delete from all_post_sets where id = '${gone}'`)
  await engine.advance(364 * DAY)
  await keeper().runDue()
  expect(await engine.history(gone)).not.toEqual([])
  await engine.advance(2 * DAY)
  await keeper().runDue()
  expect(await engine.history(gone)).toEqual([])
  expect(await engine.history(kept)).not.toEqual([])
  expect(await count('purged_post_sets')).toBe(0)
})

test('what was deleted in the dashboard is purged by its chore', async () => {
  const set = await engine.schedule({ at: '2090-01-01T00:00:00Z' })
  await run(`update all_post_sets set removed_at = almanac_now() - interval '31 days' where id = '${set}'`)
  await keeper().runDue()
  expect(await count(`all_post_sets where id = '${set}'`)).toBe(0)
  expect(await purgeRemoved(engine.db)).toBe(0)
})

test('one process at a time does a chore, and a restart does not repeat it', async () => {
  const begun = Promise.withResolvers<void>()
  const goOn = Promise.withResolvers<void>()
  let runs = 0
  const chores = [
    chore('slow', async () => {
      runs++
      begun.resolve()
      await goOn.promise
      return 1
    }),
  ]
  const first = keeper(chores).runDue()
  await begun.promise
  await keeper(chores).runDue()
  expect(runs).toBe(1)
  goOn.resolve()
  await first
  await keeper(chores).runDue()
  expect(runs).toBe(1)
  expect(await count(`chores where name = 'slow' and ran_at is not null and lease_owner is null`)).toBe(1)
  await engine.advance(DAY)
  await keeper(chores).runDue()
  expect(runs).toBe(2)
})

test('what a process cannot do is left to one that can, and keeps nothing else from it', async () => {
  const ran: string[] = []
  const sweep = (may: NonNullable<Chore['may']>, by: string): Chore => ({
    ...chore('sweep', async () => ran.push(by)),
    may,
  })
  const other = chore('other', async () => ran.push('other'))
  await keeper([sweep(async () => false, 'without the folder'), other]).runDue()
  const silent = async () => {
    throw new Error('The disk does not answer.')
  }
  await keeper([sweep(silent, 'without an answer')]).runDue()
  await keeper([sweep(async () => true, 'with the folder')]).runDue()
  expect(ran).toEqual(['other', 'with the folder'])
})

test('a chore that fails is put off while the others go on; what is broken off or left behind is taken up again', async () => {
  const ran: string[] = []
  const failing = chore('failing', async () => {
    ran.push('failing')
    throw new Error('No.')
  })
  const good = chore('good', async () => ran.push('good'))
  await keeper([failing, good]).runDue()
  await keeper([failing, good]).runDue()
  expect(ran.toSorted()).toEqual(['failing', 'good'])
  expect(logged.filter(({ level }) => level === 'error')).toMatchObject([{ fields: { chore: 'failing' } }])
  await engine.advance(SETTINGS.retryMs)
  await keeper([failing]).runDue()
  expect(ran.filter((name) => name === 'failing')).toHaveLength(2)

  const begun = Promise.withResolvers<void>()
  const long = chore('long', async (_, signal) => {
    begun.resolve()
    await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
    return 0
  })
  const stopped = keeper([long])
  stopped.start()
  await begun.promise
  await stopped.stop()
  expect(await count(`chores where name = 'long' and ran_at is null and lease_owner is null`)).toBe(1)

  await run(`update chores set lease_owner = 'dead', lease_until = almanac_now() + interval '5 minutes'
    where name = 'long'`)
  const after = chore('long', async () => ran.push('long'))
  await keeper([after]).runDue()
  expect(ran).not.toContain('long')
  await engine.advance(300_000)
  await keeper([after]).runDue()
  expect(ran).toContain('long')
})

test('a process that is older than the database does no chores', async () => {
  await run(`insert into migrations (name, timestamp) values ('9999-later', '')`)
  let runs = 0
  await keeper([chore('any', async () => ++runs)]).runDue()
  expect(runs).toBe(0)
})

test('files are compared with rows by indexes alone', async () => {
  await run(`insert into media_items
      (id, account_id, social_set_id, name, facts, bytes, sha256, storage_key, thumbnail_key, source)
    select gen_random_uuid(), '${accountId}', '${engine.socialSetId}', 'a', '{}', 1, '', md5(n::text), md5('t' || n), 'UPLOAD'
    from generate_series(1, 20000) as n`)
  await run('analyze media_items')
  const { db, plan } = explaining(engine.db)
  const keys = Array.from({ length: 500 }, () => newId())
  await unnamedFiles(db, keys)
  expect(plan()).toContain('media_items_thumbnail')
  expect(plan()).not.toContain('Seq Scan on media_items')
})
