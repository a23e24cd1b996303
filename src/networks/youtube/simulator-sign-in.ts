import { createHash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { answerConsent, redeemCode } from '../toolkit/consent.ts'
import { type SimulatedAnswer, sendAnswer } from '../toolkit/faults.ts'
import { readForm } from '../toolkit/request-body.ts'
import type { SimulatorDeps } from '../toolkit/simulation.ts'
import { manifest } from './manifest.ts'
import { ACCESS_SECONDS, refreshed, signedIn } from './simulator-accounts.ts'

const CLIENT_ID = manifest.settings.CLIENT_ID?.sandbox ?? ''
const CODE_MS = 10 * 60_000

/** The page of Google that asks the person. */
export function showConsent(deps: SimulatorDeps, request: IncomingMessage, response: ServerResponse): void {
  answerConsent(deps, request, response, { title: 'Google', clientId: CLIENT_ID, codeLastsMs: CODE_MS })
}

const oauthError = (status: number, error: string, description: string): SimulatedAnswer => ({
  status,
  body: { error, error_description: description },
})

/** `POST https://oauth2.googleapis.com/token`. Refresh tokens are not replaced by use. */
export async function answerToken(deps: SimulatorDeps, request: IncomingMessage, response: ServerResponse) {
  sendAnswer(response, grant(deps, await readForm(request)))
}

function grant(deps: SimulatorDeps, form: Record<string, string>): SimulatedAnswer {
  if (form.client_id !== CLIENT_ID || !deps.tokens.isSecret('CLIENT_SECRET', form.client_secret)) {
    return oauthError(401, 'invalid_client', 'The OAuth client was not found.')
  }
  const token = { token_type: 'Bearer', expires_in: ACCESS_SECONDS }
  if (form.grant_type === 'refresh_token') {
    const fresh = refreshed(deps, form.refresh_token ?? '')
    if (!fresh) return oauthError(400, 'invalid_grant', 'Token has been expired or revoked.')
    return { status: 200, body: { ...token, access_token: fresh.accessToken, scope: fresh.scope } }
  }
  if (form.grant_type !== 'authorization_code') {
    return oauthError(400, 'unsupported_grant_type', `Invalid grant_type: ${form.grant_type}`)
  }
  const given = redeemCode(deps, form.code ?? '')
  if (!given) return oauthError(400, 'invalid_grant', 'Malformed auth code.')
  if (given.redirectUri !== form.redirect_uri) return oauthError(400, 'redirect_uri_mismatch', 'Bad Request')
  const challenge = createHash('sha256')
    .update(form.code_verifier ?? '')
    .digest('base64url')
  if (given.codeChallenge !== null && given.codeChallenge !== challenge) {
    return oauthError(400, 'invalid_grant', 'Invalid code verifier.')
  }
  const { accessToken, refreshToken } = signedIn(deps, given.scope)
  return {
    status: 200,
    body: { ...token, access_token: accessToken, refresh_token: refreshToken, scope: given.scope },
  }
}
