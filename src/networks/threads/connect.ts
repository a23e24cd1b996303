import type { Connect, ConnectContext, NetworkIdentity, OAuth, RefreshOutcome, SignInOutcome } from '../network.ts'
import { type Called, call, type GraphCaller, parseError } from '../toolkit/graph.ts'
import type { Http } from '../toolkit/http.ts'
import { addressWith, requestToken, type TokenOutcome } from '../toolkit/oauth.ts'
import type { HttpAnswer } from '../toolkit/outcomes.ts'
import { idIn, PROFILE_FIELDS, type Profile, parseProfile, publishingQuota } from './wire.ts'

/** What publishing needs: https://developers.facebook.com/docs/threads/get-started (read 2026-11-21). */
const SCOPES = ['threads_basic', 'threads_content_publish']

const DAY_MS = 24 * 3_600_000
const NOT_LASTING =
  'Threads did not give a lasting sign-in. Check that ALMANAC_THREADS_CLIENT_SECRET is the Threads app secret, then sign in again.'
const DEAD = 'Threads no longer accepts the sign-in. Connect the account again.'
const FAULT = 'Threads had a passing problem while signing in. Sign in again.'

/**
 * How accounts are connected: the code becomes a token of an hour, and that one a token of 60 days, which is renewed by
 * itself: https://developers.facebook.com/docs/threads/get-started/long-lived-tokens (read 2026-11-21).
 */
const oauth: OAuth = {
  requires: ['CLIENT_ID', 'CLIENT_SECRET'],
  pkce: false,
  authorizeUrl: (context, { state, redirectUri }) =>
    addressWith(`${context.endpoint('web')}/oauth/authorize`, {
      client_id: context.setting('CLIENT_ID'),
      redirect_uri: redirectUri,
      scope: SCOPES.join(','),
      response_type: 'code',
      state,
    }),
  complete,
}

export const connect: Connect = {
  oauth,
  refresh: (context, { credentials }) => refresh(context, credentials.accessToken ?? ''),
  // Half of a token's life: it can be renewed when it is a day old, and no more once it has lapsed.
  renewEveryMs: 30 * DAY_MS,
}

async function complete(context: ConnectContext, grant: { code: string; redirectUri: string }): Promise<SignInOutcome> {
  const { short, userId } = await redeem(context, grant)
  if (short.kind !== 'token') return { kind: 'failed', message: short.message }
  const long = await exchange(context, short.token.accessToken)
  if (long.kind !== 'token') return { kind: 'failed', message: long.message }
  const { accessToken, expiresAt } = long.token

  const noted: Noted = { answer: null }
  const caller = callerWith(context, accessToken, noted)
  const profile = await readProfile(caller)
  const externalId = userId ?? idIn(noted.answer?.text ?? '', 'id')
  if (profile.kind !== 'ok')
    return { kind: 'failed', message: isPermission(profile) ? without('threads_basic') : FAULT }
  if (externalId === undefined) return { kind: 'failed', message: 'Threads did not tell the id of the account.' }
  // The network tells granted permissions to testers of the app alone; this call is refused without the one to publish.
  if (isPermission(await publishingQuota(caller)))
    return { kind: 'failed', message: without('threads_content_publish') }
  return {
    kind: 'accounts',
    accounts: [identityOf(context, { externalId, profile: profile.value, accessToken, expiresAt })],
  }
}

function identityOf(
  context: ConnectContext,
  account: { externalId: string; profile: Profile; accessToken: string; expiresAt: Date | null },
): NetworkIdentity {
  const { username, name, avatarUrl } = account.profile
  return {
    externalId: account.externalId,
    name: name ?? username,
    username,
    profileUrl: `${context.endpoint('web')}/@${encodeURIComponent(username)}`,
    avatarUrl,
    credentials: { accessToken: account.accessToken },
    expiresAt: account.expiresAt,
  }
}

/** The code for a token of an hour, and the id of the account with all of its digits. */
async function redeem(
  context: ConnectContext,
  { code, redirectUri }: { code: string; redirectUri: string },
): Promise<{ short: TokenOutcome; userId: string | undefined }> {
  const noted: Noted = { answer: null }
  const short = await requestToken({ ...context, http: noting(context.http, noted) }, 'Threads', {
    method: 'POST',
    url: `${context.endpoint('graph')}/oauth/access_token`,
    form: {
      client_id: context.setting('CLIENT_ID'),
      client_secret: context.setting('CLIENT_SECRET'),
      // The network hangs this behind the code of its redirect; most browsers take it for a fragment.
      code: code.replace(/#_$/, ''),
      grant_type: 'authorization_code',
      redirect_uri: redirectUri,
    },
  })
  return { short, userId: idIn(noted.answer?.text ?? '', 'user_id') }
}

async function exchange(context: ConnectContext, shortToken: string): Promise<TokenOutcome> {
  const long = await requestToken(context, 'Threads', {
    method: 'GET',
    url: addressWith(`${context.endpoint('graph')}/access_token`, {
      grant_type: 'th_exchange_token',
      client_secret: context.setting('CLIENT_SECRET'),
      access_token: shortToken,
    }),
  })
  // The network's own words repeat a token that it does not take.
  return long.kind === 'refused' ? { ...long, message: NOT_LASTING } : long
}

/**
 * A token for another 60 days. The network refuses to renew one that is less than a day old, in words that nobody
 * documents, so a refusal counts as the end only when the token is refused elsewhere too.
 */
async function refresh(context: ConnectContext, accessToken: string): Promise<RefreshOutcome> {
  const asked = await requestToken(context, 'Threads', {
    method: 'GET',
    url: addressWith(`${context.endpoint('graph')}/refresh_access_token`, {
      grant_type: 'th_refresh_token',
      access_token: accessToken,
    }),
  })
  if (asked.kind === 'failed') return asked
  if (asked.kind === 'token') {
    const { accessToken: renewed, expiresAt } = asked.token
    return { kind: 'refreshed', credentials: { accessToken: renewed }, expiresAt }
  }
  const profile = await readProfile(callerWith(context, accessToken))
  if (profile.kind === 'refused' && isDead(profile.answer)) return { kind: 'dead', message: DEAD }
  const works = profile.kind === 'ok' ? ', which works all the same' : ''
  return { kind: 'failed', message: `Threads did not renew the sign-in${works} (${asked.status}).` }
}

function isDead(answer: HttpAnswer): boolean {
  const { code } = parseError(answer)
  return code === 190 || code === 102
}

function isPermission(called: Called<unknown>): boolean {
  if (called.kind !== 'refused') return false
  const { code } = parseError(called.answer)
  return code === 10 || (code !== null && code >= 200 && code <= 299)
}

const without = (scope: string) =>
  `The sign-in lacks the permission ${scope}. Sign in again and allow everything that is asked for; the app must have this permission at the vendor.`

function readProfile(caller: GraphCaller): Promise<Called<Profile>> {
  return call(caller, {
    method: 'GET',
    path: 'me',
    query: { fields: PROFILE_FIELDS },
    timeoutMs: 15_000,
    parse: parseProfile,
  })
}

function callerWith(context: ConnectContext, accessToken: string, noted?: Noted): GraphCaller {
  return { ...context, http: noted ? noting(context.http, noted) : context.http, credentials: { accessToken } }
}

interface Noted {
  answer: HttpAnswer | null
}

/** Keeps the first answer as it came: ids that are numbers lose digits when they are read as JSON. */
function noting(http: Http, noted: Noted): Http {
  return async (request) => {
    const answer = await http(request)
    if (answer.kind === 'answer') noted.answer ??= answer
    return answer
  }
}
