import type { Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'

/** The ways to a database. */
export interface DatabaseAddress {
  url: string
  /**
   * `url` is that of a pooler which gives each transaction another connection: nothing of a session holds there, neither
   * settings nor prepared statements, locks or notifications.
   */
  pooled: boolean
  /** For what needs a session; null: there is no such way. */
  directUrl: string | null
}

/** An address without a pooler, or with one in session mode. */
export const directAddress = (url: string): DatabaseAddress => ({ url, pooled: false, directUrl: url })

/** A connection that is being closed has this long for it. */
export const FAREWELL_MS = 1_000

/** The process of the server that a connection leads to. Behind a pooler the number means nothing. */
export const backendOf = (client: pg.ClientBase): number => (client as unknown as { processID: number }).processID

/** The pool does not take a client back whose socket is closed. */
export const closeSocket = (client: pg.ClientBase): void =>
  void (client as unknown as { connection: { stream: Socket } }).connection.stream.destroy()

/** Ends a connection, also one that is silent, which does not end by being asked to. */
export async function endClient(client: pg.Client): Promise<void> {
  const over = new AbortController()
  const late = pause(FAREWELL_MS, undefined, { ref: false, signal: over.signal }).catch(() => {})
  await Promise.race([client.end().catch(() => {}), late])
  over.abort()
  closeSocket(client)
}
