import { createHash, randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { NetworkIdentity } from '../network.ts'
import { redeemCode } from '../toolkit/consent.ts'
import type { SimulatedAnswer } from '../toolkit/faults.ts'
import { readBasicAuthorization } from '../toolkit/oauth.ts'
import { readForm } from '../toolkit/request-body.ts'
import type { SimulatorDeps } from '../toolkit/simulation.ts'
import { SCOPES } from './connect.ts'
import { manifest } from './manifest.ts'
import { AUTHENTICATION_FAILED, errorAnswer, ok, SCOPE_MISSING, SimulatedRefusal } from './simulator-answers.ts'

const DAY_MS = 24 * 3_600_000
const ACCESS_MS = 30 * DAY_MS
const REFRESH_MS = 60 * DAY_MS

export interface SimulatedAccount {
  id: string
  username: string
  name: string
  /** Under which the ledger holds its pins: the connection, or the account's own id after a sign-in. */
  ledgerId: string
}

interface Grant {
  account: SimulatedAccount
  scope: string
  expiresAt: string
}

/** Collections. Earlier versions had others for tokens, which anyone could get: those are good no more. */
const [ACCESS, REFRESH, SESSIONS] = ['access-grants', 'refresh-grants', 'sessions'] as const

/** The app that there is on the pretend network. */
export const CLIENT_ID = manifest.settings.CLIENT_ID?.sandbox ?? ''
const GRANT_INVALID = errorAnswer(401, 283, 'The authorization grant is invalid')

/** Who signs in on the pretend sign-in page. */
const visitor: SimulatedAccount = {
  id: '700000000000000001',
  username: 'pretend_bakery',
  name: 'Pretend Bakery',
  ledgerId: '700000000000000001',
}

/** The same connection has the same account, and the same tokens for as long as they work. */
export function identityFor(deps: SimulatorDeps, connection: { id: string; name: string }): NetworkIdentity {
  const account = accountOf(connection)
  const kept = deps.store.get<{ accessToken: string; refreshToken: string }>(SESSIONS, account.id)
  const works = kept && liveGrant(deps, ACCESS, kept.accessToken) !== null
  const session = works ? kept : openSession(deps, account, SCOPES.join(','))
  if (!works) deps.store.put(SESSIONS, account.id, session)
  const grant = liveGrant(deps, ACCESS, session.accessToken)
  return {
    externalId: account.id,
    name: account.name,
    username: account.username,
    profileUrl: `${deps.url}/www/${account.username}/`,
    avatarUrl: null,
    credentials: { ...session },
    expiresAt: grant ? new Date(grant.expiresAt) : null,
  }
}

/** The account of a request whose token has all of these scopes. @throws SimulatedRefusal */
export function authorized(
  deps: SimulatorDeps,
  request: IncomingMessage,
  scopes: readonly string[],
): { account: SimulatedAccount; scope: string } {
  const token = /^Bearer (\S+)$/.exec(request.headers.authorization ?? '')?.[1]
  const grant = token === undefined ? null : liveGrant(deps, ACCESS, token)
  if (!grant) throw new SimulatedRefusal(AUTHENTICATION_FAILED)
  if (scopes.some((scope) => !hasScope(grant.scope, scope))) throw new SimulatedRefusal(SCOPE_MISSING)
  return grant
}

export const hasScope = (granted: string, scope: string): boolean => granted.split(/[\s,]+/).includes(scope)

/** `POST /v5/oauth/token` */
export async function answerToken(deps: SimulatorDeps, request: IncomingMessage): Promise<SimulatedAnswer> {
  const [id, secret] = readBasicAuthorization(request.headers.authorization)
  if (id !== CLIENT_ID || !deps.tokens.isSecret('CLIENT_SECRET', secret)) return AUTHENTICATION_FAILED
  const form = await readForm(request)
  switch (form.grant_type) {
    case 'authorization_code': {
      const grant = redeemCode(deps, form.code ?? '')
      if (!grant || grant.redirectUri !== form.redirect_uri) return GRANT_INVALID
      return tokenAnswer(deps, 'authorization_code', visitor, grant.scope, form.continuous_refresh === 'true')
    }
    case 'refresh_token': {
      const token = form.refresh_token ?? ''
      const grant = liveGrant(deps, REFRESH, token)
      if (!grant) return GRANT_INVALID
      // It is spent; the access token of before lasts out its time.
      deps.store.remove(REFRESH, token)
      return tokenAnswer(deps, 'refresh_token', grant.account, grant.scope, true)
    }
    default:
      return errorAnswer(400, 1, 'Invalid request: grant_type')
  }
}

/** `GET /v5/user_account` */
export function answerAccount({ username, name, id }: SimulatedAccount): SimulatedAnswer {
  return ok({
    account_type: 'BUSINESS',
    id,
    username,
    business_name: name,
    profile_image: '',
    website_url: '',
    about: 'A pretend account.',
    board_count: 2,
    pin_count: null,
    follower_count: 0,
    following_count: 0,
    monthly_views: 0,
  })
}

function tokenAnswer(
  deps: SimulatorDeps,
  responseType: string,
  account: SimulatedAccount,
  scope: string,
  renewable: boolean,
): SimulatedAnswer {
  const { accessToken, refreshToken } = openSession(deps, account, scope)
  const renewal = {
    refresh_token: refreshToken,
    refresh_token_expires_in: REFRESH_MS / 1000,
    refresh_token_expires_at: Math.floor((deps.now().getTime() + REFRESH_MS) / 1000),
  }
  return ok({
    response_type: responseType,
    access_token: accessToken,
    token_type: 'bearer',
    expires_in: ACCESS_MS / 1000,
    scope,
    ...(renewable ? renewal : {}),
  })
}

function openSession(deps: SimulatorDeps, account: SimulatedAccount, scope: string) {
  const until = (ms: number) => new Date(deps.now().getTime() + ms).toISOString()
  const accessToken = `pina_${randomBytes(30).toString('base64url')}`
  const refreshToken = `pinr_${randomBytes(30).toString('base64url')}`
  deps.store.put(ACCESS, accessToken, { account, scope, expiresAt: until(ACCESS_MS) } satisfies Grant)
  deps.store.put(REFRESH, refreshToken, { account, scope, expiresAt: until(REFRESH_MS) } satisfies Grant)
  return { accessToken, refreshToken }
}

function liveGrant(deps: SimulatorDeps, collection: string, token: string): Grant | null {
  const grant = deps.store.get<Grant>(collection, token)
  return grant && new Date(grant.expiresAt) > deps.now() ? grant : null
}

function accountOf({ id, name }: { id: string; name: string }): SimulatedAccount {
  const number = createHash('sha256').update(id).digest().readBigUInt64BE() % 10n ** 17n
  const username = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '')
    .slice(0, 30)
  return { id: `8${String(number).padStart(17, '0')}`, username: username || 'pretend', name, ledgerId: id }
}
