import { limitedConnection, workLimits } from '#persistence'
import { createQueue, type Queue } from '#queue'
import type { Base } from './base.ts'

/** A query without an answer is given up and its connection closed: pg-boss, which has a pool of its own, asks again. */
const ANSWER_MS = 25_000

/** The queue on the process's database, with connections that notice when the other side has vanished. */
export function openQueue({ server, log }: Pick<Base, 'server' | 'log'>, options: { works?: boolean } = {}): Queue {
  const connection = { ...limitedConnection(workLimits), query_timeout: ANSWER_MS }
  return createQueue({ databaseUrl: server.url, connection, log, ...options })
}
