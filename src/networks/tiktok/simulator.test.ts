import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { HttpAnswer } from '../kit/http.ts'
import { record } from '../kit/read-json.ts'
import { fixture, type Stage } from '../kit/testing.ts'
import { calls, openStage, photoSample, videoSample } from './testing-posts.ts'

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
})
afterAll(() => stage?.close())

const MIB = 1024 * 1024
const post = (call: string, json: unknown, type = 'application/json; charset=UTF-8') =>
  stage.api(call, json, { headers: { 'content-type': type } })
/** Status and code of an answer. */
const told = ({ status, json }: HttpAnswer) => `${status} ${record(record(json)?.error)?.code ?? ''}`.trim()
const dataOf = ({ json }: HttpAnswer) => record(record(json)?.data) as Record<string, unknown>

const info = { title: 'Bread', privacy_level: 'PUBLIC_TO_EVERYONE' }
const video = (size: number, chunk: number, count: number, more: object = {}) => ({
  post_info: { ...info, ...more },
  source_info: { source: 'FILE_UPLOAD', video_size: size, chunk_size: chunk, total_chunk_count: count },
})
const small = (more: object = {}) => video(1000, 1000, 1, more)
const INVALID = '400 invalid_params'

describe('a video', () => {
  test.each<[string, unknown, string]>([
    ['no body', undefined, INVALID],
    ['an unknown field', { ...small(), post_mode: 'DIRECT_POST' }, INVALID],
    ['a long title', small({ title: 'x'.repeat(2201) }), INVALID],
    ['an audience of others', small({ privacy_level: 'FOLLOWER_OF_CREATOR' }), '403 privacy_level_option_mismatch'],
    ['a paid partnership for nobody', small({ privacy_level: 'SELF_ONLY', brand_content_toggle: true }), INVALID],
    ['a chunk too small', video(16 * MIB, 4 * MIB, 4), INVALID],
    ['a chunk too large', video(70e6, 70e6, 1), INVALID],
    ['a count that is rounded up', video(16 * MIB, 5 * MIB, 4), INVALID],
    ['one chunk that is not the whole', video(9 * MIB, 5 * MIB, 1), INVALID],
    ['too many chunks', video(5 * MIB * 1001, 5 * MIB, 1001), INVALID],
  ])('is begun with %s', async (_, body, expected) => expect(told(await post(calls.init, body))).toBe(expected))

  async function begin(size: number, chunk: number, count: number) {
    const { upload_url: url, publish_id: id } = dataOf(await post(calls.init, video(size, chunk, count)))
    const put = async (bytes: Uint8Array<ArrayBuffer>, range: string, { type = 'video/mp4', more = '' } = {}) => {
      const headers = { 'content-type': type, 'content-range': `bytes ${range}/${size}` }
      const answer = await fetch(`${url}${more}`, { method: 'PUT', headers, body: bytes })
      return `${answer.status} ${answer.headers.get('content-range') ?? ''}`.trim()
    }
    return { put, status: () => post(calls.status, { publish_id: id }) }
  }

  test('is taken chunk by chunk, in order', async () => {
    const [size, chunk] = [16 * MIB, 5 * MIB]
    const { put, status } = await begin(size, chunk, 3)
    const first = new Uint8Array(chunk)
    const last = new Uint8Array(size - 2 * chunk)
    const [one, two, three] = [`0-${chunk - 1}`, `${chunk}-${2 * chunk - 1}`, `${2 * chunk}-${size - 1}`]
    expect(await put(first, two)).toBe(`416 bytes */${size}`)
    expect(await put(first, one, { type: 'text/plain' })).toBe('400')
    expect(await put(first, '0-9')).toBe('400')
    expect(await put(first.slice(1), `0-${chunk - 2}`)).toBe(`416 bytes */${size}`)
    expect(await put(first, one, { more: 'x' })).toBe('404')
    expect(await put(first, one)).toBe(`206 bytes ${one}/${size}`)
    expect(await put(first, one)).toBe(`416 bytes ${one}/${size}`)
    expect(dataOf(await status())).toEqual({ status: 'PROCESSING_UPLOAD', uploaded_bytes: chunk })
    expect(await put(first, two)).toBe(`206 bytes 0-${2 * chunk - 1}/${size}`)
    expect(await put(last, three)).toBe(`201 bytes 0-${size - 1}/${size}`)
    expect(await put(last, three)).toBe('404')
  })

  test.each([
    ['video-short.mp4', 'picture_size_check_failed'],
    ['photo.jpg', 'file_format_check_failed'],
  ])('is measured: %s', async (file, reason) => {
    const before = await stage.posts()
    const bytes = new Uint8Array(await fixture(file))
    const { put, status } = await begin(bytes.length, bytes.length, 1)
    expect(await put(bytes, `0-${bytes.length - 1}`)).toMatch(/^201/)
    for (let look = 0; look < 2; look++) expect(dataOf(await status())).toEqual({ status: 'PROCESSING_UPLOAD' })
    expect(dataOf(await status())).toMatchObject({ status: 'FAILED', fail_reason: reason })
    expect(await stage.posts()).toEqual(before)
  })

  test('is no longer taken after an hour', async () => {
    const { put } = await begin(1000, 1000, 1)
    stage.pass(61 * 60_000)
    expect(await put(new Uint8Array(1000), '0-999')).toBe('403')
  })
})

describe('photos', () => {
  const photos = (more: object = {}, urls: unknown[] = ['https://x.example/p.jpg']) => ({
    media_type: 'PHOTO',
    post_mode: 'DIRECT_POST',
    post_info: { description: 'Bread', privacy_level: 'PUBLIC_TO_EVERYONE', ...more },
    source_info: { source: 'PULL_FROM_URL', photo_cover_index: 0, photo_images: urls },
  })
  const many = Array.from({ length: 36 }, () => 'https://x.example/p.jpg')
  test.each<[string, unknown]>([
    ['switches of videos', photos({ disable_duet: true })],
    ['a long description', photos({ description: 'x'.repeat(4001) })],
    ['36 photos', photos({}, many)],
    ['what is no address', photos({}, ['p.jpg'])],
    ['a label of AI', { ...photos(), is_aigc: true }],
    ['a label of AI among the words', photos({ is_aigc: true })],
  ])('are refused with %s', async (_, body) => expect(told(await post(calls.photos, body))).toBe(INVALID))

  test('at an address that the app has not verified are refused', async () => {
    const own = `http://${new URL(stage.signIn.address().searchParams.get('redirect_uri') ?? '').hostname}/media/p.jpg`
    expect(told(await post(calls.photos, photos({}, [own])))).toBe('200 ok')
    expect(told(await post(calls.photos, photos({}, [own, 'https://x.example/p.jpg'])))).toBe(
      '403 url_ownership_unverified',
    )
  })

  test('are fetched and looked at', async () => {
    const [item] = await stage.world.media.of([{ file: 'transparent.png' }])
    const { publish_id: id } = dataOf(await post(calls.photos, photos({}, [await item?.source.url()])))
    const looks = []
    for (let look = 0; look < 3; look++) looks.push(dataOf(await post(calls.status, { publish_id: id })))
    expect(looks[0]).toEqual({ status: 'PROCESSING_DOWNLOAD' })
    expect(looks[2]).toEqual({ status: 'FAILED', fail_reason: 'file_format_check_failed' })
  })
})

test.each<[string, () => Promise<HttpAnswer>, string]>([
  ['that is no JSON', () => post(calls.init, small(), 'text/plain'), INVALID],
  ['at a place that does not exist', () => post('POST nothing/', {}), '404 unsupported_path'],
  ['for a post that nobody knows', () => post(calls.status, { publish_id: 'v_1' }), '400 invalid_publish_id'],
  ['for a list without fields', () => post(calls.list, {}), INVALID],
])('a request %s is refused', async (_, ask, expected) => expect(told(await ask())).toBe(expected))

test('who has signed in before is asked again by an app that wants it, and by no other', async () => {
  const isAsked = async (change?: (url: URL) => void) => {
    const answer = await fetch(stage.signIn.address(change), { redirect: 'manual' })
    return { status: answer.status, page: (await answer.text()).includes('id="allow"') }
  }
  const silent = (url: URL) => url.searchParams.delete('disable_auto_auth')
  expect(await isAsked(silent)).toEqual({ status: 200, page: true })
  await stage.signIn.accounts()
  expect(await isAsked(silent)).toEqual({ status: 302, page: false })
  expect(await isAsked()).toEqual({ status: 200, page: true })
})

test('the status of a post is told to its own account alone, and a list leaves photos out', async () => {
  expect((await stage.deliver(photoSample)).post.kind).toBe('made')
  expect((await stage.deliver(videoSample)).post.kind).toBe('made')
  const { videos } = dataOf(await post(`${calls.list}?fields=title`, { max_count: 20 }))
  expect(videos).toMatchObject([{ title: 'How we bake' }])
  const [{ credentials }] = await stage.signIn.accounts()
  const json = { publish_id: stage.calls(calls.status).at(-1)?.json.publish_id }
  const asked = await stage.api(calls.status, json, {
    token: credentials.accessToken ?? '',
    headers: { 'content-type': 'application/json' },
  })
  expect(told(asked)).toBe('403 token_not_authorized_for_specified_publish_id')
})
