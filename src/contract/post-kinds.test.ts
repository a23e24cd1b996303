import { expect, test } from 'vitest'
import { formOfPost, kindOfPost, kindsOfPosts } from './post-kinds.ts'

const picture = { type: 'IMAGE', width: 1080, height: 1350, durationMs: null }
const film = { type: 'VIDEO', width: 1080, height: 1920, durationMs: 180_000 }
const form = (accountType: string, media: (typeof picture | typeof film)[], type?: string) =>
  formOfPost({ accountType, media, ...(type && { type }) })

test.each([
  ['INSTAGRAM', 'STORY', [], 'STORY'],
  ['INSTAGRAM', 'STORY', [film], 'STORY'],
  ['FACEBOOK', 'REEL', [film], 'REEL'],
  ['FACEBOOK', 'VIDEO', [film], 'VIDEO'],
  ['FACEBOOK', 'MULTI_IMAGE', [picture, picture], null],
  ['FACEBOOK', 'TEXT', [], null],
  ['INSTAGRAM', 'IMAGE', [picture], null],
  ['INSTAGRAM', 'IMAGE', [picture, picture], 'CAROUSEL'],
  ['INSTAGRAM', 'CAROUSEL', [picture], 'CAROUSEL'],
  ['TIKTOK', undefined, [picture, picture], 'CAROUSEL'],
  ['TIKTOK', undefined, [film], 'VIDEO'],
  ['THREADS', undefined, [film, picture], 'CAROUSEL'],
  ['BLUESKY', undefined, [picture, picture], null],
  ['TWITTER', undefined, [picture, film], 'VIDEO'],
  ['YOUTUBE', undefined, [picture, film], 'SHORT'],
  ['YOUTUBE', undefined, [{ ...film, durationMs: 180_001 }], 'VIDEO'],
  ['YOUTUBE', undefined, [{ ...film, width: 1920 }], 'SHORT'],
  ['YOUTUBE', undefined, [{ ...film, width: 1921 }], 'VIDEO'],
  ['YOUTUBE', undefined, [{ ...film, durationMs: null }], 'VIDEO'],
  ['YOUTUBE', undefined, [], null],
] as const)('a post for %s of type %s with %j is %s', (accountType, type, media, kind) => {
  expect(kindOfPost(form(accountType, [...media] as never, type))).toBe(kind)
})

const pdf = { type: 'DOCUMENT', width: 595, height: 842, durationMs: null }
test.each([
  [[pdf], undefined, 'DOCUMENT'],
  [[picture, picture], { documentTitle: 'Bread' }, 'DOCUMENT'],
  [[picture, picture], { documentTitle: ' ' }, null],
  [[picture], { documentTitle: 'Bread' }, null],
  [[picture, film], { documentTitle: 'Bread' }, 'VIDEO'],
] as const)('a post on LinkedIn with %j and %j is %s', (media, options, kind) => {
  expect(kindOfPost(formOfPost({ accountType: 'LINKEDIN_PAGE', media, ...(options && { options }) }))).toBe(kind)
})

test('a set has the kinds of its posts, each once, in their order', () => {
  const posts = [
    form('TIKTOK', [film]),
    form('TWITTER', [picture]),
    form('INSTAGRAM', [film], 'REEL'),
    form('FACEBOOK', [film], 'REEL'),
    form('BLUESKY', [film]),
  ]
  expect(kindsOfPosts(posts)).toEqual(['VIDEO', 'REEL'])
})
