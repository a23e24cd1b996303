import { type InvitationAcceptBody, type InvitationAccepted, ProblemError, refuseBody } from '#contract'
import { newId } from '#domain'
import { acceptedLocale, languageOf } from '#news'
import {
  chooseSessionAccount,
  type Database,
  type DatabaseTransaction,
  findAccount,
  findUserByEmail,
  insertMembership,
  insertUser,
  listMemberships,
  markInvitation,
  updatePreferences,
} from '#persistence'
import type { OperationDeps } from '../deps.ts'
import { limitTries } from '../members/attempts.ts'
import { checkName, checkNewPassword } from '../members/read-person.ts'
import { type BrowserRequest, passwordTries, type SignInRequest } from '../members/sign-in.ts'
import { refused } from '../refused.ts'
import { readName } from '../social-sets/create.ts'
import { usableInvitation } from './usable.ts'

export type AcceptDeps = Pick<OperationDeps, 'db' | 'identity' | 'mailer'>

/**
 * Makes a person with an invitation link a member and signs them in to the account. A person without a user gets one
 * with a name and a password; a person with one must be signed in as that user or give its password. With two-factor
 * authentication, a password alone signs no one in: the membership exists, and signing in is up to the person.
 *
 * @throws ProblemError what `lookAtInvitation` throws, `auth:password_confirmation_failed`, `auth:too_many_attempts`,
 *   `invitation:member_already`
 * @throws Refusal when the address was taken meanwhile
 */
export async function acceptInvitation(
  deps: AcceptDeps,
  request: SignInRequest<InvitationAcceptBody>,
): Promise<InvitationAccepted> {
  const { token, name = '', password = '' } = request.body.read()
  const { db, identity } = deps
  const { accountId, accountName, email } = await usableInvitation(db, token)
  const user = await findUserByEmail(db, email)
  const session = await identity.readSession(request.headers)

  if (user && session?.userId === user.id) {
    await makeMember(db, { token, accountId }, async () => user.id)
    await chooseSessionAccount(db, session.sessionId, accountId)
    return { accountId, accountName, next: 'signed-in' }
  }

  if (user) {
    await provePassword(deps, { ...user, email }, password, request)
    await makeMember(db, { token, accountId }, async () => user.id)
  } else {
    refuseBody([...checkName('name', name, 'A person'), ...(await checkNewPassword('password', password, email))])
    const person = { id: newId(), email, name: readName(name, 'A person') }
    // Takes tens of milliseconds by design: before the transaction, not in it.
    const passwordHash = await identity.hashPassword(password)
    await makeMember(db, { token, accountId }, async (trx) => {
      if (await insertUser(trx, { ...person, passwordHash })) {
        await keepLanguage(trx, person.id, request.headers)
        return person.id
      }
      throw refused('why:user_by_now')
    })
  }
  // The person who was signed in in this browser is another one.
  if (session) await identity.signOut(request.headers)
  return { accountId, accountName, next: await startSession(deps, request, { accountId, email, password }) }
}

/** Mails do not know the browser: a person who joins in another language than English gets them in it from the first one on. */
async function keepLanguage(trx: DatabaseTransaction, userId: string, headers: Headers): Promise<void> {
  const locale = acceptedLocale(headers.get('accept-language'))
  if (locale !== null && languageOf(locale).tag !== 'en') await updatePreferences(trx, userId, { locale })
}

/**
 * Makes the invitation a membership, once: it is looked at again under the lock of the account, which everybody holds
 * who changes an invitation.
 */
async function makeMember(
  db: Database,
  { token, accountId }: { token: string; accountId: string },
  userOf: (trx: DatabaseTransaction) => Promise<string>,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await findAccount(trx, accountId, { lock: true })
    const { id, role, socialSetIds } = await usableInvitation(trx, token)
    const userId = await userOf(trx)
    const memberships = await listMemberships(trx, userId)
    if (memberships.some((membership) => membership.accountId === accountId)) {
      throw new ProblemError('invitation:member_already', 'You are a member of this account already. Sign in to go on.')
    }
    await insertMembership(trx, { accountId, userId, role, socialSetIds })
    await markInvitation(trx, id, 'accepted')
  })
}

async function provePassword(
  { db, identity, mailer }: AcceptDeps,
  user: { id: string; email: string; passwordHash: string | null },
  password: string,
  { headers, address }: BrowserRequest,
): Promise<void> {
  const browser = identity.findKnownBrowser(headers, user.id)
  const right = await limitTries(
    db,
    passwordTries(user.email, { address, browser, mail: mailer !== null }),
    async () => {
      const hash = user.passwordHash
      return hash !== null && (await identity.verifyPassword({ hash, password })) ? true : null
    },
  )
  if (!right) throw new ProblemError('auth:password_confirmation_failed', 'That is not the password of this address.')
}

/** Starts a new session on the account, unless a second step stands before it. */
async function startSession(
  { db, identity }: AcceptDeps,
  { headers, address, setCookie }: BrowserRequest,
  { accountId, email, password }: { accountId: string; email: string; password: string },
): Promise<InvitationAccepted['next']> {
  const outcome = await identity.signIn({ email, password }, { headers, address })
  if (outcome.kind !== 'signed-in') return 'sign-in'
  const cookie = outcome.cookies.map((one) => one.split(';', 1)[0]).join('; ')
  const session = await identity.readSession(new Headers({ cookie }))
  for (const one of outcome.cookies) setCookie(one)
  if (session) {
    await chooseSessionAccount(db, session.sessionId, accountId)
    setCookie(identity.rememberBrowser(headers, session.userId))
  }
  return 'signed-in'
}
