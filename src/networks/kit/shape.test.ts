import { expect, test } from 'vitest'
import { compareShape, shapeOf } from './shape.ts'

test('a shape names keys and kinds, merges entries, and shows no text and no id', () => {
  const shape = shapeOf({
    data: [
      { id: '17841400000000000', username: 'corner_bakery', is_verified: true, status: 'PUBLISHED', tasks: [] },
      { id: 178414, username: null, is_verified: false, status: 'PUBLISHED', tasks: ['CREATE_CONTENT'] },
    ],
    scope: 'tweet.read tweet.write',
    expires_in: 7200,
    access_token: 'EAAG0123',
    code: 'ABCDEF',
    name: 'NASA',
    vanityName: 'NASA',
    locality: 'SPRINGFIELD',
    state: 'TX',
    verified_type: 'blue',
    user_id: 12,
  })
  expect(shape).toEqual({
    data: 'list of 2',
    'data[]': 'object',
    'data[].id': 'string | number',
    'data[].username': 'string | null',
    'data[].is_verified': 'true | false',
    'data[].status': '"PUBLISHED"',
    'data[].tasks': 'list of 0 | list of 1',
    'data[].tasks[]': '"CREATE_CONTENT"',
    scope: '"tweet.read tweet.write"',
    expires_in: '7200',
    access_token: 'string',
    code: 'string',
    name: 'string',
    vanityName: 'string',
    locality: 'string',
    state: 'string',
    verified_type: '"blue"',
    user_id: 'number',
  })
})

test('keys are masked too, a body that is no JSON has no shape, and a large one is cut', () => {
  const mask = (text: string) => text.replaceAll('1009', '…')
  expect(shapeOf({ '1009': { used: 1 } }, mask)).toEqual({ '…': 'object', '….used': 'number' })
  expect(shapeOf({ data: 1 }, (text) => text.replaceAll('data', '…'))).toEqual({ data: 'number' })
  expect(shapeOf(undefined)).toEqual({})
  const many = Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`key${index}`, 1]))
  expect(Object.keys(shapeOf(many))).toHaveLength(300)
  const deep = JSON.parse(`${'{"a":'.repeat(500)}1${'}'.repeat(500)}`) as unknown
  expect(Object.keys(shapeOf(deep)).length).toBeLessThan(20)
})

test('a shape is compared with what is documented', () => {
  const documented = ['data[].id', 'data[].name?', 'data[].owner.*', 'paging.*']
  const compare = (body: unknown) => compareShape(shapeOf(body), documented)
  expect(compare({ data: [{ id: '1', owner: { username: 'a' } }], paging: { next: 'b' } })).toEqual({
    missing: [],
    unknown: [],
  })
  // Nothing is missing in an empty list, and what is below an unknown key is not named.
  expect(compare({ data: [] })).toEqual({ missing: [], unknown: [] })
  expect(compare({ data: [{ name: 'a', cover: { url: 'b' } }], notice: [{ text: 'c' }] })).toEqual({
    missing: ['data[].id'],
    unknown: ['data[].cover', 'notice'],
  })
  expect(compareShape(shapeOf({ id: '1' }), ['id', 'name'])).toEqual({ missing: ['name'], unknown: [] })
})
