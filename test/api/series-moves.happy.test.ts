import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { PostSet, SeriesMoved } from '#contract'
import { newId } from '#domain'
import { createLabel } from '#operations'
import { type Api, startApi } from '../_util/api/api.ts'
import { type Person, signInAs } from '../_util/api/members.ts'
import { actionsOf, anyRate, cardsOf } from '../_util/browser/dashboard-api.ts'

let api: Api
let person: Person
let act: ReturnType<typeof actionsOf>
beforeAll(async () => {
  api = await startApi({ rate: anyRate })
  person = await signInAs(api, 'editor')
  act = actionsOf(person)
})
afterAll(() => api.close())

/** A series in a social set of its own: its sets by time, of which the first is given. */
async function series(scheduledAt: string, more: object = {}) {
  const socialSetId = await api.newSocialSet({ connected: ['BLUESKY'] })
  const repeat = { interval: 'WEEK', occurrences: 4 }
  await api.create({ socialSetId, scheduledAt, repeat, ...more })
  const range: [string, string][] = [
    ['socialSetId', socialSetId],
    ['from', scheduledAt.slice(0, 10)],
    ['to', new Date(Date.parse(scheduledAt) + 50 * 86_400_000).toISOString()],
  ]
  const ids = (await cardsOf(api, person, range)).map(({ id }) => id)
  const times = async () => (await Promise.all(ids.map(act.read))).map((set: PostSet) => set.scheduledAt.slice(0, 16))
  return { ids, times, id: (index: number) => ids[index] ?? '' }
}
const movedIds = ({ moved }: SeriesMoved) => moved.map(({ id }) => id)

describe('the scope', () => {
  test('this: moves one set alone', async () => {
    const { times, id } = await series('2030-06-03T08:00:00Z')
    const { moved, left } = await act.move(id(1), { scheduledAt: '2030-06-11T15:30', scope: 'this' })
    expect([moved, left]).toEqual([
      [
        {
          id: id(1),
          from: '2030-06-10T08:00:00.000Z',
          to: '2030-06-11T13:30:00.000Z',
          version: 2,
          shiftedByDst: false,
        },
      ],
      [],
    ])
    expect(await times()).toEqual(['2030-06-03T08:00', '2030-06-11T13:30', '2030-06-17T08:00', '2030-06-24T08:00'])
  })

  test('following: moves what comes behind by the same days and the same time of the day', async () => {
    const { ids, times, id } = await series('2030-06-03T08:00:00Z')
    const answer = await act.move(id(1), { scheduledAt: '2030-06-12T09:15:00Z', scope: 'following' })
    expect([movedIds(answer), answer.left]).toEqual([ids.slice(1), []])
    expect(await times()).toEqual(['2030-06-03T08:00', '2030-06-12T09:15', '2030-06-19T09:15', '2030-06-26T09:15'])
  })

  test('all: moves those before it too, also one that stands at another time of the day', async () => {
    const { ids, times, id } = await series('2030-06-03T08:00:00Z')
    await act.patch(id(3), { scheduledAt: '2030-06-25T18:00:00Z' })
    const answer = await act.move(id(2), { scheduledAt: '2030-06-16T07:00:00Z', scope: 'all' })
    expect(movedIds(answer).sort()).toEqual([...ids].sort())
    expect(await times()).toEqual(['2030-06-02T07:00', '2030-06-09T07:00', '2030-06-16T07:00', '2030-06-24T17:00'])
  })

  test('of a set without a series is that set', async () => {
    const { id } = await api.create()
    const answer = await act.move(id, { scheduledAt: '2030-06-09T10:00:00Z', scope: 'all' })
    expect(movedIds(answer)).toEqual([id])
  })
})

describe('summer time', () => {
  test('the time on the wall is kept on both sides of its beginning', async () => {
    // In Berlin it begins on 31 March 2030.
    const { times, id } = await series('2030-03-18T09:00:00Z')
    await act.move(id(0), { scheduledAt: '2030-03-19T11:30', scope: 'all' })
    expect(await times()).toEqual(['2030-03-19T10:30', '2030-03-26T10:30', '2030-04-02T09:30', '2030-04-09T09:30'])
  })

  test('a set that would be in the gap moves forward by it, alone, and that is reported', async () => {
    const { times, id } = await series('2030-03-17T09:00:00Z')
    const { moved } = await act.move(id(0), { scheduledAt: '2030-03-17T02:30', scope: 'all' })
    expect(moved.map(({ shiftedByDst }: { shiftedByDst: boolean }) => shiftedByDst)).toEqual([
      false,
      false,
      true,
      false,
    ])
    expect(await times()).toEqual(['2030-03-17T01:30', '2030-03-24T01:30', '2030-03-31T01:30', '2030-04-07T00:30'])
  })

  test('moving into the gap does not shift the others', async () => {
    const { times, id } = await series('2030-03-24T09:00:00Z')
    const { moved } = await act.move(id(1), { scheduledAt: '2030-03-31T02:30', scope: 'all' })
    expect(moved[0]).toMatchObject({ id: id(1), shiftedByDst: true, to: '2030-03-31T01:30:00.000Z' })
    expect(await times()).toEqual(['2030-03-24T01:30', '2030-03-31T01:30', '2030-04-07T00:30', '2030-04-14T00:30'])
  })
})

test('what cannot be moved stays and says why; the others go', async () => {
  const { times, id } = await series('2030-06-03T08:00:00Z', { status: 'SCHEDULED' })
  await act.lock(id(0))
  await api.db.updateTable('post_sets').set({ status: 'PUBLISHED' }).where('id', '=', id(1)).execute()
  const answer = await act.move(id(2), { scheduledAt: '2030-06-18T08:00:00Z', scope: 'all' })
  expect(movedIds(answer)).toEqual([id(2), id(3)])
  expect(answer.left).toEqual([
    { id: id(0), why: expect.objectContaining({ message: 'It was locked by Ada.' }) },
    { id: id(1), why: expect.objectContaining({ message: 'It has been published.' }) },
  ])
  expect(await times()).toEqual(['2030-06-03T08:00', '2030-06-10T08:00', '2030-06-18T08:00', '2030-06-25T08:00'])
})

test('others are not moved to where they would be published at once, drafts are', async () => {
  const { times, id } = await series('2030-06-03T08:00:00Z', { status: 'SCHEDULED' })
  await act.patch(id(1), { status: 'DRAFT' })
  await api.setClock('2030-06-02T08:00:00Z')
  const answer = await act.move(id(3), { scheduledAt: '2030-06-14T08:00:00Z', scope: 'all' })
  await api.setClock(null)
  expect(answer.left).toEqual([
    { id: id(0), why: expect.objectContaining({ message: expect.stringContaining('published immediately') }) },
  ])
  expect(await times()).toEqual(['2030-06-03T08:00', '2030-05-31T08:00', '2030-06-07T08:00', '2030-06-14T08:00'])
})

test('a set that breaks a rule stays, and what the rule says is reported', async () => {
  const { times, id } = await series('2030-06-03T08:00:00Z', { status: 'SCHEDULED' })
  await act.patch(id(0), { status: 'DRAFT' })
  await api.db
    .updateTable('connections')
    .set({ closed_at: new Date() })
    .where('social_set_id', '=', (await act.read(id(0))).socialSetId)
    .execute()
  const answer = await act.move(id(0), { scheduledAt: '2030-06-04T08:00:00Z', scope: 'all' })
  expect(movedIds(answer)).toEqual([id(0)])
  expect(answer.left).toHaveLength(3)
  for (const { why } of answer.left) expect(why.message).toContain('no connect')
  expect((await times()).slice(0, 2)).toEqual(['2030-06-04T08:00', '2030-06-10T08:00'])
})

test('a preview says what would be and writes nothing; then it is so', async () => {
  const { times, id, ids } = await series('2030-03-17T09:00:00Z')
  await act.lock(id(1))
  const before = await times()
  const body = { scheduledAt: '2030-03-18T02:30', scope: 'all' }
  const preview = await act.move(id(0), { ...body, preview: true })
  expect(await times()).toEqual(before)
  expect(await Promise.all(ids.map(async (each) => (await act.read(each)).version))).toEqual([1, 2, 1, 1])
  const plain = ({ moved, left }: SeriesMoved) => [moved.map(({ version, ...rest }) => rest), left]
  expect(plain(await act.move(id(0), body))).toEqual(plain(preview))
})

test('one call takes a move of a series back', async () => {
  const { times, id } = await series('2030-03-17T09:00:00Z', { status: 'SCHEDULED' })
  const before = await times()
  const { moved } = await act.move(id(0), { scheduledAt: '2030-03-17T02:30', scope: 'all' })
  expect(await times()).not.toEqual(before)
  expect((await act.bulk(moved, { undo: true })).refused).toEqual([])
  expect(await times()).toEqual(before)
})

test('sets of the series that stay cost no queries of their own', async () => {
  const cost = async (occurrences: number) => {
    const { ids, id } = await series('2030-06-03T08:00:00Z', { repeat: { interval: 'DAY', occurrences } })
    expect(ids).toHaveLength(occurrences)
    await api.db
      .updateTable('post_sets')
      .set({ locked_at: new Date(), locked_by: 'Ada' })
      .where('id', 'in', ids.slice(1))
      .execute()
    const before = api.queries()
    const { left } = await act.move(id(0), { scheduledAt: '2030-06-03T09:00:00Z', scope: 'all' })
    expect(left).toHaveLength(occurrences - 1)
    return api.queries() - before
  }
  expect(await cost(20)).toBe(await cost(3))
})

describe('labels', () => {
  test('are those of all sets of the scope then, also of one that is published', async () => {
    const label = async () => (await createLabel(api, { accountId: api.accountId, name: newId(), color: null })).id
    const [kept, gone] = [await label(), await label()]
    const { ids, id } = await series('2030-06-03T08:00:00Z')
    await api.db.updateTable('post_sets').set({ status: 'PUBLISHED' }).where('id', '=', id(3)).execute()
    const labels = async () => (await Promise.all(ids.map(act.read))).map(({ labelsId }) => labelsId)
    await act.label(id(2), [gone])
    expect(await labels()).toEqual([[], [], [gone], []])
    await act.label(id(1), [kept], 'following')
    expect(await labels()).toEqual([[], [kept], [kept], [kept]])
    const answer = await act.label(id(0), [], 'all')
    expect(answer).toMatchObject({ id: id(0), labelsId: [] })
    expect(await labels()).toEqual([[], [], [], []])
    expect((await act.history(id(2))).map(({ action }) => action).slice(0, 2)).toEqual([
      'label removed',
      'labels changed',
    ])
  })

  test('of a set alone are those of a scope, too', async () => {
    const { id: label } = await createLabel(api, { accountId: api.accountId, name: newId(), color: null })
    const { id } = await api.create()
    expect(await act.label(id, [label], 'all')).toMatchObject({ labelsId: [label] })
  })
})
