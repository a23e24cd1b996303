import { type KnownCall, openCall, sinceCall, sinceFence } from '#domain'
import type { Network } from '#networks'
import { type CallOf, type Database, type DeliveryRow, type FenceMark, markCalls, storeCallMarks } from '#persistence'
import type { MachineClock } from './clock.ts'
import type { Noted } from './noted.ts'

type CallRow = Pick<DeliveryRow, 'id' | 'fenced_at'>

/** What is known of visible calls: by this process, and by the marks of all. Nothing is written of one whose outcome is known at once. */
export interface Calls {
  /** Of a network that may be asked to repeat the call: how a fence that is set now is marked. Null for all others. */
  fenceMark(network: Network, leaseMs: number): FenceMark | null
  /** Marks a call whose outcome is not known: with what is known, it is over. */
  mark(db: Database, row: CallRow): Promise<void>
  /** What is known of it before it is asked about. */
  look(row: CallRow): Promise<CallTimes>
  /** The same of several deliveries, in one statement: the times since the ends of their calls. */
  sinceCalls(rows: readonly CallOf[]): Promise<ReadonlyMap<string, number>>
  /** Marks the calls of other workers that are under way, where they have to be. */
  markOpen(): Promise<void>
}

interface CallTimes {
  /** The least time since the end of the call, when it was asked. Less than 0: it may still go on. */
  sinceCallMs: number
  /** The most time since the fence, now; null: not known. */
  sinceFenceMs(): number | null
  /** Since when it is certain that the call had not begun, by the clock that runs in suspend. */
  begunAt: number | null
}

export function createCalls(deps: { db: Database; bootId: string | null; clock: MachineClock; noted: Noted }): Calls {
  const { bootId, clock, noted } = deps

  async function known(db: Database, rows: readonly CallOf[]): Promise<KnownCall[]> {
    if (rows.length === 0) return []
    const now = clocks()
    const owned = rows.map(({ id, fencedAt }) => ({ id, fencedAt, own: noted.call(id, fencedAt) }))
    const marked = await markCalls(db, owned, { id: bootId, now: now.monotonic })
    return owned.map(({ id, fencedAt, own }) => {
      const call = marked.get(id)
      if (!call) throw new Error('The marks of a call could not be read.')
      // What this process has learned of it first here is counted from now, or from when others say that it is over.
      const { overAt, begunAt } = noted.learn(id, fencedAt, own ?? openCall(now.monotonic, call.lastsMs))
      return { now, overAt, marked: call.mark ?? { overAt, begunAt }, databaseMs: call.sinceFenceMs }
    })
  }

  const fenced = ({ id, fenced_at: fencedAt }: CallRow) => (fencedAt === null ? [] : [{ id, fencedAt }])
  const clocks = () => ({ monotonic: clock.monotonic(), boottime: clock.boottime() })

  return {
    fenceMark(network, leaseMs) {
      if (!network.manifest.repeats || bootId === null) return null
      return { bootId, ...openCall(clock.monotonic(), leaseMs, clock.boottime()) }
    },
    async mark(db, row) {
      await known(db, fenced(row))
    },
    async look(row) {
      const [call] = await known(deps.db, fenced(row))
      if (!call) return { sinceCallMs: 0, sinceFenceMs: () => null, begunAt: null }
      const passed = () => clock.boottime() - call.now.boottime
      return {
        sinceCallMs: sinceCall(call),
        sinceFenceMs() {
          const ms = sinceFence(call)
          return ms === null ? null : ms + passed()
        },
        begunAt: call.marked?.begunAt ?? null,
      }
    },
    async sinceCalls(rows) {
      const calls = await known(deps.db, rows)
      return new Map(calls.map((call, at) => [rows[at]?.id ?? '', sinceCall(call)]))
    },
    async markOpen() {
      if (bootId === null) return
      const marks = noted.unmarked()
      await storeCallMarks(deps.db, bootId, marks)
      noted.marked(marks)
    },
  }
}
