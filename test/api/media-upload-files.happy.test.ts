import { afterAll, beforeAll, expect, test } from 'vitest'
import { type MediaApi, startMediaApi } from '../_util/api/media-api.ts'
import { type TusClient, tusClient } from '../_util/api/tus-client.ts'
import { readFixture } from '../_util/networks/file-server.ts'

let api: MediaApi
let tus: TusClient
beforeAll(async () => {
  api = await startMediaApi()
  await api.stage.startImporter()
  tus = tusClient(api.url, { authorization: `Bearer ${api.key}` })
})
afterAll(() => api.close())

const bytesAt = async (url: string) => Buffer.from(await (await api.file(url)).arrayBuffer())

/** A time of HTTP, of tomorrow. */
const inADay = () => expect.toSatisfy((text: string) => Math.abs(Date.parse(text) - Date.now() - 86_400_000) < 60_000)

test('upload-01, upload-04: a file in pieces: begun, sent, resumed, READY, and back as the same bytes', async () => {
  const photo = await readFixture('photo.jpg')
  const begun = await tus.begin({ socialSetId: api.socialSetId, name: 'Launch', altText: 'Red and blue' }, photo.length)
  expect(begun.status).toBe(201)
  expect(begun.body).toBe('')
  const id = /^https:\/\/almanac\.test\/v1\/media-upload\/files\/([0-9a-f-]{36})$/.exec(
    begun.headers.location ?? '',
  )?.[1]
  expect(id).toBeDefined()
  expect(begun.headers).toMatchObject({
    'upload-expires': inADay(),
    'tus-resumable': '1.0.0',
    'x-ratelimit-limit': expect.anything(),
  })
  const path = `/v1/media-upload/files/${id}`
  expect((await api.request('GET', `/v1/media-upload/${id}`)).body).toMatchObject({
    id,
    socialSetId: api.socialSetId,
    url: null,
    status: 'PENDING',
    bytesReceived: 0,
    bytesTotal: photo.length,
    mediaLibraryId: null,
    error: null,
  })

  const first = await tus.send(path, 0, photo.subarray(0, 1_000))
  expect(first).toMatchObject({
    status: 204,
    headers: { 'upload-offset': '1000', 'upload-expires': inADay(), 'tus-resumable': '1.0.0' },
  })
  const found = await tus.offset(path)
  expect(found).toMatchObject({
    status: 200,
    headers: { 'upload-offset': '1000', 'upload-length': String(photo.length), 'cache-control': 'no-store' },
  })
  const last = await tus.send(path, 1_000, photo.subarray(1_000))
  expect(last).toMatchObject({ status: 204, headers: { 'upload-offset': String(photo.length) } })

  expect(last.headers).not.toHaveProperty('upload-expires')
  const ended = await api.ended(id ?? '')
  expect(ended).toMatchObject({ status: 'READY', url: null, bytesReceived: photo.length, bytesTotal: photo.length })
  const { body: item } = await api.request('GET', `/v1/media-library/${ended.mediaLibraryId}`)
  expect(item).toMatchObject({
    name: 'Launch',
    altText: 'Red and blue',
    source: { type: 'UPLOAD' },
    mimeType: 'image/jpeg',
  })
  expect(await bytesAt(item.url)).toEqual(photo)
  // A client that lost the last answer learns that it is done.
  expect(await tus.offset(path)).toMatchObject({ status: 200, headers: { 'upload-offset': String(photo.length) } })
})

test('uploads that are sent at once are not mixed up', async () => {
  const begun = await Promise.all([100, 200, 300].map((length) => tus.begun({ socialSetId: api.socialSetId }, length)))
  const sent = begun.map(({ path }) => tus.open(path, 0))
  for (const [index, { request }] of sent.entries()) request.write(Buffer.alloc(10 + index))
  for (const { request } of sent.toReversed()) request.end()
  const answers = await Promise.all(sent.map(({ answer }) => answer))
  expect(answers.map(({ headers }) => headers['upload-offset'])).toEqual(['10', '11', '12'])
  const found = await Promise.all(begun.map(({ path }) => tus.offset(path)))
  expect(found.map(({ headers }) => [headers['upload-offset'], headers['upload-length']])).toEqual([
    ['10', '100'],
    ['11', '200'],
    ['12', '300'],
  ])
  for (const { path } of begun) expect((await tus.ask('DELETE', path)).status).toBe(204)
})

test('upload-02: a form: one file in one request', async () => {
  const photo = await readFixture('photo.jpg')
  const form = new FormData()
  form.set('socialSetId', api.socialSetId)
  form.set('altText', 'Red and blue')
  form.set('file', new Blob([new Uint8Array(photo)]), 'Our photo.jpg')
  const response = await fetch(`${api.url}/v1/media-upload`, {
    method: 'POST',
    headers: { authorization: `Bearer ${api.key}` },
    body: form,
  })
  const made = (await response.json()) as { id: string }
  expect(response.status, JSON.stringify(made)).toBe(201)
  expect(made).toMatchObject({ url: null, status: 'PENDING', bytesReceived: photo.length, bytesTotal: photo.length })
  const ended = await api.ended(made.id)
  expect(ended.status).toBe('READY')
  const { body: item } = await api.request('GET', `/v1/media-library/${ended.mediaLibraryId}`)
  expect(item).toMatchObject({ name: 'Our photo.jpg', altText: 'Red and blue', source: { type: 'UPLOAD' } })
  expect(await bytesAt(item.url)).toEqual(photo)
})
