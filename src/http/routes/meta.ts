import type { FastifyInstance } from 'fastify'
import { answerHealth, HEALTH_HEADERS, HEALTH_PATHS, type Health } from '../health.ts'

/** Health, and the description of the API. */
export function metaRoutes(server: FastifyInstance, { health }: { health: Health }): void {
  for (const path of HEALTH_PATHS) {
    server.get(path, { schema: { hide: true }, config: { quiet: true } }, async (_, reply) => {
      const answer = await answerHealth(health, path)
      return reply
        .code(answer?.status ?? 404)
        .headers(HEALTH_HEADERS)
        .send(answer?.body)
    })
  }
  server.get('/openapi.json', { schema: { hide: true } }, async (_, reply) =>
    reply.header('content-type', 'application/json').send(JSON.stringify(server.swagger())),
  )
}
