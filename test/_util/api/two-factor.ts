import type { Api } from './api.ts'
import { totp } from './totp.ts'
import { type KnownPerson, newPerson, newVisitor, type Visitor } from './visitor.ts'

export interface Enrolled {
  person: KnownPerson
  /** The browser in which it was done. */
  visitor: Visitor
  secret: string
  backupCodes: string[]
}

/** A member with a second step. The code of this moment was used for it: the next one is `totp(secret, 1)`. */
export async function enrolled(api: Api): Promise<Enrolled> {
  const person = await newPerson(api)
  const visitor = newVisitor(api)
  await visitor.signIn(person)
  const { body: started } = await visitor.request('POST', '/two-factor', { body: { password: person.password } })
  const { secret } = started
  const confirmed = await visitor.request('POST', '/two-factor/confirm', { body: { code: totp(secret) } })
  if (confirmed.status !== 200) throw new Error(`No second step: ${JSON.stringify(confirmed.body)}`)
  return { person, visitor, secret, backupCodes: confirmed.body.backupCodes }
}
