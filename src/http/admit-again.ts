import type { FastifyRequest } from 'fastify'
import { ProblemError } from '#contract'
import { type Caller, type KeyCheck, requireApiAccess, requireRight } from '#operations'
import { findByKey } from './credentials.ts'
import { type AuthenticateMember, headersOf, notSignedIn } from './members.ts'
import { addressOf } from './rate-limit.ts'

/** Looks whether a request that was let in would be let in now. @throws ProblemError why not */
export type AdmitAgain = (request: FastifyRequest) => Promise<Caller>

/** Requests that take minutes outlive keys, sessions and roles. Counts nothing for the rate. */
export function createReadmission(deps: { keys: KeyCheck; authenticateMember: AuthenticateMember }): AdmitAgain {
  return async (request) => {
    const { url = '', config } = request.routeOptions
    const caller = url.startsWith('/v1/')
      ? await findByKey(request.headers.authorization, (key) => deps.keys.find(key, addressOf(request)))
      : await deps.authenticateMember(headersOf(request), () => {})
    if (caller instanceof ProblemError) throw caller
    if (!caller) throw notSignedIn()
    requireApiAccess(caller)
    if (config.right) requireRight(caller, config.right)
    return caller
  }
}
