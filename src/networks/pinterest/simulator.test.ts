import sharp from 'sharp'
import { beforeAll, expect, test } from 'vitest'
import { stageFor } from '../conformance/stages.ts'
import { fixture, type Json, openStage } from '../kit/testing.ts'
import { network } from './index.ts'

/** What the simulator refuses and no test of the connector provokes. */

const BOARD = '549755885175000001'
const stage = stageFor('all', () => openStage(network, 'PINTEREST', { base: 'api/v5' }))
let [jpeg, wide] = ['', '']
beforeAll(async () => {
  const solid = (width: number) => sharp({ create: { width, height: 60, channels: 3, background: '#c80' } })
  const pictures = await Promise.all([40, 80].map((width) => solid(width).jpeg().toBuffer()))
  ;[jpeg, wide] = pictures.map((picture) => picture.toString('base64')) as [string, string]
})

const base64 = (data: string, type = 'image/jpeg') => ({ source_type: 'image_base64', content_type: type, data })
const item = (data: string) => ({ content_type: 'image/jpeg', data })
const pin = (more: Json = {}) => ({ board_id: BOARD, title: 'Bread', media_source: base64(jpeg), ...more })
const of = (media_source: unknown) => pin({ media_source })
const carousel = (...items: unknown[]) => of({ source_type: 'multiple_image_base64', items })
const video = (media_id: unknown, more: Json = {}) =>
  of({ source_type: 'video_id', media_id, cover_image_key_frame_time: 0, ...more })

test.each<[RegExp, () => unknown]>([
  [/colour/, () => pin({ colour: 'red' })],
  [/does not match/, () => pin({ board_id: 'bread' })],
  [/maxLength=800/, () => pin({ description: 'x'.repeat(801) })],
  [/invalid URL/, () => pin({ link: 'bakery' })],
  [/source_type/, () => of({ source_type: 'pin_url' })],
  [/content_type/, () => of(base64(jpeg, 'image/gif'))],
  [/another type/, () => of(base64(jpeg, 'image/png'))],
  [/could not be processed/, () => of(base64('QUJD'))],
  [/minItems=2/, () => carousel(item(jpeg))],
  [/maxItems=5/, () => carousel(...Array(6).fill(item(jpeg)))],
  [/same dimensions/, () => carousel(item(jpeg), item(wide))],
  [/Unable to reach the URL/, () => of({ source_type: 'image_url', url: 'http://127.0.0.1:1/' })],
  [/Media not found/, () => video('1')],
])('%s: a pin is refused', async (words, body) => {
  expect(await stage.api('POST pins', body())).toMatchObject({ json: { message: expect.stringMatching(words) } })
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
  expect(await upload(good, 'video-h264-aac.mp4')).toBe(204)
  expect([await look(good), await create()]).toEqual(['registered', expect.stringContaining('not ready')])
  expect([await look(good), await look(good)]).toEqual(['processing', 'succeeded'])
  expect(await create({ cover_image_key_frame_time: undefined })).toContain('cover_image_url')
  const bad = await register()
  expect(await upload(bad, 'video-vp9.webm')).toBe(204)
  expect([await look(bad), await look(bad), await look(bad)].at(-1)).toBe('failed')
})

test.each<[string, Change, number]>([
  ['with another signature', { fields: { 'x-amz-signature': 'x' } }, 403],
  ['with a field too many', { fields: { extra: 'x' } }, 403],
  ['with the file before the fields', { fileFirst: true }, 400],
  ['with a token', { headers: { authorization: 'Bearer x' } }, 400],
])('an upload %s is refused', async (_, change, status) => {
  expect(await upload(await register(), 'video-short.mp4', change)).toBe(status)
})

test('a pin that is sent twice is there twice; pins stand on their board after a while, newest first, in pages', async () => {
  const list = async (query = '') => (await stage.api<{ bookmark: string }>(`GET boards/${BOARD}/pins${query}`)).json
  for (const title of ['One', 'Two', 'Two']) await stage.api('POST pins', pin({ title }))
  expect(await list()).toMatchObject({ items: [], bookmark: null })
  stage.pass(60_000)
  const first = await list('?page_size=2')
  expect(first).toMatchObject({ items: [{ title: 'Two' }, { title: 'Two' }] })
  expect(await list(`?page_size=2&bookmark=${first.bookmark}`)).toMatchObject({
    items: [{ title: 'One' }],
    bookmark: null,
  })
})
