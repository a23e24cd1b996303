import fc from 'fast-check'
import { anyPick, hostileName, hostileValue, TIMES } from './hostile.ts'
import { Pick } from './known.ts'
import type { Schema } from './operations.ts'

/**
 * Arbitraries for the schemas of the description. What a text means there is said in words only; these are its names.
 * Ids are picks: `home` is the social set of the caller, `home-media` what its library has.
 */
const MEANINGS: readonly [name: RegExp, arbitrary: fc.Arbitrary<unknown>][] = [
  [
    /^socialSetIds?$/,
    fc.oneof(
      { weight: 8, arbitrary: fc.constant(new Pick('home', 0)) },
      { weight: 1, arbitrary: fc.nat(20).map((index) => new Pick('social-sets', index)) },
    ),
  ],
  [/^mediaLibraryId$/, fc.nat(11).map((index) => new Pick('home-media', index))],
  [/labelsId/, fc.nat(20).map((index) => new Pick('labels', index))],
  [/^since$/, timeBetween('2030-01-01', '2030-06-30')],
  [/startDate/, timeBetween('2030-01-01', '2030-06-30')],
  [/endDate/, timeBetween('2030-07-01', '2030-12-31')],
  [
    /scheduledAt$/,
    fc.oneof(
      { weight: 3, arbitrary: timeBetween('2030-01-01', '2030-12-31') },
      timeBetween('2001-01-01', '2099-12-31'),
    ),
  ],
  [
    /^url$/,
    fc
      .tuple(fc.constantFrom('http', 'https'), fc.domain(), fc.nat())
      .map(([scheme, host, file]) => `${scheme}://${host}/${file}.jpg?a=ü`),
  ],
  [/search/, fc.constantFrom('hello', 'HELLO', 'wörld', '%_%', '👍👍👍', 'nothing has this')],
]

/** Read-only fields and references to what a set has already: a new body does without them. */
const NOT_TO_SEND = /^(Read-only|As answered|On update)/

const words = fc.constantFrom(
  'hello',
  'Hello wörld',
  'a #tag and an @mention',
  'https://example.com',
  'مرحبا',
  '👍👩‍👩‍👧‍👦',
)

/** Times in every form that is understood. */
function timeBetween(from: string, to: string): fc.Arbitrary<string> {
  const form = fc.constantFrom('Z', '', '+02:00', '-0530', 'date', 'short', 'long')
  const date = fc.date({ min: new Date(from), max: new Date(to), noInvalidDate: true })
  return fc.tuple(date, form).map(([at, kind]) => {
    const text = at.toISOString()
    if (kind === 'Z') return text
    if (kind === 'date') return text.slice(0, 10)
    if (kind === 'short') return `${text.slice(0, 16)}Z`
    return kind === 'long' ? text.replace('Z', '999999Z') : text.replace('Z', kind)
  })
}

/** What the schema of a field of this name asks for. */
export function validValue(schema: Schema, name = ''): fc.Arbitrary<unknown> {
  if (schema.anyOf) {
    // A reference that is null refers to nothing, and a set repeats only once.
    const branches = name === 'mediaLibraryId' ? schema.anyOf.filter(({ type }) => type !== 'null') : schema.anyOf
    const weightOf = ({ type }: Schema) => (type !== 'null' ? 3 : name === 'repeat' ? 9 : 1)
    return fc.oneof(...branches.map((branch) => ({ weight: weightOf(branch), arbitrary: validValue(branch, name) })))
  }
  if ('const' in schema) return fc.constant(schema.const)
  // The first is the plain one, which every plan and state allows.
  if (schema.enum) return fc.oneof(fc.constantFrom(...schema.enum.slice(0, 1)), fc.constantFrom(...schema.enum))
  switch (schema.type) {
    case 'string':
      return MEANINGS.find(([meant]) => meant.test(name))?.[1] ?? textOf(schema)
    case 'integer':
    case 'number':
      return numberOf(schema)
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    case 'array':
      return arrayOf(schema, name)
    case 'object':
      return objectOf(schema)
    default:
      return fc.jsonValue({ maxDepth: 2 })
  }
}

function textOf({ minLength = 0, maxLength = 1_000 }: Schema): fc.Arbitrary<string> {
  const fits = (text: string) => [...text].length >= minLength && [...text].length <= maxLength
  const few = fc.string({ unit: 'grapheme', minLength, maxLength: Math.min(maxLength, 30) }).filter(fits)
  const most = maxLength > 10_000 ? 1 : 5
  return fc.oneof(
    { weight: 100, arbitrary: words.filter(fits) },
    { weight: 50, arbitrary: few },
    { weight: most, arbitrary: fc.constantFrom(minLength, maxLength).map((length) => '👍'.repeat(length)) },
  )
}

/** Small ones mostly: a series of three shows as much as one of fifty. */
function numberOf({ type, minimum = 0, maximum = 10_000 }: Schema): fc.Arbitrary<number> {
  const few = Math.min(minimum + 3, maximum)
  if (type === 'integer') {
    const small = fc.integer({ min: minimum, max: few })
    return fc.oneof(
      { weight: 9, arbitrary: small },
      { weight: 1, arbitrary: fc.integer({ min: minimum, max: maximum }) },
    )
  }
  return fc.double({ min: minimum, max: few, noNaN: true })
}

function arrayOf(schema: Schema, name: string): fc.Arbitrary<unknown[]> {
  const { items = {}, minItems = 0, maxItems = 200 } = schema
  const item = validValue(items, name)
  const few = { minLength: minItems, maxLength: Math.min(maxItems, minItems + 3) }
  // One post for each account type: what two of one come to is met less often.
  const selector = (value: unknown) => (value as { accountType?: string } | null)?.accountType ?? value
  return fc.oneof(
    { weight: 12, arbitrary: fc.uniqueArray(item, { ...few, selector }) },
    { weight: 2, arbitrary: fc.array(item, few) },
    { weight: 1, arbitrary: fc.uniqueArray(item, { minLength: minItems, maxLength: maxItems, selector, size: 'max' }) },
  )
}

function objectOf({ properties = {}, required = [] }: Schema): fc.Arbitrary<Record<string, unknown>> {
  const sent = Object.entries(properties).filter(([, schema]) => !NOT_TO_SEND.test(descriptionOf(schema)))
  const values = Object.fromEntries(sent.map(([name, schema]) => [name, validValue(schema, name)]))
  // That one of two references must be there is said in words only.
  const requiredKeys = Object.keys(values).filter((name) => required.includes(name) || name === 'mediaLibraryId')
  const record = fc.record(values, { requiredKeys }) as fc.Arbitrary<Record<string, unknown>>
  if (!properties.caption || !properties.richCaption) return record
  // Segments must add up to the caption; mostly they do.
  return fc
    .tuple(record, fc.integer({ min: 1, max: 8 }))
    .map(([post, chance]) => (chance > 1 ? { ...post, richCaption: [post.caption] } : post))
}

function descriptionOf({ description, anyOf = [] }: Schema): string {
  return description ?? anyOf.map(descriptionOf).join('')
}

/** What looks like the schema and breaks it here and there: every field may be there, missing or hostile. */
export function wildValue(schema: Schema, name = ''): fc.Arbitrary<unknown> {
  const meant = { weight: 8, arbitrary: validValue(schema, name) }
  const hostile = { weight: 1, arbitrary: fc.oneof(hostileValue, beyond(schema)) }
  if (/Date|scheduledAt$/.test(name))
    return fc.oneof(meant, hostile, { weight: 4, arbitrary: fc.constantFrom(...TIMES) })
  if (/[iI]d$/.test(name)) return fc.oneof(meant, hostile, { weight: 2, arbitrary: anyPick })
  const branches = (schema.anyOf ?? [schema]).map((branch) => ({ weight: 8, arbitrary: wildBranch(branch, name) }))
  return fc.oneof(...branches, { ...meant, weight: 4 }, { ...hostile, weight: branches.length })
}

function wildBranch(schema: Schema, name: string): fc.Arbitrary<unknown> {
  if (schema.type === 'array') {
    return fc.array(wildValue(schema.items ?? {}, name), { maxLength: Math.min((schema.maxItems ?? 5) + 1, 5) })
  }
  if (schema.type !== 'object') return validValue(schema, name)
  const { properties = {} } = schema
  const fields = Object.fromEntries(Object.entries(properties).map(([field, part]) => [field, wildValue(part, field)]))
  const dropped = fc.array(fc.constantFrom('', ...Object.keys(properties)), { maxLength: 2 })
  const seldom = Object.keys(properties).filter((field) => NOT_TO_SEND.test(descriptionOf(properties[field] ?? {})))
  const added = fc.oneof({ weight: 3, arbitrary: fc.constant(null) }, fc.tuple(hostileName, hostileValue))
  return fc
    .tuple(
      fc.record(fields, { requiredKeys: Object.keys(fields).filter((field) => !seldom.includes(field)) }),
      dropped,
      added,
    )
    .map(([record, names, field]) => {
      const kept = Object.entries(record).filter(([key]) => !names.includes(key))
      return Object.fromEntries(field ? [...kept, field] : kept)
    })
}

/** One step outside of every bound. */
function beyond({ minimum, maximum, minLength, maxLength, minItems, maxItems }: Schema): fc.Arbitrary<unknown> {
  const values: unknown[] = [
    ...(minimum === undefined ? [] : [minimum - 1, minimum - 0.5]),
    ...(maximum === undefined ? [] : [maximum + 1, maximum + 0.5]),
    ...(minLength ? ['👍'.repeat(minLength - 1)] : []),
    ...(maxLength === undefined ? [] : ['a'.repeat(maxLength + 1), '👍'.repeat(maxLength), '👍'.repeat(maxLength + 1)]),
    ...(minItems ? [[]] : []),
    ...(maxItems === undefined ? [] : [Array.from({ length: maxItems + 1 }, () => null)]),
  ]
  return values.length === 0 ? hostileValue : fc.constantFrom(...values)
}
