import type { Dispatcher } from 'undici'
import { heldStartWords } from '#domain'
import type { Mailer } from '#identity'
import { type Database, type HeldStart, readStartState } from '#persistence'
import type { Closing } from './closing.ts'
import type { Log } from './log.ts'
import { StartError } from './start-error.ts'

/** Raised by what calls others while the start is held: nothing has left. */
class HeldStartError extends Error {
  override readonly name = 'HeldStartError'
  readonly code = 'ESTARTHELD'

  constructor() {
    super('Almanac may be a copy of another one and calls no one until the person who operates it has answered.')
  }
}

/**
 * The one switch between a process and the world. While the start is held, no request and no mail leaves through it, and
 * what works by itself does not run.
 */
export interface StartGate {
  /** The held start as it was read last; null: nothing waits for a person. */
  held(): HeldStart | null
  /** Whether it was read lately. */
  fresh(): boolean
  /** The same way to the world, which is closed while the start is held. */
  through(dispatcher: Dispatcher): Dispatcher
  mailThrough(mailer: Mailer): Mailer
  /** Called after each look. One call at a time; what it throws is logged. */
  onLook(listener: () => void | Promise<void>): void
}

/** Another process may hold the start, or a person let it go on. Each fence asks by itself. */
const LOOK_MS = 1_000
/** A look that is older than this says nothing about now. */
const FRESH_MS = 15_000
/** The log repeats what waits for a person. */
const REPEAT_MS = 600_000

/** A gate as it is now, for what does not last: a command of the operator. */
export function gateOf(held: HeldStart | null): StartGate {
  return passing(() => held, {})
}

/** Looks at the database before anything of the process may call out, and then each second. */
export async function openStartGate(
  { db, log, lookMs = LOOK_MS }: { db: Database; log: Pick<Log, 'warn' | 'info'>; lookMs?: number },
  closing: Closing,
): Promise<StartGate> {
  let held = await readStartState(db)
  let lookedAt = performance.now()
  let saidAt = Number.NEGATIVE_INFINITY
  let timer: NodeJS.Timeout | undefined
  let closed = false
  const listeners: { run: () => void | Promise<void>; running: boolean }[] = []

  const say = () => {
    if (held === null) {
      if (saidAt > Number.NEGATIVE_INFINITY) log.info({}, 'The start is not held any more: everything goes on')
      saidAt = Number.NEGATIVE_INFINITY
    } else if (performance.now() - saidAt >= REPEAT_MS) {
      saidAt = performance.now()
      log.warn({ heldSince: held.since }, heldStartWords(held))
    }
  }
  const notify = () => {
    for (const listener of listeners) {
      if (listener.running) continue
      listener.running = true
      void (async () => listener.run())()
        .catch((error: unknown) => log.warn({ error }, 'What follows a held start failed and is tried again'))
        .finally(() => {
          listener.running = false
        })
    }
  }
  const look = async () => {
    try {
      held = await readStartState(db)
      lookedAt = performance.now()
      say()
      notify()
    } catch {
      // The database is away, which others report. What was read last counts on: a fence asks by itself.
    }
    if (!closed) timer = setTimeout(look, lookMs)
  }
  say()
  timer = setTimeout(look, lookMs)
  closing.defer(() => {
    closed = true
    clearTimeout(timer)
  })
  return passing(() => held, {
    fresh: () => performance.now() - lookedAt < FRESH_MS,
    onLook: (run) => void listeners.push({ run, running: false }),
  })
}

/** @throws StartError while the start is held */
export function requireGoing(gate: StartGate): void {
  const held = gate.held()
  if (held) throw new StartError(heldStartWords(held))
}

function passing(
  held: () => HeldStart | null,
  { fresh = () => true, onLook = () => {} }: Partial<Pick<StartGate, 'fresh' | 'onLook'>>,
): StartGate {
  const check = () => {
    if (held() !== null) throw new HeldStartError()
  }
  return {
    held,
    fresh,
    onLook,
    through: (dispatcher) =>
      dispatcher.compose((dispatch) => (options, handler) => {
        check()
        return dispatch(options, handler)
      }),
    mailThrough: (mailer) => ({
      async send(mail) {
        check()
        await mailer.send(mail)
      },
    }),
  }
}
