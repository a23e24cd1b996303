import { expect, test } from 'vitest'
import type { MediaFacts } from '#contract'
import { checked, told } from '../kit/testing.ts'
import type { CheckedMedia, PostToCheck } from '../network.ts'
import { checkPost } from './rules.ts'

/* At, below and above each limit. What is refused in which words is in conformance.test.ts. */

const codes = (post: Partial<PostToCheck>, visibility: unknown = 'PUBLIC') =>
  told(checkPost({ accountType: 'LINKEDIN_PAGE', caption: '', fields: {}, media: [], ...post }, { visibility }))
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
  ['LINKEDIN_PAGE', 'LOGGED_IN', true],
  ['LINKEDIN_PAGE', 'CONNECTIONS', false],
  ['LINKEDIN_PERSONAL', 'CONNECTIONS', true],
  ['LINKEDIN_PERSONAL', 'LOGGED_IN', false],
  ['LINKEDIN_PERSONAL', 7, false],
] as const)('%s seen by %s: %s', (accountType, visibility, fits) => {
  expect(codes({ accountType, caption: 'a' }, visibility)).toEqual(fits ? [] : ['accountType field_invalid'])
})

test('who can see it is asked for elsewhere', () => {
  expect(checkPost({ accountType: 'LINKEDIN_PAGE', caption: 'a', fields: {}, media: [] }, {})).toEqual([])
})

const moves = { mimeType: 'image/gif', animated: true }
test.each<[Partial<MediaFacts>, string[]]>([
  [{ bytes: 60_000_000, width: 20_000, height: 20_000 }, []],
  [{ mimeType: 'image/png' }, []],
  [{ mimeType: 'image/webp' }, []],
  [{ mimeType: 'image/tiff' }, ['media.0 media_type']],
  [{ ...moves, bytes: 5_000_000 }, []],
  [{ ...moves, bytes: 5_000_001 }, ['media.0 media_type?']],
  [{ ...moves, width: 7000, height: 6000 }, ['media.0 media_type?']],
  [{ ...moves, mimeType: 'image/webp' }, ['media.0 media_type?']],
])('an image of %j', (facts, expected) => expect(withMedia(checked(facts))).toEqual(expected))

test.each<[Partial<MediaFacts>, string]>([
  [{ mimeType: 'video/quicktime' }, ''],
  [{ mimeType: 'video/quicktime', audioCodec: 'pcm-s16' }, 'media_codec'],
  [{ mimeType: 'video/webm' }, 'media_codec'],
  [{ bytes: 76_799 }, 'media_size'],
  [{ bytes: 76_800 }, ''],
  [{ bytes: 500_000_000 }, ''],
  [{ bytes: 500_000_001 }, 'media_size'],
  [{ durationMs: 2_900 }, 'media_duration'],
  [{ durationMs: 3_000 }, ''],
  [{ durationMs: 1_800_000 }, ''],
  [{ durationMs: 1_800_100 }, 'media_duration'],
  [{ width: 1000, height: 2400 }, ''],
  [{ width: 1000, height: 2500 }, 'media_ratio'],
  [{ width: 2400, height: 1000 }, ''],
  [{ width: 2500, height: 1000 }, 'media_ratio'],
])('a video of %j: %s', (facts, code) => {
  expect(withMedia(checked({ type: 'VIDEO', ...facts }))).toEqual(code === '' ? [] : [`media.0 ${code}`])
})

test.each<[MediaFacts['type'], 'altText' | 'title', number, boolean]>([
  ['IMAGE', 'altText', 4086, true],
  ['IMAGE', 'altText', 4087, false],
  ['VIDEO', 'title', 400, true],
  ['VIDEO', 'title', 401, false],
  // It is not sent.
  ['VIDEO', 'altText', 5000, true],
])('%s with %s of %i: %s', (type, field, length, fits) => {
  const item = checked({ type }, { [field]: 'a'.repeat(length) })
  expect(withMedia(item)).toEqual(fits ? [] : [`media.0.${field} field_too_long`])
})
