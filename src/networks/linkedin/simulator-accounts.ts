import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { AccountType } from '#contract'
import type { SimulatedAnswer } from '../kit/faults.ts'
import { readForm } from '../kit/request-body.ts'
import { type TokenStore, tokenEndpoint, tokenStore } from '../kit/simulated-tokens.ts'
import type { SimulatorDeps } from '../kit/simulation.ts'
import { type Answering, bearerIn } from '../kit/simulator.ts'
import type { NetworkIdentity } from '../network.ts'
import { manifest } from './manifest.ts'
import { expiredToken, refuse, SimulatedRefusal } from './simulator-answers.ts'

/** A page on which a person has a role. */
interface SimulatedPage {
  urn: string
  name: string
  vanity: string
  role: string
  /** Its roles call it a brand; everything else is as with other pages. */
  isShowcase?: true
}

/** Who stands behind a token, and what it may do. */
export interface Access {
  person: { id: string; name: string }
  pages: readonly SimulatedPage[]
  scopes: readonly string[]
  /** Name in the ledger by urn of the author; without an entry the urn itself. */
  ledger: Readonly<Record<string, string>>
  /** The app that it was given to. */
  clientId: string
}
export type Tokens = TokenStore<Access>

export interface SimulatedApp {
  id: string
  /** The setting that holds its secret. */
  secret: string
  scopes: readonly string[]
  /** Whether its tokens can be refreshed: approved partners alone. */
  refreshes: boolean
}

const setting = (name: string) => manifest.settings[name]?.sandbox ?? ''
export const MEMBER_APP: SimulatedApp = {
  id: setting('CLIENT_ID'),
  secret: 'CLIENT_SECRET',
  scopes: ['openid', 'profile', 'email', 'w_member_social'],
  refreshes: false,
}
export const PAGE_APP: SimulatedApp = {
  id: setting('PAGE_CLIENT_ID'),
  secret: 'PAGE_CLIENT_SECRET',
  scopes: ['r_basicprofile', 'rw_organization_admin', 'r_organization_social', 'w_organization_social'],
  refreshes: true,
}
const APPS = [MEMBER_APP, PAGE_APP]

const DAY = 24 * 3_600_000
const ACCESS_MS = 60 * DAY
const REFRESH_MS = 365 * DAY

/** Whoever signs in on the pretend pages. The page with a mere analyst's role cannot be posted on. */
const VISITOR: Pick<Access, 'person' | 'pages'> = {
  person: { id: 'pReTeNd_01', name: 'Pat Baker' },
  pages: [
    { urn: 'urn:li:organization:7000001', name: 'Corner Bakery', vanity: 'corner-bakery', role: 'ADMINISTRATOR' },
    { urn: 'urn:li:organization:7000002', name: 'Mill & Sons', vanity: 'mill-and-sons', role: 'CONTENT_ADMINISTRATOR' },
    {
      urn: 'urn:li:organization:7000004',
      name: 'Sourdough',
      vanity: 'corner-bakery-sourdough',
      role: 'ADMINISTRATOR',
      isShowcase: true,
    },
    { urn: 'urn:li:organization:7000003', name: 'Bakers of the World', vanity: 'bakers', role: 'ANALYST' },
  ],
}

/** A refresh token stays as it is, and so does its end. */
export const openTokens = (deps: SimulatorDeps): Tokens =>
  tokenStore<Access>(deps, {
    access: { prefix: 'access-', lastsMs: ACCESS_MS },
    refresh: { prefix: 'refresh-', lastsMs: REFRESH_MS, rotates: false },
  })

/** The same connection has the same identity, and the same tokens for as long as they work. */
export function identityFor(
  { url }: SimulatorDeps,
  tokens: Tokens,
  { id, accountType, name }: { id: string; accountType: AccountType; name: string },
): NetworkIdentity {
  const hash = createHash('sha256').update(id).digest()
  const isPage = accountType === 'LINKEDIN_PAGE'
  const personId = hash.toString('base64url').slice(0, 10)
  const urn = isPage ? `urn:li:organization:${hash.readUInt32BE()}` : `urn:li:person:${personId}`
  const vanity =
    name
      .normalize('NFKD')
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-+|-+$/g, '') || 'page'
  const app = isPage ? PAGE_APP : MEMBER_APP
  const access: Access = {
    person: { id: personId, name },
    pages: isPage ? [{ urn, name, vanity, role: 'ADMINISTRATOR' }] : [],
    scopes: app.scopes,
    ledger: { [urn]: id },
    clientId: app.id,
  }
  // The token of a person cannot be refreshed, so it has no end here.
  const { accessToken, refreshToken, expiresAt } = tokens.session(urn, access, isPage ? {} : { accessMs: null })
  return {
    externalId: urn,
    name,
    username: isPage ? vanity : null,
    profileUrl: url,
    avatarUrl: null,
    credentials: isPage ? { accessToken, refreshToken } : { accessToken },
    expiresAt,
  }
}

/** Whose token the request has. @throws SimulatedRefusal */
export function authorized(tokens: Tokens, request: IncomingMessage): Access {
  const token = bearerIn(request)
  if (token === undefined) {
    return refuse(401, 'Empty oauth2 access token', { serviceErrorCode: 65600, code: 'EMPTY_ACCESS_TOKEN' })
  }
  if (tokens.isOver(token)) throw new SimulatedRefusal(expiredToken)
  const invalid = { serviceErrorCode: 65600, code: 'INVALID_ACCESS_TOKEN' }
  return tokens.access(token) ?? refuse(401, 'Invalid access token', invalid)
}

const noCode = oauthError(
  400,
  'invalid_request',
  'Unable to retrieve access token: appid/redirect uri/code verifier does not match authorization code. Or authorization code expired.',
)

/** `POST /oauth/v2/accessToken`. */
export const answerToken = ({ tokens: { isSecret }, now }: SimulatorDeps, tokens: Tokens): Answering =>
  tokenEndpoint(tokens, {
    isClient: (form) => APPS.some(({ id, secret }) => id === form.client_id && isSecret(secret, form.client_secret)),
    refusals: {
      client: oauthError(401, 'invalid_client', 'Client authentication failed'),
      grantType: oauthError(400, 'unsupported_grant_type', 'The grant type is not supported'),
      code: noCode,
      redirectUri: noCode,
      refreshToken: oauthError(400, 'invalid_grant', 'The provided refresh token is invalid, expired or revoked'),
    },
    signIn: ({ clientId, scope }, form) =>
      clientId === form.client_id ? { ...VISITOR, scopes: scope.split(' '), ledger: {}, clientId } : null,
    mayRefresh: ({ clientId }, form) => clientId === form.client_id,
    body({ accessToken, refreshToken }, { scopes, clientId }) {
      const end = tokens.refresh(refreshToken)?.expiresAt ?? null
      const left = end === null ? REFRESH_MS : new Date(end).getTime() - now().getTime()
      const renewal = { refresh_token: refreshToken, refresh_token_expires_in: Math.floor(left / 1000) }
      return {
        access_token: accessToken,
        expires_in: ACCESS_MS / 1000,
        ...(APPS.find(({ id }) => id === clientId)?.refreshes ? renewal : {}),
        // Parted by commas, whatever was sent.
        scope: scopes.join(','),
      }
    },
  })

/** `POST /oauth/v2/introspectToken`: https://learn.microsoft.com/en-us/linkedin/shared/authentication/token-introspection (read 2026-11-21) */
export const answerIntrospection =
  ({ tokens: { isSecret } }: SimulatorDeps, tokens: Tokens): Answering =>
  async ({ request }) => {
    const form = await readForm(request)
    const app = APPS.find(({ id, secret }) => id === form.client_id && isSecret(secret, form.client_secret))
    if (!app) return oauthError(401, 'invalid_client', 'Client authentication failed')
    const access = tokens.access(form.token)
    if (access?.clientId !== app.id) return { status: 200, body: { active: false } }
    const { expiresAt, scopes } = access
    const end = expiresAt === null ? {} : { expires_at: Math.floor(new Date(expiresAt).getTime() / 1000) }
    const body = { active: true, client_id: app.id, scope: scopes.join(','), status: 'active', auth_type: '3L', ...end }
    return { status: 200, body }
  }

function oauthError(status: number, error: string, words: string): SimulatedAnswer {
  return { status, body: { error, error_description: words } }
}
