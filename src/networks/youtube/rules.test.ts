import { expect, test } from 'vitest'
import type { MediaFacts } from '#contract'
import { checked, reported } from '../kit/testing.ts'
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
const withMedia = (...media: CheckedMedia[]) => post('', 'Bread', media)
const tags = (count: number) => Array.from({ length: count }, (_, index) => `#tag${index}`).join(' ')

test.each<[string, PostToCheck, string[]]>([
  ['a title of 50 pairs of code units', titled('🍞'.repeat(50)), []],
  ['a title of 51 pairs of code units', titled('🍞'.repeat(51)), ['title field_too_long']],
  ['a blank title', titled(' \n'), ['title field_required']],
  ['a title with brackets', titled('<3>'), ['title field_invalid']],

  ['2500 letters of two bytes', post('ü'.repeat(2500)), []],
  ['2501 letters of two bytes', post('ü'.repeat(2501)), ['caption caption_too_long']],
  ['a caption with >', post('-> here'), ['caption field_invalid']],
  ['60 hashtags', post(tags(60)), []],
  ['60 hashtags and one in the title', post(tags(60), '#Bread'), ['caption hashtags_count?']],

  ['no media', withMedia(), ['media media_required']],
  ['an image alone', withMedia(image()), ['media media_required']],
  ['a video and its thumbnail', withMedia(video(), image()), []],
  ['two videos', withMedia(video(), video()), ['media media_count']],
  ['two thumbnails', withMedia(video(), image(), image()), ['media media_count']],

  ['256 GiB and 15 minutes', withMedia(video({ bytes: 256 * 1024 ** 3, durationMs: 900_000 })), []],
  ['more than 256 GiB', withMedia(video({ bytes: 256 * 1024 ** 3 + 1 })), ['media.0 media_size']],
  ['more than 15 minutes', withMedia(video({ durationMs: 900_001 })), ['media.0 media_duration?']],
  ['12 hours', withMedia(video({ durationMs: 43_200_000 })), ['media.0 media_duration?']],
  ['more than 12 hours', withMedia(video({ durationMs: 43_200_001 })), ['media.0 media_duration']],

  ['a large PNG', withMedia(video(), image({ mimeType: 'image/png', bytes: 4e7, width: 9000, height: 5000 })), []],
  ['a thumbnail 640 wide', withMedia(video(), image({ width: 640 })), []],
  ['a thumbnail 639 wide', withMedia(video(), image({ width: 639 })), ['media.1 media_dimensions?']],
  ['an animation', withMedia(video(), image({ mimeType: 'image/gif', animated: true })), ['media.1 media_type?']],
  ['tags', withMedia({ ...video(), tags: [{ text: 'baker', x: 0.5, y: 0.5 }] }), ['media.0.tags field_invalid?']],
])('%s', (_, given, expected) => expect(reported(checkPost(given))).toEqual(expected))
