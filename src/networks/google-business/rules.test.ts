import { expect, test } from 'vitest'
import type { MediaFacts } from '#contract'
import { expectWords } from '../conformance/network-data.ts'
import { checked, reported as reportedOf } from '../kit/testing.ts'
import type { CheckedMedia, PostToCheck } from '../network.ts'
import { manifest } from './manifest.ts'
import { phoneNumberIn } from './phone-numbers.ts'
import { checkPost } from './rules.ts'

const image = (facts: Partial<MediaFacts> = {}, more: Partial<CheckedMedia> = {}) => checked(facts, more)
const video = checked({ type: 'VIDEO' })

function post(caption: string, fields: object = {}, media: CheckedMedia[] = []): PostToCheck {
  return { accountType: 'GMB', caption, fields: { ctaType: 'NONE', ...fields }, media }
}
const crop = { x: 0, y: 0, width: 0.5, height: 0.5 }
const withPhoto = (...media: CheckedMedia[]) => post('Bread', {}, media)
const button = (ctaType: string, ctaUrl?: string | null) => post('Bread', { ctaType, ctaUrl })
function reported(given: PostToCheck): string[] {
  const findings = checkPost(given)
  for (const finding of findings) expectWords(manifest, finding)
  return reportedOf(findings)
}

test.each<[string, string, string[]]>([
  ['none', '', ['caption caption_required']],
  ['1500 characters', 'x'.repeat(1500), []],
  ['1501 characters', 'x'.repeat(1501), ['caption caption_too_long']],
  ['751 breads', '🍞'.repeat(751), ['caption caption_too_long']],
  ['half a character', 'Bread \ud83c', ['caption field_invalid']],
  ['hashtags, mentions and addresses, which are text like any other', '#a @b https://example.com', []],
  ['a phone number', 'Call us: +49 30 1234567', ['caption field_invalid?']],
])('a caption: %s', (_, caption, expected) => expect(reported(post(caption))).toEqual(expected))

test.each<[string, string | null]>([
  ['+49 30 1234567', '+49 30 1234567'],
  ['call (555) 123-4567 now', '(555) 123-4567'],
  ['555-123-4567', '555-123-4567'],
  ['5551234567', '5551234567'],
  ['030/12345678', '030/12345678'],
  ['from 2026-11-21 on', null],
  ['21.11.2026 - 24.12.2026', null],
  ['from 10.00-18.00, and 08:00 - 18:00', null],
  ['1.000.000 breads, 1 000 000 visitors', null],
  ['EAN 4006381333931', null],
  ['https://example.com/555-123-4567', null],
  ['order #5551234567', null],
])('the phone number in "%s"', (text, found) => expect(phoneNumberIn(text)).toBe(found))

const url = 'https://example.com/menu?a=1#b'
test.each<[string, PostToCheck, string[]]>([
  ['none, with an empty address', button('NONE', ' '), []],
  ['none, with an address', button('NONE', url), ['ctaUrl field_invalid?']],
  ['a call', button('CALL'), []],
  ['a call with an address', button('CALL', url), ['ctaUrl field_invalid?']],
  ...['SIGN_UP', 'SHOP', 'LEARN_MORE', 'ORDER', 'BOOK'].flatMap((type): [string, PostToCheck, string[]][] => [
    [`${type} with an address`, button(type, url), []],
    [`${type} with a blank one`, button(type, '  '), ['ctaUrl field_required']],
  ]),
  ['white space around', button('SHOP', ' https://example.com '), []],
  ['without a scheme', button('SHOP', 'example.com'), ['ctaUrl field_invalid']],
  ['a user name', button('SHOP', 'https://kim:secret@example.com'), ['ctaUrl field_invalid']],
  ['white space within', button('SHOP', 'https://example.com/a b'), ['ctaUrl field_invalid']],
  ['a host of one word', button('SHOP', 'https://example'), ['ctaUrl field_invalid']],
  ['a type that is none', button('GET_OFFER', url), ['ctaType field_invalid']],
])('%s', (_, given, expected) => expect(reported(given)).toEqual(expected))

test.each<[string, PostToCheck, string[]]>([
  ['two photos', withPhoto(image(), image()), ['media media_count']],
  ['a video', withPhoto(video), ['media.0 media_type']],
  ['a photo and a video', withPhoto(image(), video), ['media media_count', 'media.1 media_type']],
  ['a file of 10,239 bytes', withPhoto(image({ bytes: 10_239 })), ['media.0 media_size']],
  ['a part of a photo, of a guess', withPhoto(image({ bytes: 10_239 }, { crop })), ['media.0 media_size?']],
  ['a large WebP, which is fitted', withPhoto(image({ mimeType: 'image/webp', bytes: 40_000_000 })), []],
  ['400x300 and 10,240 bytes', withPhoto(image({ width: 400, height: 300, bytes: 10_240 })), []],
  ['399 wide', withPhoto(image({ width: 399 })), ['media.0 media_dimensions?']],
  ['299 high', withPhoto(image({ height: 299 })), ['media.0 media_dimensions?']],
  ['249 wide', withPhoto(image({ width: 249 })), ['media.0 media_dimensions']],
  ['249 high', withPhoto(image({ height: 249 })), ['media.0 media_dimensions']],
  ['motion', withPhoto(image({ mimeType: 'image/gif', animated: true })), ['media.0 media_type?']],
  ['an alternative text', withPhoto(image({}, { altText: 'A loaf' })), ['media.0 field_invalid?']],
])('%s', (_, given, expected) => expect(reported(given)).toEqual(expected))
