import type { AddressInfo, Socket } from 'node:net'
import { createServer, connect as openSocket } from 'node:net'
import { createSplitter } from '../../crash/wire.ts'

/** A way to the database that counts what is asked, and ends a process at one statement of it. */
interface CountedStatements {
  url: string
  /** Statements since `at` was set. */
  count(): number
  /** Counts from 0; before the statement of that number is asked, `kill` is called and nothing passes until the process is gone. */
  at(number: number, kill: () => void): void
}

/** @param closing ends it */
export async function countStatements(closing: AsyncDisposableStack, url: string): Promise<CountedStatements> {
  const target = new URL(url)
  const open = new Set<Socket>()
  let count = 0
  let armed: { number: number; kill: () => void } | null = null
  const server = createServer((client) => {
    const database = openSocket(Number(target.port), target.hostname)
    const split = createSplitter({ untyped: true })
    let dead = false
    for (const socket of [client, database]) {
      open.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        open.delete(socket)
        client.destroy()
        database.destroy()
      })
    }
    client.on('data', (chunk: Buffer) => {
      for (const { type, bytes } of split(chunk)) {
        if (type === 'Q' || type === 'S') count += 1
        if ((type === 'Q' || type === 'S') && count === armed?.number) {
          dead = true
          armed.kill()
          armed = null
        }
        if (!dead) database.write(bytes)
      }
    })
    database.on('data', (chunk: Buffer) => void client.write(chunk))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closing.defer(() => {
    for (const socket of open) socket.destroy()
    server.close()
  })
  const through = new URL(url)
  through.host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url: through.href,
    count: () => count,
    at(number, kill) {
      count = 0
      armed = { number, kill }
    },
  }
}
