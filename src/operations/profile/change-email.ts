import {
  type AskedBody,
  type AskedQuery,
  bodyProblem,
  type ConfirmedEmail,
  type EmailBody,
  entryAt,
  type LinkBody,
  type Profile,
  receivesNoMail,
  refuseBody,
} from '#contract'
import { hashLinkToken, newLinkToken } from '#domain'
import {
  accountsDecidedByOthers,
  claimUserLink,
  countAttempt,
  deleteEmailChange,
  deleteUserLinks,
  findUser,
  findUserByEmail,
  findUserLink,
  insertUserLink,
  lockUser,
  putEmailChange,
} from '#persistence'
import { type Caller, requireMember } from '../caller.ts'
import type { OperationDeps } from '../deps.ts'
import { limitWrongTries, tooManyAttempts } from '../members/attempts.ts'
import { confirmPassword } from '../members/confirm-password.ts'
import { checkEmail, plainEmail } from '../members/read-person.ts'
import { LINK_MS, linkTo, linkTries, type UserLinkDeps } from '../password-resets/deps.ts'
import { mailUser } from '../password-resets/mail-user.ts'
import { linkOver } from '../password-resets/redeem.ts'
import { refused } from '../refused.ts'
import { readProfile } from './read.ts'
import { requireFreeEmail, takeEmail } from './take-email.ts'

type Deps = UserLinkDeps & Pick<OperationDeps, 'identity'>

/** How often a person may ask for another address. */
const REQUESTS = { limit: 5, minutes: 15 }

/**
 * Asks for another address for the member, with the password. Until it is confirmed the present one stays.
 *
 * Where mail can be sent, a link that goes to the new address confirms it, and the present address is notified; the
 * answer does not show whether the new address is taken. Without mail, an owner confirms it in each account of the
 * member (`confirmMemberEmail`), except where the member is the only owner; who is that everywhere gets it now.
 *
 * @throws ProblemError `request:invalid_query`, `request:invalid_body`, `auth:password_confirmation_failed`,
 *   `auth:too_many_attempts`
 * @throws ProblemError `request:refused`
 */
export async function changeEmail(
  deps: Deps,
  caller: Caller,
  { body, headers }: { body: AskedBody<EmailBody>; headers: Headers },
): Promise<Profile> {
  const { userId } = requireMember(caller)
  const { db, mailer } = deps
  const { email: typed, password } = body.read()
  const email = plainEmail(typed)
  refuseBody(checkEmail('email', email))
  const user = await findUser(db, userId)
  if (!user) throw new Error('A member who was just let in is none.')
  if (user.email === email) {
    throw bodyProblem([entryAt(['email'], 'request:invalid_body', 'This is your address already.')])
  }
  await confirmPassword(deps, caller, password)
  if (mailer && receivesNoMail(email)) {
    throw refused('why:email_receives_nothing')
  }
  const { tries, endsAt } = await countAttempt(db, `email-change:${userId}`, REQUESTS.minutes)
  if (tries > REQUESTS.limit) throw tooManyAttempts(endsAt)
  if (mailer) await sendLinks(deps, user, { email, headers })
  else await askOwners(deps, userId, email)
  return readProfile(deps, caller)
}

/**
 * Cancels the member's request for a new address, or dismisses a refused one; the address stays as it is.
 *
 * @throws ProblemError `request:invalid_query`
 */
export async function withdrawEmail(
  deps: UserLinkDeps,
  caller: Caller,
  query: AskedQuery<undefined>,
): Promise<Profile> {
  const { userId } = requireMember(caller)
  query.read()
  await deps.db.transaction().execute(async (trx) => {
    await lockUser(trx, userId)
    await deleteUserLinks(trx, userId, 'email-change')
    await deleteEmailChange(trx, userId)
  })
  return readProfile(deps, caller)
}

/**
 * Makes an address the user's own, with the link that was sent to it. Older links of the user end.
 *
 * @throws ProblemError `request:invalid_query`, `request:invalid_body`, `auth:link_over`, `auth:too_many_attempts`
 * @throws ProblemError `request:refused`
 */
export async function confirmEmail(
  { db }: Pick<UserLinkDeps, 'db'>,
  request: { body: AskedBody<LinkBody>; address: string },
): Promise<ConfirmedEmail> {
  const tokenHash = hashLinkToken(request.body.read().token)
  const email = await limitWrongTries(db, linkTries(request.address), async () => {
    if (!tokenHash) return null
    return db.transaction().execute(async (trx) => {
      const found = await findUserLink(trx, { tokenHash, purpose: 'email-change' })
      if (!found) return null
      await lockUser(trx, found.userId)
      const link = await claimUserLink(trx, { tokenHash, purpose: 'email-change' })
      if (!link?.email) return null
      await takeEmail(trx, link.userId, link.email)
      return link.email
    })
  })
  if (email === null) throw linkOver()
  return { email }
}

async function askOwners({ db }: UserLinkDeps, userId: string, email: string): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await lockUser(trx, userId)
    await requireFreeEmail(trx, email)
    const decidedIn = await accountsDecidedByOthers(trx, userId)
    if (decidedIn.length > 0) await putEmailChange(trx, userId, email)
    else await takeEmail(trx, userId, email)
  })
}

async function sendLinks(
  deps: UserLinkDeps,
  user: { id: string; email: string },
  { email, headers }: { email: string; headers: Headers },
): Promise<void> {
  const { db, publicUrl } = deps
  const { token, hash } = newLinkToken()
  await db.transaction().execute(async (trx) => {
    await lockUser(trx, user.id)
    await deleteUserLinks(trx, user.id, 'email-change')
    await deleteEmailChange(trx, user.id)
    await insertUserLink(trx, { tokenHash: hash, userId: user.id, purpose: 'email-change', email, lastsMs: LINK_MS })
  })
  const mail = (name: 'email-link' | 'email-requested', to: string, url: string) =>
    mailUser(deps, { userId: user.id, to, headers }, name, { url })
  if (!(await findUserByEmail(db, email))) {
    mail('email-link', email, linkTo(publicUrl, 'confirm-email', token))
  }
  if (receivesNoMail(user.email)) return
  mail('email-requested', user.email, `${publicUrl}/dashboard/settings/security`)
}
