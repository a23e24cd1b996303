import { createHash, randomBytes } from 'node:crypto'
import type { SignedTokens } from '../toolkit/signed-tokens.ts'

/** A pretend profile. */
export interface SimulatedAccount {
  /** 17 digits, larger than a safe integer, as the network's own. */
  threadsId: string
  /** Under which its posts stand in the ledger: the connection's id, or its own when it came by the sign-in. */
  ledgerId: string
  username: string
  name: string
}

/** What a token says of itself. Tokens hold this in the clear and signed: nothing has to be remembered of them. */
export interface SimulatedToken {
  account: SimulatedAccount
  long: boolean
  scopes: readonly string[]
  /** Milliseconds since 1970. */
  issuedAt: number
  /** Milliseconds since 1970; null: never, as accounts of the sandbox want it. */
  expiresAt: number | null
  /** Sets two tokens of one moment apart. */
  nonce: string
}

const PREFIX = 'THAAsandbox'
export const HOUR_MS = 3_600_000
/** As the documentation's example has it, a little less than 60 days. */
export const LONG_SECONDS = 5_183_944

export function writeToken(tokens: SignedTokens, token: SimulatedToken): string {
  return PREFIX + tokens.write('access', token)
}

/** The token of a text; null when it is none of ours. */
export function readToken(tokens: SignedTokens, text: string): SimulatedToken | null {
  if (!text.startsWith(PREFIX)) return null
  return (tokens.read('access', text.slice(PREFIX.length)) as SimulatedToken | undefined) ?? null
}

/** A token of an hour, as a code is redeemed for. */
export function shortToken(
  tokens: SignedTokens,
  account: SimulatedAccount,
  scopes: readonly string[],
  now: Date,
): string {
  const issuedAt = now.getTime()
  return writeToken(tokens, { account, long: false, scopes, issuedAt, expiresAt: issuedAt + HOUR_MS, nonce: nonce() })
}

/** A token of 60 days. */
export function longToken(
  tokens: SignedTokens,
  account: SimulatedAccount,
  scopes: readonly string[],
  now: Date,
): string {
  const issuedAt = now.getTime()
  return writeToken(tokens, {
    account,
    long: true,
    scopes,
    issuedAt,
    expiresAt: issuedAt + LONG_SECONDS * 1000,
    nonce: nonce(),
  })
}

const nonce = () => randomBytes(6).toString('hex')

/** The account of a sandbox connection: the same in every process and after every restart. */
export function accountOf(connection: { id: string; name: string }): SimulatedAccount {
  return {
    threadsId: idFor(connection.id),
    ledgerId: connection.id,
    username: handleFor(connection.name),
    name: connection.name,
  }
}

/** The one person who signs in on the pretend network. */
export function signedInAccount(): SimulatedAccount {
  const threadsId = idFor('sign-in')
  return { threadsId, ledgerId: threadsId, username: 'pretend_person', name: 'Pretend Person' }
}

function idFor(seed: string): string {
  const number = createHash('sha256').update(seed).digest().readBigUInt64BE() % 10n ** 12n
  // Odd: an even one might survive being read as a floating-point number.
  return `1784${String(number).padStart(12, '0')}7`
}

function handleFor(name: string): string {
  const handle = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '')
    .slice(0, 30)
  return handle || 'pretend'
}
