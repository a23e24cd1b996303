import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { fixture, openStage, type Stage, serveFiles } from '../kit/testing.ts'
import { network } from './index.ts'

const BOARD = '549755885175000001'
const SECRET_BOARD = '549755885175000003'
const MINUTE = 60_000

let stage: Stage
let files: Awaited<ReturnType<typeof serveFiles>>
let jpeg: string
let wide: string
let png: string
beforeAll(async () => {
  stage = await openStage(network, 'PINTEREST', { base: 'api/v5' })
  const solid = (width: number) => sharp({ create: { width, height: 60, channels: 3, background: '#c80' } })
  const square = await solid(40).jpeg().toBuffer()
  jpeg = square.toString('base64')
  wide = (await solid(80).jpeg().toBuffer()).toString('base64')
  png = (await solid(40).png().toBuffer()).toString('base64')
  files = await serveFiles({ image: square, text: 'No picture.' })
})
afterAll(async () => {
  await stage?.close()
  await files.close()
})

const address = (name: string) => files.address(name)

type Body = Readonly<Record<string, unknown>>
const base64 = (data: string, type = 'image/jpeg') => ({ source_type: 'image_base64', content_type: type, data })
const item = (data: string) => ({ content_type: 'image/jpeg', data })
const pin = (more: Body = {}) => ({ board_id: BOARD, title: 'Bread', media_source: base64(jpeg), ...more })
const carousel = (...items: unknown[]) => pin({ media_source: { source_type: 'multiple_image_base64', items } })
const create = (body: unknown) => stage.api('POST pins', body)
const idOf = ({ json }: { json: unknown }) => String((json as Body).id)
const titles = ({ json }: { json: unknown }) =>
  (json as { items: Body[] }).items.map(({ title, name }) => title ?? name)

interface Registered {
  media_id: string
  upload_url: string
  upload_parameters: Record<string, string>
}
async function register(): Promise<Registered> {
  const answer = await stage.api<Registered>('POST media', { media_type: 'video' })
  expect(answer.status).toBe(201)
  return answer.json
}

/** Sends a file as the form asks; `change` spoils it. */
async function upload(
  { upload_url, upload_parameters }: Registered,
  file: string,
  change: { fields?: Record<string, string>; headers?: Record<string, string>; fileFirst?: boolean } = {},
): Promise<number> {
  const form = new FormData()
  const blob = new Blob([new Uint8Array(await fixture(file))])
  if (change.fileFirst) form.append('file', blob, 'a.mp4')
  for (const [name, value] of Object.entries({ ...upload_parameters, ...change.fields })) form.append(name, value)
  if (!change.fileFirst) form.append('file', blob, 'a.mp4')
  const encoded = new Response(form)
  const headers = { 'content-type': encoded.headers.get('content-type') ?? '', ...change.headers }
  return (await fetch(upload_url, { method: 'POST', headers, body: await encoded.arrayBuffer() })).status
}

async function statuses(id: string, count: number): Promise<unknown[]> {
  const seen: unknown[] = []
  for (let look = 0; look < count; look++) seen.push(((await stage.api(`GET media/${id}`)).json as Body).status)
  return seen
}

async function video(file = 'video-h264-aac.mp4'): Promise<string> {
  const registered = await register()
  expect(await upload(registered, file)).toBe(204)
  await statuses(registered.media_id, 3)
  return registered.media_id
}

describe('a pin is refused', () => {
  test.each<[string, () => unknown, number, RegExp]>([
    ['that is no object', () => [], 400, /JSON object/],
    ['with an unknown field', () => pin({ colour: 'red' }), 400, /colour/],
    ['without a board', () => pin({ board_id: undefined }), 400, /does not match/],
    ['on a board that is no number', () => pin({ board_id: 'bread' }), 400, /does not match/],
    ['on a board that is not there', () => pin({ board_id: '1' }), 404, /Board not found/],
    ['on a secret board without the scope', () => pin({ board_id: SECRET_BOARD }), 404, /Board not found/],
    ['with a long title', () => pin({ title: 'x'.repeat(101) }), 400, /'title' is too long/],
    ['with a long description', () => pin({ description: 'x'.repeat(801) }), 400, /maxLength=800/],
    ['with a long alternative text', () => pin({ alt_text: 'x'.repeat(501) }), 400, /'alt_text' is too long/],
    ['with a title that is no text', () => pin({ title: 5 }), 400, /not a string/],
    ['with a bad link', () => pin({ link: 'bakery' }), 400, /invalid URL/],
    ['without media', () => pin({ media_source: undefined }), 400, /media_source/],
    ['with an unknown source', () => pin({ media_source: { source_type: 'pin_url' } }), 400, /source_type/],
    ['with a GIF in base64', () => pin({ media_source: base64(jpeg, 'image/gif') }), 400, /content_type/],
    ['with a JPEG that is called PNG', () => pin({ media_source: base64(jpeg, 'image/png') }), 400, /another type/],
    ['with what is no image', () => pin({ media_source: base64('QUJD') }), 400, /could not be processed/],
    ['with what is no base64', () => pin({ media_source: base64('a b') }), 400, /must match/],
    ['with an unknown part of a source', () => pin({ media_source: { ...base64(jpeg), url: 'x' } }), 400, /url/],
    ['with one image of a carousel', () => carousel(item(jpeg)), 400, /minItems=2/],
    ['with six', () => carousel(...Array.from({ length: 6 }, () => item(jpeg))), 400, /maxItems=5/],
    ['with images of two sizes', () => carousel(item(jpeg), item(wide)), 400, /same dimensions/],
    [
      'with an address that leads nowhere',
      () => pin({ media_source: { source_type: 'image_url', url: address('gone') } }),
      400,
      /Unable to reach the URL/,
    ],
    [
      'with an address of what is no image',
      () => pin({ media_source: { source_type: 'image_url', url: address('text') } }),
      400,
      /could not be processed/,
    ],
    [
      'with a video that is not there',
      () => pin({ media_source: { source_type: 'video_id', media_id: '1', cover_image_key_frame_time: 0 } }),
      404,
      /Media not found/,
    ],
  ])('%s', async (_, body, status, words) => {
    const before = (await stage.posts()).length
    const answer = await create(body())
    expect(answer.status).toBe(status)
    expect(answer.json).toEqual({ code: expect.any(Number), message: expect.stringMatching(words) })
    expect((await stage.posts()).length).toBe(before)
  })

  test('with a video that is not worked on, has no cover, or could not be used', async () => {
    const { media_id, ...rest } = await register()
    const withVideo = (id: string, more: Body = { cover_image_key_frame_time: 1 }) =>
      create(pin({ media_source: { source_type: 'video_id', media_id: id, ...more } }))
    expect((await withVideo(media_id)).json).toMatchObject({ message: expect.stringContaining('not ready') })
    expect(await upload({ media_id, ...rest }, 'video-h264-aac.mp4')).toBe(204)
    expect((await withVideo(media_id)).status).toBe(400)
    await statuses(media_id, 3)
    expect((await withVideo(media_id, {})).json).toMatchObject({ message: expect.stringContaining('cover_image_url') })
    expect((await withVideo(media_id, { cover_image_key_frame_time: 1.5 })).status).toBe(400)
    expect((await withVideo(media_id, { cover_image_url: address('gone') })).status).toBe(400)
    expect((await withVideo(media_id, { cover_image_url: address('image') })).status).toBe(201)
    expect((await withVideo(await video('video-short.mp4'))).status).toBe(400)
  })
})

describe('a pin is taken', () => {
  test.each<[string, () => Body]>([
    ['with a PNG', () => pin({ media_source: base64(png, 'image/png') })],
    ['by address', () => pin({ media_source: { source_type: 'image_url', url: address('image') } })],
    [
      'as a carousel by address',
      () =>
        pin({
          media_source: {
            source_type: 'multiple_image_urls',
            items: [{ url: address('image'), title: 'One' }, { url: address('image') }],
            index: 0,
          },
        }),
    ],
  ])('%s', async (_, body) => {
    const answer = await create(body())
    expect(answer.status).toBe(201)
    expect(answer.headers).toMatchObject({ 'x-ratelimit-remaining': expect.any(String) })
    expect((await stage.api(`GET pins/${idOf(answer)}`)).json).toEqual(answer.json)
  })

  test('twice when it is sent twice', async () => {
    const body = pin({ title: 'Twice' })
    const [first, second] = [await create(body), await create(body)]
    expect([first.status, second.status]).toEqual([201, 201])
    expect(idOf(first)).not.toBe(idOf(second))
  })
})

describe('listings', () => {
  test('a pin stands on its board after a while, newest first, page by page', async () => {
    const board = '549755885175000002'
    for (const title of ['One', 'Two', 'Three']) {
      expect((await create(pin({ board_id: board, title }))).status).toBe(201)
      stage.pass(1_000)
    }
    const list = (query = '') => stage.api(`GET boards/${board}/pins${query}`)
    expect(titles(await list())).toEqual([])
    stage.pass(MINUTE)
    expect(titles(await list())).toEqual(['Three', 'Two', 'One'])
    const first = await list('?page_size=2')
    expect(titles(first)).toEqual(['Three', 'Two'])
    const { bookmark } = first.json as { bookmark: string }
    const second = await list(`?page_size=2&bookmark=${bookmark}`)
    expect(titles(second)).toEqual(['One'])
    expect((second.json as Body).bookmark).toBeNull()
  })

  test.each(['0', '251', '3e', ''])('a page of "%s" is refused', async (size) => {
    expect((await stage.api(`GET boards?page_size=${size}`)).status).toBe(400)
    expect((await stage.api(`GET boards/${BOARD}/pins?page_size=${size}`)).status).toBe(400)
  })

  test('secret boards are not shown without their scope', async () => {
    expect(titles(await stage.api('GET boards'))).toEqual(['Fresh bread', 'Pastries'])
    expect(titles(await stage.api('GET boards?privacy=SECRET'))).toEqual([])
    expect((await stage.api('GET boards?privacy=MINE')).status).toBe(400)
    expect((await stage.api(`GET boards/${SECRET_BOARD}/pins`)).status).toBe(404)
    expect((await stage.api('GET boards?bookmark=nowhere')).status).toBe(400)
  })

  test('what is not there is said so', async () => {
    for (const path of ['pins/1', 'media/1', 'boards/1/pins', 'boards/1', 'nothing']) {
      expect((await stage.api(`GET ${path}`)).status).toBe(404)
    }
    const page = await fetch(`${stage.world.backend.endpoints.www}/pretend_bakery/`)
    expect(page.status).toBe(200)
  })
})

describe('an upload', () => {
  test('is worked on for a while, and comes out usable or not', async () => {
    const good = await register()
    expect(await statuses(good.media_id, 2)).toEqual(['registered', 'registered'])
    expect(await upload(good, 'video-h264-aac.mp4')).toBe(204)
    expect(await statuses(good.media_id, 4)).toEqual(['registered', 'processing', 'succeeded', 'succeeded'])
    for (const file of ['video-short.mp4', 'video-vp9.webm', 'photo.jpg']) {
      const bad = await register()
      expect(await upload(bad, file)).toBe(204)
      expect((await statuses(bad.media_id, 3)).at(-1)).toBe('failed')
    }
  })

  test.each<[string, Parameters<typeof upload>[2], number]>([
    ['whose signature is another', { fields: { 'x-amz-signature': 'x' } }, 403],
    ['with a field too many', { fields: { extra: 'x' } }, 403],
    ['of an unknown key', { fields: { key: 'x' } }, 403],
    ['with the file before the fields', { fileFirst: true }, 400],
    ['with a token', { headers: { authorization: 'Bearer x' } }, 400],
  ])('%s is refused', async (_, change, status) => {
    const registered = await register()
    expect(await upload(registered, 'video-short.mp4', change)).toBe(status)
    expect(await statuses(registered.media_id, 1)).toEqual(['registered'])
  })

  test('is for videos alone', async () => {
    expect((await stage.api('POST media', { media_type: 'image' })).status).toBe(400)
    expect((await stage.api('POST media', { media_type: 'video', name: 'x' })).status).toBe(400)
  })
})

test('the identity of a connection is the same while its tokens work, and no one else’s', async () => {
  const { openSandbox } = await import('#sandbox')
  const { networksOf } = await import('../registry.ts')
  let time = Date.now()
  const nothing = { download: () => Promise.reject(new Error('Nothing is fetched.')) }
  const sandbox = openSandbox({
    networks: networksOf([network]),
    folder: null,
    url: 'http://127.0.0.1:9/sandbox',
    publicUrl: 'http://127.0.0.1:9',
    keys: [Buffer.alloc(32)],
    files: { guarded: nothing, own: nothing, ownPrefix: '' },
    now: () => new Date(time),
    onError: (error) => {
      throw error
    },
  })
  const ask = (id: string) => sandbox.identityFor(network, { id, accountType: 'PINTEREST', name: 'Café Löwe' })
  const [first, again, other] = [ask('1'), ask('1'), ask('2')]
  expect(again).toEqual(first)
  expect(first).toMatchObject({ username: 'cafe_lowe', externalId: expect.stringMatching(/^8\d{17}$/) })
  expect(other.externalId).not.toBe(first.externalId)
  time += 31 * 24 * 60 * MINUTE
  const later = ask('1')
  expect(later.externalId).toBe(first.externalId)
  expect(later.credentials).not.toEqual(first.credentials)
  sandbox.close()
})
