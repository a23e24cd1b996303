import Type, { type TObject } from 'typebox'
import * as LIMITS from './limits.ts'
import { closed } from './schema.ts'

/** What members confirm a change with. */
export const Confirmation = closed({
  password: Type.String({ maxLength: LIMITS.password.max, description: "The member's own." }),
})
export type Confirmation = Type.Static<typeof Confirmation>

const known = new WeakMap<object, TObject>()

/** The body of a member that confirms: the fields of an endpoint's own body and the password. */
export function confirmedBody(endpoint: { body?: Type.TSchema }): TObject {
  const made = known.get(endpoint)
  if (made) return made
  const { properties = {} } = (endpoint.body ?? {}) as Partial<TObject>
  const body = closed({ ...properties, ...Confirmation.properties })
  known.set(endpoint, body)
  return body
}
