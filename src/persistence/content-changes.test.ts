import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { changesContent } from '#domain'
import { createDatabase } from '../../test/_util/database/database.ts'
import { type Database, openDatabase } from './database.ts'

let db: Database
let drop: () => Promise<void>
beforeAll(async () => {
  const made = await createDatabase()
  db = openDatabase(made.url)
  drop = made.drop
})
afterAll(async () => {
  await db.destroy()
  await drop()
})

/** What a row of history has of a field; null: nothing, the field is left out. */
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null })
const aRow = fc.record({
  posts: maybe(fc.constantFrom({ changed: [] }, { added: [{}] })),
  repeat: maybe(fc.constantFrom({ from: null, to: { interval: 'DAY' } }, { from: { interval: 'DAY' }, to: null })),
  scheduledAt: maybe(fc.constant({ from: '2030-01-01', to: '2030-01-02' })),
  status: maybe(fc.constant({ from: 'DRAFT', to: 'SCHEDULED' })),
  approval: maybe(fc.constant({ from: 'APPROVED', to: 'PENDING' })),
  labels: maybe(fc.constant([])),
  message: maybe(fc.string({ unit: 'grapheme-ascii' })),
  given: maybe(fc.constant({ count: 1, needed: 2 })),
})

test('what is content of a row of history is the same in SQL', async () => {
  const rows = fc.sample(aRow, 300).map((row) => {
    const changes = Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null))
    return { changes, content: changesContent(changes) }
  })
  expect(new Set(rows.map(({ content }) => content)).size).toBe(2)
  const { rows: asked } = await sql<{ content: boolean }>`
    select almanac_changes_content('updated', changes) as content
    from jsonb_array_elements(${JSON.stringify(rows.map(({ changes }) => changes))}::jsonb) with ordinality as each (changes, nth)
    order by nth`.execute(db)
  expect(asked.map(({ content }) => content)).toEqual(rows.map(({ content }) => content))
})
