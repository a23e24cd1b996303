import Type from 'typebox'
import { excerpt } from './limits.ts'

/** What schemas of the contract are made of. */

/** An object that has no other fields. */
export const closed = <T extends Type.TProperties>(properties: T, options: Type.TObjectOptions = {}) =>
  Type.Object(properties, { additionalProperties: false, ...options })

export const orNull = <T extends Type.TSchema>(schema: T, options: { description?: string } = {}) =>
  Type.Union([schema, Type.Null()], options)

/** The id of a row, as clients send it: none of ours is longer. */
export const Id = Type.String({ maxLength: 64 })

/** A moment, as it is answered. */
export const Instant = Type.String({ description: 'ISO 8601, UTC, milliseconds' })

/** How a post is shown among others. */
export const Excerpt = Type.String({
  description: `Beginning of the first caption, ${excerpt.codePoints} code points at most.`,
})

/** A parameter of a query string that may be repeated. */
export const list = <T extends Type.TSchema>(items: T, description: string) =>
  Type.Optional(Type.Array(items, { description: `${description} Repeatable.` }))
