import {
  type AskedBody,
  type AskedQuery,
  ProblemError,
  type SecondStepBody,
  type SignInAnswer,
  type SignInBody,
} from '#contract'
import { MINUTE_MS } from '#contract/durations'
import { addressBounds } from '#domain'
import {
  countAttempt,
  type Database,
  deleteSession,
  deleteSessions,
  findUserByEmail,
  listMemberships,
} from '#persistence'
import type { OperationDeps } from '../deps.ts'
import { refused } from '../refused.ts'
import { hashedSubject, limitTries, type Tries, tooManyAttempts } from './attempts.ts'
import { rememberIfUnknown } from './authenticate.ts'
import { plainEmail } from './read-person.ts'

type Deps = Pick<OperationDeps, 'db' | 'identity' | 'mailer'>

/** The browser that a request comes from. */
export interface BrowserRequest {
  headers: Headers
  address: string
  setCookie(value: string): void
}

/** What signing in needs of a request. */
export interface SignInRequest<Body> extends BrowserRequest {
  body: AskedBody<Body>
}

/** Everybody behind one address together. */
const addressTries = (address: string): Tries[] =>
  addressBounds('address', address, 50).map((tries) => ({ ...tries, shared: true }))

/**
 * Tries of a password to get in, by whichever way: with an invitation there are no tries besides. A browser in which the
 * user has signed in before is counted by itself, and what strangers try does not concern it. From all other browsers
 * together, an address of mail has 20 tries in 15 minutes at once and one more every 10 seconds: 110, or 10,560 a day.
 *
 * @param browser id of a known browser of the user; null for any other
 * @param mail whether a link for a new password can be sent by mail
 */
export function passwordTries(
  email: string,
  { address, browser, mail }: { address: string; browser: string | null; mail: boolean },
): Tries[] {
  const who = hashedSubject(email)
  if (browser !== null) return [{ subject: `sign-in:${who}:${browser}`, limit: 5 }]
  return [
    ...addressTries(address),
    ...addressBounds(`sign-in:${who}`, address, 5),
    {
      subject: `sign-in:${who}`,
      limit: 20,
      shared: true,
      turns: {
        everyMs: 10_000,
        instead: `use a browser that you have signed in with before, or ${mail ? 'ask for a new password' : 'ask the operator for a link for a new password'}`,
      },
    },
  ]
}

/**
 * Signs a user in by address and password. The session is always a new one, and a previous session of the browser
 * ends. With two-factor authentication, it is not signed in yet. `passwordTries` has the limits on wrong attempts;
 * in addition, 50 in 15 minutes from one client.
 *
 * @throws ProblemError `request:invalid_query`, `request:invalid_body`, `auth:wrong_sign_in`, `auth:too_many_attempts`
 * @throws ProblemError `request:refused` for a user who is a member of no account any more
 */
export async function signIn(
  { db, identity, mailer }: Deps,
  request: SignInRequest<SignInBody>,
): Promise<SignInAnswer> {
  const { email: typed, password } = request.body.read()
  const email = plainEmail(typed)
  const user = await findUserByEmail(db, email)
  const browser = user && identity.findKnownBrowser(request.headers, user.id)
  const tries = passwordTries(email, { address: request.address, browser, mail: mailer !== null })
  const outcome = await limitTries(db, tries, async () => {
    const tried = await identity.signIn({ email, password }, request)
    return tried.kind === 'wrong' ? null : tried
  })
  if (!outcome) throw new ProblemError('auth:wrong_sign_in', 'The email address or the password is wrong.')
  if (outcome.kind === 'signed-in') await refuseStrangers(db, user?.id ?? null)
  await endOlder({ db, identity }, request.headers)
  for (const cookie of outcome.cookies) request.setCookie(cookie)
  if (user && outcome.kind === 'signed-in') request.setCookie(identity.rememberBrowser(request.headers, user.id))
  return { next: outcome.kind }
}

/** A code is good for one use; that of an app lasts 90 seconds at most. */
const USED_MINUTES = 2

/**
 * Completes a sign-in with a code of the app or a backup code; each works once. The session is always a new one.
 *
 * @throws ProblemError `request:invalid_query`, `request:invalid_body`, `auth:wrong_sign_in`, `auth:second_step_over`,
 *   `auth:too_many_attempts`
 */
export async function passSecondStep(
  { db, identity }: Pick<Deps, 'db' | 'identity'>,
  request: SignInRequest<SecondStepBody>,
): Promise<SignInAnswer> {
  const code = readCode(request.body.read().code)
  const userId = await identity.findSecondStep(request.headers)
  if (!userId) throw stepOver()
  // Only those who know the password come here: of codes alone, no browser has more tries than another.
  const known = identity.findKnownBrowser(request.headers, userId) !== null
  const ofUser = { subject: `second-step:${userId}`, limit: 5 }
  const tries = known ? [ofUser] : [...addressTries(request.address), ofUser]
  const outcome = await limitTries(db, tries, async () => {
    if (!(await isFirstUse(db, userId, code))) return null
    const tried = await identity.passSecondStep(code, request)
    if (tried.kind === 'over') throw stepOver()
    if (tried.kind === 'locked') throw tooManyAttempts(new Date(Date.now() + 15 * MINUTE_MS))
    return tried.kind === 'right' ? tried : null
  })
  if (!outcome) {
    throw new ProblemError('auth:wrong_sign_in', 'That code is wrong, or it was used before. Wait for the next one.')
  }
  await refuseStrangers(db, userId)
  await endOlder({ db, identity }, request.headers)
  for (const cookie of outcome.cookies) request.setCookie(cookie)
  request.setCookie(identity.rememberBrowser(request.headers, userId))
  return { next: 'signed-in' }
}

/**
 * Ends the session of a request; the browser stays known. Does nothing without a session.
 *
 * @throws ProblemError `request:invalid_query`
 */
export async function signOut(
  { identity }: Pick<Deps, 'identity'>,
  { query, ...request }: BrowserRequest & { query: AskedQuery<undefined> },
): Promise<void> {
  query.read()
  const session = await identity.readSession(request.headers)
  for (const cookie of await identity.signOut(request.headers)) request.setCookie(cookie)
  if (session) rememberIfUnknown(identity, { ...request, userId: session.userId })
}

/** Normalizes a code, however it was typed: `123 456`, `ABCDE FGHIJ`. */
export function readCode(typed: string): string {
  const plain = typed.replace(/[\s-]/g, '').toLowerCase()
  return /^\d{6}$/.test(plain) ? plain : `${plain.slice(0, 5)}-${plain.slice(5)}`
}

/**
 * Whether a code is used for the first time, so that someone who read it over a shoulder comes too late (RFC 6238,
 * 5.2).
 */
export async function isFirstUse(db: Database, userId: string, code: string): Promise<boolean> {
  const { tries } = await countAttempt(db, `code:${userId}:${hashedSubject(code)}`, USED_MINUTES)
  return tries === 1
}

function stepOver(): ProblemError {
  return new ProblemError('auth:second_step_over', 'The first step is too long ago. Sign in with your password again.')
}

/** Without an account there is nothing to be signed in to; the password was right, so this may be said. */
async function refuseStrangers(db: Database, userId: string | null): Promise<void> {
  if (userId !== null && (await listMemberships(db, userId)).length > 0) return
  if (userId !== null) await deleteSessions(db, userId, null)
  throw refused('why:no_member')
}

/** Ends the session that the browser came with. */
async function endOlder({ db, identity }: Pick<Deps, 'db' | 'identity'>, headers: Headers): Promise<void> {
  const older = await identity.readSession(headers)
  if (older) await deleteSession(db, { id: older.sessionId, userId: older.userId })
}
