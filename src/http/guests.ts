import type { FastifyReply, FastifyRequest } from 'fastify'
import { LIMITS } from '#contract'
import { addressBounds } from '#domain'
import { type Guest, notSharedAnyMore, visitOfHeaders } from '#operations'
import { headersOf } from './members.ts'
import { createSiteCheck, type OwnOrigins } from './own-origins.ts'
import { addressOf, createRefusals, type RateLimiter } from './rate-limit.ts'

/** Below it lies all that guests fetch. */
export const VIEW = '/shared/view/:link'

/** The guest whose visit the cookie of a request names, of the shared calendar of that id; null for none. */
type AuthenticateGuest = (id: string, headers: Headers) => Promise<Guest | null>

interface GuestAdmission extends OwnOrigins {
  authenticateGuest: AuthenticateGuest
  rate: RateLimiter
}

/** What every answer below /shared/ has: it is not cached or listed, and does not reveal where a link was followed. */
export const GUEST_HEADERS = {
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex, nofollow, noarchive',
  'x-frame-options': 'DENY',
  // Of what is no page: nothing in it runs, loads or frames anything.
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
} as const

/**
 * Lets a request of a guest in. It must come from our own pages, and its cookie must name a visit of the shared calendar in
 * its path. Everything else gets the same answer, for any reason.
 */
export function createGuestAdmission({ authenticateGuest, rate, ...origins }: GuestAdmission) {
  const refuseOtherSites = createSiteCheck(origins)
  const { requestsPerSecond } = LIMITS.guestVisits
  const refusals = createRefusals()

  /** @throws ProblemError `auth:cross_site_request`, `rate-limit:exceeded`, `shared-calendar:not_found` */
  return async function admitGuest(request: FastifyRequest, reply: FastifyReply): Promise<Guest> {
    refuseOtherSites(request)
    reply.header('vary', 'cookie')
    const { link = '' } = request.params as { link?: string }
    // A month has hundreds of pictures, which a browser fetches at once.
    const isMedia = request.routeOptions.config?.isGuestMedia === true
    const visit = `visit:${link}:${visitOfHeaders(headersOf(request))}`
    if (!isMedia) refusals.refuse(visit)
    await refusals.count(addressBounds('guests', addressOf(request), requestsPerSecond.address), rate.take)
    const guest = await authenticateGuest(link, headersOf(request))
    if (!guest) throw notSharedAnyMore()
    if (!isMedia) refusals.settle(visit, await rate.take(`visit:${guest.id}`, requestsPerSecond.visit))
    const all = `shared-calendar:${guest.calendar.id}`
    refusals.refuse(all)
    refusals.settle(all, await rate.take(all, requestsPerSecond.link))
    return guest
  }
}
