import type { Called, Caller } from '../kit/api.ts'
import { addressWith, appInForm, codeGrant, requestToken, type TokenAnswer, type TokenOutcome } from '../kit/oauth.ts'
import { record, string } from '../kit/read-json.ts'
import { readQuota } from '../meta/containers.ts'
import { parseError } from '../meta/errors.ts'
import { call } from '../meta/graph.ts'
import type {
  Attempt,
  ConnectContext,
  Credentials,
  NetworkIdentity,
  OAuth,
  RefreshOutcome,
  SignInOutcome,
} from '../network.ts'
import { manifest, OWN_SIGN_IN } from './manifest.ts'
import { isNotPermitted, isTokenOver } from './outcomes.ts'
import { PROFILE_FIELDS, type Profile, parseProfile } from './wire.ts'

/**
 * Permissions of accounts without a Page:
 * https://developers.facebook.com/docs/instagram-platform/instagram-api-with-instagram-login/business-login (read
 * 2026-11-23). Comments need one more; a sign-in that declines it publishes all the same.
 */
const REQUIRED = ['instagram_business_basic', 'instagram_business_content_publish']
const OPTIONAL = ['instagram_business_manage_comments']

const NOT_LASTING =
  'Instagram did not give a lasting sign-in. Check that ALMANAC_INSTAGRAM_LOGIN_CLIENT_SECRET is the Instagram app secret and, while the app has standard access only, that the account is an Instagram tester of it; then sign in again.'
const NOT_SHOWN =
  'Instagram does not show the account that signed in. It must be a business or creator account and, while the app has standard access only, an Instagram tester of the app; then sign in again.'
const DEAD = 'Instagram no longer accepts the sign-in. Connect the account again.'
const FAULT = 'Instagram had a passing problem while signing in. Sign in again.'

/** Whether credentials came by this way. */
export const isOwnSignIn = ({ signIn }: Credentials): boolean => signIn === OWN_SIGN_IN

/** The same attempt with the host of its account's way to sign in: one does not take the tokens of the other. */
export function atItsHost(attempt: Attempt): Attempt {
  if (!isOwnSignIn(attempt.credentials)) return attempt
  const own: Attempt = { ...attempt, ...ownHost(attempt) }
  // Handles change while an attempt goes on.
  return Object.defineProperty(own, 'handles', { get: () => attempt.handles })
}

/** The address of the API is that of the own sign-in, and so is the app. */
export const ownHost = ({
  endpoint,
  setting,
}: Pick<Caller, 'endpoint' | 'setting'>): Pick<Caller, 'endpoint' | 'setting'> => ({
  endpoint: (name) => endpoint(name === 'graph' ? 'loginGraph' : name),
  setting: (name) => setting(name === 'CLIENT_ID' || name === 'CLIENT_SECRET' ? `LOGIN_${name}` : name),
})

/**
 * The network's own sign-in: the code becomes a token of an hour, and that one a token of 60 days. The same page of the
 * vendor as for the permissions.
 */
const grant = codeGrant({
  manifest,
  requires: ['LOGIN_CLIENT_ID', 'LOGIN_CLIENT_SECRET'],
  page: ({ endpoint }) => `${endpoint('loginWeb')}/oauth/authorize`,
  tokens: ({ endpoint }) => `${endpoint('loginApi')}/oauth/access_token`,
  app: (context) => appInForm(context, {}, 'LOGIN_'),
  scopes: () => [...REQUIRED, ...OPTIONAL],
  separator: ',',
  needs: [],
  // As programs in production find it; the documentation has no words for it.
  appAnswers: [
    { words: /client[ _]?secret/i, says: 'wrong' },
    { words: /client[ _]?id|platform app/i, says: 'wrong-id' },
    { words: /authorization code|code was not found|verification code/i, says: 'works' },
  ],
  accounts,
})

/** Finds out whether the app of this sign-in is known. */
export const checkOwnApp = grant.oauth.checks?.['']

export const ownSignIn: OAuth = {
  ...grant.oauth,
  checks: {},
  complete: (context, given) => grant.oauth.complete(withBareAnswers(context), given),
}

/** The documentation has the answer to a code in a list, `{"data":[{…}]}`; programs in production find it bare. */
function withBareAnswers(context: ConnectContext): ConnectContext {
  return {
    ...context,
    async http(request) {
      const answer = await context.http(request)
      const data = answer.kind === 'answer' ? record(answer.json)?.data : undefined
      return answer.kind === 'answer' && Array.isArray(data) && record(data[0])?.access_token !== undefined
        ? { ...answer, json: data[0] }
        : answer
    },
  }
}

async function accounts(context: ConnectContext, short: TokenAnswer): Promise<SignInOutcome> {
  const granted = permissionsIn(short.body.permissions)
  const missing = REQUIRED.filter((each) => granted !== null && !granted.includes(each))
  if (missing.length > 0) return failed(without(missing))
  const long = await exchange(context, short.accessToken)
  if (long.kind !== 'token') return failed(long.message)
  const { accessToken, expiresAt } = long.token
  const caller = { ...context, ...ownHost(context), credentials: { accessToken } }
  const profile = await readProfile(caller)
  if (profile.kind === 'failed' || (profile.kind === 'refused' && profile.answer.status >= 500)) return failed(FAULT)
  if (profile.kind === 'refused') return failed(lacksPermission(profile) ? without(REQUIRED.slice(0, 1)) : NOT_SHOWN)
  const { externalId } = profile.value
  // Where the network does not tell what was granted, a call is refused without the permission to publish.
  if (granted === null && lacksPermission(await readQuota(caller, `${externalId}/content_publishing_limit`))) {
    return failed(without(REQUIRED.slice(1)))
  }
  return { kind: 'accounts', accounts: [identityOf(profile.value, { accessToken, signIn: OWN_SIGN_IN }, expiresAt)] }
}

const failed = (message: string) => ({ kind: 'failed', message }) as const

const without = (scopes: readonly string[]) =>
  `Instagram was not granted: ${scopes.join(', ')}. Connect again and leave everything switched on.`

/** `"a,b"`, or a list of names; null where the network says nothing of it. */
function permissionsIn(value: unknown): readonly string[] | null {
  if (Array.isArray(value)) return value.map(String)
  return string(value)?.split(/[\s,]+/) ?? null
}

function identityOf(profile: Profile, credentials: Credentials, expiresAt: Date | null): NetworkIdentity {
  const { externalId, username, name, avatarUrl } = profile
  const profileUrl = `https://www.instagram.com/${encodeURIComponent(username)}`
  return {
    externalId,
    name: name ?? username,
    username,
    profileUrl,
    avatarUrl,
    credentials,
    expiresAt,
    signIn: OWN_SIGN_IN,
  }
}

async function exchange(context: ConnectContext, shortToken: string): Promise<TokenOutcome> {
  const long = await requestToken(context, manifest.title, {
    method: 'GET',
    url: addressWith(`${context.endpoint('loginGraph')}/access_token`, {
      grant_type: 'ig_exchange_token',
      client_secret: context.setting('LOGIN_CLIENT_SECRET'),
      access_token: shortToken,
    }),
  })
  // The network's own words repeat a token that it does not take.
  return long.kind === 'refused' ? { ...long, message: NOT_LASTING } : long
}

/**
 * A token for another 60 days. The network refuses to renew one that is less than a day old, in words that are documented
 * nowhere, so a refusal counts as the end only when the token is refused elsewhere too. Tokens of Pages have no end.
 */
export async function refreshOwn(
  context: ConnectContext,
  { credentials }: { credentials: Credentials },
): Promise<RefreshOutcome> {
  if (!isOwnSignIn(credentials)) return failed("A Page's token has no end and cannot be renewed.")
  const { accessToken = '' } = credentials
  const asked = await requestToken(context, manifest.title, {
    method: 'GET',
    url: addressWith(`${context.endpoint('loginGraph')}/refresh_access_token`, {
      grant_type: 'ig_refresh_token',
      access_token: accessToken,
    }),
  })
  if (asked.kind === 'failed') return asked
  if (asked.kind === 'token') {
    const { accessToken: renewed, expiresAt } = asked.token
    return { kind: 'refreshed', credentials: { ...credentials, accessToken: renewed }, expiresAt }
  }
  const profile = await readProfile({ ...context, ...ownHost(context), credentials: { accessToken } })
  if (profile.kind === 'refused' && isTokenOver(parseError(profile.answer))) return { kind: 'dead', message: DEAD }
  const works = profile.kind === 'ok' ? ', which works all the same' : ''
  return failed(`Instagram did not renew the sign-in${works} (${asked.status}).`)
}

const lacksPermission = (called: Called<unknown>) => called.kind === 'refused' && isNotPermitted(called.answer)

function readProfile(caller: Caller): Promise<Called<Profile>> {
  return call(caller, {
    method: 'GET',
    path: 'me',
    query: { fields: PROFILE_FIELDS },
    timeoutMs: 15_000,
    parse: parseProfile,
  })
}
