import { sql } from 'kysely'
import { afterEach, expect, test } from 'vitest'
import { given, SHIPPED_PLANS } from '#contract'
import { type Caller, updateSocialSet } from '#operations'
import { createEngine, type Engine } from '../_util/engine/engine.ts'
import { scriptedNetwork } from '../_util/engine/scripted-network.ts'

/** A change of the timezone of a brand with many posts: one change to every reader, in statements that are bounded. */

let engine: Engine
afterEach(() => engine.close())

async function start(): Promise<() => ReturnType<typeof updateSocialSet>> {
  engine = await createEngine({ networks: [scriptedNetwork({ name: 'bluesky' })] })
  const { account_id: accountId } = await engine.db
    .selectFrom('social_sets')
    .select('account_id')
    .where('id', '=', engine.socialSetId)
    .executeTakeFirstOrThrow()
  const caller: Caller = {
    accountId,
    actor: { type: 'OPERATOR', id: null, name: 'operator' },
    rights: ['social-sets:manage'],
    socialSetIds: null,
    plan: SHIPPED_PLANS.SCALE,
    member: null,
  }
  const body = given({ timezone: 'America/New_York', keep: 'clock' as const })
  return () => updateSocialSet({ db: engine.db }, caller, engine.socialSetId, body)
}

test('many sets are moved in several statements, and all of them or none', async () => {
  const change = await start()
  await engine.pileUp({ count: 4_500, secondsAgo: -10_000_000 })
  await sql`create table statements (rows bigint)`.execute(engine.db)
  await sql`create table breaks as select true as at_third`.execute(engine.db)
  await sql`create function count_rows() returns trigger language plpgsql as $$
    begin
      insert into statements select count(*) from moved;
      if (select count(*) from statements) = 3 and (select at_third from breaks) then raise 'broken'; end if;
      return null;
    end $$`.execute(engine.db)
  await sql`create trigger counted after update on all_post_sets referencing new table as moved for each statement
    execute function count_rows()`.execute(engine.db)
  const moved = () => engine.db.selectFrom('history').select('id').where('action', '=', 'updated').execute()

  await expect(change()).rejects.toThrow('broken')
  expect(await moved()).toEqual([])
  await sql`update breaks set at_third = false`.execute(engine.db)
  expect(await change()).toMatchObject({ moved: { postSets: 4_500 } })
  expect(await moved()).toHaveLength(4_500)
  const { rows } = await sql<{ rows: number }>`select rows::int from statements`.execute(engine.db)
  expect(rows.map(({ rows }) => rows)).toEqual([2_000, 2_000, 500])
})

test('a set that is due is claimed while the rest of its brand is moved', async () => {
  const change = await start()
  await engine.pileUp({ count: 10, secondsAgo: -10_000_000 })
  const due = await engine.schedule()
  // A claim that has its row, and one that comes while the change is not committed.
  await engine.db.transaction().execute(async (trx) => {
    await sql`select from post_sets where id = ${due} for update`.execute(trx)
    expect(await change()).toMatchObject({ moved: { postSets: 10, staying: 1 } })
  })
  await engine.drain()
  expect((await engine.set(due)).status).toBe('PUBLISHED')
})
