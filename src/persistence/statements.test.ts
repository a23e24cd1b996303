import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createDatabase } from '../../test/_util/database/database.ts'
import { type DatabaseOptions, openDatabase } from './database.ts'
import { databaseFault } from './database-faults.ts'
import { constantStatement, executeBuilt } from './statements.ts'

let database: { url: string; drop(): Promise<void> }
beforeAll(async () => {
  database = await createDatabase()
})
afterAll(() => database.drop())

const TEXT = 'select $1::integer + 1 as next'
const next = constantStatement<{ next: number }>(TEXT)

/** What a connection has prepared after two runs of the statement and one of another text. */
async function preparedBy(options: DatabaseOptions): Promise<string[]> {
  const db = openDatabase(database.url, { poolSize: 1, ...options })
  try {
    for (const value of [1, 2]) expect(await next(db, [value])).toEqual([{ next: value + 1 }])
    const { rows } = await sql<{ statement: string }>`
      select statement from pg_prepared_statements where statement <> ${'another'}`.execute(db)
    return rows.map(({ statement }) => statement)
  } finally {
    await db.destroy()
  }
}

test('a connection keeps a statement of constant text prepared, and no other', async () => {
  expect(await preparedBy({})).toEqual([TEXT])
})

test('nothing is kept prepared where each transaction may have another connection', async () => {
  expect(await preparedBy({ prepares: false })).toEqual([])
})

test('it runs in the transaction that it is given, and again after it has failed there', async () => {
  const db = openDatabase(database.url, { poolSize: 1 })
  try {
    const failing = db.transaction().execute((trx) => next(trx, [2_147_483_647]))
    await expect(failing).rejects.toThrow('out of range')
    expect(await db.transaction().execute((trx) => next(trx, [1]))).toEqual([{ next: 2 }])
  } finally {
    await db.destroy()
  }
})

test('a plan is made again when what it was made for has changed', async () => {
  const db = openDatabase(database.url, { poolSize: 1 })
  try {
    const count = constantStatement<{ at: Date }>('select almanac_now() as at')
    for (let run = 0; run < 6; run++) await count(db, [])
    await sql`create or replace function almanac_now() returns timestamptz language sql stable parallel safe
      return '2030-01-01T00:00:00Z'::timestamptz`.execute(db)
    expect(await count(db, [])).toEqual([{ at: new Date('2030-01-01T00:00:00Z') }])
  } finally {
    await db.destroy()
  }
})

test('one whose result has another column since goes on; in a transaction that is a fault that passes', async () => {
  const db = openDatabase(database.url, { poolSize: 1 })
  try {
    await sql`create table things (id integer)`.execute(db)
    const all = constantStatement('select * from things where id >= $1')
    const inTransaction = () => db.transaction().execute((trx) => all(trx, [0]))
    await sql`insert into things values (1)`.execute(db)
    expect(await all(db, [0])).toEqual([{ id: 1 }])
    await sql`alter table things add column later text`.execute(db)
    expect(await all(db, [0])).toEqual([{ id: 1, later: null }])
    await sql`alter table things add column latest text`.execute(db)
    const fault = await inTransaction().catch(databaseFault)
    expect(fault).toBe('The tables of the database have just changed.')
    expect(await inTransaction()).toEqual([{ id: 1, later: null, latest: null }])
  } finally {
    await db.destroy()
  }
})

describe('a statement that is built once', () => {
  let db: ReturnType<typeof openDatabase>
  beforeEach(() => {
    db = openDatabase(database.url, { poolSize: 1 })
  })
  afterEach(() => db.destroy())

  const [early, late] = [new Date('2030-01-01T00:00:00Z'), new Date('2031-01-01T00:00:00Z')]

  test('gets the values of each run, is kept prepared, and sends a time once', async () => {
    let builds = 0
    const run = (values: { text: string; number: number; time: Date; list: readonly string[] }) =>
      executeBuilt(db, 'a list', values, ({ text, number, time, list }) => {
        builds += 1
        return sql`select ${text}::text as text, ${number}::float8 as number, ${7}::int as constant, ${list}::text[] as list,
          ${time}::timestamptz as time, ${time}::timestamptz + interval '1 day' as later`
      })
    const day = 86_400_000
    for (const values of [
      { text: 'one', number: 1.5, time: early, list: ['a', 'b'] },
      { text: 'two', number: -2, time: late, list: [] },
    ]) {
      const { rows } = await run(values)
      expect(rows).toEqual([{ ...values, constant: 7, later: new Date(values.time.getTime() + day) }])
    }
    // With two sets of marks.
    expect(builds).toBe(2)
    const { rows } = await sql<{ statement: string; parameters: number }>`
      select statement, cardinality(parameter_types) as parameters from pg_prepared_statements`.execute(db)
    expect(rows).toEqual([{ statement: expect.stringContaining('as later'), parameters: 5 }])
  })

  test.each<[string, string, (values: { number: number }) => ReturnType<typeof sql>]>([
    [
      'looks at a value',
      'looks at what it is given',
      ({ number }) => (number < -1_500_000_000 ? sql`select ${number}::float8` : sql`select 1, ${number}::float8`),
    ],
    [
      'counts with a value',
      'looks at what it is given',
      ({ number }) => sql`select ${number}::float8, ${number * 2}::float8`,
    ],
    ['leaves a value out', 'does not have number', () => sql`select 1`],
  ])('is refused when it %s', async (key, words, build) => {
    await expect(executeBuilt(db, key, { number: 1 }, build)).rejects.toThrow(words)
  })
})
