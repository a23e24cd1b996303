import type { SimulatorDeps } from '../kit/simulation.ts'
import { idFor } from '../kit/simulator.ts'
import { type PretendLogin, type PretendPage, pretendLogin } from '../meta/simulator-login.ts'
import type { NetworkIdentity } from '../network.ts'
import { manifest } from './manifest.ts'

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
  return {
    externalId: pageOf(connection).id,
    name,
    username: null,
    profileUrl: url,
    avatarUrl: null,
    credentials: { accessToken: PREFIX + tokens.write('access', { id, name }) },
    expiresAt: null,
  }
}

/** The Page of a token; null when it is none of ours. */
export function pageOfToken({ tokens }: SimulatorDeps, token: string): SimulatedPage | null {
  if (!token.startsWith(PREFIX)) return null
  const connection = tokens.read('access', token.slice(PREFIX.length)) as { id: string; name: string } | undefined
  return connection ? pageOf(connection) : null
}

const pageOf = ({ id: ledgerId, name }: { id: string; name: string }): SimulatedPage => ({
  id: idFor(ledgerId, '1009', 11),
  ledgerId,
  name,
})

/** The Pages of the person who signs in. */
export const PAGES: readonly PretendPage[] = [
  {
    id: '100000000000201',
    name: 'Pretend Bakery',
    username: 'pretendbakery',
    tasks: ['CREATE_CONTENT'],
    through: 'me',
  },
  { id: '100000000000202', name: 'Pretend Kiosk', tasks: ['MANAGE', 'MODERATE'], through: 'me' },
  { id: '100000000000203', name: 'Page to look at', tasks: ['ANALYZE', 'ADVERTISE'], through: 'me' },
  { id: '100000000000204', name: 'Pretend Mill', tasks: [], through: 'owned_pages' },
  { id: '100000000000205', name: 'Page of a client', tasks: [], through: 'client_pages', token: false },
  // Of the new experience, whose tasks have other names.
  {
    id: '100000000000206',
    name: 'Pretend Tea Room',
    tasks: ['PROFILE_PLUS_CREATE_CONTENT', 'PROFILE_PLUS_ANALYZE'],
    through: 'me',
    reads: 'person',
  },
  { id: '100000000000207', name: 'Pretend Market', tasks: ['PROFILE_PLUS_FULL_CONTROL'], through: 'me' },
  {
    id: '100000000000208',
    name: 'Pretend Cellar',
    tasks: ['PROFILE_PLUS_CREATE_CONTENT'],
    through: 'me',
    token: 'asked',
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
