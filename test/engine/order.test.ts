import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterEach, expect, test } from 'vitest'
import { createEngine, type Engine } from '../_util/engine/engine.ts'
import { published, scriptedNetwork } from '../_util/engine/scripted-network.ts'

/** In which order the posts of a connection begin: by their time, and a pile of late ones does not keep back the day. */

let engine: Engine
afterEach(() => engine.close())

async function start(callMs: number): Promise<void> {
  const publish = async () => {
    await pause(callMs)
    return published
  }
  const network = scriptedNetwork({ name: 'bluesky', publish: [publish] })
  engine = await createEngine({ networks: [network], settings: { slots: 200, slotsPerNetwork: 10, perConnection: 2 } })
}

/** Sets of a brand, one every so many seconds up to now, as a client has asked for them so long ago. */
async function scheduleMany(
  socialSetId: string,
  { count, everySeconds, requestedSecondsAgo }: { count: number; everySeconds: number; requestedSecondsAgo: number },
): Promise<void> {
  await sql`
    with sets as (
      insert into post_sets (id, account_id, social_set_id, scheduled_at, schedule_requested_at, status, approval)
      select gen_random_uuid(), account_id, id, almanac_now() - number * ${everySeconds} * interval '1 second',
        almanac_now() - ${requestedSecondsAgo} * interval '1 second', 'SCHEDULED', 'NONE'
      from social_sets, generate_series(1, ${count}::int) as number where social_sets.id = ${socialSetId}
      returning id, social_set_id
    )
    insert into posts (id, post_set_id, social_set_id, position, account_type, caption, fields)
    select gen_random_uuid(), id, social_set_id, 0, 'BLUESKY', 'hello', '{}' from sets`.execute(engine.db)
}

async function untilPublished(count: number): Promise<void> {
  await expect
    .poll(
      async () => (await engine.db.selectFrom('deliveries').select('id').where('state', '=', 'DONE').execute()).length,
    )
    .toBe(count)
}

test('after ten minutes without a worker the posts of each connection begin by their time', async () => {
  await start(30)
  const other = await engine.newAccount()
  const brands = [engine, await engine.newBrand(), await engine.newBrand(), await engine.newBrand(), other]
  for (const { socialSetId } of brands) {
    await scheduleMany(socialSetId, { count: 30, everySeconds: 20, requestedSecondsAgo: 86_400 })
  }
  engine.start()
  await untilPublished(30 * brands.length)
  const { rows } = await sql<{ younger: number; older: number }>`
    select extract(epoch from now() - younger.due_at)::int as younger, extract(epoch from now() - older.due_at)::int as older
    from deliveries as younger join deliveries as older on older.connection_id = younger.connection_id
    where younger.first_fenced_at < older.first_fenced_at and younger.due_at > older.due_at + interval '1 minute'`.execute(
    engine.db,
  )
  expect(rows).toEqual([])
})

test.each([
  { which: 'times that have passed when they are asked for', requestedSecondsAgo: 0 },
  { which: 'posts that no worker was there for', requestedSecondsAgo: 86_400 },
])('many $which leave every second turn of their connection to what is on time', async ({ requestedSecondsAgo }) => {
  await start(20)
  await scheduleMany(engine.socialSetId, { count: 400, everySeconds: 10, requestedSecondsAgo })
  engine.start()
  const late = async () =>
    (await engine.db.selectFrom('deliveries').select('id').where('state', '=', 'DONE').execute()).length
  await expect.poll(late).toBeGreaterThan(5)
  const ids = await Promise.all(Array.from({ length: 20 }, () => engine.schedule()))
  const before = await late()
  const isDone = async (id: string) => (await engine.set(id)).status === 'PUBLISHED'
  await expect.poll(async () => (await Promise.all(ids.map(isDone))).every(Boolean), { interval: 20 }).toBe(true)
  // As many late ones have gone on meanwhile, more or less.
  const meanwhile = (await late()) - before - ids.length
  expect(meanwhile).toBeGreaterThan(5)
  expect(meanwhile).toBeLessThan(80)
})
