import { expect, test } from 'vitest'
import { checkPostSetCreate } from './check-post-set.ts'

const set = { socialSetId: 'a', scheduledAt: '2030-01-01T00:00:00Z', status: 'DRAFT', approval: 'NONE' }
const problemsOf = (posts: unknown) => {
  const checked = checkPostSetCreate({ ...set, posts })
  return checked.ok ? [] : checked.entries
}

/** What may not be looked at: reading anything of it fails. Texts are looked through before, in every part. */
const shut = new Proxy(
  {},
  {
    get() {
      throw new Error('It was looked at.')
    },
  },
)

test('a twelfth post is one problem, and no post is looked at', () => {
  expect(problemsOf(Array(12).fill(shut))).toEqual([
    expect.objectContaining({ path: 'posts', limit: 11, actual: 12, message: expect.stringMatching(/at most 11/) }),
  ])
})

test('a 51st media item is one problem of its post, and no item is looked at', () => {
  const posts = [
    { accountType: 'TWITTER', caption: 1, media: Array(51).fill(shut) },
    { accountType: 'TWITTER', caption: 1, media: [] },
  ]
  expect(problemsOf(posts)).toEqual([
    expect.objectContaining({ path: 'posts[0].media', limit: 50, actual: 51, accountType: 'TWITTER' }),
    expect.objectContaining({ path: 'posts[1].caption' }),
  ])
})

test('behind a hundred problems no further post is looked at', () => {
  const wrong = Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`x${index}`, 0]))
  const post = { accountType: 'TWITTER', caption: '', media: [], ...wrong }
  let looked = 0
  const last = {
    ...post,
    get accountType() {
      looked += 1
      return 'TWITTER'
    },
  }
  expect(problemsOf([post, last])).toHaveLength(120)
  expect(looked).toBeGreaterThan(1)
  looked = 0
  expect(problemsOf([post, post, last])).toHaveLength(120)
  // By what looks for broken texts.
  expect(looked).toBe(1)
})

test('a field with a name of any length is reported by its beginning', () => {
  const [problem] = problemsOf([{ accountType: 'TWITTER', caption: '', media: [], ['n'.repeat(100_000)]: 0 }])
  expect(JSON.stringify(problem).length).toBeLessThan(1_000)
  expect(problem?.path).toBe(`posts[0].${'n'.repeat(100)}…`)
})
