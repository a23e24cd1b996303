import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { endClient } from './connection.ts'

export interface Listener {
  close(): Promise<void>
}

interface ListenerOptions {
  channel: string
  /** What the connection is called in the database's list of sessions. */
  name: string
  onMessage(payload: string): void
  /** From now on messages are heard. Those before, also while the connection was lost, were not. */
  onListening(): void
  /** The connection is lost; another one is tried. */
  onLost(error: unknown): void
}

const FIRST_PAUSE_MS = 250
const LONGEST_PAUSE_MS = 15_000
/** A connection that says nothing for so long is asked whether it is there: one that is half open never ends. */
const ASK_MS = 30_000
const ANSWER_MS = 10_000

/**
 * Hears the notifications of a channel, on a connection of its own, which is made again when it is lost. Without a way to a
 * session of its own, nothing is ever heard.
 */
export function openListener(
  url: string | null,
  { channel, name, onMessage, onListening, onLost }: ListenerOptions,
): Listener {
  if (url === null) return { close: async () => {} }
  const closing = new AbortController()
  const running = listen(url)
  return {
    async close() {
      closing.abort()
      await running
    },
  }

  async function listen(url: string): Promise<void> {
    for (let wait = FIRST_PAUSE_MS; !closing.signal.aborted; wait = Math.min(2 * wait, LONGEST_PAUSE_MS)) {
      const client = new pg.Client({
        connectionString: url,
        application_name: name,
        connectionTimeoutMillis: ANSWER_MS,
        query_timeout: ANSWER_MS,
        keepAlive: true,
      })
      const over = Promise.withResolvers<void>()
      client.on('error', over.reject)
      client.on('end', () => over.reject(new Error('The connection was ended.')))
      client.on('notification', ({ payload = '' }) => onMessage(payload))
      const stop = () => over.resolve()
      closing.signal.addEventListener('abort', stop)
      try {
        await Promise.race([client.connect(), over.promise])
        if (closing.signal.aborted) continue
        await client.query(`listen ${channel}`)
        wait = FIRST_PAUSE_MS
        onListening()
        await Promise.race([over.promise, keepAsking(client)])
      } catch (error) {
        if (!closing.signal.aborted) onLost(error)
      } finally {
        closing.signal.removeEventListener('abort', stop)
        over.promise.catch(() => {})
        await endClient(client)
      }
      // Processes that lost it together do not all come back at once.
      await pause(wait * (0.5 + Math.random() / 2), undefined, { signal: closing.signal }).catch(() => {})
    }
  }

  async function keepAsking(client: pg.Client): Promise<void> {
    while (!closing.signal.aborted) {
      await pause(ASK_MS, undefined, { signal: closing.signal }).catch(() => {})
      if (!closing.signal.aborted) await client.query('select')
    }
  }
}
