import type { FastifyInstance } from 'fastify'

/** Health, and the description of the interface. */
export function metaRoutes(server: FastifyInstance, deps: { healthy(): Promise<boolean> }): void {
  server.get('/healthz', { schema: { hide: true }, config: { quiet: true } }, async (_, reply) => {
    const healthy = await deps.healthy().catch(() => false)
    return reply
      .code(healthy ? 200 : 503)
      .header('cache-control', 'no-store')
      .send({ status: healthy ? 'ok' : 'unavailable' })
  })
  server.get('/openapi.json', { schema: { hide: true } }, async (_, reply) =>
    reply.header('content-type', 'application/json').send(JSON.stringify(server.swagger())),
  )
}
