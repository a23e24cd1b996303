import { describe, expect, test } from 'vitest'
import { told as toldOf } from '../kit/testing.ts'
import type { CheckedMedia, Defaults, PostToCheck } from '../network.ts'
import { limits } from './manifest.ts'
import { checkPost } from './rules.ts'
import { photo, post, video } from './testing-posts.ts'

const told = (given: PostToCheck, defaults: Defaults = {}) => toldOf(checkPost(given, defaults))
const many = (count: number, make: () => CheckedMedia) => Array.from({ length: count }, make)
const thumbs = (count: number) => '👍'.repeat(count)

describe('captions', () => {
  test.each([
    ['2200 units with a video', post('x'.repeat(2200), video()), []],
    ['2201 units with a video', post('x'.repeat(2201), video()), ['caption caption_too_long']],
    ['1100 emoji of two units each', post(thumbs(1100), video()), []],
    ['1101 emoji of two units each', post(thumbs(1101), video()), ['caption caption_too_long']],
    ['4000 units with photos', post('x'.repeat(4000), photo()), []],
    ['4001 units with photos', post('x'.repeat(4001), photo()), ['caption caption_too_long']],
    ['none', post('', video()), []],
    ['tags, names and a link', post('#a @b https://example.com '.repeat(40), video()), []],
  ])('%s', (_, given, findings) => expect(told(given)).toEqual(findings))

  test('say by how much they are too long', () => {
    expect(checkPost(post('x'.repeat(2210), video()), {})).toMatchObject([
      { limit: 2200, actual: 2210, message: expect.stringContaining('Shorten it by 10.') },
    ])
  })
})

describe('media', () => {
  test.each([
    ['none', post('Bread'), ['media media_required']],
    ['a video', post('', video()), []],
    ['two videos', post('', video(), video()), ['media media_count']],
    ['a photo', post('', photo()), []],
    ['35 photos', post('', ...many(35, photo)), []],
    ['36 photos', post('', ...many(36, photo)), ['media media_count']],
    ['a photo and a video', post('', photo(), video()), ['media media_mix']],
    ['36 photos and two videos', post('', ...many(36, photo), video(), video()), ['media media_mix']],
  ])('%s', (_, given, findings) => expect(told(given)).toEqual(findings))
})

describe('a video', () => {
  const at = (facts: Parameters<typeof video>[0]) => told(post('', video(facts)))
  test.each([
    [{ mimeType: 'video/mp4' }, []],
    [{ mimeType: 'video/quicktime' }, []],
    [{ mimeType: 'video/webm', videoCodec: 'vp8', audioCodec: 'opus' }, []],
    [{ mimeType: 'video/webm', videoCodec: 'vp9' }, []],
    [{ mimeType: 'video/x-matroska' }, ['media.0 media_codec']],
    [{ videoCodec: 'hevc' }, []],
    [{ videoCodec: 'av1' }, ['media.0 media_codec']],
    [{ audioCodec: null }, []],
    [{ bytes: 4_000_000_000 }, []],
    [{ bytes: 4_000_000_001 }, ['media.0 media_size']],
    [{ width: 360 }, []],
    [{ width: 359 }, ['media.0 media_dimensions']],
    [{ height: 360 }, []],
    [{ height: 359 }, ['media.0 media_dimensions']],
    [{ width: 4096, height: 4096 }, []],
    [{ width: 4097 }, ['media.0 media_dimensions']],
    [{ height: 4097 }, ['media.0 media_dimensions']],
    [{ durationMs: 600_000 }, []],
    [{ durationMs: 600_001 }, ['media.0 media_duration']],
    [{ durationMs: 500 }, []],
    [{ frameRate: 23 }, []],
    [{ frameRate: 22.9 }, ['media.0 media_codec?']],
    [{ frameRate: 60 }, []],
    [{ frameRate: 60.1 }, ['media.0 media_codec?']],
  ])('with %j', (facts, findings) => expect(at(facts)).toEqual(findings))
})

describe('a photo', () => {
  test.each([
    ['of another format', photo({ mimeType: 'image/png' }), []],
    ['that is large', photo({ bytes: 60_000_000, width: 9000, height: 9000 }), []],
    ['of any shape', photo({ width: 5000, height: 100 }), []],
    ['that moves', photo({ mimeType: 'image/gif', animated: true }), ['media.0 media_type?']],
  ])('%s', (_, item, findings) => expect(told(post('', item))).toEqual(findings))
})

test.each([
  ['an alternative text', { altText: 'A loaf' }, 'alternative text'],
  ['a title', { title: 'Loaf' }, 'title'],
  ['a description', { description: 'Round' }, 'description'],
  ['a link', { link: 'https://example.com' }, 'link'],
  ['tags', { tags: [{ text: 'baker', x: 0.5, y: 0.5 }] }, 'tags'],
])('%s is kept and not sent, which is told', (_, more, words) => {
  const findings = checkPost(post('', photo(), photo({}, more)), {})
  expect(findings).toMatchObject([
    { steps: ['media', 1], warning: true, message: expect.stringContaining(`(${words})`) },
  ])
})

test.each<[Defaults, string[]]>([
  [{ privacy: 'SELF_ONLY', brandContent: true }, ['accountType field_invalid']],
  [{ privacy: 'SELF_ONLY', brandContent: false }, []],
  [{ privacy: 'SELF_ONLY', brandOrganic: true }, []],
  [{ privacy: 'MUTUAL_FOLLOW_FRIENDS', brandContent: true }, []],
  [{ brandContent: true }, []],
])('the choices %j', (defaults, findings) => expect(told(post('', video()), defaults)).toEqual(findings))

test.each([
  ['a video', video(), []],
  ['photos', photo(), ['options.aiGenerated field_invalid?']],
])('%s made with AI: a warning where TikTok has no label', (_, item, findings) => {
  expect(told(post('', item), { aiGenerated: true })).toEqual(findings)
})

test('a number that is told is one of the limits', () => {
  const values: number[] = Object.values(limits).map(({ value }) => value)
  const worst = post(
    'x'.repeat(5000),
    video({ bytes: 5e9, width: 1, height: 9999, durationMs: 1e7, frameRate: 1 }),
    video(),
  )
  const findings = checkPost(worst, {})
  expect(findings).toHaveLength(7)
  for (const { limit } of findings) expect(values).toContain(limit)
})
