import { expect, test } from 'vitest'
import type { MediaFacts } from '#contract'
import { checked, reported } from '../kit/testing.ts'
import type { CheckedMedia } from '../network.ts'
import { checkPost } from './rules.ts'

type Facts = Partial<MediaFacts>
const image = (more: Facts = {}) => checked({ bytes: 30_000_000, width: 8_000, height: 100, ...more })
const gif = (more: Facts = {}) =>
  checked({ mimeType: 'image/gif', animated: true, bytes: 15_000_000, width: 1280, height: 1080, ...more })
const atLimits = { bytes: 512_000_000, width: 1280, height: 720, durationMs: 140_000, frameRate: 60 }
const video = (more: Facts = {}) => checked({ type: 'VIDEO', ...atLimits, ...more })
const sides = (width: number, height: number): Facts => ({ width, height })
const check = (caption: string, media: CheckedMedia[], defaults = {}) =>
  checkPost({ accountType: 'TWITTER', caption, fields: {}, media }, defaults)

const link = `https://example.com/${'a'.repeat(200)}`
const premium = { longPosts: true }
test.each<[string, string, string | null, object?]>([
  ['280 characters', 'a'.repeat(280), null],
  ['140 characters that count double, and a letter', `${'麵'.repeat(140)}a`, 'caption_too_long'],
  ['a link and 256 letters', `${link} ${'a'.repeat(256)}`, null],
  ['a link and 257 letters', `${link} ${'a'.repeat(257)}`, 'caption_too_long'],
  ['one cashtag', '$ABC at 5$', null],
  ['25,000 characters with Premium', 'a'.repeat(25_000), null, premium],
  ['25,001 characters with Premium', 'a'.repeat(25_001), 'caption_too_long', premium],
  ['281 characters with a value that is none', 'a'.repeat(281), 'caption_too_long', { longPosts: 'yes' }],
])('caption: %s', (_, caption, code, defaults) => {
  expect(reported(check(caption, [], defaults))).toEqual(code === null ? [] : [`caption ${code}`])
})

const tags = [{ text: 'ann', x: 0.5, y: 0.5 }]
const altText = 'a'.repeat(1000)
test.each<[string, CheckedMedia[], string?]>([
  ['four images of any size', [image(), image(), image(), image({ mimeType: 'image/png' })]],
  ['five images', Array(5).fill(image()), 'media media_count'],
  ['a GIF that does not move, beside an image', [gif({ animated: false }), image()]],
  ['two GIFs', [gif(), gif()], 'media media_count'],
  ['a GIF and an image', [gif(), image()], 'media media_mix'],
  ['an animation that is no GIF', [image({ mimeType: 'image/webp', animated: true })], 'media.0 media_type?'],
  ['a TIFF', [image({ mimeType: 'image/tiff' })], 'media.0 media_type'],
  ['a MOV without sound', [video({ mimeType: 'video/quicktime', audioCodec: null })]],
  ['WebM', [video({ mimeType: 'video/webm' })], 'media.0 media_codec'],
  ['HEVC', [video({ videoCodec: 'hevc' })], 'media.0 media_codec'],
  ['Opus', [video({ audioCodec: 'opus' })], 'media.0 media_codec'],
  ['alternative text of 1,000 characters', [checked({}, { altText })]],
  ['alternative text of 1,001', [checked({}, { altText: `${altText}a` })], 'media.0.altText field_too_long'],
  ['alternative text of a video', [{ ...video(), altText }], 'media.0.altText field_invalid?'],
  ['a tag', [checked({}, { tags })], 'media.0.tags field_invalid?'],
  ['a tag in a video', [{ ...video(), tags }], 'media.0.tags field_invalid?'],
])('media: %s', (_, media, ...findings) => {
  expect(reported(check('', media))).toEqual(findings)
})

test.each<[string, (more: Facts) => CheckedMedia, Facts, Facts, string]>([
  ['bytes of a GIF', gif, {}, { bytes: 15_000_001 }, 'media_size'],
  ['width of a GIF', gif, {}, { width: 1281 }, 'media_dimensions'],
  ['height of a GIF', gif, {}, { height: 1081 }, 'media_dimensions'],
  ['bytes of a video', video, {}, { bytes: 512_000_001 }, 'media_size'],
  ['seconds', video, {}, { durationMs: 140_100 }, 'media_duration'],
  ['fewest seconds', video, { durationMs: 500 }, { durationMs: 400 }, 'media_duration'],
  ['advised sides', video, { height: 1024 }, { height: 1025 }, 'media_dimensions?'],
  ['advised sides, upright', video, sides(720, 1280), sides(1080, 1920), 'media_dimensions?'],
  ['width', video, {}, sides(1921, 1080), 'media_dimensions'],
  ['height', video, {}, sides(1080, 1921), 'media_dimensions'],
  ['least width', video, sides(32, 32), sides(31, 32), 'media_dimensions'],
  ['least height', video, sides(32, 32), sides(32, 31), 'media_dimensions'],
  ['widest', video, sides(1200, 400), sides(1240, 400), 'media_ratio'],
  ['highest', video, sides(300, 900), sides(300, 930), 'media_ratio'],
  ['frames per second', video, {}, { frameRate: 61 }, 'media_codec?'],
])('media at and behind an edge: %s', (_, item, within, beyond, code) => {
  expect([reported(check('', [item(within)])), reported(check('', [item(beyond)]))]).toEqual([[], [`media.0 ${code}`]])
})

test.each<[string, Facts, string | null, string]>([
  ['4 hours', { durationMs: 14_400_000 }, null, 'media_duration'],
  ['4 hours and a second', { durationMs: 14_401_000 }, 'media_duration', 'media_duration'],
  ['1 GB', { bytes: 1_000_000_000 }, null, 'media_size'],
  ['1080x1920', sides(1080, 1920), null, 'media_dimensions?'],
])('videos of an account with Premium, and of others: %s', (_, facts, code, ofOthers) => {
  expect(reported(check('', [video(facts)], premium))).toEqual(code === null ? [] : [`media.0 ${code}`])
  expect(reported(check('', [video(facts)]))).toEqual([`media.0 ${ofOthers}`])
})

test('what Premium would allow stands with it', () => {
  const message = expect.stringContaining('If the account has X Premium, sign in again')
  expect(check('a'.repeat(300), [video({ durationMs: 141_000, bytes: 1e9 })])).toMatchObject([
    { limit: 280, actual: 300, message },
    { limit: 512_000_000, actual: 1e9, message },
    { limit: 140, actual: 141, message },
  ])
  expect(check('', [gif({ bytes: 2e7 })])[0]?.message).not.toContain('Premium')
})
