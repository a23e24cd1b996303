import type { Kysely } from 'kysely'
import { hashPassword, newPassword, verifyPassword } from './passwords.ts'
import type { createSignIn, SignInOptions } from './sign-in.ts'

export type SignIn = ReturnType<typeof createSignIn>

/** Somebody who is signed in. */
export interface SignedIn {
  sessionId: string
  userId: string
  userName: string
  email: string
  twoFactorEnabled: boolean
  /** The account that the session works on; null before one was chosen. */
  activeAccountId: string | null
}

/** What becomes of a try to sign in. Cookies are values of the header Set-Cookie. */
export type SignInOutcome =
  | { kind: 'signed-in'; cookies: string[] }
  /** The password was right; a code of the second step is asked for. */
  | { kind: 'second-step'; cookies: string[] }
  | { kind: 'wrong' }

/** Who people are and how they prove it. Behind it stands better-auth, on tables of our own migrations. */
export interface Identity {
  hashPassword(password: string): Promise<string>
  verifyPassword(input: { hash: string; password: string }): Promise<boolean>
  newPassword(): string
  /** Whose session the cookie of a request names; null for none, or one that is over. */
  readSession(headers: Headers): Promise<SignedIn | null>
  signIn(input: { email: string; password: string }, headers: Headers): Promise<SignInOutcome>
  /** Ends the session of a request. Answers the cookies that take the old ones away. */
  signOut(headers: Headers): Promise<string[]>
}

export function createIdentity<Tables>(options: Omit<SignInOptions, 'db'> & { db: Kysely<Tables> }): Identity {
  let loading: Promise<SignIn> | null = null
  // Loaded when it is first asked for: it is large.
  const library = () =>
    (loading ??= import('./sign-in.ts').then((room) =>
      room.createSignIn({ ...options, db: options.db as unknown as Kysely<unknown> }),
    ))
  return {
    hashPassword,
    verifyPassword,
    newPassword,
    async readSession(headers) {
      // Most of what comes without a cookie is no browser at all.
      if (!headers.has('cookie')) return null
      const { api } = await library()
      const found = await api.getSession({ headers })
      if (!found) return null
      const { session, user } = found
      return {
        sessionId: session.id,
        userId: user.id,
        userName: user.name,
        email: user.email,
        twoFactorEnabled: user.twoFactorEnabled === true,
        activeAccountId: session.activeAccountId ?? null,
      }
    },
    async signIn(body, headers) {
      const { api } = await library()
      const answer = await api.signInEmail({ body, headers, asResponse: true })
      if (!answer.ok) return { kind: 'wrong' }
      const cookies = answer.headers.getSetCookie()
      const { twoFactorRedirect } = (await answer.json()) as { twoFactorRedirect?: boolean }
      return { kind: twoFactorRedirect ? 'second-step' : 'signed-in', cookies }
    },
    async signOut(headers) {
      const { api } = await library()
      const answer = await api.signOut({ headers, asResponse: true })
      return answer.headers.getSetCookie()
    },
  }
}
