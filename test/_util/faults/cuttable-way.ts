import { connect, createServer, type Socket } from 'node:net'

/** A way to a server that can be cut, as when the server dies or the line breaks. */
export async function cuttableWay(url: string) {
  const { hostname, port } = new URL(url)
  const sockets = new Set<Socket>()
  /** The startup message of each connection: PostgreSQL's manual, 55.7. */
  const startups: string[][] = []
  let silent = false
  const server = createServer((socket) => {
    const other = connect(Number(port), hostname)
    for (const each of [socket, other]) sockets.add(each.on('error', () => {}))
    socket.once('data', (message: Buffer) => startups.push(parametersOf(message)))
    if (!silent) socket.pipe(other).pipe(socket)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const way = new URL(url)
  way.port = String(typeof address === 'object' && address?.port)
  const cut = () => sockets.forEach((socket) => void socket.destroy())
  return {
    url: way.href,
    startups,
    cut,
    /** Nothing comes or goes any more, on what there is and on what is made from now on. */
    hush() {
      silent = true
      for (const socket of sockets) socket.unpipe().pause()
    },
    /** What is made from now on works again. */
    speak() {
      silent = false
    },
    close() {
      cut()
      return new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Names of the parameters that a session begins with; none for a message of another kind, such as a wish for TLS. */
function parametersOf(message: Buffer): string[] {
  const isStartup = message.readInt32BE(4) === 3 << 16
  const fields = isStartup ? message.toString('utf8', 8).split('\0') : []
  return fields.filter((name, index) => index % 2 === 0 && name !== '')
}
