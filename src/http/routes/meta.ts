import { createHash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { isKnown } from '../etags.ts'
import { answerHealth, HEALTH_HEADERS, HEALTH_PATHS } from '../health.ts'
import type { ServerDeps } from '../server-deps.ts'

/** Health, and the description of the API. */
export function metaRoutes(
  server: FastifyInstance,
  { health, addressLimit }: Pick<ServerDeps, 'health' | 'addressLimit'>,
): void {
  for (const path of HEALTH_PATHS) {
    server.get(
      path,
      { schema: { hide: true }, config: { quiet: true, addressRate: 'unlimited' } },
      async (_, reply) => {
        const answer = await answerHealth(health, path)
        return reply
          .code(answer?.status ?? 404)
          .headers(HEALTH_HEADERS)
          .send(answer?.body)
      },
    )
  }
  let description: { text: string; etag: string } | null = null
  const addressRate = { subject: 'description', perSecond: addressLimit }
  server.get('/openapi.json', { schema: { hide: true }, config: { addressRate } }, async (request, reply) => {
    description ??= rendered(server)
    const { text, etag } = description
    reply.headers({ etag, 'cache-control': 'no-cache' })
    if (isKnown(request.headers['if-none-match'], etag)) return reply.code(304).send()
    return reply.header('content-type', 'application/json').send(text)
  })
}

/** The same for as long as the process lives: it takes longer than any other answer. */
function rendered(server: FastifyInstance): { text: string; etag: string } {
  const text = JSON.stringify(server.swagger())
  return { text, etag: `"${createHash('sha256').update(text).digest('base64url')}"` }
}
