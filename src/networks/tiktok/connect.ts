import type { Connect, ConnectContext, NetworkIdentity, OptionsOutcome, SignInOutcome } from '../network.ts'
import { addressWith, refreshGrant, requestToken } from '../toolkit/oauth.ts'
import { string } from '../toolkit/read-json.ts'
import { PRIVACY_LEVELS, PRIVACY_TITLES } from './manifest.ts'
import { judge } from './outcomes.ts'
import { creatorInfo } from './wire.ts'

const PUBLISH = 'video.publish'
const DAY = 24 * 3_600_000

/**
 * https://developers.tiktok.com/doc/oauth-user-access-token-management, read 2026-11-21. Refresh tokens are replaced at
 * every use and the old one dies. How long tokens last is taken from the answers: the pages name different times.
 */
export const connect: Connect = {
  oauth: {
    requires: ['CLIENT_KEY', 'CLIENT_SECRET'],
    // The network knows it for desktop and mobile apps only, and in a form of its own.
    pkce: false,
    authorizeUrl: (context, { state, redirectUri }) =>
      addressWith(`${context.endpoint('web')}/v2/auth/authorize/`, {
        client_key: context.setting('CLIENT_KEY'),
        scope: context.setting('SCOPES'),
        response_type: 'code',
        redirect_uri: redirectUri,
        state,
      }),
    complete,
  },
  // Far below what a refresh token lasts by any page (180 or 365 days).
  renewEveryMs: 30 * DAY,
  refresh: (context, { credentials }) =>
    // Other errors speak of the app's own key, secret or request, not of this account.
    refreshGrant(context, 'TikTok', credentials, { url: tokenUrl(context), form: app(context) }, ['invalid_grant']),
  options,
}

const tokenUrl = (context: ConnectContext) => `${context.endpoint('api')}/v2/oauth/token/`
const app = (context: ConnectContext) => ({
  client_key: context.setting('CLIENT_KEY'),
  client_secret: context.setting('CLIENT_SECRET'),
})

async function complete(context: ConnectContext, grant: { code: string; redirectUri: string }): Promise<SignInOutcome> {
  const asked = await requestToken(context, 'TikTok', {
    method: 'POST',
    url: tokenUrl(context),
    form: { ...app(context), grant_type: 'authorization_code', code: grant.code, redirect_uri: grant.redirectUri },
  })
  if (asked.kind !== 'token') return { kind: 'failed', message: `${asked.message} Start the sign-in again.` }
  const { accessToken, refreshToken, expiresAt, scope, body } = asked.token
  const externalId = string(body.open_id)
  if (externalId === undefined) {
    return { kind: 'failed', message: 'TikTok did not say whose sign-in it was. Start it again.' }
  }
  const scopes = (scope ?? context.setting('SCOPES')).split(/[\s,]+/)
  if (!scopes.includes(PUBLISH)) {
    const message = `TikTok was not allowed to let Almanac post (${PUBLISH}). Sign in again and leave every permission on.`
    return { kind: 'failed', message }
  }
  const credentials = { accessToken, refreshToken: refreshToken ?? '', scope: scopes.join(',') }
  const creator = await creatorInfo({ ...context, credentials })
  if (creator.kind === 'failed') {
    return { kind: 'failed', message: `TikTok could not be reached. ${creator.message} Start the sign-in again.` }
  }
  if (creator.kind === 'refused') {
    return { kind: 'failed', message: judge(creator.answer, context.now()).meaning.message }
  }
  const { username, nickname } = creator.value
  const identity: NetworkIdentity = {
    externalId,
    name: nickname ?? username ?? 'TikTok account',
    username,
    profileUrl: username === null ? null : `${context.endpoint('web')}/@${encodeURIComponent(username)}`,
    // The network's address of the picture works for two hours.
    avatarUrl: null,
    credentials,
    expiresAt,
  }
  return { kind: 'accounts', accounts: [identity] }
}

/** The audiences that the network offers this account; they change when the account becomes private or public. */
async function options(
  context: ConnectContext,
  { credentials }: { credentials: NetworkIdentity['credentials'] },
): Promise<OptionsOutcome> {
  const asked = await creatorInfo({ ...context, credentials })
  if (asked.kind === 'failed') return { kind: 'failed', message: `TikTok could not be reached. ${asked.message}` }
  if (asked.kind === 'refused') {
    const { meaning } = judge(asked.answer, context.now())
    return meaning.kind === 'reconnect' ? meaning : { kind: 'failed', message: meaning.message }
  }
  const offered = PRIVACY_LEVELS.filter((level) => asked.value.privacyLevels.includes(level))
  return {
    kind: 'options',
    options: { privacy: offered.map((value) => ({ value, title: PRIVACY_TITLES[value] })) },
  }
}
