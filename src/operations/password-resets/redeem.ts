import {
  type AskedBody,
  type LinkBody,
  type PasswordResetBody,
  type PasswordResetLink,
  ProblemError,
  receivesNoMail,
  refuseBody,
} from '#contract'
import { hashLinkToken } from '#domain'
import { claimUserLink, findUser, findUserLink, lockUser, type UserRow } from '#persistence'
import type { OperationDeps } from '../deps.ts'
import { limitWrongTries } from '../members/attempts.ts'
import { checkNewPassword } from '../members/read-person.ts'
import type { SignInRequest } from '../members/sign-in.ts'
import { linkTries, type UserLinkDeps } from './deps.ts'
import { mailUser } from './mail-user.ts'
import { replacePassword } from './replace.ts'

export type RedeemDeps = UserLinkDeps & Pick<OperationDeps, 'identity'>

interface LinkRequest {
  body: AskedBody<LinkBody>
  address: string
}

/**
 * Whose password a link resets, before a new one is chosen.
 *
 * @throws ProblemError `request:invalid_query`, `request:invalid_body`, `auth:link_over`, `auth:too_many_attempts`
 */
export async function readResetLink(deps: UserLinkDeps, { body, address }: LinkRequest): Promise<PasswordResetLink> {
  const { user } = await requireLink(deps, body.read().token, address)
  return { email: user.email }
}

/**
 * Sets the new password that a user chose with a link. The link, all others of the user, all sessions and sign-ins
 * that wait for a code end; two-factor authentication stays. The browser is known for the user from now on.
 *
 * @throws ProblemError `request:invalid_query`, `request:invalid_body`, `auth:link_over`, `auth:too_many_attempts`
 */
export async function resetPassword(
  deps: RedeemDeps,
  { body, address, headers, setCookie }: SignInRequest<PasswordResetBody>,
): Promise<void> {
  const { token, password } = body.read()
  const { user, tokenHash } = await requireLink(deps, token, address)
  refuseBody(await checkNewPassword('password', password, user.email))
  // Takes tens of milliseconds by design: before the transaction, not in it.
  const passwordHash = await deps.identity.hashPassword(password)
  await deps.db.transaction().execute(async (trx) => {
    await lockUser(trx, user.id)
    if (!(await claimUserLink(trx, { tokenHash, purpose: 'password-reset' }))) throw linkOver()
    await replacePassword(trx, user.id, passwordHash, { staysSignedIn: null })
  })
  setCookie(deps.identity.rememberBrowser(headers, user.id))
  notifyOfNewPassword(deps, user, headers)
}

/** Notifies a user that the password was changed, in case someone else did it. */
export function notifyOfNewPassword(
  deps: UserLinkDeps,
  { id, email }: Pick<UserRow, 'id' | 'email'>,
  headers: Headers,
): void {
  if (receivesNoMail(email)) return
  const url = `${deps.publicUrl}/dashboard/forgot-password`
  mailUser(deps, { userId: id, to: email, headers }, 'password-changed', { url })
}

async function requireLink(
  { db }: UserLinkDeps,
  token: string,
  address: string,
): Promise<{ user: UserRow; tokenHash: Buffer }> {
  const tokenHash = hashLinkToken(token)
  const user = await limitWrongTries(db, linkTries(address), async () => {
    const link = tokenHash && (await findUserLink(db, { tokenHash, purpose: 'password-reset' }))
    return link ? findUser(db, link.userId) : null
  })
  if (!user || !tokenHash) throw linkOver()
  return { user, tokenHash }
}

/** A link that was used, has expired, or never existed. */
export function linkOver(): ProblemError {
  return new ProblemError('auth:link_over', 'This link was used already, or it is too old. Ask for a new one.')
}
