import { createHash, randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { NetworkIdentity } from '../network.ts'
import { redeemCode } from '../toolkit/consent.ts'
import type { SimulatedAnswer } from '../toolkit/faults.ts'
import { readBasicAuthorization } from '../toolkit/oauth.ts'
import { readForm } from '../toolkit/request-body.ts'
import type { SimulatorDeps } from '../toolkit/simulation.ts'
import { manifest, SCOPES } from './manifest.ts'
import { forbidden, ok, refuse, unauthorized } from './simulator-answers.ts'

/** A pretend account. */
export interface SimulatedAccount {
  userId: string
  /** Under which the ledger lists its posts. */
  ledgerId: string
  username: string
  name: string
  /** Those with the word Premium in their name may write long posts. */
  premium: boolean
}

/** What a token stands for. */
interface Grant {
  account: SimulatedAccount
  scope: string
  expiresAt: string | null
}

const ACCESS_SECONDS = 7_200
/** Collections of tokens. Earlier versions had others, whose tokens anyone could get: those are good no more. */
const KEPT = { access: 'access-grants', refresh: 'refresh-grants' } as const
/** Those of sandbox connections. They are made of the connection, so that they are the same for ever. */
const FIRST = { access: 'XSANDBOX-A-', refresh: 'XSANDBOX-R-' } as const
export const CLIENT_ID = manifest.settings.CLIENT_ID?.sandbox ?? ''

/**
 * The same connection has the same identity and the same tokens, in every process and after every restart. Its access
 * token does not end; its refresh token is good for one use, as all are.
 */
export function identityFor({ tokens, url }: SimulatorDeps, connection: { id: string; name: string }): NetworkIdentity {
  const { id, name } = connection
  const account = accountOf(connection)
  return {
    externalId: account.userId,
    name: account.name,
    username: account.username,
    profileUrl: `${url}/web/${account.username}`,
    avatarUrl: null,
    credentials: {
      accessToken: FIRST.access + tokens.write('access', { id, name }),
      refreshToken: FIRST.refresh + tokens.write('refresh', { id, name }),
    },
    expiresAt: null,
  }
}

/** The account that signs in on the pretend network's own pages. */
export function signedInAccount(): SimulatedAccount {
  const account = accountOf({ id: 'pretend sign-in', name: 'Pretend Person' })
  return { ...account, ledgerId: account.userId }
}

function accountOf({ id, name }: { id: string; name: string }): SimulatedAccount {
  const number = createHash('sha256').update(id).digest().readBigUInt64BE() % 10n ** 17n
  const username = name
    .normalize('NFKD')
    .replace(/[^A-Za-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '')
    .slice(0, 15)
  return {
    userId: `1${String(number).padStart(17, '0')}`,
    ledgerId: id,
    username: username || 'pretend',
    name,
    premium: /\bpremium\b/i.test(name),
  }
}

function firstGrant({ tokens }: SimulatorDeps, kind: keyof typeof FIRST, token: string): Grant | null {
  if (!token.startsWith(FIRST[kind])) return null
  const connection = tokens.read(kind, token.slice(FIRST[kind].length)) as { id: string; name: string } | undefined
  return connection ? { account: accountOf(connection), scope: SCOPES.join(' '), expiresAt: null } : null
}

/** The account of the request's token, when it is allowed what the call needs. */
export function authorized(deps: SimulatorDeps, request: IncomingMessage, scope: string): SimulatedAccount {
  const token = /^Bearer (\S+)$/.exec(request.headers.authorization ?? '')?.[1] ?? ''
  const grant = deps.store.get<Grant>(KEPT.access, token) ?? firstGrant(deps, 'access', token)
  if (!grant || (grant.expiresAt !== null && new Date(grant.expiresAt) <= deps.now())) refuse(unauthorized)
  if (!grant.scope.split(' ').includes(scope)) refuse(forbidden(`Your client token lacks a required scope: ${scope}`))
  return grant.account
}

/** `POST /2/oauth2/token` */
export async function tokenEndpoint(deps: SimulatorDeps, request: IncomingMessage): Promise<SimulatedAnswer> {
  const form = await readForm(request)
  if (form.client_id === undefined) return oauthError(400, 'invalid_request', 'Missing required parameter [client_id].')
  if (!isOurApp(deps, request, form))
    return oauthError(401, 'unauthorized_client', 'Missing valid authorization header')
  switch (form.grant_type) {
    case 'authorization_code':
      return redeem(deps, form)
    case 'refresh_token':
      return refresh(deps, form.refresh_token ?? '')
    default:
      return oauthError(400, 'unsupported_grant_type', 'Value passed for the grant type was invalid.')
  }
}

/** Every client names itself in the form; the app of the sandbox is a confidential one and proves it in the header. */
function isOurApp(deps: SimulatorDeps, request: IncomingMessage, form: Record<string, string>): boolean {
  const [id, secret] = readBasicAuthorization(request.headers.authorization)
  return form.client_id === CLIENT_ID && id === CLIENT_ID && deps.tokens.isSecret('CLIENT_SECRET', secret)
}

function redeem(deps: SimulatorDeps, form: Record<string, string>): SimulatedAnswer {
  const grant = redeemCode(deps, form.code ?? '')
  if (!grant) return invalidValue('authorization code')
  if (form.redirect_uri !== grant.redirectUri) return invalidValue('redirect uri')
  const challenge = createHash('sha256')
    .update(form.code_verifier ?? '')
    .digest('base64url')
  if (grant.codeChallenge !== challenge) return invalidValue('code verifier')
  return issue(deps, signedInAccount(), grant.scope)
}

/** A refresh token is good for one use; the old one is dead before the answer is on its way. */
function refresh(deps: SimulatorDeps, token: string): SimulatedAnswer {
  const kept = deps.store.get<Grant>(KEPT.refresh, token)
  const first = deps.store.get('spent', token) === undefined ? firstGrant(deps, 'refresh', token) : null
  const grant = kept ?? first
  if (!grant) return invalidValue('token')
  if (kept) deps.store.remove(KEPT.refresh, token)
  else deps.store.put('spent', token, {})
  return issue(deps, grant.account, grant.scope)
}

function issue(deps: SimulatorDeps, account: SimulatedAccount, scope: string): SimulatedAnswer {
  const fresh = () => randomBytes(36).toString('base64url')
  const [accessToken, refreshToken] = [fresh(), fresh()]
  const expiresAt = new Date(deps.now().getTime() + ACCESS_SECONDS * 1000).toISOString()
  deps.store.put(KEPT.access, accessToken, { account, scope, expiresAt } satisfies Grant)
  const lasting = scope.split(' ').includes('offline.access')
  if (lasting) deps.store.put(KEPT.refresh, refreshToken, { account, scope, expiresAt: null } satisfies Grant)
  return ok({
    token_type: 'bearer',
    expires_in: ACCESS_SECONDS,
    access_token: accessToken,
    scope,
    ...(lasting ? { refresh_token: refreshToken } : {}),
  })
}

const invalidValue = (what: string) => oauthError(400, 'invalid_request', `Value passed for the ${what} was invalid.`)

const oauthError = (status: number, error: string, description: string): SimulatedAnswer => ({
  status,
  body: { error, error_description: description },
})
