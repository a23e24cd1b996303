import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDatabase } from '../../test/_util/database.ts'
import { serializeError } from './log.ts'

let database: { url: string; drop(): Promise<void> }
let client: pg.Client

beforeAll(async () => {
  database = await createDatabase()
  client = new pg.Client(database.url)
  await client.connect()
  await client.query('create table people (email text unique, code uuid)')
  await client.query(`insert into people values ('ada@example.com')`)
})
afterAll(async () => {
  await client.end()
  await database.drop()
})

async function failureOf(text: string, values: unknown[]): Promise<Error> {
  const error = await client.query(text, values).then(
    () => null,
    (thrown) => thrown,
  )
  if (!(error instanceof Error)) throw new Error('The query did not fail.')
  return error
}

test('an error of PostgreSQL is shown without the values of the row', async () => {
  const taken = await failureOf('insert into people values ($1)', ['ada@example.com'])
  expect((taken as pg.DatabaseError).detail).toContain('ada@example.com')
  const shown = serializeError(taken)
  expect(shown).toMatchObject({
    type: 'DatabaseError',
    code: '23505',
    message: expect.stringContaining('people_email_key'),
  })
  expect(JSON.stringify(shown)).not.toContain('ada@')
})

test('a value that does not fit its column is not quoted', async () => {
  const misfit = await failureOf('insert into people (code) values ($1)', ['token-"of"-ada'])
  expect(misfit.message).toContain('ada')
  const shown = serializeError(misfit)
  expect(shown).toMatchObject({ code: '22P02', message: 'invalid input syntax for type uuid: "…"' })
  expect(JSON.stringify(shown)).not.toContain('ada')
})

test('the place, the causes and the parts of an error are shown, and nothing else that it carries', () => {
  const cause = Object.assign(new TypeError('inner'), { secret: 'hunter2' })
  const error = Object.assign(new AggregateError([new Error('part')], 'outer', { cause }), {
    client: { secretKey: 'hunter2' },
    code: 'ECONNRESET',
  })
  const shown = serializeError(error)
  expect(shown).toMatchObject({
    type: 'AggregateError',
    message: 'outer',
    code: 'ECONNRESET',
    stack: expect.stringMatching(/^AggregateError: outer\n {4}at .*log\.test\.ts/),
    cause: { type: 'TypeError', message: 'inner' },
    errors: [{ message: 'part' }],
  })
  expect(JSON.stringify(shown)).not.toContain('hunter2')
})

test('causes that go in circles and long messages end', () => {
  const error: Error & { cause?: unknown } = new Error('x'.repeat(1_000_000))
  error.cause = error
  expect(JSON.stringify(serializeError(error)).length).toBeLessThan(200_000)
})

test('what is thrown and is no error is shown as text', () => {
  expect(serializeError('words')).toEqual({ type: 'string', message: 'words' })
})
