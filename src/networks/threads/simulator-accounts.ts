import { randomBytes } from 'node:crypto'
import type { SignedTokens } from '../kit/signed-tokens.ts'
import { idFor, usernameFor } from '../kit/simulator.ts'

/** A pretend profile. */
export interface SimulatedAccount {
  /** 17 digits, larger than a safe integer, as the network's own. */
  id: string
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

/** A token of an hour, as a code is redeemed for, or a `long` one of 60 days. */
export function newToken(
  tokens: SignedTokens,
  { account, scopes }: Pick<SimulatedToken, 'account' | 'scopes'>,
  now: Date,
  { long }: { long: boolean },
): string {
  const issuedAt = now.getTime()
  const expiresAt = issuedAt + (long ? LONG_SECONDS * 1000 : HOUR_MS)
  return writeToken(tokens, { account, long, scopes, issuedAt, expiresAt, nonce: randomBytes(6).toString('hex') })
}

/** Odd: an even one might survive being read as a floating-point number. */
const threadsId = (seed: string) => `${idFor(seed, '1784', 12)}7`

/** The account of a sandbox connection: the same in every process and after every restart. */
export const accountOf = ({ id: ledgerId, name }: { id: string; name: string }): SimulatedAccount => ({
  id: threadsId(ledgerId),
  ledgerId,
  username: usernameFor(name),
  name,
})

/** The one person who signs in on the pretend network. */
export function signedInAccount(): SimulatedAccount {
  const id = threadsId('sign-in')
  return { id, ledgerId: id, username: 'pretend_person', name: 'Pretend Person' }
}
