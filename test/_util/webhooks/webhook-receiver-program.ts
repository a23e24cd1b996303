import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { Webhook } from 'standardwebhooks'

/** A receiver of webhooks in a process of its own: how it answers, its parent says path by path. */
export type Behavior =
  | { kind: 'answers'; status: number; body?: string; headers?: Record<string, string>; afterMs?: number }
  /** Each so many requests fail, the others go well. */
  | { kind: 'flaky'; every: number }
  /** Only events of this position fail, or of this type. */
  | { kind: 'chokes'; position: number }
  | { kind: 'silent' }
  /** Its answer has a head and no end. */
  | { kind: 'resets' }

export interface ReceiverOrder {
  path: string
  behavior: Behavior
  /** Any one of them has to have signed. */
  secrets: string[]
}

/** A request that came, in the order in which they came. */
export interface Received {
  path: string
  id: string
  position: number | null
  type: string
  /** How many of the secrets have signed it, by `standardwebhooks`. */
  verified: number
  /** By the clock of this machine, in milliseconds. */
  at: number
  /** Requests to the same path that had no answer yet, this one counted. */
  open: number
  headers: IncomingMessage['headers']
}

export type ReceiverNews = { ports: { http: number; https: number } } | { ordered: string } | { received: Received }

const orders = new Map<string, ReceiverOrder>()
const counts = new Map<string, number>()
const open = new Map<string, number>()
const say = (news: ReceiverNews) => void process.send?.(news)

const verifies = (secret: string, body: string, headers: IncomingMessage['headers']): boolean => {
  try {
    new Webhook(secret).verify(body, headers as Record<string, string>)
    return true
  } catch {
    return false
  }
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const path = request.url ?? ''
  open.set(path, (open.get(path) ?? 0) + 1)
  response.on('close', () => open.set(path, (open.get(path) ?? 1) - 1))
  const body = await text(request)
  const order = orders.get(path)
  const { id, position, type } = JSON.parse(body)
  const verified = (order?.secrets ?? []).filter((secret) => verifies(secret, body, request.headers)).length
  const received = { path, id, position, type, verified, at: Date.now(), open: open.get(path) ?? 0 }
  say({ received: { ...received, headers: request.headers } })
  const count = (counts.get(path) ?? 0) + 1
  counts.set(path, count)
  const behavior = order?.behavior ?? { kind: 'answers', status: 404 }
  const end = (status: number) => response.writeHead(status).end()
  switch (behavior.kind) {
    case 'answers': {
      const { status, headers = {}, afterMs = 0 } = behavior
      setTimeout(() => response.writeHead(status, headers).end(behavior.body), afterMs)
      return
    }
    case 'flaky':
      return void end(count % behavior.every === 0 ? 503 : 204)
    case 'chokes':
      return void end(position === behavior.position ? 400 : 204)
    case 'silent':
      return
    case 'resets':
      response.writeHead(200, { 'content-length': 10 })
      response.flushHeaders()
      setTimeout(() => request.socket.destroy(), 5)
  }
}

const server = createServer(answer)
const pem = readFileSync(join(import.meta.dirname, '../../_fixtures/tls/self-signed.pem'))
const secure = createSecureServer({ key: pem, cert: pem }, answer)
process.on('message', (order: ReceiverOrder) => {
  orders.set(order.path, order)
  say({ ordered: order.path })
})
// Nothing is left behind when the parent is gone.
process.on('disconnect', () => process.exit())
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
await new Promise<void>((resolve) => secure.listen(0, '127.0.0.1', resolve))
const portOf = (one: { address(): AddressInfo | string | null }) => (one.address() as AddressInfo).port
say({ ports: { http: portOf(server), https: portOf(secure) } })
