import { describe, expect, test } from 'vitest'
import type { PostInput } from '#contract'
import { type PostContent, planPosts } from './plan-posts.ts'

const ids = () => {
  let count = 0
  return () => `new-${++count}`
}
const input = (more: Partial<PostInput> = {}): PostInput => ({
  accountType: 'BLUESKY',
  caption: 'hi',
  media: [],
  ...more,
})
const current: PostContent[] = [
  {
    id: 'p1',
    accountType: 'BLUESKY',
    caption: 'hi',
    fields: { fit: null, options: null },
    media: [
      {
        id: 'm1',
        mediaId: 'l1',
        altText: 'a cat',
        title: 't',
        description: 'd',
        link: 'k',
        tags: [{ x: 0, y: 0, text: 'me' }],
        crop: null,
      },
    ],
    thread: [],
  },
  { id: 'p2', accountType: 'TWITTER', caption: 'hi', fields: {}, media: [], thread: [] },
]
const problems = (inputs: PostInput[], posts = current) => {
  const plan = planPosts(inputs, posts, ids(), 'REFUSE')
  return plan.ok ? [] : plan.entries.map(({ code, path }) => [code, path])
}
const planned = (inputs: PostInput[]) => {
  const plan = planPosts(inputs, current, ids(), 'REFUSE')
  if (!plan.ok) throw new Error(JSON.stringify(plan.entries))
  return plan.posts
}

test('new posts and media get ids, and every field of the account type', () => {
  const [post] = planned([
    input({ accountType: 'INSTAGRAM', type: 'IMAGE', collaborators: [], media: [{ mediaLibraryId: 'L1' }] }),
  ])
  expect(post).toEqual({
    id: 'new-1',
    accountType: 'INSTAGRAM',
    caption: 'hi',
    fields: {
      type: 'IMAGE',
      collaborators: [],
      firstComment: null,
      audio: null,
      audioName: null,
      videoCoverImage: null,
      fit: null,
      options: null,
    },
    media: [
      { id: 'new-2', mediaId: 'l1', altText: null, title: null, description: null, link: null, tags: [], crop: null },
    ],
    thread: [],
  })
})

test.each<[unknown, unknown]>([
  [{ privacy: 'SELF_ONLY', allowDuet: null }, { privacy: 'SELF_ONLY' }],
  [{ allowDuet: false }, { allowDuet: false }],
  [{ allowDuet: null }, null],
  [{}, null],
  [undefined, null],
])('options %j become %j', (options, stored) => {
  const [post] = planned([input({ accountType: 'TIKTOK', options })])
  expect(post?.fields.options).toEqual(stored)
})

test('resources-50: a kept media item keeps what the request does not say, and loses what it says is null', () => {
  const [bare] = planned([input({ id: 'P1', media: [{ id: 'M1' }] })])
  expect(bare).toEqual({ ...current[0] })
  const [cleared] = planned([
    input({ id: 'p1', media: [{ id: 'm1', mediaLibraryId: 'l1', altText: null, title: 'new', tags: null }] }),
  ])
  expect(cleared?.media[0]).toEqual({ ...current[0]?.media[0], altText: null, title: 'new', tags: [] })
})

test('a kept media item may move to another post, also to a new one', () => {
  const [first, second] = planned([input({ id: 'p1' }), input({ accountType: 'THREADS', media: [{ id: 'm1' }] })])
  expect(first?.media).toEqual([])
  expect(second?.media).toEqual(current[0]?.media)
})

test('shape-60: ids that come twice, ids of elsewhere, changed account types and changed library items', () => {
  expect(problems([input({ id: 'p1' }), input({ id: 'P1' })])).toEqual([
    ['post-set:duplicate_references', 'posts[1].id'],
  ])
  expect(problems([input({ media: [{ id: 'm1' }, { id: 'm1' }] })])).toEqual([
    ['post-set:duplicate_references', 'posts[0].media[1].id'],
  ])
  expect(problems([input({ id: 'p9', media: [{ id: 'm9' }] })])).toEqual([
    ['post-set:unknown_reference', 'posts[0].id'],
    ['post-set:unknown_reference', 'posts[0].media[0].id'],
  ])
  expect(problems([input({ id: 'p1', accountType: 'TWITTER' })])).toEqual([
    ['post-set:account_type_not_updatable', 'posts[0].accountType'],
  ])
  expect(problems([input({ media: [{ id: 'm1', mediaLibraryId: 'l2' }] })])).toEqual([
    ['request:invalid_body', 'posts[0].media[0].mediaLibraryId'],
  ])
  expect(problems([input({ id: 'p1' })], [])).toEqual([['post-set:unknown_reference', 'posts[0].id']])
})

describe('further parts', () => {
  const item = (id: string) => ({
    id,
    mediaId: 'l1',
    altText: null,
    title: null,
    description: null,
    link: null,
    tags: [],
    crop: null,
  })
  const threaded: PostContent[] = [
    {
      ...{ id: 'p1', accountType: 'BLUESKY', caption: 'one', fields: {}, media: [] },
      thread: [
        { id: 't1', caption: 'two', media: [item('m2')] },
        { id: 't2', caption: 'three', media: [] },
      ],
    },
  ]
  const threadOf = (inputs: PostInput[]) => {
    const plan = planPosts(inputs, threaded, ids(), 'REFUSE')
    return plan.ok ? plan.posts[0]?.thread : plan.entries.map(({ code, path }) => [code, path])
  }
  const kept = { id: 'p1' }

  test('stay as they are when they are left out, and go when there are none', () => {
    expect(threadOf([input({ ...kept })])).toEqual(threaded[0]?.thread)
    expect(threadOf([input({ ...kept, thread: null })])).toEqual([])
    expect(threadOf([input({ ...kept, thread: [] })])).toEqual([])
  })

  test('are kept by their ids in another order, with media that move between them', () => {
    const thread = [
      { id: 't2', caption: 'three', media: [{ id: 'm2' }] },
      { id: 't1', caption: 'two', media: [] },
      { caption: 'four', media: [] },
    ]
    expect(threadOf([input({ ...kept, thread })])).toEqual([
      { id: 't2', caption: 'three', media: [item('m2')] },
      { id: 't1', caption: 'two', media: [] },
      { id: 'new-1', caption: 'four', media: [] },
    ])
  })

  test('refuse ids that come twice or are not of the set', () => {
    const part = { id: 't1', caption: 'two', media: [] }
    expect(threadOf([input({ ...kept, thread: [part, part, { ...part, id: 'p1' }] })])).toEqual([
      ['post-set:duplicate_references', 'posts[0].thread[1].id'],
      ['post-set:duplicate_references', 'posts[0].thread[2].id'],
    ])
    expect(threadOf([input({ ...kept, media: [{ id: 'm2' }] })])).toEqual([
      ['post-set:duplicate_references', 'posts[0]'],
    ])
    expect(threadOf([input({ ...kept, thread: [{ ...part, id: 'other' }] })])).toEqual([
      ['post-set:unknown_reference', 'posts[0].thread[0].id'],
    ])
  })
})
