import type { FastifyInstance } from 'fastify'
import { CALENDAR_FEED_ENDPOINTS } from '#contract'
import { closeCalendarFeed, issueCalendarFeed, type OpenFeedDeps, openFeed, readCalendarFeed } from '#operations'
import { isKnown } from '../etags.ts'
import { addressOf, type RateLimiter, refuseOverRate } from '../rate-limit.ts'
import { type Guard, serve } from '../route.ts'

/** The addresses at which calendar programs read what is planned, and what they read there: no session is needed. */
export function calendarFeedRoutes(
  server: FastifyInstance,
  guard: Guard,
  deps: OpenFeedDeps & { rate: RateLimiter; addressLimit: number },
): void {
  serve(server, guard, CALENDAR_FEED_ENDPOINTS, {
    'GET /social-sets/:id/calendar-feed': (caller, { params }) => readCalendarFeed(deps, caller, params.id),
    'PUT /social-sets/:id/calendar-feed': (caller, request) =>
      issueCalendarFeed(deps, caller, request.params.id, request),
    'DELETE /social-sets/:id/calendar-feed': (caller, request) =>
      closeCalendarFeed(deps, caller, request.params.id, request),
  })
  server.route({
    method: ['GET', 'HEAD'],
    url: '/feeds/:token',
    schema: { hide: true },
    async handler(request, reply) {
      const { token } = request.params as { token: string }
      refuseOverRate(await deps.rate.take(`feeds:${addressOf(request)}`, deps.addressLimit))
      reply.headers({
        // Anyone who has the address may read it; no cache on the way may keep it for others.
        'cache-control': 'private, no-cache',
        'x-robots-tag': 'noindex, nofollow',
        'referrer-policy': 'no-referrer',
        'content-security-policy': "sandbox; default-src 'none'",
      })
      const { body, etag } = await openFeed(deps, token.replace(/\.ics$/, ''))
      reply.header('etag', etag)
      if (isKnown(request.headers['if-none-match'], etag)) return reply.code(304).send()
      reply.headers({
        'content-type': 'text/calendar; charset=utf-8',
        'content-disposition': 'inline; filename="almanac.ics"',
        'content-length': body.length,
      })
      return reply.send(request.method === 'HEAD' ? undefined : body)
    },
  })
}
