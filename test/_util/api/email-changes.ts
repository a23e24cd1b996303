import { newId } from '#domain'
import type { Answer, Api } from './api.ts'
import type { Person } from './members.ts'

/** An unused address. */
export const newAddress = () => `${newId()}@example.org`

/** Asks for another address, with the right password. */
export const askFor = (person: Person, email: string): Promise<Answer> =>
  person.request('PUT', '/profile/email', { body: { email, password: person.password } })

/** Decides about the address that a member asked for. */
export const decide = (owner: Person, verb: 'confirm' | 'refuse', person: Person, email: string): Promise<Answer> =>
  owner.request('POST', `/members/${person.userId}/email/${verb}`, { body: { email } })

/** Status of a sign-in with an address and the password of a person. */
export async function signInStatus(api: Api, { password }: Person, email: string): Promise<number> {
  const headers = { origin: 'https://almanac.test', 'sec-fetch-site': 'same-origin' }
  const answer = await api.request('POST', '/internal/session', { key: null, body: { email, password }, headers })
  return answer.status
}
