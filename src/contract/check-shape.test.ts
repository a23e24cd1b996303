import Type from 'typebox'
import { expect, test } from 'vitest'
import { checkShape, checkTexts } from './check-shape.ts'

const closed = { additionalProperties: false } as const
const schema = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 3 }),
    note: Type.Optional(Type.Union([Type.String(), Type.Null()])),
    kind: Type.Optional(Type.Enum(['A', 'B'])),
    count: Type.Optional(Type.Integer({ minimum: 0, maximum: 9 })),
    segments: Type.Optional(
      Type.Array(
        Type.Union([
          Type.String(),
          Type.Object(
            {
              text: Type.String(),
              mention: Type.Optional(Type.Union([Type.Object({ id: Type.String() }, closed), Type.Null()])),
            },
            closed,
          ),
        ]),
        { maxItems: 3 },
      ),
    ),
    free: Type.Optional(Type.Unknown()),
  },
  closed,
)

const problems = (value: unknown, at?: (string | number)[]) => {
  const checked = checkShape(schema, value, at ? { at } : {})
  return checked.ok ? [] : checked.entries.map(({ path, message }) => [path, message])
}

test('a fitting value is given back as it came', () => {
  const value = { name: '😀😀😀', note: null, segments: ['a', { text: 'b', mention: null }], free: { deep: [1] } }
  const checked = checkShape(schema, value)
  expect(checked).toEqual({ ok: true, value })
})

test('every problem is reported at once, in words and at its place', () => {
  expect(problems({ note: 3, kind: 'C', count: 1.5, extra: 1, 'a/b~c': 2 })).toEqual([
    ['name', 'name is required.'],
    ['extra', 'extra is not a known field.'],
    ['a/b~c', 'a/b~c is not a known field.'],
    ['kind', 'kind must be one of A, B.'],
    ['count', 'count must be a whole number.'],
    ['note', 'note must be a string or null.'],
  ])
  expect(problems({ name: '', count: 10 })).toEqual([
    ['name', 'name must not be empty.'],
    ['count', 'count must be at most 9.'],
  ])
  expect(problems({ name: 'four', segments: ['', '', '', ''] })).toEqual([
    ['name', 'name must have at most 3 characters.'],
    ['segments', 'segments must have at most 3 elements.'],
  ])
  expect(problems(null)).toEqual([['', 'The body must be an object.']])
})

test('more problems than eight, and the first hundred of more', () => {
  const extra = Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`x${index}`, 1]))
  expect(problems({ name: 'a', ...extra })).toHaveLength(40)
  const many = Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`x${index}`, 1]))
  expect(problems({ name: 'a', ...many })).toHaveLength(100)
  const segments = Array.from({ length: 5_000 }, () => ({ text: 0, mention: { id: 0, x: 0 } }))
  expect(problems({ name: 'a', segments })).toHaveLength(100)
})

test('of a union, the branch that was meant speaks', () => {
  expect(problems({ name: 'a', segments: [{ text: 3 }, 4, { text: 'b', mention: { id: 1, x: 2 } }] })).toEqual([
    ['segments[0].text', 'segments[0].text must be a string.'],
    ['segments[1]', 'segments[1] must be a string or an object.'],
    ['segments[2].mention.x', 'segments[2].mention.x is not a known field.'],
    ['segments[2].mention.id', 'segments[2].mention.id must be a string.'],
  ])
})

test('problem-06: the place begins where the value is', () => {
  const checked = checkShape(schema, {}, { at: ['posts', 2], code: 'some:code' })
  expect(checked).toEqual({
    ok: false,
    entries: [
      { code: 'some:code', message: 'posts[2].name is required.', path: 'posts[2].name', pointer: '#/posts/2/name' },
    ],
  })
})

test('text that a database cannot hold is a problem, wherever it stands', () => {
  const entries = checkTexts({ name: 'a\0', free: { deep: ['ok', '\ud800', '😀'] } })
  expect(entries.map(({ path }) => path)).toEqual(['name', 'free.deep[1]'])
})

test('a field without a name is reported by its place', () => {
  const checked = checkShape(schema, { name: 'a', '': 1 })
  expect(checked).toEqual({
    ok: false,
    entries: [{ code: 'request:invalid_body', message: '[""] is not a known field.', path: '[""]', pointer: '#/' }],
  })
})
