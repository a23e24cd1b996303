import { describe, expect, test } from 'vitest'
import type { MediaFacts } from '#contract'
import { checked } from '../kit/testing.ts'
import type { CheckedMedia, PostToCheck } from '../network.ts'
import { limits } from './manifest.ts'
import { checkPost } from './rules.ts'

const image = (more: Partial<MediaFacts> = {}) => more
const video = (more: Partial<MediaFacts> = {}) => image({ type: 'VIDEO', ...more })
const wide = (more: Partial<MediaFacts> = {}) => video({ width: 1920, height: 1080, ...more })
const item = checked
const card = (more: Partial<CheckedMedia> = {}, facts = image()) => item(facts, { link: 'https://a.example', ...more })
const times = <T>(count: number, make: () => T): T[] => Array.from({ length: count }, make)

const post = (
  type: string,
  media: CheckedMedia[],
  more: Partial<PostToCheck> = {},
  fields: object = {},
): PostToCheck => ({
  accountType: 'FACEBOOK',
  caption: 'Bread',
  media,
  ...more,
  fields: { type, richCaption: [], videoCoverImageSeconds: null, ...fields },
})

/** Codes with a `?` for warnings, and the numbers. */
const found = (given: PostToCheck) =>
  checkPost(given).map(({ code, warning, limit, actual, steps }) =>
    [`${code.replace('post:', '')}${warning ? '?' : ''}`, steps.join('.'), limit, actual]
      .filter((each) => each !== undefined)
      .join(' '),
  )

describe('captions', () => {
  const max = limits.messageLength.value
  test.each<[string, PostToCheck, string[]]>([
    ['at the limit', post('TEXT', [], { caption: 'x'.repeat(max) }), []],
    ['above', post('TEXT', [], { caption: 'x'.repeat(max + 1) }), [`caption_too_long caption ${max} ${max + 1}`]],
    [
      'of two units a sign',
      post('TEXT', [], { caption: '👍'.repeat(max / 2 + 1) }),
      [`caption_too_long caption ${max} ${max + 2}`],
    ],
    ['none on a text', post('TEXT', [], { caption: ' \n' }), ['caption_required caption']],
    ['none on an image', post('IMAGE', [item(image())], { caption: '' }), []],
    ['any on a story', post('STORY', [item(image())]), ['field_invalid? caption']],
    [
      'of a story are not measured',
      post('STORY', [item(image())], { caption: 'x'.repeat(max + 1) }),
      ['field_invalid? caption'],
    ],
  ])('%s', (_, given, findings) => {
    expect(found(given)).toEqual(findings)
  })
})

test('an unknown type is the only finding', () => {
  expect(found(post('POLL', [item(wide(), { link: 'x' })]))).toEqual(['field_invalid type'])
})

describe('mentions', () => {
  const mention = (id: string) => ({ richCaption: ['Hi ', { text: 'Mill', mention: { id, name: 'Mill' } }] })
  test.each<[string, string, string[]]>([
    ['a number', '123', []],
    ['a name', 'mill', ['field_invalid? richCaption.1.mention.id']],
  ])('by %s', (_, id, findings) => {
    expect(found(post('TEXT', [], { caption: 'Hi Mill' }, mention(id)))).toEqual(findings)
  })
})

describe('media by type', () => {
  test.each<[string, CheckedMedia[], string[]]>([
    ['TEXT', [], []],
    ['TEXT', [item(image())], ['media_count media 0 1']],
    ['IMAGE', [], ['media_required media 1 0']],
    ['IMAGE', [item(image())], []],
    ['IMAGE', times(2, () => item(image())), ['media_count media 1 2']],
    ['IMAGE', [item(wide())], ['media_type media.0']],
    ['VIDEO', [item(wide())], []],
    ['VIDEO', [item(image())], ['media_type media.0']],
    ['VIDEO', times(2, () => item(wide())), ['media_count media 1 2']],
    ['MULTI_IMAGE', [item(image())], ['media_count media 2 1']],
    ['MULTI_IMAGE', times(2, () => item(image())), []],
    ['MULTI_IMAGE', times(10, () => item(image())), []],
    ['MULTI_IMAGE', times(11, () => item(image())), ['media_count media 10 11']],
    ['MULTI_IMAGE', [item(image()), item(wide())], ['media_type media.1']],
    ['CAROUSEL', [card()], ['media_count media 2 1']],
    ['CAROUSEL', times(2, () => card()), []],
    ['CAROUSEL', times(5, () => card()), []],
    ['CAROUSEL', times(6, () => card()), ['media_count? media']],
    ['CAROUSEL', times(10, () => card()), ['media_count? media']],
    ['CAROUSEL', times(11, () => card()), ['media_count media 10 11', 'media_count? media']],
    ['CAROUSEL', [card(), card({}, wide())], ['media_type media.1']],
    ['REEL', [item(video())], []],
    ['REEL', [item(image())], ['media_type media.0']],
    ['STORY', [item(video())], ['field_invalid? caption']],
    ['STORY', [item(video()), item(image())], ['field_invalid? caption', 'media_count media 1 2']],
  ])('%s of %j', (type, media, findings) => {
    expect(found(post(type, media)).filter((each) => !each.startsWith('media_dimensions'))).toEqual(findings)
  })
})

describe('videos', () => {
  const story = { caption: '' }
  test.each<[string, PostToCheck, string[]]>([
    ['a reel of 3 s', post('REEL', [item(video({ durationMs: 3_000 }))]), []],
    ['a reel of 2.9 s', post('REEL', [item(video({ durationMs: 2_900 }))]), ['media_duration media.0 3 2.9']],
    ['a reel of 90 s', post('REEL', [item(video({ durationMs: 90_000 }))]), []],
    ['a reel of 91 s', post('REEL', [item(video({ durationMs: 91_000 }))]), ['media_duration media.0 90 91']],
    ['a reel of 540x960', post('REEL', [item(video({ width: 540, height: 960 }))]), []],
    [
      'a reel of 360x640',
      post('REEL', [item(video({ width: 360, height: 640 }))]),
      ['media_dimensions media.0 540 360', 'media_dimensions media.0 960 640'],
    ],
    ['a square reel', post('REEL', [item(video({ width: 1080, height: 1080 }))]), ['media_ratio media.0 0.5625 1']],
    ['a reel of 23 frames', post('REEL', [item(video({ frameRate: 23 }))]), ['media_codec? media.0 24 23']],
    ['a reel of 61 frames', post('REEL', [item(video({ frameRate: 61 }))]), ['media_codec? media.0 60 61']],
    ['a reel of VP9', post('REEL', [item(video({ videoCodec: 'vp9' }))]), []],
    ['a reel of WebM', post('REEL', [item(video({ mimeType: 'video/webm' }))]), ['media_codec media.0']],
    ['a reel with Opus', post('REEL', [item(video({ audioCodec: 'opus' }))]), ['media_codec media.0']],
    ['a reel without sound', post('REEL', [item(video({ audioCodec: null }))]), []],
    ['a story of 60 s', post('STORY', [item(video({ durationMs: 60_000 }))], story), []],
    ['a story of 61 s', post('STORY', [item(video({ durationMs: 61_000 }))], story), ['media_duration media.0 60 61']],
    ['a video of 40 min', post('VIDEO', [item(wide({ durationMs: 2_400_000 }))]), []],
    ['a video of more', post('VIDEO', [item(wide({ durationMs: 2_401_000 }))]), ['media_duration media.0 2400 2401']],
    ['a video of 2 GB', post('VIDEO', [item(wide({ bytes: 2e9 }))]), []],
    ['a video above', post('VIDEO', [item(wide({ bytes: 2e9 + 1 }))]), ['media_size media.0 2000000000 2000000001']],
    ['a video of one second', post('VIDEO', [item(wide({ durationMs: 1_000 }))]), []],
    ['an upright video that is a reel', post('VIDEO', [item(video())]), ['media_ratio? media.0']],
    [
      'an upright video that is none',
      post('VIDEO', [item(video({ width: 800, height: 1000 }))]),
      ['media_ratio? media.0'],
    ],
    ['an upright video of 91 s', post('VIDEO', [item(video({ durationMs: 91_000 }))]), []],
  ])('%s', (_, given, findings) => {
    expect(found(given)).toEqual(findings)
  })
})

describe('covers', () => {
  test.each<[string, PostToCheck, string[]]>([
    ['at the beginning', post('REEL', [item(video())], {}, { videoCoverImageSeconds: 0 }), []],
    [
      'of a reel',
      post('REEL', [item(video())], {}, { videoCoverImageSeconds: 2 }),
      ['field_invalid? videoCoverImageSeconds'],
    ],
    ['of a text', post('TEXT', [], {}, { videoCoverImageSeconds: 2 }), ['field_invalid? videoCoverImageSeconds']],
  ])('%s', (_, given, findings) => {
    expect(found(given)).toEqual(findings)
  })
})

describe('items', () => {
  const two = (first: CheckedMedia) => post('CAROUSEL', [first, card()])
  test.each<[string, PostToCheck, string[]]>([
    ['a card without a link', two(card({ link: null })), ['field_required media.0.link']],
    ['a card with an empty link', two(card({ link: ' ' })), ['field_required media.0.link']],
    ['a card with no address', two(card({ link: 'bakery' })), ['field_invalid media.0.link']],
    ['a card with another scheme', two(card({ link: 'ftp://a.example' })), ['field_invalid media.0.link']],
    [
      'a card that leads to the network',
      two(card({ link: 'https://www.facebook.com/a' })),
      ['field_invalid? media.0.link'],
    ],
    ['a title of 35', two(card({ title: 'x'.repeat(35) })), []],
    ['a title of 36', two(card({ title: 'x'.repeat(36) })), ['field_too_long? media.0.title 35 36']],
    ['a description of 31', two(card({ description: 'x'.repeat(31) })), ['field_too_long? media.0.description 30 31']],
    ['a small picture', two(card({}, image({ width: 457 }))), ['media_dimensions? media.0 458 457']],
    ['a link on an image', post('IMAGE', [card()]), ['field_invalid? media.0.link']],
    ['an animated image', post('IMAGE', [item(image({ animated: true }))]), ['media_type? media.0']],
    [
      'a tag',
      post('IMAGE', [item(image(), { tags: [{ x: 0, y: 0, text: 'baker' }] })]),
      ['field_invalid? media.0.tags'],
    ],
    ['any size of an image', post('IMAGE', [item(image({ bytes: 5e7, mimeType: 'image/webp', width: 9000 }))]), []],
  ])('%s', (_, given, findings) => {
    expect(found(given)).toEqual(findings)
  })
})

test('every finding says network, what is wrong and what to do', () => {
  const posts = [
    post('POLL', []),
    post('TEXT', [item(image())], { caption: '' }, { videoCoverImageSeconds: 1 }),
    post('STORY', [item(wide({ mimeType: 'video/webm' }))]),
    post('CAROUSEL', [card({ link: null, tags: [{ x: 0, y: 0, text: 'a' }] }), item(wide())]),
  ]
  for (const { message } of posts.flatMap(checkPost)) {
    expect(message).toMatch(/^[A-Z].{20,}\.$/s)
    expect(message).toContain('Facebook')
  }
})
