import { Readable } from 'node:stream'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { newId } from '#domain'
import { CHORES, type Chore } from '#housekeeping'
import { copyMediaItems, insertSocialSet, readIdentity, unnamedFiles } from '#persistence'
import { sweepOrphans } from '../../src/housekeeping/sweep-orphans.ts'
import { NAMED_FILES } from '../../src/persistence/media-items.ts'
import { type ImportStage, openImportStage } from '../_util/engine/import-stage.ts'

type ListedFiles = Parameters<Chore['run']>[0]['files']

/** A file of two brands, with a small picture, a copy and a cover that both name. */
let stage: ImportStage
let files: ListedFiles
let keys: string[]
let here: string
let there: string
beforeEach(async () => {
  stage = await openImportStage()
  const { id } = await readIdentity(stage.db)
  const witness = { installation: id, content: { owner: true } } as Awaited<
    ReturnType<ListedFiles['witnesses']['read']>
  >[number]
  files = { ...stage.store, witnesses: { read: async () => [witness] } }
  await stage.startImporter()
  here = (await stage.ended(await stage.add(await stage.server.fixture('photo.jpg')))).media_id ?? ''
  const put = async () => (await stage.store.put(Readable.from([newId()]))).key
  const [copy, cover] = [await put(), await put()]
  await run(`insert into media_renditions (id, media_id, spec, facts, storage_key, created_at)
    values ('${newId()}', '${here}', 'small', '{}', '${copy}', now() - interval '1 year')`)
  await run(
    `insert into media_covers (media_id, at_ms, storage_key, state) values ('${here}', 1000, '${cover}', 'DRAWN')`,
  )
  const socialSetId = newId()
  await insertSocialSet(stage.db, { id: socialSetId, accountId: stage.accountId, name: 'Other', timezone: 'UTC' })
  there = (await copyMediaItems(stage.db, socialSetId, [here])).get(here) ?? ''
  const item = await stage.db.selectFrom('media_items').selectAll().where('id', '=', here).executeTakeFirstOrThrow()
  keys = [item.storage_key, item.thumbnail_key ?? '', copy, cover]
  await run(`update media_covers set created_at = now() - interval '1 day'`)
})
afterEach(() => stage.close())

const run = (statement: string) => sql.raw(statement).execute(stage.db)
/** Which are in the store, and not in its trash. */
async function present(): Promise<boolean[]> {
  const whole = new Set<string>()
  for await (const key of stage.store.list({ olderThanMs: 0 })) whole.add(key)
  return keys.map((key) => whole.has(key))
}
const chore = (name: string) =>
  CHORES.find((each) => each.name === name)?.run({ db: stage.db, files }, new AbortController().signal)
const ALL = [true, true, true, true]
const NONE = [false, false, false, false]
const deleteLongAgo = (...ids: string[]) =>
  sql`update media_items set closed_at = almanac_now() - interval '31 days' where id = any(${ids}::uuid[])`.execute(
    stage.db,
  )

describe('the bytes of a file of two brands', () => {
  test.each([
    ['the first', () => [here, there]],
    ['the second', () => [there, here]],
  ])('stay when %s lets go of it, and go with the other one', async (_, order) => {
    const [first = '', last = ''] = order()
    await deleteLongAgo(first)
    expect(await chore('deleted-media')).toBe(1)
    expect(await present()).toEqual(ALL)
    await deleteLongAgo(last)
    expect(await chore('deleted-media')).toBe(1)
    expect(await present()).toEqual(NONE)
  })

  test('go when both let go of it at once', async () => {
    await deleteLongAgo(here, there)
    await Promise.all([chore('deleted-media'), chore('deleted-media')])
    expect(await present()).toEqual(NONE)
  })

  test('are asked for behind the change: of two transactions at once, neither of which sees the other, the later one removes them', async () => {
    await deleteLongAgo(here)
    let emptied: Promise<unknown> | undefined
    await stage.db.transaction().execute(async (trx) => {
      // The other side lets go, and has not committed yet.
      await sql`update media_items set closed_at = almanac_now(), emptied_at = almanac_now(), thumbnail_key = null
        where id = ${there}`.execute(trx)
      await sql`delete from media_renditions where media_id = ${there}`.execute(trx)
      await sql`delete from media_covers where media_id = ${there}`.execute(trx)
      emptied = chore('deleted-media')
      await emptied
      expect(await present()).toEqual(ALL)
    })
    expect(await unnamedFiles(stage.db, keys)).toHaveLength(4)
    expect(await sweepOrphans({ db: stage.db, files }, { olderThanMs: 0 })).toBe(4)
    expect(await present()).toEqual(NONE)
  })

  test('of old copies and unused covers stay while the other brand names them', async () => {
    await run(`update media_renditions set created_at = now() where media_id = '${there}'`)
    expect(await chore('renditions')).toBe(1)
    expect(await present()).toEqual(ALL)
    await run(`update media_renditions set created_at = now() - interval '1 year'`)
    expect(await chore('renditions')).toBe(1)
    expect((await present())[2]).toBe(false)
    await run(`update media_covers set created_at = now() where media_id = '${there}'`)
    expect(await chore('covers')).toBe(1)
    expect((await present())[3]).toBe(true)
  })

  test('are swept when an account is deleted, and not while one row is left', async () => {
    const sweep = () => sweepOrphans({ db: stage.db, files }, { olderThanMs: 0 })
    expect(await sweep()).toBe(0)
    await run(`delete from media_uploads`)
    await run(`delete from media_items where id = '${here}'`)
    expect([await sweep(), await present()]).toEqual([0, ALL])
    await run(`delete from media_items`)
    await run(`delete from accounts where id = '${stage.accountId}'`)
    expect([await sweep(), await present()]).toEqual([4, NONE])
  })

  test('are in a backup once', async () => {
    const { rows } = await sql.raw<{ key: string }>(NAMED_FILES).execute(stage.db)
    expect(rows.map(({ key }) => key).sort()).toEqual([...keys].sort())
  })
})

test('a file that is being copied keeps what the chores would take', async () => {
  const socialSetId = newId()
  await insertSocialSet(stage.db, { id: socialSetId, accountId: stage.accountId, name: 'Third', timezone: 'UTC' })
  await stage.db.transaction().execute(async (trx) => {
    await copyMediaItems(trx, socialSetId, [here, there])
    // Held: skipped, and taken at the next run.
    expect([await chore('renditions'), await chore('covers')]).toEqual([0, 0])
  })
  expect(await present()).toEqual(ALL)
})
