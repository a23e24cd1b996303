import type { Caller } from '../kit/api.ts'
import { attemptWith } from '../kit/attempt.ts'
import { appInForm, codeGrant } from '../kit/oauth.ts'
import { record, string } from '../kit/read-json.ts'
import { ownTokens } from '../meta/own-tokens.ts'
import type { Attempt, Connect, ConnectContext, Credentials, OAuth } from '../network.ts'
import { manifest, OWN_SIGN_IN } from './manifest.ts'
import { isNotPermitted, isTokenOver } from './outcomes.ts'

/**
 * Permissions of accounts without a Page:
 * https://developers.facebook.com/docs/instagram-platform/instagram-api-with-instagram-login/business-login (read
 * 2026-11-23). Comments need one more; a sign-in that declines it publishes all the same.
 */
const REQUIRED = ['instagram_business_basic', 'instagram_business_content_publish'] as const
const OPTIONAL = ['instagram_business_manage_comments']

const NOT_LASTING =
  'Instagram did not give a lasting sign-in. Check that ALMANAC_INSTAGRAM_LOGIN_CLIENT_SECRET is the Instagram app secret and, while the app has standard access only, that the account is an Instagram tester of it; then sign in again.'
const NOT_SHOWN =
  'Instagram does not show the account that signed in. It must be a business or creator account and, while the app has standard access only, an Instagram tester of the app; then sign in again.'

/** Whether credentials came by this way. */
export const isOwnSignIn = ({ signIn }: Credentials): boolean => signIn === OWN_SIGN_IN

/** The same attempt with the host of its account's way to sign in: one does not take the tokens of the other. */
export function atItsHost(attempt: Attempt): Attempt {
  if (!isOwnSignIn(attempt.credentials)) return attempt
  return attemptWith(attempt, ownHost(attempt))
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
  accounts: (context, short) =>
    tokens.accounts({ ...context, ...ownHost(context) }, short, permissionsIn(short.body.permissions)),
})
const tokens = ownTokens({
  title: manifest.title,
  grants: 'ig',
  scopes: REQUIRED,
  isNotPermitted,
  // Pages know it by `user_id` too, and `id` is another one, of this app alone.
  profile: { id: 'user_id', picture: 'profile_picture_url' },
  quota: (externalId) => `${externalId}/content_publishing_limit`,
  profileUrl: (_, username) => `https://www.instagram.com/${username}`,
  signIn: OWN_SIGN_IN,
  notLasting: NOT_LASTING,
  notShown: NOT_SHOWN,
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
  if (!isOwnSignIn(credentials)) {
    return { kind: 'failed', message: "A Page's token has no end and cannot be renewed." }
  }
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

/** `"a,b"`, or a list of names; null where the network says nothing of it. */
function permissionsIn(value: unknown): readonly string[] | null {
  if (Array.isArray(value)) return value.map(String)
  return string(value)?.split(/[\s,]+/) ?? null
}
