import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { redeemCode } from '../kit/consent.ts'
import type { SimulatedAnswer } from '../kit/faults.ts'
import { readForm } from '../kit/request-body.ts'
import type { SimulatorDeps } from '../kit/simulation.ts'
import { ok } from '../meta/simulator.ts'
import { manifest } from './manifest.ts'
import { LONG_SECONDS, newToken, readToken, type SimulatedToken, signedInAccount } from './simulator-accounts.ts'
import { graphFault } from './simulator-answers.ts'

export const CLIENT_ID = manifest.settings.CLIENT_ID?.sandbox ?? ''
const DAY_MS = 24 * 3_600_000

/** Errors of the endpoint for codes are flat. */
const flat = (message: string): SimulatedAnswer => ({
  status: 400,
  body: { error_type: 'OAuthException', code: 400, error_message: message },
})

/** `POST /oauth/access_token`: the code for a token of an hour. Parameters may stand in the query or in a form. */
export async function redeem(
  deps: SimulatorDeps,
  request: IncomingMessage,
  query: URLSearchParams,
): Promise<SimulatedAnswer> {
  const asked: Record<string, string> = { ...Object.fromEntries(query), ...(await readForm(request)) }
  const wanted = ['client_id', 'client_secret', 'code', 'grant_type', 'redirect_uri']
  const missing = wanted.find((name) => !asked[name])
  if (missing !== undefined) return flat(`Missing required parameter: ${missing}`)
  const foreign = Object.keys(asked).find((name) => !wanted.includes(name))
  if (foreign !== undefined) return flat(`Unknown parameter: ${foreign}`)
  if (asked.client_id !== CLIENT_ID || !deps.tokens.isSecret('CLIENT_SECRET', asked.client_secret)) {
    return flat('Invalid client credentials')
  }
  if (asked.grant_type !== 'authorization_code') return flat('Invalid grant type')
  const grant = redeemCode(deps, asked.code ?? '')
  if (!grant) return flat('Invalid verification code format or it was used before')
  if (grant.redirectUri !== asked.redirect_uri) return flat('Error validating verification code: redirect_uri differs')
  const account = signedInAccount()
  const scopes = grant.scope.split(/[\s,]+/)
  // A number that JSON readers round: written by hand.
  const accessToken = JSON.stringify(newToken(deps.tokens, { account, scopes }, deps.now(), { long: false }))
  return ok(`{"access_token":${accessToken},"user_id":${account.id}}`)
}

/** `GET /oauth/access_token`: a token of the app itself, which opens nothing here. In which words others are refused is not documented. */
export function appToken(deps: SimulatorDeps, query: URLSearchParams): SimulatedAnswer {
  if (query.get('grant_type') !== 'client_credentials') return graphFault(100, null, 'Invalid parameter: grant_type')
  if (query.get('client_id') !== CLIENT_ID) return graphFault(101, null, 'Error validating application.')
  if (!deps.tokens.isSecret('CLIENT_SECRET', query.get('client_secret'))) {
    return graphFault(1, null, 'Error validating client secret.')
  }
  return ok({ access_token: `TH|${CLIENT_ID}|${randomBytes(18).toString('base64url')}`, token_type: 'bearer' })
}

/** `GET /access_token`: a token of an hour for one of 60 days. */
export function exchange(deps: SimulatorDeps, query: URLSearchParams): SimulatedAnswer {
  if (query.get('grant_type') !== 'th_exchange_token') return graphFault(100, null, 'Invalid parameter: grant_type')
  if (!deps.tokens.isSecret('CLIENT_SECRET', query.get('client_secret'))) {
    return graphFault(1, null, 'Error validating client secret.')
  }
  const token = living(deps, query)
  if (!token || token.long) return sessionInvalid(query)
  return ok(tokenBody(newToken(deps.tokens, token, deps.now(), { long: true })))
}

/**
 * `GET /refresh_access_token`: another 60 days, for a token that is at least a day old and has not lapsed. In which
 * words a younger one is refused is not documented; here in those of a dead one.
 */
export function refreshToken(deps: SimulatorDeps, query: URLSearchParams): SimulatedAnswer {
  if (query.get('grant_type') !== 'th_refresh_token') return graphFault(100, null, 'Invalid parameter: grant_type')
  const token = living(deps, query)
  if (!token?.long || deps.now().getTime() - token.issuedAt < DAY_MS) return sessionInvalid(query)
  return ok(tokenBody(newToken(deps.tokens, token, deps.now(), { long: true })))
}

/** `GET /debug_token`: what a token is. The one that asks is looked at before. */
export function inspectToken(deps: SimulatorDeps, asking: string | null, query: URLSearchParams): SimulatedAnswer {
  const asks = readToken(deps.tokens, asking ?? '')
  if (!asks || !isLiving(deps, asks)) return graphFault(190, null, 'Invalid OAuth access token.')
  const token = readToken(deps.tokens, query.get('input_token') ?? '')
  if (!token || !isLiving(deps, token)) return ok({ data: { is_valid: false, scopes: [] } })
  const seconds = (ms: number | null) => (ms === null ? 0 : Math.floor(ms / 1000))
  return ok({
    data: {
      type: 'USER',
      application: 'Almanac',
      data_access_expires_at: seconds(token.expiresAt),
      expires_at: seconds(token.expiresAt),
      is_valid: true,
      issued_at: seconds(token.issuedAt),
      scopes: token.scopes,
      user_id: token.account.id,
    },
  })
}

const tokenBody = (token: string) => ({ access_token: token, token_type: 'bearer', expires_in: LONG_SECONDS })

function living(deps: SimulatorDeps, query: URLSearchParams): SimulatedToken | null {
  const token = readToken(deps.tokens, query.get('access_token') ?? '')
  return token && isLiving(deps, token) ? token : null
}

export function isLiving(deps: SimulatorDeps, { expiresAt }: SimulatedToken): boolean {
  return expiresAt === null || expiresAt > deps.now().getTime()
}

/** The network's own error text repeats a token that it does not take. */
const sessionInvalid = (query: URLSearchParams) =>
  graphFault(190, 452, `Error validating access token: Session key invalid ${query.get('access_token') ?? ''}`)
