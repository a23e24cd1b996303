import { entryAt, isMailAddress, type ProblemEntry, withoutInvisible } from '#contract'
import { passwordProblem } from '#domain'
import { commonPasswords } from '#identity'
import { Refusal } from '../refusal.ts'
import { readName } from '../social-sets/create.ts'

const CODE = 'request:invalid_body'

/** An email address as it is stored: in lower case, without surrounding spaces and invisible characters. */
export function plainEmail(text: string): string {
  return withoutInvisible(text).trim().toLowerCase()
}

/** Problems of an address, as `plainEmail` returns it, at that field of a body. */
export function checkEmail(field: string, email: string): ProblemEntry[] {
  if (isMailAddress(email)) return []
  return [entryAt([field], CODE, 'This is not an email address. It looks like name@example.com.')]
}

/** Problems of a new password for that address, at that field of a body. */
export async function checkNewPassword(field: string, password: string, email: string): Promise<ProblemEntry[]> {
  const words = passwordProblem(password, email, await commonPasswords())
  return words === null ? [] : [entryAt([field], CODE, `The password ${words}.`)]
}

/** Problems of the name of a person or thing, at that field of a body. `what` begins the sentence: `A person`. */
export function checkName(field: string, text: string, what: string): ProblemEntry[] {
  return refusalAt(field, () => readName(text, what))
}

/** Turns the refusal of a reader into a problem of a field. */
export function refusalAt(field: string, read: () => unknown): ProblemEntry[] {
  try {
    read()
    return []
  } catch (error) {
    if (error instanceof Refusal) return [entryAt([field], CODE, error.message)]
    throw error
  }
}
