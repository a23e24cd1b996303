import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { HttpAnswer } from '../kit/http.ts'
import { record } from '../kit/read-json.ts'
import { fixture, type Stage } from '../kit/testing.ts'
import { openStage } from './testing-posts.ts'

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
})
afterAll(() => stage?.close())

const post = (path: string, json: unknown, type = 'application/json; charset=UTF-8') =>
  stage.api(`POST ${path}`, json, { headers: { 'content-type': type } })
/** Status and code of an answer. */
const told = ({ status, json }: HttpAnswer) => `${status} ${record(record(json)?.error)?.code ?? ''}`.trim()
const dataOf = ({ json }: HttpAnswer) => record(record(json)?.data) as Record<string, unknown>

const INIT = 'post/publish/video/init/'
const PHOTOS = 'post/publish/content/init/'
const STATUS = 'post/publish/status/fetch/'
const info = { title: 'Bread', privacy_level: 'PUBLIC_TO_EVERYONE' }
const source = (size: number, chunk: number, count: number) => ({
  source: 'FILE_UPLOAD',
  video_size: size,
  chunk_size: chunk,
  total_chunk_count: count,
})
const small = { post_info: info, source_info: source(1000, 1000, 1) }
const MIB = 1024 * 1024

describe('a video', () => {
  test.each<[string, unknown, string]>([
    ['nothing but what is needed', small, '200 ok'],
    ['several chunks', { post_info: info, source_info: source(16 * MIB, 5 * MIB, 3) }, '200 ok'],
    ['no body', undefined, '400 invalid_params'],
    ['an unknown field', { ...small, post_mode: 'DIRECT_POST' }, '400 invalid_params'],
    ['an unknown choice', { ...small, post_info: { ...info, auto_add_music: true } }, '400 invalid_params'],
    ['a text in place of a switch', { ...small, post_info: { ...info, disable_duet: 'no' } }, '400 invalid_params'],
    ['no audience', { ...small, post_info: { title: 'Bread' } }, '400 invalid_params'],
    ['a long title', { ...small, post_info: { ...info, title: 'x'.repeat(2201) } }, '400 invalid_params'],
    [
      'an audience that is not offered',
      { ...small, post_info: { privacy_level: 'FOLLOWER_OF_CREATOR' } },
      '403 privacy_level_option_mismatch',
    ],
    [
      'a paid partnership for nobody',
      { ...small, post_info: { privacy_level: 'SELF_ONLY', brand_content_toggle: true } },
      '400 invalid_params',
    ],
    ['a chunk too small', { ...small, source_info: source(16 * MIB, 4 * MIB, 4) }, '400 invalid_params'],
    ['a chunk too large', { ...small, source_info: source(70e6, 70e6, 1) }, '400 invalid_params'],
    ['a count that is rounded up', { ...small, source_info: source(16 * MIB, 5 * MIB, 4) }, '400 invalid_params'],
    ['a part of a small file', { ...small, source_info: source(1000, 500, 2) }, '400 invalid_params'],
    ['one chunk that is not the whole', { ...small, source_info: source(9 * MIB, 5 * MIB, 1) }, '400 invalid_params'],
    ['too many chunks', { ...small, source_info: source(5 * MIB * 1001, 5 * MIB, 1001) }, '400 invalid_params'],
    [
      'an address',
      { ...small, source_info: { source: 'PULL_FROM_URL', video_url: 'https://x.example/v.mp4' } },
      '403 url_ownership_unverified',
    ],
  ])('is begun with %s', async (_, body, expected) => expect(told(await post(INIT, body))).toBe(expected))

  const put = async (url: string, bytes: Buffer, range: string, type = 'video/mp4') => {
    const answer = await fetch(url, {
      method: 'PUT',
      headers: { 'content-type': type, 'content-range': range },
      body: new Uint8Array(bytes),
    })
    await answer.text()
    return `${answer.status} ${answer.headers.get('content-range') ?? ''}`.trim()
  }
  async function begin(size: number, chunk: number, count: number) {
    const { upload_url: url, publish_id: id } = dataOf(
      await post(INIT, { post_info: info, source_info: source(size, chunk, count) }),
    )
    return { url: String(url), id: String(id) }
  }

  test('is taken chunk by chunk, in order', async () => {
    const [size, chunk] = [16 * MIB, 5 * MIB]
    const { url, id } = await begin(size, chunk, 3)
    const first = Buffer.alloc(chunk)
    const last = Buffer.alloc(size - 2 * chunk)
    const at = (start: number, bytes: Buffer) => `bytes ${start}-${start + bytes.length - 1}/${size}`
    expect(await put(url, first, at(chunk, first))).toBe(`416 bytes */${size}`)
    expect(await put(url, first, at(0, first), 'text/plain')).toBe('400')
    expect(await put(url, first, `bytes 0-9/${size}`)).toBe('400')
    expect(await put(url, first.subarray(1), at(0, first.subarray(1)))).toBe(`416 bytes */${size}`)
    expect(await put(`${url}x`, first, at(0, first))).toBe('404')
    expect(await put(url, first, at(0, first))).toBe(`206 bytes 0-${chunk - 1}/${size}`)
    expect(await put(url, first, at(0, first))).toBe(`416 bytes 0-${chunk - 1}/${size}`)
    expect(dataOf(await post(STATUS, { publish_id: id }))).toEqual({
      status: 'PROCESSING_UPLOAD',
      uploaded_bytes: chunk,
    })
    expect(await put(url, first, at(chunk, first))).toBe(`206 bytes 0-${2 * chunk - 1}/${size}`)
    expect(await stage.posts()).toEqual([])
    expect(await put(url, last, at(2 * chunk, last))).toBe(`201 bytes 0-${size - 1}/${size}`)
    expect(await put(url, last, at(2 * chunk, last))).toBe('404')
    // What came is no video.
    const seen: unknown[] = []
    for (let look = 0; look < 3; look++) seen.push(dataOf(await post(STATUS, { publish_id: id })).status)
    expect(seen).toEqual(['PROCESSING_UPLOAD', 'PROCESSING_UPLOAD', 'FAILED'])
    expect(dataOf(await post(STATUS, { publish_id: id })).fail_reason).toBe('file_format_check_failed')
    expect(await stage.posts()).toEqual([])
  })

  test.each([
    ['video-short.mp4', 'video/mp4', 'picture_size_check_failed'],
    ['truncated.mp4', 'video/mp4', null],
    ['photo.jpg', 'video/mp4', 'file_format_check_failed'],
    ['video-h264-aac.mp4', 'video/mp4', null],
  ])('is measured: %s', async (file, type, reason) => {
    const bytes = await fixture(file)
    const { url, id } = await begin(bytes.length, bytes.length, 1)
    expect(await put(url, bytes, `bytes 0-${bytes.length - 1}/${bytes.length}`, type)).toMatch(/^201/)
    const looks = []
    for (let look = 0; look < 4; look++) looks.push(await post(STATUS, { publish_id: id }))
    const [, , complete, listed] = looks.map((look) => look.text)
    if (reason) expect(complete).toContain(`"fail_reason":"${reason}"`)
    else {
      expect(complete).toContain('"publicaly_available_post_id":[]')
      expect(listed).toMatch(/"publicaly_available_post_id":\[7\d{18}\]/)
    }
  })

  test('is no longer taken after an hour', async () => {
    const { url } = await begin(1000, 1000, 1)
    stage.pass(61 * 60_000)
    expect(await put(url, Buffer.alloc(1000), 'bytes 0-999/1000')).toBe('403')
  })
})

describe('photos', () => {
  const photos = (more: object = {}, urls: unknown[] = ['https://x.example/p.jpg']) => ({
    media_type: 'PHOTO',
    post_mode: 'DIRECT_POST',
    post_info: { description: 'Bread', privacy_level: 'PUBLIC_TO_EVERYONE', ...more },
    source_info: { source: 'PULL_FROM_URL', photo_cover_index: 0, photo_images: urls },
  })
  test.each<[string, unknown]>([
    ['switches of videos', photos({ disable_duet: true })],
    ['a long title', photos({ title: 'x'.repeat(91) })],
    ['a long description', photos({ description: 'x'.repeat(4001) })],
    ['no photo', photos({}, [])],
    [
      '36 photos',
      photos(
        {},
        Array.from({ length: 36 }, () => 'https://x.example/p.jpg'),
      ),
    ],
    ['what is no address', photos({}, [7])],
    ['a label of AI', { ...photos(), is_aigc: true }],
    ['a label of AI among the words', photos({ is_aigc: true })],
    ['another mode', { ...photos(), post_mode: 'MEDIA_UPLOAD' }],
    ['another kind', { ...photos(), media_type: 'VIDEO' }],
  ])('are refused with %s', async (_, body) => expect(told(await post(PHOTOS, body))).toBe('400 invalid_params'))

  test('at an address that the app has not verified are refused', async () => {
    expect(told(await post(PHOTOS, photos()))).toBe('403 url_ownership_unverified')
    const own = `http://${new URL(stage.signIn.address().searchParams.get('redirect_uri') ?? '').hostname}/media/p.jpg`
    expect(told(await post(PHOTOS, photos({}, [own])))).toBe('200 ok')
    expect(told(await post(PHOTOS, photos({}, [own, 'https://x.example/p.jpg'])))).toBe('403 url_ownership_unverified')
  })

  test.each([
    ['photo.jpg', null],
    ['transparent.png', 'file_format_check_failed'],
    ['nowhere', 'photo_pull_failed'],
  ])('are fetched and looked at: %s', async (file, reason) => {
    const [item] = await stage.world.media.of([{ file: file === 'nowhere' ? 'photo.jpg' : file }])
    const url = (await item?.source.url()) + (file === 'nowhere' ? '-gone' : '')
    const { publish_id: id } = dataOf(await post(PHOTOS, photos({}, [url])))
    const looks = []
    for (let look = 0; look < 3; look++) looks.push(dataOf(await post(STATUS, { publish_id: id })))
    expect(looks[0]).toMatchObject({ status: 'PROCESSING_DOWNLOAD' })
    expect(looks[2]).toMatchObject(reason ? { status: 'FAILED', fail_reason: reason } : { status: 'PUBLISH_COMPLETE' })
  })
})

test.each<[string, () => Promise<HttpAnswer>, string]>([
  ['that is no JSON', () => post(INIT, small, 'text/plain'), '400 invalid_params'],
  ['at a place that does not exist', () => post('nothing/', {}), '404 unsupported_path'],
  ['for a post that nobody knows', () => post(STATUS, { publish_id: 'v_1' }), '400 invalid_publish_id'],
  ['for a list without fields', () => post('video/list/', {}), '400 invalid_params'],
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

test('a list shows videos for everyone and leaves photos out', async () => {
  const listed = dataOf(await post('video/list/?fields=id,title', { max_count: 20 })).videos as { id: string }[]
  const posts = await stage.posts()
  expect(posts.length).toBeGreaterThan(listed.length)
  expect(listed.length).toBeGreaterThan(0)
})

test('an access token ends, and the account of a connection then has another', async () => {
  stage.pass(25 * 3_600_000)
  expect(told(await post(INIT, small))).toBe('401 access_token_invalid')
})
