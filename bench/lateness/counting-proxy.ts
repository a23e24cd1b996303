import { connect, createServer, type Socket } from 'node:net'

/** What went to PostgreSQL through the proxy. */
export interface Counts {
  /** Statements that are no transaction's begin or end, by their texts. */
  statements: Map<string, number>
  /** Begins and ends of transactions. */
  around: number
}

/** How often a statement was executed, whichever it was. */
export const statementsIn = ({ statements }: Counts): number =>
  [...statements.values()].reduce((sum, each) => sum + each, 0)

export const roundTripsIn = (counts: Counts): number => statementsIn(counts) + counts.around

/** Statements with how often each was executed, the most frequent first. */
export const byFrequency = ({ statements }: Counts): [text: string, times: number][] =>
  [...statements].toSorted(([, one], [, other]) => other - one)

/** Stands before a PostgreSQL server and counts what is executed there. Reads the protocol of version 3, without TLS. */
export async function startCountingProxy(
  url: string,
): Promise<{ url: string; counts(): Counts; reset(): void; close(): void }> {
  const target = new URL(url)
  let counts: Counts = { statements: new Map(), around: 0 }
  const count = (text: string) => {
    const short = text.replace(/\s+/g, ' ').trim().slice(0, 120)
    if (/^(begin|commit|rollback|start transaction|set transaction)\b/i.test(short)) counts.around++
    else counts.statements.set(short, (counts.statements.get(short) ?? 0) + 1)
  }
  const sockets = new Set<Socket>()
  const server = createServer((client) => {
    const upstream = connect({ host: target.hostname, port: Number(target.port), noDelay: true })
    client.setNoDelay(true)
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', () => {}).on('close', () => void sockets.delete(socket))
    }
    const read = readMessages(count)
    client.on('data', (bytes: Buffer) => {
      read(bytes)
      upstream.write(bytes)
    })
    upstream.on('data', (bytes) => client.write(bytes))
    client.on('close', () => upstream.destroy())
    upstream.on('close', () => client.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : ''
  return {
    url: Object.assign(new URL(url), { hostname: '127.0.0.1', port: String(port) }).href,
    counts: () => counts,
    reset() {
      counts = { statements: new Map(), around: 0 }
    },
    close() {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}

/** Reads what a client sends, and answers each text that is executed: by itself, or bound to a name that was parsed before. */
function readMessages(executed: (text: string) => void): (bytes: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0)
  let started = false
  let bound = ''
  const named = new Map<string, string>()
  return (bytes) => {
    rest = rest.length === 0 ? bytes : Buffer.concat([rest, bytes])
    for (;;) {
      const head = started ? 1 : 0
      if (rest.length < head + 4) return
      const length = head + rest.readUInt32BE(head)
      if (rest.length < length) return
      const body = rest.subarray(head + 4, length)
      if (started) take(String.fromCharCode(rest[0] ?? 0), body)
      started = true
      rest = rest.subarray(length)
    }
  }

  function take(type: string, body: Buffer): void {
    const [first = '', second = ''] = body.toString('utf8').split('\0')
    if (type === 'Q') executed(first)
    if (type === 'P') named.set(first, second)
    if (type === 'B') bound = named.get(second) ?? ''
    if (type === 'E') executed(bound)
  }
}
