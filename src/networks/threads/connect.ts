import type { Called, Caller } from '../kit/api.ts'
import type { HttpAnswer } from '../kit/http.ts'
import { addressWith, appInForm, codeGrant, requestToken, type TokenAnswer, type TokenOutcome } from '../kit/oauth.ts'
import { idIn } from '../kit/read-json.ts'
import { checkGraphApp, GRAPH_APP_ANSWERS } from '../meta/app-check.ts'
import { readQuota } from '../meta/containers.ts'
import { isPermission, parseError } from '../meta/errors.ts'
import { call, proofOf } from '../meta/graph.ts'
import type { Connect, ConnectContext, NetworkIdentity, RefreshOutcome, SignInOutcome } from '../network.ts'
import { manifest } from './manifest.ts'
import { PROFILE_FIELDS, type Profile, parseProfile, QUOTA_EDGE } from './wire.ts'

/** What publishing needs: https://developers.facebook.com/docs/threads/get-started (read 2026-11-21). */
const SCOPES = ['threads_basic', 'threads_content_publish']

const DAY_MS = 24 * 3_600_000
const NOT_LASTING =
  'Threads did not give a lasting sign-in. The secret of its app on this installation must be the Threads app secret: ask the operator, then sign in again.'
const DEAD = 'Threads no longer accepts the sign-in. Connect the account again.'
const FAULT = 'Threads had a passing problem while signing in. Sign in again.'

/**
 * How accounts are connected: the code becomes a token of an hour, and that one a token of 60 days, which is renewed by
 * itself: https://developers.facebook.com/docs/threads/get-started/long-lived-tokens (read 2026-11-21).
 */
const { oauth } = codeGrant({
  manifest,
  requires: ['CLIENT_ID', 'CLIENT_SECRET'],
  page: ({ endpoint }) => `${endpoint('web')}/oauth/authorize`,
  tokens: ({ endpoint }) => `${endpoint('graph')}/oauth/access_token`,
  app: appInForm,
  scopes: () => SCOPES,
  separator: ',',
  accounts,
})

/**
 * A token of the app itself: https://developers.facebook.com/docs/threads/get-started/app-access-tokens (read 2026-11-23).
 * In which words it is refused is not documented: those of the endpoint for codes, or of the Graph API.
 */
const checkApp = checkGraphApp('Threads', {
  version: false,
  answers: [...GRAPH_APP_ANSWERS, { words: /invalid client credentials/i, says: 'wrong' }],
})

export const connect: Connect = {
  oauth: { ...oauth, checks: { '': checkApp } },
  refresh: (context, { credentials }) => refresh(context, credentials.accessToken ?? ''),
  // Half of a token's life: it can be renewed when it is a day old, and no more once it has lapsed.
  renewEveryMs: 30 * DAY_MS,
}

async function accounts(context: ConnectContext, short: TokenAnswer): Promise<SignInOutcome> {
  const long = await exchange(context, short.accessToken)
  if (long.kind !== 'token') return failed(long.message)
  const { accessToken, expiresAt } = long.token
  const caller = { ...context, credentials: { accessToken } }
  const profile = await readProfile(caller)
  if (profile.kind !== 'ok') return failed(lacksPermission(profile) ? without('threads_basic') : FAULT)
  const externalId = idIn(short.text, 'user_id') ?? profile.value.id
  if (externalId === undefined) return failed('Threads did not tell the id of the account.')
  // The network tells granted permissions to testers of the app alone; this call is refused without the one to publish.
  if (lacksPermission(await readQuota(caller, `me/${QUOTA_EDGE}`))) return failed(without('threads_content_publish'))
  return {
    kind: 'accounts',
    accounts: [identityOf(context, { externalId, profile: profile.value, accessToken, expiresAt })],
  }
}

const failed = (message: string) => ({ kind: 'failed', message }) as const

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
      appsecret_proof: proofOf(context, accessToken),
    }),
  })
  if (asked.kind === 'failed') return asked
  if (asked.kind === 'token') {
    const { accessToken: renewed, expiresAt } = asked.token
    return { kind: 'refreshed', credentials: { accessToken: renewed }, expiresAt }
  }
  const profile = await readProfile({ ...context, credentials: { accessToken } })
  if (profile.kind === 'refused' && isDead(profile.answer)) return { kind: 'dead', message: DEAD }
  const works = profile.kind === 'ok' ? ', which works all the same' : ''
  return { kind: 'failed', message: `Threads did not renew the sign-in${works} (${asked.status}).` }
}

function isDead(answer: HttpAnswer): boolean {
  const { code } = parseError(answer)
  return code === 190 || code === 102
}

const lacksPermission = (called: Called<unknown>) =>
  called.kind === 'refused' && isPermission(parseError(called.answer))

const without = (scope: string) =>
  `The sign-in lacks the permission ${scope}. Sign in again and allow everything that is asked for; the app must have this permission at the vendor.`

function readProfile(caller: Caller): Promise<Called<Profile>> {
  return call(caller, {
    method: 'GET',
    path: 'me',
    query: { fields: PROFILE_FIELDS },
    timeoutMs: 15_000,
    parse: parseProfile,
  })
}
