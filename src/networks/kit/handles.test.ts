import Type from 'typebox'
import { expect, test } from 'vitest'
import { count, flag, handlesOf, list, maybe, moment, text } from './handles.ts'

const read = handlesOf({
  postId: text,
  parts: list(Type.String()),
  known: maybe(Type.Array(Type.String())),
  upload: maybe(Type.Object({ id: Type.String() })),
  sent: flag,
  tries: count,
  since: moment,
})
const nothing = { postId: null, parts: [], known: null, upload: null, sent: false, tries: 0, since: null }

test('before anything is kept all of it is known to be missing', () => {
  expect(read({})).toEqual(nothing)
  expect(read({ postId: null, upload: null, since: null, verdict: { kind: 'fresh' } })).toEqual(nothing)
})

test('what is kept is read as it was stored', () => {
  const kept = { postId: '7', parts: ['a'], known: [], upload: { id: 'u', more: 1 }, sent: true, tries: 2 }
  expect(read({ ...kept, since: '2026-11-21T10:00:00.000Z' })).toEqual({
    ...kept,
    since: new Date('2026-11-21T10:00:00Z'),
  })
})

test.each([{ postId: 7 }, { parts: 'a' }, { known: [1] }, { upload: {} }, { sent: 1 }, { tries: '1' }])(
  'what has another shape is not taken for nothing: %j',
  (handles) => {
    expect(() => read(handles)).toThrow(`The handle ${Object.keys(handles)[0]} has another shape.`)
  },
)
