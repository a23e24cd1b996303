import type { IncomingMessage } from 'node:http'
import type { SimulatedAnswer } from '../kit/faults.ts'
import { simulatedGoogle } from '../kit/google-sign-in.ts'
import type { SimulatorDeps } from '../kit/simulation.ts'
import { bearerIn, type Call, idFor } from '../kit/simulator.ts'
import type { NetworkIdentity } from '../network.ts'
import { manifest, SCOPE, TITLE } from './manifest.ts'
import { listing, noPermission, notFound, pageSizeOf, refuse, rpcError, unauthenticated } from './simulator-answers.ts'

/**
 * Who a token belongs to: the manager of one location behind a sandbox connection, or the person of the simulated
 * sign-in, who manages several.
 */
export type Principal = { connection: { id: string; name: string } } | { grant: string }

interface Claims {
  principal: Principal
  /** Those of a sandbox connection have all scopes. */
  scope?: string
}

const ACCESS = 'ya29.sandbox-'
const REFRESH = '1//sandbox-'

/** Of listings, so that everybody who lists has to ask for further pages: the network gives fewer when it likes. */
const PAGE_SIZE = 2

/** A location as somebody manages it, by the digits of its name and of the account. */
const locationOf = (
  account: string,
  location: string,
  title: string,
  street: string,
  city: string,
  canPost = true,
) => ({ account: `accounts/${account}`, name: `locations/${location}`, title, street, city, canPost })
type SimulatedLocation = ReturnType<typeof locationOf>

/** The accounts of the person of the simulated sign-in. The last shows its locations to owners alone. */
const PERSON_ACCOUNTS = ['accounts/1000001', 'accounts/1000002', 'accounts/1000003', 'accounts/1000004']
const LOCKED = 'accounts/1000004'
const PERSON_LOCATIONS: readonly SimulatedLocation[] = [
  locationOf('1000001', '2000001', 'Corner Bakery', '12 Main Street', 'Springfield'),
  locationOf('1000001', '2000002', 'Corner Bakery', '3 Oak Avenue', 'Shelbyville'),
  locationOf('1000001', '2000003', 'Chain Kiosk', '1 Station Square', 'Springfield', false),
  // A group shows again what the person has directly.
  locationOf('1000002', '2000001', 'Corner Bakery', '12 Main Street', 'Springfield'),
  locationOf('1000002', '2000004', 'Flour Mill', '7 Canal Road', 'Ogdenville'),
]

/** The location behind a sandbox connection. */
function ownLocation({ id, name }: { id: string; name: string }): SimulatedLocation {
  const digits = (what: string) => String(BigInt(idFor(`${what} ${id}`, '', 18)))
  return locationOf(digits('account'), digits('location'), name, '1 Sandbox Lane', 'Demo')
}

const managedBy = (principal: Principal) =>
  'grant' in principal
    ? { accounts: PERSON_ACCOUNTS, locations: PERSON_LOCATIONS }
    : { accounts: [ownLocation(principal.connection).account], locations: [ownLocation(principal.connection)] }

/** The same connection has the same identity and the same tokens, in every process and after every restart. */
export function identityFor(
  { tokens, url }: SimulatorDeps,
  { id, name }: { id: string; name: string },
): NetworkIdentity {
  const principal: Principal = { connection: { id, name } }
  const { account, name: externalId } = ownLocation({ id, name })
  const credentials = {
    accessToken: ACCESS + tokens.write('access', { principal }),
    refreshToken: REFRESH + tokens.write('refresh', { principal }),
    account,
  }
  // Tokens that a refresh gives end after an hour; this first one has no time of its own to count from.
  return { externalId, name, username: null, profileUrl: url, avatarUrl: null, credentials, expiresAt: null }
}

/** The sign-in, and whose an access token is. */
export function openSignIn(deps: SimulatorDeps) {
  const { tokens, ...signIn } = simulatedGoogle<Claims>(deps, {
    title: TITLE,
    clientId: manifest.settings.CLIENT_ID?.sandbox ?? '',
    prefixes: { access: ACCESS, refresh: REFRESH },
    scope: SCOPE,
    signIn: ({ id, scope }) => ({ principal: { grant: id }, scope }),
  })
  /** @throws SimulatedRefusal */
  const authorize = (request: IncomingMessage) => tokens.access(bearerIn(request))?.principal ?? refuse(unauthenticated)
  return { ...signIn, authorize }
}

/** The location of a parent `accounts/1/locations/9`. @throws SimulatedRefusal when the principal does not manage it */
export function managedLocation(principal: Principal, parent: string): SimulatedLocation {
  const found = managedBy(principal).locations.find(({ account, name }) => `${account}/${name}` === parent)
  return found ?? refuse(noPermission)
}

/** Under whom posts are in the ledger: the connection, or the location for what came of a sign-in. */
export const ledgerAccount = (principal: Principal, location: SimulatedLocation): string =>
  'connection' in principal ? principal.connection.id : location.name

/** `GET /v1/accounts` */
export function listAccounts({ by, query }: Call<Principal>): SimulatedAnswer {
  pageSizeOf(query, 20)
  const page = { query, size: PAGE_SIZE, idOf: (name: string) => name, show: (name: string) => ({ name }) }
  return listing('accounts', managedBy(by).accounts, page)
}

const MASKS: readonly string[] = ['name', 'title', 'storefrontAddress', 'metadata']

/** `GET /v1/accounts/{a}/locations` */
export function listLocations({ by, query, at }: Call<Principal>): SimulatedAnswer {
  pageSizeOf(query, 100)
  const mask = (query.get('readMask') ?? '').split(',')
  if (mask.some((field) => !MASKS.includes(field))) refuse(rpcError(400, 'Invalid field mask provided.'))
  const account = `accounts/${at.account}`
  if ('grant' in by && account === LOCKED) refuse(noPermission)
  const { accounts, locations } = managedBy(by)
  if (!accounts.includes(account)) refuse(notFound)
  return listing(
    'locations',
    locations.filter((each) => each.account === account),
    {
      query,
      size: PAGE_SIZE,
      idOf: ({ name }) => name,
      show: ({ name, title, street, city, canPost }) => ({
        name,
        title,
        storefrontAddress: { regionCode: 'US', addressLines: [street], locality: city },
        metadata: {
          canOperateLocalPost: canPost,
          mapsUri: `https://maps.google.com/maps?cid=${name.split('/')[1]}`,
        },
      }),
    },
  )
}
