import type { AppCheckOutcome } from '../network.ts'

/** How a token endpoint refuses, and what that says of the app that asked. */
export interface AppAnswer {
  /** Its own code (`invalid_client`); absent: whichever. */
  error?: string
  /** Absent: whichever. */
  words?: RegExp
  says: AppCheckOutcome
}

/**
 * RFC 6749, section 5.2: an app that the endpoint does not know is refused as such, and only one that it knows hears that a code is
 * not good.
 */
const STANDARD: readonly AppAnswer[] = [
  { error: 'invalid_client', says: 'wrong' },
  { error: 'unauthorized_client', says: 'wrong' },
  { error: 'invalid_grant', says: 'works' },
]

/** What a token endpoint answered, as far as it matters here. */
type Asked = { kind: 'token' } | { kind: 'refused'; error: string; message: string } | { kind: 'failed' }

/**
 * What an answer of a token endpoint says of the app that asked.
 *
 * @param answers of this network, looked at before those of the standard
 */
export function appCheckOutcome(asked: Asked, answers: readonly AppAnswer[]): AppCheckOutcome {
  if (asked.kind === 'token') return 'works'
  if (asked.kind === 'failed') return 'unreachable'
  const row = [...answers, ...STANDARD].find(
    ({ error = asked.error, words }) => error === asked.error && (words?.test(asked.message) ?? true),
  )
  return row?.says ?? 'unclear'
}
