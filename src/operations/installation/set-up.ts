import { ProblemError, refuseBody, type SetupBody, type SetupState, type SignInAnswer } from '#contract'
import { addressBounds, isSetupCode } from '#domain'
import { type Database, findUserByEmail, oldestAccount } from '#persistence'
import { makeAccount } from '../accounts/create.ts'
import type { OperationDeps } from '../deps.ts'
import { limitWrongTries } from '../members/attempts.ts'
import { checkEmail, checkName, checkNewPassword, plainEmail, refusalAt } from '../members/read-person.ts'
import type { SignInRequest } from '../members/sign-in.ts'
import { refused } from '../refused.ts'
import { readTimezone } from '../social-sets/create.ts'

type Deps = Pick<OperationDeps, 'db' | 'networks' | 'identity' | 'setupCodes' | 'afterSetUp'>

/** Whether there is no account yet. */
export async function readSetupState({ db }: { db: Database }): Promise<SetupState> {
  return { needed: (await oldestAccount(db)) === null }
}

/**
 * Creates the first account with its owner, who operates the installation and is signed in, and its first social
 * set: all or nothing, and only while there is no account. It requires the printed code, so no one else can do it
 * first.
 *
 * @throws ProblemError `request:invalid_query`, `request:invalid_body`, `auth:wrong_setup_code`, `auth:too_many_attempts`
 * @throws ProblemError `request:refused` when there is an account
 */
export async function setUp(deps: Deps, request: SignInRequest<SetupBody>): Promise<SignInAnswer> {
  const { db, identity } = deps
  const body = request.body.read()
  const tries = addressBounds('setup', request.address, 50)
  const right = await limitWrongTries(db, tries, async () =>
    deps.setupCodes.some((code) => isSetupCode(body.code, code)) ? true : null,
  )
  if (!right) {
    throw new ProblemError('auth:wrong_setup_code', 'The code is not the one that was printed at the start.')
  }
  if (!(await readSetupState(deps)).needed) throw refused('why:account_here')
  const email = plainEmail(body.email)
  refuseBody([
    ...checkName('name', body.name, 'A person'),
    ...checkEmail('email', email),
    ...(await checkNewPassword('password', body.password, email)),
    ...checkName('accountName', body.accountName, 'An account'),
    ...checkName('socialSetName', body.socialSetName, 'A social set'),
    ...refusalAt('timezone', () => readTimezone(body.timezone)),
  ])
  // Takes tens of milliseconds by design: before the transaction, not in it.
  const passwordHash = await identity.hashPassword(body.password)
  await makeAccount(
    { db, networks: deps.networks, credentials: { open: noSandbox, seal: noSandbox }, sandboxIdentity: noSandbox },
    {
      name: body.accountName.trim(),
      plan: 'SCALE',
      socialSet: { name: body.socialSetName, timezone: body.timezone, sandbox: false },
      owner: { name: body.name.trim(), email, passwordHash },
      asFirst: true,
      operator: true,
    },
  )
  await deps.afterSetUp?.()
  const outcome = await identity.signIn({ email, password: body.password }, request)
  if (outcome.kind !== 'signed-in') throw new Error('The owner who was just made cannot sign in.')
  for (const cookie of outcome.cookies) request.setCookie(cookie)
  const user = await findUserByEmail(db, email)
  if (user) request.setCookie(identity.rememberBrowser(request.headers, user.id))
  return { next: 'signed-in' }
}

function noSandbox(): never {
  throw new TypeError('The first account is not connected to the simulators.')
}
