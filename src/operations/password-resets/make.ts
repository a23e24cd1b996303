import { newLinkToken } from '#domain'
import { findUserByEmail, insertUserLink } from '#persistence'
import { plainEmail } from '../members/read-person.ts'
import { Refusal } from '../refusal.ts'
import { LINK_MS, linkTo, type UserLinkDeps } from './deps.ts'

type LinkDeps = Pick<UserLinkDeps, 'db' | 'publicUrl'>

/** Creates a password reset link for a user: one use, one hour. It is shown only once. */
export async function makeResetLink({ db, publicUrl }: LinkDeps, userId: string): Promise<string> {
  const { token, hash } = newLinkToken()
  await insertUserLink(db, { tokenHash: hash, userId, purpose: 'password-reset', lastsMs: LINK_MS })
  return linkTo(publicUrl, 'reset-password', token)
}

/**
 * The same for the user who signs in with an address, at the operator's request.
 *
 * @throws Refusal
 */
export async function makeResetLinkFor(deps: LinkDeps, email: string): Promise<{ email: string; link: string }> {
  const plain = plainEmail(email)
  const user = await findUserByEmail(deps.db, plain)
  if (!user) throw new Refusal(`There is no user ${plain}.`)
  return { email: plain, link: await makeResetLink(deps, user.id) }
}
