import { describe, expect, test } from 'vitest'
import type { MediaFacts } from '#contract'
import { checked, told } from '../kit/testing.ts'
import type { CheckedMedia } from '../network.ts'
import { limits } from './manifest.ts'
import { checkPost } from './rules.ts'

const image: Partial<MediaFacts> = { width: 1080, height: 1080 }
const video: Partial<MediaFacts> = { type: 'VIDEO' }
const item = checked
const check = (caption: string, media: CheckedMedia[] = []) =>
  checkPost({ accountType: 'THREADS', caption, fields: {}, media })
const links = (count: number) => Array.from({ length: count }, (_, n) => `https://example.org/${n}`).join(' ')

describe('captions', () => {
  test.each([
    ['a text', 'Fresh bread', []],
    ['nothing', '', ['caption caption_required']],
    ['only white space', ' \n', ['caption caption_required']],
    ['500 characters', 'x'.repeat(500), []],
    ['501 characters', 'x'.repeat(501), ['caption caption_too_long']],
    ['500 Japanese characters', 'パ'.repeat(500), []],
    ['125 emoji, 500 bytes', '🥖'.repeat(125), []],
    ['125 emoji and a letter', `${'🥖'.repeat(125)}a`, ['caption caption_too_long']],
    ['5 links', links(5), []],
    ['6 links', links(6), ['caption field_invalid']],
    ['one link six times', 'https://example.org/a '.repeat(6), []],
    ['one hashtag', 'Fresh #bread', []],
    ['two hashtags', 'Fresh #bread #rolls', ['caption hashtags_count?']],
    ['half of a character', 'Bread \ud83e', ['caption field_invalid']],
  ])('%s', (_, caption, expected) => {
    expect(told(check(caption))).toEqual(expected)
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
    ['21', 21, ['media media_count']],
  ])('%s items', (_, count, expected) => {
    const media = Array.from({ length: count }, (_, n) => item(n % 2 === 0 ? image : video))
    expect(told(check('Bread', media))).toEqual(expected)
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
    ['wider than 10:1', { width: 3300, height: 320 }, ['media.0 media_ratio']],
    ['1:10', { width: 320, height: 3200 }, []],
    ['taller than 1:10', { width: 320, height: 3300 }, ['media.0 media_ratio?']],
    ['320 wide', { width: 320 }, []],
    ['319 wide', { width: 319 }, ['media.0 media_dimensions?']],
    ['animated', { mimeType: 'image/gif', animated: true }, ['media.0 media_type?']],
  ])('%s', (_, facts, expected) => {
    expect(told(check('Bread', [item({ ...image, ...facts })]))).toEqual(expected)
  })
})

describe('videos', () => {
  test.each<[string, Partial<MediaFacts>, string[]]>([
    ['MOV with HEVC', { mimeType: 'video/quicktime', videoCodec: 'hevc' }, []],
    ['without sound', { audioCodec: null }, []],
    ['WebM', { mimeType: 'video/webm' }, ['media.0 media_codec']],
    ['VP9', { videoCodec: 'vp9' }, ['media.0 media_codec']],
    ['Opus', { audioCodec: 'opus' }, ['media.0 media_codec']],
    ['1 GB', { bytes: 1_000_000_000, durationMs: 300_000 }, []],
    ['more than 1 GB', { bytes: 1_000_000_001, durationMs: 300_000 }, ['media.0 media_size']],
    ['5 minutes', { durationMs: 300_000 }, []],
    ['more than 5 minutes', { durationMs: 300_001 }, ['media.0 media_duration']],
    ['1920 wide', { width: 1920 }, []],
    ['1921 wide', { width: 1921 }, ['media.0 media_dimensions']],
    ['wider than 10:1', { width: 1920, height: 180 }, ['media.0 media_ratio']],
    ['23 frames', { frameRate: 23 }, []],
    ['22 frames', { frameRate: 22 }, ['media.0 media_codec?']],
    ['60 frames', { frameRate: 60 }, []],
    ['61 frames', { frameRate: 61 }, ['media.0 media_codec?']],
    ['100 megabits', { bytes: 25_000_000, durationMs: 2_000 }, []],
    ['more than 100 megabits', { bytes: 25_001_000, durationMs: 2_000 }, ['media.0 media_codec?']],
  ])('%s', (_, facts, expected) => {
    expect(told(check('Bread', [item({ ...video, ...facts })]))).toEqual(expected)
  })
})

describe('what is said of media', () => {
  test.each<[string, Partial<CheckedMedia>, string[]]>([
    ['1000 characters of alternative text', { altText: 'ü'.repeat(1000) }, []],
    ['1001 characters of alternative text', { altText: 'ü'.repeat(1001) }, ['media.0.altText field_too_long']],
    ['tags are kept and not sent', { tags: [{ text: 'baker', x: 0, y: 0 }] }, ['media.0.tags field_invalid?']],
    [
      'titles, descriptions and links are for other networks',
      { title: 'A', description: 'B', link: 'https://c.example' },
      [],
    ],
  ])('%s', (_, more, expected) => {
    expect(told(check('Bread', [item(image, more)]))).toEqual(expected)
    expect(told(check('Bread', [item(video, more)]))).toEqual(expected)
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
