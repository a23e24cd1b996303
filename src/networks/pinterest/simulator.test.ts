import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fixture, type Json, openStage, type Stage, serveFiles } from '../kit/testing.ts'
import { network } from './index.ts'

/** What the pretend network refuses and no test of the connector provokes. */

const BOARD = '549755885175000001'
let stage: Stage
let files: Awaited<ReturnType<typeof serveFiles>>
let [jpeg, wide] = ['', '']
beforeAll(async () => {
  stage = await openStage(network, 'PINTEREST', { base: 'api/v5' })
  const solid = (width: number) => sharp({ create: { width, height: 60, channels: 3, background: '#c80' } })
  const pictures = await Promise.all([40, 80].map((width) => solid(width).jpeg().toBuffer()))
  ;[jpeg, wide] = pictures.map((picture) => picture.toString('base64')) as [string, string]
  files = await serveFiles({ text: 'No picture.' })
})
afterAll(async () => {
  await stage?.close()
  await files.close()
})

const base64 = (data: string, type = 'image/jpeg') => ({ source_type: 'image_base64', content_type: type, data })
const item = (data: string) => ({ content_type: 'image/jpeg', data })
const pin = (more: Json = {}) => ({ board_id: BOARD, title: 'Bread', media_source: base64(jpeg), ...more })
const of = (media_source: unknown) => pin({ media_source })
const carousel = (...items: unknown[]) => of({ source_type: 'multiple_image_base64', items })
const address = (name: string) => of({ source_type: 'image_url', url: files.address(name) })
const video = (media_id: unknown, more: Json = {}) =>
  of({ source_type: 'video_id', media_id, cover_image_key_frame_time: 0, ...more })

test.each<[string, () => unknown, number, RegExp]>([
  ['with an unknown field', () => pin({ colour: 'red' }), 400, /colour/],
  ['without a board', () => pin({ board_id: undefined }), 400, /does not match/],
  ['on a board that is no number', () => pin({ board_id: 'bread' }), 400, /does not match/],
  ['with a long description', () => pin({ description: 'x'.repeat(801) }), 400, /maxLength=800/],
  ['with a long alternative text', () => pin({ alt_text: 'x'.repeat(501) }), 400, /'alt_text' is too long/],
  ['with a bad link', () => pin({ link: 'bakery' }), 400, /invalid URL/],
  ['with an unknown source', () => of({ source_type: 'pin_url' }), 400, /source_type/],
  ['with a GIF in base64', () => of(base64(jpeg, 'image/gif')), 400, /content_type/],
  ['with a JPEG that is called PNG', () => of(base64(jpeg, 'image/png')), 400, /another type/],
  ['with one image of a carousel', () => carousel(item(jpeg)), 400, /minItems=2/],
  ['with images of two sizes', () => carousel(item(jpeg), item(wide)), 400, /same dimensions/],
  ['with an address that leads nowhere', () => address('gone'), 400, /Unable to reach the URL/],
  ['with an address of what is no image', () => address('text'), 400, /could not be processed/],
  ['with a video that is not there', () => video('1'), 404, /Media not found/],
])('a pin %s is refused', async (_, body, status, words) => {
  const answer = await stage.api('POST pins', body())
  expect([answer.status, answer.json]).toEqual([
    status,
    { code: expect.any(Number), message: expect.stringMatching(words) },
  ])
  expect(await stage.posts()).toEqual([])
})

interface Registered {
  media_id: string
  upload_url: string
  upload_parameters: Record<string, string>
}
const register = async () => (await stage.api<Registered & Json>('POST media', { media_type: 'video' })).json

/** Sends a file as the form asks; `change` spoils it. */
interface Change {
  fields?: Record<string, string>
  headers?: Record<string, string>
  fileFirst?: true
}
async function upload({ upload_url, upload_parameters }: Registered, file: string, change: Change = {}) {
  const fields = Object.entries({ ...upload_parameters, ...change.fields })
  const parts: [string, string | Blob][] = [...fields, ['file', new Blob([new Uint8Array(await fixture(file))])]]
  const form = new FormData()
  for (const [name, part] of change.fileFirst ? parts.reverse() : parts) form.append(name, part)
  const encoded = new Response(form)
  const headers = { 'content-type': encoded.headers.get('content-type') ?? '', ...change.headers }
  return (await fetch(upload_url, { method: 'POST', headers, body: await encoded.arrayBuffer() })).status
}
const look = async ({ media_id }: Registered) => (await stage.api(`GET media/${media_id}`)).json.status

test('a video is worked on for a while, comes out usable or not, and is wanted with a cover', async () => {
  const good = await register()
  const create = async (more: Json = {}) => (await stage.api('POST pins', video(good.media_id, more))).json.message
  expect([await look(good), await create()]).toEqual(['registered', expect.stringContaining('not ready')])
  expect(await upload(good, 'video-h264-aac.mp4')).toBe(204)
  expect([await look(good), await create()]).toEqual(['registered', expect.stringContaining('not ready')])
  expect([await look(good), await look(good)]).toEqual(['processing', 'succeeded'])
  expect(await create({ cover_image_key_frame_time: undefined })).toContain('cover_image_url')
  expect(await create({ cover_image_key_frame_time: 1.5 })).toContain('cover_image_key_frame_time')
  for (const file of ['video-short.mp4', 'video-vp9.webm', 'photo.jpg']) {
    const bad = await register()
    expect(await upload(bad, file)).toBe(204)
    expect([await look(bad), await look(bad), await look(bad)].at(-1)).toBe('failed')
  }
})

test.each<[string, Change, number]>([
  ['whose signature is another', { fields: { 'x-amz-signature': 'x' } }, 403],
  ['with a field too many', { fields: { extra: 'x' } }, 403],
  ['of an unknown key', { fields: { key: 'x' } }, 403],
  ['with the file before the fields', { fileFirst: true }, 400],
  ['with a token', { headers: { authorization: 'Bearer x' } }, 400],
])('an upload %s is refused', async (_, change, status) => {
  const registered = await register()
  expect(await upload(registered, 'video-short.mp4', change)).toBe(status)
  expect([await look(registered), await look(registered)]).toEqual(['registered', 'registered'])
})

test.each<[string, number, unknown?]>([
  ['POST media', 400, { media_type: 'image' }],
  ['GET boards?page_size=0', 400],
  ['GET boards?bookmark=nowhere', 400],
  ['GET boards/1/pins', 404],
  ['GET media/1', 404],
])('%s: %i', async (call, status, body) => expect((await stage.api(call, body)).status).toBe(status))

test('a pin that is sent twice is there twice; pins stand on their board after a while, newest first, in pages', async () => {
  const titles = async (query = '') => {
    const { items, bookmark } = (
      await stage.api<{ items: Json[]; bookmark: string | null } & Json>(`GET boards/${BOARD}/pins${query}`)
    ).json
    return [...items.map(({ title }) => title), bookmark]
  }
  for (const title of ['One', 'Two', 'Two']) {
    expect((await stage.api('POST pins', pin({ title }))).status).toBe(201)
    stage.pass(1_000)
  }
  expect(await titles()).toEqual([null])
  stage.pass(60_000)
  expect(await titles()).toEqual(['Two', 'Two', 'One', null])
  const [, , bookmark] = await titles('?page_size=2')
  expect(await titles(`?page_size=2&bookmark=${bookmark}`)).toEqual(['One', null])
})
