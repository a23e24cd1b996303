import { readFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'

/** A web server on this machine whose answers a test gives path by path. */
export interface FileServer {
  /** `127.0.0.1:port` */
  host: string
  url(path: string): string
  /** Answers requests for a path (query aside) from now on. */
  on(path: string, answer: (request: IncomingMessage, response: ServerResponse) => void): string
  /** Serves a fixture below its own name. Returns its address. */
  fixture(name: string): Promise<string>
  /**
   * Serves bytes that stop after `first` of them, until `goOn` is called. `begun` counts the requests. `announce`:
   * whether the size is reported.
   */
  halting(path: string, bytes: Buffer, first: number, options?: { announce?: boolean }): Halting
  requests: string[]
  close(): Promise<void>
}

export interface Halting {
  url: string
  begun(): number
  goOn(): void
}

export async function readFixture(name: string): Promise<Buffer> {
  return readFile(join(import.meta.dirname, '../../_fixtures', name))
}

export async function startFileServer(): Promise<FileServer> {
  const answers = new Map<string, (request: IncomingMessage, response: ServerResponse) => void>()
  const requests: string[] = []
  const server = createServer((request, response) => {
    requests.push(request.url ?? '')
    const { pathname } = new URL(request.url ?? '', 'http://server')
    const answer = answers.get(pathname)
    if (answer) answer(request, response)
    else response.writeHead(404).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  const url = (path: string) => `http://${host}${path}`

  const files: FileServer = {
    host,
    url,
    requests,
    on(path, answer) {
      answers.set(path, answer)
      return url(path)
    },
    async fixture(name) {
      const bytes = await readFixture(name)
      return files.on(`/${name}`, (_, response) => {
        response.writeHead(200, { 'content-type': 'text/plain', 'content-length': bytes.length }).end(bytes)
      })
    },
    halting(path, bytes, first, { announce = true } = {}) {
      let begun = 0
      let open = false
      const waiting = new Set<() => void>()
      const address = files.on(path, (_, response) => {
        begun++
        response.writeHead(200, announce ? { 'content-length': bytes.length } : {})
        response.write(bytes.subarray(0, first))
        const rest = () => void response.end(bytes.subarray(first))
        if (open) rest()
        else waiting.add(rest)
      })
      return {
        url: address,
        begun: () => begun,
        goOn() {
          open = true
          for (const rest of waiting) rest()
          waiting.clear()
        },
      }
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return files
}
