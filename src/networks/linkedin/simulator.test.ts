import { afterAll, beforeAll, expect, test } from 'vitest'
import type { HttpAnswer } from '../kit/http.ts'
import type { Stage } from '../kit/testing.ts'
import { openStage, POST } from './testing-posts.ts'

/* What it refuses, and no test of the connector provokes. */

let page: Stage
beforeAll(async () => {
  page = await openStage('LINKEDIN_PAGE')
})
afterAll(() => page.close())

type Request = [call: string, json?: object, headers?: Record<string, string>]
const read = (headers: Record<string, string>): Request => ['GET rest/posts/urn%3Ali%3Ashare%3A1', undefined, headers]
const distribution = { feedDistribution: 'MAIN_FEED' }
const usual = { author: '{me}', commentary: 'Bread', visibility: 'PUBLIC', lifecycleState: 'PUBLISHED', distribution }
const post = (more: object = {}): Request => [POST, { ...usual, ...more }]
const upload = (kind: 'images' | 'videos', more: object = {}): Request => [
  `POST rest/${kind}?action=initializeUpload`,
  { initializeUploadRequest: { owner: '{me}', ...more } },
]
interface Begun {
  value: { image: string; video: string; uploadUrl: string; uploadInstructions: { uploadUrl: string }[] }
}
const ask = ([call, json = {}, headers = {}]: Request) => {
  const { externalId } = page.world.backend.account
  const body = JSON.parse(JSON.stringify(json).replaceAll('{me}', externalId))
  return page.api<Begun>(call, call.startsWith('GET') ? undefined : body, { headers })
}
/** `400 FIELD_LENGTH_TOO_LONG` */
const said = ({ status, text }: HttpAnswer) => [status, /"code":"(\w+)"/.exec(text)?.[1]].filter(Boolean).join(' ')
const sayTo = async (request: Request) => said(await ask(request))
const put = (url: string, body: Buffer) => page.api(`PUT ${url.slice(url.indexOf('/web/'))}`, undefined, { body })
const INVALID = '400 INVALID_VALUE_FOR_FIELD'

test.each<[string, Request]>([
  ['400 VERSION_MISSING', read({ 'linkedin-version': '' })],
  ['426 NONEXISTENT_VERSION', read({ 'linkedin-version': '202501' })],
  ['426 NONEXISTENT_VERSION', read({ 'linkedin-version': 'v25.0' })],
  ['426 NONEXISTENT_VERSION', read({ 'linkedin-version': '203001' })],
  ['400', read({ 'x-restli-protocol-version': '1.0.0' })],
  ['404', read({})],
  ['422', post({ mood: 'happy' })],
  ['422', post({ author: undefined })],
  ['403 ACCESS_DENIED', post({ author: 'urn:li:organization:1' })],
  [INVALID, post({ visibility: 'CONNECTIONS' })],
  [INVALID, post({ lifecycleState: 'DRAFT' })],
  ['400 FIELD_LENGTH_TOO_LONG', post({ commentary: 'a'.repeat(3001) })],
  ['422', post({ commentary: '' })],
  [INVALID, post({ content: { media: { id: 'urn:li:image:C1' } } })],
  ['400 INVALID_URN_TYPE', post({ content: { media: { id: 'urn:li:share:1' } } })],
  [INVALID, post({ content: { multiImage: { images: [{}] } } })],
  ['422', post({ content: { poll: {} } })],
  ['403 ACCESS_DENIED', upload('images', { owner: 'urn:li:organization:1' })],
  ['422', upload('images', { fileSizeBytes: 5 })],
  [INVALID, upload('videos', { fileSizeBytes: 76_799 })],
  [INVALID, upload('videos', { fileSizeBytes: 500_000_001 })],
  [INVALID, upload('videos')],
])('%s answers %.150j', async (expected, request) => {
  expect(await sayTo(request)).toBe(expected)
  expect(await page.posts()).toEqual([])
})

test('a post is known again for ten minutes, and listed after 20 seconds to its page alone', async () => {
  const headers = { 'x-restli-method': 'FINDER' }
  const list = (author: string) => ask([`GET rest/posts?q=author&author=${author}`, undefined, headers])
  expect(await sayTo(post())).toBe('201')
  expect((await list('{me}')).text).toContain('"elements":[]')
  expect(await sayTo(post())).toBe('422 DUPLICATE_POST')
  page.pass(20_000)
  expect((await list('{me}')).text).toContain('"commentary":"Bread"')
  expect(said(await list('urn:li:organization:1'))).toBe('403 ACCESS_DENIED')
  page.pass(10 * 60_000)
  expect(await sayTo(post())).toBe('201')
})

test('an image is taken in for an hour, at an address that is secret, and worked on', async () => {
  const { image, uploadUrl } = (await ask(upload('images'))).json.value
  expect(said(await put(uploadUrl.replace(/sign=.*/, 'sign=x'), Buffer.from('GIF89a')))).toBe('403')
  await put(uploadUrl, Buffer.from('GIF89a'))
  const wordless = post({ commentary: '', content: { media: { id: image } } })
  expect(await sayTo(wordless)).toBe('400 MEDIA_ASSET_WAITING_UPLOAD')
  page.pass(2_000)
  // Nothing of it is known again without words.
  for (const _ of 'ab') expect(await sayTo(wordless)).toBe('201')
  await put(uploadUrl, Buffer.from('%PDF-1.7'))
  page.pass(2_000)
  expect(await sayTo(wordless)).toBe('400 MEDIA_ASSET_PROCESSING_FAILED')
  page.pass(3_600_000)
  expect(said(await put(uploadUrl, Buffer.from('GIF89a')))).toBe('400 EXPIRED_UPLOAD_URL')
})

test('a video has all its parts, by their names in order', async () => {
  const bytes = Buffer.alloc(5 * 1024 * 1024, 'bread')
  const { value } = (await ask(upload('videos', { fileSizeBytes: bytes.length }))).json
  const [first = '', second = ''] = value.uploadInstructions.map(({ uploadUrl }) => uploadUrl)
  const finish = (uploadedPartIds: unknown[], uploadToken = '') => {
    const finalizeUploadRequest = { video: value.video, uploadToken, uploadedPartIds }
    return sayTo(['POST rest/videos?action=finalizeUpload', { finalizeUploadRequest }])
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
