import type { Called } from '../kit/api.ts'
import { appInForm, codeGrant, type TokenAnswer } from '../kit/oauth.ts'
import { idIn } from '../kit/read-json.ts'
import { checkGraphApp, GRAPH_APP_ANSWERS } from '../meta/app-check.ts'
import { readQuota } from '../meta/containers.ts'
import { isPermission, parseError } from '../meta/errors.ts'
import { ownTokens } from '../meta/own-tokens.ts'
import type { Connect, ConnectContext, NetworkIdentity, SignInOutcome } from '../network.ts'
import { manifest } from './manifest.ts'
import { PROFILE_FIELDS, type Profile, parseProfile, QUOTA_EDGE } from './wire.ts'

/** What publishing needs: https://developers.facebook.com/docs/threads/get-started (read 2026-11-21). */
const SCOPES = ['threads_basic', 'threads_content_publish']

const DAY_MS = 24 * 3_600_000
const NOT_LASTING =
  'Threads did not give a lasting sign-in. The secret of its app on this installation must be the Threads app secret: ask the operator, then sign in again.'
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

const tokens = ownTokens({
  title: 'Threads',
  grants: 'th',
  fields: PROFILE_FIELDS,
  parse: parseProfile,
  notLasting: NOT_LASTING,
  proves: true,
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
  refresh: (context, { credentials }) => tokens.refresh(context, credentials),
  // Half of a token's life: it can be renewed when it is a day old, and no more once it has lapsed.
  renewEveryMs: 30 * DAY_MS,
}

async function accounts(context: ConnectContext, short: TokenAnswer): Promise<SignInOutcome> {
  const long = await tokens.exchange(context, short.accessToken)
  if (long.kind !== 'token') return failed(long.message)
  const { accessToken, expiresAt } = long.token
  const profile = await tokens.readProfile(context, accessToken)
  if (profile.kind !== 'ok') return failed(lacksPermission(profile) ? without('threads_basic') : FAULT)
  const externalId = idIn(short.text, 'user_id') ?? profile.value.id
  if (externalId === undefined) return failed('Threads did not tell the id of the account.')
  // The network tells granted permissions to testers of the app alone; this call is refused without the one to publish.
  const quota = await readQuota({ ...context, credentials: { accessToken } }, `me/${QUOTA_EDGE}`)
  if (lacksPermission(quota)) return failed(without('threads_content_publish'))
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

const lacksPermission = (called: Called<unknown>) =>
  called.kind === 'refused' && isPermission(parseError(called.answer))

const without = (scope: string) =>
  `The sign-in lacks the permission ${scope}. Sign in again and allow everything that is asked for; the app must have this permission at the vendor.`
