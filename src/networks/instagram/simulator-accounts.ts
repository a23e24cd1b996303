import { createHash } from 'node:crypto'
import type { NetworkIdentity } from '../network.ts'

/** A pretend professional account. It belongs to one connection and is known by its token alone. */
export interface SimulatedAccount {
  igId: string
  connectionId: string
  username: string
  name: string
}

const PREFIX = 'IGSANDBOX.'

/** The same connection has the same identity and the same token, in every process and after every restart. */
export function identityFor(connection: { id: string; name: string }, url: string): NetworkIdentity {
  const account = accountOf(connection)
  return {
    externalId: account.igId,
    name: account.name,
    username: account.username,
    profileUrl: url,
    avatarUrl: null,
    credentials: { accessToken: PREFIX + Buffer.from(JSON.stringify(connectionIn(connection))).toString('base64url') },
    expiresAt: null,
  }
}

/** The account of a token; null when it is none of ours. */
export function accountOfToken(token: string): SimulatedAccount | null {
  if (!token.startsWith(PREFIX)) return null
  try {
    const { id, name } = JSON.parse(Buffer.from(token.slice(PREFIX.length), 'base64url').toString('utf8'))
    return typeof id === 'string' && typeof name === 'string' ? accountOf({ id, name }) : null
  } catch {
    return null
  }
}

const connectionIn = ({ id, name }: { id: string; name: string }) => ({ id, name })

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
