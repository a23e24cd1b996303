import { expect, test } from 'vitest'
import type { MediaFacts } from '#contract'
import { checked, reported } from '../kit/testing.ts'
import type { CheckedMedia, PostToCheck } from '../network.ts'
import { checkPost } from './rules.ts'

/* At, below and above each limit. What is refused in which words is in conformance.test.ts. */

const codes = (post: Partial<PostToCheck>) =>
  reported(checkPost({ accountType: 'LINKEDIN_PAGE', caption: '', fields: {}, media: [], ...post }))
const withMedia = (...media: CheckedMedia[]) => codes({ caption: 'Bread', media })

test.each([
  ['a'.repeat(3000), []],
  // Two code units each.
  ['🥖'.repeat(1500), []],
  ['🥖'.repeat(1501), ['caption caption_too_long']],
  // What is escaped counts once.
  ['#_'.repeat(1500), []],
  ['half a \ud83e character', ['caption field_invalid']],
])('the text %.20j', (caption, expected) => expect(codes({ caption })).toEqual(expected))

const noId = ['richCaption.1.mention.id field_invalid']
test.each([
  ['Mill', 'urn:li:organization:1234', 'Mill', []],
  ['Mill', 'urn:li:share:1234', 'Mill', noId],
  ['Mill', 'https://www.linkedin.com/company/1', 'Mill', noId],
  ['@Mill', '1', 'Mill', []],
  ['The mill', '1', 'Mill', ['richCaption.1.text field_invalid?']],
  ['@', '1', '', ['richCaption.1.text field_invalid']],
])('a mention %j of %j, who is %j', (text, id, name, expected) => {
  const richCaption = ['By ', { text, mention: { id, name } }, { text: '.', mention: null }]
  expect(codes({ caption: `By ${text}.`, fields: { richCaption } })).toEqual(expected)
})

const gif = { mimeType: 'image/gif', animated: true }
const video = { type: 'VIDEO' } as const
const mov = { ...video, mimeType: 'video/quicktime' }
test.each<[string, Partial<MediaFacts>, Partial<MediaFacts>]>([
  ['media_type', { bytes: 60_000_000, width: 20_000, height: 20_000 }, { mimeType: 'image/tiff' }],
  ['media_type?', { mimeType: 'image/webp' }, { mimeType: 'image/webp', animated: true }],
  ['media_type?', { ...gif, bytes: 5_000_000 }, { ...gif, bytes: 5_000_001 }],
  ['media_type?', { ...gif, width: 8_000, height: 4_519 }, { ...gif, width: 8_000, height: 4_520 }],
  ['media_codec', mov, { ...mov, audioCodec: 'pcm-s16' }],
  ['media_codec', { ...video, mimeType: 'video/mp4' }, { ...video, mimeType: 'video/webm' }],
  ['media_size', { ...video, bytes: 76_800 }, { ...video, bytes: 76_799 }],
  ['media_size', { ...video, bytes: 500_000_000 }, { ...video, bytes: 500_000_001 }],
  ['media_duration', { ...video, durationMs: 3_000 }, { ...video, durationMs: 2_900 }],
  ['media_duration', { ...video, durationMs: 1_800_000 }, { ...video, durationMs: 1_800_100 }],
  ['media_ratio', { ...video, width: 1000, height: 2400 }, { ...video, width: 1000, height: 2500 }],
  ['media_ratio', { ...video, width: 2400, height: 1000 }, { ...video, width: 2500, height: 1000 }],
])('%s: an item may have %j, and not %j', (code, fits, other) => {
  expect(withMedia(checked(fits))).toEqual([])
  expect(withMedia(checked(other))).toEqual([`media.0 ${code}`])
})

test.each([
  ['IMAGE', 'altText', 4086],
  ['VIDEO', 'title', 400],
] as const)('%s has %s of at most %i', (type, field, most) => {
  const words = (length: number) => withMedia(checked({ type }, { [field]: 'a'.repeat(length) }))
  expect(words(most)).toEqual([])
  expect(words(most + 1)).toEqual([`media.0.${field} field_too_long`])
})
