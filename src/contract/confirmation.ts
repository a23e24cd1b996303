import Type, { type TObject } from 'typebox'
import * as LIMITS from './limits.ts'
import { closed } from './schema.ts'

/** The password with which a member confirms a change. */
export const Confirmation = closed({
  password: Type.String({ maxLength: LIMITS.password.max, description: "The member's own." }),
})
export type Confirmation = Type.Static<typeof Confirmation>

const known = new WeakMap<object, TObject>()

/** The body of a confirmed request: the fields of the endpoint's own body and the password. */
export function confirmedBody(endpoint: { body?: Type.TSchema }): TObject {
  const made = known.get(endpoint)
  if (made) return made
  const { properties = {} } = (endpoint.body ?? {}) as Partial<TObject>
  const body = closed({ ...properties, ...Confirmation.properties })
  known.set(endpoint, body)
  return body
}
