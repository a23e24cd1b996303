import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDatabaseBefore } from '../../test/_util/database-before.ts'
import { listHistory } from './history.ts'
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
