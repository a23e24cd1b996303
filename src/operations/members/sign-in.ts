import { checkShape, ProblemError, type SignInAnswer, SignInBody } from '#contract'
import type { Identity } from '#identity'
import type { Database } from '#persistence'
import { refuseBody } from '../read-body.ts'

export interface SignInDeps {
  db: Database
  identity: Identity
}

/** What signing in needs of a request. */
export interface SignInRequest {
  body: unknown
  headers: Headers
  address: string
  setCookie(value: string): void
}

/**
 * Signs somebody in by address and password. The session's cookie is always a new one. With a second step, it is not
 * signed in yet.
 *
 * @throws ProblemError `request:invalid_body`, `auth:wrong_sign_in`, `auth:too_many_attempts`
 */
export async function signIn({ identity }: SignInDeps, request: SignInRequest): Promise<SignInAnswer> {
  const checked = checkShape(SignInBody, request.body)
  if (!checked.ok) refuseBody(checked.entries)
  if (!checked.ok) throw new Error('A body that cannot be used was not refused.')
  const { email, password } = checked.value
  const outcome = await identity.signIn({ email: email.trim().toLowerCase(), password }, request.headers)
  if (outcome.kind === 'wrong') {
    throw new ProblemError('auth:wrong_sign_in', 'The address or the password is wrong.')
  }
  for (const cookie of outcome.cookies) request.setCookie(cookie)
  return { next: outcome.kind }
}

/** Ends the session of a request; nothing happens without one. */
export async function signOut({ identity }: SignInDeps, request: Omit<SignInRequest, 'body'>): Promise<void> {
  for (const cookie of await identity.signOut(request.headers)) request.setCookie(cookie)
}
