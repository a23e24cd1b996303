import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { given, rightsOf, SHIPPED_PLANS } from '#contract'
import { newId } from '#domain'
import { givePositions } from '#events'
import { type Caller, retryPostSet } from '#operations'
import { listEvents } from '#persistence'
import type { Engine } from '../_util/engine/engine.ts'
import { accountOf, holdEngines } from '../_util/engine/holds.ts'
import { published } from '../_util/engine/scripted-network.ts'

/** What the publisher does is said as it is when it is done, also where its statements write history beside the change itself. */

const { start, startTwo } = holdEngines()

async function eventsOf(engine: Engine) {
  while ((await givePositions(engine.db)) > 0);
  const visible = { accountId: await accountOf(engine), socialSetIds: null }
  const page = await listEvents(engine.db, visible, { after: 0, types: [], socialSetId: null, limit: 200 })
  return (page?.rows ?? []).filter(({ type }) => type.startsWith('post'))
}

const refused = { kind: 'refused', reason: 'ACTION_BLOCKED', message: 'Not today.' } as const

test('a set that goes out: publishing, a result for each post, published; a retry has another result with the next attempt', async () => {
  const { engine } = await startTwo({ publish: [refused, published] })
  const set = await engine.schedule({ accountTypes: ['BLUESKY', 'THREADS'] })
  await engine.drain()
  const events = await eventsOf(engine)
  expect(events.map(({ type }) => type).toSorted()).toEqual([
    'post.failed',
    'post.posted',
    'post_set.published',
    'post_set.publishing',
  ])
  expect([events[0]?.type, events.at(-1)?.type]).toEqual(['post_set.publishing', 'post_set.published'])
  expect(events[0]?.data).toMatchObject({
    postSetId: set,
    status: 'PUBLISHING',
    actor: { kind: 'PUBLISHER' },
    posts: [
      { accountType: 'BLUESKY', result: null },
      { accountType: 'THREADS', result: null },
    ],
  })
  const { version } = await engine.db.selectFrom('post_sets').select('version').executeTakeFirstOrThrow()
  expect(events.at(-1)?.data).toMatchObject({
    status: 'PUBLISHED',
    version,
    posts: [{ result: 'POSTED' }, { result: 'FAILED' }],
  })
  const failed = events.find(({ type }) => type === 'post.failed')
  expect(failed?.data).toMatchObject({ accountType: 'THREADS', result: 'FAILED', attempt: 1 })

  const caller: Caller = {
    accountId: await accountOf(engine),
    actor: { type: 'USER', id: newId(), name: 'Ada' },
    rights: rightsOf('editor'),
    socialSetIds: null,
    plan: SHIPPED_PLANS.SCALE,
    member: { userId: newId(), sessionId: newId(), role: 'editor', operator: false },
  }
  await retryPostSet(engine, caller, set, given({}))
  await engine.drain()
  const later = (await eventsOf(engine)).slice(events.length)
  expect(later.map(({ type }) => type)).toEqual(['post_set.updated', 'post.posted'])
  expect(later.at(-1)?.data).toMatchObject({
    postId: failed?.data.postId,
    accountType: 'THREADS',
    result: 'POSTED',
    attempt: 2,
  })
  expect(later.at(-1)?.data).toMatchObject({ posts: [{ result: 'POSTED' }, { result: 'POSTED' }] })
})

test('a set that is too late to begin: a failure for each post', async () => {
  const { engine } = await start({ publish: [published] })
  const set = await engine.schedule()
  await sql`
    update all_post_sets set scheduled_at = almanac_now() - interval '30 days', schedule_requested_at = almanac_now() - interval '30 days'`.execute(
    engine.db,
  )
  await engine.drain()
  const events = await eventsOf(engine)
  expect(events.map(({ type }) => type).toSorted()).toEqual([
    'post.failed',
    'post_set.published',
    'post_set.publishing',
  ])
  const failed = events.find(({ type }) => type === 'post.failed')
  expect(failed?.data).toMatchObject({ postSetId: set, accountType: 'BLUESKY', result: 'FAILED', attempt: 1 })
})
