import fc from 'fast-check'
import { expect, test } from 'vitest'
import { diffPostSet, type PostSetContent } from './history-diff.ts'
import { mergeChanges } from './merge-changes.ts'

const post = (id: string, caption: string): PostSetContent['posts'][number] => ({
  id,
  accountType: 'BLUESKY',
  caption,
  fields: { options: null },
  media: [],
})

/** States of a set in which posts come, go, change and change places; an id that went does not come back. */
const states = fc
  .array(
    fc.record({
      posts: fc.uniqueArray(fc.record({ id: fc.constantFrom('a', 'b', 'c'), caption: fc.constantFrom('x', 'y') }), {
        selector: ({ id }) => id,
        minLength: 1,
      }),
      approval: fc.constantFrom('NONE', 'PENDING', 'APPROVED'),
      at: fc.constantFrom('2030-01-01', '2030-02-01'),
    }),
    { minLength: 1, maxLength: 6 },
  )
  .map((all) => {
    const generation = new Map<string, number>()
    let before = new Set<string>()
    return all.map(({ posts, approval, at }): PostSetContent => {
      const now = new Set(posts.map(({ id }) => id))
      for (const id of now) if (!before.has(id)) generation.set(id, (generation.get(id) ?? 0) + 1)
      before = now
      return {
        scheduledAt: new Date(at),
        status: 'DRAFT',
        approval: approval as PostSetContent['approval'],
        posts: posts.map(({ id, caption }) => post(`${id}${generation.get(id)}`, caption)),
      }
    })
  })

test('changes one after the other come to the difference of the first state and the last', () => {
  fc.assert(
    fc.property(states, (all) => {
      const [first] = all
      const last = all.at(-1)
      if (!first || !last) return
      const steps = all.slice(1).map((state, index) => diffPostSet(all[index] ?? first, state))
      const sorted = (changes: ReturnType<typeof mergeChanges>) => {
        const { posts, ...rest } = changes
        const by = (list: readonly { id: string }[] = []) => list.toSorted((a, b) => (a.id < b.id ? -1 : 1))
        return [rest, by(posts?.added), by(posts?.removed), by(posts?.changed)]
      }
      expect(sorted(mergeChanges(steps))).toEqual(sorted(diffPostSet(first, last)))
    }),
  )
})

test('a new order is that of the last change that had one', () => {
  const change = (order: string[]) => ({ posts: { order } })
  expect(mergeChanges([change(['a', 'b']), change(['b', 'a']), {}])).toEqual({ posts: { order: ['b', 'a'] } })
})
