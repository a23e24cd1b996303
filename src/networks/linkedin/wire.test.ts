import { describe, expect, test } from 'vitest'
import {
  organizationUrn,
  pageUrn,
  parseCreated,
  parseDuplicate,
  parseError,
  parseImageUpload,
  parseMediaStatus,
  parsePart,
  parsePost,
  parsePosts,
  parseVideoUpload,
  postUrn,
  timeOf,
} from './wire.ts'

const answer = (json: unknown, headers: Record<string, string> = {}, status = 200) =>
  ({ kind: 'answer', status, headers, text: JSON.stringify(json), json }) as const

describe('ids', () => {
  test('are of their kind, and can stand in an address', () => {
    expect(postUrn('urn:li:share:1')).toBe('urn:li:share:1')
    expect(postUrn('urn:li:ugcPost:1')).toBe('urn:li:ugcPost:1')
    for (const wrong of ['urn:li:activity:1', 'urn:li:share:1/../x', '', 7, null])
      expect(postUrn(wrong)).toBeUndefined()
    expect(organizationUrn('urn:li:organization:12')).toBe('urn:li:organization:12')
    expect(organizationUrn('urn:li:organizationBrand:12')).toBeUndefined()
    expect(organizationUrn('urn:li:organization:12/x')).toBeUndefined()
    expect(pageUrn('urn:li:organizationBrand:12')).toBe('urn:li:organization:12')
    expect(pageUrn('urn:li:organization:12')).toBe('urn:li:organization:12')
    for (const other of ['urn:li:organizationBrand:12/x', 'urn:li:brand:12', '', null, 12]) {
      expect(pageUrn(other)).toBeUndefined()
    }
  })

  test('tell when a post was made', () => {
    // The vendor's example has 1506560133675.
    expect(timeOf('urn:li:share:6318971194909560123')?.getTime()).toBe(1506560133674)
    for (const other of ['urn:li:share:12', 'urn:li:share:abc', 'urn:li:image:6318971194909560123']) {
      expect(timeOf(other)).toBeNull()
    }
  })

  test('of a new post stand in the header of a 201', () => {
    const headers = { 'x-restli-id': 'urn:li:share:1' }
    expect(parseCreated(undefined, answer('', headers, 201))).toBe('urn:li:share:1')
    expect(parseCreated(undefined, answer('', headers, 200))).toBeUndefined()
    expect(parseCreated(undefined, answer('', {}, 201))).toBeUndefined()
  })
})

describe('uploads', () => {
  const url = 'https://www.linkedin.com/dms-uploads/1'

  test('of an image', () => {
    const read = (value: object) => parseImageUpload({ value })
    expect(read({ uploadUrl: url, image: 'urn:li:image:C1' })).toEqual({ urn: 'urn:li:image:C1', url })
    expect(read({ uploadUrl: 'nowhere', image: 'urn:li:image:C1' })).toBeUndefined()
    expect(read({ uploadUrl: url, image: 'urn:li:video:C1' })).toBeUndefined()
  })

  test('of a video: parts must be the file without gaps', () => {
    const read = (...parts: [number, number][]) =>
      parseVideoUpload(10)({
        value: {
          video: 'urn:li:video:C1',
          uploadUrlsExpireAt: 1_700_000_000_000,
          uploadInstructions: parts.map(([firstByte, lastByte]) => ({ uploadUrl: url, firstByte, lastByte })),
        },
      })
    expect(read([0, 5], [6, 9])).toMatchObject({
      urn: 'urn:li:video:C1',
      token: '',
      parts: [{ url }, { lastByte: 9 }],
      expiresAt: new Date(1_700_000_000_000),
    })
    for (const wrong of [
      [[0, 8]],
      [[1, 9]],
      [
        [0, 5],
        [7, 9],
      ],
      [
        [0, 5],
        [5, 9],
      ],
      [[0, 10]],
      [],
    ] as [number, number][][]) {
      expect(read(...wrong)).toBeUndefined()
    }
  })

  test('names of parts lose their quotes', () => {
    expect(parsePart(undefined, answer('', { etag: '"abc"' }))).toBe('abc')
    expect(parsePart(undefined, answer('', { etag: 'abc' }))).toBe('abc')
    expect(parsePart(undefined, answer('', {}))).toBeUndefined()
  })

  test('a state that nobody knows means that it is worked on', () => {
    expect(parseMediaStatus({ status: 'AVAILABLE' })?.status).toBe('AVAILABLE')
    expect(parseMediaStatus({ status: 'DREAMING' })?.status).toBe('PROCESSING')
    expect(parseMediaStatus({})).toBeUndefined()
  })
})

describe('posts', () => {
  const post = {
    id: 'urn:li:share:1',
    author: 'urn:li:organization:1',
    commentary: 'Bread',
    content: { multiImage: { images: [{ id: 'urn:li:image:1' }, { id: 'urn:li:image:2' }] } },
    lifecycleState: 'PUBLISHED',
    publishedAt: 1_000,
    lastModifiedAt: 2_000,
  }

  test('have media and times', () => {
    expect(parsePost(post)).toMatchObject({
      media: ['urn:li:image:1', 'urn:li:image:2'],
      live: true,
      createdAt: new Date(1_000),
      modifiedAt: new Date(2_000),
    })
    expect(parsePost({ ...post, content: { media: { id: 'urn:li:video:1' } } })?.media).toEqual(['urn:li:video:1'])
    expect(parsePost({ ...post, lifecycleState: 'DRAFT' })?.live).toBe(false)
  })

  test('one that cannot be read makes a listing useless', () => {
    expect(parsePosts({ elements: [post] })).toHaveLength(1)
    expect(parsePosts({ elements: [] })).toEqual([])
    expect(parsePosts({ elements: [post, { id: 7 }] })).toBeUndefined()
    expect(parsePosts({})).toBeUndefined()
  })
})

describe('refusals', () => {
  test('both shapes are read', () => {
    expect(parseError(answer({ message: 'No.', code: 'ACCESS_DENIED', status: 403 }, {}, 403))).toMatchObject({
      readable: true,
      codes: ['ACCESS_DENIED'],
      message: 'No.',
    })
    const inputErrors = [
      { description: 'Too long', input: { inputPath: { fieldPath: 'commentary' } }, code: 'FIELD_LENGTH_TOO_LONG' },
    ]
    expect(parseError(answer({ message: 'Bad', errorDetails: { inputErrors } }, {}, 400))).toMatchObject({
      codes: ['FIELD_LENGTH_TOO_LONG'],
      message: 'Bad Too long commentary',
    })
    expect(parseError(answer(undefined, {}, 403)).readable).toBe(false)
  })

  test('a duplicate names its post', () => {
    const message = 'Content is a duplicate of urn:li:share:7141138937766391808'
    expect(parseDuplicate(answer({ message }, {}, 422))).toEqual({ urn: 'urn:li:share:7141138937766391808' })
    const errorDetails = { inputErrors: [{ code: 'DUPLICATE_POST' }] }
    expect(parseDuplicate(answer({ message: 'Bad', errorDetails }, {}, 422))).toEqual({ urn: null })
    expect(parseDuplicate(answer({ message: 'Bad' }, {}, 422))).toBeUndefined()
  })
})
