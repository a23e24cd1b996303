import { setTimeout as pause } from 'node:timers/promises'
import type { Cell, Worker } from './cell.ts'
import type { Held, Point } from './gate.ts'

/** A fault, and what becomes of the messages that were held for it. */
export interface Fault {
  /** For the table. */
  title: string
  /** Points at which it can strike. */
  fits(point: Point): boolean
  /** Whether it can be made here; null when it can, else why not. */
  cannot?(cell: Cell): string | null
  /**
   * Strikes the worker whose messages are held, lets them go, and resolves when the fault is over. Worker and database are well
   * then, or on their way to it. `othersEnd` resolves when the posts have ended, or never will.
   */
  strike(cell: Cell, victim: Worker, held: readonly Held[], othersEnd: () => Promise<unknown>): Promise<void>
  /** It leaves a worker able to renew its leases: then nothing may be taken over. */
  keepsLeases?: true
}

const anywhere = () => true
const release = (held: readonly Held[], how: 'go' | 'lost' | 'never') => {
  for (const each of held) each.release(how)
}
const inCall = (point: Point) => point.kind === 'call'

/** How far clocks are set, behind alone that of a worker: longer than a lease, any listing delay and a run. */
const HOUR_MS = 3_600_000
/** Longer than the time that Almanac waits for the answer of a token endpoint. */
const HANGS_MS = 25_000
const FULL_MS = 3_000
/** A worker that goes on does at once what it was about to do. */
const CONTINUED_MS = 3_000

async function setDatabaseClock(cell: Cell, offsetMs: number): Promise<void> {
  await cell.server.query(`create or replace function almanac_now() returns timestamptz language sql stable parallel safe
    return date_trunc('milliseconds', clock_timestamp()) + interval '${offsetMs} milliseconds'`)
}

const clockOfDatabase = (title: string, offsetMs: (cell: Cell) => number): Fault => ({
  title,
  fits: anywhere,
  async strike(cell, _, held) {
    await setDatabaseClock(cell, offsetMs(cell))
    // The other worker sees what the clock has made of leases before the answers come.
    await pause(Math.min(3_000, cell.leaseMs / 2))
    release(held, 'go')
  },
})

const clockOfWorker = (title: string, offsetMs: number): Fault => ({
  title,
  fits: anywhere,
  async strike(_, victim, held) {
    victim.stepClock(offsetMs)
    release(held, 'go')
  },
})

const restart = (how: 'fast' | 'immediate'): Fault => ({
  title: `server restarted (${how})`,
  fits: anywhere,
  async strike(cell, _, held) {
    const restarted = cell.server.restart(how)
    // What was sent to a server that ends is lost with its connection.
    await pause(100)
    release(held, 'go')
    await restarted
  },
})

export const FAULTS = {
  kill: {
    title: 'worker killed (SIGKILL)',
    fits: anywhere,
    async strike(cell, victim, held) {
      victim.signal('SIGKILL')
      release(held, 'lost')
      await cell.revive()
    },
  },
  stop: {
    title: 'worker stopped past its lease, continued',
    fits: anywhere,
    async strike(cell, victim, held) {
      victim.signal('SIGSTOP')
      release(held, 'go')
      await pause(cell.leaseMs + 5_000)
      victim.signal('SIGCONT')
    },
  },
  'stop-long': {
    title: 'worker stopped until another one is done, continued',
    fits: (point) => point.subject !== 'CALENDAR',
    async strike(_, victim, held, othersEnd) {
      victim.signal('SIGSTOP')
      release(held, 'go')
      await othersEnd()
      victim.signal('SIGCONT')
      await pause(CONTINUED_MS)
    },
  },
  backend: {
    title: 'backend of PostgreSQL killed',
    fits: anywhere,
    async strike(cell, victim, held) {
      const own = held.flatMap(({ on }) => (on.backend === null ? [] : [on.backend]))
      await cell.server.terminate(own.length > 0 ? own : victim.proxy.backends())
      release(held, 'go')
    },
  },
  'restart-fast': restart('fast'),
  'restart-immediate': restart('immediate'),
  silence: {
    title: 'connections to the database gone silent',
    fits: anywhere,
    async strike(_, victim, held) {
      victim.proxy.silence()
      release(held, 'go')
    },
  },
  disk: {
    title: 'disk of the database full',
    fits: anywhere,
    cannot: ({ server }) => (server.canFillDisk ? null : 'A disk that can be filled is mounted by root alone.'),
    async strike(cell, _, held) {
      await cell.server.fillDisk()
      release(held, 'go')
      await pause(FULL_MS)
      await cell.server.emptyDisk()
    },
  },
  'worker-ahead': clockOfWorker('clock of a worker an hour ahead', HOUR_MS),
  'worker-behind': clockOfWorker('clock of a worker an hour behind', -HOUR_MS),
  'database-ahead': clockOfDatabase('clock of the database ahead', () => HOUR_MS),
  'database-behind': clockOfDatabase('clock of the database behind', ({ leaseMs }) => -2 * leaseMs),
  hang: {
    title: 'call to the network hangs',
    fits: inCall,
    async strike(_, __, held) {
      release(held, 'never')
    },
  },
  'hang-token': {
    title: 'token endpoint hangs',
    fits: (point) => inCall(point) && isTokenCall(point.name),
    keepsLeases: true,
    async strike(_, __, held) {
      await pause(HANGS_MS)
      release(held, 'lost')
    },
  },
} satisfies Record<string, Fault>

export type FaultName = keyof typeof FAULTS
export const FAULT_NAMES = Object.keys(FAULTS) as FaultName[]
export const faultOf = (name: FaultName): Fault => FAULTS[name]

const isTokenCall = (name: string) => /token|refreshSession/i.test(name)

/** Everything is as before the run: clocks, connections that were silenced, workers. */
export async function undo(cell: Cell): Promise<void> {
  for (const worker of cell.workers) {
    worker.signal('SIGCONT')
    worker.proxy.sweep()
    worker.proxy.keepFromTaking(false)
    if (worker.process) worker.stepClock(0)
  }
  await cell.revive()
  await setDatabaseClock(cell, 0)
}
