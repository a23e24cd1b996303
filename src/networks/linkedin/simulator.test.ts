import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { HttpResult } from '../kit/http.ts'
import type { Stage } from '../kit/testing.ts'
import { openStage, type Type } from './testing-posts.ts'

let page: Stage
let person: Stage
beforeAll(async () => {
  ;[page, person] = await Promise.all([openStage('LINKEDIN_PAGE'), openStage('LINKEDIN_PERSONAL')])
})
afterAll(() => Promise.all([page.close(), person.close()]))

const status = (result: HttpResult) => (result.kind === 'answer' ? result.status : 0)
const json = (result: HttpResult) => (result.kind === 'answer' ? (result.json as Record<string, never>) : {})
const code = (result: HttpResult) => {
  const { code, errorDetails } = json(result) as { code?: string; errorDetails?: { inputErrors: { code: string }[] } }
  return code ?? errorDetails?.inputErrors[0]?.code
}
const authorOf = (stage: Stage) => stage.world.backend.account.externalId
const post = (stage: Stage, more: object = {}) =>
  stage.api('POST rest/posts', {
    author: authorOf(stage),
    commentary: 'Bread',
    visibility: 'PUBLIC',
    distribution: { feedDistribution: 'MAIN_FEED' },
    lifecycleState: 'PUBLISHED',
    ...more,
  })

/** Begins an upload and gives what the network told of it. */
async function begin(stage: Stage, kind: 'images' | 'videos', more: object = {}) {
  const request = { initializeUploadRequest: { owner: authorOf(stage), ...more } }
  const begun = await stage.api(`POST rest/${kind}?action=initializeUpload`, request)
  return { begun, value: (json(begun) as unknown as { value: Record<string, never> }).value ?? {} }
}
const put = (stage: Stage, url: string, body: Buffer) =>
  stage.world.http({ method: 'PUT', url, body, signal: AbortSignal.timeout(5_000) })
const gif = Buffer.from('GIF89a and so on')

async function uploadedImage(stage: Stage, bytes = gif): Promise<string> {
  const { value } = await begin(stage, 'images')
  expect(status(await put(stage, String(value.uploadUrl), bytes))).toBe(201)
  return String(value.image)
}

describe('every request', () => {
  const ask = (headers: Record<string, string>) =>
    page.api('GET rest/posts/urn%3Ali%3Ashare%3A1', undefined, { headers: headers })

  test.each([
    ['no version', { 'linkedin-version': '' }, 400, 'VERSION_MISSING'],
    ['a version that has ended', { 'linkedin-version': '202501' }, 426, 'NONEXISTENT_VERSION'],
    ['a version that is none', { 'linkedin-version': 'v25.0' }, 426, 'NONEXISTENT_VERSION'],
    ['a version to come', { 'linkedin-version': '203001' }, 426, 'NONEXISTENT_VERSION'],
    ['an older protocol', { 'x-restli-protocol-version': '1.0.0' }, 400, undefined],
    ['no token', { authorization: '' }, 401, 'EMPTY_ACCESS_TOKEN'],
    ['a token that nobody gave', { authorization: 'Bearer x' }, 401, 'INVALID_ACCESS_TOKEN'],
    ['nothing wrong', {}, 404, undefined],
  ])('with %s', async (_, headers, expected, name) => {
    const answer = await ask(headers)
    expect(status(answer)).toBe(expected)
    expect(code(answer)).toBe(name)
  })
})

describe('posts', () => {
  test.each<[string, object, number, string | undefined]>([
    ['an unknown field', { mood: 'happy' }, 422, undefined],
    ['no author', { author: undefined }, 422, undefined],
    ['no commentary', { commentary: undefined }, 422, undefined],
    ['another author', { author: 'urn:li:organization:1' }, 403, 'ACCESS_DENIED'],
    ['a visibility for people', { visibility: 'CONNECTIONS' }, 400, 'INVALID_VALUE_FOR_FIELD'],
    ['a draft', { lifecycleState: 'DRAFT' }, 400, 'INVALID_VALUE_FOR_FIELD'],
    ['3,001 characters', { commentary: 'a'.repeat(3001) }, 400, 'FIELD_LENGTH_TOO_LONG'],
    ['nothing in it', { commentary: '' }, 422, undefined],
    ['an image of nobody', { content: { media: { id: 'urn:li:image:C1' } } }, 400, 'INVALID_VALUE_FOR_FIELD'],
    ['a share as an image', { content: { media: { id: 'urn:li:share:1' } } }, 400, 'INVALID_URN_TYPE'],
    [
      'one of several',
      { content: { multiImage: { images: [{ id: 'urn:li:image:C1' }] } } },
      400,
      'INVALID_VALUE_FOR_FIELD',
    ],
    ['a poll', { content: { poll: {} } }, 422, undefined],
  ])('with %s are refused', async (_, more, expected, name) => {
    const answer = await post(page, more)
    expect(status(answer)).toBe(expected)
    expect(code(answer)).toBe(name)
    expect(await page.posts()).toEqual([])
  })

  test('are made without a body in the answer, and cut off at what is not escaped', async () => {
    const made = await post(person, { commentary: 'Bread (fresh)' })
    expect(made).toMatchObject({
      status: 201,
      text: '',
      headers: { 'x-restli-id': expect.stringMatching(/^urn:li:share:\d+$/) },
    })
    const [held] = await person.posts()
    expect(held?.text).toBe('Bread ')
  })

  test('are known again for ten minutes, as long as they have words', async () => {
    const first = await post(page, { commentary: 'Twice' })
    const id = first.kind === 'answer' ? first.headers['x-restli-id'] : ''
    const second = await post(page, { commentary: 'Twice' })
    expect(code(second)).toBe('DUPLICATE_POST')
    expect(json(second).message).toContain(id)
    const content = { media: { id: await uploadedImage(page) } }
    page.pass(3_000)
    for (const [commentary, expected] of [
      ['Twice', 201],
      ['', 201],
    ] as const) {
      expect(status(await post(page, { commentary, content }))).toBe(expected)
    }
    expect(code(await post(page, { commentary: 'Twice', content }))).toBe('DUPLICATE_POST')
    expect(status(await post(page, { commentary: '', content }))).toBe(201)
    page.pass(10 * 60_000)
    expect(status(await post(page, { commentary: 'Twice' }))).toBe(201)
  })

  test('of pages are listed after a while, those of people never', async () => {
    const finder = { 'x-restli-method': 'FINDER' }
    const list = (stage: Stage) =>
      stage.api(`GET rest/posts?q=author&author=${encodeURIComponent(authorOf(stage))}&count=100`, undefined, {
        headers: finder,
      })
    const made = await post(page, { commentary: 'Listed' })
    const id = made.kind === 'answer' ? String(made.headers['x-restli-id']) : ''
    const ids = async () =>
      (json(await list(page)) as unknown as { elements: { id: string }[] }).elements.map((each) => each.id)
    expect(await ids()).not.toContain(id)
    page.pass(20_000)
    expect((await ids())[0]).toBe(id)
    expect(status(await page.api(`GET rest/posts/${encodeURIComponent(id)}`))).toBe(200)
    expect(status(await list(person))).toBe(403)
    expect(status(await person.api(`GET rest/posts/${encodeURIComponent(id)}`))).toBe(403)
    expect(status(await page.api('GET rest/posts?q=author'))).toBe(400)
  })
})

describe('uploads', () => {
  test.each<[string, 'images' | 'videos', object, number]>([
    ['of somebody else', 'images', { owner: 'urn:li:organization:1' }, 403],
    ['with an unknown field', 'images', { fileSizeBytes: 5 }, 422],
    ['of a small video', 'videos', { fileSizeBytes: 76_799 }, 400],
    ['of a huge video', 'videos', { fileSizeBytes: 500_000_001 }, 400],
    ['of a video without a size', 'videos', {}, 400],
  ])('%s are refused', async (_, kind, more, expected) => {
    expect(status((await begin(page, kind, more)).begun)).toBe(expected)
  })

  test('an image can be posted when the network has worked on it', async () => {
    const urn = await uploadedImage(page)
    const content = { media: { id: urn } }
    expect(code(await post(page, { commentary: 'Soon', content }))).toBe('MEDIA_ASSET_WAITING_UPLOAD')
    const look = async () => json(await page.api(`GET rest/images/${encodeURIComponent(urn)}`)).status
    expect(await look()).toBe('PROCESSING')
    page.pass(2_000)
    expect(await look()).toBe('AVAILABLE')
    expect(status(await post(page, { commentary: 'Soon', content }))).toBe(201)
  })

  test('what is no image fails, and so does a post with it', async () => {
    const urn = await uploadedImage(page, Buffer.from('%PDF-1.7'))
    page.pass(2_000)
    expect(json(await page.api(`GET rest/images/${encodeURIComponent(urn)}`)).status).toBe('PROCESSING_FAILED')
    expect(code(await post(page, { content: { media: { id: urn } } }))).toBe('MEDIA_ASSET_PROCESSING_FAILED')
  })

  test.each<[Type, number]>([
    ['LINKEDIN_PAGE', 200],
    ['LINKEDIN_PERSONAL', 403],
  ])('%s may ask about images: %i, about videos always', async (type, expected) => {
    const stage = type === 'LINKEDIN_PAGE' ? page : person
    const image = await uploadedImage(stage)
    expect(status(await stage.api(`GET rest/images/${encodeURIComponent(image)}`))).toBe(expected)
    const { value } = await begin(stage, 'videos', { fileSizeBytes: 100_000 })
    expect(json(await stage.api(`GET rest/videos/${encodeURIComponent(String(value.video))}`)).status).toBe(
      'WAITING_UPLOAD',
    )
  })

  test('addresses end after an hour, and are secret', async () => {
    const { value } = await begin(page, 'images')
    const url = String(value.uploadUrl)
    expect(status(await put(page, url.replace(/sign=.*/, 'sign=x'), gif))).toBe(403)
    page.pass(3_600_000)
    expect(code(await put(page, url, gif))).toBe('EXPIRED_UPLOAD_URL')
  })

  test('a video is finished with all its parts, by their names in order', async () => {
    const bytes = Buffer.alloc(5 * 1024 * 1024, 'bread')
    bytes.write('ftypisom', 4, 'latin1')
    const { value } = await begin(person, 'videos', { fileSizeBytes: bytes.length })
    const parts = value.uploadInstructions as unknown as { uploadUrl: string; firstByte: number; lastByte: number }[]
    expect(parts.map(({ firstByte, lastByte }) => [firstByte, lastByte])).toEqual([
      [0, 4_194_303],
      [4_194_304, 5_242_879],
    ])
    const finish = (uploadedPartIds: unknown[], uploadToken = '') =>
      person.api('POST rest/videos?action=finalizeUpload', {
        finalizeUploadRequest: { video: value.video, uploadToken, uploadedPartIds },
      })
    expect(status(await put(person, parts[0]?.uploadUrl ?? '', bytes))).toBe(400)
    const etags: string[] = []
    for (const { uploadUrl, firstByte, lastByte } of parts) {
      expect(status(await finish(etags))).toBe(400)
      const sent = await put(person, uploadUrl, bytes.subarray(firstByte, lastByte + 1))
      etags.push(sent.kind === 'answer' ? (sent.headers.etag ?? '').replaceAll('"', '') : '')
    }
    expect(status(await finish(etags.toReversed()))).toBe(400)
    expect(status(await finish(etags, 'x'))).toBe(400)
    expect(status(await finish(etags))).toBe(200)
    person.pass(4_000)
    const look = await person.api(`GET rest/videos/${encodeURIComponent(String(value.video))}`)
    expect(json(look).status).toBe('AVAILABLE')
  })
})

describe('accounts', () => {
  test('of a person has an id of its own and no refresh token', () => {
    expect(authorOf(person)).toMatch(/^urn:li:person:[\w-]+$/)
    expect(person.world.backend.credentials).not.toHaveProperty('refreshToken')
  })

  test('of a page has a token of 60 days', async () => {
    page.pass(61 * 24 * 3_600_000)
    const expired = await post(page)
    expect(expired).toMatchObject({ status: 401, json: { code: 'EXPIRED_ACCESS_TOKEN' } })
  })
})
