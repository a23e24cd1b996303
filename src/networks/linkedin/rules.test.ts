import { expect, test } from 'vitest'
import type { MediaFacts } from '#contract'
import { checked, told } from '../kit/testing.ts'
import type { CheckedMedia, Defaults, PostToCheck } from '../network.ts'
import { checkPost } from './rules.ts'

/* At, below and above each limit. What is refused in which words is in conformance.test.ts. */

const codes = (post: Partial<PostToCheck>, defaults: Defaults = { visibility: 'PUBLIC' }) =>
  told(checkPost({ accountType: 'LINKEDIN_PAGE', caption: '', fields: {}, media: [], ...post }, defaults))
const withMedia = (...media: CheckedMedia[]) => codes({ caption: 'Bread', media })

test.each([
  ['a', []],
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
  ['Mill', '1234', 'Mill', []],
  ['Mill', 'urn:li:person:AbC-1_2', 'Mill', []],
  ['Mill', 'urn:li:share:1234', 'Mill', noId],
  ['Mill', 'corner-bakery', 'Mill', noId],
  ['Mill', 'https://www.linkedin.com/company/1', 'Mill', noId],
  ['Mill', 'urn:li:organization:12)', 'Mill', noId],
  ['Mill', '', 'Mill', noId],
  ['@Mill', '1', 'Mill', []],
  ['The mill', '1', 'Mill', ['richCaption.1.text field_invalid?']],
  ['@', '1', '', ['richCaption.1.text field_invalid']],
])('a mention %j of %j, who is %j', (text, id, name, expected) => {
  const richCaption = ['By ', { text, mention: { id, name } }, { text: '.', mention: null }]
  expect(codes({ caption: `By ${text}.`, fields: { richCaption } })).toEqual(expected)
})

test.each([
  ['LINKEDIN_PAGE', 'LOGGED_IN', 'CONNECTIONS'],
  ['LINKEDIN_PERSONAL', 'CONNECTIONS', 'LOGGED_IN'],
  // That it is missing is said elsewhere.
  ['LINKEDIN_PERSONAL', undefined, 7],
] as const)('%s may be seen by %s, and not by %s', (accountType, fits, other) => {
  expect(codes({ accountType, caption: 'a' }, { visibility: fits })).toEqual([])
  expect(codes({ accountType, caption: 'a' }, { visibility: other })).toEqual(['accountType field_invalid'])
})

const gif = { mimeType: 'image/gif', animated: true }
test.each<[Partial<MediaFacts>, Partial<MediaFacts>, string]>([
  [{ bytes: 60_000_000, width: 20_000, height: 20_000 }, { mimeType: 'image/tiff' }, 'media_type'],
  [{ mimeType: 'image/webp' }, { mimeType: 'image/webp', animated: true }, 'media_type?'],
  [{ ...gif, bytes: 5_000_000 }, { ...gif, bytes: 5_000_001 }, 'media_type?'],
  [{ ...gif, width: 8_000, height: 4_519 }, { ...gif, width: 8_000, height: 4_520 }, 'media_type?'],
])('an image may have %j, and not %j', (fits, other, code) => {
  expect(withMedia(checked(fits))).toEqual([])
  expect(withMedia(checked(other))).toEqual([`media.0 ${code}`])
})

const mov = { mimeType: 'video/quicktime' }
test.each<[Partial<MediaFacts>, Partial<MediaFacts>, string]>([
  [mov, { ...mov, audioCodec: 'pcm-s16' }, 'media_codec'],
  [{ mimeType: 'video/mp4' }, { mimeType: 'video/webm' }, 'media_codec'],
  [{ bytes: 76_800 }, { bytes: 76_799 }, 'media_size'],
  [{ bytes: 500_000_000 }, { bytes: 500_000_001 }, 'media_size'],
  [{ durationMs: 3_000 }, { durationMs: 2_900 }, 'media_duration'],
  [{ durationMs: 1_800_000 }, { durationMs: 1_800_100 }, 'media_duration'],
  [{ width: 1000, height: 2400 }, { width: 1000, height: 2500 }, 'media_ratio'],
  [{ width: 2400, height: 1000 }, { width: 2500, height: 1000 }, 'media_ratio'],
])('a video may have %j, and not %j', (fits, other, code) => {
  expect(withMedia(checked({ type: 'VIDEO', ...fits }))).toEqual([])
  expect(withMedia(checked({ type: 'VIDEO', ...other }))).toEqual([`media.0 ${code}`])
})

test.each([
  ['IMAGE', 'altText', 4086],
  ['VIDEO', 'title', 400],
] as const)('%s has %s of at most %i', (type, field, most) => {
  const words = (length: number) => withMedia(checked({ type }, { [field]: 'a'.repeat(length) }))
  expect(words(most)).toEqual([])
  expect(words(most + 1)).toEqual([`media.0.${field} field_too_long`])
})

test('alternative texts of videos, which are not sent, have any length', () => {
  expect(withMedia(checked({ type: 'VIDEO' }, { altText: 'a'.repeat(5000) }))).toEqual([])
})
