import Type, { type StaticDecode, type TSchema } from 'typebox'
import { Value } from 'typebox/value'
import type { Handles } from '../network.ts'

/** What can be kept of a delivery from step to step. Each kind has the value that it has before anything was kept. */
export const maybe = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()], { default: null })
export const text = maybe(Type.String())
export const flag = Type.Boolean({ default: false })
export const count = Type.Number({ default: 0 })
export const list = <T extends TSchema>(items: T) => Type.Array(items, { default: [] })
/** Stored as ISO 8601, read as a date. */
export const moment = Type.Codec(text)
  .Decode((value) => (value === null ? null : new Date(value)))
  .Encode((value) => value?.toISOString() ?? null)

/**
 * The reader of a network's handles. Ids are stored before the next call is made, so that whichever process takes the
 * delivery over goes on where it stood. Names and shapes are read by the next version too, so they stay.
 *
 * @returns a function that throws a TypeError for a handle of another shape: what a post was made with is never forgotten
 */
export function handlesOf<S extends Record<string, TSchema>>(kinds: S) {
  const parts = Object.entries(kinds).map(([name, kind]) => ({ name, kind, missing: decode(kind, defaultOf(kind)) }))
  return (handles: Handles): { readonly [Name in keyof S]: StaticDecode<S[Name]> } => {
    const read = parts.map(({ name, kind, missing }) => {
      const value = handles[name] ?? null
      // Most are not there yet, and checking by a schema takes longer than the rest of a step.
      if (value === null) return [name, missing]
      if (!Value.Check(kind, value)) throw new TypeError(`The handle ${name} has another shape.`)
      return [name, decode(kind, value)]
    })
    return Object.fromEntries(read)
  }
}

const defaultOf = (kind: TSchema) => (kind as { default?: unknown }).default

/** Decoding also takes away what a kind does not name. */
const decode = (kind: TSchema, value: unknown): unknown => (Value.HasCodec(kind) ? Value.Decode(kind, value) : value)
