import Type from 'typebox'
import { describe, expect, test } from 'vitest'
import { askedBody, askedQuery, given } from './asked.ts'
import { entryAt, ProblemError } from './problem.ts'

const LIST = Type.Object({
  socialSetId: Type.String(),
  page: Type.Optional(Type.Integer({ minimum: 1, maximum: 10_000, default: 1 })),
  size: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 20 })),
  'filters[status][]': Type.Optional(Type.Array(Type.Enum(['DRAFT', 'SCHEDULED']))),
  'filters[labelsId][]': Type.Optional(Type.Array(Type.String())),
  'filters[search]': Type.Optional(Type.String({ minLength: 2 })),
  'sort[at]': Type.Optional(Type.Enum(['ASC', 'DESC'])),
  'sort[by]': Type.Optional(Type.Enum(['ASC', 'DESC'])),
  now: Type.Optional(Type.Boolean()),
})
const problems = (work: () => unknown): string[] => {
  try {
    work()
  } catch (error) {
    if (error instanceof ProblemError) return [error.code, ...error.entries.map(({ message }) => message)]
    throw error
  }
  return []
}

describe('a query string', () => {
  test('is read by its schema, in the order in which it came', () => {
    const text =
      'sort[by]=DESC&filters[status][]=DRAFT&filters[status][0]=SCHEDULED&now=true&sort[at]=ASC&socialSetId=s'
    const query = askedQuery(LIST, text).read()
    expect(query).toEqual({
      'sort[by]': 'DESC',
      'filters[status][]': ['DRAFT', 'SCHEDULED'],
      now: true,
      'sort[at]': 'ASC',
      socialSetId: 's',
      page: 1,
      size: 20,
    })
    expect(Object.keys(query).filter((name) => name.startsWith('sort'))).toEqual(['sort[by]', 'sort[at]'])
  })

  test.each([
    ['', ['socialSetId is required.']],
    ['socialSetId=a&socialSetId=b', ['socialSetId may be given once only.']],
    ['socialSetId=a&page=0', ['page must be a whole number from 1 to 10000.']],
    ['socialSetId=a&page=9999&size=100', ['page times size must be at most 10000: narrow the filters instead.']],
    ['socialSetId=a&filters[status]=X', ['filters[status] must be one of DRAFT, SCHEDULED.']],
    ['socialSetId=a&filters[search]=x', ['filters[search] must have at least 2 characters.']],
    ['socialSetId=a&now=1', ['now must be one of true, false.']],
    ['socialSetId[]=a&now=false', ['socialSetId[] is not a known parameter.']],
    [
      'socialSetId=a&colour=red&size=x',
      ['size must be a whole number from 1 to 100.', 'colour is not a known parameter.'],
    ],
  ])('%s', (text, expected) => {
    expect(problems(() => askedQuery(LIST, text).read())).toEqual(['request:invalid_query', ...expected])
  })

  test('says what else is wrong with it beside that', () => {
    const query = askedQuery(LIST, 'filters[labelsId][]=x&more')
    const found = problems(() =>
      query.read((read, problem) => {
        expect(read).toMatchObject({ 'filters[labelsId][]': ['x'] })
        problem('filters[labelsId][]', 'is odd')
      }),
    )
    expect(found.slice(1)).toEqual([
      'socialSetId is required.',
      'filters[labelsId][] is odd.',
      'more is not a known parameter.',
    ])
  })

  test('of an endpoint without parameters has none', () => {
    expect(askedQuery(undefined, '').read()).toEqual({})
    expect(problems(() => askedQuery(undefined, 'a=1').read())).toEqual([
      'request:invalid_query',
      'a is not a known parameter.',
    ])
  })

  test('can be looked at before its turn', () => {
    expect(askedQuery(LIST, 'socialSetId=a&socialSetId=b&bad').peek().socialSetId).toBe('a')
  })
})

describe('a body', () => {
  const BODY = Type.Object(
    { name: Type.String(), count: Type.Optional(Type.Number()) },
    { additionalProperties: false },
  )
  const OPTIONAL = Type.Object({ count: Type.Optional(Type.Number()) }, { additionalProperties: false })

  test('is read behind the query string', () => {
    const order: string[] = []
    const body = askedBody(BODY, { name: 'n' }, () => order.push('query'))
    expect(body.peek().name).toBe('n')
    expect(order).toEqual([])
    expect(body.read()).toEqual({ name: 'n' })
    expect(order).toEqual(['query'])
  })

  test('of another shape is refused with what else is wrong', () => {
    const body = askedBody(BODY, { name: 'a\0', extra: 1 }, () => {})
    const found = problems(() =>
      body.read(({ name }) => [entryAt(['name'], 'request:invalid_body', `${name === 'a\0'}`)]),
    )
    expect(found).toEqual([
      'request:invalid_body',
      'extra is not a known field.',
      'name must not contain the NUL character or half of a character.',
      'true',
    ])
  })

  test.each([[null], ['text'], [[]], [undefined]])('%s is none', (value) => {
    const body = askedBody(BODY, value, () => {})
    expect(body.peek().name).toBeUndefined()
    expect(problems(() => body.read())[0]).toBe('request:invalid_body')
  })

  test('may be missing where nothing must be there', () => {
    expect(askedBody(OPTIONAL, undefined, () => {}).read()).toEqual({})
    expect(problems(() => askedBody(OPTIONAL, null, () => {}).read())).toEqual([
      'request:invalid_body',
      'The body must be an object.',
    ])
  })

  test('that one part of the house gives to another is checked for what else is wrong', () => {
    const body = given({ name: 'n' })
    expect(body.read()).toEqual({ name: 'n' })
    const entry = entryAt(['name'], 'request:invalid_body', 'name is odd.')
    expect(problems(() => body.read(() => [entry]))).toEqual(['request:invalid_body', 'name is odd.'])
  })
})
