import { expect, test } from 'vitest'
import type { MediaFacts } from '#contract'
import { checked, reported } from '../kit/testing.ts'
import type { CheckedMedia } from '../network.ts'
import { limits } from './manifest.ts'
import { checkPost } from './rules.ts'

const image = checked({})
const upright = checked({ type: 'VIDEO' })
const wide = checked({ type: 'VIDEO', width: 1920, height: 1080 })
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
const mention = (id: string) => ({ caption: 'Mill', richCaption: [{ text: 'Mill', mention: { id, name: 'Mill' } }] })
const ITEMS: Record<string, CheckedMedia> = { i: image, c: card(), w: wide, u: upright }

/** Items by their letters: images, cards, wide videos, upright ones. */
test.each<[type: string, items: string, fields: Record<string, unknown>, ...findings: string[]]>([
  ['TEXT', '', { caption: 'x'.repeat(max) }],
  ['TEXT', '', { caption: 'x'.repeat(max + 1) }, 'caption caption_too_long'],
  ['TEXT', '', { caption: '👍'.repeat(max / 2 + 1) }, 'caption caption_too_long'],
  ['TEXT', '', { caption: ' \n' }, 'caption caption_required'],
  ['IMAGE', 'i', { caption: '' }],
  ['STORY', 'i', { caption: 'x'.repeat(max + 1) }, 'caption field_invalid?'],
  ['TEXT', '', mention('123')],
  ['TEXT', '', mention('mill'), 'richCaption.0.mention.id field_invalid?'],
  ['REEL', 'u', { videoCoverImageSeconds: 0 }],
  ['REEL', 'u', { videoCoverImageSeconds: 2 }, 'videoCoverImageSeconds field_invalid?'],
  ['POLL', 'w', {}, 'type field_invalid'],
  ['TEXT', 'i', {}, 'media media_count'],
  ['IMAGE', 'ii', {}, 'media media_count'],
  ['VIDEO', 'w', {}],
  ['VIDEO', 'u', {}, 'media.0 media_ratio?'],
  ['MULTI_IMAGE', 'i', {}, 'media media_count'],
  ['MULTI_IMAGE', 'i'.repeat(10), {}],
  ['MULTI_IMAGE', 'i'.repeat(11), {}, 'media media_count'],
  ['CAROUSEL', 'c', {}, 'media media_count'],
  ['CAROUSEL', 'c'.repeat(5), {}],
  ['CAROUSEL', 'c'.repeat(6), {}, 'media media_count?'],
  ['CAROUSEL', 'c'.repeat(11), {}, 'media media_count', 'media media_count?'],
  ['REEL', 'i', {}, 'media.0 media_type'],
  ['STORY', 'ui', {}, 'media media_count'],
])('%s of %s with %j', (type, letters, fields, ...findings) => {
  const media = [...letters].map((letter) => ITEMS[letter] ?? image)
  expect(found(type, media, fields)).toEqual(findings)
})

/** At its edges a file is taken, beyond them it is not. */
test.each<[type: string, item: CheckedMedia, fact: keyof MediaFacts, least: number, most: number, code: string]>([
  ['REEL', upright, 'durationMs', 3_000, 90_000, 'media_duration'],
  ['STORY', upright, 'durationMs', 3_000, 60_000, 'media_duration'],
  ['VIDEO', wide, 'durationMs', 0, 2_400_000, 'media_duration'],
  ['VIDEO', wide, 'bytes', 0, 2e9, 'media_size'],
  ['REEL', upright, 'frameRate', 24, 60, 'media_codec?'],
])('a %s of %j: %s from %i to %i', (type, item, fact, least, most, code) => {
  const of = (value: number) => found(type, [checked({ ...item.facts, [fact]: value })])
  expect([...of(least), ...of(most)]).toEqual([])
  for (const beyond of [most + 1, ...(least > 0 ? [least - 1] : [])]) expect(of(beyond)).toEqual([`media.0 ${code}`])
})

test.each<[type: string, item: CheckedMedia, ...findings: string[]]>([
  ['REEL', checked({ type: 'VIDEO', width: 540, height: 960, videoCodec: 'vp9', audioCodec: null })],
  ['REEL', checked({ type: 'VIDEO', width: 539, height: 959 }), ' media_dimensions', ' media_dimensions'],
  ['REEL', checked({ type: 'VIDEO', height: 1080 }), ' media_ratio'],
  ['REEL', checked({ type: 'VIDEO', mimeType: 'video/webm' }), ' media_codec'],
  ['REEL', checked({ type: 'VIDEO', audioCodec: 'opus' }), ' media_codec'],
  ['VIDEO', checked({ type: 'VIDEO', width: 800, height: 1000 }), ' media_ratio?'],
  ['VIDEO', checked({ type: 'VIDEO', durationMs: 91_000 })],
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
