import { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import type { FastifyInstance } from 'fastify'
import { LIMITS } from '#contract'
import { addressBounds } from '#domain'
import { openFeed } from '#operations'
import { isKnown } from '../etags.ts'
import { addressOf, refuseOverMinute, refuseOverRate } from '../rate-limit.ts'
import type { ServerDeps } from '../server-deps.ts'

const CHUNK_BYTES = 65_536

/** What calendar programs read at the addresses that they are given: no session is needed. */
export function calendarFeedRoutes(server: FastifyInstance, deps: ServerDeps): void {
  server.route({
    method: ['GET', 'HEAD'],
    url: '/feeds/:token',
    schema: { hide: true },
    async handler(request, reply) {
      const { token } = request.params as { token: string }
      const address = addressOf(request)
      for (const { subject, limit } of addressBounds('feeds', address, deps.addressLimit)) {
        refuseOverRate(await deps.rate.take(subject, limit))
      }
      reply.headers({
        // Anyone who has the address may read it; no cache on the way may keep it for others.
        'cache-control': 'private, no-cache',
        'x-robots-tag': 'noindex, nofollow',
        'referrer-policy': 'no-referrer',
        'content-security-policy': "sandbox; default-src 'none'",
      })
      const plain = token.replace(/\.ics$/, '')
      const feed = await openFeed(deps, plain, async (feedId) => {
        const bounds = addressBounds(`feed:${feedId}`, address, LIMITS.calendarFeeds.requestsPerMinute)
        for (const { subject, limit } of bounds) refuseOverMinute(await deps.rate.take(subject, limit, 'minute'))
      })
      reply.header('etag', feed.etag)
      if (isKnown(request.headers['if-none-match'], feed.etag)) return reply.code(304).send()
      const kept = request.method === 'HEAD' ? feed : await feed.read()
      reply.headers({
        'content-type': 'text/calendar; charset=utf-8',
        'content-disposition': 'inline; filename="almanac.ics"',
        'content-length': kept.bytes,
        etag: kept.etag,
      })
      if (!('body' in kept)) return reply.send()
      // Unpacked outside of this thread, as it is sent.
      return reply.send(Readable.from([kept.body]).pipe(createGunzip({ chunkSize: CHUNK_BYTES })))
    },
  })
}
