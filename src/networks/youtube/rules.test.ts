import { expect, test } from 'vitest'
import type { MediaFacts } from '#contract'
import { checked, told } from '../kit/testing.ts'
import type { CheckedMedia, PostToCheck } from '../network.ts'
import { checkPost } from './rules.ts'

const video = (facts: Partial<MediaFacts> = {}) => checked({ type: 'VIDEO', ...facts })
const image = (facts: Partial<MediaFacts> = {}) => checked({ width: 1280, height: 720, ...facts })

const post = (caption: string, title = 'Bread', media: CheckedMedia[] = [video()]): PostToCheck => ({
  accountType: 'YOUTUBE',
  caption,
  fields: { title, privacy: 'PUBLIC' },
  media,
})
const titled = (title: string) => post('', title)
const clip = (facts: Partial<MediaFacts>) => post('', 'Bread', [video(facts)])
const with_ = (...media: CheckedMedia[]) => post('', 'Bread', media)
const tags = (count: number) => Array.from({ length: count }, (_, index) => `#tag${index}`).join(' ')

test.each<[string, PostToCheck, string[]]>([
  ['a title of 100', titled('x'.repeat(100)), []],
  ['a title of 101', titled('x'.repeat(101)), ['title field_too_long']],
  ['a title of 50 pairs of code units', titled('🍞'.repeat(50)), []],
  ['a title of 51 pairs of code units', titled('🍞'.repeat(51)), ['title field_too_long']],
  ['a blank title', titled(' \n'), ['title field_required']],
  ['a title with brackets', titled('<3>'), ['title field_invalid']],

  ['5000 bytes', post('x'.repeat(5000)), []],
  ['5001 bytes', post('x'.repeat(5001)), ['caption caption_too_long']],
  ['2500 letters of two bytes', post('ü'.repeat(2500)), []],
  ['2501 letters of two bytes', post('ü'.repeat(2501)), ['caption caption_too_long']],
  ['a caption with >', post('-> here'), ['caption field_invalid']],
  ['60 hashtags', post(tags(60)), []],
  ['61 hashtags', post(tags(61)), ['caption hashtags_count?']],
  ['60 hashtags and one in the title', post(tags(60), '#Bread'), ['caption hashtags_count?']],

  ['no media', with_(), ['media media_required']],
  ['an image alone', with_(image()), ['media media_required']],
  ['a video and its thumbnail', with_(video(), image()), []],
  ['two videos', with_(video(), video()), ['media media_count']],
  ['two thumbnails', with_(video(), image(), image()), ['media media_count']],

  ['256 GiB', clip({ bytes: 256 * 1024 ** 3 }), []],
  ['more than 256 GiB', clip({ bytes: 256 * 1024 ** 3 + 1 }), ['media.0 media_size']],
  ['15 minutes', clip({ durationMs: 900_000 }), []],
  ['more than 15 minutes', clip({ durationMs: 900_001 }), ['media.0 media_duration?']],
  ['12 hours', clip({ durationMs: 43_200_000 }), ['media.0 media_duration?']],
  ['more than 12 hours', clip({ durationMs: 43_200_001 }), ['media.0 media_duration']],

  ['a large PNG', with_(video(), image({ mimeType: 'image/png', bytes: 40_000_000, width: 9000, height: 5000 })), []],
  ['a thumbnail 640 wide', with_(video(), image({ width: 640, height: 360 })), []],
  ['a thumbnail 639 wide', with_(video(), image({ width: 639, height: 360 })), ['media.1 media_dimensions?']],
  ['an animation', with_(video(), image({ mimeType: 'image/gif', animated: true })), ['media.1 media_type?']],
  ['tags', with_({ ...video(), tags: [{ text: 'baker', x: 0.5, y: 0.5 }] }), ['media.0.tags field_invalid?']],
])('%s', (_, given, expected) => {
  expect(told(checkPost(given))).toEqual(expected)
})
