import { describe, expect, test } from 'vitest'
import type { MediaFacts, MediaTag } from '#contract'
import { checked, told as toldOf } from '../kit/testing.ts'
import type { CheckedMedia, PostToCheck } from '../network.ts'
import { limits } from './manifest.ts'
import { checkPost } from './rules.ts'

const image = (facts: Partial<MediaFacts> = {}, more: Partial<CheckedMedia> = {}) => checked(facts, more)
const video = (facts: Partial<MediaFacts> = {}, more: Partial<CheckedMedia> = {}) =>
  checked({ type: 'VIDEO', ...facts }, more)
const tag = (text: string): MediaTag => ({ text, x: 0.5, y: 0.5 })
const times = (count: number, make: (index: number) => string) =>
  Array.from({ length: count }, (_, i) => make(i)).join(' ')

function post(type: string, media: CheckedMedia[], more: { caption?: string; fields?: object } = {}): PostToCheck {
  const fields = { type, collaborators: [], ...more.fields }
  return { accountType: 'INSTAGRAM', caption: more.caption ?? 'Bread', fields, media }
}
const told = (given: PostToCheck) => toldOf(checkPost(given))

const onImage = (fields: object) => post('IMAGE', [image()], { fields })
const onReel = (fields: object) => post('REEL', [video()], { fields })
const onStory = (fields: object) => post('STORY', [image()], { caption: '', fields })
const captioned = (caption: string) => post('IMAGE', [image()], { caption })
const reel = (facts: Partial<MediaFacts>) => post('REEL', [video(facts)])
const story = (facts: Partial<MediaFacts>) => post('STORY', [video(facts)], { caption: '' })
const picture = (facts: Partial<MediaFacts>) => post('IMAGE', [image(facts)])
const tagged = (count: number) =>
  post('IMAGE', [image({}, { tags: Array.from({ length: count }, (_, index) => tag(`user${index}`)) })])

describe('each limit at, within and behind its edge', () => {
  test.each<[string, PostToCheck, string[]]>([
    ['2200 characters', captioned('x'.repeat(2200)), []],
    ['2201 characters', captioned('x'.repeat(2201)), ['caption caption_too_long']],
    ['1100 pairs of code units', captioned('🍞'.repeat(1100)), []],
    ['1101 pairs of code units', captioned('🍞'.repeat(1101)), ['caption caption_too_long']],
    ['no caption', captioned(''), []],

    ['5 hashtags', captioned(times(5, (i) => `#tag${i}`)), []],
    ['6 hashtags', captioned(times(6, (i) => `#tag${i}`)), ['caption hashtags_count?']],
    ['30 hashtags', captioned(times(30, (i) => `#日本${i}`)), ['caption hashtags_count?']],
    ['31 hashtags', captioned(times(31, (i) => `#tag${i}`)), ['caption hashtags_count']],
    ['signs that are no hashtags', captioned(`${'# '.repeat(40)}`), []],
    ['3 mentions', captioned(times(3, (i) => `@user${i}`)), []],
    ['4 mentions', captioned(times(4, (i) => `@user${i}`)), ['caption mentions_count?']],
    ['20 mentions', captioned(times(20, (i) => `@user${i}`)), ['caption mentions_count?']],
    ['21 mentions', captioned(times(21, (i) => `@user${i}`)), ['caption mentions_count']],
    ['mail addresses', captioned(times(30, (i) => `me${i}@example.com`)), []],

    ['an image without media', post('IMAGE', []), ['media media_required']],
    ['two images', post('IMAGE', [image(), image()]), ['media media_count']],
    ['a video as image', post('IMAGE', [video()]), ['media.0 media_type']],
    ['an image as reel', post('REEL', [image()]), ['media.0 media_type']],
    ['two reels', post('REEL', [video(), video()]), ['media media_count']],
    ['an image as story', onStory({}), []],
    ['two stories', post('STORY', [image(), video()], { caption: '' }), ['media media_count']],
    ['a carousel of 1', post('CAROUSEL', [image()]), ['media media_count']],
    ['a carousel of 2', post('CAROUSEL', [image(), image()]), []],
    ['a carousel of 10', post('CAROUSEL', Array(10).fill(image())), []],
    ['a carousel of 11', post('CAROUSEL', Array(11).fill(image())), ['media media_count']],
    ['images and videos of one shape', post('CAROUSEL', [image(), video({ height: 1080 })]), []],
    ['images and videos of two shapes', post('CAROUSEL', [image(), video()]), ['media media_ratio?']],

    ['a large PNG', picture({ mimeType: 'image/png', bytes: 50_000_000, width: 8000, height: 8000 }), []],
    ['an image of 4:5', picture({ width: 1080, height: 1350 }), []],
    ['an image of 3:4', picture({ width: 900, height: 1200 }), ['media.0 media_ratio?']],
    ['an image narrower than 3:4', picture({ width: 880, height: 1200 }), ['media.0 media_ratio']],
    ['an image of 1.91:1', picture({ width: 1910, height: 1000 }), []],
    ['an image of 1200x628', picture({ width: 1200, height: 628 }), []],
    ['an image of 2:1', picture({ width: 2000, height: 1000 }), ['media.0 media_ratio']],
    ['a story image of any ratio', post('STORY', [image({ width: 1000, height: 100 })], { caption: '' }), []],
    ['an image 320 wide', picture({ width: 320, height: 320 }), []],
    ['an image 319 wide', picture({ width: 319, height: 319 }), ['media.0 media_dimensions?']],
    ['an animation', picture({ mimeType: 'image/gif', animated: true }), ['media.0 media_type?']],

    ['an alternative text of 1000', post('IMAGE', [image({}, { altText: '🍞'.repeat(1000) })]), []],
    [
      'an alternative text of 1001',
      post('IMAGE', [image({}, { altText: 'x'.repeat(1001) })]),
      ['media.0.altText field_too_long'],
    ],
    [
      'an alternative text of 1001 on a story',
      post('STORY', [image({}, { altText: 'x'.repeat(1001) })], { caption: '' }),
      [],
    ],

    ['a reel of 300 MB', reel({ bytes: 300_000_000, durationMs: 600_000 }), []],
    ['a reel of more', reel({ bytes: 300_000_001, durationMs: 600_000 }), ['media.0 media_size']],
    ['a reel of 3 s', reel({ durationMs: 3_000, bytes: 1_000_000 }), []],
    ['a reel of less', reel({ durationMs: 2_999, bytes: 1_000_000 }), ['media.0 media_duration']],
    ['a reel of 15 min', reel({ durationMs: 900_000 }), []],
    ['a reel of more than 15 min', reel({ durationMs: 900_001 }), ['media.0 media_duration']],
    ['a reel of unknown length', reel({ durationMs: null }), []],
    ['a reel of 10:1', reel({ width: 1900, height: 190 }), []],
    ['a reel of more than 10:1', reel({ width: 1900, height: 189 }), ['media.0 media_ratio']],
    ['a reel of 0.01:1', reel({ width: 10, height: 1000 }), []],
    ['a reel of less than 0.01:1', reel({ width: 10, height: 1020 }), ['media.0 media_ratio']],
    ['a video 1920 wide', reel({ width: 1920, height: 1080 }), []],
    ['a video 1921 wide', reel({ width: 1921, height: 1080 }), ['media.0 media_dimensions']],
    ['23 frames per second', reel({ frameRate: 23 }), []],
    ['22.9 frames per second', reel({ frameRate: 22.9 }), ['media.0 media_codec?']],
    ['60 frames per second', reel({ frameRate: 60 }), []],
    ['61 frames per second', reel({ frameRate: 61 }), ['media.0 media_codec?']],
    ['25 megabits per second', reel({ bytes: 93_750_000 }), []],
    ['26 megabits per second', reel({ bytes: 97_500_000 }), ['media.0 media_codec?']],
    ['HEVC in QuickTime', reel({ mimeType: 'video/quicktime', videoCodec: 'hevc' }), []],
    ['a silent video', reel({ audioCodec: null }), []],
    ['WebM', reel({ mimeType: 'video/webm', videoCodec: 'vp9', audioCodec: 'opus' }), ['media.0 media_codec']],
    ['VP9 in MP4', reel({ videoCodec: 'vp9' }), ['media.0 media_codec']],
    ['Opus in MP4', reel({ audioCodec: 'opus' }), ['media.0 media_codec']],

    ['a story of 100 MB', story({ bytes: 100_000_000, durationMs: 60_000 }), []],
    ['a story of more', story({ bytes: 100_000_001, durationMs: 60_000 }), ['media.0 media_size']],
    ['a story of 60 s', story({ durationMs: 60_000 }), []],
    ['a story of more than 60 s', story({ durationMs: 60_001 }), ['media.0 media_duration']],
    ['a story of less than 3 s', story({ durationMs: 2_999, bytes: 1_000_000 }), ['media.0 media_duration']],
    ['a story of 0.1:1', story({ width: 100, height: 1000 }), []],
    ['a story of less than 0.1:1', story({ width: 100, height: 1020 }), ['media.0 media_ratio']],
    ['a story in VP9', story({ videoCodec: 'vp9' }), ['media.0 media_codec']],

    ['60 s in a carousel', post('CAROUSEL', [video({ durationMs: 60_000 }), video()]), []],
    ['61 s in a carousel', post('CAROUSEL', [video({ durationMs: 61_000 }), video()]), ['media.0 media_duration?']],
    [
      '2 s in a carousel',
      post('CAROUSEL', [video(), video({ durationMs: 2_000, bytes: 1 })]),
      ['media.1 media_duration'],
    ],

    ['3 collaborators', onImage({ collaborators: ['a', 'b', 'c'] }), []],
    ['4 collaborators', onImage({ collaborators: ['a', 'b', 'c', 'd'] }), ['collaborators field_invalid']],
    ['3 collaborators and one of them twice', onReel({ collaborators: ['a', 'b', 'c', '@a'] }), []],
    ['a collaborator that is none', onReel({ collaborators: ['a', 'b c'] }), ['collaborators.1 field_invalid']],
    ['collaborators on a story', onStory({ collaborators: ['a'] }), ['collaborators field_invalid']],

    ['20 tags', tagged(20), []],
    ['21 tags', tagged(21), ['media.0.tags field_invalid']],
    ['a tag with @', post('IMAGE', [image({}, { tags: [tag('@user.name_1')] })]), []],
    [
      'a tag that is none',
      post('REEL', [video({}, { tags: [tag('a'), tag('ä')] })]),
      ['media.0.tags.1.text field_invalid'],
    ],
    ['a handle of 30', post('IMAGE', [image({}, { tags: [tag('x'.repeat(30))] })]), []],
    [
      'a handle of 31',
      post('IMAGE', [image({}, { tags: [tag('x'.repeat(31))] })]),
      ['media.0.tags.0.text field_invalid'],
    ],

    ['a first comment', onImage({ firstComment: 'x'.repeat(2200) }), []],
    ['a long first comment', onImage({ firstComment: 'x'.repeat(2201) }), ['firstComment field_too_long?']],
    ['a first comment on a story', onStory({ firstComment: 'x' }), ['firstComment field_invalid']],
    ['an empty first comment on a story', onStory({ firstComment: ' ' }), []],

    ['a named sound on a reel', onReel({ audioName: 'Oven' }), []],
    ['a named sound on an image', onImage({ audioName: 'Oven' }), ['audioName field_invalid']],
    ['a track on a reel', onReel({ audio: '258421' }), []],
    ['a track on a reel of an account with a Page', { ...onReel({ audio: '258421' }), signIn: null }, []],
    [
      'a track on a reel without a Page',
      { ...onReel({ audio: '258421' }), signIn: 'instagram' },
      ['audio field_invalid'],
    ],
    ['a named sound without a Page', { ...onReel({ audioName: 'Oven' }), signIn: 'instagram' }, []],
    ['a track without its id', onReel({ audio: 'Bread song' }), ['audio field_invalid']],
    ['a track on an image', onImage({ audio: '258421' }), ['audio field_invalid']],

    ['a cover at the start', onReel({ videoCoverImage: 0 }), []],
    ['a cover at the last millisecond', onReel({ videoCoverImage: 29.999 }), []],
    ['a cover at the end', onReel({ videoCoverImage: 30 }), ['videoCoverImage field_invalid']],
    ['a cover without a video', onImage({ videoCoverImage: 1 }), ['videoCoverImage field_invalid?']],
    ['a cover of nothing at 0', onImage({ videoCoverImage: 0 }), []],
    [
      'a cover of a story',
      post('STORY', [video()], { caption: '', fields: { videoCoverImage: 1 } }),
      ['videoCoverImage field_invalid?'],
    ],
    [
      'a cover of the first video of a carousel',
      post('CAROUSEL', [image(), video({ durationMs: 5_000, bytes: 1, height: 1080 }), video({ height: 1080 })], {
        fields: { videoCoverImage: 5 },
      }),
      ['videoCoverImage field_invalid'],
    ],

    ['a caption on a story', post('STORY', [image()], { caption: `${'x'.repeat(3000)}` }), ['caption field_invalid?']],
    ['a type of another network', post('TEXT', []), ['type field_invalid']],
  ])('%s', (_, given, expected) => {
    expect(told(given)).toEqual(expected)
  })
})

test('all that is wrong is told at once', () => {
  const media = [image({ width: 100, height: 1000 }, { tags: [tag('ö')], altText: 'x'.repeat(1001) })]
  const fields = { collaborators: ['ä'], audioName: 'Oven' }
  expect(told(post('IMAGE', media, { caption: `${'x'.repeat(2201)} ${'#a '.repeat(31)}`, fields }))).toEqual([
    'caption caption_too_long',
    'caption hashtags_count',
    'collaborators.0 field_invalid',
    'audioName field_invalid',
    'media.0 media_ratio',
    'media.0 media_dimensions?',
    'media.0.altText field_too_long',
    'media.0.tags.0.text field_invalid',
  ])
})

test('numbers are told with what was found', () => {
  expect(checkPost(captioned('x'.repeat(2300)))).toEqual([
    {
      code: 'post:caption_too_long',
      steps: ['caption'],
      limit: limits.captionLength.value,
      actual: 2300,
      message: 'Instagram takes captions of at most 2200 characters; this one has 2300. Shorten it by 100.',
    },
  ])
  expect(checkPost(reel({ durationMs: 1_200_000 }))).toMatchObject([{ limit: 900, actual: 1200 }])
  expect(checkPost(reel({ durationMs: 1_000, bytes: 1 }))).toMatchObject([{ limit: 3, actual: 1 }])
  expect(checkPost(picture({ width: 2000, height: 1000 }))).toMatchObject([{ limit: 1.91, actual: 2 }])
  expect(checkPost(tagged(25))).toMatchObject([{ limit: 20, actual: 25 }])
})
