import { createHash } from 'node:crypto'
import type { NetworkIdentity } from '../network.ts'
import type { SimulatorDeps } from '../toolkit/simulation.ts'

/** A pretend professional account. It belongs to one connection and is known by its token alone. */
export interface SimulatedAccount {
  igId: string
  connectionId: string
  username: string
  name: string
}

const PREFIX = 'IGSANDBOX'

/** The same connection has the same identity and the same token, in every process and after every restart. */
export function identityFor({ tokens, url }: SimulatorDeps, connection: { id: string; name: string }): NetworkIdentity {
  const { id, name } = connection
  const account = accountOf(connection)
  return {
    externalId: account.igId,
    name: account.name,
    username: account.username,
    profileUrl: url,
    avatarUrl: null,
    credentials: { accessToken: PREFIX + tokens.write('access', { id, name }) },
    expiresAt: null,
  }
}

/** The account of a token; null when it is none of ours. */
export function accountOfToken({ tokens }: SimulatorDeps, token: string): SimulatedAccount | null {
  if (!token.startsWith(PREFIX)) return null
  const connection = tokens.read('access', token.slice(PREFIX.length)) as { id: string; name: string } | undefined
  return connection ? accountOf(connection) : null
}

function accountOf({ id, name }: { id: string; name: string }): SimulatedAccount {
  const number = createHash('sha256').update(id).digest().readBigUInt64BE() % 10n ** 13n
  const username = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '')
    .slice(0, 30)
  return {
    igId: `1784${String(number).padStart(13, '0')}`,
    connectionId: id,
    username: username || 'pretend',
    name,
  }
}
