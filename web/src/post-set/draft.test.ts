import { expect, test } from 'vitest'
import type { MediaLibraryItem, NetworkDescription, PostSet } from '#contract'
import { differences } from '../api/differences.ts'
import { addressEnds, changePost, draftOf, newMedia, newPost, postsOf, typeOf } from './draft.ts'
import { type Draft, type DraftMedia, emptyDraft, readDraft } from './draft-shape.ts'
import { newPart } from './thread.ts'

const kind = (type: string | null, min: number, images: number, videos: number) => ({
  type,
  caption: null,
  media: { min, max: Math.max(images, videos), images, videos, documents: 0, mixed: false },
  fields: [],
  demands: [],
  shape: null,
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
    options: [],
    agreement: null,
    ...more,
  }) as NetworkDescription

const PLACED = { label: '', group: 'post', order: 0, when: null } as const
const page = network('FACEBOOK', {
  fields: [
    {
      name: 'type',
      required: true,
      schema: { enum: ['TEXT', 'IMAGE', 'VIDEO', 'MULTI_IMAGE'] },
      picker: null,
      ...PLACED,
    },
    { name: 'richCaption', required: true, schema: { type: 'array' }, picker: null, ...PLACED },
  ],
  forms: [kind('TEXT', 0, 0, 0), kind('IMAGE', 1, 1, 0), kind('VIDEO', 1, 0, 1), kind('MULTI_IMAGE', 2, 10, 0)],
})
const plain = network('BLUESKY', { forms: [kind(null, 0, 4, 1)] })
const networks = [page, plain]
const image = (id: string): DraftMedia =>
  newMedia({
    id,
    name: id,
    type: 'IMAGE',
    url: '',
    thumbnailUrl: null,
    width: 1,
    height: 1,
    altText: null,
  } as MediaLibraryItem)
const AT = '2026-11-21T10:00:00.000Z'

test('the kind of a post follows from its files until one is chosen', () => {
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
  crop: null,
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
  labelsId: [],
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

const kept = (id: string) => ({
  id,
  altText: null,
  tags: [],
  crop: null,
  title: null,
  description: null,
  link: null,
})

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
      media: [kept('m1')],
    },
    { id: 'post-2', accountType: 'BLUESKY', caption: 'Hi', media: [kept('m2')] },
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

const threads = networks.map((each) => ({ ...each, thread: { parts: 24 } }))

test('further parts of a post keep their ids and files; none is said too, and where there is no thread nothing is', () => {
  const parts = [{ id: 't1', caption: 'Two', media: [item('m1', 'a')] }]
  const threaded = { ...set, posts: [{ ...set.posts[1], thread: parts }] } as unknown as PostSet
  const draft = draftOf(threaded)
  const sent = (written: Draft, from: readonly NetworkDescription[] = threads) => postsOf(written, from, threaded)[0]
  expect(sent(draft)?.thread).toEqual([{ id: 't1', caption: 'Two', media: [expect.objectContaining({ id: 'm1' })] }])
  const [post] = draft.posts
  const further = [...(post?.thread ?? []), newPart('Three')]
  expect(sent(changePost(draft, 0, { thread: further }))?.thread?.at(-1)).toEqual({ caption: 'Three', media: [] })
  expect(sent(changePost(draft, 0, { thread: [] }))?.thread).toEqual([])
  // What the network takes no more of stays as it is.
  expect(sent(draft, networks)).not.toHaveProperty('thread')
  expect(postsOf(draftOf(set), threads, set)[1]).not.toHaveProperty('thread')
})

test('of one picture that is in a post twice each keeps its own crop', () => {
  const left = { x: 0, y: 0, width: 0.5, height: 1 }
  const right = { ...left, x: 0.5 }
  const media = [
    { ...item('m1', 'a'), crop: left },
    { ...item('m2', 'a'), crop: right },
  ]
  const twice = { ...set, posts: [{ ...set.posts[1], media }] } as unknown as PostSet
  const draft = draftOf(twice)
  const mediaOf = (changed: Draft) => postsOf(changed, networks, twice)[0]?.media
  // The first is left out: the second stays what it is.
  expect(mediaOf({ ...draft, media: draft.media.slice(1) })).toMatchObject([{ id: 'm2', crop: right }])
  // They change places.
  expect(mediaOf({ ...draft, media: draft.media.toReversed() })).toMatchObject([
    { id: 'm2', crop: right },
    { id: 'm1', crop: left },
  ])
})

test('what is on its way is not sent, and a draft of another version is completed', () => {
  const coming = { ...image(''), upload: 'key' }
  const draft = { ...emptyDraft(AT), media: [coming, image('b')], posts: [newPost(plain)] }
  expect(postsOf(draft, networks, null)[0]?.media).toEqual([{ mediaLibraryId: 'b', altText: null }])
  const { labels: _, ...older } = { ...draft, media: [{ mediaLibraryId: 'b', altText: '' }] }
  expect(readDraft(JSON.parse(JSON.stringify(older)))).toMatchObject({
    labels: [],
    media: [{ uid: 'b 0', mediaLibraryId: 'b', crop: null, upload: null }],
  })
  expect([readDraft(null), readDraft({ caption: 1 })]).toEqual([null, null])
})

test('what was kept says nothing of the approval that the post had then', () => {
  const written = { ...draftOf(set), caption: 'Hello' }
  const kept = readDraft({ ...written, approval: 'APPROVED' })
  expect(kept).toEqual(written)
  expect(kept).not.toHaveProperty('approval')
})

test('a signed address says until when it works, another one works forever', () => {
  expect(addressEnds('https://almanac.example/media/1/original?e=1700000000&s=abc')).toBe(1_700_000_000_000)
  expect([addressEnds('blob:https://almanac.example/1'), addressEnds('/media/1/original')]).toEqual([
    Number.POSITIVE_INFINITY,
    Number.POSITIVE_INFINITY,
  ])
})

test('a person on a picture who has no handle yet is not sent', () => {
  const anna = { x: 0.2, y: 0.3, text: 'anna.baker' }
  const tagged = { ...image('a'), tags: [anna, { x: 0.5, y: 0.5, text: '' }] }
  const [post] = postsOf({ ...emptyDraft(AT), media: [tagged], posts: [newPost(plain)] }, [plain], null)
  expect(post?.media).toEqual([expect.objectContaining({ tags: [anna] })])
})

test('a cover that one post has chosen stands for no other post with the file', () => {
  const media = (variant: string) => [
    {
      ...{
        id: 'm1',
        mediaLibraryId: 'f1',
        altText: null,
        title: null,
        description: null,
        link: null,
        tags: [],
        crop: null,
      },
      ...{
        type: 'VIDEO',
        url: 'https://almanac.test/media/f1/original?e=1&s=2',
        width: 1,
        height: 1,
        durationMs: 5_000,
      },
      thumbnailUrl: `https://almanac.test/media/f1/${variant}?e=1&s=2&v=3`,
    },
  ]
  const posts = [
    {
      id: 'p1',
      accountType: 'INSTAGRAM',
      caption: 'A reel',
      type: 'REEL',
      videoCoverImage: 2.5,
      media: media('cover-2500'),
    },
    { id: 'p2', accountType: 'BLUESKY', caption: 'A reel', media: media('thumbnail') },
  ]
  const draft = draftOf({ ...set, posts } as unknown as PostSet)
  expect(draft.posts.map((post) => post.media)).toEqual([null, null])
  expect(draft.media[0]?.thumbnailUrl).toContain('/thumbnail?')
})

test('of an account whose posts are decided in its app, switches are not sent as off', () => {
  const option = (name: string, more: object) => ({ name, perPost: true, schema: { type: 'boolean' }, ...more })
  const agreeing = network('TIKTOK', {
    options: [option('mode', { perPost: false, schema: {} }), option('comments', {}), option('duets', {})],
    agreement: { unless: { option: 'mode', value: 'INBOX' } },
  } as unknown as Partial<NetworkDescription>)
  const post = (options: object) => ({ ...newPost(agreeing), fields: { options } })
  const sent = (options: object, spared?: boolean) => {
    const accounts = new Map(spared === undefined ? [] : [['TIKTOK' as const, { data: { spared } }]])
    return postsOf({ ...emptyDraft(''), posts: [post(options)] }, [agreeing], null, accounts)[0]?.options
  }
  const off = { comments: false, duets: false }
  expect(sent({})).toEqual(off)
  expect(sent({ duets: true }, false)).toEqual({ ...off, duets: true })
  expect(sent({ duets: true }, true)).toEqual({})
  expect(sent({ mode: 'INBOX', duets: true })).toEqual({ mode: 'INBOX' })
  expect(sent({ mode: 'DIRECT' }, true)).toEqual({ mode: 'DIRECT', ...off })
})
