import { afterAll, beforeAll, expect, test } from 'vitest'
import { LABEL_COLORS } from '#contract'
import { createLabel } from '#operations'
import { type Api, type Body, startApi } from '../_util/api/api.ts'
import { type Person, signInAs } from '../_util/api/members.ts'

let api: Api
let editor: Person
beforeAll(async () => {
  api = await startApi()
  editor = await signInAs(api, 'editor')
})
afterAll(() => api.close())

const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
const make = async (body: object): Promise<Body> => {
  const answer = await editor.request('POST', '/labels', { body })
  expect(answer.status, JSON.stringify(answer.body)).toBe(201)
  return answer.body
}
const usage = async (name: string) =>
  (await editor.request('GET', '/labels/usage')).body.data.find((label: Body) => label.name === name)
const read = async (id: string) => (await api.request('GET', `/v1/post-sets/${id}`)).body
/** A draft that carries labels. */
async function labelled(...labelIds: string[]): Promise<Body> {
  const set = await api.create()
  const values = labelIds.map((labelId) => ({ post_set_id: set.id, label_id: labelId }))
  if (values.length > 0) await api.db.insertInto('post_set_labels').values(values).execute()
  return set
}

test('a label is made in one of our colors or without, and is the API’s too', async () => {
  const [color] = LABEL_COLORS
  const made = await make({ name: '  Autumn ', color })
  expect(made).toEqual({ id: expect.any(String), name: 'Autumn', color, createdAt: TIME })
  expect(await make({ name: 'Plain' })).toMatchObject({ name: 'Plain', color: null })
  expect(await make({ name: 'None', color: null })).toMatchObject({ color: null })
  expect((await api.request('GET', '/v1/labels')).body.data).toContainEqual(made)
  expect(await make({ name: '🎃'.repeat(60) })).toMatchObject({ name: '🎃'.repeat(60) })
})

test('all labels are listed by name with how many post sets carry each, with one query however many', async () => {
  const accountId = await api.newAccount()
  const owner = await signInAs(api, 'owner', { accountId })
  for (const name of ['winter', 'Autumn', 'spring']) await createLabel(api, { accountId, name, color: null })
  const { body } = await owner.request('GET', '/labels/usage')
  expect(body.data.map(({ name, postSets }: Body) => [name, postSets])).toEqual([
    ['Autumn', 0],
    ['spring', 0],
    ['winter', 0],
  ])
  expect(body.data[0]).toEqual({ id: expect.any(String), name: 'Autumn', color: null, createdAt: TIME, postSets: 0 })

  const { id } = await make({ name: 'Counted' })
  await labelled(id)
  const cost = async () => {
    const before = api.queries()
    await editor.request('GET', '/labels/usage')
    return api.queries() - before
  }
  const one = await cost()
  for (let count = 0; count < 5; count++) await labelled((await make({ name: `More ${count}` })).id, id)
  expect(await cost()).toBe(one)
  expect(await usage('Counted')).toMatchObject({ postSets: 6 })
})

test('a label is renamed and recolored; its sets stay as they are', async () => {
  const label = await make({ name: 'Sumer', color: LABEL_COLORS[0] })
  const set = await labelled(label.id)
  const change = async (body: object) => {
    const answer = await editor.request('PATCH', `/labels/${label.id}`, { body })
    expect(answer.status, JSON.stringify(answer.body)).toBe(200)
    return answer.body
  }
  expect(await change({ name: ' Summer ' })).toEqual({ ...label, name: 'Summer' })
  expect(await change({ name: 'SUMMER' })).toMatchObject({ name: 'SUMMER', color: label.color })
  expect(await change({ color: LABEL_COLORS[5] })).toMatchObject({ name: 'SUMMER', color: LABEL_COLORS[5] })
  expect(await change({ color: null })).toMatchObject({ color: null })
  expect(await change({})).toMatchObject({ name: 'SUMMER', color: null })
  expect(await read(set.id)).toMatchObject({ labelsId: [label.id], version: set.version })
  expect(await api.history(set.id)).toHaveLength(1)
})

test('a name and a color from before our rules stay, and may be sent back', async () => {
  const { id } = await createLabel(api, { accountId: api.accountId, name: 'Older', color: '#ff8800' })
  const long = 'Long ago '.repeat(10).trim()
  await api.db.updateTable('labels').set({ name: long }).where('id', '=', id).execute()
  const { status, body } = await editor.request('PATCH', `/labels/${id}`, { body: { name: long, color: '#ff8800' } })
  expect([status, body]).toMatchObject([200, { name: long, color: '#ff8800' }])
  const renamed = await editor.request('PATCH', `/labels/${id}`, { body: { name: 'Older', color: '#ff8800' } })
  expect(renamed.body).toMatchObject({ name: 'Older', color: '#ff8800' })
})

test('merging gives the sets of one label the other, raises their versions once and records it in their history', async () => {
  const from = await make({ name: 'Fall', color: LABEL_COLORS[1] })
  const into = await make({ name: 'Herbst' })
  const [only, both, other, none] = [
    await labelled(from.id),
    await labelled(from.id, into.id),
    await labelled(into.id),
    await labelled(),
  ]
  const merged = await editor.request('POST', `/labels/${from.id}/merge`, { body: { into: into.id } })
  expect([merged.status, merged.body]).toEqual([200, into])

  expect(await usage('Fall')).toBeUndefined()
  expect(await usage('Herbst')).toMatchObject({ postSets: 3 })
  const removed = { action: 'label removed', actor_name: 'Ada', changes: { label: { id: from.id, name: 'Fall' } } }
  const added = { action: 'label added', actor_name: 'Ada', changes: { label: { id: into.id, name: 'Herbst' } } }
  const created = { action: 'created' }
  for (const [set, labelsId, raised, history] of [
    [only, [into.id], 1, [created, removed, added]],
    [both, [into.id], 1, [created, removed]],
    [other, [into.id], 0, [created]],
    [none, [], 0, [created]],
  ] as const) {
    expect(await read(set.id)).toMatchObject({ labelsId, version: set.version + raised })
    expect(await api.history(set.id)).toMatchObject(history)
    expect(await api.history(set.id)).toHaveLength(history.length)
  }
})

test('removing takes the label off its sets, raises their versions and records it in their history', async () => {
  const label = await make({ name: 'Gone' })
  const stays = await make({ name: 'Stays' })
  const [set, other] = [await labelled(label.id, stays.id), await labelled(stays.id)]
  expect((await editor.request('DELETE', `/labels/${label.id}`)).status).toBe(204)
  expect(await usage('Gone')).toBeUndefined()
  expect(await read(set.id)).toMatchObject({ labelsId: [stays.id], version: set.version + 1 })
  expect(await read(other.id)).toMatchObject({ version: other.version })
  expect(await api.history(set.id)).toMatchObject([
    { action: 'created' },
    { action: 'label removed', actor_type: 'USER', changes: { label: { id: label.id, name: 'Gone' } } },
  ])
  expect(await make({ name: 'Gone' })).toMatchObject({ name: 'Gone' })
})

test('however many sets carry a label, merging costs the same number of queries', async () => {
  const into = await make({ name: 'One for all' })
  const cost = async (sets: number) => {
    const from = await make({ name: `On ${sets}` })
    for (let count = 0; count < sets; count++) await labelled(from.id)
    const before = api.queries()
    const { status } = await editor.request('POST', `/labels/${from.id}/merge`, { body: { into: into.id } })
    expect(status).toBe(200)
    return api.queries() - before
  }
  expect(await cost(20)).toBe(await cost(1))
})
