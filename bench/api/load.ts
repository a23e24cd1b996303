import { connect, type Socket } from 'node:net'

/** What is sent, again and again, on every connection. */
export interface Request {
  method: 'GET' | 'POST'
  path: string
  headers: Readonly<Record<string, string>>
  body: string | null
}

export interface Load {
  /** Answers that came within the time. */
  answers: number
  seconds: number
  /** From the first byte sent to the last one received, in milliseconds, sorted. */
  latencies: number[]
}

const HEAD_END = Buffer.from('\r\n\r\n')

/**
 * Sends a request over so many connections, on each the next one as soon as the answer is there, for so long. Reads of
 * HTTP what it needs and no more, so that it takes little of the machine that is measured.
 *
 * @throws Error when an answer has another status
 */
export async function load(
  url: string,
  request: Request,
  { connections, ms, status }: { connections: number; ms: number; status: number },
): Promise<Load> {
  const bytes = written(url, request)
  const latencies: number[] = []
  const sockets = await Promise.all(Array.from({ length: connections }, () => open(url)))
  const start = performance.now()
  await Promise.all(
    sockets.map(async (socket) => {
      for (let at = performance.now(); at < start + ms; ) {
        await ask(socket, bytes, status)
        const now = performance.now()
        latencies.push(now - at)
        at = now
      }
      socket.destroy()
    }),
  )
  const seconds = (performance.now() - start) / 1_000
  return { answers: latencies.length, seconds, latencies: latencies.sort((a, b) => a - b) }
}

function written(url: string, { method, path, headers, body }: Request): Buffer {
  const lines = [`${method} ${path} HTTP/1.1`, `host: ${new URL(url).host}`]
  for (const [name, value] of Object.entries(headers)) lines.push(`${name}: ${value}`)
  if (body !== null) lines.push('content-type: application/json', `content-length: ${Buffer.byteLength(body)}`)
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n${body ?? ''}`)
}

async function open(url: string): Promise<Socket> {
  const { hostname, port } = new URL(url)
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const socket = connect({ host: hostname, port: Number(port), noDelay: true }, resolve)
  socket.once('error', reject)
  await promise
  return socket
}

function ask(socket: Socket, bytes: Buffer, status: number): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const parts: Buffer[] = []
  let length = 0
  let whole = Number.POSITIVE_INFINITY
  const ended = () => reject(new Error('The connection was closed.'))
  function take(part: Buffer): void {
    parts.push(part)
    length += part.length
    if (whole === Number.POSITIVE_INFINITY) {
      const all = parts.length === 1 ? part : Buffer.concat(parts)
      const end = all.indexOf(HEAD_END)
      if (end === -1) return
      const head = all.toString('latin1', 0, end)
      if (!head.startsWith(`HTTP/1.1 ${status} `)) {
        reject(new Error(`Another answer: ${all.toString()}`))
        return
      }
      whole = end + HEAD_END.length + Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? Number.NaN)
    }
    if (length < whole) return
    socket.off('data', take).off('close', ended)
    resolve()
  }
  socket.on('data', take).once('close', ended)
  socket.write(bytes)
  return promise
}
