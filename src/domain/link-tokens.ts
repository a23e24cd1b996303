import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

const TOKEN = /^[A-Za-z0-9_-]{43}$/

/** The secret of a link that is sent to a person: 256 random bits, shown once, and their SHA-256, which is stored. */
export function newLinkToken(): { token: string; hash: Buffer } {
  const token = randomBytes(32).toString('base64url')
  return { token, hash: hashOf(token) }
}

/** The SHA-256 of a token; null for a text that can be none. */
export function hashLinkToken(token: string): Buffer | null {
  return TOKEN.test(token) ? hashOf(token) : null
}

const hashOf = (token: string) => createHash('sha256').update(token).digest()

/** 120 bits, which cannot be guessed, in 20 letters. */
const SETUP_BYTES = 15

/**
 * The code that the first account is made with. It follows from the key, so nothing is stored, and anyone who knows it has
 * seen what the installation's own process has printed.
 */
export function setupCodeOf(key: Buffer): string {
  return createHmac('sha256', key).update('first account').digest().subarray(0, SETUP_BYTES).toString('base64url')
}

/** Whether a code is that one, in a time that reveals nothing about it. */
export function isSetupCode(given: string, expected: string): boolean {
  return timingSafeEqual(hashOf(given), hashOf(expected))
}
