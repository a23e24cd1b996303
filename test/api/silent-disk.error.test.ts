import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDiskStore, createPatience, withPatience } from '#media'
import { type MediaApi, startMediaApi } from '../_util/api/media-api.ts'
import { type TusAnswer, type TusClient, tusClient } from '../_util/api/tus-client.ts'
import { readFixture } from '../_util/networks/file-server.ts'

/** What clients are answered while the folder of the media does not answer: when to come again, and nothing is lost. */

let api: MediaApi
let tus: TusClient
const patience = createPatience({ limitMs: 100, writeLimitMs: 100, poolSize: 16 })
let hang = Promise.withResolvers<void>()
hang.resolve()
/** A folder whose calls come back when the test says so. */
const disk: ReturnType<typeof createPatience> = {
  ...patience,
  ask: (work, options) => patience.ask(() => hang.promise.then(work), options),
}
beforeAll(async () => {
  api = await startMediaApi({
    receiving: { recordMs: 20, idleMs: 5_000, idleBytes: 1_000 },
    store: (store) => withPatience(createDiskStore({ dir: folderOf(store.path('0'.repeat(32))), disk }), disk),
  })
  await api.stage.startImporter()
  tus = tusClient(api.url, { authorization: `Bearer ${api.key}` })
})
afterAll(() => api.close())

/** Of the store that has a file there. */
const folderOf = (path: string | null) => (path ?? '').split('/objects/')[0] ?? ''
/** Until `answer` is called. */
function silence() {
  hang = Promise.withResolvers()
  return async () => {
    hang.resolve()
    await expect.poll(() => patience.silent()).toBe(false)
  }
}
const UNAVAILABLE = [503, 'service:unavailable', '5']
const reported = ({ status, headers, body }: TusAnswer) => [status, body.code, headers['retry-after']]
const photo = await readFixture('photo.jpg')

test('an upload is not begun while the folder is silent, and is afterwards', async () => {
  const answer = silence()
  expect(reported(await tus.begin({ socialSetId: api.socialSetId }, photo.length))).toEqual(UNAVAILABLE)
  const form = new FormData()
  form.set('socialSetId', api.socialSetId)
  form.set('file', new Blob([Uint8Array.from(photo)], { type: 'image/jpeg' }), 'photo.jpg')
  const headers = { authorization: `Bearer ${api.key}` }
  const response = await fetch(`${api.url}/v1/media-upload`, { method: 'POST', headers, body: form })
  const { code } = (await response.json()) as { code: string }
  expect([response.status, code, response.headers.get('retry-after')]).toEqual(UNAVAILABLE)
  expect(api.logged()).not.toContain('error of ours')
  await answer()
  expect((await tus.begin({ socialSetId: api.socialSetId }, photo.length)).status).toBe(201)
})

test('one whose bytes are on their way goes on from what was recorded', async () => {
  const { path, id } = await tus.begun({ socialSetId: api.socialSetId }, photo.length)
  const half = photo.subarray(0, photo.length / 2)
  expect((await tus.send(path, 0, half)).status).toBe(204)
  const answer = silence()
  expect(reported(await tus.send(path, half.length, photo.subarray(half.length)))).toEqual(UNAVAILABLE)
  await answer()
  const offset = Number((await tus.offset(path)).headers['upload-offset'])
  expect(offset).toBe(half.length)
  expect((await tus.send(path, offset, photo.subarray(offset))).status).toBe(204)
  expect(await api.ended(id)).toMatchObject({ status: 'READY' })
})

test('a file that is asked for is not called missing', async () => {
  const { url } = await api.item('photo.jpg')
  const answer = silence()
  const response = await api.file(url)
  expect([response.status, response.headers.get('retry-after')]).toEqual([503, '5'])
  await answer()
  const read = await api.file(url)
  expect(Buffer.from(await read.arrayBuffer())).toEqual(photo)
})
