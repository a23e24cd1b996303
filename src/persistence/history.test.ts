import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '#domain'
import { createDatabase } from '../../test/_util/database/database.ts'
import { createDatabaseBefore } from '../../test/_util/database/database-before.ts'
import { openDatabase } from './database.ts'
import { addHistory, listHistory } from './history.ts'
import { migrate } from './migrate.ts'

let database: Awaited<ReturnType<typeof createDatabaseBefore>>
beforeAll(async () => {
  database = await createDatabaseBefore('0012-')
})
afterAll(() => database.drop())

test('rows that were stored before actions had schemas are read', async () => {
  const { db, url } = database
  const [account, set] = [randomUUID(), randomUUID()]
  const label = { id: randomUUID(), name: 'Spring' }
  const rows: [action: string, changes: object][] = [
    ['created', { status: 'SCHEDULED', scheduledAt: '2030-06-01T10:00:00.000Z' }],
    ['locked', {}],
    ['unlocked', {}],
    ['label added', { label }],
    ['changes requested', { approval: { from: 'PENDING', to: 'DENIED' }, message: 'Shorter' }],
    ['updated', { scheduledAt: { from: '2030-06-01T10:00:00.000Z', to: '2030-06-02T10:00:00.000Z' }, more: 1 }],
    ['publishing', { status: ['SCHEDULED', 'PUBLISHING'] }],
    ['published', { status: ['PUBLISHING', 'PUBLISHED'] }],
    ['said hello', { to: 'everybody' }],
  ]
  await sql`insert into accounts (id, name, slug, plan) values (${account}, 'A', 'a', 'PRO')`.execute(db)
  for (const [action, changes] of rows) {
    await sql`insert into history (id, account_id, post_set_id, actor_type, actor_name, action, changes)
      values (${randomUUID()}, ${account}, ${set}, 'OPERATOR', 'operator', ${action}, ${JSON.stringify(changes)})`.execute(
      db,
    )
  }
  await migrate(url)
  const read = await listHistory(db, set)
  expect(read.map(({ action, changes }) => [action, changes])).toEqual([
    ...rows.slice(0, -3),
    ['publishing', { status: { from: 'SCHEDULED', to: 'PUBLISHING' } }],
    ['published', { status: { from: 'PUBLISHING', to: 'PUBLISHED' } }],
    ['other', { name: 'said hello' }],
  ])
})

test('however many rows are added at once, they come back in the order that they were given in', async () => {
  const { url, drop } = await createDatabase()
  const db = openDatabase(url)
  const [accountId, postSetId] = [newId(), newId()]
  await db.insertInto('accounts').values({ id: accountId, name: 'A', slug: 'a', plan: 'PRO' }).execute()
  const actor = { type: 'USER', id: newId(), name: 'Ada "the {first}", \\' } as const
  const names = Array.from({ length: 8_000 }, (_, index) => `Label ${index}, "quoted" {\\}`)
  const labels = names.map((name) => ({ id: newId(), name }))
  await addHistory(db, [
    {
      accountId,
      postSetId,
      actor: { type: 'PUBLISHER', id: null, name: 'publisher' },
      action: 'deleted',
      changes: { status: 'DRAFT', scheduledAt: '2030-06-01T10:00:00.000Z' },
    },
    ...labels.map((label) => ({ accountId, postSetId, actor, action: 'label added', changes: { label } }) as const),
  ])
  const [first, ...rows] = await listHistory(db, postSetId)
  expect(first).toMatchObject({ action: 'deleted', actor: { type: 'PUBLISHER', name: 'publisher' } })
  expect(rows.map(({ changes }) => changes)).toEqual(labels.map((label) => ({ label })))
  expect(rows.at(-1)?.actor).toEqual({ type: 'USER', name: actor.name })
  await db.destroy()
  await drop()
})
