import { MINUTE_MS } from '#contract/durations'
import { answerConsent, type SimulatedGrant } from './consent.ts'
import { oauthError, tokenEndpoint, tokenStore } from './simulated-tokens.ts'
import type { SimulatorDeps } from './simulation.ts'
import type { Answering } from './simulator.ts'

const ACCESS_SECONDS = 3_599
/** Google's codes are good for about ten minutes. */
const CODE_LASTS_MS = 10 * MINUTE_MS

/**
 * Google's sign-in as simulators play it: the page of consent, tokens and their endpoint. A refresh token stays as it is
 * and is not given again. https://developers.google.com/identity/protocols/oauth2/web-server (read 2026-11-21)
 */
export function simulatedGoogle<Claims extends { scope?: string }>(
  deps: SimulatorDeps,
  app: {
    title: string
    clientId: string
    prefixes: { access: string; refresh: string }
    /** Scopes of claims that name none. */
    scope: string
    signIn(grant: SimulatedGrant): Claims
  },
) {
  const { title, clientId, prefixes } = app
  const access = { prefix: prefixes.access, lastsMs: ACCESS_SECONDS * 1000 }
  const refresh = { prefix: prefixes.refresh, lastsMs: null, rotates: false }
  const tokens = tokenStore<Claims>(deps, { access, refresh }, (claims) => claims as Claims)
  const page: Answering = ({ request, response }) =>
    answerConsent(deps, request, response, { title, clientId, codeLastsMs: CODE_LASTS_MS })
  const answerToken = tokenEndpoint(tokens, {
    isClient: (form) => form.client_id === clientId && deps.tokens.isSecret('CLIENT_SECRET', form.client_secret),
    refusals: {
      client: oauthError(401, 'invalid_client', 'The OAuth client was not found.'),
      grantType: oauthError(400, 'unsupported_grant_type', 'Invalid grant_type'),
      code: oauthError(400, 'invalid_grant', 'Malformed auth code.'),
      redirectUri: oauthError(400, 'redirect_uri_mismatch', 'Bad Request'),
      verifier: oauthError(400, 'invalid_grant', 'Invalid code verifier.'),
      refreshToken: oauthError(400, 'invalid_grant', 'Token has been expired or revoked.'),
      noRefreshToken: oauthError(400, 'invalid_request', 'Missing required parameter: refresh_token'),
    },
    signIn: app.signIn,
    body: ({ accessToken, refreshToken }, { scope = app.scope }, { renewed }) => ({
      access_token: accessToken,
      expires_in: ACCESS_SECONDS,
      scope,
      token_type: 'Bearer',
      ...(renewed ? {} : { refresh_token: refreshToken }),
    }),
  })
  return { tokens, page, answerToken }
}
