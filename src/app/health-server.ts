import type { RequestListener, Server } from 'node:http'
import { answerHealth, HEALTH_HEADERS, HEALTH_PATHS, type Health, nodeServer } from '#http'
import { isTaken, listenWords } from './addresses.ts'
import type { Begun } from './begin.ts'
import type { Closing } from './closing.ts'

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

/** Pause before a port that was taken is tried again. */
const TRY_AGAIN_MS = 2_000

/**
 * Serves beside what a process is there for: while another program has the port, one line in the log says so and it is tried
 * again, and the process does its work. Ends with `closing`.
 *
 * @param place.what what is missing meanwhile, for the log
 * @returns the port; null while it is taken
 * @throws StartError in words when the place can never be listened on
 */
export async function listenOrWait(
  handler: RequestListener,
  place: { host: string; port: number; setting: string; publicUrl: string; what: string },
  begun: Pick<Begun, 'config' | 'log'>,
  closing: Closing,
): Promise<number | null> {
  let server: Server | null = null
  let timer: NodeJS.Timeout | null = null
  let ended = false
  closing.defer(async () => {
    ended = true
    if (timer) clearTimeout(timer)
    if (server) await closeServer(server, { graceMs: 0 })
  })
  const tryAgain = () => {
    timer = setTimeout(async () => {
      try {
        server = await listen(handler, place, begun)
        begun.log.info({ port: place.port }, `The port is free: the process serves ${place.what} there now`)
        if (ended) await closeServer(server, { graceMs: 0 })
      } catch {
        if (!ended) tryAgain()
      }
    }, TRY_AGAIN_MS).unref()
  }
  try {
    server = await listen(handler, place, begun)
    const address = server.address()
    return typeof address === 'object' && address ? address.port : place.port
  } catch (error) {
    if (!isTaken(error)) throw error
    begun.log.warn({}, `${(error as Error).message} Meanwhile the process works without ${place.what}.`)
    tryAgain()
    return null
  }
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
