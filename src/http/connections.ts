import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { BlockList, isIP, type Socket } from 'node:net'
import { type ClientNetwork, countedAddress, networksOf } from '#domain'

/** How much connections may use. Times in milliseconds. */
export interface ConnectionLimits {
  /** From the start of a connection, or the first byte of a later request, to the end of the headers. */
  headersMs: number
  /** From the same moment to the end of the body. Answers may take any time. */
  requestMs: number
  /** How often the two above are checked. */
  checkMs: number
  /** How long an idle connection stays open for another request. */
  keepAliveMs: number
  /** A connection with a request under way is closed when neither side sends anything for this long. */
  stalledMs: number
  /** How much of a request is still read after it was answered early. */
  drain: { bytes: number; ms: number; idleMs: number }
  /** Connections at once. */
  connections: number
  /** Connections at once from one address that is not a proxy. */
  connectionsPerAddress: number
  /** Requests at once from one client, as trusted proxies report it, whose bodies are still to come. */
  bodiesPerAddress: number
  /** From the headers to the end of the body, on routes that answer without a session or a key. */
  openBodyMs: number
}

export const CONNECTION_LIMITS: ConnectionLimits = {
  headersMs: 15_000,
  requestMs: 60_000,
  checkMs: 5_000,
  // A proxy that sends into a connection that we are closing answers 502. nginx keeps idle ones for 60 s, Caddy for 120.
  keepAliveMs: 150_000,
  stalledMs: 120_000,
  drain: { bytes: 16 * 1024 * 1024, ms: 30_000, idleMs: 5_000 },
  connections: 2_000,
  connectionsPerAddress: 200,
  bodiesPerAddress: 50,
  // Slow phones need some.
  openBodyMs: 8_000,
}

const byProgress = new WeakSet<IncomingMessage>()

/** The body of this request may take longer than others do: who reads it bounds its time by its progress. */
export function boundByProgress(request: IncomingMessage): void {
  byProgress.add(request)
}

/** How often the bounds on unwanted input are checked. */
const LOOK_MS = 100

/** Whose forwarding headers are trusted: all, none, those of a number of proxies, or those of some addresses. */
export type TrustProxy = boolean | number | readonly string[]

export type Full = 'all' | 'address'

interface LimitedServerOptions {
  limits?: Partial<ConnectionLimits>
  /** Default false. */
  trustProxy?: TrustProxy
  /** Once it aborts, each answer closes its connection. */
  stopping?: AbortSignal | undefined
  /** The whole response to input that is not HTTP, as it is sent. */
  answerMalformed(error: Error & { code?: string }): string
  /** Called when a connection is refused or closed early because there are too many: in all, or from its address. */
  onFull?(reason: Full): void
}

interface Connection {
  /** For the bound per address; none when that does not apply. */
  networks: readonly ClientNetwork[]
  /** Answers that are not complete yet. */
  underWay: Set<ServerResponse>
  /** The latest one. */
  request: IncomingMessage | null
  /** No further request is answered on it. */
  ending: boolean
}

/**
 * Creates an HTTP server whose connections are bounded in time, in number, and in the input that is read and dropped.
 * When all places are taken, the connection that has been idle longest is closed for the new one; without an idle one, that
 * whose request has been the longest on its way. Requests that are here in full keep their places.
 */
export function limitedServer(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
  { answerMalformed, onFull = () => {}, stopping, ...options }: LimitedServerOptions,
): Server {
  const limits = { ...CONNECTION_LIMITS, ...options.limits }
  const isProxy = proxiesOf(options.trustProxy ?? false)
  const connections = new Map<Socket, Connection>()
  /** Without a request under way, the longest idle first. */
  const waiting = new Set<Socket>()
  /** The others, the longest since their latest request first. */
  const busy = new Set<Socket>()
  const byNetwork = new Map<string, number>()

  const server = createServer(
    {
      headersTimeout: Math.min(limits.headersMs, limits.requestMs),
      requestTimeout: limits.requestMs,
      connectionsCheckingInterval: limits.checkMs,
      keepAliveTimeout: limits.keepAliveMs,
    },
    serve,
  )
  // By default Node answers unknown expectations itself, without a problem.
  server.on('checkExpectation', serve).on('connection', admit).on('clientError', refuse)
  server.timeout = limits.stalledMs
  // Called by close(). Node's own version keeps connections that have not sent a whole request.
  server.closeIdleConnections = () => {
    for (const socket of waiting) socket.destroy()
  }
  // What a client has read of an answer decides whether it sends its next request on this connection.
  const closeBehind = () => {
    for (const response of [...connections.values()].flatMap(({ underWay }) => [...underWay])) {
      if (!response.headersSent) response.shouldKeepAlive = false
    }
  }
  stopping?.addEventListener('abort', closeBehind, { once: true })
  return server

  function isFull({ name, times }: ClientNetwork): boolean {
    return (byNetwork.get(name) ?? 0) >= limits.connectionsPerAddress * times
  }

  function admit(socket: Socket): void {
    const { remoteAddress } = socket
    const address = isProxy(remoteAddress) ? null : countedAddress(remoteAddress)
    const networks = address === null ? [] : networksOf(address)
    const crowded = networks.find(isFull)
    if (crowded || connections.size >= limits.connections) {
      onFull(crowded ? 'address' : 'all')
      const rival = (each: Socket) =>
        !crowded || connections.get(each)?.networks.some(({ name }) => name === crowded.name)
      const unfinished = (each: Socket) => connections.get(each)?.request?.complete === false
      const leaves =
        waiting.values().find(rival) ?? busy.values().find((each) => unfinished(each) && rival(each)) ?? socket
      forget(leaves)
      leaves.destroy()
      if (leaves === socket) return
    }
    connections.set(socket, { networks, underWay: new Set(), request: null, ending: false })
    for (const { name } of networks) byNetwork.set(name, (byNetwork.get(name) ?? 0) + 1)
    waiting.add(socket)
    socket.once('close', () => forget(socket))
    // Node calls this to close a connection after its last answer.
    const destroySoon = socket.destroySoon.bind(socket)
    socket.destroySoon = () => {
      if (connections.get(socket)?.request?.complete === false) end(socket, destroySoon)
      else destroySoon()
    }
  }

  function forget(socket: Socket): void {
    const connection = connections.get(socket)
    if (!connection) return
    connections.delete(socket)
    waiting.delete(socket)
    busy.delete(socket)
    for (const { name } of connection.networks) {
      const rest = (byNetwork.get(name) ?? 0) - 1
      if (rest > 0) byNetwork.set(name, rest)
      else byNetwork.delete(name)
    }
  }

  function serve(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request
    const connection = connections.get(socket)
    if (!connection || connection.ending) {
      socket.destroy()
      return
    }
    connection.underWay.add(response)
    if (stopping?.aborted) response.shouldKeepAlive = false
    connection.request = request
    waiting.delete(socket)
    busy.delete(socket)
    busy.add(socket)
    response.once('close', () => {
      connection.underWay.delete(response)
      if (!connections.has(socket) || connection.underWay.size > 0) return
      busy.delete(socket)
      waiting.add(socket)
      if (connection.ending) return
      if (!server.listening) socket.destroySoon()
      else if (!request.complete) request.once('close', boundInput(socket))
    })
    // Longer than what would be read of it: the client had better stop sending.
    if (Number(request.headers['content-length']) > limits.drain.bytes) response.setHeader('connection', 'close')
    answer(request, response)
  }

  function refuse(error: Error & { code?: string }, socket: Socket): void {
    const connection = connections.get(socket)
    const { request } = connection ?? {}
    if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && request?.complete === false && byProgress.has(request)) return
    // An answer that has begun must not be mixed with another one. A connection that sent nothing needs none.
    const begun = connection?.underWay.values().some(({ headersSent }) => headersSent)
    const silent = error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && socket.bytesRead === 0
    // Input after the end is read and dropped.
    if (connection?.ending) return
    if (!connection || begun || silent || error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy()
    } else {
      end(socket, () => socket.destroy(), answerMalformed(error))
    }
  }

  /**
   * Closes our side of a connection so that the client can still read the answer. Closing with unread input makes the
   * system reset the connection, and the client loses what it has not read; so its input is read within bounds.
   */
  function end(socket: Socket, destroySoon: () => void, lastAnswer = ''): void {
    const connection = connections.get(socket)
    if (connection) connection.ending = true
    boundInput(socket)
    socket.setTimeout(limits.drain.idleMs)
    socket.end(lastAnswer)
    // Whichever comes first: the end of the request, or the end of the client's side.
    socket.once('end', destroySoon)
    connection?.request?.once('end', destroySoon).resume()
  }

  /** Cuts the connection when too much input comes, or for too long, until the returned function is called. */
  function boundInput(socket: Socket): () => void {
    const { bytes, ms } = limits.drain
    const most = socket.bytesRead + bytes
    const until = performance.now() + ms
    // Not counted by a listener: that would switch the connection to a slower way of parsing, and lose its pauses.
    const look = () => {
      if (socket.bytesRead > most || performance.now() > until) socket.destroy()
    }
    const timer = setInterval(look, Math.min(ms, LOOK_MS))
    const stop = () => {
      clearInterval(timer)
      socket.off('close', stop)
    }
    socket.once('close', stop)
    return stop
  }
}

/**
 * Whether a peer may be a proxy, with many clients behind one address. That includes loopback, because a proxy on this
 * machine may not be declared.
 */
function proxiesOf(trustProxy: TrustProxy): (address: string | undefined) => boolean {
  if (trustProxy === true || typeof trustProxy === 'number') return () => true
  const proxies = new BlockList()
  for (const range of ['127.0.0.0/8', '::1', ...(trustProxy || [])]) {
    const [address = '', bits] = range.split('/')
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
    proxies.addSubnet(address, Number(bits ?? (family === 'ipv6' ? 128 : 32)), family)
  }
  return (address = '') => isIP(address) !== 0 && proxies.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')
}
