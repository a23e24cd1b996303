import type { AddressInfo } from 'node:net'
import { createServer, connect as openSocket, type Socket } from 'node:net'
import type { Gate, HeldOn, Passing } from './gate.ts'
import { type Ids, statementName, subjectsOf, type Transaction } from './statements.ts'
import {
  createSplitter,
  isInTransaction,
  type Message,
  readBackend,
  readBoundName,
  readParse,
  readRows,
} from './wire.ts'

/** A delivery that a worker took from the table. */
export interface Taking {
  deliveryId: string
  postId: string
  worker: string
  takenOver: boolean
  /** performance.now() */
  at: number
}

/** A way of one worker to the database, on which each statement and each answer passes the gate. */
export interface DatabaseProxy {
  /** The address of the database, through the proxy. */
  url: string
  /** Statements that take deliveries wait until they are let go again. */
  keepFromTaking(kept: boolean): void
  /** What is on the connections that are open now is swallowed; new ones work. */
  silence(): void
  /** Process ids of all backends of the worker. */
  backends(): number[]
  /** Closes connections that were silenced, and those of a worker that has ended. */
  sweep(): void
  close(): Promise<void>
}

export interface DatabaseProxyOptions {
  worker: string
  url: string
  gate: Gate
  ids: Ids
  /** Hears of each delivery that was taken. */
  onTaking(taking: Taking): void
}

interface Line {
  silent: boolean
  on: { backend: number | null }
  close(): void
}

export async function startDatabaseProxy(options: DatabaseProxyOptions): Promise<DatabaseProxy> {
  const target = new URL(options.url)
  const lines = new Set<Line>()
  let taking = Promise.resolve()
  let letTake = () => {}
  const server = createServer((client) => {
    const line = openLine(client, target, { ...options, mayTake: () => taking })
    lines.add(line)
    client.on('close', () => {
      if (!line.silent) lines.delete(line)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = new URL(options.url)
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url: url.href,
    keepFromTaking(kept) {
      letTake()
      const { promise, resolve } = Promise.withResolvers<void>()
      taking = kept ? promise : Promise.resolve()
      letTake = resolve
    },
    silence() {
      for (const line of lines) line.silent = true
    },
    backends: () => [...lines].flatMap(({ on }) => (on.backend === null ? [] : [on.backend])),
    sweep() {
      for (const line of lines) {
        if (!line.silent) continue
        line.close()
        lines.delete(line)
      }
    },
    async close() {
      letTake()
      for (const line of lines) line.close()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** A statement under way. pg sends the next one of a connection when this one is answered. */
interface Exchange {
  name: string | null
  events: readonly Passing[]
  answer: Message[]
}

function openLine(
  client: Socket,
  target: URL,
  { worker, gate, ids, onTaking, mayTake }: DatabaseProxyOptions & { mayTake(): Promise<void> },
): Line {
  const server = openSocket(Number(target.port), target.hostname)
  const on: HeldOn & { backend: number | null } = { backend: null }
  const line: Line = {
    silent: false,
    on,
    close() {
      client.destroy()
      server.destroy()
    },
  }
  const prepared = new Map<string, string>()
  let group: Message[] = []
  let exchange: Exchange | null = null
  let transaction: Transaction | null = null
  // Answers are handled in their order; so are statements.
  let asking = Promise.resolve()
  let answering = Promise.resolve()
  const write = (to: Socket, messages: readonly Message[]) => {
    if (!line.silent && to.writable) to.write(Buffer.concat(messages.map(({ bytes }) => bytes)))
  }

  /** Whether the message goes on; a connection on which something was lost is cut. */
  async function passes(events: readonly Passing[], side: 'before' | 'after'): Promise<boolean> {
    for (const event of events) {
      const how = await gate.pass(event, side, worker, on)
      if (how === 'lost') line.close()
      if (how === 'never') line.silent = true
      if (how !== 'go') return false
    }
    return !line.silent
  }

  async function ask(messages: readonly Message[]): Promise<void> {
    const statement = statementOf(messages, prepared)
    const name = statement === null ? null : statementName(statement)
    const bound = messages.map(({ bytes }) => bytes.toString('latin1')).join('')
    const found = ids.in(bound)
    if (name === 'BEGIN') transaction = { subjects: new Set(), isClaim: false, isOfEvents: false }
    for (const subject of found) transaction?.subjects.add(subject)
    if (transaction && name === 'claim sets') transaction.isClaim = true
    if (transaction && name === 'take happened') transaction.isOfEvents = true
    const subjects = name === null || name === 'BEGIN' ? [] : subjectsOf(name, found, transaction)
    const events = subjects.map((subject) =>
      gate.enter({ subject, name: name ?? '', kind: 'sql', inTransaction: transaction !== null }),
    )
    if (name === 'take deliveries') await mayTake()
    if (!(await passes(events, 'before'))) return
    exchange = { name, events, answer: [] }
    write(server, messages)
  }

  async function answered(done: Exchange, ready: Message): Promise<void> {
    if (done.name === 'take deliveries') learn(done)
    if (!isInTransaction(ready.body)) transaction = null
    if (await passes(done.events, 'after')) write(client, done.answer)
  }

  function learn({ answer }: Exchange): void {
    for (const { id, post_id: postId, taken_over: takenOver } of readRows(answer)) {
      if (!id || !postId) continue
      const [accountType] = ids.in(postId)
      if (accountType) ids.add(id, accountType)
      onTaking({ deliveryId: id, postId, worker, takenOver: takenOver === 't', at: performance.now() })
    }
  }

  const fromClient = createSplitter({ untyped: true })
  client.on('data', (chunk: Buffer) => {
    for (const message of fromClient(chunk)) {
      group.push(message)
      if ('PBDECH'.includes(message.type) && message.type !== '') continue
      const messages = group
      group = []
      asking = asking.then(() =>
        'QS'.includes(message.type) && message.type !== '' ? ask(messages) : write(server, messages),
      )
    }
  })
  const fromServer = createSplitter({ untyped: false })
  server.on('data', (chunk: Buffer) => {
    for (const message of fromServer(chunk)) {
      if (message.type === 'K') on.backend = readBackend(message.body)
      if (exchange === null) {
        answering = answering.then(() => write(client, [message]))
        continue
      }
      exchange.answer.push(message)
      if (message.type !== 'Z') continue
      const done = exchange
      exchange = null
      answering = answering.then(() => answered(done, message))
    }
  })
  server.on('error', () => {})
  client.on('error', () => {})
  server.on('close', () => {
    const open = exchange
    answering = answering.then(() => {
      if (line.silent) return
      if (open) write(client, open.answer)
      client.destroySoon()
    })
  })
  // A connection that is silent stays open at its other end, as when the machine of the worker has vanished.
  client.on('close', () => {
    if (!line.silent) asking = asking.then(() => void server.destroySoon())
  })
  return line
}

/** The text of the statement that messages run; null when there is none. */
function statementOf(messages: readonly Message[], prepared: Map<string, string>): string | null {
  let statement: string | null = null
  for (const { type, body } of messages) {
    if (type === 'Q') statement = body.toString('utf8', 0, body.length - 1)
    if (type === 'P') {
      const parsed = readParse(body)
      prepared.set(parsed.name, parsed.statement)
    }
    if (type === 'B') statement = prepared.get(readBoundName(body)) ?? null
  }
  return statement
}
