import { MINUTE_MS } from '#contract/durations'
import { type CallMark, endedCall, type KnownCall, openCall, sinceCall, sinceFence } from './index.ts'

/** What can be wrong with the marks of calls. Each is found by the walk, so the walk proves something. */
export const MARK_FAULTS = [
  'a mark counts for every fence',
  'who sees a fence first marks that moment',
  'the clocks of another boot count',
  'the end of a call that may go on is taken for now by another boot',
  'a repeat is counted from when it was first heard of the call',
  'a clock that stands still in suspend counts the time for a repeat',
] as const
export type MarkFault = (typeof MARK_FAULTS)[number]

/** A machine on which one worker after the other runs. Where its boot is not known, nothing is marked. */
interface Host {
  boot: string | null
  /** How far its clocks are behind the time of the walk. */
  monotonicMs: number
  boottimeMs: number
  /** What the process that runs there now knows itself, by fences. */
  memory: Map<number, CallMark>
}

/** Marks of calls as the engine keeps them (publishing/calls.ts), for workers on three machines. */
export function createMarks({
  time,
  pick,
  leaseMs,
  fault,
}: {
  time: () => number
  pick: (count: number) => number
  leaseMs: number
  fault: MarkFault | undefined
}) {
  const table = new Map<string, CallMark>()
  let boots = 0
  const booted = () => ({
    boot: `boot ${++boots}`,
    monotonicMs: pick(100) * MINUTE_MS,
    boottimeMs: pick(100) * MINUTE_MS,
  })
  const host = (): Host => ({ ...booted(), memory: new Map() })
  const hosts: [Host, Host, Host] = [host(), host(), { ...host(), boot: null }]
  let here = hosts[0]

  const monotonic = () => time() - here.monotonicMs
  const boottime = () => (fault?.startsWith('a clock that stands still') ? monotonic() : time() - here.boottimeMs)
  const fenceOf = (fence: number) => (fault === 'a mark counts for every fence' ? 0 : fence)
  const keyOf = (fence: number, boot: string) =>
    `${fenceOf(fence)} ${fault === 'the clocks of another boot count' ? '' : boot}`

  function write(fence: number, mark: CallMark): CallMark | null {
    if (here.boot === null) return null
    const known = table.get(keyOf(fence, here.boot)) ?? mark
    const better = {
      overAt: Math.min(known.overAt, mark.overAt),
      lastsMs: Math.min(known.lastsMs, mark.lastsMs),
      begunAt: known.begunAt ?? mark.begunAt,
    }
    table.set(keyOf(fence, here.boot), better)
    return better
  }

  function learn(fence: number, mark: CallMark): CallMark {
    const known = here.memory.get(fence) ?? mark
    const better = { ...known, overAt: Math.min(known.overAt, mark.overAt) }
    here.memory.set(fence, better)
    return recall(fence) ?? better
  }

  function recall(fence: number): CallMark | null {
    const known = here.memory.get(fence)
    return known ? { ...known, lastsMs: Math.max(0, known.overAt - monotonic()) } : null
  }

  /** As `markCalls` of persistence. */
  function known(fence: number, databaseMs: number): KnownCall {
    const marks = [...table].filter(([key]) => key.startsWith(`${fenceOf(fence)} `)).map(([, mark]) => mark)
    const isForgetful = fault?.startsWith('the end of a call that may go on')
    const lastsMs = isForgetful || marks.length === 0 ? 0 : Math.min(...marks.map((mark) => mark.lastsMs))
    const heard = fault?.startsWith('a repeat is counted from') ? boottime() : null
    const own = recall(fence)
    const mark = write(fence, own ?? openCall(monotonic(), lastsMs, heard))
    const { overAt, begunAt } = learn(fence, own ?? openCall(monotonic(), lastsMs, heard))
    return {
      now: { monotonic: monotonic(), boottime: boottime() },
      overAt,
      marked: mark ?? { overAt, begunAt },
      databaseMs,
    }
  }

  return {
    /** Between two turns: another worker goes on, perhaps elsewhere, or its machine is suspended or started again. Gives the time that it takes. */
    passTurn(outages: boolean): number {
      if (pick(4) === 0) here = hosts[pick(3) as 0 | 1 | 2]
      if (pick(20) === 0) here.memory = new Map()
      if (!outages || pick(15) > 0) return 0
      const ms = (pick(20) + 1) * MINUTE_MS
      if (pick(3) > 0) here.monotonicMs += ms
      else Object.assign(here, here.boot === null ? {} : booted(), { memory: new Map() })
      return ms
    },
    /**
     * A fence without an outcome goes to another worker: at once where its machine can tell that the holder is gone, perhaps wrongly, else in
     * time; perhaps by the mark of a worker that is gone by then. Gives the time that it takes.
     */
    takeOver(fence: number): number {
      here = hosts[pick(3) as 0 | 1 | 2]
      const mark = openCall(monotonic(), fault === 'who sees a fence first marks that moment' ? 0 : leaseMs)
      write(fence, learn(fence, mark))
      if (here.boot !== null && pick(2) === 0) return 0
      if (pick(3) === 0) here.memory = new Map()
      return leaseMs
    },
    /** The maker sets a fence; one that may have to repeat the call marks it. Gives what it does at the end of the call. */
    fence(fence: number, marks: boolean): () => void {
      const begunAt = boottime()
      if (marks) write(fence, openCall(monotonic(), leaseMs, begunAt))
      return () => void learn(fence, endedCall(monotonic(), begunAt))
    },
    /** The outcome is not known: the call is marked. */
    unsure: (fence: number) => void known(fence, 0),
    look(fence: number, databaseMs: number): { sinceCallMs: number; sinceFenceMs: number | null } {
      const call = known(fence, databaseMs)
      return { sinceCallMs: sinceCall(call), sinceFenceMs: sinceFence(call) }
    },
  }
}

/** What a network has of a part for its calls. */
export interface HeldCall {
  live: boolean
  /** It shows up in listings from then on. */
  shownAt: number
  /** A visible call may have had its effect, and nothing has proven the contrary. */
  unproven: boolean
  /** When the last call may have had its effect at the latest. */
  calledAt: number
}

/** The call of a worker that was called gone and is not, or of one that is stopped: it is made within its lease. */
export function createLateCall<Part extends HeldCall>({
  pick,
  leaseMs,
  listingDelayMs,
}: {
  pick: (count: number) => number
  leaseMs: number
  listingDelayMs: number
}) {
  let planned: { part: Part; at: number } | null = null
  return {
    isDue: () => planned !== null,
    plan(part: Part, now: number): void {
      planned = { part, at: now + Math.max(1_000, (pick(3) * leaseMs) / 2 - 1) }
      part.unproven = true
    },
    /**
     * Makes it when its time has come. Gives how many calls were made.
     *
     * @throws Error when it was proven meanwhile that there is none
     */
    make(until: number): number {
      if (planned === null || planned.at > until) return 0
      const { part, at } = planned
      planned = null
      if (!part.unproven) throw new Error('A call was made after it was proven that there was none.')
      const live = pick(3) > 0
      const shownAt = at + Math.max(0, (pick(3) * listingDelayMs) / 2 - 1)
      Object.assign(part, { calledAt: at, live, shownAt })
      return 1
    },
  }
}
