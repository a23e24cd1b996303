import { Agent, createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

/** A proxy as plain as can be: requests go in turn to the servers that are ready, and none is repeated. */
export interface Balancer {
  url: string
  /** Takes a server in; requests go to it once it is ready. */
  add(url: string): void
  remove(url: string): void
  /** How many servers are ready. */
  ready(): number
  close(): Promise<void>
}

const LOOK_MS = 100

export async function startBalancer(): Promise<Balancer> {
  const agent = new Agent({ keepAlive: true })
  const servers = new Map<string, boolean>()
  let turn = 0
  let open = true

  const proxy = createServer((incoming, outgoing) => {
    const ready = [...servers].filter(([, isReady]) => isReady).map(([url]) => url)
    const server = ready[turn++ % ready.length]
    const fail = () => {
      if (!outgoing.headersSent) outgoing.writeHead(502).end()
      else outgoing.destroy()
    }
    if (server === undefined) return fail()
    const { method, headers } = incoming
    const forwarded = request(`${server}${incoming.url}`, { method, headers, agent }, (answer) => {
      const { connection: _, 'keep-alive': __, ...rest } = answer.headers
      outgoing.writeHead(answer.statusCode ?? 502, rest)
      answer.pipe(outgoing)
      answer.on('error', fail)
    })
    forwarded.on('error', fail)
    incoming.pipe(forwarded)
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))

  async function keepLooking(): Promise<void> {
    for (; open; await pause(LOOK_MS)) {
      await Promise.all(
        [...servers.keys()].map(async (url) => {
          const { ok } = await fetch(`${url}/readyz`).catch(() => ({ ok: false }))
          if (servers.has(url)) servers.set(url, ok)
        }),
      )
    }
  }
  const looking = keepLooking()
  return {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    add: (url) => void servers.set(url, false),
    remove: (url) => void servers.delete(url),
    ready: () => [...servers.values()].filter(Boolean).length,
    async close() {
      open = false
      await looking
      agent.destroy()
      proxy.closeAllConnections()
      await new Promise((resolve) => proxy.close(resolve))
    },
  }
}
