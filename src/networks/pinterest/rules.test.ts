import { expect, test } from 'vitest'
import type { MediaFacts } from '#contract'
import { expectWords } from '../conformance/network-data.ts'
import { checked, reported } from '../kit/testing.ts'
import type { CheckedMedia, Defaults } from '../network.ts'
import { manifest } from './manifest.ts'
import { checkPost } from './rules.ts'

const image = (facts: Partial<MediaFacts> = {}, says: Partial<CheckedMedia> = {}) => checked(facts, says)
const video = (facts: Partial<MediaFacts> = {}) => checked({ type: 'VIDEO', ...facts })
const gif = (bytes = 1_000_000, mimeType = 'image/gif') => image({ mimeType, animated: true, bytes })
const described = (altText: string) => image({}, { altText })

interface Parts {
  caption?: string
  media?: CheckedMedia[]
  defaults?: Defaults
  title?: string
  website?: string
  board?: unknown
}

function said({ caption = 'Bread', media = [image()], defaults = { boardId: '12' }, ...more }: Parts) {
  const fields = { title: 'Bread', website: 'https://bakery.example', board: null, ...more }
  const findings = checkPost({ accountType: 'PINTEREST', caption, fields, media }, defaults)
  for (const finding of findings) expectWords(manifest, finding)
  return reported(findings)
}

const x = (count: number) => 'x'.repeat(count)
const five = Array(5).fill(described(x(500)))
const link = (length: number) => `https://bakery.example/${x(length - 23)}`

test.each<[string, Parts, string[]]>([
  ['no caption', { caption: '' }, []],
  ['the longest of all', { caption: x(500), title: x(100), website: link(2048), media: five }, []],
  ['501 characters', { caption: x(501) }, ['caption caption_too_long?']],
  ['800 characters', { caption: x(800) }, ['caption caption_too_long?']],
  ['801 characters', { caption: x(801) }, ['caption caption_too_long']],
  ['half a sign', { caption: 'a\ud83e' }, ['caption field_invalid']],
  ['a title of 101', { title: x(101) }, ['title field_too_long']],
  ['no title', { title: ' \n' }, ['title field_required']],
  ['half a sign in the title', { title: '\ud83e' }, ['title field_invalid']],
  ['a website of 2049', { website: link(2049) }, ['website field_too_long']],
  ['a website without https', { website: 'bakery.example' }, ['website field_invalid']],
  ['a website with a space', { website: 'https://bakery.example/a b' }, ['website field_invalid']],
  ['a website of one word', { website: 'https://bakery' }, ['website field_invalid']],
  ['an alternative text of 501', { media: [described(x(501))] }, ['media.0.altText field_too_long']],
  ['two alternative texts', { media: [described('a'), image(), described('b')] }, ['media.2.altText field_invalid?']],

  ['a board of the post', { board: { id: '5', name: 'Bread' }, defaults: {} }, []],
  ['a board of the connection', { board: { id: ' ', name: '' }, defaults: { boardId: '5' } }, []],
  ['no board at all', { defaults: {} }, ['board field_required']],
  ['a name for the id of a board', { board: { id: 'bread', name: 'Bread' } }, ['board.id field_invalid']],
])('%s', (_, parts, findings) => expect(said(parts)).toEqual(findings))

test.each<[string, Partial<MediaFacts>, Partial<MediaFacts>]>([
  ['media_codec', { mimeType: 'video/quicktime', videoCodec: 'hevc' }, { mimeType: 'video/webm', videoCodec: 'vp9' }],
  ['media_duration', { durationMs: 4_000 }, { durationMs: 3_999 }],
  ['media_duration', { durationMs: 900_000 }, { durationMs: 900_001 }],
  ['media_size', { bytes: 1_000_000_000 }, { bytes: 1_000_000_001 }],
  ['media_ratio', { width: 1000, height: 2000 }, { width: 980, height: 2000 }],
  ['media_ratio', { width: 1910, height: 1000 }, { width: 1920, height: 1000 }],
])('%s: a video may have %j, and not %j', (code, fits, other) => {
  expect(said({ media: [video(fits)] })).toEqual([])
  expect(said({ media: [video(other)] })).toEqual([`media.0 ${code}`])
})

const says = { title: x(101), description: x(801), link: 'nowhere' }
test.each<[string, CheckedMedia[], string[]]>([
  ['no media', [], ['media media_required']],
  ['six images', [...five, image()], ['media media_count']],
  ['images of two sizes', [image(), image({ width: 1001 })], ['media.1 media_dimensions']],
  ['images of any type, size and shape', [image({ mimeType: 'image/webp', height: 9000, bytes: 9e7 })], []],
  ['two videos', [video(), video()], ['media media_count']],
  ['a video and its cover', [video(), image()], []],
  ['a video and two covers', [video(), image(), image()], ['media media_mix']],
  ['a GIF of 20 MB that moves', [gif(20_000_000)], []],
  ['a heavier GIF', [gif(20_000_001)], ['media.0 media_type?']],
  ['a GIF that moves among others', [gif(), image()], ['media.0 media_type?']],
  ['a GIF that moves for a cover', [video(), gif()], ['media.1 media_type?']],
  ['words of an item that is alone', [image({}, says)], []],
  ['words of a cover', [video(), image({}, says)], []],
  [
    'long words of an item of a carousel',
    [image(), image({}, says)],
    ['media.1.title field_too_long', 'media.1.description field_too_long', 'media.1.link field_invalid'],
  ],
])('%s', (_, media, findings) => expect(said({ media })).toEqual(findings))
