import type { Called, Caller } from '../kit/api.ts'
import { appInForm, codeGrant, type TokenAnswer } from '../kit/oauth.ts'
import { record, string } from '../kit/read-json.ts'
import { readQuota } from '../meta/containers.ts'
import { ownTokens } from '../meta/own-tokens.ts'
import type { Attempt, Connect, ConnectContext, Credentials, OAuth, SignInOutcome } from '../network.ts'
import { manifest, OWN_SIGN_IN } from './manifest.ts'
import { isNotPermitted, isTokenOver } from './outcomes.ts'
import { PROFILE_FIELDS, parseProfile } from './wire.ts'

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

type Host = Pick<Caller, 'endpoint' | 'setting'>

/** The address of the API is that of the own sign-in, and so is the app. */
export const ownHost = ({ endpoint, setting }: Host): Host => ({
  endpoint: (name) => endpoint(name === 'graph' ? 'loginGraph' : name),
  setting: (name) => setting(name === 'CLIENT_ID' || name === 'CLIENT_SECRET' ? `LOGIN_${name}` : name),
})

/**
 * The network's own sign-in: the code becomes a token of an hour, and that one a token of 60 days. The same page of the
 * vendor as for the permissions.
 */
const { oauth } = codeGrant({
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
const tokens = ownTokens({
  title: manifest.title,
  grants: 'ig',
  fields: PROFILE_FIELDS,
  parse: parseProfile,
  notLasting: NOT_LASTING,
  isOver: isTokenOver,
})

/** Finds out whether the app of this sign-in is known. */
export const checkOwnApp = oauth.checks?.['']

export const ownSignIn: OAuth = {
  ...oauth,
  checks: {},
  complete: (context, given) => oauth.complete(withBareAnswers(context), given),
}

/** Renews the token of an account that came by this way. */
export const refreshOwn: NonNullable<Connect['refresh']> = async (context, { credentials }) => {
  if (!isOwnSignIn(credentials)) return failed("A Page's token has no end and cannot be renewed.")
  return tokens.refresh({ ...context, ...ownHost(context) }, credentials)
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

async function accounts(signingIn: ConnectContext, short: TokenAnswer): Promise<SignInOutcome> {
  const granted = permissionsIn(short.body.permissions)
  const missing = REQUIRED.filter((each) => granted !== null && !granted.includes(each))
  if (missing.length > 0) return failed(without(missing))
  const context = { ...signingIn, ...ownHost(signingIn) }
  const long = await tokens.exchange(context, short.accessToken)
  if (long.kind !== 'token') return failed(long.message)
  const { accessToken, expiresAt } = long.token
  const profile = await tokens.readProfile(context, accessToken)
  if (profile.kind === 'failed' || (profile.kind === 'refused' && profile.answer.status >= 500)) return failed(FAULT)
  if (profile.kind === 'refused') return failed(lacksPermission(profile) ? without(REQUIRED.slice(0, 1)) : NOT_SHOWN)
  const { externalId, username, name, avatarUrl } = profile.value
  // Where the network does not tell what was granted, a call is refused without the permission to publish.
  const quota = `${externalId}/content_publishing_limit`
  if (granted === null && lacksPermission(await readQuota({ ...context, credentials: { accessToken } }, quota))) {
    return failed(without(REQUIRED.slice(1)))
  }
  const account = {
    externalId,
    name: name ?? username,
    username,
    profileUrl: `https://www.instagram.com/${encodeURIComponent(username)}`,
    avatarUrl,
    credentials: { accessToken, signIn: OWN_SIGN_IN },
    expiresAt,
    signIn: OWN_SIGN_IN,
  }
  return { kind: 'accounts', accounts: [account] }
}

const failed = (message: string) => ({ kind: 'failed', message }) as const

const without = (scopes: readonly string[]) =>
  `Instagram was not granted: ${scopes.join(', ')}. Connect again and leave everything switched on.`

/** `"a,b"`, or a list of names; null where the network says nothing of it. */
function permissionsIn(value: unknown): readonly string[] | null {
  if (Array.isArray(value)) return value.map(String)
  return string(value)?.split(/[\s,]+/) ?? null
}

const lacksPermission = (called: Called<unknown>) => called.kind === 'refused' && isNotPermitted(called.answer)
