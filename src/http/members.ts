import type { FastifyReply, FastifyRequest } from 'fastify'
import { LIMITS, ProblemError } from '#contract'
import { addressBounds } from '#domain'
import type { Caller } from '#operations'
import { createSiteCheck, type OwnOrigins } from './own-origins.ts'
import { addressOf, once, type RateLimiter, refuseOverRate } from './rate-limit.ts'

/**
 * On whose behalf a request with these headers acts; null when no one is signed in. A session that was prolonged gives
 * the browser a new cookie.
 */
export type AuthenticateMember = (headers: Headers, setCookie: (value: string) => void) => Promise<Caller | null>

interface MemberAdmission extends OwnOrigins {
  authenticateMember: AuthenticateMember
  rate: RateLimiter
}

/**
 * Lets a request of the dashboard in. It must come from our own pages; whose session its cookie names is the caller.
 * Routes that are open, such as the sign-in, have none.
 */
export function createMemberAdmission({ authenticateMember, rate, ...origins }: MemberAdmission) {
  const refuseOtherSites = createSiteCheck(origins)

  /** @throws ProblemError `auth:cross_site_request`, `auth:not_signed_in`, `auth:acting_as_another`, `rate-limit:exceeded` */
  return async function admitMember(request: FastifyRequest, reply: FastifyReply): Promise<Caller | null> {
    refuseOtherSites(request)
    const open = request.is404 || request.routeOptions.config.open === true
    const setCookie = (value: string) => void reply.header('set-cookie', value)
    const count = async (subject: string, limit: number = LIMITS.requestsPerSecondPerMember) =>
      refuseOverRate(await rate.take(subject, limit))
    const countAddress = once(async () => {
      const bounds = addressBounds('dashboard', addressOf(request), LIMITS.requestsPerSecondPerMember)
      for (const { subject, limit } of bounds) await count(subject, limit)
    })
    // Looking up the session would wait for a database that does not answer.
    if (rate.countsInMemory()) await countAddress()
    const caller = open
      ? null
      : await authenticateMember(headersOf(request), setCookie).catch(async (error: unknown) => {
          // Whose session it is cannot be looked up.
          await countAddress()
          throw error
        })
    await (caller?.member ? count(`member:${caller.member.userId}`) : countAddress())
    if (!caller && !open) throw notSignedIn()
    if (caller) refuseOtherPerson(request, caller)
    reply.header('vary', 'cookie')
    return caller
  }
}

/**
 * All pages of a browser share its session. A page says for whom it was drawn, as `<user id>.<account id>`; when the
 * session has become that of another person or account, what was meant there must not happen here.
 */
function refuseOtherPerson(request: FastifyRequest, { member, accountId }: Caller): void {
  const drawnFor = request.headers['almanac-acting-as']
  if (drawnFor === undefined || drawnFor === `${member?.userId}.${accountId}`) return
  const detail = 'Another person or account is now signed in in this browser. Reload the page.'
  throw new ProblemError('auth:acting_as_another', detail)
}

export const notSignedIn = () => new ProblemError('auth:not_signed_in', 'Sign in to go on.')

/** The headers of a request as the web platform has them. */
export function headersOf(request: FastifyRequest): Headers {
  const headers = new Headers()
  for (const [name, value] of Object.entries(request.headers)) {
    for (const one of [value].flat()) if (one !== undefined) headers.append(name, one)
  }
  return headers
}
