import type { RequestListener, Server } from 'node:http'
import { answerHealth, HEALTH_HEADERS, HEALTH_PATHS, type Health, nodeServer } from '#http'
import { listenWords } from './addresses.ts'
import type { Begun } from './begin.ts'

/**
 * Serves with the limits of every server of ours.
 *
 * @throws StartError in words when the port cannot be listened on
 */
export async function listen(
  handler: RequestListener,
  place: { host: string; port: number; setting: string; publicUrl: string },
  { config, log }: Pick<Begun, 'config' | 'log'>,
): Promise<Server> {
  const { keepAliveMs, maxConnections, trustProxy } = config
  const limits = { keepAliveMs, connections: maxConnections }
  const server = nodeServer(handler, { publicUrl: place.publicUrl, limits, trustProxy, log })
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(listenWords(error, place.host, place.port, place.setting)))
    server.listen({ host: place.host, port: place.port, exclusive: true }, resolve)
  })
  return server
}

/** Takes no more requests and ends when those under way have, or after `graceMs`. */
export async function closeServer(server: Server, { graceMs }: { graceMs: number }): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve))
  server.closeIdleConnections()
  const timer = setTimeout(() => server.closeAllConnections(), graceMs)
  await closed
  clearTimeout(timer)
}

/** `/healthz` and `/readyz` of a process that has no interface. */
export function healthHandler(health: Health): RequestListener {
  return async (request, response) => {
    const answer = await answerHealth(health, request.url?.split('?')[0] ?? '')
    if (answer) response.writeHead(answer.status, HEALTH_HEADERS).end(answer.body)
    else response.writeHead(404, { 'content-type': 'text/plain' }).end(`There is ${HEALTH_PATHS.join(' and ')} here.\n`)
  }
}
