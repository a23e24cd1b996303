import type { SimulatorDeps } from '../kit/simulation.ts'
import { idFor } from '../kit/simulator.ts'
import type { PretendPage } from '../meta/simulator-login.ts'
import type { NetworkIdentity } from '../network.ts'

/** A pretend Page. It belongs to one connection, or to the person of the pretend sign-in, and is known by its token. */
export interface SimulatedPage {
  id: string
  /** Under which its posts stand in the ledger. */
  ledgerId: string
  name: string
}

const PREFIX = 'EAAPAGESANDBOX'

/** The same connection has the same Page and the same token, in every process and after every restart. */
export function identityFor({ tokens, url }: SimulatorDeps, connection: { id: string; name: string }): NetworkIdentity {
  const { id, name } = connection
  const credentials = { accessToken: PREFIX + tokens.write('access', { id, name }) }
  const { id: externalId } = pageOf(connection)
  return { externalId, name, username: null, profileUrl: url, avatarUrl: null, credentials, expiresAt: null }
}

/** The Page of a token; null when it is none of ours. */
export function pageOfToken({ tokens }: SimulatorDeps, token: string): SimulatedPage | null {
  if (!token.startsWith(PREFIX)) return null
  const connection = tokens.read('access', token.slice(PREFIX.length)) as { id: string; name: string } | undefined
  return connection ? pageOf(connection) : null
}

const pageOf = ({ id, name }: { id: string; name: string }): SimulatedPage => ({
  id: idFor(id, '1009', 11),
  ledgerId: id,
  name,
})

const page = (
  number: number,
  name: string,
  tasks: readonly string[],
  more: Partial<PretendPage> = {},
): PretendPage => ({
  id: `100000000000${number}`,
  name,
  tasks,
  through: 'me',
  ...more,
})

/** The Pages of the person who signs in. Those of the new experience have other names for tasks. */
export const PAGES: readonly PretendPage[] = [
  page(201, 'Pretend Bakery', ['CREATE_CONTENT'], { username: 'pretendbakery' }),
  page(202, 'Pretend Kiosk', ['MANAGE', 'MODERATE']),
  page(203, 'Page to look at', ['ANALYZE', 'ADVERTISE']),
  page(204, 'Pretend Mill', [], { through: 'owned_pages' }),
  page(205, 'Page of a client', [], { through: 'client_pages', token: false }),
  page(206, 'Pretend Tea Room', ['PROFILE_PLUS_CREATE_CONTENT', 'PROFILE_PLUS_ANALYZE'], { reads: 'person' }),
  page(207, 'Pretend Market', ['PROFILE_PLUS_FULL_CONTROL']),
  page(208, 'Pretend Cellar', ['PROFILE_PLUS_CREATE_CONTENT'], { token: 'asked' }),
]
