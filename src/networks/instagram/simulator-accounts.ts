import { id, record, string } from '../kit/read-json.ts'
import type { SimulatorDeps } from '../kit/simulation.ts'
import { idFor, usernameFor } from '../kit/simulator.ts'
import { type PretendLogin, type PretendPage, pretendLogin } from '../meta/simulator-login.ts'
import type { NetworkIdentity } from '../network.ts'
import { manifest } from './manifest.ts'

/** A pretend professional account, known by its token alone. */
export interface SimulatedAccount {
  id: string
  /** Under which its posts stand in the ledger: the connection's id, or its own when it came by the sign-in. */
  ledgerId: string
  username: string
  name: string
}

const PREFIX = 'IGSANDBOX'

/** The same connection has the same identity and the same token, in every process and after every restart. */
export function identityFor({ tokens, url }: SimulatorDeps, connection: { id: string; name: string }): NetworkIdentity {
  const account = accountOf(connection)
  return {
    externalId: account.id,
    name: account.name,
    username: account.username,
    profileUrl: url,
    avatarUrl: null,
    credentials: { accessToken: PREFIX + tokens.write('access', { id: connection.id, name: connection.name }) },
    expiresAt: null,
  }
}

/** The account of a token; null when it is none of ours. */
export function accountOfToken({ tokens }: SimulatorDeps, token: string): SimulatedAccount | null {
  if (!token.startsWith(PREFIX)) return null
  const connection = tokens.read('access', token.slice(PREFIX.length)) as { id: string; name: string } | undefined
  return connection ? accountOf(connection) : null
}

const accountOf = ({ id: ledgerId, name }: { id: string; name: string }): SimulatedAccount => ({
  id: idFor(ledgerId, '1784', 13),
  ledgerId,
  username: usernameFor(name),
  name,
})

const account = (accountId: string, username: string, name: string) => ({
  instagram_business_account: { id: accountId, username, name },
})

/** The Pages of the person who signs in, and the professional accounts that hang on them. */
export const PAGES: readonly PretendPage[] = [
  {
    id: '100000000000101',
    name: 'Pretend Bakery',
    tasks: ['CREATE_CONTENT', 'MANAGE'],
    through: 'me',
    more: account('17841499999900001', 'pretend_bakery', 'Pretend Bakery'),
  },
  { id: '100000000000102', name: 'Page without an account', tasks: ['CREATE_CONTENT'], through: 'me' },
  {
    id: '100000000000103',
    name: 'Somebody else',
    tasks: ['ANALYZE'],
    through: 'me',
    more: account('17841499999900003', 'somebody_else', 'Somebody else'),
  },
  {
    id: '100000000000104',
    name: 'Pretend Kiosk',
    tasks: ['CREATE_CONTENT'],
    through: 'owned_pages',
    more: account('17841499999900004', 'pretend_kiosk', 'Pretend Kiosk'),
  },
  // Of the new experience, whose tasks have other names.
  {
    id: '100000000000105',
    name: 'Pretend Tea Room',
    tasks: ['PROFILE_PLUS_CREATE_CONTENT'],
    through: 'me',
    reads: 'person',
    more: account('17841499999900005', 'pretend_tea_room', 'Pretend Tea Room'),
  },
]

/** The pretend dialog with everything behind it. */
export function simulatedLogin(deps: SimulatorDeps, world: { requireProof?: boolean }): PretendLogin {
  return pretendLogin(deps, {
    ...world,
    title: manifest.title,
    clientId: manifest.settings.CLIENT_ID?.sandbox ?? '',
    pages: PAGES,
  })
}

/** The accounts that a token of the person reads; null for other tokens. */
export function accountsOfPerson(login: PretendLogin, token: string): SimulatedAccount[] | null {
  return login.pagesOf(token)?.flatMap((page) => accountOfPage(page) ?? []) ?? null
}

/** The account that a Page's token publishes to; posts of it stand in the ledger under its own id. */
export function accountOfPage(page: PretendPage | 'expired' | null): SimulatedAccount | null {
  if (page === null || page === 'expired') return null
  const linked = record(page.more?.instagram_business_account)
  const igId = id(linked?.id)
  if (igId === undefined) return null
  return { id: igId, ledgerId: igId, username: string(linked?.username) ?? '', name: string(linked?.name) ?? '' }
}
