import type { AccountType } from '#contract'

/** Whose an event is: of the post to an account type, or of a look at the calendar, which is for all posts. */
export type Subject = AccountType | 'CALENDAR'
/** Before: the message has left the worker and has not arrived. After: it was acted on, and the answer has not arrived. */
export type Side = 'before' | 'after'
/** `sql`: a statement to the database. `call`: a request to the network. */
export type EventKind = 'sql' | 'call'

/** A moment between a worker and what it talks to. Its `name` and how often that has come before distinguish it from others. */
export interface Point {
  subject: Subject
  name: string
  nth: number
  side: Side
  kind: EventKind
  /** Whether the message is between BEGIN and the end of COMMIT. */
  inTransaction: boolean
}

/** What becomes of a message that was held. `lost`: it never arrives, and its connection is cut. `never`: nothing is heard again. */
export type Release = 'go' | 'lost' | 'never'

/** The connection that a held message is on. */
export interface HeldOn {
  /** Process id of PostgreSQL's backend; null on the way to a network. */
  backend: number | null
}

export interface Held {
  point: Point
  worker: string
  on: HeldOn
  at: number
  release(how: Release): void
}

/** What a recording keeps of a point: when it came, in milliseconds after the posts were due. */
export type Recorded = Point & { atMs: number }

export const pointKey = ({ subject, name, nth, side }: Omit<Point, 'kind' | 'inTransaction'>) =>
  `${subject} ${name} ${nth} ${side}`

/** An event under way, which passes the gate twice. */
export type Passing = Omit<Point, 'side'>

/** All messages of the workers of a cell pass here. Messages at armed points wait until they are released. */
export interface Gate {
  /** Forgets what was counted: from now on events count from one, for posts that were due at `dueAt` (performance.now()). */
  begin(points: readonly Point[], dueAt: number): void
  /** Numbers an event. */
  enter(event: Omit<Passing, 'nth'>): Passing
  /** Resolves when the message may go on. */
  pass(event: Passing, side: Side, worker: string, on: HeldOn): Promise<Release>
  held(): readonly Held[]
  /** Resolves when all armed points are held, or `ms` after the first of them was, or after `longestMs`. */
  untilHeld(ms: number, longestMs: number): Promise<readonly Held[]>
  /** Nothing is held from now on; what is held goes on, except messages that a fault has to release. */
  disarm(except: readonly Held[]): void
  /** Everything that has passed since `begin`. */
  recorded(): readonly Recorded[]
}

export function createGate(): Gate {
  let counts = new Map<string, number>()
  let armed = new Set<string>()
  let waiting: Held[] = []
  let passed: Recorded[] = []
  let due = 0
  let changed = Promise.withResolvers<void>()

  return {
    begin(points, dueAt) {
      counts = new Map()
      armed = new Set(points.map(pointKey))
      waiting = []
      passed = []
      due = dueAt
    },
    enter(event) {
      const key = `${event.subject} ${event.name}`
      const nth = (counts.get(key) ?? 0) + 1
      counts.set(key, nth)
      return { ...event, nth }
    },
    pass(event, side, worker, on) {
      const point = { ...event, side }
      const at = performance.now()
      passed.push({ ...point, atMs: Math.round(at - due) })
      if (!armed.delete(pointKey(point))) return Promise.resolve('go')
      return new Promise((resolve) => {
        waiting.push({ point, worker, on, at, release: resolve })
        changed.resolve()
        changed = Promise.withResolvers()
      })
    },
    held: () => waiting,
    async untilHeld(ms, longestMs) {
      const end = performance.now() + longestMs
      for (;;) {
        const first = waiting[0]
        const until = first === undefined ? end : Math.min(end, first.at + ms)
        const left = until - performance.now()
        if (armed.size === 0 || left <= 0) return waiting
        const timer = Promise.withResolvers<void>()
        const handle = setTimeout(timer.resolve, left)
        await Promise.race([changed.promise, timer.promise])
        clearTimeout(handle)
      }
    },
    disarm(except) {
      armed.clear()
      for (const held of waiting.splice(0)) if (!except.includes(held)) held.release('go')
    },
    recorded: () => passed,
  }
}
