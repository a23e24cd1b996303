import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { LABEL_COLORS } from '#contract'
import { newId } from '#domain'
import { createLabel, labelPostSet } from '#operations'
import { finishRemovedLabels, markLabelRemoved } from '#persistence'
import { type Answer, type Api, type Body, startApi } from '../_util/api/api.ts'
import { type Person, signInAs } from '../_util/api/members.ts'

let api: Api
let editor: Person
beforeAll(async () => {
  api = await startApi()
})
// One each: no one asks more often than one person may.
beforeEach(async () => {
  editor = await signInAs(api, 'editor')
})
afterAll(() => api.close())

const post = (path: string, body: unknown) => editor.request('POST', `/labels${path}`, { body })
const patch = (id: string, body: unknown) => editor.request('PATCH', `/labels/${id}`, { body })
const codeOf = ({ status, body }: Answer) => [status, body.code]
const pathsOf = ({ body }: Answer) => body.errors.map(({ path }: Body) => path)
const UNPRINTABLE =
  'A name must not have line breaks or invisible control characters. If you have pasted it, type it instead.'
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
    ...['two\nlines', 'two\u2028lines', 'turned\u202e round', 'first\u2068 strong'].map((bad) => [bad, UNPRINTABLE]),
  ]) {
    for (const answer of [await post('', { name }), await patch(label.id, { name })]) {
      expect([...codeOf(answer), answer.body.message]).toEqual([409, 'request:refused', words])
    }
  }
  const { body: same } = await patch(label.id, { name: 'Words' })
  expect(same.name).toBe('Words')
  const tooLong = await patch(label.id, { name: 'x'.repeat(61) })
  expect(tooLong.body.message).toBe('The name of a label has at most 60 characters.')
})

test('a name can have marks of direction and joined emoji', async () => {
  for (const name of ['עברית\u200f (1)', 'left\u200e mark', '👩\u200d🚀 launch']) {
    const answer = await post('', { name })
    expect([answer.status, answer.body.name]).toEqual([201, name])
  }
})

test('a name is the account’s only one, ignoring case and however its accents are written', async () => {
  const { body: label } = await post('', { name: 'Café' })
  const { body: other } = await post('', { name: 'Other' })
  for (const name of ['Café', 'CAFÉ', ' café ', 'Cafe\u0301']) {
    for (const answer of [await post('', { name }), await patch(other.id, { name })]) {
      expect(codeOf(answer)).toEqual([409, 'label:name_taken'])
      expect(answer.body.message).toBe('A label named “Café” already exists.')
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

describe('a label that is taken off many sets', () => {
  const made = async (name: string): Promise<string> => (await post('', { name })).body.id
  const read = async (id: string) => (await api.request('GET', `/v1/post-sets/${id}`)).body
  const carry = async (labelId: string, status: 'DRAFT' | 'PUBLISHED' = 'DRAFT') => {
    const set = await api.create()
    await api.db.updateTable('post_sets').set({ status }).where('id', '=', set.id).execute()
    await api.db.insertInto('post_set_labels').values({ post_set_id: set.id, label_id: labelId }).execute()
    return set
  }
  const by = { type: 'USER', id: null, name: 'Ada' } as const
  /** As when the process ends right after the label is marked. */
  const breakOff = (id: string, into: string | null) =>
    api.db.transaction().execute((trx) => markLabelRemoved(trx, id, { by, into }))

  test('is off those that a publisher has in hand too, without waiting for it, and their versions stay', async () => {
    const [from, into] = [await made('Busy'), await made('Idle')]
    const published = await carry(from, 'PUBLISHED')
    const { status } = await api.db.transaction().execute(async (trx) => {
      await trx.updateTable('post_sets').set({ claimed_at: new Date() }).where('id', '=', published.id).execute()
      return post(`/${from}/merge`, { into })
    })
    expect(status).toBe(200)
    expect(await read(published.id)).toMatchObject({ version: published.version, labelsId: [into] })
    expect(await api.history(published.id)).toMatchObject([
      { action: 'created' },
      { action: 'label removed', changes: { label: { id: from, name: 'Busy' } } },
      { action: 'label added', changes: { label: { id: into, name: 'Idle' } } },
    ])
  })

  test('is off all of them, a few in each transaction', async () => {
    const label = await made('Many')
    const { id } = await carry(label)
    await sql`with made as (
        insert into post_sets (id, account_id, social_set_id, scheduled_at, status, approval)
        select gen_random_uuid(), account_id, social_set_id, scheduled_at, status, approval
        from post_sets, generate_series(1, 1200) where id = ${id} returning id
      ) insert into post_set_labels select id, ${label} from made`.execute(api.db)
    expect((await editor.request('DELETE', `/labels/${label}`)).status).toBe(204)
    const { rows } = await sql<{ sets: number; transactions: number; versions: number[] }>`
      select count(*)::integer as sets, count(distinct history.xmin::text)::integer as transactions,
        array_agg(distinct post_sets.version) as versions
      from history join post_sets on post_sets.id = post_set_id
      where changes->'label'->>'id' = ${label}`.execute(api.db)
    expect(rows).toEqual([{ sets: 1_201, transactions: 3, versions: [2] }])
    expect((await labels()).some((left) => left.id === label)).toBe(false)
  })

  test('is gone for everybody when that is broken off, and taken off later', async () => {
    const [label, stays] = [await made('Broken off'), await made('Stays')]
    const set = await carry(label)
    await breakOff(label, null)
    expect(await read(set.id)).toMatchObject({ labelsId: [] })
    const { body } = await editor.request('GET', '/labels/usage')
    expect(body.data.map(({ id }: Body) => id)).not.toContain(label)
    expect(codeOf(await patch(label, { name: 'x' }))).toEqual([404, 'label:not_found'])
    const put = (labelsId: string[]) => editor.request('PUT', `/post-sets/${set.id}/labels`, { body: { labelsId } })
    expect(codeOf(await put([label]))).toEqual([404, 'label:not_found'])
    expect(await put([stays])).toMatchObject({ status: 200, body: { labelsId: [stays] } })
    expect((await post('', { name: 'Broken off' })).status).toBe(201)

    await Promise.all([finishRemovedLabels(api.db, null), finishRemovedLabels(api.db, null)])
    expect((await labels()).map(({ id }) => id)).not.toContain(label)
    expect(await read(set.id)).toMatchObject({ labelsId: [stays], version: set.version + 2 })
    expect((await api.history(set.id)).at(-1)).toMatchObject({ action: 'label removed', actor_name: 'Ada' })
  })

  test('is taken off by the next call too, and what was on its way to another label goes on with that', async () => {
    // The older label is finished before the one that is on its way to it.
    const [second, first, third] = [await made('Second'), await made('First'), await made('Third')]
    const set = await carry(first)
    await breakOff(first, second)
    expect((await post(`/${second}/merge`, { into: third })).status).toBe(200)
    expect(await read(set.id)).toMatchObject({ labelsId: [third] })
    expect((await labels()).map(({ id }) => id)).not.toContain(first)
  })
})
