import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '#domain'
import { closeMediaItem, countBlockingUses, lockMediaItem } from '#persistence'
import { type Api, BLUESKY_POST, startApi } from '../_util/api/api.ts'
import { type Person, signInAs } from '../_util/api/members.ts'
import { anyRate, done, publishAs, statusAndCode } from '../_util/browser/dashboard-api.ts'

let api: Api
let author: Person
beforeAll(async () => {
  api = await startApi({ rate: anyRate })
  author = await signInAs(api, 'author')
})
afterAll(() => api.close())

const NO_ITEM = [404, 'media-library:not_found']
const IN_USE = [409, 'media-library:in_use']
const remove = (id: string) => author.request('DELETE', `/media-library/${id}`)
const draftWith = (mediaLibraryId: string, more: object = {}) =>
  api.draft({ posts: [{ ...BLUESKY_POST, media: [{ mediaLibraryId }] }], ...more })

test.each([['DRAFT'], ['SCHEDULED']])('a file in a post that is %s is not deleted', async (status) => {
  const id = await api.newMedia()
  await api.create(draftWith(id, { status }))
  await api.create(draftWith(id))
  const refused = await remove(id)
  expect(statusAndCode(refused)).toEqual(IN_USE)
  expect(refused.body.detail).toBe(
    'The file is in 2 posts that are drafts or scheduled. Take it out of them, or replace it there, then delete it.',
  )
  expect((await api.request('GET', `/v1/media-library/${id}`)).status).toBe(200)
})

test('nor one in a post that is being published', async () => {
  const id = await api.newMedia()
  await publishAs(api, (await api.create(draftWith(id))).id, 'PUBLISHING', [null])
  expect(statusAndCode(await remove(id))).toEqual(IN_USE)
})

test('what is deleted or in the library cannot be deleted or restored again', async () => {
  const id = await api.newMedia()
  expect(statusAndCode(await author.request('POST', `/media-library/${id}/restore`))).toEqual(NO_ITEM)
  await done(remove(id), 204)
  expect(statusAndCode(await remove(id))).toEqual(NO_ITEM)
  expect(statusAndCode(await author.request('PATCH', `/media-library/${id}`, { body: { name: 'x' } }))).toEqual(NO_ITEM)
  expect(statusAndCode(await author.request('GET', `/media-library/${id}/uses`))).toEqual(NO_ITEM)
})

test('who adds a file to a post while another deletes it finds none', async () => {
  const id = await api.newMedia()
  let adding: ReturnType<Api['request']> | null = null
  await api.db.transaction().execute(async (trx) => {
    await lockMediaItem(trx, api.accountId, id)
    adding = api.request('POST', '/v1/post-sets', { body: draftWith(id) })
    // It waits for the row, which is what is to be shown: it can end only behind this.
    expect(await countBlockingUses(trx, id)).toBe(0)
    await closeMediaItem(trx, id)
  })
  const answer = await (adding as unknown as ReturnType<Api['request']>)
  expect(answer.status).toBe(422)
  expect(answer.body.errors[0].code).toBe('post:media_not_found')
})

test.each<[string, object, string]>([
  ['a name without letters', { name: '  ' }, 'name'],
  ['no name', { name: '' }, 'name'],
  ['a text that is too long', { altText: 'x'.repeat(5_001) }, 'altText'],
  ['a field that is not there', { bytes: 1 }, 'bytes'],
])('%s is refused', async (_, body, path) => {
  const answer = await author.request('PATCH', `/media-library/${await api.newMedia()}`, { body })
  expect(statusAndCode(answer)).toEqual([400, 'request:invalid_body'])
  expect(answer.body.errors.map((entry: { path: string }) => entry.path)).toEqual([path])
})

test.each<[string, Record<string, string>]>([
  ['a cursor that is none', { cursor: 'x' }],
  ['a shape that is none', { shape: 'ROUND' }],
  ['more than a page has', { size: '101' }],
  ['a parameter that is not there', { page: '2' }],
])('%s is refused', async (_, query) => {
  const all = new URLSearchParams({ socialSetId: api.socialSetId, ...query })
  expect(statusAndCode(await author.request('GET', `/media-library/browse?${all}`))).toEqual([
    400,
    'request:invalid_query',
  ])
})

test('a cursor of another social set gives nothing of this one', async () => {
  const query = new URLSearchParams({ socialSetId: api.socialSetId, cursor: newId() })
  expect((await done(author.request('GET', `/media-library/browse?${query}`))).data).toEqual([])
})

test('a label that is not there, a file that is not there, and too many: no file gets it', async () => {
  const owner = await signInAs(api, 'owner')
  const [first, second] = [await api.newMedia(), await api.newMedia()]
  const { id: labelId } = await done(owner.request('POST', '/labels', { body: { name: newId() } }), 201)
  const label = (mediaIds: string[], more: object = {}) =>
    author.request('POST', '/media-library/labels', { body: { mediaIds, labelId, has: true, ...more } })
  expect(statusAndCode(await label([first, newId()]))).toEqual(NO_ITEM)
  expect(statusAndCode(await label([first, 'x']))).toEqual(NO_ITEM)
  expect(statusAndCode(await label([first], { labelId: newId() }))).toEqual([404, 'label:not_found'])
  expect(statusAndCode(await label([first], { labelId: 'x' }))).toEqual([404, 'label:not_found'])
  expect(statusAndCode(await label([]))).toEqual([400, 'request:invalid_body'])
  expect(statusAndCode(await label(Array.from({ length: 201 }, () => second)))).toEqual([400, 'request:invalid_body'])
  const labels = await done(author.request('GET', `/media-library/${first}/labels`))
  expect(labels).toEqual({ labelsId: [] })
})
