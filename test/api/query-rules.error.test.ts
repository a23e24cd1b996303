import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Api, type Body, startApi } from '../_util/api/api.ts'

let api: Api
beforeAll(async () => {
  api = await startApi()
})
afterAll(() => api.close())

const url = 'https://files.example/photo.jpg'
const note = () => ({
  socialSetId: api.socialSetId,
  content: 'Call the baker',
  hexColor: '#faf785',
  scheduledAt: '2030-06-01T10:00:00Z',
})
const newNote = async () => (await api.request('POST', '/v1/notes', { body: note() })).body.id

test.each<[string, () => Promise<[path: string, body?: object]>]>([
  ['GET', async () => [`/v1/post-sets/${(await api.create()).id}`]],
  ['PATCH', async () => [`/v1/post-sets/${(await api.create()).id}`, { approval: 'PENDING' }]],
  ['DELETE', async () => [`/v1/post-sets/${(await api.create()).id}`]],
  ['POST', async () => ['/v1/post-sets', api.draft()]],
  ['POST', async () => ['/v1/post-sets/validate', api.draft()]],
  ['POST', async () => ['/v1/media-upload', { socialSetId: api.socialSetId, url }]],
  ['GET', async () => [`/v1/media-library/${await api.newMedia()}`]],
  ['GET', async () => [`/v1/notes/${await newNote()}`]],
  ['PATCH', async () => [`/v1/notes/${await newNote()}`, { content: 'x' }]],
  ['DELETE', async () => [`/v1/notes/${await newNote()}`]],
  ['POST', async () => ['/v1/notes', note()]],
  ['GET', async () => ['/v1/social-sets']],
  ['GET', async () => ['/v1/labels']],
])('shape-35: %s with a query parameter that there is not is refused and names it (%#)', async (method, make) => {
  const [path, body] = await make()
  const answer = await api.request(method, `${path}?colour=red`, body ? { body } : {})
  expect([answer.status, answer.body.code]).toEqual([400, 'request:invalid_query'])
  expect(answer.body.errors.map((entry: Body) => entry.path)).toEqual(['colour'])
})
