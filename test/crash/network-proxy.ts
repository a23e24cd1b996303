import { createServer, type IncomingMessage, type ServerResponse, request as send } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import type { Gate, Subject } from './gate.ts'

/** The way of the workers of a cell to the simulators, on which each request and each answer passes the gate. */
export interface NetworkProxy {
  port: number
  close(): Promise<void>
}

/** Names the worker that makes a request; `worker-shim.mjs` adds it. */
export const WORKER_HEADER = 'x-crash-worker'

const NOWHERE = { backend: null }

/** `POST /v21.0/:id/media`: so that requests that mean the same look the same. */
export function callName(method: string, path: string): string {
  const steps = path.split('?')[0]?.split('/') ?? []
  const plain = steps.map((step) => (/\d{4,}|%|^(?=.*\d).{12,}$/.test(step) ? ':id' : step))
  return `${method} ${plain.join('/')}`
}

export async function startNetworkProxy(options: {
  gate: Gate
  /** Where the simulators listen. */
  targetPort: () => number
  /** Whose post is under way on a network. */
  subjectOf(network: string): Subject | null
}): Promise<NetworkProxy> {
  const { gate } = options
  const server = createServer((request, response) => {
    handle(request, response).catch(() => response.destroy())
  })
  server.keepAliveTimeout = 120_000
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { [WORKER_HEADER]: worker, ...headers } = request.headers
    const body = await buffer(request)
    const { url = '/', method = 'GET' } = request
    const [, network = '', path = ''] = /^\/sandbox\/([^/]+)(\/.*)$/.exec(url) ?? []
    const subject = typeof worker === 'string' ? options.subjectOf(network) : null
    const event = subject && gate.enter({ subject, name: callName(method, path), kind: 'call', inTransaction: false })
    const goesOn = async (side: 'before' | 'after') => {
      const how = event ? await gate.pass(event, side, String(worker), NOWHERE) : 'go'
      if (how === 'lost') request.socket.destroy()
      return how === 'go'
    }
    if (!(await goesOn('before'))) return
    const answer = await forward({ method, url, headers, body, port: options.targetPort() })
    if (!(await goesOn('after'))) return
    if (response.destroyed) return
    response.writeHead(answer.status, answer.headers).end(answer.body)
  }

  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function forward(asked: {
  method: string
  url: string
  headers: IncomingMessage['headers']
  body: Buffer
  port: number
}): Promise<{ status: number; headers: IncomingMessage['headers']; body: Buffer }> {
  const { method, url, body, port } = asked
  const headers = { ...asked.headers, connection: 'close' }
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    const request = send({ host: '127.0.0.1', port, method, path: url, headers }, resolve)
    request.on('error', reject)
    request.end(body)
  })
  const { connection: _, 'transfer-encoding': __, ...kept } = answer.headers
  return { status: answer.statusCode ?? 502, headers: kept, body: await buffer(answer) }
}
