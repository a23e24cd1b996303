import { i18n } from '@lingui/core'
import { expect, test } from 'vitest'
import type { MediaLibraryItem, NetworkDescription, ProblemEntry } from '#contract'
import { captionOf, mediaOf, newMedia, newPost } from './draft.ts'
import { type Draft, emptyDraft } from './draft-shape.ts'
import { emptyAsOne } from './empty-post.ts'
import { wordsOfAll } from './fix-words.ts'
import { cropTo, fixesOf, fixesOfAll, withFix } from './fixes.ts'

const network = (accountType: NetworkDescription['accountType']) =>
  ({ accountType, fields: [], forms: [], options: [] }) as unknown as NetworkDescription
const picture = (id: string, width: number, height: number) =>
  newMedia({
    id,
    name: id,
    type: 'IMAGE',
    url: '',
    thumbnailUrl: null,
    width,
    height,
    altText: null,
  } as MediaLibraryItem)
const problem = (code: string, path: string, more: Partial<ProblemEntry> = {}): ProblemEntry => ({
  code,
  path,
  message: '',
  pointer: '',
  ...more,
})
const draft: Draft = {
  ...emptyDraft('2030-06-12T10:00:00.000Z'),
  caption: 'Our stollen rests for three weeks. We do not.',
  media: [picture('a', 1600, 900), picture('b', 1000, 1000)],
  posts: [newPost(network('INSTAGRAM')), newPost(network('TWITTER'))],
}

test('a problem of a field names it where its words come from the catalog', () => {
  const message = 'A title on YouTube must have at most 100 characters; this one has 120. Shorten it.'
  const long = { ...problem('post:field_too_long', 'posts[0].title', { limit: 100, actual: 120 }), message }
  expect(wordsOfAll([long], network('YOUTUBE'))).toBe(message)
  i18n.load('de', { 'post:field_too_long': ['Dieses Feld ist zu lang'] })
  i18n.activate('de')
  try {
    expect(wordsOfAll([long], network('YOUTUBE'))).toBe('Title: Dieses Feld ist zu lang (120, limit 100)')
  } finally {
    i18n.activate('en')
  }
})

test('a text is shortened for its network alone, between words', () => {
  const [own, shorten] = fixesOf(
    draft,
    network('TWITTER'),
    problem('post:caption_too_long', 'posts[1].caption', { limit: 36, actual: 45 }),
  )
  expect([own, shorten]).toEqual([{ kind: 'own-text' }, { kind: 'shorten', by: 9 }])
  const fixed = withFix(draft, 1, shorten ?? { kind: 'leave-out' })
  expect(fixed.posts.map((post) => captionOf(fixed, post))).toEqual([
    draft.caption,
    'Our stollen rests for three weeks.',
  ])
})

test('a picture is cropped to the usual shape that the network takes', () => {
  const wide = problem('post:media_ratio', 'posts[0].media[0]', { limit: 1.5, actual: 1.78 })
  const fix = fixesOf(draft, network('INSTAGRAM'), wide).at(-1)
  expect(fix).toMatchObject({ kind: 'crop', ratio: { name: '1:1' } })
  const fixed = withFix(draft, 0, fix ?? { kind: 'leave-out' })
  expect(fixed.media.map(({ crop }) => crop)).toEqual([{ x: 0.21875, y: 0, width: 0.5625, height: 1 }, null])
  const tall = problem('post:media_ratio', 'posts[0].media[0]', { limit: 0.8, actual: 0.5 })
  expect(fixesOf(draft, network('INSTAGRAM'), tall).at(-1)).toMatchObject({ ratio: { name: '4:5' } })
  expect(cropTo({ width: 1000, height: 1000 }, 1)).toBeNull()
})

test('files are kept, taken out, and networks left out', () => {
  const many = problem('post:media_count', 'posts[1].media', { limit: 1, actual: 2 })
  const keep = fixesOf(draft, network('TWITTER'), many).at(-1)
  const kept = withFix(draft, 1, keep ?? { kind: 'leave-out' })
  expect(kept.posts.map((post) => mediaOf(kept, post).length)).toEqual([2, 1])
  const large = problem('post:media_size', 'posts[1].media[1]')
  const [takeOut, leaveOut] = fixesOf(draft, network('TWITTER'), large)
  expect(takeOut).toMatchObject({ kind: 'take-out', number: 2 })
  expect(withFix(draft, 1, leaveOut ?? { kind: 'fill-in' }).posts.map(({ accountType }) => accountType)).toEqual([
    'INSTAGRAM',
  ])
})

test('a title that is missing is named in a few words, whatever the network makes of it', () => {
  const message = 'A post for Pinterest has to have a title. Give it one of at most 100 characters.'
  i18n.load('en', {})
  i18n.activate('en')
  const titleless = { ...problem('post:field_required', 'posts[0].title'), message }
  expect(wordsOfAll([titleless], network('PINTEREST'))).toBe('needs a title')
  const boardless = { ...problem('post:field_required', 'posts[0].board'), message: 'Choose a board.' }
  expect(wordsOfAll([boardless], network('PINTEREST'))).toBe('Choose a board.')
})

test('all problems of one post are one line, with each button once', () => {
  i18n.load('en', {})
  i18n.activate('en')
  const title = problem('post:field_required', 'posts[0].title')
  const video = problem('post:media_required', 'posts[0].media')
  const tags = { ...problem('post:field_invalid', 'posts[0].tags'), message: 'A tag is too long.' }
  const pinterest = network('PINTEREST')
  expect(wordsOfAll([title, video, tags], pinterest)).toBe(
    'needs a title and needs a picture or video. A tag is too long.',
  )
  // Nothing else helps against what is missing: leaving out is the best.
  const kinds = (...problems: ProblemEntry[]) => fixesOfAll(draft, pinterest, problems).map(({ kind }) => kind)
  expect(kinds(title, video)).toEqual(['fill-in', 'leave-out'])
  expect(kinds(title)).toEqual(['leave-out', 'fill-in'])
  expect(kinds(title, problem('post:caption_too_long', 'posts[0].caption', { limit: 10, actual: 12 }))).toEqual([
    'leave-out',
    'fill-in',
    'own-text',
    'shorten',
  ])
})

test('pictures that differ in size are cropped to the largest that all of them have', () => {
  const differs = problem('post:media_dimensions', 'posts[0].media[1]')
  expect(fixesOf(draft, network('PINTEREST'), differs).at(-1)).toEqual({ kind: 'crop-alike' })
  // Too few pixels are no matter of the other files.
  const small = { ...differs, limit: 100, actual: 50 }
  expect(fixesOf(draft, network('PINTEREST'), small)).not.toContainEqual({ kind: 'crop-alike' })
  expect(withFix(draft, 0, { kind: 'crop-alike' }).media.map(({ crop }) => crop)).toEqual([
    { x: 0.1875, y: 0, width: 0.625, height: 1 },
    { x: 0, y: expect.closeTo(0.05), width: 1, height: 0.9 },
  ])
})

test('what is measured of a file is said in sizes and lengths, and one cause once', () => {
  const words = (code: string, limit: number, actual: number) =>
    wordsOfAll([problem(code, 'posts[0].media[0]', { limit, actual })], network('INSTAGRAM'))
  expect(words('post:media_size', 8_000_000, 9_000_000)).toBe('the file is too large: 8 MB at most')
  expect(words('post:media_duration', 3, 1)).toBe('the video is too short: 0:03 at least')
  expect(words('post:media_dimensions', 320, 200)).toBe('too small: 320 pixels at least')
  const empty = { caption: ' ', media: [] }
  const missing = [0, 1].map((index) => problem('post:caption_required', `posts[${index}].caption`))
  expect(emptyAsOne(missing, [empty, empty]).map(({ code }) => code)).toEqual(['composer:empty'])
  expect(emptyAsOne(missing, [empty, { ...empty, caption: 'Bread' }])).toEqual(missing)
})
