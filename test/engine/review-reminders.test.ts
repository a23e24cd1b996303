import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Approval, PostSetStatus, Role } from '#contract'
import { newId } from '#domain'
import { createHousekeeper, DUTIES } from '#housekeeping'
import { type DueReminder, takeDueReminders } from '#persistence'
import { createEngine, type Engine } from '../_util/engine/engine.ts'
import { scriptedNetwork } from '../_util/engine/scripted-network.ts'

const HOUR_MS = 3_600_000
let engine: Engine
let accountId: string
let author: string
beforeEach(async () => {
  engine = await createEngine({ networks: [scriptedNetwork({})] })
  accountId = (await engine.db.selectFrom('accounts').select('id').executeTakeFirstOrThrow()).id
  author = await member('author')
})
afterEach(() => engine.close())

async function member(role: Role, socialSetIds: string[] | null = null): Promise<string> {
  const id = newId()
  await engine.db
    .insertInto('users')
    .values({ id, name: 'Ada', email: `${id}@example.invalid` })
    .execute()
  const membership = { id: newId(), account_id: accountId, user_id: id, role, social_set_ids: socialSetIds }
  await engine.db.insertInto('memberships').values(membership).execute()
  return id
}

/** A set that waits for a review, so many hours before its time, asked so many hours ago. */
async function waiting(given: {
  hours: number
  asked?: number
  approval?: Approval
  status?: PostSetStatus
}): Promise<string> {
  const { hours, asked = 100, approval = 'PENDING', status = 'SCHEDULED' } = given
  const id = await engine.schedule({ at: '2090-01-01T00:00:00Z' })
  await sql`
    update post_sets set status = ${status}, approval = ${approval},
      scheduled_at = almanac_now() + ${hours} * interval '1 hour' where id = ${id}`.execute(engine.db)
  await sql`
    insert into history (id, account_id, post_set_id, actor_type, actor_id, actor_name, action, at, changes)
    values (gen_random_uuid(), ${accountId}, ${id}, 'USER', ${author}, 'Ada', 'created',
      almanac_now() - ${asked} * interval '1 hour', jsonb_build_object('approval', ${approval}::text))`.execute(
    engine.db,
  )
  return id
}

/** Another text, as history has it. */
const edit = (id: string, by: string) =>
  sql`
    insert into history (id, account_id, post_set_id, actor_type, actor_id, actor_name, action, changes)
    values (gen_random_uuid(), ${accountId}, ${id}, 'USER', ${by}, 'Ed', 'updated', '{"posts": {"order": []}}')`.execute(
    engine.db,
  )

const take = (): Promise<DueReminder[]> => engine.db.transaction().execute((trx) => takeDueReminders(trx, 100))
const stepsOf = (due: readonly DueReminder[]) => due.map(({ postSetId, hours }) => [postSetId, hours])
const later = (id: string, hours: number) =>
  sql`update post_sets set scheduled_at = almanac_now() + ${hours} * interval '1 hour' where id = ${id}`.execute(
    engine.db,
  )

describe('a reminder', () => {
  test('approval-11: comes 48, 24 and 3 hours before, the last step that is due, and each once', async () => {
    const id = await waiting({ hours: 49 })
    expect(await take()).toEqual([])
    for (const [hours, step] of [
      [1.1, 48],
      [24, 24],
      [21, 3],
    ] as const) {
      await engine.stepDatabase(hours * HOUR_MS)
      expect(stepsOf(await take())).toEqual([[id, step]])
      expect(await take()).toEqual([])
    }
    await engine.stepDatabase(3 * HOUR_MS)
    expect(await take()).toEqual([])
  })

  test('is not given for steps that were missed, nor to who was asked a moment ago', async () => {
    const missed = await waiting({ hours: 2 })
    expect(stepsOf(await take())).toEqual([[missed, 3]])
    const asked = await waiting({ hours: 20, asked: 0 })
    expect(await take()).toEqual([])
    const earlier = await waiting({ hours: 20, asked: 5 })
    expect(stepsOf(await take())).toEqual([[earlier, 24]])
    expect(asked).not.toBe(earlier)
  })

  test('approval-11: of a set that is moved comes by its new time, and not again for the old one', async () => {
    const id = await waiting({ hours: 20 })
    expect(stepsOf(await take())).toEqual([[id, 24]])
    const before = await engine.db
      .selectFrom('post_sets')
      .select('scheduled_at')
      .where('id', '=', id)
      .executeTakeFirst()
    await later(id, 100)
    expect(await take()).toEqual([])
    await later(id, 22)
    expect(stepsOf(await take())).toEqual([[id, 24]])
    await engine.db.updateTable('post_sets').set({ scheduled_at: before?.scheduled_at }).where('id', '=', id).execute()
    expect(await take()).toEqual([])
  })

  test('is of what waits: drafts too, and nothing that was decided, removed or is being published', async () => {
    const draft = await waiting({ hours: 10, status: 'DRAFT' })
    const external = await waiting({ hours: 11, approval: 'EXTERNAL_PENDING' })
    for (const approval of ['NONE', 'APPROVED', 'DENIED'] as const) await waiting({ hours: 10, approval })
    for (const status of ['PUBLISHING', 'PUBLISHED'] as const) await waiting({ hours: 10, status })
    const removed = await waiting({ hours: 10, status: 'DRAFT' })
    await sql`update all_post_sets set removed_at = almanac_now() where id = ${removed}`.execute(engine.db)
    expect(stepsOf(await take())).toEqual([
      [draft, 24],
      [external, 24],
    ])
  })

  test('is for those who may approve it and have not; of what waits for the client, for who asked', async () => {
    await sql`update social_sets set approval_rule = 'REQUIRED', approval_reviewers = 2`.execute(engine.db)
    const editor = await member('editor')
    const reviewer = await member('reviewer')
    await member('reviewer', [newId()])
    await waiting({ hours: 10 })
    expect((await take()).map(({ userIds }) => userIds)).toEqual([[editor, reviewer].toSorted()])
    const voted = await waiting({ hours: 10 })
    await sql`
      insert into review_decisions (post_set_id, sequence, social_set_id, decision, step, actor_type, actor_id,
        content_version, decided_at, latest)
      select ${voted}, sequence, ${engine.socialSetId}, 'APPROVED', 'TEAM', 'USER', ${editor}, 1, almanac_now(), true
      from review_requests where post_set_id = ${voted}`.execute(engine.db)
    expect((await take()).map(({ userIds }) => userIds)).toEqual([[reviewer]])
    await waiting({ hours: 10, approval: 'EXTERNAL_PENDING' })
    expect((await take()).map(({ external, userIds }) => ({ external, userIds }))).toEqual([
      { external: true, userIds: [author] },
    ])
    // An author who reviews is asked about what another has changed last; where no one is left, an admin is.
    await sql`update memberships set role = 'editor' where user_id = ${author}`.execute(engine.db)
    const own = await waiting({ hours: 10 })
    expect((await take())[0]?.userIds).not.toContain(author)
    await edit(own, editor)
    await later(own, 9)
    const [again] = await take()
    expect(again?.userIds).toContain(author)
    expect(again?.userIds).not.toContain(editor)
    await sql`update memberships set role = 'admin' where user_id = ${author}`.execute(engine.db)
    await sql`delete from memberships where user_id <> ${author}`.execute(engine.db)
    await waiting({ hours: 10 })
    expect((await take())[0]?.userIds).toEqual([author])
  })

  test('that was not reported is due again, and one that another process takes is left', async () => {
    const id = await waiting({ hours: 10 })
    const failing = engine.db.transaction().execute(async (trx) => {
      expect(stepsOf(await takeDueReminders(trx, 10))).toEqual([[id, 24]])
      // Meanwhile the row is held: another process leaves it.
      expect(await take()).toEqual([])
      throw new Error('Reporting failed.')
    })
    await expect(failing).rejects.toThrow('Reporting failed.')
    expect(stepsOf(await take())).toEqual([[id, 24]])
  })
})

test('approval-11: housekeeping gives them, in one process at a time, and after a restart not again', async () => {
  for (let nth = 0; nth < 60; nth++) await waiting({ hours: 10 + nth / 10 })
  const lines: string[] = []
  const log = {
    info: (_: object, message: string) => void lines.push(message),
    error: (fields: object) => lines.push(JSON.stringify(fields)),
  }
  const none = { list: async function* () {}, remove: async () => {} }
  const trash = { take: none.remove, empty: async () => 0 }
  const files = { ...none, stat: async () => null, arriving: none, trash, witnesses: { read: async () => [] } }
  const settings = { tickMs: 1_000, leaseMs: 5_000, retryMs: 1_000 }
  const keeper = () => createHousekeeper({ db: engine.db, files, settings, log, chores: DUTIES })
  await Promise.all([keeper().runDue(), keeper().runDue()])
  const given = () => engine.db.selectFrom('review_reminders').selectAll().execute()
  expect(await given()).toHaveLength(60)
  expect(lines).toEqual(['Reminders of reviews were given'])
  await sql`update chores set next_at = almanac_now()`.execute(engine.db)
  await keeper().runDue()
  expect(await given()).toHaveLength(60)
  expect(lines).toHaveLength(1)
})

test('the due steps are found by an index', async () => {
  await sql`
    insert into post_sets (id, account_id, social_set_id, scheduled_at, status, approval)
    select gen_random_uuid(), ${accountId}, ${engine.socialSetId}, almanac_now() + n * interval '1 minute',
      'SCHEDULED', case when n % 20 = 0 then 'PENDING' else 'NONE' end from generate_series(1, 20000) as n`.execute(
    engine.db,
  )
  await sql`analyze all_post_sets`.execute(engine.db)
  const { rows } = await sql<{ 'QUERY PLAN': string }>`
    explain select id from post_sets where approval in ('PENDING', 'EXTERNAL_PENDING') and status in ('DRAFT', 'SCHEDULED')
      and scheduled_at > almanac_now() and scheduled_at <= almanac_now() + interval '48 hours'
    order by scheduled_at limit 50`.execute(engine.db)
  expect(rows.map((row) => row['QUERY PLAN']).join('\n')).toContain('post_sets_reminded')
})
