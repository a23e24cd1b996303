import type { Static, TSchema } from 'typebox'
import { type QueryReader, readQuery } from './check-query.ts'
import { type Checked, checkShape, checkTexts } from './check-shape.ts'
import type { ProblemEntry } from './problem.ts'
import { bodyProblem } from './refuse-body.ts'

type NameOf<T> = T extends unknown ? keyof T : never

/** A value whose shape has not been checked: each field may be anything, or missing. */
export type Loose<T> = { readonly [Name in NameOf<T>]?: unknown }

/**
 * The body of a request. An operation reads it at its turn in the order of checks: after rights, existence and
 * state.
 */
export interface AskedBody<T> {
  /**
   * The body, which is of the shape that the endpoint declares. `check` finds what else is wrong, of a body that may be of
   * another shape: all of it is reported together.
   *
   * @throws ProblemError `request:invalid_query` when the query string was not read before; `request:invalid_body`
   */
  read(check?: (body: Loose<T>) => readonly ProblemEntry[]): T
  /** The same, with texts as they are: also such as are taken nowhere else. */
  readAsTyped(): T
  /**
   * The same, checked in another way than by a schema alone. `fields` are those of the body as it came.
   *
   * @throws ProblemError as `read`, or by the codes of the entries
   */
  readBy<Value>(check: (body: unknown, fields: Loose<T>) => Checked<Value>): Value
  /** The body as it came, for what is looked at before its turn. Of one that is no object: without fields. */
  peek(): Loose<T>
}

/** The query string of a request. If the endpoint declares no parameters, it must be empty. */
export interface AskedQuery<T> {
  /**
   * The parameters in the order in which they came, with their defaults behind them. `check` finds what else is wrong, of those
   * that could be read.
   *
   * @throws ProblemError `request:invalid_query`
   */
  read(check?: (query: Partial<T>, problem: (name: NameOf<T> & string, words: string) => void) => void): T
  /** The parameters as they came, for what is looked at before its turn. */
  peek(): Loose<T>
}

/** The body of a request. `before` is called before it is read. */
export function askedBody<T extends TSchema>(schema: T, body: unknown, before: () => void): AskedBody<Static<T>> {
  const readBy: AskedBody<Static<T>>['readBy'] = (check) => {
    before()
    return checkedBy(check, body)
  }
  // What takes nothing that must be there is sent without a body as well.
  const shapeOf = () => checkShape(schema, body === undefined && checkShape(schema, {}).ok ? {} : body)
  return {
    peek: () => looseOf(body),
    readBy,
    readAsTyped: () => readBy(shapeOf),
    read: (check) =>
      readBy(() => {
        const checked = shapeOf()
        const entries = [
          ...(checked.ok ? [] : checked.entries),
          ...checkTexts(body),
          ...(check?.(looseOf<Static<T>>(body)) ?? []),
        ]
        return checked.ok && entries.length === 0 ? checked : { ok: false, entries }
      }),
  }
}

/** Wraps a value that one part of the code passes to another in place of a request body; its shape is already known. */
export function given<T>(value: T): AskedBody<T> {
  return {
    peek: () => looseOf(value),
    readBy: (check) => checkedBy(check, value),
    readAsTyped: () => value,
    read(check) {
      const entries = check?.(looseOf<T>(value)) ?? []
      if (entries.length > 0) throw bodyProblem(entries)
      return value
    },
  }
}

function checkedBy<T, Value>(check: (body: unknown, fields: Loose<T>) => Checked<Value>, body: unknown): Value {
  const checked = check(body, looseOf(body))
  if (!checked.ok) throw bodyProblem(checked.entries)
  return checked.value
}

/** The same in place of a query string. */
export function givenQuery<T>(value: T): AskedQuery<T> {
  return {
    peek: () => looseOf<T>(value),
    read(check) {
      check?.(value, (name, words) => {
        throw new TypeError(`${name} ${words}.`)
      })
      return value
    },
  }
}

/** Stands in for a query string without parameters. */
export const NO_QUERY: AskedQuery<undefined> = givenQuery(undefined)

function looseOf<T>(value: unknown): Loose<T> {
  return (typeof value === 'object' && value !== null ? value : {}) as Loose<T>
}

/**
 * The query string of a request.
 *
 * @param schema of its parameters; undefined where there are none
 * @param text without the question mark
 */
export function askedQuery<T extends TSchema>(schema: T | undefined, text: string): AskedQuery<Static<T>> {
  const fields = schema ? fieldsOf(schema) : []
  return {
    peek() {
      const reader = readQuery(text)
      const values = fields.map(({ key, name, kind }) => {
        const all = reader.texts(name) ?? undefined
        return [key, kind === 'texts' || kind === 'choices' ? all : all?.[0]]
      })
      return Object.fromEntries(values)
    },
    read(check) {
      const reader = readQuery(text)
      const values = new Map(fields.map((field) => [field.name, readField(reader, field)]))
      const reach = fields.find(({ name }) => name === 'page')
      if (reach && values.has('size')) reader.checkReach(Number(values.get('page')), Number(values.get('size')))
      const order = [...new Set([...reader.orderOf([...values.keys()]), ...values.keys()])]
      const keys = new Map(fields.map(({ name, key }) => [name, key]))
      const given = order.filter((name) => values.get(name) !== undefined)
      const query = Object.fromEntries(given.map((name) => [keys.get(name) ?? name, values.get(name)]))
      check?.(query as Partial<Static<T>>, (key, words) => reader.problem(nameOfKey(key), words))
      reader.finish()
      return query as Static<T>
    },
  }
}

interface Field {
  /** As the schema has it: `filters[status][]`. */
  key: string
  /** As the reader has it: `filters[status]`. */
  name: string
  kind: 'integer' | 'boolean' | 'choice' | 'choices' | 'text' | 'texts'
  required: boolean
  choices: readonly string[]
  range: { min: number; max: number; default: number | null }
  minLength: number
}

const MOST_INTEGER = 2_147_483_647
const nameOfKey = (key: string) => key.replace(/\[\]$/, '')
const known = new WeakMap<TSchema, readonly Field[]>()

/** The parameters that a schema declares. */
function fieldsOf(schema: TSchema): readonly Field[] {
  const found = known.get(schema)
  if (found) return found
  const { properties, required = [] } = schema as unknown as ObjectSchema
  const fields = Object.entries(properties).map(([key, one]): Field => {
    const choices = one.enum ?? one.items?.enum ?? []
    return {
      key,
      name: nameOfKey(key),
      kind: kindOf(one),
      required: required.includes(key),
      choices,
      range: { min: one.minimum ?? 0, max: one.maximum ?? MOST_INTEGER, default: one.default ?? null },
      minLength: one.minLength ?? 0,
    }
  })
  known.set(schema, fields)
  return fields
}

interface ObjectSchema {
  properties: Record<string, PropertySchema>
  required?: string[]
}

interface PropertySchema {
  type?: string
  enum?: string[]
  items?: { enum?: string[] }
  minimum?: number
  maximum?: number
  default?: number
  minLength?: number
}

function kindOf({ type, enum: choices, items }: PropertySchema): Field['kind'] {
  if (type === 'array') return items?.enum ? 'choices' : 'texts'
  if (type === 'integer' || type === 'boolean') return type
  return choices ? 'choice' : 'text'
}

/** The value of a parameter; undefined when it is missing or wrong, which the reader reports. */
function readField(reader: QueryReader, field: Field): unknown {
  const { name, kind, required, choices, range, minLength } = field
  const value = () => {
    switch (kind) {
      case 'integer':
        return reader.integer(name, range)
      case 'boolean': {
        const word = reader.choice(name, ['true', 'false'])
        return word === null ? null : word === 'true'
      }
      case 'choice':
        return reader.choice(name, choices)
      case 'choices':
        return reader.choices(name, choices)
      case 'texts':
        return reader.texts(name)
      case 'text':
        return reader.text(name)
    }
  }
  const found = value() ?? undefined
  if (required && reader.texts(name) === null) reader.problem(name, 'is required')
  if (kind === 'text' && typeof found === 'string' && [...found].length < minLength) {
    reader.problem(name, `must have at least ${minLength} characters`)
    return undefined
  }
  return found
}
