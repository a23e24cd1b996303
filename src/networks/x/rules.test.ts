import { describe, expect, test } from 'vitest'
import type { MediaFacts } from '#contract'
import type { CheckedMedia, Finding, PostToCheck } from '../network.ts'
import { checkPost } from './rules.ts'

const imageFacts: MediaFacts = {
  type: 'IMAGE',
  mimeType: 'image/jpeg',
  bytes: 30_000_000,
  width: 8_000,
  height: 100,
  durationMs: null,
  videoCodec: null,
  audioCodec: null,
  frameRate: null,
  animated: false,
}
const videoFacts: MediaFacts = {
  type: 'VIDEO',
  mimeType: 'video/mp4',
  bytes: 512_000_000,
  width: 1280,
  height: 720,
  durationMs: 140_000,
  videoCodec: 'avc',
  audioCodec: 'aac',
  frameRate: 60,
  animated: false,
}
const gifFacts: MediaFacts = {
  ...imageFacts,
  mimeType: 'image/gif',
  bytes: 15_000_000,
  width: 1280,
  height: 1080,
  animated: true,
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
const image = (more: Partial<MediaFacts> = {}) => item({ ...imageFacts, ...more })
const video = (more: Partial<MediaFacts> = {}) => item({ ...videoFacts, ...more })
const gif = (more: Partial<MediaFacts> = {}) => item({ ...gifFacts, ...more })
const post = (caption: string, ...media: CheckedMedia[]): PostToCheck => ({
  accountType: 'TWITTER',
  caption,
  fields: {},
  media,
})
const told = (findings: Finding[]) =>
  findings.map(({ code, warning, steps }) => `${code}${warning ? '?' : ''} ${steps.join('.')}`)

const link = `https://example.com/${'a'.repeat(200)}`

describe('captions', () => {
  test.each<[string, string, string[]]>([
    ['280 characters', 'a'.repeat(280), []],
    ['281 characters', 'a'.repeat(281), ['post:caption_too_long caption']],
    ['140 characters that count double', '麵'.repeat(140), []],
    ['one letter more', `${'麵'.repeat(140)}a`, ['post:caption_too_long caption']],
    ['a link and 256 letters', `${link} ${'a'.repeat(256)}`, []],
    ['a link and 257 letters', `${link} ${'a'.repeat(257)}`, ['post:caption_too_long caption']],
    ['140 emojis', '👨‍👩‍👧‍👦'.repeat(140), []],
    ['141 emojis', '👨‍👩‍👧‍👦'.repeat(141), ['post:caption_too_long caption']],
    ['one cashtag', '$ABC at 5$', []],
    ['two cashtags', '$ABC $DEF', ['post:field_invalid caption']],
    ['nothing', '', ['post:caption_required caption']],
    ['white space', ' \n', ['post:caption_required caption']],
    ['a byte order mark', 'a\ufeff', ['post:field_invalid caption']],
    ['many hashtags and mentions', '#a @b '.repeat(40), []],
  ])('%s', (_, caption, findings) => {
    expect(told(checkPost(post(caption), {}))).toEqual(findings)
  })

  test('numbers and advice', () => {
    expect(checkPost(post('a'.repeat(300)), {})).toMatchObject([
      { limit: 280, actual: 300, message: expect.stringMatching(/Shorten it by 20\..*"Long posts"/) },
    ])
  })

  test.each<[string, string, unknown, string[]]>([
    ['25,000 characters with Premium', 'a'.repeat(25_000), true, []],
    ['25,001 characters with Premium', 'a'.repeat(25_001), true, ['post:caption_too_long caption']],
    ['281 characters without', 'a'.repeat(281), false, ['post:caption_too_long caption']],
    ['281 characters with a value that is none', 'a'.repeat(281), 'yes', ['post:caption_too_long caption']],
  ])('%s', (_, caption, longPosts, findings) => {
    expect(told(checkPost(post(caption), { longPosts }))).toEqual(findings)
  })
})

describe('media', () => {
  const webp = image({ mimeType: 'image/webp', animated: true })
  test.each<[string, CheckedMedia[], string[]]>([
    ['four images of any size', [image(), image(), image(), image({ mimeType: 'image/png' })], []],
    ['five images', [image(), image(), image(), image(), image()], ['post:media_count media']],
    ['a GIF', [gif()], []],
    ['two GIFs', [gif(), gif()], ['post:media_count media']],
    ['a GIF that does not move, beside an image', [gif({ animated: false }), image()], []],
    ['two videos', [video(), video()], ['post:media_count media']],
    ['a video and an image', [video(), image()], ['post:media_mix media']],
    ['a GIF and an image', [gif(), image()], ['post:media_mix media']],
    ['a GIF and a video', [gif(), video()], ['post:media_mix media']],
    ['an animation that is no GIF', [webp], ['post:media_type? media.0']],
    ['a TIFF', [image({ mimeType: 'image/tiff' })], ['post:media_type media.0']],
    ['a GIF of 15,000,001 bytes', [gif({ bytes: 15_000_001 })], ['post:media_size media.0']],
    ['a GIF of 1281 pixels in width', [gif({ width: 1281 })], ['post:media_dimensions media.0']],
    ['a GIF of 1081 pixels in height', [gif({ height: 1081 })], ['post:media_dimensions media.0']],
    ['a video at the limits', [video()], []],
    ['a video of 512,000,001 bytes', [video({ bytes: 512_000_001 })], ['post:media_size media.0']],
    ['140.1 seconds', [video({ durationMs: 140_100 })], ['post:media_duration media.0']],
    ['half a second', [video({ durationMs: 500 })], []],
    ['0.4 seconds', [video({ durationMs: 400 })], ['post:media_duration media.0']],
    ['1280x1024', [video({ height: 1024 })], []],
    ['1080x1920', [video({ width: 1080, height: 1920 })], ['post:media_dimensions? media.0']],
    ['1200x1200', [video({ width: 1200, height: 1200 })], ['post:media_dimensions? media.0']],
    ['1921x1080', [video({ width: 1921, height: 1080 })], ['post:media_dimensions media.0']],
    ['32x32', [video({ width: 32, height: 32 })], []],
    ['31x32', [video({ width: 31, height: 32 })], ['post:media_dimensions media.0']],
    ['3:1', [video({ width: 1200, height: 400 })], []],
    ['3.1:1', [video({ width: 1240, height: 400 })], ['post:media_ratio media.0']],
    ['1:3', [video({ width: 300, height: 900 })], []],
    ['1:3.1', [video({ width: 300, height: 930 })], ['post:media_ratio media.0']],
    ['61 frames per second', [video({ frameRate: 61 })], ['post:media_codec? media.0']],
    ['MOV without sound', [video({ mimeType: 'video/quicktime', audioCodec: null })], []],
    ['WebM', [video({ mimeType: 'video/webm', videoCodec: 'vp9' })], ['post:media_codec media.0']],
    ['HEVC', [video({ videoCodec: 'hevc' })], ['post:media_codec media.0']],
    ['Opus', [video({ audioCodec: 'opus' })], ['post:media_codec media.0']],
  ])('%s', (_, media, findings) => {
    expect(told(checkPost(post('', ...media), {}))).toEqual(findings)
  })
})

describe('alternative texts and tags', () => {
  const tags = [{ text: 'ann', x: 0.5, y: 0.5 }]
  test.each<[string, CheckedMedia, string[]]>([
    ['1,000 characters', item(imageFacts, { altText: 'a'.repeat(1000) }), []],
    ['1,001 characters', item(imageFacts, { altText: 'a'.repeat(1001) }), ['post:field_too_long media.0.altText']],
    ['of a GIF', item(gifFacts, { altText: 'a'.repeat(1001) }), ['post:field_too_long media.0.altText']],
    ['of a video', item(videoFacts, { altText: 'A loaf' }), ['post:field_invalid? media.0.altText']],
    ['of a video, empty', item(videoFacts, { altText: ' ' }), []],
    ['a tag', item(imageFacts, { tags }), ['post:field_invalid? media.0.tags']],
  ])('%s', (_, media, findings) => {
    expect(told(checkPost(post('', media), {}))).toEqual(findings)
  })
})
