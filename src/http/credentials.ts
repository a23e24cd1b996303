import { ProblemError } from '#contract'

const CHALLENGE = { 'www-authenticate': 'Bearer' }

/**
 * What is found by the API key of a request below /v1/, or why there is nothing: `auth:missing_credential`,
 * `auth:invalid_credential`. One answer for keys that are unknown, disabled, expired and revoked, for which `find` gives null.
 */
export async function findByKey<T extends object>(
  authorization: string | undefined,
  find: (key: string) => Promise<T | null>,
): Promise<T | ProblemError> {
  if (!authorization) {
    return new ProblemError('auth:missing_credential', 'Send an API key in the header Authorization: Bearer alm_…', {
      headers: CHALLENGE,
    })
  }
  const [, key] = /^Bearer +(\S+) *$/i.exec(authorization) ?? []
  const found = key ? await find(key) : null
  if (found) return found
  return new ProblemError('auth:invalid_credential', 'The API key is unknown, disabled or revoked.', {
    headers: CHALLENGE,
  })
}

/** @throws ProblemError `request:not_acceptable` when the client takes no JSON. */
export function requireJsonAccepted(accept: string | undefined): void {
  if (!accept) return
  const ranges = accept.split(',').map((range) => range.split(';').map((part) => part.trim().toLowerCase()))
  const takes = ranges.some(
    ([type = '', ...parameters]) =>
      ['*/*', 'application/*', 'application/json'].includes(type) &&
      !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter)),
  )
  if (!takes) throw new ProblemError('request:not_acceptable', 'Answers are JSON: accept application/json.')
}
