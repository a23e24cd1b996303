import { id, record, string } from '../kit/read-json.ts'
import type { SimulatorDeps } from '../kit/simulation.ts'
import { idFor, usernameFor } from '../kit/simulator.ts'
import type { SandboxPage } from '../meta/simulator-login.ts'
import type { NetworkIdentity } from '../network.ts'

/** A simulated professional account, known by its token alone. */
export interface SimulatedAccount {
  id: string
  /** Under which its posts are in the ledger: the connection's id, or its own when it came by the sign-in. */
  ledgerId: string
  username: string
  name: string
}

const PREFIX = 'IGSANDBOX'

/** The same connection has the same identity and the same token, in every process and after every restart. */
export function identityFor({ tokens, url }: SimulatorDeps, connection: { id: string; name: string }): NetworkIdentity {
  const { id: externalId, name, username } = accountOf(connection)
  const accessToken = PREFIX + tokens.write('access', { id: connection.id, name: connection.name })
  return { externalId, name, username, profileUrl: url, avatarUrl: null, credentials: { accessToken }, expiresAt: null }
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

const pageOf = (last: number, name: string, username: string | null, more: Partial<SandboxPage> = {}): SandboxPage => ({
  id: `10000000000010${last}`,
  name,
  tasks: ['CREATE_CONTENT'],
  through: 'me',
  ...(username && { more: { instagram_business_account: { id: `1784149999990000${last}`, username, name } } }),
  ...more,
})

/** The Pages of the person who signs in, and the professional accounts that hang on them. */
export const PAGES: readonly SandboxPage[] = [
  pageOf(1, 'Demo Bakery', 'demo_bakery', { tasks: ['CREATE_CONTENT', 'MANAGE'] }),
  pageOf(2, 'Page without an account', null),
  pageOf(3, 'Somebody else', 'somebody_else', { tasks: ['ANALYZE'] }),
  pageOf(4, 'Demo Kiosk', 'demo_kiosk', { through: 'owned_pages' }),
  // Of the new experience, whose tasks have other names.
  pageOf(5, 'Demo Tea Room', 'demo_tea_room', { tasks: ['PROFILE_PLUS_CREATE_CONTENT'], reads: 'person' }),
]

/** The account that hangs on a Page; posts of it are in the ledger under its own id. */
export function accountOfPage(page: SandboxPage): SimulatedAccount | null {
  const linked = record(page.more?.instagram_business_account)
  const igId = id(linked?.id)
  if (igId === undefined) return null
  return { id: igId, ledgerId: igId, username: string(linked?.username) ?? '', name: string(linked?.name) ?? '' }
}
