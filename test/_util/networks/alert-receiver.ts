import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { vi } from 'vitest'
import type { Alert } from '#contract'

export interface ReceivedAlert {
  body: Alert
  raw: string
  headers: IncomingMessage['headers']
  path: string
}

/** A receiver of alerts on this machine. */
export interface AlertReceiver {
  port: number
  url: string
  received: ReceivedAlert[]
  /** How it answers from now on; 204 at first. */
  answer(how: (response: ServerResponse) => void): void
  /** Waits until so many came. */
  count(wanted: number): Promise<ReceivedAlert[]>
  close(): Promise<void>
}

export async function startAlertReceiver(): Promise<AlertReceiver> {
  const received: ReceivedAlert[] = []
  let how = (response: ServerResponse): void => void response.writeHead(204).end()
  const server = createServer(async (request, response) => {
    const raw = await text(request)
    received.push({ body: JSON.parse(raw), raw, headers: request.headers, path: request.url ?? '' })
    how(response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    port,
    url: `http://127.0.0.1:${port}/hook/secret-path?token=secret`,
    received,
    answer(next) {
      how = next
    },
    count: (wanted) =>
      vi.waitUntil(() => received.length >= wanted && received, { timeout: 20_000, interval: 10 }) as Promise<
        ReceivedAlert[]
      >,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
