import Type from 'typebox'
import { expect, test } from 'vitest'
import { PostSet, pageOf } from '#contract'
import { EXAMPLES } from './examples.ts'
import { pruned } from './prune.ts'

const closed = { additionalProperties: false } as const
const orNull = <T extends Type.TSchema>(schema: T) => Type.Union([schema, Type.Null()])

test('what a schema does not name is left out, wherever it stands, and all else stays', () => {
  const schema = Type.Object(
    {
      name: Type.String(),
      list: Type.Array(Type.Object({ a: Type.Number() }, closed)),
      one: orNull(Type.Object({ b: Type.String() }, closed)),
      named: Type.Record(Type.String(), Type.Object({ c: Type.String() }, closed)),
      free: Type.Unknown(),
    },
    closed,
  )
  const secret = { token: 'secret' }
  const value = {
    name: 1,
    list: [{ a: 'x', ...secret }, 5],
    one: { b: null, ...secret },
    named: { x: { c: 'c', ...secret } },
    free: { any: 'thing' },
    ...secret,
  }
  expect(pruned(schema, value)).toEqual({
    name: 1,
    list: [{ a: 'x' }, 5],
    one: { b: null },
    named: { x: { c: 'c' } },
    free: { any: 'thing' },
  })
})

test('an object where a text, a number or one of some is meant is left out', () => {
  const schema = Type.Object({
    a: Type.String(),
    b: orNull(Type.Number()),
    c: Type.Enum(['x', 'y']),
    d: Type.Literal(1),
  })
  const secret = { token: 'secret' }
  const value = { a: secret, b: secret, c: secret, d: [secret] }
  expect(pruned(schema, value)).toEqual({ a: null, b: null, c: null, d: null })
})

test('of a union the branch counts that its constants mean', () => {
  const schema = Type.Union([
    Type.Object({ type: Type.Literal('A'), a: Type.String() }, closed),
    Type.Object({ type: Type.Literal('B'), b: Type.String() }, closed),
  ])
  expect(pruned(schema, { type: 'B', a: 'a', b: 5 })).toEqual({ type: 'B', b: 5 })
  expect(pruned(schema, { type: 'C', a: 'a', b: 'b' })).toBe(null)
})

test('a page whose posts do not fit is what it was, without what does not belong to them', () => {
  const set = structuredClone(EXAMPLES.PostSet) as { posts: Record<string, unknown>[] }
  const posts = set.posts.map((post) => ({ ...post, caption: null }))
  const page = {
    data: [{ ...set, posts }],
    pagination: { page: 1, size: 1, total: 1, totalPages: 1, totalIsExact: true },
  }
  const leaking = { ...page, data: [{ ...set, posts: posts.map((post) => ({ ...post, token: 'secret' })) }] }
  expect(posts.length).toBeGreaterThan(0)
  expect(pruned(pageOf(PostSet), leaking)).toEqual(page)
})
