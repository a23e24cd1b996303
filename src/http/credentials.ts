import { ProblemError } from '#contract'
import type { Caller } from '#operations'

/** Finds whose key it is, and notes that it was used from this address; null when there is no such active key. */
export type Authenticate = (key: string, address: string) => Promise<Caller | null>

const CHALLENGE = { 'www-authenticate': 'Bearer' }

/**
 * The caller of a request below /v1/, or why there is none: `auth:missing_credential`, `auth:invalid_credential`. One
 * answer for keys that are unknown, disabled, expired and revoked.
 */
export async function readCaller(
  authenticate: Authenticate,
  { authorization, address }: { authorization: string | undefined; address: string },
): Promise<Caller | ProblemError> {
  if (!authorization) {
    return new ProblemError('auth:missing_credential', 'Send an API key in the header Authorization: Bearer alm_…', {
      headers: CHALLENGE,
    })
  }
  const [, key] = /^Bearer +(\S+) *$/i.exec(authorization) ?? []
  const caller = key ? await authenticate(key, address) : null
  if (caller) return caller
  return new ProblemError('auth:invalid_credential', 'The API key is unknown, disabled or revoked.', {
    headers: CHALLENGE,
  })
}

/** @throws ProblemError `request:not_acceptable` when the client takes no JSON. */
export function requireJsonAccepted(accept: string | undefined): void {
  if (!accept) return
  const ranges = accept.split(',').map((range) =>
    range
      .trim()
      .toLowerCase()
      .split(/\s*;\s*/),
  )
  const takes = ranges.some(
    ([type = '', ...parameters]) =>
      ['*/*', 'application/*', 'application/json'].includes(type) &&
      !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter)),
  )
  if (!takes) throw new ProblemError('request:not_acceptable', 'Answers are JSON: accept application/json.')
}
