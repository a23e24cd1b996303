import { expect, test } from 'vitest'
import type { MediaFacts } from '#contract'
import type { CheckedMedia, Finding, Limit } from '../network.ts'
import { formOf } from './limits.ts'
import { checkCaption, checkForm, checkItem, type ItemRules } from './rules.ts'

const limit = (value: number): Limit => ({ value, unit: 'units', source: 'https://a.example', read: '2026-11-21' })
const facts = { type: 'IMAGE', mimeType: 'image/gif', animated: false, bytes: 1, width: 1, height: 1 } as MediaFacts
const image: CheckedMedia = { facts, altText: null, title: null, description: null, link: null, tags: [] }
const video: CheckedMedia = { ...image, facts: { ...facts, type: 'VIDEO' } }
const reported = (findings: Finding[]) =>
  findings.map(({ code, steps, warning }) => `${code.slice(5)}${warning ? '?' : ''} ${steps.join('.')}`)

const [one, four] = [limit(1), limit(4)]
const either = formOf(null, four, { images: four, videos: one })
test.each<[string, Parameters<typeof checkForm>[1], CheckedMedia[], string[]]>([
  ['nothing', either, [], []],
  ['as many as there may be', either, [image, image, image, image], []],
  ['one kind too many', either, [video, video], ['media_count media']],
  ['two kinds', either, [image, video], ['media_mix media']],
  ['two kinds together', formOf(null, four, { images: four, videos: four, mixed: true }), [image, video], []],
  [
    'two items where one is',
    formOf('STORY', null, { images: one, videos: one }),
    [image, video],
    ['media_count media'],
  ],
  ['nothing where something is needed', formOf('REEL', four, { min: one, videos: one }), [], ['media_required media']],
  ['less than is needed', formOf('CARDS', four, { min: four, images: four }), [image], ['media_count media']],
  ['a kind that is not taken', formOf('REEL', four, { min: one, videos: one }), [image], ['media_type media.0']],
  ['anything where nothing is taken', formOf('TEXT', four, {}), [image], ['media_count media']],
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
  ['without media', ' ', 'without media', ['caption_required caption']],
  ['always', '', 'always', ['caption_required caption']],
  ['half a character', 'a\ud83e', undefined, ['field_invalid caption']],
  ['too long', 'aaaaa', undefined, ['caption_too_long caption']],
  ['far too long, of which nothing else is reported', 'aaaaaaaa\ud83e', undefined, ['caption_too_long caption']],
])('captions: %s', (_, caption, required, findings) => {
  const length = { network: 'Demo', limit: four, actual: caption.length }
  expect(reported(checkCaption({ caption, media: [] }, length, required))).toEqual(findings)
  const kept = required === 'without media' ? [] : findings
  expect(reported(checkCaption({ caption, media: [image] }, length, required))).toEqual(kept)
})

const moving = { ...image, facts: { ...facts, animated: true } }
const written = { ...image, title: 'a', altText: 'ab', tags: [{ text: 'a', x: 0, y: 0 }] }
test.each<[string, CheckedMedia, Partial<ItemRules>, string[]]>([
  ['motion', moving, {}, ['media_type? media.0']],
  ['motion that is kept', moving, { motion: { isKept: () => true, message: '' } }, []],
  ['an alternative text', written, { altText: { limit: one } }, ['field_too_long media.0.altText']],
  ['an alternative text by its own count', written, { altText: { limit: one, count: () => 1 } }, []],
  ['what is not sent', written, { unsent: { tags: 'No tags.' } }, ['field_invalid? media.0.tags']],
  ['all that is not sent', written, { unsent: 'everything' }, ['field_invalid? media.0']],
  ['nothing that is not sent', image, { unsent: 'everything' }, []],
])('items: %s', (_, item, rules, findings) => {
  expect(reported(checkItem('Demo', item, ['media', 0], { what: 'An image', ...rules }))).toEqual(findings)
})
