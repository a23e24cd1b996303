import { afterAll, expect, test } from 'vitest'
import type { HttpAnswer } from '../kit/http.ts'
import { openStage, POST } from './testing-posts.ts'

/* What it refuses, and no test of the connector provokes. */

const page = await openStage('LINKEDIN_PAGE')
afterAll(page.close)

const INVALID = '400 INVALID_VALUE_FOR_FIELD'
/** `400 FIELD_LENGTH_TOO_LONG` */
const said = ({ status, text }: HttpAnswer) => [status, /"code":"(\w+)"/.exec(text)?.[1]].filter(Boolean).join(' ')
const owner = () => page.world.backend.account.externalId
const distribution = { feedDistribution: 'MAIN_FEED' }
const usual = { commentary: 'Bread', visibility: 'PUBLIC', lifecycleState: 'PUBLISHED', distribution }
const post = async (more: object, headers = {}) =>
  said(await page.api(POST, { author: owner(), ...usual, ...more }, { headers }))
const begin = (kind: string, more: object = {}) =>
  page.api<{ value: { image: string; uploadUrl: string } }>(`POST rest/${kind}?action=initializeUpload`, {
    initializeUploadRequest: { owner: owner(), ...more },
  })
const put = async (url: string, body: string) =>
  said(await page.api(`PUT ${url.slice(url.indexOf('/web/'))}`, undefined, { body: Buffer.from(body) }))
const list = async (author: string) => {
  const headers = { 'x-restli-method': 'FINDER' }
  return (await page.api(`GET rest/posts?q=author&author=${author}`, undefined, { headers })).text
}

test.each<[string, object, Record<string, string>?]>([
  ['400 VERSION_MISSING', {}, { 'linkedin-version': '' }],
  ['426 NONEXISTENT_VERSION', {}, { 'linkedin-version': '202501' }],
  ['400', {}, { 'x-restli-protocol-version': '1.0.0' }],
  ['422', { mood: 'happy' }],
  ['403 ACCESS_DENIED', { author: 'urn:li:organization:1' }],
  [INVALID, { visibility: 'CONNECTIONS' }],
  [INVALID, { lifecycleState: 'DRAFT' }],
  ['400 FIELD_LENGTH_TOO_LONG', { commentary: 'a'.repeat(3001) }],
  ['422', { commentary: '' }],
  [INVALID, { content: { media: { id: 'urn:li:image:C1' } } }],
  ['400 INVALID_URN_TYPE', { content: { media: { id: 'urn:li:share:1' } } }],
  [INVALID, { content: { multiImage: { images: [{}] } } }],
])('%s: a post of %.80j with %j', async (expected, more, headers) => {
  expect(await post(more, headers)).toBe(expected)
  expect(await page.posts()).toEqual([])
})

test('posts are known again for ten minutes, and listed after 20 seconds to their page alone', async () => {
  for (const answer of ['201', '422 DUPLICATE_POST']) expect(await post({})).toBe(answer)
  expect(await list('{me}')).toContain('"elements":[]')
  page.pass(20_000)
  expect(await list('{me}')).toContain('"commentary":"Bread"')
  expect(await list('urn:li:organization:1')).toContain('ACCESS_DENIED')
  page.pass(10 * 60_000)
  expect(await post({})).toBe('201')
})

test('a file is taken in for an hour, for the person, at an address that is secret, and worked on', async () => {
  expect(said(await begin('images', { owner: 'urn:li:organization:1' }))).toBe('403 ACCESS_DENIED')
  expect(said(await begin('videos', { fileSizeBytes: 500_000_001 }))).toBe(INVALID)
  const { image, uploadUrl } = (await begin('images')).json.value
  const wordless = { commentary: '', content: { media: { id: image } } }
  expect(await put(uploadUrl.replace(/sign=.*/, 'sign=x'), 'GIF89a')).toBe('403')
  await put(uploadUrl, 'GIF89a')
  expect(await post(wordless)).toBe('400 MEDIA_ASSET_WAITING_UPLOAD')
  page.pass(2_000)
  // Without words nothing is known again.
  for (const _ of 'ab') expect(await post(wordless)).toBe('201')
  await put(uploadUrl, '%PDF-1.7')
  page.pass(2_000)
  expect(await post(wordless)).toBe('400 MEDIA_ASSET_PROCESSING_FAILED')
  page.pass(3_600_000)
  expect(await put(uploadUrl, 'GIF89a')).toBe('400 EXPIRED_UPLOAD_URL')
})
