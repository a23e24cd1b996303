import { expect, test } from 'vitest'
import type { MediaFacts } from '#contract'
import { checked, reported } from '../kit/testing.ts'
import type { CheckedMedia } from '../network.ts'
import { checkPost, countCaption } from './rules.ts'

type Facts = Partial<MediaFacts>
const video: Facts = { type: 'VIDEO' }
const post = (caption: string, media: CheckedMedia[] = []) => ({
  accountType: 'THREADS' as const,
  caption,
  fields: {},
  media,
})
const check = (caption: string, media?: CheckedMedia[]) => checkPost(post(caption, media))
const links = (count: number) => Array.from({ length: count }, (_, n) => `https://example.org/${n}`).join(' ')

test.each<[string, string, string[]]>([
  ['a text', 'Fresh bread', []],
  ['only white space', ' \n', ['caption_required']],
  ['500 characters and bytes', 'x'.repeat(500), []],
  ['500 characters, 1,500 bytes', 'パ'.repeat(500), ['caption_too_long?']],
  ['499 characters, 500 bytes', `ä${'x'.repeat(498)}`, []],
  ['499 characters, 501 bytes', `ää${'x'.repeat(497)}`, ['caption_too_long?']],
  ['490 characters of German', 'Öffnungszeiten über Ostern. '.repeat(18).slice(0, 490), ['caption_too_long?']],
  ['166 characters of Japanese', 'パ'.repeat(166), []],
  ['167 characters of Japanese', 'パ'.repeat(167), ['caption_too_long?']],
  ['250 characters of Russian', 'Хлеб '.repeat(50), []],
  ['300 characters of Russian', 'Хлеб '.repeat(60), ['caption_too_long?']],
  ['250 letters with dots of their own', 'a\u0308'.repeat(250), ['caption_too_long?']],
  ['typographic quotes in 499 characters', `“${'x'.repeat(497)}”`, ['caption_too_long?']],
  ['501 characters', 'x'.repeat(501), ['caption_too_long']],
  ['125 emoji, 500 bytes', '🥖'.repeat(125), []],
  ['125 emoji and a letter', `${'🥖'.repeat(125)}a`, ['caption_too_long']],
  ['5 links', links(5), []],
  ['6 links', links(6), ['field_invalid']],
  ['one link six times', 'https://example.org/a '.repeat(6), []],
  ['one hashtag', 'Fresh #bread', []],
  ['two hashtags', 'Fresh #bread #rolls', ['hashtags_count?']],
  ['half of a character', 'Bread \ud83e', ['field_invalid']],
  ['a text that is far too long, of which nothing else is said', `${links(100)} #a #b`, ['caption_too_long']],
])('a caption of %s', (_, caption, expected) => {
  expect(reported(check(caption))).toEqual(expected.map((code) => `caption ${code}`))
})

test('the message says what was counted and what to do', () => {
  expect(check(`${'🥖'.repeat(125)}ab`)).toMatchObject([
    { limit: 500, actual: 502, message: expect.stringContaining('Shorten it by 2.') },
  ])
  expect(check(links(7))).toMatchObject([{ limit: 5, actual: 7, message: expect.stringContaining('Remove 2.') }])
})

test.each([
  ['', 0],
  ['Grüße', 5],
  // Decomposed: a letter and its dots are two code points.
  ['u\u0308', 2],
  ['パン', 2],
  // Letters outside of the basic plane are no emoji.
  ['𝕭', 1],
  ['a🥖b', 6],
  // A picture only by the selector behind it.
  ['☀️', 6],
  ['©', 2],
  // A flag is two halves of 4 bytes, a keycap a digit with its frame.
  ['🇦🇹', 8],
  ['1️⃣', 7],
  ['1', 1],
  // With the color of the skin, and a family of three joined ones.
  ['👍🏽', 8],
  ['👨‍👩‍👧', 18],
])('%j counts %i', (caption, actual) => {
  expect(countCaption(post(caption))).toEqual({ actual, limit: 500 })
})

test.each<[string, Facts, Facts, string]>([
  ['an image', { width: 3200, height: 320 }, { width: 3300, height: 320 }, 'media_ratio'],
  ['an image', { width: 320, height: 3200 }, { width: 320, height: 3300 }, 'media_ratio?'],
  ['an image', { width: 320 }, { width: 319 }, 'media_dimensions?'],
  // Format and size are fitted on the way.
  [
    'an image',
    { mimeType: 'image/webp', bytes: 40_000_000, width: 9000, height: 9000 },
    { mimeType: 'image/gif', animated: true },
    'media_type?',
  ],
  ['a video', { mimeType: 'video/quicktime' }, { mimeType: 'video/webm' }, 'media_codec'],
  ['a video', { videoCodec: 'hevc' }, { videoCodec: 'vp9' }, 'media_codec'],
  ['a video', { audioCodec: null }, { audioCodec: 'opus' }, 'media_codec'],
  [
    'a video',
    { bytes: 1_000_000_000, durationMs: 300_000 },
    { bytes: 1_000_000_001, durationMs: 300_000 },
    'media_size',
  ],
  ['a video', { durationMs: 300_000 }, { durationMs: 300_001 }, 'media_duration'],
  ['a video', { width: 1920 }, { width: 1921 }, 'media_dimensions'],
  ['a video', { width: 1920, height: 192 }, { width: 1920, height: 180 }, 'media_ratio'],
  ['a video', { width: 10, height: 1000 }, { width: 10, height: 1020 }, 'media_ratio'],
  ['a video', { frameRate: 23 }, { frameRate: 22 }, 'media_codec?'],
  ['a video', { frameRate: 60 }, { frameRate: 61 }, 'media_codec?'],
  ['a video', { bytes: 25_000_000, durationMs: 2_000 }, { bytes: 25_001_000, durationMs: 2_000 }, 'media_codec?'],
])('%s with %j, and with %j: %s', (kind, within, behind, finding) => {
  const findings = (facts: Facts) => reported(check('', [checked({ ...(kind === 'a video' ? video : {}), ...facts })]))
  expect([findings(within), findings(behind)]).toEqual([[], [`media.0 ${finding}`]])
})

test.each<[string, CheckedMedia[], string[]]>([
  ['20 items of both kinds', Array.from({ length: 20 }, (_, n) => checked(n % 2 === 0 ? {} : video)), []],
  ['21 items', Array(21).fill(checked({})), ['media media_count']],
  ['1000 characters of alternative text', [checked({}, { altText: '🥖'.repeat(1000) })], []],
  ['1001 on a video', [checked(video, { altText: 'ü'.repeat(1001) })], ['media.0.altText field_too_long']],
  ['tags', [checked({}, { tags: [{ text: 'baker', x: 0, y: 0 }] })], ['media.0.tags field_invalid?']],
  ['what is for other networks', [checked({}, { title: 'A', description: 'B', link: 'https://c.example' })], []],
])('media: %s', (_, media, expected) => {
  expect(reported(check('Bread', media))).toEqual(expected)
})
