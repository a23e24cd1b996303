import { describe, expect, test } from 'vitest'
import type { MediaFacts, RichCaptionSegment } from '#contract'
import type { CheckedMedia, PostToCheck } from '../network.ts'
import { limits } from './manifest.ts'
import { checkPost } from './rules.ts'

const item = (facts: Partial<MediaFacts>, more: Partial<CheckedMedia> = {}): CheckedMedia => ({
  facts: {
    type: 'IMAGE',
    mimeType: 'image/jpeg',
    bytes: 100_000,
    width: 1200,
    height: 800,
    durationMs: null,
    videoCodec: null,
    audioCodec: null,
    frameRate: null,
    animated: false,
    ...facts,
  },
  altText: null,
  title: null,
  description: null,
  link: null,
  tags: [],
  ...more,
})
const image = (facts: Partial<MediaFacts> = {}, more: Partial<CheckedMedia> = {}) => item(facts, more)
const video = (facts: Partial<MediaFacts> = {}, more: Partial<CheckedMedia> = {}) =>
  item(
    {
      type: 'VIDEO',
      mimeType: 'video/mp4',
      bytes: 5_000_000,
      width: 1280,
      height: 720,
      durationMs: 60_000,
      videoCodec: 'avc',
      audioCodec: 'aac',
      frameRate: 30,
      ...facts,
    },
    more,
  )
const many = (count: number) => Array.from({ length: count }, () => image())

function codes(post: Partial<PostToCheck>, defaults: object = { visibility: 'PUBLIC' }): string[] {
  const whole: PostToCheck = { accountType: 'LINKEDIN_PAGE', caption: '', fields: {}, media: [], ...post }
  return checkPost(whole, { ...defaults }).map(({ code, warning, steps, limit, actual }) => {
    if (limit !== undefined) {
      expect(Object.values(limits).map(({ value }) => value)).toContain(limit)
      expect(actual).toBeTypeOf('number')
    }
    return `${code}${warning ? '?' : ''} ${steps.join('.')}`
  })
}

describe('texts', () => {
  test.each([
    ['', [], ['post:caption_required caption']],
    [' \n', [], ['post:caption_required caption']],
    ['', [image()], []],
    ['a', [], []],
    ['a'.repeat(3000), [], []],
    ['a'.repeat(3001), [], ['post:caption_too_long caption']],
    // Two code units each.
    ['🥖'.repeat(1500), [], []],
    ['🥖'.repeat(1501), [], ['post:caption_too_long caption']],
    // What is escaped counts once.
    ['#_'.repeat(1500), [], []],
    ['half a \ud83e character', [], ['post:field_invalid caption']],
    ['https://example.com', [], []],
  ])('%.20j', (caption, media, expected) => {
    expect(codes({ caption, media })).toEqual(expected)
  })
})

describe('mentions', () => {
  const post = (...richCaption: RichCaptionSegment[]) => ({
    caption: richCaption.map((segment) => (typeof segment === 'string' ? segment : segment.text)).join(''),
    fields: { richCaption },
  })
  const mention = (text: string, id: string, name = text) => post('By ', { text, mention: { id, name } }, '.')

  test.each([
    ['urn:li:organization:1234', []],
    ['1234', []],
    ['urn:li:person:AbC-1_2', []],
    ['urn:li:share:1234', ['post:field_invalid richCaption.1.mention.id']],
    ['corner-bakery', ['post:field_invalid richCaption.1.mention.id']],
    ['https://www.linkedin.com/company/1', ['post:field_invalid richCaption.1.mention.id']],
    ['urn:li:organization:12)', ['post:field_invalid richCaption.1.mention.id']],
    ['', ['post:field_invalid richCaption.1.mention.id']],
  ])('of %j', (id, expected) => {
    expect(codes(mention('Mill', id))).toEqual(expected)
  })

  test('show a text, which should be the name', () => {
    expect(codes(mention('@Mill', '1', 'Mill'))).toEqual([])
    expect(codes(mention('The mill', '1', 'Mill'))).toEqual(['post:field_invalid? richCaption.1.text'])
    expect(codes(mention('@', '1', ''))).toEqual(['post:field_invalid richCaption.1.text'])
  })

  test('are no mentions without one', () => {
    expect(codes(post({ text: 'Bread', mention: null }, { text: ' and rolls' }))).toEqual([])
  })
})

describe('who can see it', () => {
  test.each([
    ['LINKEDIN_PAGE', 'PUBLIC', true],
    ['LINKEDIN_PAGE', 'LOGGED_IN', true],
    ['LINKEDIN_PAGE', 'CONNECTIONS', false],
    ['LINKEDIN_PERSONAL', 'PUBLIC', true],
    ['LINKEDIN_PERSONAL', 'CONNECTIONS', true],
    ['LINKEDIN_PERSONAL', 'LOGGED_IN', false],
    ['LINKEDIN_PERSONAL', 7, false],
    // Told elsewhere.
    ['LINKEDIN_PERSONAL', undefined, true],
  ] as const)('%s: %s', (accountType, visibility, fits) => {
    const expected = fits ? [] : ['post:field_invalid accountType']
    expect(codes({ accountType, caption: 'a' }, { visibility })).toEqual(expected)
  })
})

describe('media', () => {
  test.each<[string, CheckedMedia[], string[]]>([
    ['20 images', many(20), []],
    ['21 images', many(21), ['post:media_count media']],
    ['a video', [video()], []],
    ['two videos', [video(), video()], ['post:media_count media']],
    ['both', [image(), video()], ['post:media_mix media']],

    ['an image of any size', [image({ bytes: 60_000_000, width: 20_000, height: 20_000 })], []],
    ['PNG', [image({ mimeType: 'image/png' })], []],
    ['WebP, which becomes JPEG', [image({ mimeType: 'image/webp' })], []],
    ['TIFF', [image({ mimeType: 'image/tiff' })], ['post:media_type media.0']],
    ['a GIF that moves', [image({ mimeType: 'image/gif', animated: true })], []],
    [
      'a GIF that is too large to move',
      [image({ mimeType: 'image/gif', animated: true, bytes: 5_000_001 })],
      ['post:media_type? media.0'],
    ],
    [
      'a GIF with too many pixels to move',
      [image({ mimeType: 'image/gif', animated: true, width: 7000, height: 6000 })],
      ['post:media_type? media.0'],
    ],
    ['a WebP that moves', [image({ mimeType: 'image/webp', animated: true })], ['post:media_type? media.0']],
    ['an alternative text of 4,086', [image({}, { altText: 'a'.repeat(4086) })], []],
    [
      'an alternative text of 4,087',
      [image(), image({}, { altText: 'a'.repeat(4087) })],
      ['post:field_too_long media.1.altText'],
    ],

    ['QuickTime', [video({ mimeType: 'video/quicktime' })], []],
    [
      'QuickTime with other sound',
      [video({ mimeType: 'video/quicktime', audioCodec: 'pcm-s16' })],
      ['post:media_codec media.0'],
    ],
    ['WebM', [video({ mimeType: 'video/webm' })], ['post:media_codec media.0']],
    ['76,799 bytes', [video({ bytes: 76_799 })], ['post:media_size media.0']],
    ['76,800 bytes', [video({ bytes: 76_800 })], []],
    ['500 MB', [video({ bytes: 500_000_000 })], []],
    ['more than 500 MB', [video({ bytes: 500_000_001 })], ['post:media_size media.0']],
    ['2.9 s', [video({ durationMs: 2_900 })], ['post:media_duration media.0']],
    ['3 s', [video({ durationMs: 3_000 })], []],
    ['30 min', [video({ durationMs: 1_800_000 })], []],
    ['more than 30 min', [video({ durationMs: 1_800_100 })], ['post:media_duration media.0']],
    ['1:2.4', [video({ width: 1000, height: 2400 })], []],
    ['narrower than 1:2.4', [video({ width: 1000, height: 2500 })], ['post:media_ratio media.0']],
    ['2.4:1', [video({ width: 2400, height: 1000 })], []],
    ['wider than 2.4:1', [video({ width: 2500, height: 1000 })], ['post:media_ratio media.0']],
    ['a title of 400', [video({}, { title: 'a'.repeat(400) })], []],
    ['a title of 401', [video({}, { title: 'a'.repeat(401) })], ['post:field_too_long media.0.title']],
    ['an alternative text of a video, which is not sent', [video({}, { altText: 'a'.repeat(5000) })], []],
  ])('%s', (_, media, expected) => {
    expect(codes({ caption: 'Bread', media })).toEqual(expected)
  })
})
