import { createHash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { answerConsent, redeemCode } from '../toolkit/consent.ts'
import type { SimulatedAnswer } from '../toolkit/faults.ts'
import { readForm } from '../toolkit/request-body.ts'
import type { SimulatorDeps } from '../toolkit/simulation.ts'
import { manifest, SCOPE, TITLE } from './manifest.ts'
import { ACCESS_SECONDS, accessToken, type Principal, principalOf, refreshToken, revoke } from './simulator-accounts.ts'

/** Google's codes are good for about ten minutes. */
const CODE_LASTS_MS = 10 * 60_000

const clientId = manifest.settings.CLIENT_ID?.sandbox ?? ''

/** `GET /o/oauth2/v2/auth` */
export function showConsent(deps: SimulatorDeps, request: IncomingMessage, response: ServerResponse): void {
  answerConsent(deps, request, response, { title: TITLE, clientId, codeLastsMs: CODE_LASTS_MS })
}

/** `POST /token`: a code for tokens, or a refresh token for an access token. */
export async function answerToken(deps: SimulatorDeps, request: IncomingMessage): Promise<SimulatedAnswer> {
  const form = await readForm(request)
  if (form.client_id !== clientId || !deps.tokens.isSecret('CLIENT_SECRET', form.client_secret)) {
    return refusal(401, 'invalid_client', 'The OAuth client was not found.')
  }
  if (form.grant_type === 'authorization_code') return redeem(deps, form)
  if (form.grant_type !== 'refresh_token') return refusal(400, 'unsupported_grant_type', 'Invalid grant_type')
  if (!form.refresh_token) return refusal(400, 'invalid_request', 'Missing required parameter: refresh_token')
  const principal = principalOf(deps, 'refresh', form.refresh_token)
  if (!principal) return refusal(400, 'invalid_grant', 'Token has been expired or revoked.')
  // The refresh token stays as it is and is not told again.
  return granted(deps, principal, SCOPE)
}

/** `POST /revoke` */
export async function answerRevoke(deps: SimulatorDeps, request: IncomingMessage, query: URLSearchParams) {
  const form = await readForm(request)
  const token = query.get('token') ?? form.token ?? ''
  const principal = principalOf(deps, 'refresh', token) ?? principalOf(deps, 'access', token)
  if (!principal) return refusal(400, 'invalid_token', 'Token expired or revoked')
  revoke(deps, principal)
  return { status: 200, body: {} }
}

function redeem(deps: SimulatorDeps, form: Record<string, string>): SimulatedAnswer {
  const grant = redeemCode(deps, form.code ?? '')
  if (!grant) return refusal(400, 'invalid_grant', 'Malformed auth code.')
  if (form.redirect_uri !== grant.redirectUri) return refusal(400, 'redirect_uri_mismatch', 'Bad Request')
  if (grant.codeChallenge !== null && challengeOf(form.code_verifier) !== grant.codeChallenge) {
    return refusal(400, 'invalid_grant', 'Invalid code verifier.')
  }
  const principal: Principal = { grant: grant.id }
  const answer = granted(deps, principal, grant.scope)
  return { ...answer, body: { ...answer.body, refresh_token: refreshToken(deps.tokens, principal) } }
}

function granted(deps: SimulatorDeps, principal: Principal, scope: string) {
  const until = new Date(deps.now().getTime() + ACCESS_SECONDS * 1000)
  return {
    status: 200,
    body: {
      access_token: accessToken(deps.tokens, principal, until),
      expires_in: ACCESS_SECONDS,
      scope,
      token_type: 'Bearer',
    },
  }
}

const challengeOf = (verifier = '') => createHash('sha256').update(verifier).digest('base64url')

function refusal(status: number, error: string, description: string): SimulatedAnswer {
  return { status, body: { error, error_description: description } }
}
