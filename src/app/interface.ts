import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Queue } from '#queue'
import type { Addresses } from './addresses.ts'
import type { Base } from './base.ts'
import { closeServer, listen } from './health-server.ts'
import type { MediaParts } from './media.ts'

export async function startInterface(
  parts: Base & {
    port: number
    queue: Queue
    media: MediaParts
    addresses: Addresses
    sandbox: ((request: IncomingMessage, response: ServerResponse) => Promise<void>) | null
    healthy: (() => boolean) | null
  },
): Promise<{ stop(options: { graceMs: number }): Promise<void> }> {
  const server = await listen(
    (request, response) => {
      if (request.url?.startsWith('/sandbox') && parts.sandbox) return void parts.sandbox(request, response)
      response.writeHead(request.url === '/healthz' && parts.healthy?.() !== false ? 200 : 503).end()
    },
    { host: parts.config.host, port: parts.port, setting: 'ALMANAC_PORT' },
  )
  return { stop: (options) => closeServer(server, options) }
}
