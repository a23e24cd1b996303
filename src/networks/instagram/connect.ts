import { DAY_MS } from '#contract/durations'
import { id, record, string, webAddress } from '../kit/read-json.ts'
import { checkGraphApp } from '../meta/app-check.ts'
import { completeGraphLogin, dialogAddress, type GraphLogin, type GraphPage } from '../meta/login.ts'
import type { Connect, NetworkIdentity } from '../network.ts'
import { OWN_SIGN_IN, optionalScopes } from './manifest.ts'
import { checkOwnApp, isOwnSignIn, ownSignIn, refreshOwn } from './own-sign-in.ts'

/**
 * Professional accounts are reached through the Page that they are linked to, and published to with the Page's token.
 * Permissions: https://developers.facebook.com/docs/instagram-platform/content-publishing (read 2026-11-21). Comments
 * need one more; a sign-in that declines it publishes all the same.
 */
export const login: GraphLogin = {
  title: 'Instagram',
  required: ['instagram_basic', 'instagram_content_publish', 'pages_show_list', 'pages_read_engagement'],
  optional: optionalScopes,
  fields: ['instagram_business_account{id,username,name,profile_picture_url}'],
  accountOf,
  advice:
    'Make the account a business or creator account, link it to a Facebook Page on which you may create content, then connect again and choose both in the dialog.',
}

/**
 * How accounts of this network are connected: through a Page, or by the network's own sign-in. A Page's token, derived from
 * a long-lived user token, has no end and cannot be refreshed: it dies with a changed password, a lost role or the removed
 * app, and then the account is connected again
 * (https://developers.facebook.com/docs/facebook-login/guides/access-tokens/get-long-lived, read 2026-11-21). The network
 * knows no passwords for programs.
 */
export const connect: Connect = {
  oauth: {
    requires: ['CLIENT_ID', 'CLIENT_SECRET'],
    checks: { '': checkGraphApp('Instagram'), ...(checkOwnApp ? { LOGIN_: checkOwnApp } : {}) },
    pkce: false,
    authorizeUrl: (context, ask) => dialogAddress(context, login, ask),
    complete: (context, grant) => completeGraphLogin(context, login, grant),
  },
  otherSignIns: { [OWN_SIGN_IN]: ownSignIn },
  canRefresh: isOwnSignIn,
  refresh: refreshOwn,
  // Half of the life of a token of the own sign-in.
  renewEveryMs: 30 * DAY_MS,
}

function accountOf(page: GraphPage): NetworkIdentity | string {
  const account = record(page.body.instagram_business_account)
  const externalId = id(account?.id)
  if (!account || externalId === undefined) return `${page.name} has no professional account linked to it`
  const username = string(account.username) ?? null
  return {
    externalId,
    name: string(account.name) ?? username ?? page.name,
    username,
    profileUrl: username === null ? null : `https://www.instagram.com/${username}`,
    avatarUrl: webAddress(account.profile_picture_url),
    credentials: page.credentials,
    expiresAt: null,
  }
}
