import Type from 'typebox'
import { excerpt } from './limits.ts'

/** What schemas of the contract are made of. */

/** An object without additional fields. */
export const closed = <T extends Type.TProperties>(properties: T, options: Type.TObjectOptions = {}) =>
  Type.Object(properties, { additionalProperties: false, ...options })

export const orNull = <T extends Type.TSchema>(schema: T, options: { description?: string } = {}) =>
  Type.Union([schema, Type.Null()], options)

/** The id of a row in a request: none of ours is longer. */
export const Id = Type.String({ maxLength: 64 })

/** A moment in an answer. */
export const Instant = Type.String({ description: 'ISO 8601, UTC, milliseconds' })

/** How a post is shown among others. */
export const Excerpt = Type.String({
  description: `Beginning of the first caption, ${excerpt.codePoints} code points at most.`,
})

/** A query parameter that may be repeated. */
export const list = <T extends Type.TSchema>(items: T, description: string) =>
  Type.Optional(Type.Array(items, { description: `${description} Repeatable.` }))
