import { expect, test } from 'vitest'
import type { CheckedMedia, Limit } from '../network.ts'
import { formOf } from './limits.ts'
import { checkCaption, checkForm, checkItem, type ItemRules } from './rules.ts'
import { checked, reported } from './testing.ts'

const limit = (value: number): Limit => ({ value, unit: 'units', source: 'https://a.example', read: '2026-11-21' })
const image = checked({})
const video = checked({ type: 'VIDEO' })

const [one, four] = [limit(1), limit(4)]
const either = formOf(null, four, { images: four, videos: one })
test.each<[string, Parameters<typeof checkForm>[1], CheckedMedia[], string[]]>([
  ['nothing', either, [], []],
  ['as many as there may be', either, [image, image, image, image], []],
  ['one kind too many', either, [video, video], ['media media_count']],
  ['two kinds', either, [image, video], ['media media_mix']],
  ['two kinds together', formOf(null, four, { images: four, videos: four, mixed: true }), [image, video], []],
  [
    'two items where one is',
    formOf('STORY', null, { images: one, videos: one }),
    [image, video],
    ['media media_count'],
  ],
  ['nothing where something is needed', formOf('REEL', four, { min: one, videos: one }), [], ['media media_required']],
  ['less than is needed', formOf('CARDS', four, { min: four, images: four }), [image], ['media media_count']],
  ['a kind that is not taken', formOf('REEL', four, { min: one, videos: one }), [image], ['media.0 media_type']],
  ['anything where nothing is taken', formOf('TEXT', four, {}), [image], ['media media_count']],
])('%s', (_, form, media, findings) => {
  expect(reported(checkForm('Demo', form, media))).toEqual(findings)
})

test.each<[string, Parameters<typeof formOf>[2], CheckedMedia[]]>([
  ['up to 4 images or up to 1 video; this one has 2. Remove 1', { images: four, videos: one }, [video, video]],
  ['exactly 1 image or video; this one has 0. Add what is missing', { min: one, images: one, videos: one }, []],
  [
    'up to 4 images and videos, with at most 1 video; this one has 2. Remove 1',
    { min: one, images: four, videos: one, mixed: true },
    [video, video],
  ],
])('words say what a form takes: %s', (words, media, sent) => {
  const [finding] = checkForm('Demo', formOf(null, four, media), sent)
  expect(finding?.message).toBe(`A post on Demo takes ${words}.`)
})

test.each<[string, string, 'always' | 'without media' | undefined, string[]]>([
  ['', '', undefined, []],
  ['without media', ' ', 'without media', ['caption caption_required']],
  ['always', '', 'always', ['caption caption_required']],
  ['half a character', 'a\ud83e', undefined, ['caption field_invalid']],
  ['too long', 'aaaaa', undefined, ['caption caption_too_long']],
  ['far too long, of which nothing else is reported', 'aaaaaaaa\ud83e', undefined, ['caption caption_too_long']],
])('captions: %s', (_, caption, required, findings) => {
  const length = { network: 'Demo', limit: four, actual: caption.length }
  expect(reported(checkCaption({ caption, media: [] }, length, required))).toEqual(findings)
  const kept = required === 'without media' ? [] : findings
  expect(reported(checkCaption({ caption, media: [image] }, length, required))).toEqual(kept)
})

const moving = checked({ animated: true })
const written = checked({}, { title: 'a', altText: 'ab', tags: [{ text: 'a', x: 0, y: 0 }] })
test.each<[string, CheckedMedia, Partial<ItemRules>, string[]]>([
  ['motion', moving, {}, ['media.0 media_type?']],
  ['motion that is kept', moving, { motion: { isKept: () => true, message: '' } }, []],
  ['an alternative text', written, { altText: { limit: one } }, ['media.0.altText field_too_long']],
  ['an alternative text by its own count', written, { altText: { limit: one, count: () => 1 } }, []],
  ['what is not sent', written, { unsent: { tags: 'No tags.' } }, ['media.0.tags field_invalid?']],
  ['all that is not sent', written, { unsent: 'everything' }, ['media.0 field_invalid?']],
  ['nothing that is not sent', image, { unsent: 'everything' }, []],
])('items: %s', (_, item, rules, findings) => {
  expect(reported(checkItem('Demo', item, ['media', 0], { what: 'An image', ...rules }))).toEqual(findings)
})
