import { createHash, randomBytes } from 'node:crypto'
import type { NetworkIdentity } from '../network.ts'
import { redeemCode } from '../toolkit/consent.ts'
import type { SimulatedAnswer } from '../toolkit/faults.ts'
import type { SimulatorDeps } from '../toolkit/simulation.ts'
import { manifest } from './manifest.ts'
import { digits, refuse } from './simulator-answers.ts'

/** A pretend account. */
export interface Account {
  openId: string
  /** Under which its posts stand in the ledger: the connection of the sandbox, else the account itself. */
  ledgerId: string
  username: string
  name: string
}

interface Token {
  openId: string
  scope: string
  expiresAt: string
}

const HOUR = 3_600_000
/** As the newest pages have it; accounts that the sandbox makes keep to the older ones, so that they can wait. */
const ACCESS_MS = 2 * HOUR
const SANDBOX_ACCESS_MS = 24 * HOUR
const REFRESH_MS = 180 * 24 * HOUR
export const CODE_MS = 10 * 60_000

const sandboxValue = (name: string) => manifest.settings[name]?.sandbox ?? ''
export const CLIENT_KEY = sandboxValue('CLIENT_KEY')

/** Who signs in on the pretend page: always the same person. */
const PERSON = { id: 'the person who signs in', name: 'Pretend Baker' }

export type Accounts = ReturnType<typeof openAccounts>

/** The accounts of the pretend network, their tokens and the sign-in. */
export function openAccounts(deps: SimulatorDeps) {
  const { store } = deps

  function account(connection: { id: string; name: string }, ledgerId: string | null): Account {
    const hash = createHash('sha256').update(connection.id).digest('base64url')
    const openId = `-000${hash.slice(0, 32)}`
    const known = store.get<Account>('accounts', openId)
    if (known) return known
    const slug = connection.name
      .normalize('NFKD')
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '.')
      .replace(/^\.+|\.+$/g, '')
      .slice(0, 20)
    const made: Account = {
      openId,
      ledgerId: ledgerId ?? openId,
      username: slug || 'pretend',
      name: connection.name,
    }
    store.put('accounts', openId, made)
    return made
  }

  /**
   * New tokens. Earlier versions kept theirs in other collections, and anyone could get one: those are good no more.
   * An access token that was given before works until its time is over.
   */
  function grant(openId: string, scope: string, accessMs = ACCESS_MS) {
    const now = deps.now().getTime()
    const accessToken = `act.${randomBytes(32).toString('base64url')}`
    const refreshToken = `rft.${randomBytes(32).toString('base64url')}`
    const expiring = (ms: number): Token => ({ openId, scope, expiresAt: new Date(now + ms).toISOString() })
    store.put('access-grants', accessToken, expiring(accessMs))
    store.put('refresh-grants', refreshToken, expiring(REFRESH_MS))
    return { accessToken, refreshToken, expiresAt: new Date(now + accessMs) }
  }

  function find(collection: 'access-grants' | 'refresh-grants', token: string): Token | null {
    const found = store.get<Token>(collection, token)
    return found && new Date(found.expiresAt) > deps.now() ? found : null
  }

  function tokenAnswer(openId: string, scope: string): SimulatedAnswer {
    const { accessToken, refreshToken } = grant(openId, scope)
    const body = {
      access_token: accessToken,
      expires_in: ACCESS_MS / 1000,
      open_id: openId,
      refresh_expires_in: REFRESH_MS / 1000,
      refresh_token: refreshToken,
      scope,
      token_type: 'Bearer',
    }
    return { status: 200, body }
  }

  return {
    /** The account of the bearer token, when it was allowed what is asked for. */
    authorized(authorization: string | undefined, scope: string): Account {
      const token = find('access-grants', /^Bearer (\S+)$/.exec(authorization ?? '')?.[1] ?? '')
      const owner = token && store.get<Account>('accounts', token.openId)
      if (!token || !owner) {
        return refuse(401, 'access_token_invalid', 'The access token is invalid or not found in the request.')
      }
      if (!token.scope.split(',').includes(scope)) {
        return refuse(401, 'scope_not_authorized', 'The user did not authorize the scope required for this request.')
      }
      return owner
    },

    byName: (username: string) => store.list<Account>('accounts').find((each) => each.username === username) ?? null,

    /** The same connection has the same account, and the same tokens for as long as they can be used. */
    identityFor(connection: { id: string; name: string }): NetworkIdentity {
      const { openId, name, username } = account(connection, connection.id)
      const kept = store.get<{ accessToken: string; refreshToken: string }>('first-tokens', openId)
      const living = kept && find('access-grants', kept.accessToken)
      const scope = sandboxValue('SCOPES')
      const tokens =
        kept && living ? { ...kept, expiresAt: new Date(living.expiresAt) } : grant(openId, scope, SANDBOX_ACCESS_MS)
      const { accessToken, refreshToken, expiresAt } = tokens
      if (!living) store.put('first-tokens', openId, { accessToken, refreshToken })
      return {
        externalId: openId,
        name,
        username,
        profileUrl: deps.url,
        avatarUrl: null,
        credentials: { accessToken, refreshToken, scope },
        expiresAt,
      }
    },

    /** `POST /v2/oauth/token/`. A refresh token is good for one refresh. Refusals come with HTTP 200 too. */
    token(form: Readonly<Record<string, string>>): SimulatedAnswer {
      if (form.client_key !== CLIENT_KEY || !deps.tokens.isSecret('CLIENT_SECRET', form.client_secret)) {
        return oauthError(401, 'invalid_client', 'Client key or secret is incorrect.')
      }
      if (form.grant_type === 'authorization_code') {
        const granted = redeemCode(deps, form.code ?? '')
        if (!granted || granted.redirectUri !== form.redirect_uri) {
          return oauthError(200, 'invalid_grant', 'Authorization code is expired.')
        }
        return tokenAnswer(account(PERSON, null).openId, granted.scope)
      }
      if (form.grant_type === 'refresh_token') {
        const used = find('refresh-grants', form.refresh_token ?? '')
        if (!used) return oauthError(200, 'invalid_grant', 'Refresh token is invalid or expired.')
        store.remove('refresh-grants', form.refresh_token ?? '')
        return tokenAnswer(used.openId, used.scope)
      }
      return oauthError(400, 'unsupported_grant_type', 'Grant type is not supported.')
    },
  }
}

function oauthError(status: number, error: string, description: string): SimulatedAnswer {
  return { status, body: { error, error_description: description, log_id: digits(30) } }
}
