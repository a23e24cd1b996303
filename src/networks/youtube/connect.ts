import type { Connect, ConnectContext, NetworkIdentity, OAuth, SignInOutcome } from '../network.ts'
import { addressWith, refreshGrant, requestToken } from '../toolkit/oauth.ts'
import { whilePreparing } from '../toolkit/outcomes.ts'
import { meaningOf } from './outcomes.ts'
import { ask, type Caller, parseCategories, parseChannels } from './wire.ts'

/*
 * Google's sign-in for web servers: https://developers.google.com/identity/protocols/oauth2/web-server
 * (read 2026-11-21).
 */

const UPLOAD = 'https://www.googleapis.com/auth/youtube.upload'
const READ = 'https://www.googleapis.com/auth/youtube.readonly'
export const SCOPES: readonly string[] = [UPLOAD, READ]

const NO_CHANNEL =
  'This Google account has no YouTube channel. Open youtube.com with it, create a channel, then connect again. For the channel of a brand, choose the brand on the page of Google that asks for the account.'
const NO_REFRESH =
  'Google gave no lasting access. Open myaccount.google.com/connections, remove this app there, then connect again.'

const client = (context: ConnectContext) => ({
  client_id: context.setting('CLIENT_ID'),
  client_secret: context.setting('CLIENT_SECRET'),
})
const tokenUrl = (context: ConnectContext) => `${context.endpoint('token')}/token`
const failed = (message: string) => ({ kind: 'failed', message }) as const

const oauth: OAuth = {
  requires: ['CLIENT_ID', 'CLIENT_SECRET'],
  pkce: true,
  authorizeUrl: (context, { state, redirectUri, codeChallenge }) =>
    addressWith(`${context.endpoint('accounts')}/o/oauth2/v2/auth`, {
      client_id: context.setting('CLIENT_ID'),
      redirect_uri: redirectUri,
      response_type: 'code',
      scope: SCOPES.join(' '),
      // A refresh token comes with these two alone.
      access_type: 'offline',
      prompt: 'consent',
      state,
      code_challenge: codeChallenge,
      code_challenge_method: codeChallenge === null ? null : 'S256',
    }),
  async complete(context, { code, redirectUri, codeVerifier }) {
    const asked = await requestToken(context, 'Google', {
      method: 'POST',
      url: tokenUrl(context),
      form: {
        ...client(context),
        grant_type: 'authorization_code',
        code,
        redirect_uri: redirectUri,
        ...(codeVerifier === null ? {} : { code_verifier: codeVerifier }),
      },
    })
    if (asked.kind !== 'token') return failed(asked.message)
    const { accessToken, refreshToken, expiresAt, scope } = asked.token
    // People can untick what an app asks for.
    const granted = (scope ?? '').split(' ')
    const missing = SCOPES.filter((each) => !granted.includes(each))
    if (missing.length > 0) {
      const what = missing.map((each) => (each === UPLOAD ? 'uploading videos' : 'seeing the channel')).join(' and ')
      return failed(`Google was not allowed ${what}. Connect again and tick everything that Google asks for.`)
    }
    if (refreshToken === null) return failed(NO_REFRESH)
    return channelOf(context, { accessToken, refreshToken }, expiresAt)
  },
}

/** One sign-in reaches one channel: that of the account or brand which was chosen on Google's page. */
async function channelOf(
  context: ConnectContext,
  credentials: { accessToken: string; refreshToken: string },
  expiresAt: Date | null,
): Promise<SignInOutcome> {
  const asked = await ask(callerOf(context, credentials), {
    path: 'channels',
    query: { part: 'id,snippet', mine: 'true' },
    parse: parseChannels,
  })
  if (asked.kind === 'failed') return failed(`YouTube could not be asked for the channel. ${asked.message}`)
  if (asked.kind === 'refused') return failed(meaningOf(asked.answer, context.now()).message)
  const [first, ...others] = asked.value.map(
    (channel): NetworkIdentity => ({
      externalId: channel.id,
      name: channel.title,
      username: channel.handle,
      profileUrl: `${context.endpoint('web')}/channel/${channel.id}`,
      avatarUrl: channel.avatarUrl,
      credentials,
      expiresAt,
    }),
  )
  return first ? { kind: 'accounts', accounts: [first, ...others] } : failed(NO_CHANNEL)
}

const callerOf = (context: ConnectContext, credentials: Caller['credentials']): Caller => ({
  endpoint: context.endpoint,
  http: context.http,
  signal: context.signal,
  credentials,
})

/** Where the channel does not say its country. Categories hardly differ from one to the other. */
const ANY_REGION = 'US'

export const connect: Connect = {
  oauth,
  // Google ends a grant that was not used for six months.
  renewEveryMs: 60 * 24 * 3_600_000,
  refresh: (context, { credentials }) =>
    refreshGrant(context, 'Google', credentials, { url: tokenUrl(context), form: client(context) }, ['invalid_grant']),
  /** The categories of the channel's country. */
  async options(context, { externalId, credentials }) {
    const caller = callerOf(context, credentials)
    const channels = await ask(caller, {
      path: 'channels',
      query: { part: 'id,snippet', id: externalId },
      parse: parseChannels,
    })
    const regionCode = (channels.kind === 'ok' && channels.value[0]?.country) || ANY_REGION
    const asked =
      channels.kind === 'ok'
        ? await ask(caller, { path: 'videoCategories', query: { part: 'snippet', regionCode }, parse: parseCategories })
        : channels
    if (asked.kind === 'ok') return { kind: 'options', options: { category: asked.value } }
    if (asked.kind === 'failed') return failed(`YouTube could not be asked for its categories. ${asked.message}`)
    const outcome = whilePreparing(meaningOf(asked.answer, context.now()))
    return outcome.kind === 'reconnect' ? outcome : failed(outcome.message)
  },
}
