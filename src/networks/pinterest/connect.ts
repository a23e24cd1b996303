import type {
  Connect,
  ConnectContext,
  Credentials,
  NetworkIdentity,
  OAuth,
  OptionsOutcome,
  RefreshOutcome,
  SignInOutcome,
} from '../network.ts'
import { addressWith, basicAuthorization, requestToken } from '../toolkit/oauth.ts'
import { errors, judge } from './outcomes.ts'
import { type Board, type Called, call, type Page, parseAccount, parseBoard, parsePage } from './wire.ts'

/** What publishing needs. Secret boards are left alone: nobody sees what is on them. */
export const SCOPES = ['boards:read', 'boards:write', 'pins:read', 'pins:write', 'user_accounts:read'] as const

const DAY_MS = 24 * 3_600_000
const MAX_BOARD_PAGES = 20

/** https://developers.pinterest.com/docs/getting-started/set-up-authentication-and-authorization/ (read 2026-11-21) */
export const oauth: OAuth = {
  requires: ['CLIENT_ID', 'CLIENT_SECRET'],
  pkce: false,
  authorizeUrl: (context, { state, redirectUri }) =>
    addressWith(`${context.endpoint('www')}/oauth/`, {
      client_id: context.setting('CLIENT_ID'),
      redirect_uri: redirectUri,
      response_type: 'code',
      scope: SCOPES.join(','),
      state,
    }),
  complete,
}

export const connect: Connect = {
  oauth,
  options,
  refresh,
  canRefresh: ({ refreshToken }) => refreshToken !== undefined,
  // Access lasts 30 days, and the right to renew it 60 days from the last renewal.
  renewEveryMs: 20 * DAY_MS,
}

async function complete(context: ConnectContext, grant: { code: string; redirectUri: string }): Promise<SignInOutcome> {
  const asked = await requestToken(context, 'Pinterest', {
    method: 'POST',
    url: tokenUrl(context),
    headers: appHeader(context),
    form: {
      grant_type: 'authorization_code',
      code: grant.code,
      redirect_uri: grant.redirectUri,
      // Without it apps made before 25 September 2025 get no refresh token that can be renewed.
      continuous_refresh: 'true',
    },
  })
  if (asked.kind !== 'token') return { kind: 'failed', message: asked.message }
  const { accessToken, refreshToken, expiresAt, scope } = asked.token
  const missing = scope === null ? [] : SCOPES.filter((name) => !scope.split(/[\s,]+/).includes(name))
  if (missing.length > 0) {
    const message = `Pinterest did not grant ${missing.join(', ')}. Connect the account again and allow everything that is asked for.`
    return { kind: 'failed', message }
  }
  // A connection that cannot be renewed would take the place of one that can, and end by itself.
  if (refreshToken === null) return { kind: 'failed', message: NOT_RENEWABLE }
  const credentials = { accessToken, refreshToken }
  const account = await readAccount(context, credentials)
  if (account.kind === 'failed') {
    return { kind: 'failed', message: `Pinterest could not be reached. ${account.message}` }
  }
  if (account.kind === 'refused') {
    const { meaning } = errors.lookUp(account.answer, context.now())
    return { kind: 'failed', message: `Pinterest does not show the account. ${meaning.message}` }
  }
  const { id, username, name, avatarUrl } = account.value
  const identity: NetworkIdentity = {
    externalId: id,
    name,
    username,
    profileUrl: `${context.endpoint('www')}/${encodeURIComponent(username)}/`,
    avatarUrl,
    credentials,
    expiresAt,
  }
  return { kind: 'accounts', accounts: [identity] }
}

const NOT_RENEWABLE =
  'Pinterest gave access that cannot be renewed: there is no refresh token. Connect the account again. If that does not help, make a new app at https://developers.pinterest.com/apps/ and connect with it.'

const readAccount = (context: ConnectContext, credentials: Credentials) =>
  call({ ...context, credentials }, { method: 'GET', path: 'user_account', timeoutMs: 20_000, parse: parseAccount })

/** The boards of the account, for the board of posts that name none. */
async function options(
  context: ConnectContext,
  { credentials }: { credentials: Credentials },
): Promise<OptionsOutcome> {
  const boards: Board[] = []
  let bookmark: string | null = null
  for (let page = 0; page < MAX_BOARD_PAGES; page++) {
    const asked: Called<Page<Board>> = await call(
      { ...context, credentials },
      {
        method: 'GET',
        path: 'boards',
        query: { page_size: '250', ...(bookmark === null ? {} : { bookmark }) },
        timeoutMs: 20_000,
        parse: parsePage(parseBoard),
      },
    )
    if (asked.kind === 'failed') return { kind: 'failed', message: asked.message }
    if (asked.kind === 'refused') {
      const { meaning } = judge(asked.answer, context.now())
      return meaning.kind === 'reconnect' ? meaning : { kind: 'failed', message: meaning.message }
    }
    boards.push(...asked.value.items)
    bookmark = asked.value.bookmark
    if (bookmark === null) break
  }
  const boardId = boards
    .filter(({ adsOnly }) => !adsOnly)
    .map(({ id, name, hidden }) => ({ value: id, title: hidden ? `${name} (secret)` : name }))
  return { kind: 'options', options: { boardId } }
}

/**
 * A refresh gives a new refresh token, and the old one ends with it. A grant that is over is told by its words (seen:
 * 401, code 283, "The authorization grant is invalid"); the same status also means that the app's own id or secret is
 * wrong, which says nothing about the connection.
 */
async function refresh(
  context: ConnectContext,
  { credentials }: { credentials: Credentials },
): Promise<RefreshOutcome> {
  const { refreshToken } = credentials
  if (!refreshToken) {
    // Older sign-ins were connected so. The access may be good for a while yet; publishing tells when it is not.
    return { kind: 'failed', message: 'Pinterest gave no refresh token. Connect the account again.' }
  }
  const asked = await requestToken(context, 'Pinterest', {
    method: 'POST',
    url: tokenUrl(context),
    headers: appHeader(context),
    form: { grant_type: 'refresh_token', refresh_token: refreshToken },
  })
  switch (asked.kind) {
    case 'token': {
      const { accessToken, refreshToken: renewed, expiresAt } = asked.token
      const fresh = { ...credentials, accessToken, refreshToken: renewed ?? refreshToken }
      return { kind: 'refreshed', credentials: fresh, expiresAt }
    }
    case 'failed':
      return asked
    case 'refused':
      if (
        /grant is invalid|invalid_grant|refresh.?token.*(invalid|expired|revoked)/i.test(asked.error + asked.message)
      ) {
        return { kind: 'dead', message: 'Pinterest no longer accepts the sign-in. Connect the account again.' }
      }
      return { kind: 'failed', message: asked.message }
  }
}

const tokenUrl = (context: ConnectContext) => `${context.endpoint('api')}/v5/oauth/token`

const appHeader = ({ setting }: ConnectContext) => ({
  authorization: basicAuthorization(setting('CLIENT_ID'), setting('CLIENT_SECRET')),
})
