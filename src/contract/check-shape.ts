import type { Static, TSchema } from 'typebox'
import { Compile, type Validator } from 'typebox/compile'
import type { TLocalizedValidationError } from 'typebox/error'
import { Settings } from 'typebox/system'
import * as LIMITS from './limits.ts'
import { entryAt, type ProblemEntry, pathOf } from './problem.ts'

/**
 * As many as the problems that an answer lists are made of: of a union each branch has some. Without this, TypeBox stops
 * at eight.
 */
Settings.Set({ maxErrors: 5 * LIMITS.problems })

type Step = string | number
export type Checked<T> = { ok: true; value: T } | { ok: false; entries: ProblemEntry[] }

const validators = new WeakMap<TSchema, Validator>()

/** The compiled validator of a schema, cached per schema because compiling takes milliseconds. */
export function validatorOf(schema: TSchema): Validator {
  const found = validators.get(schema)
  if (found) return found
  const validator = Compile(schema) as unknown as Validator
  validators.set(schema, validator)
  return validator
}

/**
 * Checks a value against a schema. Each problem is a separate entry in plain words, at its place; at most 100 are
 * reported, and unknown fields are named. `at` are the steps that lead to the value. The value is returned
 * unchanged. Use it together with `checkTexts` wherever texts of a body are stored.
 */
export function checkShape<T extends TSchema>(
  schema: T,
  value: unknown,
  options: { at?: readonly Step[]; code?: string } = {},
): Checked<Static<T>> {
  const at = options.at ?? []
  const code = options.code ?? 'request:invalid_body'
  const validator = validatorOf(schema)
  if (validator.Check(value)) return { ok: true, value: value as Static<T> }
  const entries = plainProblems(withoutUnionNoise(validator.Errors(value)), value)
    .slice(0, LIMITS.problems)
    .map(({ steps, words, ...numbers }) => {
      const where = [...at, ...steps]
      return entryAt(where, code, `${pathOf(where) || 'The body'} ${words}.`, numbers)
    })
  return { ok: false, entries }
}

/** Counts Unicode code points without building a list of them: the text may be a mebibyte. */
export function codePointsOf(text: string): number {
  let count = text.length
  for (let at = 0; at < text.length - 1; at++) {
    if ((text.charCodeAt(at) & 0xfc00) !== 0xd800 || (text.charCodeAt(at + 1) & 0xfc00) !== 0xdc00) continue
    count--
    at++
  }
  return count
}

/** Problems of read-only fields that came with another value. */
export function unchangeable(names: readonly string[], code = 'request:invalid_body'): ProblemEntry[] {
  return names.map((name) => entryAt([name], code, `${name} cannot be changed. Leave it out, or send what was read.`))
}

type Fault = TLocalizedValidationError

/**
 * A union that nothing matches gives the errors of all its branches. What helps is the branch that the value was meant
 * for: the one whose errors lie inside the value. Where there is none, one line says what may be there.
 */
function withoutUnionNoise(faults: readonly Fault[]): Fault[] {
  const unions = faults.filter((fault) => fault.keyword === 'anyOf')
  // Inner unions first: what they leave is what the outer ones choose from.
  unions.sort((a, b) => b.schemaPath.length - a.schemaPath.length)
  let left = [...faults]
  for (const union of unions) {
    const prefix = `${union.schemaPath}/anyOf/`
    const inside = left.filter(
      (fault) =>
        fault.schemaPath.startsWith(prefix) &&
        (fault.instancePath === union.instancePath || fault.instancePath.startsWith(`${union.instancePath}/`)),
    )
    const branches = Map.groupBy(inside, (fault) => fault.schemaPath.slice(prefix.length).split('/')[0] ?? '')
    const meant = [...branches.values()].find((branch) => branch.every((fault) => !isWrongType(fault, union)))
    const kept = meant ?? [{ ...union, message: allowedTypes(inside, union) }]
    left = [...left.filter((fault) => fault !== union && !inside.includes(fault)), ...kept]
  }
  return left
}

function isWrongType(fault: Fault, union: Fault): boolean {
  return fault.instancePath === union.instancePath && (fault.keyword === 'type' || fault.keyword === 'anyOf')
}

/** `must be a string or null` of the types that the branches of a union ask for. */
function allowedTypes(inside: readonly Fault[], union: Fault): string {
  const types = inside
    .filter((fault) => fault.instancePath === union.instancePath)
    .flatMap((fault) => (fault.keyword === 'type' ? [fault.params.type].flat() : []))
    .map(typeWords)
  return types.length === 0 ? 'has a value that is not allowed here' : `must be ${[...new Set(types)].join(' or ')}`
}

interface PlainProblem {
  steps: Step[]
  words: string
  /** Where a number is at stake: what is allowed, and what there is. */
  limit?: number
  actual?: number
}

function plainProblems(faults: readonly Fault[], value: unknown): PlainProblem[] {
  return faults.flatMap((fault) => {
    const steps = stepsOf(fault.instancePath, value)
    if (fault.keyword === 'required') {
      return fault.params.requiredProperties.map((name) => ({ steps: [...steps, name], words: 'is required' }))
    }
    // Every unknown field has one of these, and its object one more that names them again.
    if (fault.keyword === 'boolean') return [{ steps, words: 'is not a known field' }]
    if (fault.keyword === 'additionalProperties') return []
    return [{ steps, words: wordsOf(fault), ...numbersOf(fault, valueAt(value, steps)) }]
  })
}

function numbersOf(fault: Fault, actual: unknown): { limit: number; actual: number } | null {
  switch (fault.keyword) {
    case 'minLength':
    case 'maxLength':
      return { limit: Number(fault.params.limit), actual: codePointsOf(String(actual)) }
    case 'minItems':
    case 'maxItems':
      return { limit: Number(fault.params.limit), actual: Array.isArray(actual) ? actual.length : 0 }
    case 'minimum':
    case 'maximum':
      return { limit: Number(fault.params.limit), actual: Number(actual) }
    default:
      return null
  }
}

function valueAt(value: unknown, steps: readonly Step[]): unknown {
  return steps.reduce<unknown>((current, step) => (current as Record<Step, unknown>)[step], value)
}

function wordsOf(fault: Fault): string {
  switch (fault.keyword) {
    case 'type':
      return `must be ${[fault.params.type].flat().map(typeWords).join(' or ')}`
    case 'enum':
      return `must be one of ${fault.params.allowedValues.join(', ')}`
    case 'const':
      return `must be ${String(fault.params.allowedValue)}`
    case 'minLength':
      return fault.params.limit === 1 ? 'must not be empty' : `must have at least ${fault.params.limit} characters`
    case 'maxLength':
      return `must have at most ${fault.params.limit} characters`
    case 'minItems':
      return `must have at least ${fault.params.limit} ${fault.params.limit === 1 ? 'element' : 'elements'}`
    case 'maxItems':
      return `must have at most ${fault.params.limit} elements`
    case 'minimum':
      return `must be at least ${fault.params.limit}`
    case 'maximum':
      return `must be at most ${fault.params.limit}`
    case 'pattern':
      return 'must not begin with @'
    default:
      return fault.message
  }
}

const TYPE_WORDS: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  object: 'an object',
  array: 'an array',
}

function typeWords(type: string): string {
  return TYPE_WORDS[type] ?? type
}

/** Steps of a JSON pointer into a value: indexes of arrays as numbers. */
function stepsOf(pointer: string, value: unknown): Step[] {
  let current = value
  return pointer
    .split('/')
    .slice(1)
    .map((escaped) => {
      const name = escaped.replaceAll('~1', '/').replaceAll('~0', '~')
      const step = Array.isArray(current) ? Number(name) : name
      current = (current as Record<Step, unknown> | null | undefined)?.[step]
      return step
    })
}

/**
 * Problems of the texts of a body, at any depth; at most 100. PostgreSQL can store neither NUL nor half of a
 * surrogate pair.
 */
export function checkTexts(value: unknown, code = 'request:invalid_body'): ProblemEntry[] {
  const entries: ProblemEntry[] = []
  const steps: Step[] = []
  const add = (words: string) => {
    if (entries.length < LIMITS.problems) entries.push(entryAt(steps, code, `${pathOf(steps) || 'The body'} ${words}.`))
  }
  const walk = (current: unknown): void => {
    if (typeof current === 'string') {
      if (current.includes('\0') || !current.isWellFormed()) {
        add('must not contain the NUL character or half of a character')
      }
      return
    }
    if (typeof current !== 'object' || current === null) return
    for (const [step, part] of Array.isArray(current) ? current.entries() : Object.entries(current)) {
      steps.push(step)
      walk(part)
      steps.pop()
    }
  }
  walk(value)
  return entries
}
