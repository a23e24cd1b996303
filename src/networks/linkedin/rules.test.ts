import { describe, expect, test } from 'vitest'
import type { MediaFacts, RichCaptionSegment } from '#contract'
import { checked, told } from '../kit/testing.ts'
import type { CheckedMedia, PostToCheck } from '../network.ts'
import { limits } from './manifest.ts'
import { checkPost } from './rules.ts'

const image = (facts: Partial<MediaFacts> = {}, more: Partial<CheckedMedia> = {}) => checked(facts, more)
const video = (facts: Partial<MediaFacts> = {}, more: Partial<CheckedMedia> = {}) =>
  checked({ type: 'VIDEO', ...facts }, more)
const many = (count: number) => Array.from({ length: count }, () => image())

function codes(post: Partial<PostToCheck>, defaults: object = { visibility: 'PUBLIC' }): string[] {
  const whole: PostToCheck = { accountType: 'LINKEDIN_PAGE', caption: '', fields: {}, media: [], ...post }
  const findings = checkPost(whole, { ...defaults })
  for (const { limit, actual } of findings.filter((each) => each.limit !== undefined)) {
    expect(Object.values(limits).map(({ value }) => value)).toContain(limit)
    expect(actual).toBeTypeOf('number')
  }
  return told(findings)
}

describe('texts', () => {
  test.each([
    ['', [], ['caption caption_required']],
    [' \n', [], ['caption caption_required']],
    ['', [image()], []],
    ['a', [], []],
    ['a'.repeat(3000), [], []],
    ['a'.repeat(3001), [], ['caption caption_too_long']],
    // Two code units each.
    ['🥖'.repeat(1500), [], []],
    ['🥖'.repeat(1501), [], ['caption caption_too_long']],
    // What is escaped counts once.
    ['#_'.repeat(1500), [], []],
    ['half a \ud83e character', [], ['caption field_invalid']],
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
    ['urn:li:share:1234', ['richCaption.1.mention.id field_invalid']],
    ['corner-bakery', ['richCaption.1.mention.id field_invalid']],
    ['https://www.linkedin.com/company/1', ['richCaption.1.mention.id field_invalid']],
    ['urn:li:organization:12)', ['richCaption.1.mention.id field_invalid']],
    ['', ['richCaption.1.mention.id field_invalid']],
  ])('of %j', (id, expected) => {
    expect(codes(mention('Mill', id))).toEqual(expected)
  })

  test('show a text, which should be the name', () => {
    expect(codes(mention('@Mill', '1', 'Mill'))).toEqual([])
    expect(codes(mention('The mill', '1', 'Mill'))).toEqual(['richCaption.1.text field_invalid?'])
    expect(codes(mention('@', '1', ''))).toEqual(['richCaption.1.text field_invalid'])
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
    const expected = fits ? [] : ['accountType field_invalid']
    expect(codes({ accountType, caption: 'a' }, { visibility })).toEqual(expected)
  })
})

describe('media', () => {
  test.each<[string, CheckedMedia[], string[]]>([
    ['20 images', many(20), []],
    ['21 images', many(21), ['media media_count']],
    ['a video', [video()], []],
    ['two videos', [video(), video()], ['media media_count']],
    ['both', [image(), video()], ['media media_mix']],

    ['an image of any size', [image({ bytes: 60_000_000, width: 20_000, height: 20_000 })], []],
    ['PNG', [image({ mimeType: 'image/png' })], []],
    ['WebP, which becomes JPEG', [image({ mimeType: 'image/webp' })], []],
    ['TIFF', [image({ mimeType: 'image/tiff' })], ['media.0 media_type']],
    ['a GIF that moves', [image({ mimeType: 'image/gif', animated: true })], []],
    [
      'a GIF that is too large to move',
      [image({ mimeType: 'image/gif', animated: true, bytes: 5_000_001 })],
      ['media.0 media_type?'],
    ],
    [
      'a GIF with too many pixels to move',
      [image({ mimeType: 'image/gif', animated: true, width: 7000, height: 6000 })],
      ['media.0 media_type?'],
    ],
    ['a WebP that moves', [image({ mimeType: 'image/webp', animated: true })], ['media.0 media_type?']],
    ['an alternative text of 4,086', [image({}, { altText: 'a'.repeat(4086) })], []],
    [
      'an alternative text of 4,087',
      [image(), image({}, { altText: 'a'.repeat(4087) })],
      ['media.1.altText field_too_long'],
    ],

    ['QuickTime', [video({ mimeType: 'video/quicktime' })], []],
    [
      'QuickTime with other sound',
      [video({ mimeType: 'video/quicktime', audioCodec: 'pcm-s16' })],
      ['media.0 media_codec'],
    ],
    ['WebM', [video({ mimeType: 'video/webm' })], ['media.0 media_codec']],
    ['76,799 bytes', [video({ bytes: 76_799 })], ['media.0 media_size']],
    ['76,800 bytes', [video({ bytes: 76_800 })], []],
    ['500 MB', [video({ bytes: 500_000_000 })], []],
    ['more than 500 MB', [video({ bytes: 500_000_001 })], ['media.0 media_size']],
    ['2.9 s', [video({ durationMs: 2_900 })], ['media.0 media_duration']],
    ['3 s', [video({ durationMs: 3_000 })], []],
    ['30 min', [video({ durationMs: 1_800_000 })], []],
    ['more than 30 min', [video({ durationMs: 1_800_100 })], ['media.0 media_duration']],
    ['1:2.4', [video({ width: 1000, height: 2400 })], []],
    ['narrower than 1:2.4', [video({ width: 1000, height: 2500 })], ['media.0 media_ratio']],
    ['2.4:1', [video({ width: 2400, height: 1000 })], []],
    ['wider than 2.4:1', [video({ width: 2500, height: 1000 })], ['media.0 media_ratio']],
    ['a title of 400', [video({}, { title: 'a'.repeat(400) })], []],
    ['a title of 401', [video({}, { title: 'a'.repeat(401) })], ['media.0.title field_too_long']],
    ['an alternative text of a video, which is not sent', [video({}, { altText: 'a'.repeat(5000) })], []],
  ])('%s', (_, media, expected) => {
    expect(codes({ caption: 'Bread', media })).toEqual(expected)
  })
})
