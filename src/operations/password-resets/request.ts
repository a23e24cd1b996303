import {
  type AskedBody,
  type ForgottenPasswordBody,
  type PasswordResetWays,
  receivesNoMail,
  refuseBody,
} from '#contract'
import { addressBounds } from '#domain'
import { faultCodes } from '#identity'
import { countAttempt, findUserByEmail } from '#persistence'
import { hashedSubject, tooManyAttempts } from '../members/attempts.ts'
import { checkEmail, plainEmail } from '../members/read-person.ts'
import type { UserLinkDeps } from './deps.ts'
import { mailUser } from './mail-user.ts'
import { makeResetLink } from './make.ts'
import type { RedeemDeps } from './redeem.ts'

const MINUTES = 15
/** How many links may be asked for in that time, from one client, for one address of mail, and by a known browser. */
const LIMIT = { client: 20, mail: 3, browser: 3 }

/** Whether a password reset link can be sent by mail here; otherwise the operator creates one. */
export function readResetWays({ mailer }: Pick<UserLinkDeps, 'mailer'>): PasswordResetWays {
  return { byMail: mailer !== null }
}

/**
 * Sends a user a password reset link. The answer does not wait for it and is the same for an unknown address, so it
 * does not reveal who is a user. A browser that the user has signed in with before is counted separately.
 *
 * @throws ProblemError `request:invalid_query`, `request:invalid_body`, `auth:too_many_attempts`
 */
export async function requestPasswordReset(
  deps: RedeemDeps,
  request: { body: AskedBody<ForgottenPasswordBody>; headers: Headers; address: string },
): Promise<PasswordResetWays> {
  const email = plainEmail(request.body.read().email)
  refuseBody(checkEmail('email', email))
  const browser = await findBrowserOf(deps, email, request.headers)
  const bounds =
    browser === null
      ? addressBounds('forgotten', request.address, LIMIT.client)
      : [{ subject: `forgotten:${browser}`, limit: LIMIT.browser }]
  for (const { subject, limit } of bounds) {
    const { tries, endsAt } = await countAttempt(deps.db, subject, MINUTES)
    if (tries > limit) throw tooManyAttempts(endsAt)
  }
  if (deps.mailer) {
    void sendResetLink(deps, email, { counted: browser !== null, headers: request.headers }).catch((error) =>
      deps.log.warn(faultCodes(error), 'A link for a password was not made'),
    )
  }
  return readResetWays(deps)
}

/** Most requests come without a cookie: then nothing is looked up. */
async function findBrowserOf({ db, identity }: RedeemDeps, email: string, headers: Headers): Promise<string | null> {
  const user = headers.has('cookie') ? await findUserByEmail(db, email) : null
  return user && identity.findKnownBrowser(headers, user.id)
}

/** @param options.counted the browser was counted by itself: strangers have not used up its mails */
async function sendResetLink(
  deps: UserLinkDeps,
  email: string,
  { counted, headers }: { counted: boolean; headers: Headers },
): Promise<void> {
  if (receivesNoMail(email)) return
  if (!counted) {
    const { tries } = await countAttempt(deps.db, `forgotten:${hashedSubject(email)}`, MINUTES)
    if (tries > LIMIT.mail) return
  }
  const user = await findUserByEmail(deps.db, email)
  if (!user) return
  const url = await makeResetLink(deps, user.id)
  mailUser(deps, { userId: user.id, to: email, headers }, 'password-link', { url })
}
