import type { Kysely } from 'kysely'
import { cookieAttributes, readCookie, requestHeaders, type SignInFrom } from './cookies.ts'
import { createKnownBrowsers, type KnownBrowsers } from './known-browsers.ts'
import { libraryKeysOf, resignCookie } from './library-keys.ts'
import { hashPassword, newPassword, verifyPassword } from './passwords.ts'
import { createSecondStep, type SecondStep } from './second-step.ts'
import type { SignIn, SignInOptions } from './sign-in.ts'

type SurfaceFaults = <T>(work: () => Promise<T>) => Promise<T>

/** A person who is signed in. */
interface SignedIn {
  sessionId: string
  userId: string
  userName: string
  email: string
  twoFactorEnabled: boolean
  /** The account that the session works on; null before one was chosen. */
  activeAccountId: string | null
  lastUsedAt: Date
  /** Values of Set-Cookie that go with the answer: of a session that was prolonged just now, or signed with an older key. */
  cookies: string[]
}

/** What becomes of a try to sign in. Cookies are values of the header Set-Cookie. */
type SignInOutcome =
  | { kind: 'signed-in'; cookies: string[] }
  /** The password was right; a code of the second step is asked for. */
  | { kind: 'second-step'; cookies: string[] }
  | { kind: 'wrong' }

/** Who people are and how they prove it. Behind it stands better-auth, on tables of our own migrations. */
export interface Identity extends SecondStep, KnownBrowsers {
  hashPassword(password: string): Promise<string>
  verifyPassword(input: { hash: string; password: string }): Promise<boolean>
  newPassword(): string
  /** Whose session the cookie of a request names; null for none, or one that is over. */
  readSession(headers: Headers): Promise<SignedIn | null>
  /** Takes equally long for an address that no one has. The session is always a new one. */
  signIn(input: { email: string; password: string }, from: SignInFrom): Promise<SignInOutcome>
  /** Ends the session of a request. Answers the cookies that take the old ones away. */
  signOut(headers: Headers): Promise<string[]>
}

/**
 * @param options `surfaceFaults` runs what the library does and rejects with the fault of the database that it met: the
 * library takes one for a wrong password, or for a request without a session
 */
export function createIdentity<Tables>(
  options: Omit<SignInOptions, 'db'> & { db: Kysely<Tables>; surfaceFaults?: SurfaceFaults },
): Identity {
  const { surfaceFaults = (work) => work() } = options
  const keys = libraryKeysOf(options.secrets)
  let loading: Promise<SignIn> | null = null
  // Loaded when it is first asked for: it is large.
  const library = () =>
    (loading ??= import('./sign-in.ts').then((room) =>
      room.createSignIn({ ...options, db: options.db as unknown as Kysely<unknown> }),
    ))
  const byLibrary: Pick<Identity, 'readSession' | 'signIn' | 'signOut'> & SecondStep = {
    ...createSecondStep(library, keys),
    async readSession(headers) {
      // Most of what comes without a cookie is no browser at all.
      if (!headers.has('cookie')) return null
      const auth = await library()
      const { sessionToken } = (await auth.$context).authCookies
      const sent = readCookie(headers, sessionToken.name)
      if (sent === null) return null
      const { response, headers: answered } = await auth.api.getSession({
        headers: requestHeaders({ headers, address: '' }, [sessionToken.name], keys),
        returnHeaders: true,
      })
      if (!response) return null
      const { session, user } = response
      const cookies = answered.getSetCookie()
      const resigned = resignCookie(sent, keys)
      if (cookies.length === 0 && resigned !== sent) {
        const seconds = Math.floor((session.expiresAt.getTime() - Date.now()) / 1_000)
        cookies.push(`${sessionToken.name}=${resigned}; ${cookieAttributes(options.publicUrl, seconds)}`)
      }
      return {
        sessionId: session.id,
        userId: user.id,
        userName: user.name,
        email: user.email,
        twoFactorEnabled: user.twoFactorEnabled === true,
        activeAccountId: session.activeAccountId ?? null,
        lastUsedAt: session.lastUsedAt ?? session.createdAt,
        cookies,
      }
    },
    async signIn(body, from) {
      const { api } = await library()
      // Without the cookies that came: nothing of an older session, or of a browser that was trusted, plays a part.
      const answer = await api.signInEmail({ body, headers: requestHeaders(from, [], keys), asResponse: true })
      if (!answer.ok) return { kind: 'wrong' }
      const cookies = answer.headers.getSetCookie()
      const { twoFactorRedirect } = (await answer.json()) as { twoFactorRedirect?: boolean }
      return { kind: twoFactorRedirect ? 'second-step' : 'signed-in', cookies }
    },
    async signOut(headers) {
      const { api, $context } = await library()
      const { sessionToken } = (await $context).authCookies
      const request = requestHeaders({ headers, address: '' }, [sessionToken.name], keys)
      const answer = await api.signOut({ headers: request, asResponse: true })
      return answer.headers.getSetCookie()
    },
  }
  return {
    hashPassword: (password) => hashPassword(password, options.passwordCost),
    verifyPassword,
    newPassword,
    ...createKnownBrowsers(options),
    ...withFaults(byLibrary, surfaceFaults),
  }
}

/** Every method rejects with the fault of the database that it met. */
function withFaults<Methods extends object>(methods: Methods, surfaceFaults: SurfaceFaults): Methods {
  const each = Object.entries(methods as Record<string, (...args: unknown[]) => Promise<unknown>>)
  const entries = each.map(([name, method]) => [name, (...args: unknown[]) => surfaceFaults(() => method(...args))])
  return Object.fromEntries(entries) as Methods
}
