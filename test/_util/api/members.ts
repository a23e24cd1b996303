import { type Role, rightsOf, SHIPPED_PLANS } from '#contract'
import { newId } from '#domain'
import { createIdentity, type Identity } from '#identity'
import type { Caller } from '#operations'
import { insertMembership, insertUser, markOperator, surfaceFaults } from '#persistence'
import type { Answer, Api, RequestOptions } from './api.ts'

/** Passwords of tests are hashed a thousand times in a run and need not resist guessing. */
const LIGHT_PASSWORDS = { memory: 64, passes: 1, parallelism: 1 }

/** The sign-in of an installation, on the database of a test. */
export function identityOf({ db }: Pick<Api, 'db'>): Identity {
  const secrets = [Buffer.alloc(32, 1)] as const
  const publicUrl = 'https://almanac.test'
  return createIdentity({ db, newId, publicUrl, secrets, surfaceFaults, passwordCost: LIGHT_PASSWORDS })
}

/** A member of an account, by what signing in and confirming take. */
export interface TestMember {
  accountId: string
  userId: string
  password: string
}

/** Makes a user with a password a member of an account; or makes one a member again. */
export async function newMember(
  api: Pick<Api, 'db'>,
  accountId: string,
  again?: TestMember,
  membership: { role?: Role; socialSetIds?: readonly string[] | null } = {},
): Promise<TestMember> {
  const { hashPassword, newPassword } = identityOf(api)
  const member = again ?? { accountId, userId: newId(), password: newPassword() }
  const { userId, password } = member
  if (!again) {
    const passwordHash = await hashPassword(password)
    await insertUser(api.db, { id: userId, name: 'Ada', email: `${userId}@example.invalid`, passwordHash })
  }
  const { role = 'editor', socialSetIds = null } = membership
  await insertMembership(api.db, { accountId, userId, role, socialSetIds })
  return { ...member, accountId }
}

/** A signed-in member, as operations get it. */
export function callerOf(
  { accountId, userId }: TestMember,
  { role = 'owner', socialSetIds = null }: { role?: Role; socialSetIds?: readonly string[] | null } = {},
): Caller {
  return {
    accountId,
    actor: { type: 'USER', id: userId, name: 'Ada' },
    rights: rightsOf(role),
    socialSetIds,
    plan: SHIPPED_PLANS.SCALE,
    member: { userId, sessionId: newId(), role, operator: false },
  }
}

/** A member in front of the dashboard. */
export interface Person {
  userId: string
  email: string
  password: string
  /** The header Cookie of the session. */
  cookie: string
  /** As the dashboard asks: below /internal, with the session's cookie, from our own origin. */
  request(method: string, path: string, options?: Pick<RequestOptions, 'body' | 'raw' | 'headers'>): Promise<Answer>
}

/** Makes a member of the account of a test, or of another one, and signs in. */
export async function signInAs(
  api: Api,
  role: Role,
  membership: { accountId?: string; socialSetIds?: readonly string[] | null } = {},
): Promise<Person> {
  const { accountId = api.accountId, socialSetIds = null } = membership
  const { userId, password } = await newMember(api, accountId, undefined, { role, socialSetIds })
  const email = `${userId}@example.invalid`
  const from = { origin: 'https://almanac.test', 'sec-fetch-site': 'same-origin' }
  const signedIn = await api.request('POST', '/internal/session', {
    key: null,
    body: { email, password },
    headers: from,
  })
  const cookie = signedIn.headers
    .getSetCookie()
    .map((one) => one.split(';')[0])
    .join('; ')
  return {
    userId,
    email,
    password,
    cookie,
    request: (method, path, options = {}) =>
      api.request(method, `/internal${path}`, {
        key: null,
        ...options,
        headers: { ...from, cookie, ...options.headers },
      }),
  }
}

/** The same, of an operator of the installation. */
export async function signInAsOperator(api: Api, role: Role = 'reviewer'): Promise<Person> {
  const person = await signInAs(api, role)
  await markOperator(api.db, person.userId, true)
  return person
}
