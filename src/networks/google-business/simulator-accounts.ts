import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { SimulatedAnswer } from '../kit/faults.ts'
import { readForm } from '../kit/request-body.ts'
import { tokenEndpoint, tokenStore } from '../kit/simulated-tokens.ts'
import type { SimulatorDeps } from '../kit/simulation.ts'
import { bearerIn, type Call } from '../kit/simulator.ts'
import type { NetworkIdentity } from '../network.ts'
import { manifest, SCOPE } from './manifest.ts'
import { listing, noPermission, notFound, ok, refuse, rpcError, unauthenticated } from './simulator-answers.ts'

/**
 * Who a token belongs to: the manager of one location behind a sandbox connection, or the person of the pretend
 * sign-in, who manages several.
 */
export type Principal = { connection: { id: string; name: string } } | { grant: string }

interface Claims {
  principal: Principal
  /** Those of a sandbox connection have all scopes. */
  scope?: string
}

/** A location as `principal` manages it. */
export interface SimulatedLocation {
  account: string
  /** `locations/9` */
  name: string
  title: string
  street: string
  city: string
  canPost: boolean
}

const REVOKED = 'revoked'
const ACCESS = 'ya29.sandbox-'
const REFRESH = '1//sandbox-'
const ACCESS_SECONDS = 3_599
export const CLIENT_ID = manifest.settings.CLIENT_ID?.sandbox ?? ''

/** Of listings, so that everybody who lists has to ask for further pages: the network gives fewer when it likes. */
const PAGE_SIZE = 2

/** The accounts of the person of the pretend sign-in. The last shows its locations to owners alone. */
const PERSON_ACCOUNTS = ['accounts/1000001', 'accounts/1000002', 'accounts/1000003', 'accounts/1000004']
const LOCKED = 'accounts/1000004'

const bakery = { name: 'locations/2000001', title: 'Corner Bakery', street: '12 Main Street', city: 'Springfield' }
const PERSON_LOCATIONS: readonly SimulatedLocation[] = [
  { account: 'accounts/1000001', ...bakery, canPost: true },
  {
    account: 'accounts/1000001',
    name: 'locations/2000002',
    title: 'Corner Bakery',
    street: '3 Oak Avenue',
    city: 'Shelbyville',
    canPost: true,
  },
  {
    account: 'accounts/1000001',
    name: 'locations/2000003',
    title: 'Chain Kiosk',
    street: '1 Station Square',
    city: 'Springfield',
    canPost: false,
  },
  // A group shows again what the person has directly.
  { account: 'accounts/1000002', ...bakery, canPost: true },
  {
    account: 'accounts/1000002',
    name: 'locations/2000004',
    title: 'Flour Mill',
    street: '7 Canal Road',
    city: 'Ogdenville',
    canPost: true,
  },
]

function locationsOf(principal: Principal): readonly SimulatedLocation[] {
  if ('grant' in principal) return PERSON_LOCATIONS
  return [ownLocation(principal.connection)]
}

/** The location behind a sandbox connection. */
function ownLocation({ id, name }: { id: string; name: string }): SimulatedLocation {
  const digits = (what: string) => createHash('sha256').update(`${what} ${id}`).digest().readBigUInt64BE() % 10n ** 18n
  return {
    account: `accounts/${digits('account')}`,
    name: `locations/${digits('location')}`,
    title: name,
    street: '1 Sandbox Lane',
    city: 'Pretend',
    canPost: true,
  }
}

/** The same connection has the same identity and the same tokens, in every process and after every restart. */
export function identityFor({ tokens, url }: SimulatorDeps, connection: { id: string; name: string }): NetworkIdentity {
  const principal: Principal = { connection: { id: connection.id, name: connection.name } }
  const location = ownLocation(connection)
  return {
    externalId: location.name,
    name: connection.name,
    username: null,
    profileUrl: url,
    avatarUrl: null,
    credentials: {
      accessToken: ACCESS + tokens.write('access', { principal }),
      refreshToken: REFRESH + tokens.write('refresh', { principal }),
      account: location.account,
    },
    // Tokens that a refresh gives end after an hour; this first one has no time of its own to count from.
    expiresAt: null,
  }
}

const packed = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** The sign-in: tokens, their endpoint, and what takes them back. */
export function openSignIn(deps: SimulatorDeps) {
  const { isSecret } = deps.tokens
  const tokens = tokenStore<Claims>(
    deps,
    {
      access: { prefix: ACCESS, lastsMs: ACCESS_SECONDS * 1000 },
      refresh: { prefix: REFRESH, lastsMs: null, rotates: false },
    },
    (claims) => claims as Claims,
  )
  const isRevoked = ({ principal }: Claims) => deps.store.get(REVOKED, packed(principal)) !== undefined

  return {
    /** @throws SimulatedRefusal */
    authorize(request: IncomingMessage): Principal {
      const claims = tokens.access(bearerIn(request))
      return claims && !isRevoked(claims) ? claims.principal : refuse(unauthenticated)
    },

    /** `POST /token`. A refresh token stays as it is and is not told again. */
    answerToken: tokenEndpoint(tokens, {
      isClient: (form) => form.client_id === CLIENT_ID && isSecret('CLIENT_SECRET', form.client_secret),
      refusals: {
        client: oauthError(401, 'invalid_client', 'The OAuth client was not found.'),
        grantType: oauthError(400, 'unsupported_grant_type', 'Invalid grant_type'),
        code: oauthError(400, 'invalid_grant', 'Malformed auth code.'),
        redirectUri: oauthError(400, 'redirect_uri_mismatch', 'Bad Request'),
        verifier: oauthError(400, 'invalid_grant', 'Invalid code verifier.'),
        refreshToken: oauthError(400, 'invalid_grant', 'Token has been expired or revoked.'),
        noRefreshToken: oauthError(400, 'invalid_request', 'Missing required parameter: refresh_token'),
      },
      signIn: ({ id, scope }) => ({ principal: { grant: id }, scope }),
      mayRefresh: (claims) => !isRevoked(claims),
      body: ({ accessToken, refreshToken }, { scope = SCOPE }, { renewed }) => ({
        access_token: accessToken,
        expires_in: ACCESS_SECONDS,
        scope,
        token_type: 'Bearer',
        ...(renewed ? {} : { refresh_token: refreshToken }),
      }),
    }),

    /** `POST /revoke`: takes back what a person has allowed, so that all tokens that came of it are dead. */
    async revoke({ request, query }: Call): Promise<SimulatedAnswer> {
      const form = await readForm(request)
      const token = query.get('token') ?? form.token ?? ''
      const claims = tokens.refresh(token) ?? tokens.access(token)
      if (!claims || isRevoked(claims)) return oauthError(400, 'invalid_token', 'Token expired or revoked')
      deps.store.put(REVOKED, packed(claims.principal), { at: deps.now().toISOString() })
      return ok({})
    },
  }
}

function oauthError(status: number, error: string, description: string): SimulatedAnswer {
  return { status, body: { error, error_description: description } }
}

/** The location of a parent `accounts/1/locations/9`. @throws SimulatedRefusal when the principal does not manage it */
export function managedLocation(principal: Principal, parent: string): SimulatedLocation {
  const found = locationsOf(principal).find(({ account, name }) => `${account}/${name}` === parent)
  return found ?? refuse(noPermission)
}

/** Under whom posts stand in the ledger: the connection, or the location for what came of a sign-in. */
export const ledgerAccount = (principal: Principal, location: SimulatedLocation): string =>
  'connection' in principal ? principal.connection.id : location.name

/** `GET /v1/accounts` */
export function listAccounts({ by: principal, query }: Call<Principal>): SimulatedAnswer {
  checkPageSize(query, 20)
  const names = 'grant' in principal ? PERSON_ACCOUNTS : locationsOf(principal).map(({ account }) => account)
  return pageOf('accounts', names, query, (name, index) => ({
    name,
    accountName: index === 0 ? 'Kim Baker' : `Group ${index}`,
    type: index === 0 ? 'PERSONAL' : 'LOCATION_GROUP',
    role: 'PRIMARY_OWNER',
  }))
}

const MASKS: readonly string[] = ['name', 'title', 'storefrontAddress', 'metadata']

/** `GET /v1/accounts/{a}/locations` */
export function listLocations({ by: principal, query, at }: Call<Principal>): SimulatedAnswer {
  const account = `accounts/${at.account}`
  checkPageSize(query, 100)
  const mask = (query.get('readMask') ?? '').split(',').filter((field) => field !== '')
  if (mask.length === 0) refuse(rpcError(400, 'The read_mask is required.'))
  const unknown = mask.find((field) => !MASKS.includes(field))
  if (unknown !== undefined) refuse(rpcError(400, `Invalid field mask provided: ${unknown}`))
  if ('grant' in principal && account === LOCKED) refuse(noPermission)
  const known = 'grant' in principal ? PERSON_ACCOUNTS : locationsOf(principal).map((each) => each.account)
  if (!known.includes(account)) refuse(notFound)
  const locations = locationsOf(principal).filter((each) => each.account === account)
  return pageOf('locations', locations, query, ({ name, title, street, city, canPost }) => {
    const all: Record<string, unknown> = {
      name,
      title,
      storefrontAddress: { regionCode: 'US', addressLines: [street], locality: city },
      metadata: {
        canOperateLocalPost: canPost,
        hasVoiceOfMerchant: true,
        mapsUri: `https://maps.google.com/maps?cid=${name.split('/')[1]}`,
      },
    }
    return Object.fromEntries(Object.entries(all).filter(([field]) => mask.includes(field)))
  })
}

function checkPageSize(query: URLSearchParams, most: number): void {
  const pageSize = Number(query.get('pageSize') ?? most)
  if (!Number.isInteger(pageSize) || pageSize < 1 || pageSize > most) {
    refuse(rpcError(400, `page_size must be from 1 to ${most}.`))
  }
}

function pageOf<T>(
  list: string,
  all: readonly T[],
  query: URLSearchParams,
  show: (entry: T, index: number) => unknown,
): SimulatedAnswer {
  const start = Number(query.get('pageToken') ?? 0)
  if (!Number.isInteger(start) || start < 0) refuse(rpcError(400, 'The page token is not valid.'))
  const entries = all.slice(start, start + PAGE_SIZE).map((entry, index) => show(entry, start + index))
  return listing(list, entries, start + PAGE_SIZE < all.length ? String(start + PAGE_SIZE) : null)
}
