import { expect, test } from 'vitest'
import { diffPostSet, type PostSetContent } from './history-diff.ts'
import type { MediaContent, PostContent } from './plan-posts.ts'

const item = (id: string, more: Partial<MediaContent> = {}): MediaContent => ({
  id,
  mediaId: `library of ${id}`,
  altText: null,
  title: null,
  description: null,
  link: null,
  tags: [],
  crop: null,
  ...more,
})
const post = (id: string, more: Partial<PostContent> = {}): PostContent => ({
  id,
  accountType: 'INSTAGRAM',
  caption: 'one',
  fields: { type: 'IMAGE', collaborators: ['a'], firstComment: null },
  media: [item(`${id}-m`)],
  thread: [],
  ...more,
})
const set = (more: Partial<PostSetContent> = {}): PostSetContent => ({
  scheduledAt: new Date('2026-03-01T10:00:00Z'),
  status: 'DRAFT',
  approval: 'NONE',
  externalId: null,
  posts: [post('p'), post('q', { accountType: 'BLUESKY', fields: {}, media: [] })],
  ...more,
})

test('no changes leave nothing to report', () => {
  expect(diffPostSet(set(), set())).toEqual({})
  const reordered = post('p', { fields: { firstComment: null, collaborators: ['a'], type: 'IMAGE' } })
  expect(diffPostSet(set({ posts: [post('p')] }), set({ posts: [reordered] }))).toEqual({})
})

test('the set itself', () => {
  const after = set({
    scheduledAt: new Date('2026-03-01T10:00:00.001Z'),
    status: 'SCHEDULED',
    approval: 'PENDING',
    externalId: 'a',
  })
  expect(diffPostSet(set(), after)).toEqual({
    scheduledAt: { from: '2026-03-01T10:00:00.000Z', to: '2026-03-01T10:00:00.001Z' },
    status: { from: 'DRAFT', to: 'SCHEDULED' },
    approval: { from: 'NONE', to: 'PENDING' },
    externalId: { from: null, to: 'a' },
  })
})

test('fields of a post that stayed', () => {
  const changed = post('p', {
    caption: 'two',
    fields: { type: 'IMAGE', collaborators: ['b'], firstComment: null },
    media: [item('p-m', { altText: 'a cat', tags: [{ x: 0, y: 1, text: 'me' }] })],
  })
  const { posts } = diffPostSet(set({ posts: [post('p')] }), set({ posts: [changed] }))
  expect(Object.keys(posts ?? {})).toEqual(['changed'])
  expect(posts?.changed).toMatchObject([
    {
      id: 'p',
      accountType: 'INSTAGRAM',
      fields: {
        caption: { from: 'one', to: 'two' },
        collaborators: { from: ['a'], to: ['b'] },
        media: { from: [{ id: 'p-m', altText: null }], to: [{ id: 'p-m', altText: 'a cat' }] },
      },
    },
  ])
  expect(Object.keys(posts?.changed?.[0]?.fields ?? {})).toEqual(['caption', 'collaborators', 'media'])
})

test('posts that came, went and changed places', () => {
  const [p, q, r] = [post('p'), post('q'), post('r')]
  const diff = (before: PostContent[], after: PostContent[]) =>
    diffPostSet(set({ posts: before }), set({ posts: after })).posts
  expect(diff([p], [p, q])).toEqual({ added: [{ id: 'q', accountType: 'INSTAGRAM' }] })
  expect(diff([p, q, r], [p, r])).toEqual({ removed: [{ id: 'q', accountType: 'INSTAGRAM' }] })
  expect(diff([p, q], [q, p])).toEqual({ order: ['q', 'p'] })
})

test('a media item that moves to another post shows in both', () => {
  const before = [post('p', { media: [item('m')] }), post('q', { media: [] })]
  const after = [post('p', { media: [] }), post('q', { media: [item('m')] })]
  const { posts } = diffPostSet(set({ posts: before }), set({ posts: after }))
  expect(posts?.changed?.map(({ id, fields }) => [id, Object.keys(fields)])).toEqual([
    ['p', ['media']],
    ['q', ['media']],
  ])
})
