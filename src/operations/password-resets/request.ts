import { ForgottenPasswordBody, type PasswordResetWays, receivesNoMail } from '#contract'
import { countAttempt, findUserByEmail } from '#persistence'
import { hashedSubject, tooManyAttempts } from '../members/attempts.ts'
import { checkEmail, plainEmail } from '../members/read-person.ts'
import { readShape, refuseBody } from '../read-body.ts'
import { faultCodes, sendLater, type UserLinkDeps } from './deps.ts'
import { makeResetLink } from './make.ts'

const MINUTES = 15
/** How many links may be asked for in that time, from one client and for one address of mail. */
const LIMIT = { client: 20, mail: 3 }

/** Whether a link for a new password can be sent by mail here; else the operator makes one. */
export function readResetWays({ mailer }: Pick<UserLinkDeps, 'mailer'>): PasswordResetWays {
  return { byMail: mailer !== null }
}

/**
 * Sends somebody a link for a new password. The answer does not wait for it and is the same for an address that nobody
 * has: nobody learns here who is a user.
 *
 * @throws ProblemError `request:invalid_body`, `auth:too_many_attempts`
 */
export async function requestPasswordReset(
  deps: UserLinkDeps,
  request: { body: unknown; address: string },
): Promise<PasswordResetWays> {
  const email = plainEmail(readShape(ForgottenPasswordBody, request.body).email)
  refuseBody(checkEmail('email', email))
  const { tries, endsAt } = await countAttempt(deps.db, `forgotten:${request.address}`, MINUTES)
  if (tries > LIMIT.client) throw tooManyAttempts(endsAt)
  if (deps.mailer) {
    void sendResetLink(deps, email).catch((error) =>
      deps.log.warn(faultCodes(error), 'A link for a password was not made'),
    )
  }
  return readResetWays(deps)
}

async function sendResetLink(deps: UserLinkDeps, email: string): Promise<void> {
  if (receivesNoMail(email)) return
  const { tries } = await countAttempt(deps.db, `forgotten:${hashedSubject(email)}`, MINUTES)
  const user = await findUserByEmail(deps.db, email)
  if (!user || tries > LIMIT.mail) return
  sendLater(deps, {
    to: email,
    subject: 'A new password for Almanac',
    text: `Somebody has asked for a new password for your account at ${deps.publicUrl}.

Choose it here, within an hour:
${await makeResetLink(deps, user.id)}

If it was not you, there is nothing to do: your password stays as it is.
`,
  })
}
