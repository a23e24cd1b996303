import { expect, test } from 'vitest'
import type { NetworkDescription, PostSet } from '#contract'
import { changePost, type Draft, differences, draftOf, emptyDraft, newPost, postsOf, typeOf } from './draft.ts'

const kind = (type: string | null, min: number, images: number, videos: number) => ({
  type,
  caption: null,
  media: { min, max: Math.max(images, videos), images, videos, mixed: false },
})
const network = (accountType: NetworkDescription['accountType'], more: Partial<NetworkDescription>) =>
  ({
    accountType,
    network: 'n',
    title: 'N',
    fields: [],
    forms: [],
    defaults: [],
    limits: [],
    ...more,
  }) as NetworkDescription

const page = network('FACEBOOK', {
  fields: [
    { name: 'type', required: true, schema: { enum: ['TEXT', 'IMAGE', 'VIDEO', 'MULTI_IMAGE'] } },
    { name: 'richCaption', required: true, schema: { type: 'array' } },
  ],
  forms: [kind('TEXT', 0, 0, 0), kind('IMAGE', 1, 1, 0), kind('VIDEO', 1, 0, 1), kind('MULTI_IMAGE', 2, 10, 0)],
})
const plain = network('BLUESKY', { forms: [kind(null, 0, 4, 1)] })
const networks = [page, plain]
const image = (mediaLibraryId: string) => ({ mediaLibraryId, type: 'IMAGE' as const, thumbnailUrl: null, altText: '' })
const AT = '2026-11-21T10:00:00.000Z'

test('the kind of a post follows from its files until somebody chooses one', () => {
  const post = newPost(page)
  expect(typeOf(page, post, [])).toBe('TEXT')
  expect(typeOf(page, post, [image('a')])).toBe('IMAGE')
  expect(typeOf(page, post, [image('a'), image('b')])).toBe('MULTI_IMAGE')
  expect(typeOf(page, post, [{ ...image('a'), type: 'VIDEO' }])).toBe('VIDEO')
  expect(typeOf(page, { ...post, fields: { type: 'TEXT' }, typeChosen: true }, [image('a')])).toBe('TEXT')
  expect(typeOf(plain, newPost(plain), [])).toBeNull()
})

test('posts share caption and files unless they have their own', () => {
  const draft: Draft = {
    ...emptyDraft(AT),
    caption: 'For all',
    media: [{ ...image('a'), altText: 'A loaf' }],
    posts: [newPost(page), newPost(plain)],
  }
  const own = changePost(draft, 1, { caption: 'Shorter', media: [] })
  expect(postsOf(own, networks, null)).toEqual([
    {
      accountType: 'FACEBOOK',
      caption: 'For all',
      type: 'IMAGE',
      richCaption: ['For all'],
      media: [{ mediaLibraryId: 'a', altText: 'A loaf' }],
    },
    { accountType: 'BLUESKY', caption: 'Shorter', media: [] },
  ])
})

const item = (id: string, mediaLibraryId: string) => ({
  id,
  mediaLibraryId,
  altText: null,
  title: null,
  description: null,
  link: null,
  tags: [],
  type: 'IMAGE' as const,
  url: 'https://example.com/f',
  thumbnailUrl: null,
  width: 1,
  height: 1,
})
const set = {
  id: 'set',
  scheduledAt: AT,
  approval: 'NONE',
  posts: [
    {
      id: 'post-1',
      accountType: 'FACEBOOK',
      caption: 'Hi Anna',
      type: 'IMAGE',
      richCaption: ['Hi ', { text: 'Anna', mention: { id: '1', name: 'Anna' } }],
      videoCoverImageSeconds: null,
      media: [item('m1', 'a')],
    },
    { id: 'post-2', accountType: 'BLUESKY', caption: 'Hi', media: [item('m2', 'a')] },
  ],
} as unknown as PostSet

test('a set that is edited keeps the ids of what stays, and what only programs write', () => {
  const draft = draftOf(set)
  expect(draft.caption).toBe('Hi Anna')
  expect(draft.posts.map(({ caption, media }) => [caption, media])).toEqual([
    [null, null],
    ['Hi', null],
  ])
  expect(postsOf(draft, networks, set)).toEqual([
    {
      id: 'post-1',
      accountType: 'FACEBOOK',
      caption: 'Hi Anna',
      type: 'IMAGE',
      richCaption: ['Hi ', { text: 'Anna', mention: { id: '1', name: 'Anna' } }],
      media: [{ id: 'm1', altText: null }],
    },
    { id: 'post-2', accountType: 'BLUESKY', caption: 'Hi', media: [{ id: 'm2', altText: null }] },
  ])
  const changed = postsOf({ ...draft, caption: 'Hello', media: [...draft.media, image('b')] }, networks, set)
  expect(changed[0]).toMatchObject({
    richCaption: ['Hello'],
    media: [{ id: 'm1' }, { mediaLibraryId: 'b' }],
  })
})

test('two posts of one account type keep their own ids, and only what differs is sent', () => {
  const twice = {
    ...set,
    posts: [set.posts[1], { ...set.posts[1], id: 'post-3', caption: 'Again' }],
  } as unknown as PostSet
  const draft = draftOf(twice)
  const before = { at: draft.at, posts: postsOf(draft, networks, twice) }
  expect(before.posts).toMatchObject([{ id: 'post-2' }, { id: 'post-3' }])
  const changed = { at: '2026-11-22T10:00:00.000Z', posts: postsOf(draftOf(twice), networks, twice) }
  expect(differences(changed, before)).toEqual({ at: '2026-11-22T10:00:00.000Z' })
  expect(differences(before, before)).toEqual({})
})
