import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { PostSetChanges } from '#contract'
import { diffPostSet, newId, type PostSetContent } from '#domain'
import { createDatabase } from '../../test/_util/database/database.ts'
import { type Database, openDatabase } from './database.ts'
import { addHistory } from './history.ts'
import { findChangesSince } from './history-since.ts'
import { listTextsSince } from './history-texts.ts'

const accountId = newId()
let db: Database
let drop: () => Promise<void>
beforeAll(async () => {
  const made = await createDatabase()
  db = openDatabase(made.url)
  drop = made.drop
  await db.insertInto('accounts').values({ id: accountId, name: 'A', slug: 'a', plan: 'PRO' }).execute()
})
afterAll(async () => {
  await db.destroy()
  await drop()
})

/** A set of which only the history is there; its changes led to versions 2, 3, … */
async function historyOf(changes: readonly PostSetChanges[]): Promise<string> {
  const postSetId = newId()
  const actor = { type: 'OPERATOR', id: null, name: 'operator' } as const
  await addHistory(
    db,
    changes.map((each) => ({ accountId, postSetId, actor, action: 'updated', changes: each }) as const),
  )
  const rows = await db
    .selectFrom('history')
    .select('id')
    .where('post_set_id', '=', postSetId)
    .orderBy('sequence')
    .execute()
  for (const [index, { id }] of rows.entries())
    await db
      .updateTable('history')
      .set({ version: index + 2 })
      .where('id', '=', id)
      .execute()
  return postSetId
}

const post = (id: string, caption: string): PostSetContent['posts'][number] => ({
  id,
  accountType: 'BLUESKY',
  caption,
  fields: { options: null },
  media: [],
  thread: [],
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
        externalId: null,
        posts: posts.map(({ id, caption }) => post(`${id}${generation.get(id)}`, caption)),
      }
    })
  })

/** What is different between two states, as it is found: names, and the texts behind them. */
function wanted(first: PostSetContent, last: PostSetContent) {
  const { posts = {}, ...rest } = diffPostSet(first, last)
  const named = [
    ...(posts.added ?? []).map(({ id }) => ({ id, what: 'added', names: [] as string[], fields: {} })),
    ...(posts.removed ?? []).map(({ id }) => ({ id, what: 'removed', names: [] as string[], fields: {} })),
    ...(posts.changed ?? []).map(({ id, fields }) => ({ id, what: 'changed', names: Object.keys(fields), fields })),
  ]
  return { rest: { scheduledAt: null, approval: null, ...rest }, posts: sorted(named) }
}

const sorted = <T extends { id: string }>(posts: readonly T[]) => posts.toSorted((a, b) => (a.id < b.id ? -1 : 1))

test('changes one after the other come to the difference of the first state and the last, from any version on', async () => {
  await fc.assert(
    fc.asyncProperty(states, fc.nat(), async (all, from) => {
      const start = from % all.length
      const [first, last] = [all[start], all.at(-1)]
      if (!first || !last) return
      const set = await historyOf(all.slice(1).map((state, index) => diffPostSet(all[index] ?? state, state)))
      const version = start + 1
      const { scheduledAt, approval, posts } = await findChangesSince(db, set, version)
      const read = posts.map(async ({ id, what, names }) => {
        const texts = what === 'changed' ? await listTextsSince(db, { postSetId: set, postId: id, version }) : []
        expect(texts.every(({ fromKept }) => fromKept)).toBe(true)
        return {
          id,
          what,
          names,
          fields: Object.fromEntries(texts.map(({ name, from: was, to }) => [name, { from: was, to }])),
        }
      })
      expect({ rest: { scheduledAt, approval }, posts: sorted(await Promise.all(read)) }).toEqual(wanted(first, last))
    }),
    { numRuns: 60 },
  )
})

test('a new order is that of the last change that had one', async () => {
  const order = [newId(), newId()]
  const set = await historyOf([{ posts: { order: order.toReversed() } }, { posts: { order } }, {}])
  expect(await findChangesSince(db, set, 1)).toMatchObject({ order, posts: [], actions: ['updated'] })
})
