import { AsyncLocalStorage } from 'node:async_hooks'

/** Errors that came out of a pool: a code such as ECONNRESET says nothing of whose connection it was. */
const ofPool = new WeakSet<Error>()
/** Errors of a connection that never came about or went silent: PostgreSQL itself has no code for most of them. */
const unreached = new WeakSet<Error>()
const silent = new WeakSet<Error>()
/** Errors of statements that were prepared before their tables changed. */
const outdated = new WeakSet<Error>()

/** The error as it is, remembered as that of a connection that could not be made. */
export function markUnreached<T>(error: T): T {
  if (error instanceof Error) unreached.add(error)
  return error
}

/** What a query is rejected with whose connection was given up, since the server no longer answers on it. */
export function silenceError(cause: unknown): Error {
  const error = new Error('The database did not answer; the connection was closed.', { cause })
  silent.add(error)
  return error
}

/** The error as it is, remembered as that of a statement which was prepared before its tables changed. */
export function markOutdated<T>(error: T): T {
  if (error instanceof Error) outdated.add(error)
  return error
}

const NO_ANSWER = 'The database does not answer.'
const RESTARTS = 'The database is restarting.'
const FULL = "The disk of Almanac's database is full."
const SLOW = 'The database takes too long.'

/** SQLSTATEs: PostgreSQL's manual, appendix A. And the disk of our own files. */
const FAULTS: Readonly<Record<string, string>> = {
  '25006': 'The database is read-only.',
  '25P03': SLOW,
  '53100': FULL,
  '53200': 'The database is out of memory.',
  '53300': 'The database has no connection left.',
  '55P03': SLOW,
  '57014': SLOW,
  '57P01': RESTARTS,
  '57P02': RESTARTS,
  '57P03': RESTARTS,
  '57P05': NO_ANSWER,
  '58030': 'The database cannot read or write its files.',
  ENOSPC: "Almanac's disk is full.",
  EDQUOT: "Almanac's disk is full.",
}
/** System errors of a connection, which count where it was one to the database. */
const CONNECTION_ERRORS: ReadonlySet<string> = new Set([
  ...['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT'],
  // Of socket files: there is none, or as many as it takes wait already.
  ...['ENOENT', 'EAGAIN'],
])
/** Classes of SQLSTATEs of which every code means the same: connection exceptions, resources. */
const CLASSES: Readonly<Record<string, string>> = { '08': NO_ANSWER, '53': 'The database is out of resources.' }

/** What pg, its pool and kysely say of a connection that is lost; they give these errors no code. */
const LOST =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Client was closed|Postgres connection has been discarded|Cannot use a pool after|driver has already been destroyed)/

/** How far causes are followed. */
const DEPTH = 5

/**
 * Why the database cannot be used at the moment, as one sentence for people; null when the error is about something
 * else. Such faults pass: the same request may succeed later.
 */
export function databaseFault(error: unknown): string | null {
  for (let each = error, depth = 0; each instanceof Error && depth < DEPTH; each = each.cause, depth += 1) {
    const { code } = each as NodeJS.ErrnoException
    const known = typeof code === 'string' ? (FAULTS[code] ?? CLASSES[code.slice(0, 2)]) : undefined
    if (known) return known
    if (ofPool.has(each) && CONNECTION_ERRORS.has(code ?? '')) return NO_ANSWER
    if (silent.has(each) || LOST.test(each.message)) return NO_ANSWER
    if (outdated.has(each)) return 'The tables of the database have just changed.'
    if (unreached.has(each)) return 'The database refuses the connection; the log says why.'
  }
  return null
}

const watching = new AsyncLocalStorage<{ fault: Error | null }>()

/** Called by the pool with the error of every query and connection that failed. */
export function noteFault(error: unknown): void {
  if (error instanceof Error) ofPool.add(error)
  const watched = watching.getStore()
  if (watched && error instanceof Error && databaseFault(error) !== null) watched.fault ??= error
}

/**
 * Runs work of a library that hides what the database answers behind errors of its own, such as "wrong password".
 *
 * @throws the fault of the database that the work met, no matter what the work made of it
 */
export async function surfaceFaults<T>(work: () => Promise<T>): Promise<T> {
  const watched: { fault: Error | null } = { fault: null }
  const [outcome] = await Promise.allSettled([watching.run(watched, work)])
  if (watched.fault) throw watched.fault
  if (outcome.status === 'rejected') throw outcome.reason
  return outcome.value
}
