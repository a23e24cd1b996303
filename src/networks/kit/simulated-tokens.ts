import { randomBytes } from 'node:crypto'
import { redeemCode, type SimulatedGrant } from './consent.ts'
import type { SimulatedAnswer } from './faults.ts'
import { readForm } from './request-body.ts'
import type { SimulatorDeps } from './simulation.ts'
import { type Answering, challengeOf } from './simulator.ts'

/** A refusal as RFC 6749 has it. `more`: what the network adds. */
export const oauthError = (status: number, error: string, error_description: string, more = {}): SimulatedAnswer => ({
  status,
  body: { error, error_description, ...more },
})

/** A pair of tokens. */
interface Session {
  accessToken: string
  refreshToken: string
}

export interface TokenStore<Claims> {
  give(claims: Claims): Session
  /** Fresh tokens for a refresh token. Where these rotate, it is dead after this; else it stays as it is. */
  renew(refreshToken: string, claims: Claims): Session
  /** What a living token stands for; null for all others. */
  access(token: string | undefined): Kept<Claims> | null
  refresh(token: string | undefined): Kept<Claims> | null
  /** Whether this was an access token once. */
  isOver(token: string): boolean
  /** The same tokens for as long as the access token works: those of a sandbox connection. */
  session(id: string, claims: Claims, options?: { accessMs?: number | null }): Session & { expiresAt: Date | null }
}

type Kept<Claims> = Claims & { expiresAt: string | null }

/** Collections. Earlier versions had others, whose tokens anyone could get: those are good no more. */
const [ACCESS, REFRESH, SESSIONS, SPENT] = ['access-grants', 'refresh-grants', 'sessions', 'spent'] as const

/**
 * The tokens of a simulated network and what they stand for.
 *
 * @param kinds milliseconds that tokens live, null for ever, and what they begin with
 * @param signed reads claims from a token that is no more than its signed claims, as sandbox connections have them where
 *   these never end: `deps.tokens.write('access', claims)` behind the prefix
 */
export function tokenStore<Claims extends object>(
  deps: SimulatorDeps,
  kinds: {
    access: { prefix: string; lastsMs: number }
    refresh: { prefix: string; lastsMs: number | null; rotates: boolean }
  },
  signed?: (claims: unknown) => Claims,
): TokenStore<Claims> {
  const { store, now } = deps
  const until = (ms: number | null) => (ms === null ? null : new Date(now().getTime() + ms).toISOString())

  function find(kind: 'access' | 'refresh', token = ''): Kept<Claims> | null {
    const found = store.get<Kept<Claims>>(kind === 'access' ? ACCESS : REFRESH, token)
    if (found) return found.expiresAt === null || new Date(found.expiresAt) > now() ? found : null
    const { prefix } = kinds[kind]
    if (!signed || !token.startsWith(prefix) || store.get(SPENT, token) !== undefined) return null
    const claims = deps.tokens.read(kind, token.slice(prefix.length))
    if (claims === undefined) return null
    // Earlier versions signed tokens that end.
    const { until, expiresAt: end = until } = claims as Partial<Record<'until' | 'expiresAt', string | number | null>>
    return end && new Date(end) <= now() ? null : { ...signed(claims), expiresAt: null }
  }

  const fresh = (prefix: string) => prefix + randomBytes(30).toString('base64url')

  function giveAccess(claims: Claims, lastsMs: number | null = kinds.access.lastsMs): string {
    const token = fresh(kinds.access.prefix)
    store.put(ACCESS, token, { ...claims, expiresAt: until(lastsMs) })
    return token
  }

  function give(claims: Claims, accessMs?: number | null): Session {
    const refreshToken = fresh(kinds.refresh.prefix)
    store.put(REFRESH, refreshToken, { ...claims, expiresAt: until(kinds.refresh.lastsMs) })
    return { accessToken: giveAccess(claims, accessMs), refreshToken }
  }

  return {
    give: (claims) => give(claims),
    renew(refreshToken, claims) {
      if (!kinds.refresh.rotates) return { accessToken: giveAccess(claims), refreshToken }
      if (store.get(REFRESH, refreshToken) === undefined) store.put(SPENT, refreshToken, {})
      else store.remove(REFRESH, refreshToken)
      return give(claims)
    },
    access: (token) => find('access', token),
    refresh: (token) => find('refresh', token),
    isOver: (token) => store.get(ACCESS, token) !== undefined && find('access', token) === null,
    session(id, claims, options) {
      const kept = store.get<Session>(SESSIONS, id)
      const living = kept && find('access', kept.accessToken)
      const session = living ? kept : give(claims, options?.accessMs)
      if (!living) store.put(SESSIONS, id, session)
      const expiresAt = find('access', session.accessToken)?.expiresAt ?? null
      return { ...session, expiresAt: expiresAt === null ? null : new Date(expiresAt) }
    },
  }
}

type Form = Readonly<Record<string, string>>

/** The words in which a token endpoint refuses. */
interface TokenRefusals {
  client: SimulatedAnswer
  grantType: SimulatedAnswer
  code: SimulatedAnswer
  redirectUri: SimulatedAnswer
  /** Networks without PKCE have none. */
  verifier?: SimulatedAnswer
  refreshToken: SimulatedAnswer
  /** Where a request without one is refused in other words. */
  noRefreshToken?: SimulatedAnswer
}

/** A token endpoint (RFC 6749, sections 4.1.3 and 6): codes for tokens, refresh tokens for fresh ones. */
export function tokenEndpoint<Claims extends object>(
  tokens: TokenStore<Claims>,
  app: {
    /** Whether the request is of an app that is known. */
    isClient(form: Form, request: Parameters<Answering>[0]['request']): boolean
    refusals: TokenRefusals
    /** Who signs in by a code; null for a code that was not given to this app. */
    signIn(grant: SimulatedGrant, form: Form): Claims | null
    /** Whether a refresh token may be used by this app. */
    mayRefresh?(claims: Claims, form: Form): boolean
    /** The body of an answer with tokens. `renewed`: by a refresh token. */
    body(session: Session, claims: Claims, asked: { form: Form; renewed: boolean }): object
  },
): Answering {
  const { refusals } = app
  const answer = (...said: Parameters<typeof app.body>) => ({ status: 200, body: app.body(...said) })
  return async ({ deps, request }) => {
    const isForm = request.headers['content-type']?.startsWith('application/x-www-form-urlencoded')
    const form = isForm ? await readForm(request) : {}
    if (!app.isClient(form, request)) return refusals.client
    if (form.grant_type === 'authorization_code') {
      const grant = redeemCode(deps, form.code ?? '')
      const claims = grant && app.signIn(grant, form)
      if (!grant || !claims) return refusals.code
      if (grant.redirectUri !== form.redirect_uri) return refusals.redirectUri
      if (
        refusals.verifier &&
        grant.codeChallenge !== null &&
        grant.codeChallenge !== challengeOf(form.code_verifier)
      ) {
        return refusals.verifier
      }
      return answer(tokens.give(claims), claims, { form, renewed: false })
    }
    if (form.grant_type !== 'refresh_token') return refusals.grantType
    const { refresh_token: refreshToken = '' } = form
    if (refreshToken === '' && refusals.noRefreshToken) return refusals.noRefreshToken
    const claims = tokens.refresh(refreshToken)
    if (!claims || app.mayRefresh?.(claims, form) === false) return refusals.refreshToken
    return answer(tokens.renew(refreshToken, claims), claims, { form, renewed: true })
  }
}
