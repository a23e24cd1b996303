import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setImmediate } from 'node:timers/promises'

/** A connection on which a test decides every byte. It stays open when the server ends its side. */
export interface RawClient {
  socket: Socket
  /** Everything received so far. */
  text(): string
  /** Resolves when the system has taken the bytes; rejects when the connection is cut. */
  send(bytes: string | Uint8Array): Promise<void>
  /** Waits for text that matches. Rejects when the server ends before. */
  until(pattern: RegExp): Promise<string>
  /** Everything received, when the server has ended its side. */
  ended: Promise<string>
  /** Resolves when the connection is gone. */
  closed: Promise<void>
}

/** Opens a connection to a server by its address. */
export async function rawClient(url: string): Promise<RawClient> {
  const socket = connect({ port: Number(new URL(url).port), host: '127.0.0.1', allowHalfOpen: true })
  let text = ''
  socket.setEncoding('utf8').on('data', (part) => {
    text += part
  })
  // A reset shows in what was received.
  socket.on('error', () => {})
  const closed = new Promise<void>((resolve) => void socket.once('close', () => resolve()))
  const over = new Promise<void>((resolve) => void socket.once('end', resolve).once('close', resolve))
  await once(socket, 'connect')
  return {
    socket,
    text: () => text,
    send: (bytes) =>
      new Promise((resolve, reject) => socket.write(bytes, (error) => (error ? reject(error) : resolve()))),
    async until(pattern) {
      while (!pattern.test(text)) {
        const more = await Promise.race([once(socket, 'data').then(() => true), over.then(() => false)])
        if (!more && !pattern.test(text)) throw new Error(`The connection ended with ${JSON.stringify(text)}`)
      }
      return text
    },
    ended: over.then(() => text),
    closed,
  }
}

/**
 * Sends until the server answers, then goes on sending without reading, as many clients do until their body is sent.
 * Then ends its side and resolves with everything received.
 */
export async function sendOnAfterAnswer(
  client: RawClient,
  first: string | Uint8Array,
  pieces: number,
  piece: Uint8Array,
): Promise<string> {
  await client.send(first)
  await client.until(/^HTTP/)
  client.socket.pause()
  for (let count = 0; count < pieces; count++) {
    await client.send(piece)
    await setImmediate()
  }
  client.socket.resume().end()
  return client.ended
}
