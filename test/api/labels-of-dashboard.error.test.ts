import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { LABEL_COLORS } from '#contract'
import { newId } from '#domain'
import { createLabel, labelPostSet } from '#operations'
import { type Answer, type Api, type Body, startApi } from '../_util/api.ts'
import { type Person, signInAs } from '../_util/members.ts'

let api: Api
let editor: Person
beforeAll(async () => {
  api = await startApi()
})
// One each: nobody asks more often than one person may.
beforeEach(async () => {
  editor = await signInAs(api, 'editor')
})
afterAll(() => api.close())

const post = (path: string, body: unknown) => editor.request('POST', `/labels${path}`, { body })
const patch = (id: string, body: unknown) => editor.request('PATCH', `/labels/${id}`, { body })
const codeOf = ({ status, body }: Answer) => [status, body.code]
const pathsOf = ({ body }: Answer) => body.errors.map(({ path }: Body) => path)
const labels = () => api.db.selectFrom('labels').selectAll().orderBy('id').execute()

test('a body that is none', async () => {
  const { body: label } = await post('', { name: 'Body' })
  const before = await labels()
  for (const [body, paths] of [
    [{}, ['name']],
    [{ name: '' }, ['name']],
    [{ name: 'x'.repeat(61) }, ['name']],
    [{ name: 'a\0b' }, ['name']],
    [{ name: 1, color: '#ff8800' }, ['name', 'color']],
    [{ name: 'X', colour: null }, ['colour']],
  ] as const) {
    const answer = await post('', body)
    expect([...codeOf(answer), pathsOf(answer).toSorted()]).toEqual([400, 'request:invalid_body', paths.toSorted()])
  }
  for (const [body, paths] of [
    [{ name: '' }, ['name']],
    [{ color: '#ff8800' }, ['color']],
    [{ color: LABEL_COLORS[0].toUpperCase() }, ['color']],
    [{ id: newId() }, ['id']],
  ] as const) {
    const answer = await patch(label.id, body)
    expect([...codeOf(answer), pathsOf(answer)]).toEqual([400, 'request:invalid_body', paths])
  }
  for (const body of [{}, { into: 1 }, { into: label.id }]) {
    const answer = await post(`/${label.id}/merge`, body)
    expect([...codeOf(answer), pathsOf(answer)]).toEqual([400, 'request:invalid_body', ['into']])
  }
  expect(await labels()).toEqual(before)
})

test('names that are none are refused in words', async () => {
  const { body: label } = await post('', { name: 'Words' })
  for (const [name, words] of [
    [' ', 'A label needs a name.'],
    ['two\nlines', 'A name must not have control characters.'],
  ]) {
    for (const answer of [await post('', { name }), await patch(label.id, { name })]) {
      expect([...codeOf(answer), answer.body.message]).toEqual([409, 'request:refused', words])
    }
  }
  const tooLong = await patch(label.id, { name: 'x'.repeat(61) })
  expect(tooLong.body.message).toBe('The name of a label has at most 60 characters.')
})

test('a name is the account’s only one, whatever its capitals and however its accents are written', async () => {
  const { body: label } = await post('', { name: 'Café' })
  const { body: other } = await post('', { name: 'Other' })
  for (const name of ['Café', 'CAFÉ', ' café ', 'Cafe\u0301']) {
    for (const answer of [await post('', { name }), await patch(other.id, { name })]) {
      expect(codeOf(answer)).toEqual([409, 'label:name_taken'])
      expect(answer.body.message).toBe('There is a label “Café” already.')
    }
  }
  expect((await patch(label.id, { name: 'CAFÉ' })).status).toBe(200)
  await expect(createLabel(api, { accountId: api.accountId, name: 'cafÉ', color: null })).rejects.toThrow('already')
  expect(await createLabel(api, { accountId: await api.newAccount(), name: 'Café', color: null })).toBeTruthy()
})

test('of many who make the same label at once, one does', async () => {
  const answers = await Promise.all(Array.from({ length: 20 }, (_, at) => post('', { name: at % 2 ? 'Same' : 'SAME' })))
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
  expect(answers.filter(({ body }) => body.code === 'label:name_taken')).toHaveLength(19)
})

test('labels that are merged into each other at once become one', async () => {
  const [{ body: one }, { body: two }] = [await post('', { name: 'One' }), await post('', { name: 'Two' })]
  const answers = await Promise.all([
    post(`/${one.id}/merge`, { into: two.id }),
    post(`/${two.id}/merge`, { into: one.id }),
  ])
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 404])
  const left = (await labels()).filter(({ id }) => id === one.id || id === two.id)
  expect(left).toHaveLength(1)
})

test('a label that is put on sets while it is merged is on none of them afterwards', async () => {
  const { body: into } = await post('', { name: 'Into' })
  for (let round = 0; round < 5; round++) {
    const { body: from } = await post('', { name: `From ${round}` })
    const sets = await Promise.all([1, 2, 3, 4].map(() => api.create()))
    const actor = { type: 'OPERATOR', id: null, name: 'operator' } as const
    const mark = (set: Body) => labelPostSet(api, { postSetId: set.id, label: from.id, remove: false }, actor)
    await mark(sets[0])
    const [merged, ...marks] = await Promise.allSettled([
      post(`/${from.id}/merge`, { into: into.id }),
      ...sets.slice(1).map(mark),
    ])
    expect(merged).toMatchObject({ status: 'fulfilled', value: { status: 200 } })
    for (const [at, set] of sets.entries()) {
      const marked = at === 0 || marks[at - 1]?.status === 'fulfilled'
      const { body } = await api.request('GET', `/v1/post-sets/${set.id}`)
      expect(body.labelsId, `set ${at}`).toEqual(marked ? [into.id] : [])
      // Once when it was put on, once when it was merged.
      expect(body.version, `set ${at}`).toBe(set.version + (marked ? 2 : 0))
    }
  }
})

test('a label that is not there', async () => {
  const { body: label } = await post('', { name: 'There' })
  for (const id of [newId(), 'x', '%20']) {
    for (const answer of [
      await patch(id, { name: 'New' }),
      await editor.request('DELETE', `/labels/${id}`),
      await post(`/${id}/merge`, { into: label.id }),
      await post(`/${label.id}/merge`, { into: decodeURIComponent(id) }),
    ]) {
      expect(codeOf(answer)).toEqual([404, 'label:not_found'])
    }
  }
})
