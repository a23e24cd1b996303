import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { createDatabase } from '../../test/_util/database/database.ts'
import { openLog, serializeError } from './log.ts'

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

describe('a fault that goes on', () => {
  const lines: Record<string, unknown>[] = []
  const open = () => openLog('info', { write: (line) => void lines.push(JSON.parse(line)) })
  const full = (code = 'ENOSPC') => Object.assign(new Error(`${code}: no space left on device, write`), { code })
  beforeEach(() => {
    lines.length = 0
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  })
  afterEach(() => void vi.useRealTimers())

  test('is one line a minute with its place, and one that counts', () => {
    const log = open()
    for (let nth = 0; nth < 500; nth += 1) {
      log.error({ delivery: nth, error: full() }, 'A delivery was interrupted')
      log.warn({ error: new Error('It failed.', { cause: full('53100') }) }, 'Imports could not be read')
    }
    expect(lines).toMatchObject([
      {
        level: 50,
        delivery: 0,
        msg: 'A delivery was interrupted',
        error: { code: 'ENOSPC', stack: expect.any(String) },
      },
      { level: 40, msg: 'Imports could not be read' },
    ])
    vi.advanceTimersByTime(60_000)
    expect(lines.slice(2)).toMatchObject([
      { level: 50, repeated: 499, code: 'ENOSPC', msg: 'A delivery was interrupted' },
      { level: 40, repeated: 499, code: '53100', msg: 'Imports could not be read' },
    ])
    vi.advanceTimersByTime(600_000)
    expect(lines).toHaveLength(4)
    log.error({ error: full() }, 'A delivery was interrupted')
    expect(lines.at(-1)).toMatchObject({ error: { stack: expect.any(String) } })
  })

  test('hides no other one, and nothing that is no fault of the machine, the database or a network', () => {
    const log = open()
    const child = log.child({ request: 1 })
    child.error({ err: full() }, 'A')
    log.error({ err: full('EDQUOT') }, 'A')
    log.warn({ error: full() }, 'A')
    log.error({ error: full() }, 'B')
    log.error({ err: full() }, 'A')
    for (const error of [new TypeError('bug'), Object.assign(new Error('twice'), { code: '23505' })]) {
      log.error({ error }, 'C')
      log.error({ error }, 'C')
    }
    log.info({}, 'D')
    log.info({}, 'D')
    expect(lines.map(({ msg }) => msg)).toEqual([...'AAABCCCCDD'])
  })

  test('that changes its words all the time is not remembered without end', () => {
    const log = open()
    for (let nth = 0; nth < 5_000; nth += 1) log.error({ error: full() }, `Fault ${nth}`)
    expect(vi.getTimerCount()).toBeLessThanOrEqual(1_000)
    expect(lines).toHaveLength(5_000)
  })
})

test('what is thrown and is no error is shown as text', () => {
  expect(serializeError('words')).toEqual({ type: 'string', message: 'words' })
})
