import { answerConsent, redeemCode } from '../kit/consent.ts'
import type { SimulatedAnswer } from '../kit/faults.ts'
import { readForm } from '../kit/request-body.ts'
import type { SimulatorDeps } from '../kit/simulation.ts'
import type { Answering } from '../kit/simulator.ts'
import { ok } from './simulator.ts'

const HOUR_MS = 3_600_000
/** As the documentation's examples have it, a little less than 60 days. */
const LONG_SECONDS = 5_183_944

/** How long a token works, of 60 days or of an hour. */
export const lastsMs = (long: boolean) => (long ? LONG_SECONDS * 1000 : HOUR_MS)

/** What a token stands for. */
export type OwnToken<Claims> = Claims & {
  /** Of 60 days, not of an hour. */
  long: boolean
  /** Milliseconds since 1970. */
  issuedAt: number
}

/**
 * The sign-in of accounts without a Page, as simulators have it: the page on which people decide, codes for tokens of an
 * hour, those for tokens of 60 days, and renewals of these.
 */
export function ownTokenRoutes<Claims extends { scopes: readonly string[] }>(
  deps: SimulatorDeps,
  network: {
    title: string
    clientId: string
    /** The setting that holds the secret of the app. */
    secret: string
    /** What the grant types begin with: `th` of `th_exchange_token`. */
    grants: string
    /** Where routes stand: `/loginWeb`. */
    at: { web: string; codes: string; tokens: string }
    refusals: Record<'client' | 'codeGrantType' | 'code' | 'redirectUri' | 'secret' | 'grantType', SimulatedAnswer> & {
      token(text: string): SimulatedAnswer
    }
    /** A living token; null for every other text. */
    read(text: string): OwnToken<Claims> | null
    give(claims: Claims, long: boolean): string
    /** The account that signs in. */
    signedIn(scopes: readonly string[]): Claims
    /** Body of the answer to a code. */
    body(accessToken: string, claims: Claims): unknown
  },
): Readonly<Record<string, Answering>> {
  const { title, clientId, grants, at, refusals } = network
  const isSecret = (given: string | null | undefined) => deps.tokens.isSecret(network.secret, given)

  const redeem: Answering = async ({ request }) => {
    const form: Readonly<Record<string, string | undefined>> = await readForm(request)
    if (form.client_id !== clientId || !isSecret(form.client_secret)) return refusals.client
    if (form.grant_type !== 'authorization_code') return refusals.codeGrantType
    const grant = redeemCode(deps, form.code ?? '')
    if (grant?.clientId !== clientId) return refusals.code
    if (grant.redirectUri !== form.redirect_uri) return refusals.redirectUri
    const claims = network.signedIn(grant.scope.split(/[\s,]+/))
    return ok(network.body(network.give(claims, false), claims))
  }

  /** A token of 60 days for one that may have it; others are refused in the words of a dead one. */
  function renew(query: URLSearchParams, grant: string, may: (token: OwnToken<Claims>) => boolean): SimulatedAnswer {
    if (query.get('grant_type') !== `${grants}_${grant}`) return refusals.grantType
    const text = query.get('access_token') ?? ''
    const token = network.read(text)
    if (!token || !may(token)) return refusals.token(text)
    return ok({ access_token: network.give(token, true), token_type: 'bearer', expires_in: LONG_SECONDS })
  }

  return {
    [`GET ${at.web}/oauth/authorize`]: ({ request, response }) =>
      answerConsent(deps, request, response, { title, clientId, codeLastsMs: HOUR_MS, suffix: '#_' }),
    [`POST ${at.codes}/oauth/access_token`]: redeem,
    [`GET ${at.tokens}/access_token`]: ({ query }) =>
      isSecret(query.get('client_secret')) ? renew(query, 'exchange_token', ({ long }) => !long) : refusals.secret,
    // In which words a token of less than a day is refused is not documented.
    [`GET ${at.tokens}/refresh_access_token`]: ({ query }) =>
      renew(query, 'refresh_token', ({ long, issuedAt }) => long && deps.now().getTime() - issuedAt >= 24 * HOUR_MS),
  }
}
