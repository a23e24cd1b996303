import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '#domain'
import { createDatabase } from '../../test/_util/database/database.ts'
import { explaining } from '../../test/_util/database/explain.ts'
import { WHOLE } from '../../test/_util/run/whole.ts'
import { type Database, openDatabase } from './database.ts'
import { addHistory, type HistoryEntry, listHistoryPage } from './history.ts'
import { findHistoryTexts, listTextsSince } from './history-texts.ts'
import { joinHistory } from './joined-history.ts'

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

const post = { id: newId(), accountType: 'BLUESKY' as const }
const text = () => randomBytes(1_500).toString('hex')

async function newAccount(): Promise<string> {
  const id = newId()
  await db.insertInto('accounts').values({ id, name: 'A', slug: id, plan: 'PRO' }).execute()
  return id
}

type Step =
  | { by: string; to: string; field?: string; approves?: boolean }
  | { by: string; action: 'approved' | 'changes requested' | 'locked' }

/** Adds what was done to a set, in its order; what leads to versions 2, 3, … All fields begin empty. */
async function history(accountId: string, steps: readonly Step[], day = '2030-06-01'): Promise<string> {
  const postSetId = newId()
  const now = new Map<string, string>()
  const entries = steps.map((step): HistoryEntry => {
    const about = { accountId, postSetId, actor: { type: 'USER', id: step.by, name: step.by } } as const
    if ('action' in step) return { ...about, action: step.action, changes: {} }
    const { to, field = 'caption', approves = false } = step
    const fields = { [field]: { from: now.get(field) ?? '', to } }
    now.set(field, to)
    const changes = { posts: { changed: [{ ...post, fields }] } }
    const approval = { from: 'NONE', to: 'APPROVED' } as const
    return { ...about, action: 'updated', changes: approves ? { ...changes, approval } : changes }
  })
  await addHistory(db, entries)
  await sql`update history set version = numbered.version, at = ${`${day}T10:00:00Z`}::timestamptz from (
      select id, 1 + row_number() over (order by sequence) as version from history where post_set_id = ${postSetId}
    ) as numbered where numbered.id = history.id`.execute(db)
  return postSetId
}

const bytesOf = async (postSetId: string) => {
  const { rows } = await sql<{ bytes: number }>`
    select sum(pg_column_size(changes))::integer as bytes from history where post_set_id = ${postSetId}`.execute(db)
  return rows[0]?.bytes ?? 0
}

/** The rows of a set, oldest first, with what each says when it is opened. */
async function read(postSetId: string, field = 'caption') {
  const rows = (await listHistoryPage(db, postSetId, { limit: 1_000, offset: 0 })).toReversed()
  return Promise.all(
    rows.map(async (row) => {
      const [opened] = (await findHistoryTexts(db, { postSetId, id: row.id })) ?? []
      return { row, texts: opened?.fields[field] ?? null }
    }),
  )
}

const edits = (by: string, texts: readonly string[]) => texts.map((to) => ({ by, to }))
const texts = (count: number) => Array.from({ length: count }, text)
const BUDGET = 30_000

describe('an account that has written more than its budget in a day', () => {
  test('keeps the first and the last text of each person’s changes in a row; those between say what they came to together', async () => {
    const account = await newAccount()
    const [ada, grace] = [texts(10), texts(8)]
    const set = await history(account, [...edits('Ada', ada), ...edits('Grace', grace)])
    const before = await read(set)
    const full = await bytesOf(set)
    // Of the eighteen, two people's first and last are not joined.
    expect(await joinHistory(db, { budget: BUDGET, batch: 5 })).toBe(14)
    expect(await bytesOf(set)).toBeLessThan(full / 3)
    const after = await read(set)
    expect(after.map(({ row: { id, at, actor, action } }) => [id, at, actor, action])).toEqual(
      before.map(({ row: { id, at, actor, action } }) => [id, at, actor, action]),
    )
    for (const { row } of after) expect(row.changes).toMatchObject({ posts: { changed: [{ names: ['caption'] }] } })
    const alone = (from: string | undefined, to: string | undefined) => ({ from, to, together: 1 })
    const ofAda = { from: ada[0], to: ada[8], together: 8 }
    const ofGrace = { from: grace[0], to: grace[6], together: 6 }
    expect(after.map((entry) => entry.texts)).toEqual([
      alone('', ada[0]),
      ...Array(8).fill(ofAda),
      alone(ada[8], ada[9]),
      alone(ada[9], grace[0]),
      ...Array(6).fill(ofGrace),
      alone(grace[6], grace[7]),
    ])
    expect(await joinHistory(db, { budget: BUDGET })).toBe(0)
  })

  test('keeps every text that somebody approved or asked to change, whoever wrote it, and says where one is not kept', async () => {
    const account = await newAccount()
    const written = texts(30)
    const steps = written.flatMap((to, index): Step[] => {
      const by = index % 2 === 0 ? 'Ada' : 'Grace'
      if (index === 7)
        return [
          { by, to },
          { by: 'Rita', action: 'approved' },
        ]
      if (index === 15)
        return [
          { by, to },
          { by: 'Clara', action: 'changes requested' },
        ]
      return [{ by, to, approves: index === 22 }]
    })
    const set = await history(account, steps)
    await joinHistory(db, { budget: BUDGET })
    const since = async (version: number) => (await listTextsSince(db, { postSetId: set, postId: post.id, version }))[0]
    const versionOf = (index: number) => 2 + steps.findIndex((step) => 'to' in step && step.to === written[index])
    for (const index of [0, 7, 15, 22]) {
      const expected = { name: 'caption', from: written[index], to: written[29], fromKept: true }
      expect(await since(versionOf(index)), String(index)).toEqual(expected)
    }
    expect(await since(versionOf(4))).toEqual({ name: 'caption', from: null, to: written[29], fromKept: false })
  })

  test('loses nothing of sets in which little was written, nor of another day or account', async () => {
    const account = await newAccount()
    const large = await history(account, edits('Ada', texts(20)))
    const little = await history(account, edits('Ada', texts(3)))
    const dayBefore = await history(account, edits('Ada', texts(3)), '2030-05-31')
    const other = await history(await newAccount(), edits('Ada', texts(3)))
    const before = await Promise.all([little, dayBefore, other].map(bytesOf))
    expect(await joinHistory(db, { budget: BUDGET })).toBe(18)
    expect(await Promise.all([little, dayBefore, other].map(bytesOf))).toEqual(before)
    expect(await bytesOf(large)).toBeLessThan(BUDGET)
  })

  test('is joined on as it writes on', async () => {
    const account = await newAccount()
    const written = texts(12)
    const set = await history(account, edits('Ada', written))
    await joinHistory(db, { budget: BUDGET })
    const last = (await read(set)).at(-1)
    expect(last?.texts).toMatchObject({ from: written[10], to: written[11] })
    const more = texts(6)
    const rows = edits('Ada', more).map(({ by, to }, index): HistoryEntry => {
      const from = more[index - 1] ?? written[11]
      const changes = { posts: { changed: [{ ...post, fields: { caption: { from, to }, title: { from: '', to } } }] } }
      return {
        accountId: account,
        postSetId: set,
        actor: { type: 'USER', id: by, name: by },
        action: 'updated',
        changes,
      }
    })
    await addHistory(db, rows)
    await sql`update history set at = '2030-06-01T11:00:00Z' where post_set_id = ${set} and at > '2030-06-01T10:00:00Z' or version is null`.execute(
      db,
    )
    await joinHistory(db, { budget: BUDGET })
    const after = await read(set)
    expect(after[11]?.texts).toEqual({ from: written[0], to: more[4], together: 16 })
    expect((await read(set, 'title')).at(-1)?.texts).toMatchObject({ to: more[5], together: 1 })
    expect(after.at(-1)?.row.changes).toMatchObject({ posts: { changed: [{ names: ['caption', 'title'] }] } })
  })
})

test('a look for what is beyond a budget reads the rows with texts alone, by their index', async () => {
  const account = await newAccount()
  await sql`
    insert into history (id, account_id, post_set_id, actor_type, actor_name, action)
    select gen_random_uuid(), ${account}, gen_random_uuid(), 'PUBLISHER', 'publisher', 'published'
    from generate_series(1, 20000)`.execute(db)
  await sql`analyze history`.execute(db)
  const { db: explained, plan } = explaining(db)
  expect(await joinHistory(explained)).toBe(0)
  expect(plan()).toContain('history_texts')
  expect(plan()).not.toContain('Seq Scan on history')
})

const fields = fc.constantFrom('caption', 'title')
const people = fc.constantFrom('Ada', 'Grace')
const steps = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: fc.record({ by: people, field: fields, approves: fc.constant(false) }) },
    { weight: 1, arbitrary: fc.record({ by: people, field: fields, approves: fc.constant(true) }) },
    {
      weight: 1,
      arbitrary: fc.record({ by: people, action: fc.constantFrom('approved', 'locked', 'changes requested') }),
    },
  ),
  { minLength: 1, maxLength: 30 },
)

test('whatever is joined, no row is lost, each says something true, and first, last and approved texts are there', async () => {
  const account = await newAccount()
  await fc.assert(
    fc.asyncProperty(steps, async (drawn) => {
      let count = 0
      // Each text tells its place.
      const all = drawn.map((step): Step => ('action' in step ? (step as Step) : { ...step, to: `text ${++count}` }))
      const set = await history(account, all)
      await joinHistory(db, { budget: 0 })
      for (const field of ['caption', 'title']) {
        const states = ['']
        for (const step of all) {
          states.push('to' in step && step.field === field ? step.to : (states.at(-1) ?? ''))
        }
        const rows = await read(set, field)
        expect(rows).toHaveLength(all.length)
        const changing = all.flatMap((step, index) => ('to' in step && step.field === field ? [index] : []))
        for (const index of changing) {
          const said = rows[index]?.texts
          const [from, to] = [states.indexOf(said?.from as string), states.lastIndexOf(said?.to as string)]
          // What it was before or at that moment, and what it became then or later.
          expect(from).toBeGreaterThanOrEqual(0)
          expect(from).toBeLessThanOrEqual(index)
          expect(to).toBeGreaterThan(index)
        }
        const [first, last] = [changing[0], changing.at(-1)]
        if (first === undefined || last === undefined) continue
        expect(rows[first]?.texts).toMatchObject({ from: '', together: 1 })
        expect(rows[last]?.texts).toMatchObject({ to: states.at(-1), together: 1 })
        for (const [index, step] of all.entries()) {
          const decided = 'action' in step ? step.action !== 'locked' : step.approves
          if (!decided || states[index + 1] === states.at(-1)) continue
          const [was] = await listTextsSince(db, { postSetId: set, postId: post.id, version: index + 2, only: field })
          expect(was).toMatchObject({ from: states[index + 1], fromKept: true })
        }
      }
      await sql`delete from history where post_set_id = ${set}`.execute(db)
    }),
    { numRuns: WHOLE ? 60 : 20 },
  )
})
