import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { HttpAnswer } from '../kit/http.ts'
import type { Stage } from '../kit/testing.ts'
import { openStage, POST } from './testing-posts.ts'

/* What it refuses, and no test of the connector provokes. */

let page: Stage
let person: Stage
beforeAll(async () => {
  ;[page, person] = await Promise.all([openStage('LINKEDIN_PAGE'), openStage('LINKEDIN_PERSONAL')])
})
afterAll(() => Promise.all([page.close(), person.close()]))

interface Refusal {
  code?: string
  errorDetails?: { inputErrors: { code: string }[] }
}
/** `400 FIELD_LENGTH_TOO_LONG` */
const told = ({ status, json }: HttpAnswer) => {
  const { code, errorDetails } = (json ?? {}) as Refusal
  return [status, code ?? errorDetails?.inputErrors[0]?.code].filter(Boolean).join(' ')
}
const post = async (stage: Stage, more: object = {}) => {
  const author = stage.world.backend.account.externalId
  const distribution = { feedDistribution: 'MAIN_FEED' }
  const usual = { author, commentary: 'Bread', visibility: 'PUBLIC', distribution, lifecycleState: 'PUBLISHED' }
  return told(await stage.api(POST, { ...usual, ...more }))
}
const begin = (stage: Stage, kind: 'images' | 'videos', more: object = {}) =>
  stage.api<{
    value: { image: string; video: string; uploadUrl: string; uploadInstructions: { uploadUrl: string }[] }
  }>(`POST rest/${kind}?action=initializeUpload`, {
    initializeUploadRequest: { owner: stage.world.backend.account.externalId, ...more },
  })
const put = async (stage: Stage, url: string, body: Buffer) => {
  const answer = await stage.http({ method: 'PUT', url, body, signal: AbortSignal.timeout(5_000) })
  if (answer.kind === 'failed') throw new Error(answer.message)
  return answer
}
const gif = Buffer.from('GIF89a and so on')
async function imageOf(bytes: Buffer) {
  const { value } = (await begin(page, 'images')).json
  await put(page, value.uploadUrl, bytes)
  return { media: { id: value.image } }
}

test.each([
  ['no version', { 'linkedin-version': '' }, '400 VERSION_MISSING'],
  ['a version that has ended', { 'linkedin-version': '202501' }, '426 NONEXISTENT_VERSION'],
  ['a version that is none', { 'linkedin-version': 'v25.0' }, '426 NONEXISTENT_VERSION'],
  ['a version to come', { 'linkedin-version': '203001' }, '426 NONEXISTENT_VERSION'],
  ['an older protocol', { 'x-restli-protocol-version': '1.0.0' }, '400'],
  ['nothing wrong', {}, '404'],
])('a request with %s: %s', async (_, headers, expected) => {
  expect(told(await page.api('GET rest/posts/urn%3Ali%3Ashare%3A1', undefined, { headers }))).toBe(expected)
})

test.each<[string, object, string]>([
  ['an unknown field', { mood: 'happy' }, '422'],
  ['no author', { author: undefined }, '422'],
  ['another author', { author: 'urn:li:organization:1' }, '403 ACCESS_DENIED'],
  ['a visibility for people', { visibility: 'CONNECTIONS' }, '400 INVALID_VALUE_FOR_FIELD'],
  ['a draft', { lifecycleState: 'DRAFT' }, '400 INVALID_VALUE_FOR_FIELD'],
  ['3,001 characters', { commentary: 'a'.repeat(3001) }, '400 FIELD_LENGTH_TOO_LONG'],
  ['nothing in it', { commentary: '' }, '422'],
  ['an image of nobody', { content: { media: { id: 'urn:li:image:C1' } } }, '400 INVALID_VALUE_FOR_FIELD'],
  ['a share as an image', { content: { media: { id: 'urn:li:share:1' } } }, '400 INVALID_URN_TYPE'],
  ['one of several', { content: { multiImage: { images: [{}] } } }, '400 INVALID_VALUE_FOR_FIELD'],
  ['a poll', { content: { poll: {} } }, '422'],
])('a post with %s: %s', async (_, more, expected) => {
  expect(await post(page, more)).toBe(expected)
  expect(await page.posts()).toEqual([])
})

test.each<['images' | 'videos', object, string]>([
  ['images', { owner: 'urn:li:organization:1' }, '403 ACCESS_DENIED'],
  ['images', { fileSizeBytes: 5 }, '422'],
  ['videos', { fileSizeBytes: 76_799 }, '400 INVALID_VALUE_FOR_FIELD'],
  ['videos', { fileSizeBytes: 500_000_001 }, '400 INVALID_VALUE_FOR_FIELD'],
  ['videos', {}, '400 INVALID_VALUE_FOR_FIELD'],
])('an upload of %s with %j: %s', async (kind, more, expected) => {
  expect(told(await begin(page, kind, more))).toBe(expected)
})

describe('what it has', () => {
  test('is known again for ten minutes, with the same media and as long as it has words', async () => {
    const content = await imageOf(gif)
    expect(await post(page, { content })).toBe('400 MEDIA_ASSET_WAITING_UPLOAD')
    page.pass(2_000)
    for (const more of [{}, { content }, { content, commentary: '' }, { content, commentary: '' }])
      expect(await post(page, more)).toBe('201')
    for (const more of [{}, { content }]) expect(await post(page, more)).toBe('422 DUPLICATE_POST')
    const noImage = await imageOf(Buffer.from('%PDF-1.7'))
    page.pass(10 * 60_000)
    expect(await post(page)).toBe('201')
    expect(await post(page, { content: noImage })).toBe('400 MEDIA_ASSET_PROCESSING_FAILED')
  })

  test('is listed after 20 seconds, for pages alone', async () => {
    const list = async (stage: Stage, query = '&author={me}&count=100') =>
      stage.api<{ elements: object[] }>(`GET rest/posts?q=author${query}`, undefined, {
        headers: { 'x-restli-method': 'FINDER' },
      })
    const before = (await list(page)).json.elements.length
    expect(await post(page, { commentary: 'Listed' })).toBe('201')
    expect((await list(page)).json.elements).toHaveLength(before)
    page.pass(20_000)
    expect((await list(page)).json.elements[before]).toBeDefined()
    expect([told(await list(person)), told(await list(page, ''))]).toEqual(['403 ACCESS_DENIED', '403 ACCESS_DENIED'])
  })

  test('is taken at addresses that end after an hour, and are secret', async () => {
    const { uploadUrl } = (await begin(page, 'images')).json.value
    expect(told(await put(page, uploadUrl.replace(/sign=.*/, 'sign=x'), gif))).toBe('403')
    page.pass(3_600_000)
    expect(told(await put(page, uploadUrl, gif))).toBe('400 EXPIRED_UPLOAD_URL')
  })

  test('is a video with all its parts, by their names in order', async () => {
    const bytes = Buffer.alloc(5 * 1024 * 1024, 'bread')
    const { value } = (await begin(person, 'videos', { fileSizeBytes: bytes.length })).json
    const [first = '', second = ''] = value.uploadInstructions.map(({ uploadUrl }) => uploadUrl)
    const finish = async (uploadedPartIds: unknown[], uploadToken = '') => {
      const finalizeUploadRequest = { video: value.video, uploadToken, uploadedPartIds }
      return told(await person.api('POST rest/videos?action=finalizeUpload', { finalizeUploadRequest }))
    }
    const nameOf = ({ headers }: HttpAnswer) => headers.etag?.replaceAll('"', '')
    expect(told(await put(person, first, bytes))).toBe('400')
    const one = nameOf(await put(person, first, bytes.subarray(0, 4_194_304)))
    expect(await finish([one])).toBe('400 INVALID_VALUE_FOR_FIELD')
    const two = nameOf(await put(person, second, bytes.subarray(4_194_304)))
    expect(await finish([two, one])).toBe('400 INVALID_VALUE_FOR_FIELD')
    expect(await finish([one, two], 'x')).toBe('400 INVALID_VALUE_FOR_FIELD')
    expect(await finish([one, two])).toBe('200')
  })
})
