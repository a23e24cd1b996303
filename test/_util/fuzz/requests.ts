import fc from 'fast-check'
import { HEADER_BYTES } from '../../../src/http/header-bounds.ts'
import { attacks, sendableText } from '../api/hostile-text.ts'
import { anyPick, HOSTILE_TEXTS, hostileName, hostileText, hostileValue, NUMBERS, TIMES } from './hostile.ts'
import { Pick } from './known.ts'
import type { Operation } from './operations.ts'
import { validValue, wildValue } from './values.ts'

/** One thing that is done to a body before it is sent, somewhere in it. */
export interface Mutation {
  kind: 'drop' | 'replace' | 'add' | 'rename' | 'twice' | 'wrap' | 'spoil'
  /** Which of its places, counted from the outside. */
  at: number
  name: string
  value: unknown
  /** In the place of a text or a number, when one is spoiled: the rest stays good. */
  text: string
  number: number
}

/** What a request sends as its body. */
export type BodyPlan =
  | { from: 'nothing' }
  | { from: 'values'; value: unknown; mutations: Mutation[] }
  /** The record as it was answered, with some fields of the value: what clients do that read, change and send back. */
  | { from: 'record'; value: unknown; mutations: Mutation[]; take: number }
  /** JSON of the value, made unreadable. */
  | { from: 'broken'; value: unknown; how: Breaking }
  | { from: 'text'; text: string | Uint8Array }

export type Breaking = 'cut' | 'comma' | 'byte order mark' | 'double key' | 'NaN' | 'single quotes' | 'latin1'

/** A request as it is generated. Ids are filled in when it is sent, so that it means something. */
export interface Recipe {
  operation: Operation
  /** The description allows every part of it. */
  valid: boolean
  /** Of the path. */
  id: unknown
  query: [name: string, value: unknown][]
  /** Pieces of the query string that are sent as they are. */
  queryTwists: string[]
  body: BodyPlan
  /** Name of the credential; see stage.ts. */
  caller: string
  headers: Record<string, string>
  /** In place of the operation's own. */
  method: string | null
  path: string | null
}

/** `often` times nothing, once the value. */
function seldom<T>(often: number, arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | null> {
  return fc.oneof({ weight: often, arbitrary: fc.constant(null) }, { weight: 1, arbitrary })
}

const mutation: fc.Arbitrary<Mutation> = fc.record({
  kind: fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom('replace') },
    { weight: 6, arbitrary: fc.constantFrom('spoil') },
    { weight: 5, arbitrary: fc.constantFrom('drop', 'add', 'rename', 'twice', 'wrap') },
  ),
  at: fc.nat(200),
  name: hostileName,
  value: fc.oneof({ weight: 5, arbitrary: hostileValue }, { weight: 1, arbitrary: fc.constantFrom(...TIMES) }),
  text: hostileText,
  number: fc.constantFrom(...NUMBERS),
})
const mutations = fc.array(mutation, { minLength: 1, maxLength: 3 })

const RAW_BODIES: readonly (string | Uint8Array)[] = [
  '',
  ' ',
  'null',
  'true',
  '0',
  '""',
  '[]',
  '{}',
  '{',
  '"\\ud800"',
  '{"posts":[1e999]}',
  '{"__proto__":{"x":1},"posts":[]}',
  'socialSetId=1&status=DRAFT',
  '<xml/>',
  new Uint8Array([0xff, 0xfe, 0x00]),
  new Uint8Array([0x22, 0xc3, 0x28, 0x22]),
]

/** Rarely sent, for they are large. */
const LARGE_BODIES: readonly string[] = [
  `${'['.repeat(100_000)}${']'.repeat(100_000)}`,
  `${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`,
  `{"posts":${'['.repeat(100_000)}${']'.repeat(100_000)}}`,
  `{"status":"DRAFT","scheduledAt":${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}}`,
  `{"posts":[${'{},'.repeat(200_000)}{}]}`,
  `{"caption":"${'x'.repeat(1_048_576)}"}`,
]

const nothing: fc.Arbitrary<BodyPlan> = fc.constant({ from: 'nothing' })
const noMutations = fc.constant<Mutation[]>([])

function bodyOf({ body, method }: Operation): fc.Arbitrary<BodyPlan> {
  const text: fc.Arbitrary<BodyPlan> = fc.record({ from: fc.constant('text'), text: fc.constantFrom(...RAW_BODIES) })
  if (!body) return fc.oneof({ weight: 8, arbitrary: nothing }, { weight: 1, arbitrary: text })
  const valid = validValue(body)
  const wild = wildValue(body)
  const large: fc.Arbitrary<BodyPlan> = fc.record({ from: fc.constant('text'), text: fc.constantFrom(...LARGE_BODIES) })
  const broken: fc.Arbitrary<BodyPlan> = fc.record({
    from: fc.constant('broken'),
    value: valid,
    how: fc.constantFrom('cut', 'comma', 'byte order mark', 'double key', 'NaN', 'single quotes', 'latin1'),
  })
  const values = (value: fc.Arbitrary<unknown>, some: fc.Arbitrary<Mutation[]>): fc.Arbitrary<BodyPlan> =>
    fc.record({ from: fc.constant('values'), value, mutations: some })
  return fc.oneof(
    { weight: 40, arbitrary: values(valid, mutations) },
    { weight: 20, arbitrary: values(wild, noMutations) },
    { weight: 6, arbitrary: values(hostileValue, noMutations) },
    { weight: method === 'PATCH' ? 30 : 0, arbitrary: recordOf(valid, mutations) },
    { weight: 4, arbitrary: text },
    { weight: 4, arbitrary: broken },
    { weight: 3, arbitrary: nothing },
    { weight: 1, arbitrary: large },
  )
}

const recordOf = (value: fc.Arbitrary<unknown>, some: fc.Arbitrary<Mutation[]>): fc.Arbitrary<BodyPlan> =>
  fc.record({ from: fc.constant('record'), value, mutations: some, take: fc.nat(255) })

function queryOf({ query }: Operation, wild: boolean): fc.Arbitrary<[string, unknown][]> {
  const present = query.map(({ name, required, schema }) => {
    const values = wild ? wildValue(schema, name) : validValue(schema, name)
    const wanted =
      required && !wild
        ? values
        : fc.oneof({ weight: required ? 0 : 2, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: values })
    return wanted.map((value): [string, unknown][] =>
      value === undefined ? [] : [value].flat().map((each) => [name, each]),
    )
  })
  const pairs = fc.tuple(...present).map((parts) => parts.flat())
  return wild ? pairs : pairs.map((given) => given.filter(([, value]) => value !== null))
}

const QUERY_TWISTS: readonly string[] = [
  'unknown=1',
  'page=0',
  'page=2&page=3',
  'page=101&size=100',
  'page=100&size=100',
  'size=101',
  'page=1e1',
  'page=%201',
  'page=٣',
  'size=-1',
  '__proto__=1',
  '__proto__[polluted]=1',
  'constructor[prototype][polluted]=1',
  'filters=1',
  'filters[]=1',
  'filters[status]=DRAFT',
  'filters[status][0]=DRAFT&filters[status][]=SCHEDULED',
  'filters[status][x]=DRAFT',
  'filters[status][]=draft',
  'filters%5Bstatus%5D%5B%5D=PUBLISHED',
  'filters[labelsId][]=%00',
  'filters[labelsId][]=nothing',
  'filters[search]=ab',
  'filters[search]=%F0%9F%91%8D',
  'filters[search]=a%00b',
  'sort[scheduledAt]=asc',
  'sort[scheduledAt]=DESC&sort[scheduledAt]=ASC',
  'sort[createdAt]=DESC&sort[scheduledAt]=DESC',
  'socialSetId',
  'socialSetId=&socialSetId=',
  '%',
  '%zz=1',
  'a=%C3%28',
  'a=%ED%A0%80',
  'a=%u0041',
  '&&&==&=',
  '?',
  '#',
  '+',
  'a;b=1',
  Array.from({ length: 501 }, (_, index) => `p${index}=`).join('&'),
  `filters[search]=${'x'.repeat(5_000)}`,
]
const queryTwist = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...QUERY_TWISTS) },
  { weight: 3, arbitrary: fc.constantFrom(...TIMES).map((time) => `filters[startDate]=${encodeURIComponent(time)}`) },
  { weight: 3, arbitrary: fc.constantFrom(...TIMES).map((time) => `filters[endDate]=${encodeURIComponent(time)}`) },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom(...HOSTILE_TEXTS)
      .map((text) => `filters[search]=${encodeURIComponent(text.toWellFormed())}`),
  },
)

const HEADERS: readonly Record<string, string>[] = [
  { 'content-type': 'text/plain' },
  { 'content-type': 'application/x-www-form-urlencoded' },
  { 'content-type': 'application/json; charset=utf-8' },
  { 'content-type': 'application/json; charset=latin1' },
  { 'content-type': 'application/JSON;charset="UTF-8"' },
  { 'content-type': 'application/json, text/plain' },
  { 'content-type': 'multipart/form-data; boundary=x' },
  { 'content-type': ';' },
  { 'content-type': '' },
  { 'content-encoding': 'gzip' },
  { 'content-encoding': 'identity' },
  { accept: 'application/json' },
  { accept: 'text/html, */*;q=0.1' },
  { accept: 'text/html' },
  { accept: 'application/json;q=0' },
  { accept: ',;q=,' },
  { 'x-http-method-override': 'DELETE' },
  { 'x-forwarded-for': '10.0.0.1, evil', 'x-forwarded-host': 'evil.example' },
  { 'x-request-id': 'mine' },
  { range: 'bytes=0-1' },
  { 'if-none-match': '*' },
  { cookie: 'a=b; __proto__=1' },
]
/** What the checker of expressions found, in headers that are read, below, at and above their bounds. */
const hostileHeader: fc.Arbitrary<Record<string, string>> = fc
  .record({
    name: fc.constantFrom(
      ...Object.keys({ ...HEADER_BYTES.ignored, ...HEADER_BYTES.refused }),
      ...['cookie', 'referer', 'x-forwarded-for', 'content-type'],
    ),
    attack: fc.constantFrom(...attacks()),
    length: fc.constantFrom(100, 1_024, 4_096, 8_000),
  })
  .map(({ name, attack, length }) => ({ [name]: sendableText(attack, length) }))

const IF_MATCH: readonly string[] = [
  '*',
  '"1"',
  '"2"',
  '"1", "2", "3"',
  'W/"1"',
  '1',
  '"',
  '',
  '""',
  '"999999999999999999999"',
  'ÿ',
  ',,,',
]

/** Few, so that some are sent again, most of them with another request. */
const KEYS: readonly string[] = ['a', 'b', 'c', '"a"', 'x'.repeat(255), 'x'.repeat(256), '', ' ', 'a\tb', 'ÿ', 'a, a']

const headersOf = ({ takesIfMatch, takesKey }: Operation): fc.Arbitrary<Record<string, string>> =>
  fc.oneof(
    { weight: takesKey ? 6 : 1, arbitrary: fc.constantFrom(...KEYS).map((key) => ({ 'idempotency-key': key })) },
    { weight: 3, arbitrary: fc.constantFrom(...HEADERS) },
    { weight: 1, arbitrary: hostileHeader },
    { weight: takesIfMatch ? 6 : 1, arbitrary: fc.constantFrom(...IF_MATCH).map((tag) => ({ 'if-match': tag })) },
  )

const METHODS = ['HEAD', 'OPTIONS', 'GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'PROPFIND', 'QUERY', 'NONSENSE']

const STRAY_PATHS: readonly string[] = [
  '/',
  '/v1',
  '/v1/',
  '/v1/unknown',
  '/V1/post-sets',
  '/v1//post-sets',
  '/v1/post-sets/',
  '/v1/post-sets/a/b',
  '/v1/./post-sets',
  '/v1/../v1/post-sets',
  '/v1/post-sets/..',
  '/v1/post-sets/validate',
  '/v1/post-sets/%76alidate',
  '/%76%31/post-sets',
  '/v1/post%2Dsets',
  '/v1/post-sets%2F',
  '/v1%2Fpost-sets',
  '/v1/post-sets;a=b',
  '/v1/%',
  '/v1/%zz',
  '/v1/%00',
  '/v1/%C3%28',
  '/v1/post-sets/%',
  '/v1/post-sets/%E0%A4%A',
  '/v1/post-sets/ÿ',
  '/v1/media-upload',
  '/v1/media-library/x/y',
  '/v1/notes/',
  '/media/x/original',
  '/media/%00/..%2f..%2fetc%2fpasswd',
  '/docs/errors/__proto__',
  '/docs/errors/%00',
  '/sandbox',
  '/healthz/x',
  '/feeds/x.ics',
  `/feeds/${'a'.repeat(43)}.ics`,
  // The address of a calendar that there is.
  '/feeds/{feeds}.ics',
  '/shared/view/x/calendar?from=2030-01-01&to=2030-02-01',
  '/shared/view/01900000-0000-7000-8000-000000000000/posts/x/comments',
  '/shared/view/x/media/y/original',
  `/v1/post-sets/${'a'.repeat(9_000)}`,
]

/** An id in a path: a known one, one of something else, or none at all. */
function pathId({ resource }: Operation, wild: boolean): fc.Arbitrary<unknown> {
  // The newest few are asked for so often that requests meet at them.
  const known = fc.oneof(fc.nat(3), fc.nat(1_000)).map((index) => new Pick(resource, index))
  if (!wild) return known
  return fc.oneof(
    { weight: 12, arbitrary: known },
    { weight: 1, arbitrary: fc.nat(1_000).map((index) => new Pick(resource, index, true)) },
    { weight: 2, arbitrary: anyPick },
    { weight: 1, arbitrary: fc.constantFrom(...HOSTILE_TEXTS) },
  )
}

/** A request that the description allows in every part. */
function validRequest(operation: Operation, callers: readonly string[]): fc.Arbitrary<Recipe> {
  const { body, method } = operation
  const valid = body ? validValue(body) : null
  const values: fc.Arbitrary<BodyPlan> | null =
    valid && fc.record({ from: fc.constant('values'), value: valid, mutations: noMutations })
  const withRecord = values && valid && method === 'PATCH' ? fc.oneof(values, recordOf(valid, noMutations)) : values
  return fc.record({
    operation: fc.constant(operation),
    valid: fc.constant(true),
    id: pathId(operation, false),
    query: queryOf(operation, false),
    queryTwists: fc.constant<string[]>([]),
    body: withRecord ?? nothing,
    caller: seldom(9, fc.constantFrom(...callers)).map((name) => name ?? 'main'),
    headers: fc.constant<Record<string, string>>({}),
    method: fc.constant(null),
    path: fc.constant(null),
  })
}

/** A request with anything in it, most of it near to what the description allows. */
function wildRequest(operation: Operation, callers: readonly string[]): fc.Arbitrary<Recipe> {
  return fc.record({
    operation: fc.constant(operation),
    valid: fc.constant(false),
    id: pathId(operation, true),
    query: fc.oneof(queryOf(operation, false), queryOf(operation, true)),
    queryTwists: seldom(operation.query.length > 0 ? 1 : 8, fc.array(queryTwist, { minLength: 1, maxLength: 2 })).map(
      (twists) => twists ?? [],
    ),
    body: bodyOf(operation),
    caller: fc.oneof(
      { weight: 7, arbitrary: fc.constant('main') },
      { weight: 3, arbitrary: fc.constantFrom(...callers) },
    ),
    headers: seldom(5, headersOf(operation)).map((headers) => headers ?? {}),
    method: seldom(15, fc.constantFrom(...METHODS)),
    path: seldom(25, fc.constantFrom(...STRAY_PATHS)),
  })
}

/** Writing is asked for more often than reading: it is where something may be left half done. */
const WEIGHTS: Readonly<Record<string, number>> = {
  GET: 2,
  POST: 3,
  PATCH: 6,
  DELETE: 2,
  // What most else is about; without enough of them there is little to change.
  'POST /v1/post-sets': 8,
}

/** There are ten of them, of which an account has twenty things. */
const SELDOM = /\/webhooks/

/** Requests over all operations; two of five are valid in every part. */
export function anyRequest(
  operations: readonly Operation[],
  callers: { all: readonly string[]; whole: readonly string[] },
): fc.Arbitrary<Recipe> {
  return fc.oneof(
    ...operations.flatMap((operation) => {
      const weight = SELDOM.test(operation.name) ? 1 : (WEIGHTS[operation.name] ?? WEIGHTS[operation.method] ?? 1)
      return [
        { weight: 2 * weight, arbitrary: validRequest(operation, callers.whole) },
        { weight: 3 * weight, arbitrary: wildRequest(operation, callers.all) },
      ]
    }),
  )
}
