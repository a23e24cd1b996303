import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A server on a free port of this machine. */
export async function listen(listener: RequestListener): Promise<{ origin: string; close(): Promise<void> }> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}

/** An address where nothing listens. */
export async function closedOrigin(): Promise<string> {
  const { origin, close } = await listen(() => {})
  await close()
  return origin
}
