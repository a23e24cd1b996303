import { expect, test } from 'vitest'
import type { MediaFacts } from '#contract'
import { checked, reported } from '../kit/testing.ts'
import type { CheckedMedia } from '../network.ts'
import { forms, limits } from './manifest.ts'
import { checkPost } from './rules.ts'

const image = checked({})
const video = (facts: Partial<MediaFacts> = {}) => checked({ type: 'VIDEO', ...facts })
const wide = { width: 1920, height: 1080 }
const card = (more: Partial<CheckedMedia> = {}, facts: Partial<MediaFacts> = {}) =>
  checked(facts, { link: 'https://a.example', ...more })

/** What is found in a post, in short; each finding says network, what is wrong and what to do. */
function found(type: string, media: CheckedMedia[], { caption, ...fields }: Record<string, unknown> = {}): string[] {
  const text = String(caption ?? (type === 'STORY' ? '' : 'Bread'))
  const findings = checkPost({ accountType: 'FACEBOOK', caption: text, media, fields: { type, ...fields } })
  for (const { message } of findings) expect(message).toMatch(/^[A-Z].*Facebook.{20,}\.$|^Facebook.{20,}\.$/s)
  return reported(findings)
}

const max = limits.messageLength.value
const richCaption = [{ text: 'Mill', mention: { id: '123', name: 'Mill' } }]

/** What conformance does not break. */
test.each<[type: string, media: CheckedMedia[], fields: Record<string, unknown>, ...findings: string[]]>([
  ['TEXT', [], { caption: 'x'.repeat(max) }],
  ['TEXT', [], { caption: '👍'.repeat(max / 2 + 1) }, 'caption caption_too_long'],
  ['TEXT', [], { caption: 'Mill', richCaption }],
  ['IMAGE', [image], { caption: '' }],
  ['POLL', [image], {}, 'type field_invalid'],
  ['VIDEO', [video(wide)], { videoCoverImageSeconds: 0 }],
  ['REEL', [video()], { videoCoverImageSeconds: 2 }, 'videoCoverImageSeconds field_invalid?'],
  ['MULTI_IMAGE', Array(11).fill(image), {}, 'media media_count'],
  ['CAROUSEL', Array(5).fill(card()), {}],
  ['CAROUSEL', Array(6).fill(card()), {}, 'media media_count?'],
  ['CAROUSEL', Array(11).fill(card()), {}, 'media media_count', 'media media_count?'],
])('%s of %j with %j', (type, media, fields, ...findings) => {
  expect(found(type, media, fields)).toEqual(findings)
})

test('the first form that takes several pictures goes out without links', () => {
  const several = Object.values(forms).find(({ media: { images } }) => images >= 3)
  expect(several?.type).toBe('MULTI_IMAGE')
  expect(found(several?.type ?? '', Array(3).fill(image))).toEqual([])
})

/** At its edges a file is taken, beyond them it is not. */
test.each<[type: string, fact: keyof MediaFacts, least: number, most: number, code: string, more?: object]>([
  ['REEL', 'durationMs', 3_000, 90_000, 'media_duration'],
  ['STORY', 'durationMs', 3_000, 60_000, 'media_duration'],
  ['VIDEO', 'durationMs', 0, 2_400_000, 'media_duration', wide],
  ['VIDEO', 'bytes', 0, 2e9, 'media_size', wide],
  ['REEL', 'frameRate', 24, 60, 'media_codec?'],
])('a %s: %s from %i to %i', (type, fact, least, most, code, more) => {
  const of = (value: number) => found(type, [video({ ...more, [fact]: value })])
  expect([...of(least), ...of(most)]).toEqual([])
  for (const beyond of [most + 1, ...(least > 0 ? [least - 1] : [])]) expect(of(beyond)).toEqual([`media.0 ${code}`])
})

test.each<[type: string, item: CheckedMedia, ...findings: string[]]>([
  ['REEL', video({ width: 540, height: 960, videoCodec: 'vp9', audioCodec: null })],
  ['REEL', video({ width: 539, height: 959 }), ' media_dimensions', ' media_dimensions'],
  ['REEL', video({ height: 1080 }), ' media_ratio'],
  ['REEL', video({ mimeType: 'video/webm' }), ' media_codec'],
  ['REEL', video({ audioCodec: 'opus' }), ' media_codec'],
  ['VIDEO', video(), ' media_ratio?'],
  ['VIDEO', video({ width: 800, height: 1000 }), ' media_ratio?'],
  ['VIDEO', video({ durationMs: 91_000 })],
  ['CAROUSEL', card({ link: ' ' }), '.link field_required'],
  ['CAROUSEL', card({ link: 'bakery' }), '.link field_invalid'],
  ['CAROUSEL', card({ link: 'ftp://a.example' }), '.link field_invalid'],
  ['CAROUSEL', card({ link: 'https://www.facebook.com/a' }), '.link field_invalid?'],
  ['CAROUSEL', card({ title: 'x'.repeat(35), description: 'x'.repeat(30) })],
  ['CAROUSEL', card({ title: 'x'.repeat(36) }), '.title field_too_long?'],
  ['CAROUSEL', card({ description: 'x'.repeat(31) }), '.description field_too_long?'],
  ['CAROUSEL', card({}, { width: 457 }), ' media_dimensions?'],
  ['IMAGE', card(), '.link field_invalid?'],
  ['IMAGE', checked({}, { tags: [{ x: 0, y: 0, text: 'baker' }] }), '.tags field_invalid?'],
  ['IMAGE', checked({ bytes: 5e7, mimeType: 'image/webp', width: 9000 })],
])('an item of a %s: %j', (type, item, ...findings) => {
  const others = type === 'CAROUSEL' ? [card()] : []
  expect(found(type, [item, ...others])).toEqual(findings.map((each) => `media.0${each}`))
})
