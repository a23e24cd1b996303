import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { NOTE_COLORS, type Note } from '#contract'
import { newId } from '#domain'
import { type Database, insertNotes } from '#persistence'
import { type Answer, type Api, startApi } from '../_util/api/api.ts'
import { untilSomeoneWaits } from '../_util/run/waiting.ts'

let api: Api
beforeAll(async () => {
  api = await startApi({ plans: { FREE: { monthlyPosts: 1, repeats: false } } })
})
afterAll(() => api.close())

const body = (more: object = {}) => ({
  socialSetId: api.socialSetId,
  content: 'Ask for the photos',
  hexColor: '#faf785',
  scheduledAt: '2030-06-01T10:00:00Z',
  ...more,
})
async function create(more: object = {}, key = api.key): Promise<Note> {
  const answer = await api.request('POST', '/v1/notes', { body: body(more), key })
  expect(answer.status, JSON.stringify(answer.body)).toBe(201)
  return answer.body
}
const patch = (id: string, change: object) => api.request('PATCH', `/v1/notes/${id}`, { body: change })
const read = async (id: string) => (await api.request('GET', `/v1/notes/${id}`)).body as Note
async function list(socialSetId: string, from: string, before: string): Promise<Note[]> {
  const query = new URLSearchParams({ socialSetId, 'filters[startDate]': from, 'filters[endDate]': before })
  const answer = await api.request('GET', `/v1/notes?${query}`)
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  return answer.body
}
const ID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

describe('a new note', () => {
  test('is answered as it is stored, and read again', async () => {
    const note = await create()
    expect(note).toEqual({
      id: expect.stringMatching(ID),
      socialSetId: api.socialSetId,
      type: 'ONE_TIME',
      source: { type: 'APP' },
      content: 'Ask for the photos',
      hexColor: '#faf785',
      scheduledAt: '2030-06-01T10:00:00.000Z',
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    })
    expect(await read(note.id)).toEqual(note)
    expect(await read(note.id.toUpperCase())).toEqual(note)
  })

  test.each([...NOTE_COLORS])('may be %s', async (hexColor) => {
    expect((await create({ hexColor })).hexColor).toBe(hexColor)
  })

  test('has 1 to 1024 characters, counted as code points', async () => {
    for (const content of ['x', '😀'.repeat(1024), ' ', '👩‍👩‍👧'.repeat(204)]) {
      expect((await create({ content })).content).toBe(content)
    }
  })

  test('without an offset is in the timezone of its social set', async () => {
    expect((await create({ scheduledAt: '2030-06-01T10:00:00' })).scheduledAt).toBe('2030-06-01T08:00:00.000Z')
    expect((await create({ scheduledAt: '2030-06-01' })).scheduledAt).toBe('2030-05-31T22:00:00.000Z')
    expect((await create({ repeat: null })).type).toBe('ONE_TIME')
  })
})

test('the years 2000 to 2100 are allowed, to the last occurrence', async () => {
  for (const scheduledAt of ['2000-01-01T00:00:00.000Z', '2100-12-31T23:59:59.999Z']) {
    expect((await create({ scheduledAt })).scheduledAt).toBe(scheduledAt)
  }
  const socialSetId = await api.newSocialSet()
  await create({ socialSetId, repeat: { interval: 'YEAR', occurrences: 71 } })
  expect(await list(socialSetId, '2100-01-01', '2101-01-01')).toHaveLength(1)
})

test('the plan has no say in notes', async () => {
  const accountId = await api.newAccount({ plan: 'FREE' })
  const socialSetId = await api.newSocialSet({ accountId })
  const key = await api.newKey({ accountId })
  for (const interval of ['DAY', 'WEEK']) {
    const note = await create({ socialSetId, repeat: { interval, occurrences: 2 } }, key)
    expect(note.type).toBe('RECURRING')
  }
  expect((await create({ socialSetId }, key)).type).toBe('ONE_TIME')
})

describe('a recurring note', () => {
  test('names the series that it came of, with the rule', async () => {
    const first = await create({ repeat: { interval: 'MONTH', occurrences: 3 } })
    const rows = await api.db
      .selectFrom('series')
      .innerJoin('notes', 'notes.series_id', 'series.id')
      .select(['series.account_id', 'series.social_set_id', 'repeat_interval', 'occurrences'])
      .where('series.id', '=', ({ selectFrom }) => selectFrom('notes').select('series_id').where('id', '=', first.id))
      .execute()
    const series = { account_id: api.accountId, social_set_id: api.socialSetId }
    expect(rows).toEqual(Array(3).fill({ ...series, repeat_interval: 'MONTH', occurrences: 3 }))
  })

  test('is as many notes as it has occurrences, each with an id, at the same local time', async () => {
    const socialSetId = await api.newSocialSet()
    const first = await create({
      socialSetId,
      scheduledAt: '2030-03-30T09:00:00',
      repeat: { interval: 'DAY', occurrences: 3 },
    })
    const notes = await list(socialSetId, '2030-01-01', '2030-12-31')
    expect(notes.map(({ scheduledAt }) => scheduledAt)).toEqual([
      '2030-03-30T08:00:00.000Z',
      '2030-03-31T07:00:00.000Z',
      '2030-04-01T07:00:00.000Z',
    ])
    expect(notes[0]).toEqual(first)
    expect(notes.map(({ type, content }) => [type, content])).toEqual(Array(3).fill(['RECURRING', first.content]))
    expect(new Set(notes.map(({ id }) => id)).size).toBe(3)
  })

  test('has up to a hundred of them, made with as many queries as two', async () => {
    const queries = async (occurrences: number) => {
      const socialSetId = await api.newSocialSet()
      const before = api.queries()
      await create({ socialSetId, repeat: { interval: 'DAY', occurrences } })
      const made = api.queries() - before
      expect(await list(socialSetId, '2030-06-01', '2030-12-01')).toHaveLength(occurrences)
      return made
    }
    await queries(2)
    expect(await queries(100)).toBe(await queries(2))
  })

  test('changes one by one', async () => {
    const socialSetId = await api.newSocialSet()
    const first = await create({ socialSetId, repeat: { interval: 'WEEK', occurrences: 2 } })
    const { status, body: changed } = await patch(first.id, { content: 'Only this one', hexColor: '#f2f2f2' })
    expect([status, changed]).toEqual([200, { ...first, content: 'Only this one', hexColor: '#f2f2f2' }])
    const [, second] = await list(socialSetId, '2030-06-01', '2030-07-01')
    expect([second?.content, second?.hexColor]).toEqual([first.content, first.hexColor])
  })
})

describe('a change', () => {
  test('leaves what it does not name', async () => {
    const note = await create()
    const moved = await patch(note.id, { scheduledAt: '2031-01-01T12:00:00' })
    expect(moved.body).toEqual({ ...note, scheduledAt: '2031-01-01T11:00:00.000Z' })
    expect((await patch(note.id, { content: 'x' })).body).toEqual({ ...moved.body, content: 'x' })
    expect(await read(note.id)).toEqual({ ...moved.body, content: 'x' })
  })

  test('that sends back what was read changes nothing, for every kind of note', async () => {
    const imported = await create()
    await sql`update notes set source = 'GOOGLE_IMPORT' where id = ${imported.id}`.execute(api.db)
    for (const { id } of [await create(), await create({ repeat: { interval: 'DAY', occurrences: 2 } }), imported]) {
      const note = await read(id)
      const stamp = () => api.db.selectFrom('notes').select('updated_at').where('id', '=', id).executeTakeFirst()
      const before = await stamp()
      expect((await patch(id, note)).body).toEqual(note)
      expect((await patch(id, {})).body).toEqual(note)
      const { scheduledAt, createdAt } = note
      const sameInstants = {
        scheduledAt: scheduledAt.replace('.000Z', '+00:00'),
        createdAt: createdAt.replace('Z', '+00:00'),
      }
      expect((await patch(id, sameInstants)).body).toEqual(note)
      expect((await patch(id, { id: note.id.toUpperCase() })).body).toEqual(note)
      expect(await stamp()).toEqual(before)
      await patch(id, { content: 'another' })
      expect(await stamp()).not.toEqual(before)
    }
  })

  test('of notes from elsewhere may be of their content', async () => {
    for (const source of ['SHARED_CALENDAR', 'GOOGLE_IMPORT'] as const) {
      const { id } = await create()
      await sql`update notes set source = ${source} where id = ${id}`.execute(api.db)
      const { body: changed } = await patch(id, { content: 'again' })
      expect([changed.content, changed.source]).toEqual(['again', { type: source }])
    }
    const shared = await create()
    await sql`update notes set source = 'SHARED_CALENDAR' where id = ${shared.id}`.execute(api.db)
    expect((await patch(shared.id, { scheduledAt: '2031-01-01' })).status).toBe(200)
  })
})

describe('a change that comes while another one is written', () => {
  /** The answer to a change that meets a row which somebody holds and writes. */
  async function patchMeanwhile(id: string, write: (trx: Database) => Promise<unknown>): Promise<Answer> {
    const answers: Promise<Answer>[] = []
    await api.db.transaction().execute(async (trx) => {
      await write(trx)
      answers.push(patch(id, { hexColor: '#e1effc' }))
      await untilSomeoneWaits(api.db)
    })
    const [answer] = await Promise.all(answers)
    if (!answer) throw new Error('Nothing was asked.')
    return answer
  }

  test('waits for it and leaves what it has written', async () => {
    const note = await create()
    const answer = await patchMeanwhile(note.id, (trx) =>
      trx.updateTable('notes').set({ content: 'by another' }).where('id', '=', note.id).execute(),
    )
    expect(answer.body).toEqual({ ...note, content: 'by another', hexColor: '#e1effc' })
    expect(await read(note.id)).toEqual(answer.body)
  })

  test('finds nothing when that one was the end of the note', async () => {
    const { id } = await create()
    const answer = await patchMeanwhile(id, (trx) => trx.deleteFrom('notes').where('id', '=', id).execute())
    expect([answer.status, answer.body.code]).toEqual([404, 'note:not_found'])
  })
})

describe('the list', () => {
  test('has notes of one time by their ids, no matter in which order they came', async () => {
    const socialSetId = await api.newSocialSet()
    const occurrences = [newId(), newId(), newId()]
      .toReversed()
      .map((id) => ({ id, scheduledAt: new Date('2030-06-01T10:00:00Z') }))
    const actor = { type: 'OPERATOR', id: null, name: 'operator' } as const
    const more = { source: 'APP', content: 'x', hexColor: '#faf785', seriesId: null, actor } as const
    await insertNotes(api.db, { accountId: api.accountId, socialSetId, ...more, occurrences })
    // An index that has them in this order would hide that no order was asked for.
    await sql`drop index notes_calendar`.execute(api.db)
    const ids = (await list(socialSetId, '2030-06-01', '2030-06-02')).map(({ id }) => id)
    expect(ids).toEqual(occurrences.map(({ id }) => id).toSorted())
  })

  test('takes any range of years', async () => {
    expect(await list(api.socialSetId, '0000-01-01T00:00:00+23:59', '0000-12-31')).toEqual([])
    expect(await list(api.socialSetId, '9999-01-02', '9999-12-31T23:59:59-23:59')).toEqual([])
  })

  test('has all notes of the range by time, from its start on and before its end', async () => {
    const socialSetId = await api.newSocialSet({ timezone: 'UTC' })
    for (const time of ['03T00:00:00Z', '01T00:00:00Z', '02T12:00:00Z', '02T12:00:00Z', '01T23:59:59.999Z']) {
      await create({ socialSetId, scheduledAt: `2030-06-${time}` })
    }
    const times = async (from: string, before: string) =>
      (await list(socialSetId, from, before)).map(({ scheduledAt }) => scheduledAt.slice(8, 16))
    expect(await times('2030-06-01', '2030-06-03')).toEqual(['01T00:00', '01T23:59', '02T12:00', '02T12:00'])
    expect(await times('2030-06-02', '2030-06-03T00:00:00.001Z')).toEqual(['02T12:00', '02T12:00', '03T00:00'])
    expect(await times('2030-06-02', '2030-06-02')).toEqual([])
  })

  test('notes-07: is not cut into pages', async () => {
    const socialSetId = await api.newSocialSet()
    for (let round = 0; round < 3; round++) await create({ socialSetId, repeat: { interval: 'DAY', occurrences: 100 } })
    expect(await list(socialSetId, '2030-06-01', '2031-06-01')).toHaveLength(300)
  })

  test('shape-33: spans 366 days by the calendar of the social set, where a day may have 23 or 25 hours', async () => {
    const socialSetId = await api.newSocialSet()
    expect(await list(socialSetId, '2030-03-01T00:00:00+01:00', '2031-03-02T00:00:00+01:00')).toEqual([])
    // Longer than 366 times 24 hours: summer time has ended, and has not begun again.
    expect(await list(socialSetId, '2029-11-01T00:00:00', '2030-11-02T00:00:00')).toEqual([])
    expect(await list(socialSetId, '2030-03-30T12:00:00', '2031-03-31T12:00:00')).toEqual([])
  })

  test('takes two queries beside those of the key, however long it is; a single note takes one', async () => {
    const socialSetId = await api.newSocialSet()
    const { id } = await create({ socialSetId, repeat: { interval: 'DAY', occurrences: 100 } })
    const queries = async (ask: () => Promise<unknown>) => {
      const before = api.queries()
      await ask()
      return api.queries() - before
    }
    // What cannot be an id is not looked for.
    const ofKey = await queries(() => read('x'))
    expect(await queries(() => list(socialSetId, '2030-06-01', '2030-12-01'))).toBe(ofKey + 2)
    expect(await queries(() => read(id))).toBe(ofKey + 1)
  })
})

test('a deleted note is gone, and the others of its series stay', async () => {
  const socialSetId = await api.newSocialSet()
  const first = await create({ socialSetId, repeat: { interval: 'DAY', occurrences: 3 } })
  const answer = await api.request('DELETE', `/v1/notes/${first.id}`)
  expect([answer.status, answer.body]).toEqual([204, ''])
  expect((await api.request('GET', `/v1/notes/${first.id}`)).status).toBe(404)
  expect((await api.request('DELETE', `/v1/notes/${first.id}`)).body.code).toBe('note:not_found')
  expect(await list(socialSetId, '2030-06-01', '2030-07-01')).toHaveLength(2)
})
