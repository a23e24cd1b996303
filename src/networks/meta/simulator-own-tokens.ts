import { DAY_MS, HOUR_MS } from '#contract/durations'
import { answerConsent, redeemCode } from '../kit/consent.ts'
import type { SimulatedAnswer } from '../kit/faults.ts'
import { readForm } from '../kit/request-body.ts'
import { tokenStore } from '../kit/simulated-tokens.ts'
import type { SimulatorDeps } from '../kit/simulation.ts'
import type { Answering } from '../kit/simulator.ts'
import { ok } from './simulator.ts'

/** As the documentation's examples have it, a little less than 60 days. */
const LONG_SECONDS = 5_183_944

/** What a token stands for. */
type OwnToken<Claims> = Claims & {
  /** Of 60 days, not of an hour. */
  long: boolean
  /** Milliseconds since 1970. */
  issuedAt: number
}

/**
 * The sign-in of accounts without a Page, as simulators have it: routes for the page on which people decide, for codes,
 * which become tokens of an hour, those for tokens of 60 days, and renewals of these; and the tokens that were given.
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
    /** What tokens begin with, and what one stands for that is no more than its signed claims and has no end. */
    prefix: string
    signed(claims: unknown): Claims
    /** The account that signs in. */
    signedIn(scopes: readonly string[]): Claims
    /** Body of the answer to a code. */
    body(accessToken: string, claims: Claims): unknown
  },
) {
  const { title, clientId, grants, at, refusals, prefix } = network
  const storeOf = (lastsMs: number) => {
    const kinds = { access: { prefix, lastsMs }, refresh: { prefix: '', lastsMs, rotates: false } }
    const signed = (claims: unknown) => ({ ...network.signed(claims), long: true, issuedAt: 0 })
    return tokenStore<OwnToken<Claims>>(deps, kinds, signed)
  }
  const [short, long] = [storeOf(HOUR_MS), storeOf(LONG_SECONDS * 1000)]
  const give = (claims: Claims, isLong: boolean) =>
    (isLong ? long : short).give({ ...claims, long: isLong, issuedAt: deps.now().getTime() }).accessToken
  const isSecret = (given: string | null | undefined) => deps.tokens.isSecret(network.secret, given)

  const redeem: Answering = async ({ request }) => {
    const form: Readonly<Record<string, string | undefined>> = await readForm(request)
    if (form.client_id !== clientId || !isSecret(form.client_secret)) return refusals.client
    if (form.grant_type !== 'authorization_code') return refusals.codeGrantType
    const grant = redeemCode(deps, form.code ?? '')
    if (grant?.clientId !== clientId) return refusals.code
    if (grant.redirectUri !== form.redirect_uri) return refusals.redirectUri
    const claims = network.signedIn(grant.scope.split(/[\s,]+/))
    return ok(network.body(give(claims, false), claims))
  }

  /** A token of 60 days for one that may have it; others are refused in the words of a dead one. */
  function renew(query: URLSearchParams, grant: string, may: (token: OwnToken<Claims>) => boolean): SimulatedAnswer {
    if (query.get('grant_type') !== `${grants}_${grant}`) return refusals.grantType
    const text = query.get('access_token') ?? ''
    const token = long.access(text)
    if (!token || !may(token)) return refusals.token(text)
    return ok({ access_token: give(token, true), token_type: 'bearer', expires_in: LONG_SECONDS })
  }

  const open: Readonly<Record<string, Answering>> = {
    [`GET ${at.web}/oauth/authorize`]: ({ request, response }) =>
      answerConsent(deps, request, response, { title, clientId, codeLastsMs: HOUR_MS, suffix: '#_' }),
    [`POST ${at.codes}/oauth/access_token`]: redeem,
    [`GET ${at.tokens}/access_token`]: ({ query }) =>
      isSecret(query.get('client_secret')) ? renew(query, 'exchange_token', ({ long }) => !long) : refusals.secret,
    // In which words a token of less than a day is refused is not documented.
    [`GET ${at.tokens}/refresh_access_token`]: ({ query }) =>
      renew(query, 'refresh_token', ({ long, issuedAt }) => long && deps.now().getTime() - issuedAt >= DAY_MS),
  }
  return { open, access: long.access, isOver: long.isOver }
}
