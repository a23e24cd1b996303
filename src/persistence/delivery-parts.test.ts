import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  DELIVERY_STATES,
  type DeliveryPolicy,
  type DeliveryState,
  deliveryDefaults,
  deliveryPolicy,
  followUpRules,
  isBegun,
  newId,
  STAGES,
  type Stage,
  stateOf,
} from '#domain'
import { createDatabaseBefore } from '../../test/_util/database/database-before.ts'
import { type Database, type DeliveryRow, endedParts, migrate, partsToStore, titleOfPart } from './index.ts'

/** What a database of before 0063 has, and what workers of then and now make of each other's rows. */

const OLD_STATES = [
  ...['PREPARING', 'READY', 'SENDING', 'CONFIRMING', 'LOOKING_UP'],
  ...['FOLLOW_UP', 'FOLLOW_UP_SENDING', 'FOLLOW_UP_LOOKING_UP', 'DONE'],
] as DeliveryState[]

let db: Database
let drop: () => Promise<void>
beforeAll(async () => {
  const before = await createDatabaseBefore('0063')
  ;({ db, drop } = before)
  for (const state of OLD_STATES) await insertAsBefore(state)
  await migrate(before.url)
}, 60_000)
afterAll(() => drop?.())

/** As a worker of a version before has written it. */
async function insertAsBefore(state: DeliveryState): Promise<void> {
  const [account, socialSet, set, post] = [newId(), newId(), newId(), newId()]
  await sql`insert into accounts (id, name, slug, plan) values (${account}, 'Brand', ${account}, 'SCALE')`.execute(db)
  await sql`
    insert into social_sets (id, account_id, name, timezone) values (${socialSet}, ${account}, 'Brand', 'UTC')`.execute(
    db,
  )
  await sql`
    insert into post_sets (id, account_id, social_set_id, scheduled_at, status, approval)
    values (${set}, ${account}, ${socialSet}, almanac_now(), ${state === 'DONE' ? 'PUBLISHED' : 'PUBLISHING'}, 'NONE')`.execute(
    db,
  )
  await sql`
    insert into posts (id, post_set_id, social_set_id, position, account_type, caption, fields)
    values (${post}, ${set}, ${socialSet}, 0, 'BLUESKY', 'Bread', '{}')`.execute(db)
  const fenced = isBegun(state)
  const behind = state.startsWith('FOLLOW_UP')
  await sql`
    insert into deliveries (id, post_set_id, post_id, content_version, account_type, state, next_at, gives_up_at, account_id, lane,
      place, first_fenced_at, fenced_at, handles, result, finished_at)
    values (${newId()}, ${set}, ${post}, 1, 'BLUESKY', ${state}, almanac_now(), almanac_now() + interval '1 day', ${account},
      'bluesky', ${state === 'DONE' ? null : fenced ? 'UNDER_WAY' : 'WAITING'},
      case when ${fenced} then almanac_now() end, case when ${fenced} then almanac_now() end,
      ${behind ? '{"providerId": "1", "permalink": "https://example.test/1"}' : '{}'}::jsonb,
      case when ${state === 'DONE'} then '{"status": "POSTED", "providerId": "2"}'::jsonb end,
      case when ${state === 'DONE'} then almanac_now() end)`.execute(db)
}

test.each(OLD_STATES)(
  'a delivery that is %s stays what it was, and its post is known when it is behind it',
  async (state) => {
    const row = await db.selectFrom('deliveries').selectAll().where('state', '=', state).executeTakeFirstOrThrow()
    const behind = state.startsWith('FOLLOW_UP')
    expect(row.parts).toEqual([])
    expect(endedParts(row)).toEqual(
      behind
        ? [{ outcome: 'live', providerId: '1', permalink: 'https://example.test/1', endedAt: row.updated_at }]
        : [],
    )
    if (behind) expect(titleOfPart(row)).toBe('first comment')
  },
)

test('each state can be stored, and no other', async () => {
  const any = db.selectFrom('deliveries').select('id').where('finished_at', 'is', null).limit(1)
  for (const state of DELIVERY_STATES.filter((each) => each !== 'DONE'))
    await db.updateTable('deliveries').set({ state }).where('id', '=', any).execute()
  const other = db
    .updateTable('deliveries')
    .set({ state: 'PART' as DeliveryState })
    .where('id', '=', any)
  await expect(other.execute()).rejects.toThrow(/deliveries_state_check/)
})

/** The states that a delivery can come to behind its post. */
function statesOf(policy: DeliveryPolicy): DeliveryState[] {
  return policy.parts.slice(1).flatMap(({ prepares, confirms }, at) => {
    const ended = Array.from({ length: at + 1 }, () => endedPart)
    const has = (stage: Stage) => (stage !== 'PREPARING' || prepares) && (stage !== 'CONFIRMING' || confirms)
    return STAGES.filter(has).map((stage) => stateOf({ stage, ended }, policy))
  })
}
const endedPart = { outcome: 'live', providerId: '1', permalink: null, endedAt: new Date(0) } as const
const policyOf = (...parts: ReturnType<typeof followUpRules>[]) =>
  deliveryPolicy(deliveryDefaults, { listingDelayMs: 0, parts })
const comment = followUpRules('first comment')

test('a worker of a version before knows every state of a post with a first comment', () => {
  expect(OLD_STATES).toEqual(expect.arrayContaining(statesOf(policyOf(comment))))
})

test.each([
  ['of a thread', policyOf({ ...comment, stopsRest: true })],
  ['that is made ready first', policyOf({ ...comment, prepares: true })],
  ['that is asked about', policyOf({ ...comment, confirms: true })],
])('it knows no state of a part %s', (_, policy) => {
  expect(statesOf(policy).filter((state) => OLD_STATES.includes(state))).toEqual([])
})

test('nor does it know one of two comments: it would end the delivery with the first', () => {
  expect(statesOf(policyOf(comment, comment)).filter((state) => OLD_STATES.includes(state))).toEqual([])
})

test('parts come back from the table as they were stored', () => {
  const ended = [endedPart, { outcome: 'unsure', providerId: null, permalink: null, endedAt: new Date(1) } as const]
  const parts = partsToStore(
    ended,
    ['post', 'part 2', 'part 3'].map((title) => ({ title })),
  )
  const row = {
    state: 'PART_READY',
    handles: {},
    parts: JSON.parse(JSON.stringify(parts)),
    updated_at: new Date(),
  } as DeliveryRow
  expect(endedParts(row)).toEqual(ended)
  expect(titleOfPart(row)).toBe('part 3')
})
