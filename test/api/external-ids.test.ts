import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '#domain'
import { type Api, startApi } from '../_util/api/api.ts'
import { type Person, signInAs } from '../_util/api/members.ts'
import { actionsOf, anyRate, statusAndCode } from '../_util/browser/dashboard-api.ts'

let api: Api
let person: Person
beforeAll(async () => {
  api = await startApi({ rate: anyRate })
  person = await signInAs(api, 'editor')
})
afterAll(() => api.close())

const TAKEN = [409, 'post-set:external_id_taken']
const create = (more: object) => api.request('POST', '/v1/post-sets', { body: api.draft(more) })
const patch = (id: string, body: object) => api.request('PATCH', `/v1/post-sets/${id}`, { body })
const found = async (name: string, socialSetId = api.socialSetId) => {
  const query = `socialSetId=${socialSetId}&filters[externalId]=${encodeURIComponent(name)}`
  const { body } = await api.request('GET', `/v1/post-sets?${query}`)
  return body.data.map(({ id }: { id: string }) => id)
}

describe('the name that a program gives to a post set', () => {
  test('is answered, found by, changed and taken away', async () => {
    expect(await api.create()).not.toHaveProperty('externalId')
    const { id, externalId, version } = await api.create({ externalId: 'posts/loaf.md' })
    expect(externalId).toBe('posts/loaf.md')
    expect(await found('posts/loaf.md')).toEqual([id])
    expect(await found('POSTS/loaf.md')).toEqual([])
    const same = await patch(id, { externalId: 'posts/loaf.md' })
    expect([same.status, same.body.version]).toEqual([200, version])
    expect((await patch(id, { externalId: 'other' })).body).toMatchObject({ externalId: 'other', version: version + 1 })
    expect((await patch(id, { status: 'DRAFT' })).body.externalId).toBe('other')
    const [entry] = (await person.request('GET', `/post-sets/${id}/history`)).body.data
    expect(entry).toMatchObject({ action: 'updated', changes: { externalId: { from: 'posts/loaf.md', to: 'other' } } })
    expect((await patch(id, { externalId: null })).body).not.toHaveProperty('externalId')
    expect(await found('other')).toEqual([])
  })

  test('is not that of copies and of further sets of a series', async () => {
    const repeat = { interval: 'DAY', occurrences: 3 }
    const first = await api.create({ externalId: 'series', repeat })
    expect(await found('series')).toEqual([first.id])
    const { body } = await person.request('POST', `/post-sets/${first.id}/duplicate`, {
      body: { scheduledAt: '2030-08-01T10:00:00Z' },
    })
    expect(body).not.toHaveProperty('externalId')
  })

  test('is there once in a social set, also when two ask at the same time', async () => {
    const { id } = await api.create({ externalId: 'once' })
    const again = await create({ externalId: 'once' })
    expect(statusAndCode(again)).toEqual(TAKEN)
    expect(again.body.errors).toMatchObject([{ path: 'externalId', code: 'post-set:external_id_taken' }])
    const other = await api.create()
    expect(statusAndCode(await patch(other.id, { externalId: 'once' }))).toEqual(TAKEN)
    expect(statusAndCode(await create({ externalId: 'once', repeat: { interval: 'DAY', occurrences: 2 } }))).toEqual(
      TAKEN,
    )
    const answers = await Promise.all(Array.from({ length: 5 }, () => create({ externalId: 'at once' })))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409])
    const elsewhere = await api.newSocialSet()
    expect((await create({ externalId: 'once', socialSetId: elsewhere })).status).toBe(201)
    expect(await found('once')).toEqual([id])
  })

  test('is free when the set is deleted, and a set that comes back needs it', async () => {
    const { id } = await api.create({ externalId: 'deleted' })
    await actionsOf(person).remove(id)
    const { id: next } = await api.create({ externalId: 'deleted' })
    expect(statusAndCode(await person.request('POST', `/post-sets/${id}/restore`))).toEqual(TAKEN)
    await patch(next, { externalId: null })
    const { body } = await person.request('POST', `/post-sets/${id}/restore`)
    expect(body.postSet.externalId).toBe('deleted')
  })

  test.each([[''], ['x'.repeat(201)], [7], ['a\u0000b']])('is not %j', async (externalId) => {
    expect(statusAndCode(await create({ externalId }))).toEqual([400, 'request:invalid_body'])
    const { id } = await api.create()
    expect(statusAndCode(await patch(id, { externalId }))).toEqual([400, 'request:invalid_body'])
  })

  test('may have 200 characters, and any of them', async () => {
    const externalId = `${'😀'.repeat(199)}%`
    const { id } = await api.create({ externalId })
    expect(await found(externalId)).toEqual([id])
    expect(await found(newId())).toEqual([])
  })
})
