import { checkGraphApp } from '../meta/app-check.ts'
import { completeGraphLogin, dialogAddress, type GraphLogin, type GraphPage } from '../meta/login.ts'
import type { Connect, NetworkIdentity } from '../network.ts'
import { optionalScopes } from './manifest.ts'

/**
 * Pages of the person who signs in. Permissions: https://developers.facebook.com/docs/pages-api/posts (read
 * 2026-11-21).
 */
export const login: GraphLogin = {
  title: 'Facebook',
  required: ['pages_show_list', 'pages_read_engagement', 'pages_manage_posts'],
  optional: optionalScopes,
  fields: [],
  accountOf,
  advice: 'Get a role on a Page that may create content, then connect again and choose the Page in the dialog.',
}

/**
 * How Pages are connected. A Page's token, derived from a long-lived user token, has no end and cannot be refreshed: it
 * dies with a changed password, a lost role or the removed app, and then the Page is connected again
 * (https://developers.facebook.com/docs/facebook-login/guides/access-tokens/get-long-lived, read 2026-11-21).
 */
export const connect: Connect = {
  oauth: {
    requires: ['CLIENT_ID', 'CLIENT_SECRET'],
    checks: { '': checkGraphApp('Facebook') },
    pkce: false,
    authorizeUrl: (context, ask) => dialogAddress(context, login, ask),
    complete: (context, grant) => completeGraphLogin(context, login, grant),
  },
  refresh: null,
}

function accountOf({ id, name, username, link, picture, credentials }: GraphPage): NetworkIdentity {
  const profileUrl = link ?? `https://www.facebook.com/${id}`
  return { externalId: id, name, username, profileUrl, avatarUrl: picture, credentials, expiresAt: null }
}
