import { describe, expect, test } from 'vitest'
import type { MediaFacts } from '#contract'
import type { CheckedMedia, Finding } from '../network.ts'
import { limits } from './manifest.ts'
import { checkPost } from './rules.ts'

const image: MediaFacts = {
  type: 'IMAGE',
  mimeType: 'image/jpeg',
  bytes: 100_000,
  width: 1080,
  height: 1080,
  durationMs: null,
  videoCodec: null,
  audioCodec: null,
  frameRate: null,
  animated: false,
}
const video: MediaFacts = {
  ...image,
  type: 'VIDEO',
  mimeType: 'video/mp4',
  bytes: 5_000_000,
  height: 1920,
  durationMs: 20_000,
  videoCodec: 'avc',
  audioCodec: 'aac',
  frameRate: 30,
}
const item = (facts: MediaFacts, more: Partial<CheckedMedia> = {}): CheckedMedia => ({
  facts,
  altText: null,
  title: null,
  description: null,
  link: null,
  tags: [],
  ...more,
})
const check = (caption: string, media: CheckedMedia[] = []) =>
  checkPost({ accountType: 'THREADS', caption, fields: {}, media })
/** `code steps`, with a question mark behind warnings. */
const codes = (findings: Finding[]) =>
  findings.map(({ code, steps, warning }) => `${code} ${steps.join('.')}${warning ? '?' : ''}`)
const links = (count: number) => Array.from({ length: count }, (_, n) => `https://example.org/${n}`).join(' ')

describe('captions', () => {
  test.each([
    ['a text', 'Fresh bread', []],
    ['nothing', '', ['post:caption_required caption']],
    ['only white space', ' \n', ['post:caption_required caption']],
    ['500 characters', 'x'.repeat(500), []],
    ['501 characters', 'x'.repeat(501), ['post:caption_too_long caption']],
    ['500 Japanese characters', 'パ'.repeat(500), []],
    ['125 emoji, 500 bytes', '🥖'.repeat(125), []],
    ['125 emoji and a letter', `${'🥖'.repeat(125)}a`, ['post:caption_too_long caption']],
    ['5 links', links(5), []],
    ['6 links', links(6), ['post:field_invalid caption']],
    ['one link six times', 'https://example.org/a '.repeat(6), []],
    ['one hashtag', 'Fresh #bread', []],
    ['two hashtags', 'Fresh #bread #rolls', ['post:hashtags_count caption?']],
    ['half of a character', 'Bread \ud83e', ['post:field_invalid caption']],
  ])('%s', (_, caption, expected) => {
    expect(codes(check(caption))).toEqual(expected)
  })

  test('the message says what was counted and what to do', () => {
    expect(check(`${'🥖'.repeat(125)}ab`)).toMatchObject([
      { limit: 500, actual: 502, message: expect.stringContaining('Shorten it by 2.') },
    ])
    expect(check(links(7))).toMatchObject([{ limit: 5, actual: 7, message: expect.stringContaining('Remove 2.') }])
  })

  test('media may go without one', () => {
    expect(check('', [item(image)])).toEqual([])
  })
})

describe('number of media', () => {
  test.each([
    ['1', 1, []],
    ['2', 2, []],
    ['20', 20, []],
    ['21', 21, ['post:media_count media']],
  ])('%s items', (_, count, expected) => {
    const media = Array.from({ length: count }, (_, n) => item(n % 2 === 0 ? image : video))
    expect(codes(check('Bread', media))).toEqual(expected)
  })
})

describe('images', () => {
  test.each<[string, Partial<MediaFacts>, string[]]>([
    [
      'of any format and size are fitted on the way',
      { mimeType: 'image/webp', bytes: 40_000_000, width: 9000, height: 9000 },
      [],
    ],
    ['10:1', { width: 3200, height: 320 }, []],
    ['wider than 10:1', { width: 3300, height: 320 }, ['post:media_ratio media.0']],
    ['1:10', { width: 320, height: 3200 }, []],
    ['taller than 1:10', { width: 320, height: 3300 }, ['post:media_ratio media.0?']],
    ['320 wide', { width: 320 }, []],
    ['319 wide', { width: 319 }, ['post:media_dimensions media.0?']],
    ['animated', { mimeType: 'image/gif', animated: true }, ['post:media_type media.0?']],
  ])('%s', (_, facts, expected) => {
    expect(codes(check('Bread', [item({ ...image, ...facts })]))).toEqual(expected)
  })
})

describe('videos', () => {
  test.each<[string, Partial<MediaFacts>, string[]]>([
    ['MOV with HEVC', { mimeType: 'video/quicktime', videoCodec: 'hevc' }, []],
    ['without sound', { audioCodec: null }, []],
    ['WebM', { mimeType: 'video/webm' }, ['post:media_codec media.0']],
    ['VP9', { videoCodec: 'vp9' }, ['post:media_codec media.0']],
    ['Opus', { audioCodec: 'opus' }, ['post:media_codec media.0']],
    ['1 GB', { bytes: 1_000_000_000, durationMs: 300_000 }, []],
    ['more than 1 GB', { bytes: 1_000_000_001, durationMs: 300_000 }, ['post:media_size media.0']],
    ['5 minutes', { durationMs: 300_000 }, []],
    ['more than 5 minutes', { durationMs: 300_001 }, ['post:media_duration media.0']],
    ['1920 wide', { width: 1920 }, []],
    ['1921 wide', { width: 1921 }, ['post:media_dimensions media.0']],
    ['wider than 10:1', { width: 1920, height: 180 }, ['post:media_ratio media.0']],
    ['23 frames', { frameRate: 23 }, []],
    ['22 frames', { frameRate: 22 }, ['post:media_codec media.0?']],
    ['60 frames', { frameRate: 60 }, []],
    ['61 frames', { frameRate: 61 }, ['post:media_codec media.0?']],
    ['100 megabits', { bytes: 25_000_000, durationMs: 2_000 }, []],
    ['more than 100 megabits', { bytes: 25_001_000, durationMs: 2_000 }, ['post:media_codec media.0?']],
  ])('%s', (_, facts, expected) => {
    expect(codes(check('Bread', [item({ ...video, ...facts })]))).toEqual(expected)
  })
})

describe('what is said of media', () => {
  test.each<[string, Partial<CheckedMedia>, string[]]>([
    ['1000 characters of alternative text', { altText: 'ü'.repeat(1000) }, []],
    ['1001 characters of alternative text', { altText: 'ü'.repeat(1001) }, ['post:field_too_long media.0.altText']],
    ['tags are kept and not sent', { tags: [{ text: 'baker', x: 0, y: 0 }] }, ['post:field_invalid media.0.tags?']],
    [
      'titles, descriptions and links are for other networks',
      { title: 'A', description: 'B', link: 'https://c.example' },
      [],
    ],
  ])('%s', (_, more, expected) => {
    expect(codes(check('Bread', [item(image, more)]))).toEqual(expected)
    expect(codes(check('Bread', [item(video, more)]))).toEqual(expected)
  })
})

test('every finding is a sentence, and its limit is one of the manifest', () => {
  const bad = { ...video, width: 5000, height: 100, bytes: 2e9, durationMs: 400_000, frameRate: 90, videoCodec: 'av1' }
  const findings = [
    ...check(
      `${'x'.repeat(600)} ${links(6)} #a #b \ud83e`,
      Array.from({ length: 21 }, () => item(bad)),
    ),
    ...check(' '),
    ...check('Bread', [item({ ...image, width: 100, height: 5000, animated: true }, { altText: 'x'.repeat(1001) })]),
  ]
  const known = Object.values(limits).map(({ value }) => value)
  for (const { message, limit, actual } of findings) {
    expect(message).toMatch(/^[A-Z].*\.$/s)
    expect(message).toContain('Threads')
    if (limit !== undefined) {
      expect(known).toContain(limit)
      expect(actual).toBeDefined()
    }
  }
  expect(findings.length).toBeGreaterThan(100)
})
