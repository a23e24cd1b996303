import { createHash, randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { NetworkIdentity } from '../network.ts'
import type { SimulatedAnswer } from '../toolkit/faults.ts'
import { record, string } from '../toolkit/read-json.ts'
import type { SignedTokens } from '../toolkit/signed-tokens.ts'
import type { SimulatorDeps } from '../toolkit/simulation.ts'
import { noPermission, notFound, ok, refuse, rpcError, unauthenticated } from './simulator-answers.ts'

/**
 * Who a token belongs to: the manager of one location behind a sandbox connection, or the person of the pretend
 * sign-in, who manages several.
 */
export type Principal = { connection: { id: string; name: string } } | { grant: string }

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
export const ACCESS_SECONDS = 3_599

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
      accessToken: accessToken(tokens, principal, null),
      refreshToken: refreshToken(tokens, principal),
      account: location.account,
    },
    // Tokens that a refresh gives end after an hour; this first one has no time of its own to count from.
    expiresAt: null,
  }
}

const packed = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** @param until when it expires; null: never. One that expires is unlike all others. */
export function accessToken(tokens: SignedTokens, principal: Principal, until: Date | null): string {
  const more = until === null ? {} : { until: until.toISOString(), nonce: randomBytes(6).toString('base64url') }
  return ACCESS + tokens.write('access', { principal, ...more })
}

export const refreshToken = (tokens: SignedTokens, principal: Principal): string =>
  REFRESH + tokens.write('refresh', { principal })

/** Who a token of either kind belongs to; null when it is none of ours, has expired or was revoked. */
export function principalOf(deps: SimulatorDeps, kind: 'access' | 'refresh', token: string): Principal | null {
  const prefix = kind === 'access' ? ACCESS : REFRESH
  const content = token.startsWith(prefix) ? record(deps.tokens.read(kind, token.slice(prefix.length))) : undefined
  const principal = readPrincipal(content?.principal)
  if (!principal || deps.store.get(REVOKED, packed(principal)) !== undefined) return null
  const until = string(content?.until)
  return until !== undefined && new Date(until) <= deps.now() ? null : principal
}

/** Takes back what a person has allowed: all tokens that came of it are dead. */
export function revoke(deps: SimulatorDeps, principal: Principal): void {
  deps.store.put(REVOKED, packed(principal), { at: deps.now().toISOString() })
}

function readPrincipal(value: unknown): Principal | null {
  const content = record(value)
  const grant = string(content?.grant)
  if (grant !== undefined) return { grant }
  const connection = record(content?.connection)
  const id = string(connection?.id)
  return id === undefined ? null : { connection: { id, name: String(connection?.name ?? '') } }
}

/** @throws SimulatedRefusal */
export function authorized(deps: SimulatorDeps, request: IncomingMessage): Principal {
  const token = /^Bearer (\S+)$/.exec(request.headers.authorization ?? '')?.[1]
  return (token && principalOf(deps, 'access', token)) || refuse(unauthenticated)
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
export function listAccounts(principal: Principal, query: URLSearchParams): SimulatedAnswer {
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
export function listLocations(principal: Principal, account: string, query: URLSearchParams): SimulatedAnswer {
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

/** An empty list is left out of the answer. */
function pageOf<T>(
  list: string,
  all: readonly T[],
  query: URLSearchParams,
  show: (entry: T, index: number) => unknown,
): SimulatedAnswer {
  const start = Number(query.get('pageToken') ?? 0)
  if (!Number.isInteger(start) || start < 0) refuse(rpcError(400, 'The page token is not valid.'))
  const entries = all.slice(start, start + PAGE_SIZE).map((entry, index) => show(entry, start + index))
  return ok({
    ...(entries.length > 0 ? { [list]: entries } : {}),
    ...(start + PAGE_SIZE < all.length ? { nextPageToken: String(start + PAGE_SIZE) } : {}),
  })
}
