import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { HttpAnswer } from '../kit/http.ts'
import type { Stage } from '../kit/testing.ts'
import { openStage, POST } from './testing-posts.ts'

/* What it refuses, and no test of the connector provokes. */

let page: Stage
beforeAll(async () => {
  page = await openStage('LINKEDIN_PAGE')
})
afterAll(() => page.close())

/** `400 FIELD_LENGTH_TOO_LONG` */
const said = ({ status, text }: HttpAnswer) => [status, /"code":"(\w+)"/.exec(text)?.[1]].filter(Boolean).join(' ')
const me = () => page.world.backend.account.externalId
const post = async (more: object = {}) => {
  const distribution = { feedDistribution: 'MAIN_FEED' }
  const usual = { author: me(), commentary: 'Bread', visibility: 'PUBLIC', lifecycleState: 'PUBLISHED', distribution }
  return said(await page.api(POST, { ...usual, ...more }))
}
interface Begun {
  value: { image: string; video: string; uploadUrl: string; uploadInstructions: { uploadUrl: string }[] }
}
const begin = (kind: 'images' | 'videos', more: object = {}) => {
  const initializeUploadRequest = { owner: me(), ...more }
  return page.api<Begun>(`POST rest/${kind}?action=initializeUpload`, { initializeUploadRequest })
}
const put = (url: string, body: Buffer) => page.api(`PUT ${url.slice(url.indexOf('/web/'))}`, undefined, { body })
const INVALID = '400 INVALID_VALUE_FOR_FIELD'
const gif = Buffer.from('GIF89a and so on')
async function imageOf(bytes: Buffer) {
  const { value } = (await begin('images')).json
  await put(value.uploadUrl, bytes)
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
  expect(said(await page.api('GET rest/posts/urn%3Ali%3Ashare%3A1', undefined, { headers }))).toBe(expected)
})

test.each<[string, object, string]>([
  ['an unknown field', { mood: 'happy' }, '422'],
  ['no author', { author: undefined }, '422'],
  ['another author', { author: 'urn:li:organization:1' }, '403 ACCESS_DENIED'],
  ['a visibility for people', { visibility: 'CONNECTIONS' }, INVALID],
  ['a draft', { lifecycleState: 'DRAFT' }, INVALID],
  ['3,001 characters', { commentary: 'a'.repeat(3001) }, '400 FIELD_LENGTH_TOO_LONG'],
  ['nothing in it', { commentary: '' }, '422'],
  ['an image of nobody', { content: { media: { id: 'urn:li:image:C1' } } }, INVALID],
  ['a share as an image', { content: { media: { id: 'urn:li:share:1' } } }, '400 INVALID_URN_TYPE'],
  ['one of several', { content: { multiImage: { images: [{}] } } }, INVALID],
  ['a poll', { content: { poll: {} } }, '422'],
])('a post with %s: %s', async (_, more, expected) => {
  expect(await post(more)).toBe(expected)
  expect(await page.posts()).toEqual([])
})

test.each<['images' | 'videos', object, string]>([
  ['images', { owner: 'urn:li:organization:1' }, '403 ACCESS_DENIED'],
  ['images', { fileSizeBytes: 5 }, '422'],
  ['videos', { fileSizeBytes: 76_799 }, INVALID],
  ['videos', { fileSizeBytes: 500_000_001 }, INVALID],
  ['videos', {}, INVALID],
])('an upload of %s with %j: %s', async (kind, more, expected) => {
  expect(said(await begin(kind, more))).toBe(expected)
})

describe('what it has', () => {
  test('is known again for ten minutes, with the same media and as long as it has words', async () => {
    const content = await imageOf(gif)
    expect(await post({ content })).toBe('400 MEDIA_ASSET_WAITING_UPLOAD')
    page.pass(2_000)
    for (const more of [{}, { content }, { content, commentary: '' }, { content, commentary: '' }])
      expect(await post(more)).toBe('201')
    for (const more of [{}, { content }]) expect(await post(more)).toBe('422 DUPLICATE_POST')
    const noImage = await imageOf(Buffer.from('%PDF-1.7'))
    page.pass(10 * 60_000)
    expect(await post()).toBe('201')
    expect(await post({ content: noImage })).toBe('400 MEDIA_ASSET_PROCESSING_FAILED')
  })

  test('is listed after 20 seconds, to its page alone', async () => {
    const list = async (author = '{me}') => {
      const headers = { 'x-restli-method': 'FINDER' }
      return page.api<{ elements: object[] }>(`GET rest/posts?q=author&author=${author}`, undefined, { headers })
    }
    const before = (await list()).json.elements.length
    expect(await post({ commentary: 'Listed' })).toBe('201')
    expect((await list()).json.elements).toHaveLength(before)
    page.pass(20_000)
    expect((await list()).json.elements[before]).toBeDefined()
    expect(said(await list('urn:li:organization:1'))).toBe('403 ACCESS_DENIED')
  })

  test('is taken at addresses that end after an hour, and are secret', async () => {
    const { uploadUrl } = (await begin('images')).json.value
    expect(said(await put(uploadUrl.replace(/sign=.*/, 'sign=x'), gif))).toBe('403')
    page.pass(3_600_000)
    expect(said(await put(uploadUrl, gif))).toBe('400 EXPIRED_UPLOAD_URL')
  })

  test('is a video with all its parts, by their names in order', async () => {
    const bytes = Buffer.alloc(5 * 1024 * 1024, 'bread')
    const { value } = (await begin('videos', { fileSizeBytes: bytes.length })).json
    const [first = '', second = ''] = value.uploadInstructions.map(({ uploadUrl }) => uploadUrl)
    const finish = async (uploadedPartIds: unknown[], uploadToken = '') => {
      const finalizeUploadRequest = { video: value.video, uploadToken, uploadedPartIds }
      return said(await page.api('POST rest/videos?action=finalizeUpload', { finalizeUploadRequest }))
    }
    const nameOf = ({ headers }: HttpAnswer) => headers.etag?.replaceAll('"', '')
    expect(said(await put(first, bytes))).toBe('400')
    const one = nameOf(await put(first, bytes.subarray(0, 4_194_304)))
    expect(await finish([one])).toBe(INVALID)
    const two = nameOf(await put(second, bytes.subarray(4_194_304)))
    expect(await finish([two, one])).toBe(INVALID)
    expect(await finish([one, two], 'x')).toBe(INVALID)
    expect(await finish([one, two])).toBe('200')
  })
})

test('a token ends after 60 days', async () => {
  page.pass(60 * 24 * 3_600_000)
  expect(await post()).toBe('401 EXPIRED_ACCESS_TOKEN')
})
