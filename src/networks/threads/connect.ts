import { DAY_MS } from '#contract/durations'
import { appInForm, codeGrant } from '../kit/oauth.ts'
import { idIn } from '../kit/read-json.ts'
import { checkGraphApp, GRAPH_APP_ANSWERS } from '../meta/app-check.ts'
import { isPermission } from '../meta/errors.ts'
import { ownTokens } from '../meta/own-tokens.ts'
import type { Connect } from '../network.ts'
import { manifest } from './manifest.ts'
import { QUOTA_EDGE } from './wire.ts'

/** What publishing needs: https://developers.facebook.com/docs/threads/get-started (read 2026-11-21). */
const SCOPES = ['threads_basic', 'threads_content_publish'] as const

const NOT_LASTING =
  'Threads did not give a lasting sign-in. The secret of its app on this installation must be the Threads app secret: ask the operator, then sign in again.'

export const tokens = ownTokens({
  title: manifest.title,
  grants: 'th',
  scopes: SCOPES,
  isNotPermitted: isPermission,
  profile: { id: 'id', picture: 'threads_profile_picture_url' },
  idOf: ({ text }) => idIn(text, 'user_id'),
  quota: () => `me/${QUOTA_EDGE}`,
  profileUrl: ({ endpoint }, username) => `${endpoint('web')}/@${username}`,
  notLasting: NOT_LASTING,
  proves: true,
})

/**
 * How accounts are connected: the code becomes a token of an hour, and that one a token of 60 days, which is renewed by
 * itself: https://developers.facebook.com/docs/threads/get-started/long-lived-tokens (read 2026-11-21). Permissions are
 * shown to testers of the app alone.
 */
const { oauth } = codeGrant({
  manifest,
  requires: ['CLIENT_ID', 'CLIENT_SECRET'],
  page: ({ endpoint }) => `${endpoint('web')}/oauth/authorize`,
  tokens: ({ endpoint }) => `${endpoint('graph')}/oauth/access_token`,
  app: appInForm,
  scopes: () => SCOPES,
  separator: ',',
  accounts: (context, short) => tokens.accounts(context, short),
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
