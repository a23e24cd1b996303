import type { Connect, ConnectContext, NetworkIdentity, OAuth, SignInOutcome } from '../network.ts'
import { addressWith, basicAuthorization, refreshGrant, requestToken, type TokenAnswer } from '../toolkit/oauth.ts'
import { call } from './api.ts'
import { SCOPES } from './manifest.ts'
import { errors } from './outcomes.ts'
import { parseMe } from './wire.ts'

const DAY = 24 * 3_600_000
/** So the network says of a refresh token that was used or taken back; `invalid_request` alone may mean anything. */
const DEAD_TOKEN = /value passed for the token was invalid/i

/**
 * OAuth 2.0 with PKCE (https://docs.x.com/fundamentals/authentication/oauth-2-0/authorization-code, read 2026-11-21).
 * Access tokens last two hours. A refresh token is good for one use, and the old one is dead at once.
 */
const oauth: OAuth = {
  requires: ['CLIENT_ID'],
  pkce: true,
  authorizeUrl(context, ask) {
    return addressWith(`${context.endpoint('web')}/i/oauth2/authorize`, {
      response_type: 'code',
      client_id: context.setting('CLIENT_ID'),
      redirect_uri: ask.redirectUri,
      scope: SCOPES.join(' '),
      state: ask.state,
      code_challenge: ask.codeChallenge,
      code_challenge_method: ask.codeChallenge === null ? null : 'S256',
    })
  },
  complete,
}

export const connect: Connect = {
  oauth,
  // The vendor names no end of a refresh token; others say six months. A month leaves room for both.
  renewEveryMs: 30 * DAY,
  async refresh(context, { credentials }) {
    if (context.setting('CLIENT_ID') === '') {
      return { kind: 'failed', message: 'X cannot be asked: the setting ALMANAC_X_CLIENT_ID is missing.' }
    }
    const outcome = await refreshGrant(context, 'X', credentials, asApp(context, {}), ['invalid_grant'])
    if (outcome.kind !== 'failed' || !DEAD_TOKEN.test(outcome.message)) return outcome
    return { kind: 'dead', message: 'X no longer accepts the sign-in. Connect the account again.' }
  },
}

/**
 * The app names itself in the form, and with its secret in a header too when it has one. The pages leave the form's name
 * out for such apps, but were seen to be refused without it.
 */
function asApp(context: ConnectContext, form: Record<string, string>) {
  const [id, secret] = [context.setting('CLIENT_ID'), context.setting('CLIENT_SECRET')]
  const url = `${context.endpoint('api')}/2/oauth2/token`
  const named = { url, form: { ...form, client_id: id } }
  return secret === '' ? named : { ...named, headers: { authorization: basicAuthorization(id, secret) } }
}

async function complete(
  context: ConnectContext,
  grant: { code: string; redirectUri: string; codeVerifier: string | null },
): Promise<SignInOutcome> {
  const asked = await requestToken(context, 'X', {
    method: 'POST',
    ...asApp(context, {
      grant_type: 'authorization_code',
      code: grant.code,
      redirect_uri: grant.redirectUri,
      code_verifier: grant.codeVerifier ?? '',
    }),
  })
  if (asked.kind === 'failed') return asked
  if (asked.kind === 'refused') {
    const message = `${asked.message} A code is good for 30 seconds and once: start the sign-in again. If that does not help, check the client id and secret of the app.`
    return { kind: 'failed', message }
  }
  const missing = missingScopes(asked.token)
  if (missing.length > 0) {
    const message = `X has not allowed ${missing.join(', ')}. Sign in again and allow everything that is asked for; the app must have read and write permissions.`
    return { kind: 'failed', message }
  }
  if (asked.token.refreshToken === null) {
    const message = 'X gave no refresh token, so the connection would end in two hours. Sign in again.'
    return { kind: 'failed', message }
  }
  return identify(context, asked.token, asked.token.refreshToken)
}

function missingScopes({ scope }: TokenAnswer): string[] {
  if (scope === null) return []
  const granted = scope.split(/[\s,]+/)
  return SCOPES.filter((each) => !granted.includes(each))
}

async function identify(context: ConnectContext, token: TokenAnswer, refreshToken: string): Promise<SignInOutcome> {
  const credentials = { accessToken: token.accessToken, refreshToken }
  const asked = await call(
    { ...context, credentials },
    {
      method: 'GET',
      path: '2/users/me',
      query: { 'user.fields': 'name,profile_image_url,username' },
      timeoutMs: 15_000,
      parse: parseMe,
    },
  )
  if (asked.kind === 'failed') return { kind: 'failed', message: `X could not be reached. ${asked.message}` }
  if (asked.kind === 'refused') {
    const { meaning } = errors.lookUp(asked.answer, context.now())
    return { kind: 'failed', message: `X did not say whose account it is. ${meaning.message}` }
  }
  const { id, name, username, avatarUrl } = asked.value
  const identity: NetworkIdentity = {
    externalId: id,
    name,
    username,
    profileUrl: `${context.endpoint('web')}/${username}`,
    avatarUrl,
    credentials,
    expiresAt: token.expiresAt,
  }
  return { kind: 'accounts', accounts: [identity] }
}
