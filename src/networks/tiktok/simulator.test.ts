import { afterAll, describe, expect, test } from 'vitest'
import type { HttpAnswer } from '../kit/http.ts'
import { record } from '../kit/read-json.ts'
import { fixture } from '../kit/testing.ts'
import { calls, openStage, photoSample } from './testing-posts.ts'

/* What the simulator refuses and the connector never sends. */

const stage = await openStage()
afterAll(stage.close)

const MIB = 1024 * 1024
const INVALID = '400 invalid_params'
const headers = { 'content-type': 'application/json; charset=UTF-8' }
const post = (call: string, json: unknown, more: object = {}) => stage.api(call, json, { headers, ...more })
/** Status and code of an answer. */
const reported = ({ status, json }: HttpAnswer) => `${status} ${record(record(json)?.error)?.code ?? ''}`.trim()
const dataOf = ({ json }: HttpAnswer) => record(record(json)?.data) as Record<string, unknown>
/** Of the third look, when the work on a post is over. */
async function lastStatus(id: unknown) {
  const answers = []
  for (let look = 0; look < 3; look++) answers.push(dataOf(await post(calls.status, { publish_id: id })))
  return answers[2]
}

const video = (size: number, chunk: number, count: number, more: object = {}) => ({
  post_info: { title: 'Bread', privacy_level: 'PUBLIC_TO_EVERYONE', ...more },
  source_info: { source: 'FILE_UPLOAD', video_size: size, chunk_size: chunk, total_chunk_count: count },
})
const small = (more: object = {}) => video(1000, 1000, 1, more)

describe('a video', () => {
  test.each<[string, unknown, string]>([
    ['no body', undefined, INVALID],
    ['an unknown field', { ...small(), post_mode: 'DIRECT_POST' }, INVALID],
    ['a long title', small({ title: 'x'.repeat(2201) }), INVALID],
    ['an audience of others', small({ privacy_level: 'FOLLOWER_OF_CREATOR' }), '403 privacy_level_option_mismatch'],
    [
      'a paid partnership that only the account sees',
      small({ privacy_level: 'SELF_ONLY', brand_content_toggle: true }),
      INVALID,
    ],
    ['a chunk too small', video(16 * MIB, 4 * MIB, 4), INVALID],
    ['a chunk too large', video(70e6, 70e6, 1), INVALID],
    ['a count that is rounded up', video(16 * MIB, 5 * MIB, 4), INVALID],
    ['one chunk that is not the whole', video(9 * MIB, 5 * MIB, 1), INVALID],
    ['too many chunks', video(5 * MIB * 1001, 5 * MIB, 1001), INVALID],
  ])('is begun with %s', async (_, body, expected) => expect(reported(await post(calls.init, body))).toBe(expected))

  async function begin(size: number, chunk: number, count: number) {
    const { upload_url: url, publish_id: id } = dataOf(await post(calls.init, video(size, chunk, count)))
    const put = async (body: Uint8Array<ArrayBuffer>, range: string, type = 'video/mp4') => {
      const headers = { 'content-type': type, 'content-range': `bytes ${range}/${size}` }
      return (await fetch(`${url}`, { method: 'PUT', headers, body })).status
    }
    return { id, put }
  }

  test('is taken chunk by chunk, in order, for an hour', async () => {
    const { put } = await begin(11 * MIB, 5 * MIB, 2)
    const chunk = new Uint8Array(5 * MIB)
    const first = `0-${5 * MIB - 1}`
    expect(await put(chunk, `${5 * MIB}-${10 * MIB - 1}`)).toBe(416)
    expect(await put(chunk.slice(1), `0-${5 * MIB - 2}`)).toBe(416)
    expect(await put(chunk, first, 'text/plain')).toBe(400)
    expect(await put(chunk, '0-9')).toBe(400)
    stage.pass(61 * 60_000)
    expect(await put(chunk, first)).toBe(403)
  })

  const UNFIT = { 'video-short.mp4': 'picture_size_check_failed', 'photo.jpg': 'file_format_check_failed' }
  test.each(Object.entries(UNFIT))('is measured: %s', async (file, reason) => {
    const bytes = new Uint8Array(await fixture(file))
    const { put, id } = await begin(bytes.length, bytes.length, 1)
    expect(await put(bytes, `0-${bytes.length - 1}`)).toBe(201)
    expect(await lastStatus(id)).toMatchObject({ status: 'FAILED', fail_reason: reason })
    expect(await stage.posts()).toEqual([])
  })
})

describe('photos', () => {
  const URL_OF_PHOTO = 'https://x.example/p.jpg'
  const photos = (more: object = {}, urls: unknown[] = [URL_OF_PHOTO]) => ({
    media_type: 'PHOTO',
    post_mode: 'DIRECT_POST',
    post_info: { description: 'Bread', privacy_level: 'PUBLIC_TO_EVERYONE', ...more },
    source_info: { source: 'PULL_FROM_URL', photo_cover_index: 0, photo_images: urls },
  })
  test.each<[string, unknown]>([
    ['switches of videos', photos({ disable_duet: true })],
    ['a long description', photos({ description: 'x'.repeat(4001) })],
    ['36 photos', photos({}, Array(36).fill(URL_OF_PHOTO))],
    ['what is no address', photos({}, ['p.jpg'])],
    ['a label of AI', photos({ is_aigc: true })],
  ])('are refused with %s', async (_, body) => expect(reported(await post(calls.photos, body))).toBe(INVALID))

  test('at an address that the app has not verified are refused', async () => {
    const own = `http://${new URL(stage.signIn.address().searchParams.get('redirect_uri') ?? '').hostname}/media/p.jpg`
    expect(reported(await post(calls.photos, photos({}, [own])))).toBe('200 ok')
    const both = await post(calls.photos, photos({}, [own, URL_OF_PHOTO]))
    expect(reported(both)).toBe('403 url_ownership_unverified')
  })

  test('are fetched and looked at', async () => {
    const [item] = await stage.world.media.of([{ file: 'transparent.png' }])
    const { publish_id: id } = dataOf(await post(calls.photos, photos({}, [await item?.source.url()])))
    expect(await lastStatus(id)).toEqual({ status: 'FAILED', fail_reason: 'file_format_check_failed' })
  })
})

test.each<[string, string, unknown, string, object?]>([
  ['that is no JSON', calls.init, small(), INVALID, { headers: { 'content-type': 'text/plain' } }],
  ['for an unknown post', calls.status, { publish_id: 'v_1' }, '400 invalid_publish_id'],
  ['for a list without fields', calls.list, {}, INVALID],
])('a request %s is refused', async (_, call, json, expected, more) => {
  expect(reported(await post(call, json, more))).toBe(expected)
})

test('who has signed in before is asked again by an app that wants it, and by no other', async () => {
  const status = async (change?: (url: URL) => void) =>
    (await fetch(stage.signIn.address(change), { redirect: 'manual' })).status
  const silent = (url: URL) => url.searchParams.delete('disable_auto_auth')
  const before = await status(silent)
  await stage.signIn.accounts()
  expect([before, await status(silent), await status()]).toEqual([200, 302, 200])
})

test('the status of a post is reported to its own account alone', async () => {
  await stage.deliver(photoSample)
  const [{ credentials }] = await stage.signIn.accounts()
  const id = stage.calls(calls.status).at(-1)?.json.publish_id
  const asked = await post(calls.status, { publish_id: id }, { token: credentials.accessToken })
  expect(reported(asked)).toBe('403 token_not_authorized_for_specified_publish_id')
})
