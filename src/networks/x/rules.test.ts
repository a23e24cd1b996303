import { describe, expect, test } from 'vitest'
import type { MediaFacts } from '#contract'
import { checked, told } from '../kit/testing.ts'
import type { CheckedMedia, PostToCheck } from '../network.ts'
import { checkPost } from './rules.ts'

const large: Partial<MediaFacts> = { bytes: 30_000_000, width: 8_000, height: 100 }
const atLimits: Partial<MediaFacts> = {
  type: 'VIDEO',
  bytes: 512_000_000,
  width: 1280,
  height: 720,
  durationMs: 140_000,
  frameRate: 60,
}
const turning: Partial<MediaFacts> = {
  mimeType: 'image/gif',
  bytes: 15_000_000,
  width: 1280,
  height: 1080,
  animated: true,
}
const image = (more: Partial<MediaFacts> = {}) => checked({ ...large, ...more })
const video = (more: Partial<MediaFacts> = {}) => checked({ ...atLimits, ...more })
const gif = (more: Partial<MediaFacts> = {}) => checked({ ...turning, ...more })
const post = (caption: string, ...media: CheckedMedia[]): PostToCheck => ({
  accountType: 'TWITTER',
  caption,
  fields: {},
  media,
})

const link = `https://example.com/${'a'.repeat(200)}`

describe('captions', () => {
  test.each<[string, string, string[]]>([
    ['280 characters', 'a'.repeat(280), []],
    ['281 characters', 'a'.repeat(281), ['caption caption_too_long']],
    ['140 characters that count double', '麵'.repeat(140), []],
    ['one letter more', `${'麵'.repeat(140)}a`, ['caption caption_too_long']],
    ['a link and 256 letters', `${link} ${'a'.repeat(256)}`, []],
    ['a link and 257 letters', `${link} ${'a'.repeat(257)}`, ['caption caption_too_long']],
    ['140 emojis', '👨‍👩‍👧‍👦'.repeat(140), []],
    ['141 emojis', '👨‍👩‍👧‍👦'.repeat(141), ['caption caption_too_long']],
    ['one cashtag', '$ABC at 5$', []],
    ['two cashtags', '$ABC $DEF', ['caption field_invalid']],
    ['nothing', '', ['caption caption_required']],
    ['white space', ' \n', ['caption caption_required']],
    ['a byte order mark', 'a\ufeff', ['caption field_invalid']],
    ['many hashtags and mentions', '#a @b '.repeat(40), []],
  ])('%s', (_, caption, findings) => {
    expect(told(checkPost(post(caption), {}))).toEqual(findings)
  })

  test('numbers and advice', () => {
    expect(checkPost(post('a'.repeat(300)), {})).toMatchObject([
      { limit: 280, actual: 300, message: expect.stringMatching(/Shorten it by 20\..*"X Premium"/) },
    ])
  })

  test.each<[string, string, unknown, string[]]>([
    ['25,000 characters with Premium', 'a'.repeat(25_000), true, []],
    ['25,001 characters with Premium', 'a'.repeat(25_001), true, ['caption caption_too_long']],
    ['281 characters without', 'a'.repeat(281), false, ['caption caption_too_long']],
    ['281 characters with a value that is none', 'a'.repeat(281), 'yes', ['caption caption_too_long']],
  ])('%s', (_, caption, longPosts, findings) => {
    expect(told(checkPost(post(caption), { longPosts }))).toEqual(findings)
  })
})

describe('media', () => {
  const webp = image({ mimeType: 'image/webp', animated: true })
  test.each<[string, CheckedMedia[], string[]]>([
    ['four images of any size', [image(), image(), image(), image({ mimeType: 'image/png' })], []],
    ['five images', [image(), image(), image(), image(), image()], ['media media_count']],
    ['a GIF', [gif()], []],
    ['two GIFs', [gif(), gif()], ['media media_count']],
    ['a GIF that does not move, beside an image', [gif({ animated: false }), image()], []],
    ['two videos', [video(), video()], ['media media_count']],
    ['a video and an image', [video(), image()], ['media media_mix']],
    ['a GIF and an image', [gif(), image()], ['media media_mix']],
    ['a GIF and a video', [gif(), video()], ['media media_mix']],
    ['an animation that is no GIF', [webp], ['media.0 media_type?']],
    ['a TIFF', [image({ mimeType: 'image/tiff' })], ['media.0 media_type']],
    ['a GIF of 15,000,001 bytes', [gif({ bytes: 15_000_001 })], ['media.0 media_size']],
    ['a GIF of 1281 pixels in width', [gif({ width: 1281 })], ['media.0 media_dimensions']],
    ['a GIF of 1081 pixels in height', [gif({ height: 1081 })], ['media.0 media_dimensions']],
    ['a video at the limits', [video()], []],
    ['a video of 512,000,001 bytes', [video({ bytes: 512_000_001 })], ['media.0 media_size']],
    ['140.1 seconds', [video({ durationMs: 140_100 })], ['media.0 media_duration']],
    ['half a second', [video({ durationMs: 500 })], []],
    ['0.4 seconds', [video({ durationMs: 400 })], ['media.0 media_duration']],
    ['1280x1024', [video({ height: 1024 })], []],
    ['1080x1920', [video({ width: 1080, height: 1920 })], ['media.0 media_dimensions?']],
    ['1200x1200', [video({ width: 1200, height: 1200 })], ['media.0 media_dimensions?']],
    ['1921x1080', [video({ width: 1921, height: 1080 })], ['media.0 media_dimensions']],
    ['32x32', [video({ width: 32, height: 32 })], []],
    ['31x32', [video({ width: 31, height: 32 })], ['media.0 media_dimensions']],
    ['3:1', [video({ width: 1200, height: 400 })], []],
    ['3.1:1', [video({ width: 1240, height: 400 })], ['media.0 media_ratio']],
    ['1:3', [video({ width: 300, height: 900 })], []],
    ['1:3.1', [video({ width: 300, height: 930 })], ['media.0 media_ratio']],
    ['61 frames per second', [video({ frameRate: 61 })], ['media.0 media_codec?']],
    ['MOV without sound', [video({ mimeType: 'video/quicktime', audioCodec: null })], []],
    ['WebM', [video({ mimeType: 'video/webm', videoCodec: 'vp9' })], ['media.0 media_codec']],
    ['HEVC', [video({ videoCodec: 'hevc' })], ['media.0 media_codec']],
    ['Opus', [video({ audioCodec: 'opus' })], ['media.0 media_codec']],
  ])('%s', (_, media, findings) => {
    expect(told(checkPost(post('', ...media), {}))).toEqual(findings)
  })
})

describe('videos of an account with Premium', () => {
  test.each<[string, CheckedMedia, string[], string[]]>([
    ['140 seconds', video({ durationMs: 140_000 }), [], []],
    ['141 seconds', video({ durationMs: 141_000 }), [], ['media.0 media_duration']],
    ['4 hours', video({ durationMs: 14_400_000 }), [], ['media.0 media_duration']],
    ['4 hours and a second', video({ durationMs: 14_401_000 }), ['media.0 media_duration'], ['media.0 media_duration']],
    ['1 GB', video({ bytes: 1_000_000_000 }), [], ['media.0 media_size']],
    ['1080x1920', video({ width: 1080, height: 1920 }), [], ['media.0 media_dimensions?']],
  ])('%s', (_, media, premium, others) => {
    expect(told(checkPost(post('', media), { longPosts: true }))).toEqual(premium)
    const findings = checkPost(post('', media), {})
    expect(told(findings)).toEqual(others)
    for (const { code, message } of findings) {
      if (code === 'post:media_dimensions') continue
      expect(message).toContain('If the account has X Premium, sign in again')
    }
  })
})

describe('alternative texts and tags', () => {
  const tags = [{ text: 'ann', x: 0.5, y: 0.5 }]
  test.each<[string, CheckedMedia, string[]]>([
    ['1,000 characters', checked(large, { altText: 'a'.repeat(1000) }), []],
    ['1,001 characters', checked(large, { altText: 'a'.repeat(1001) }), ['media.0.altText field_too_long']],
    ['of a GIF', checked(turning, { altText: 'a'.repeat(1001) }), ['media.0.altText field_too_long']],
    ['of a video', checked(atLimits, { altText: 'A loaf' }), ['media.0.altText field_invalid?']],
    ['of a video, empty', checked(atLimits, { altText: ' ' }), []],
    ['a tag', checked(large, { tags }), ['media.0.tags field_invalid?']],
  ])('%s', (_, media, findings) => {
    expect(told(checkPost(post('', media), {}))).toEqual(findings)
  })
})
