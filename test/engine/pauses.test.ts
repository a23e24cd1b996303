import { sql } from 'kysely'
import { afterEach, expect, test } from 'vitest'
import { createEngine, type Engine, type EngineOptions } from '../_util/engine/engine.ts'
import { published, type Script, scriptedNetwork } from '../_util/engine/scripted-network.ts'

/** A network asks to wait: the posts of the same identity, or of the same app, wait with the one that has learned of it. */

const HOUR = 3_600_000
let engine: Engine
afterEach(() => engine.close())

/** Asks to wait for so many hours from now on, by the database's clock. */
const limited =
  (hours: number, scope?: 'identity' | 'app') =>
  ({ now }: { now(): Date }) =>
    ({
      kind: 'retry',
      notBefore: new Date(now().getTime() + hours * HOUR),
      from: 'publish',
      countsAsAttempt: false,
      message: 'Too many requests.',
      ...(scope ? { scope } : {}),
    }) as const

const perConnection = 2
async function start(script: Script, more: Partial<EngineOptions> = {}) {
  const network = scriptedNetwork({ name: 'bluesky', ...script })
  const other = scriptedNetwork({ name: 'threads', accountType: 'THREADS' })
  engine = await createEngine({ networks: [network, other], settings: { perConnection }, ...more })
  return { network, other }
}

const rounds = async (count: number) => {
  for (let round = 0; round < count; round++) {
    await engine.look()
    await engine.work()
  }
}
const sent = ({ calls }: { calls: string[] }) => calls.filter((call) => call === 'publish').length
const results = async () => {
  const rows = await engine.db.selectFrom('deliveries').select('result').where('state', '=', 'DONE').execute()
  return rows.map(({ result }) => result)
}

test('of fifty posts of an identity one learns that it has to wait, and the others make no call before', async () => {
  let isOver = false
  let refused = 0
  const { network, other } = await start({
    publish: [
      (attempt) => {
        if (isOver) return published
        refused += 1
        return limited(1, 'identity')(attempt)
      },
    ],
  })
  const beside = await engine.newAccount()
  await engine.pileUp({ count: 50, secondsAgo: 1 })
  await rounds(5)
  // What was in hand at the moment may have called, too.
  expect(sent(network)).toBe(refused)
  expect(refused).toBeGreaterThan(0)
  expect(refused).toBeLessThanOrEqual(perConnection)
  isOver = true

  // Another identity of the network, and another network of the same account.
  await engine.pileUp({ count: 3, socialSetId: beside.socialSetId })
  await engine.pileUp({ count: 3, accountType: 'THREADS' })
  await rounds(5)
  expect(sent(network)).toBe(refused + 3)
  expect(sent(other)).toBe(3)

  await engine.advance(HOUR - 60_000)
  await rounds(3)
  expect(sent(network)).toBe(refused + 3)
  await engine.advance(61_000)
  await engine.look()
  const together = await engine.take()
  expect(together.length).toBeLessThanOrEqual(perConnection)
  await Promise.all(together)
  await rounds(60)
  expect(sent(network)).toBe(refused + 3 + 50)
  expect(await results()).toHaveLength(56)
})

test('what is late and waits for a pause keeps nothing of the account back, and goes out behind it, however much it is', async () => {
  let isOver = false
  const { network, other } = await start(
    { publish: [(attempt) => (isOver ? published : limited(8, 'identity')(attempt))] },
    { settings: { perConnection: 20, claimedPerConnection: 20 } },
  )
  await engine.pileUp({ count: 150, secondsAgo: 100 })
  await rounds(3)
  // No more of them is claimed than may wait, and a batch.
  const scheduled = () => engine.db.selectFrom('post_sets').select('id').where('status', '=', 'SCHEDULED').execute()
  expect(await scheduled()).toHaveLength(50)
  await engine.pileUp({ count: 3, secondsAgo: 100, accountType: 'THREADS' })
  await rounds(3)
  expect(sent(other)).toBe(3)
  // Longer than a post may be late.
  isOver = true
  await engine.advance(8 * HOUR)
  const refused = sent(network)
  await rounds(12)
  expect(sent(network)).toBe(refused + 150)
  const ended = await results()
  expect(ended).toHaveLength(153)
  for (const result of ended) expect(result).toMatchObject({ status: 'POSTED' })
})

test('what was taken before the pause and begins behind it makes no call', async () => {
  const { network } = await start({ publish: [limited(1, 'identity'), published] })
  const first = await engine.schedule()
  const second = await engine.schedule()
  await engine.look()
  await engine.db
    .updateTable('network_identities')
    .set({ not_before: sql<Date>`almanac_now() + interval '1 minute'`, not_before_message: 'Too many requests.' })
    .where('network', '=', 'bluesky')
    .execute()
  await engine.work()
  expect(network.calls).toEqual([])
  for (const set of [first, second])
    expect(await engine.delivery(set)).toMatchObject({
      place: 'ASLEEP',
      attempts: 0,
      last_message: 'Too many requests.',
    })
})

test('a wait of one post keeps no other from going out', async () => {
  const { network } = await start({ publish: [limited(1), published] })
  await engine.pileUp({ count: 4 })
  await rounds(4)
  expect(sent(network)).toBe(4)
  expect(await results()).toHaveLength(3)
})

test('a limit of the app closes its lane for new work alone, and what is begun goes on', async () => {
  const { network, other } = await start({
    publish: [
      { kind: 'accepted', askAgainAt: new Date(Date.now() + 10_000) },
      { kind: 'unknown', message: 'No answer.' },
      limited(1, 'app'),
      published,
    ],
    find: [{ ...published, kind: 'found' }],
  })
  const beside = await engine.newAccount()
  for (let post = 0; post < 3; post++) {
    await engine.schedule()
    await engine.look()
    await engine.work()
  }
  await engine.pileUp({ count: 5 })
  await engine.pileUp({ count: 5, socialSetId: beside.socialSetId })
  await engine.pileUp({ count: 3, accountType: 'THREADS' })
  await rounds(5)
  expect(sent(network)).toBe(3)
  expect(sent(other)).toBe(3)
  await engine.advance(11_000)
  await rounds(2)
  expect(network.calls.slice(-2).sort()).toEqual(['confirm', 'find'])
  expect(sent(network)).toBe(3)
  await engine.advance(HOUR)
  await rounds(10)
  expect(sent(network)).toBe(3 + 1 + 10)
})

test('the app of the network is not that of the demo accounts', async () => {
  const { network } = await start({ publish: [limited(1, 'app'), published] })
  await engine.db.updateTable('network_identities').set({ sandbox: true }).execute()
  const beside = await engine.newAccount()
  await engine.schedule()
  await engine.drain()
  await engine.pileUp({ count: 3 })
  await engine.pileUp({ count: 3, socialSetId: beside.socialSetId })
  await engine.drain()
  expect(sent(network)).toBe(1 + 3)
})

test('nor is a limit of the app of the network theirs', async () => {
  const { network } = await start({ publish: [limited(1, 'app'), published] })
  const demo = await engine.newAccount()
  await engine.db.updateTable('network_identities').set({ sandbox: true }).where('id', '=', demo.identityId).execute()
  await engine.schedule()
  await engine.drain()
  await engine.pileUp({ count: 3 })
  await engine.pileUp({ count: 3, socialSetId: demo.socialSetId })
  await rounds(3)
  expect(sent(network)).toBe(1 + 3)
  const { rows } = await sql`
    select social_set_id = ${demo.socialSetId} as demo, count(*)::int as count
    from deliveries join post_sets on post_sets.id = post_set_id where result is not null group by 1`.execute(engine.db)
  expect(rows).toEqual([{ demo: true, count: 3 }])
})

test('a shorter pause does not end a longer one, and none is longer than a day', async () => {
  // Both are in hand before either has its answer.
  const second = Promise.withResolvers<void>()
  const { network } = await start({
    publish: [
      async (attempt) => {
        await second.promise
        return limited(2, 'identity')(attempt)
      },
      (attempt) => {
        second.resolve()
        return limited(1, 'identity')(attempt)
      },
      limited(90, 'identity'),
    ],
  })
  await engine.pileUp({ count: 2, secondsAgo: 1 })
  await rounds(2)
  expect(sent(network)).toBe(2)
  const hours = async () => {
    const { rows } = await sql<{ hours: number }>`
      select round(extract(epoch from not_before - almanac_now()) / 3600)::int as hours
      from network_identities where not_before is not null`.execute(engine.db)
    return rows[0]?.hours
  }
  expect(await hours()).toBe(2)
  await engine.advance(2 * HOUR)
  await rounds(2)
  expect(await hours()).toBe(24)
})

const waited = expect.stringContaining('The network made Almanac wait until it was too late for this post. Too many')

test.each(['identity', 'app'] as const)(
  'what an %s that is paused again and again has kept waiting for a day ends in words that say so',
  async (scope) => {
    const { network } = await start({ publish: [limited(7, scope)] })
    await engine.pileUp({ count: 6, secondsAgo: 1 })
    await rounds(3)
    for (let hours = 0; hours < 26; hours++) {
      await engine.advance(HOUR)
      await rounds(4)
    }
    const ended = await results()
    expect(ended).toHaveLength(6)
    for (const result of ended) expect(result).toMatchObject({ status: 'FAILED', message: waited })
    // At the beginning and after each pause, those that were in hand.
    expect(sent(network)).toBeLessThanOrEqual(4 * (scope === 'app' ? 6 : perConnection))
  },
)

test('a first comment of an identity that is paused is not made, and the post says so when the wait is too long for it', async () => {
  const { network } = await start({
    comment: [{ kind: 'retry', notBefore: null, from: 'publish', countsAsAttempt: true, message: 'Not now.' }],
  })
  const set = await engine.schedule()
  await engine.drain()
  const pausedUntil = sql<Date>`almanac_now() + interval '1 hour'`
  await engine.db
    .updateTable('network_identities')
    .set({ not_before: pausedUntil, not_before_message: 'Wait.' })
    .execute()
  await engine.advance(6_000)
  await engine.drain()
  expect(network.calls).toEqual(['prepare', 'publish', 'comment'])
  const warning = { code: 'post:follow_up_failed', message: expect.stringContaining('Wait.') }
  expect((await engine.set(set)).results).toMatchObject([{ status: 'POSTED', warnings: [warning] }])
})
