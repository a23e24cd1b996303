import fc from 'fast-check'
import { Pick } from './known.ts'

/** Values that programs stumble over, in any field. */

const text = (unit: string, length: number) => unit.repeat(length)

export const HOSTILE_TEXTS: readonly string[] = [
  '',
  ' ',
  '\0',
  'before\0behind',
  '\ud800',
  'half \udc00 of a pair',
  '\ud83d\ude00'.split('').reverse().join(''),
  '\u202eright to left\u202c \u0645\u0631\u062d\u0628\u0627',
  '👩‍👩‍👧‍👦🏳️‍🌈🇩🇪',
  'Z̸̢̛͎a̷l̶g̷o̵',
  '\ufeff\u200b\u2028\u2029\uffff',
  '\u0001\u001b[31m\r\n\t',
  text('a', 1_025),
  text('👍', 1_024),
  text('👍', 1_025),
  text('é', 5_001),
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  "'; drop table post_sets; --",
  '%_\\',
  '#{7*7}{{7*7}}',
  '../../etc/passwd',
  '<script>alert(1)</script>',
  'null',
  'NaN',
  '-1',
  '1e309',
  'http://user:secret@example.com/a.jpg',
  'file:///etc/passwd',
  'javascript:alert(1)',
  'http://[::1',
  'https://',
  '0197f3a0-0000-7000-8000-00000000000',
  '{0197f3a0-0000-7000-8000-000000000000}',
  'urn:uuid:0197f3a0-0000-7000-8000-000000000000',
  '00000000-0000-0000-0000-000000000000',
  'ffffffff-ffff-ffff-ffff-ffffffffffff',
]

/** What a database cannot store as text. */
const NOT_STORABLE = ['\0', 'before\0behind', '\ud800', 'half \udc00 of a pair']

/** A text for where one is expected. */
export const hostileText = fc.oneof(
  { weight: 2, arbitrary: fc.constantFrom(...HOSTILE_TEXTS) },
  { weight: 1, arbitrary: fc.constantFrom(...NOT_STORABLE) },
)

/** Times of all forms: good ones, those of other dialects, and those that cannot be. */
export const TIMES: readonly string[] = [
  '2026-03-01',
  '2026-03-01T10:00',
  '2026-03-01T10:00:00',
  '2026-03-01T10:00:00.123456789Z',
  '2026-03-01T10:00:00,5Z',
  '2026-03-01T10:00:00+14:00',
  '2026-03-01T10:00:00-23:59',
  '2026-03-01T10:00:00+0530',
  '2026-03-01T10:00:00-00:00',
  '2026-03-01T10:00:00+24:00',
  '2026-03-29T02:30:00',
  '2026-10-25T02:30:00',
  '2028-02-29',
  '2026-02-29',
  '2100-02-29T00:00:00Z',
  '2026-02-30T00:00:00Z',
  '2026-04-31',
  '2026-13-01',
  '2026-00-10',
  '2026-06-30T23:59:60Z',
  '2026-06-30T24:00:00Z',
  '2026-06-30T25:00:00Z',
  '1999-12-31T23:59:59.999Z',
  '2000-01-01T00:00:00Z',
  '2100-12-31T23:59:59.999Z',
  '2101-01-01T00:00:00Z',
  '0000-01-01T00:00:00Z',
  '0001-01-01',
  '9999-12-31T23:59:59Z',
  '9999-12-31T23:59:59-23:59',
  '+275760-09-13T00:00:00Z',
  '+275760-09-14T00:00:00Z',
  '-271821-04-20T00:00:00Z',
  '2026-W10-7',
  '2026-060',
  '20260301T100000Z',
  '2026-3-1',
  '2026-03-01 10:00:00',
  '2026-03-01t10:00:00z',
  '2026-03-01T10:00:00Z[Europe/Berlin]',
  '2026-03-01T10:00:00[u-ca=hebrew]',
  'Sun, 01 Mar 2026 10:00:00 GMT',
  '1772359200000',
  'now',
  'infinity',
  '\u0662\u0660\u0662\u0666-03-01',
]

export const NUMBERS: readonly number[] = [
  0, -0, 1, -1, 2, 10, 11, 12, 49, 50, 51, 100, 101, 1_024, 10_001, 0.5, -0.000_001, 1.000_000_1, 2_147_483_647,
  2_147_483_648, -2_147_483_649, 9_007_199_254_740_991, 9_007_199_254_740_994, 1e21, 1e308, -1e308, 5e-324,
]

/** Kinds of ids that may stand where another kind belongs. */
const KINDS = [
  'post-sets',
  'notes',
  'media-library',
  'media-upload',
  'labels',
  'social-sets',
  'posts',
  'media',
  'deleted',
]

export const anyPick = fc
  .tuple(fc.constantFrom(...KINDS), fc.nat(1_000), fc.boolean())
  .map(([kind, index, upperCase]) => new Pick(kind, index, upperCase))

function nested(depth: number): unknown {
  let value: unknown = 'deep'
  for (let left = depth; left > 0; left--) value = left % 2 === 0 ? [value] : { a: value }
  return value
}

const OBJECTS: readonly unknown[] = [
  {},
  [],
  [[]],
  [null],
  // As text: what these names mean in a program is not what is meant.
  ...[
    '{"__proto__":{"admin":true}}',
    '{"constructor":{"prototype":{"admin":true}}}',
    '{"toString":1,"valueOf":null,"then":1}',
    '{"length":2,"0":"a","1":"b"}',
  ].map((text) => JSON.parse(text) as unknown),
  Array.from({ length: 12 }, () => null),
  Array.from({ length: 101 }, () => ''),
  Array.from({ length: 2_000 }, (_, index) => index),
  Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`field${index}`, index])),
]

/** Of any code points, halves of pairs among them. fc.string would first make a table of them all, for a second. */
const anyText = fc
  .array(fc.integer({ min: 0, max: 0x10ffff }), { maxLength: 12 })
  .map((codePoints) => String.fromCodePoint(...codePoints))

/** Any value that JSON can say, most of them ill-willed. Depth that recursion may not survive is sent as raw text. */
export const hostileValue: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 3, arbitrary: fc.constant(null) },
  { weight: 6, arbitrary: fc.constantFrom(...HOSTILE_TEXTS) },
  { weight: 3, arbitrary: fc.constantFrom(...TIMES) },
  { weight: 4, arbitrary: fc.constantFrom(...NUMBERS) },
  { weight: 2, arbitrary: fc.boolean() },
  { weight: 3, arbitrary: anyPick },
  { weight: 4, arbitrary: fc.constantFrom(...OBJECTS) },
  { weight: 1, arbitrary: fc.constantFrom(20, 49, 50, 51, 52, 500).map(nested) },
  { weight: 2, arbitrary: anyText },
  { weight: 2, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
)

/** Names of fields that are not declared. */
export const hostileName = fc.oneof(
  fc.constantFrom(
    '__proto__',
    'constructor',
    'prototype',
    'toString',
    'hasOwnProperty',
    '',
    'a/b~c',
    'posts[0]',
    '\0',
    '\ud800',
    '👍',
  ),
  fc.string({ maxLength: 8 }),
)
