import { DAY_MS } from '#contract/durations'
import { pages } from '../kit/api.ts'
import { accountFrom, appInHeader, codeGrant, optionsFrom } from '../kit/oauth.ts'
import type { Connect } from '../network.ts'
import { manifest } from './manifest.ts'
import { errors } from './outcomes.ts'
import { call, parseAccount, parseBoard, readPage } from './wire.ts'

/** What publishing needs. Secret boards are left alone: no one sees what is on them. */
export const SCOPES = ['boards:read', 'boards:write', 'pins:read', 'pins:write', 'user_accounts:read'] as const

const MAX_BOARD_PAGES = 20

/**
 * https://developers.pinterest.com/docs/getting-started/set-up-authentication-and-authorization/ (read 2026-11-21). A
 * refresh gives a new refresh token, and the old one ends with it.
 */
export const connect: Connect = {
  ...codeGrant({
    manifest,
    requires: ['CLIENT_ID', 'CLIENT_SECRET'],
    page: ({ endpoint }) => `${endpoint('www')}/oauth/`,
    tokens: ({ endpoint }) => `${endpoint('api')}/v5/oauth/token`,
    app: appInHeader,
    scopes: () => SCOPES,
    separator: ',',
    // Without it apps made before 25 September 2025 get no refresh token that can be renewed.
    redeems: { continuous_refresh: 'true' },
    // A connection that cannot be renewed would take the place of one that can, and end by itself.
    withoutRefresh:
      'Pinterest gave access that cannot be renewed: there is no refresh token. Connect the account again. If that does not help, make a new app at https://developers.pinterest.com/apps/ and connect with it.',
    // Older sign-ins were connected without one.
    mayLackRefresh: true,
    // Both are a 401 without an error code of OAuth.
    appAnswers: [
      { words: /authentication failed/i, says: 'wrong' },
      { words: /grant is invalid/i, says: 'works' },
    ],
    // Seen: 401, code 283. The same status also means that the app's own id or secret is wrong.
    dead: /grant is invalid|refresh.?token.*(invalid|expired|revoked)/i,
    async accounts(context, { accessToken, refreshToken, expiresAt }) {
      const credentials = { accessToken, refreshToken: refreshToken ?? '' }
      const caller = { ...context, credentials }
      const asked = await call(caller, { method: 'GET', path: 'user_account', timeoutMs: 20_000, parse: parseAccount })
      return accountFrom({ title: 'Pinterest', errors, now: context.now() }, asked, ({ id, ...account }) => ({
        externalId: id,
        ...account,
        profileUrl: `${context.endpoint('www')}/${encodeURIComponent(account.username)}/`,
        credentials,
        expiresAt,
      }))
    },
  }),
  canRefresh: ({ refreshToken }) => refreshToken !== undefined,
  // Access lasts 30 days, and the right to renew it 60 days from the last renewal.
  renewEveryMs: 20 * DAY_MS,
  /** The boards of the account, for the board of posts that name none. */
  async options(context, { credentials }) {
    const caller = { ...context, credentials }
    const listing = { path: 'boards', size: 250, parse: parseBoard }
    const asked = await pages(MAX_BOARD_PAGES, (bookmark) => readPage(caller, listing, bookmark))
    return optionsFrom({ title: 'Pinterest', errors, now: context.now() }, asked, ({ entries }) => ({
      boardId: entries
        .filter(({ adsOnly }) => !adsOnly)
        .map(({ id, name, hidden }) => ({ value: id, title: hidden ? `${name} (secret)` : name })),
    }))
  },
}
