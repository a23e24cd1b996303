import type { PostResult } from '#contract'
import {
  chooseEntry,
  type Decision,
  type Delivery,
  type DeliveryEvent,
  type DeliveryPolicy,
  type FindOutcome,
  next,
  type PublishOutcome,
  taskOf,
} from './index.ts'
import { freshDelivery } from './testing-stubborn.ts'

/** How two posts of the same words came out, and what the network holds in the end. */
interface TwinWalk {
  results: { result: PostResult; mayBeLive: boolean }[]
  held: string[]
}

/** A call takes no longer, and one of a worker that died is over by then. */
const LEASE_MS = 40_000
const MOST_STEPS = 20_000
/** The second post is sent so long after the first. */
const APART_MS = [0, 1_000, 58_000, 70_000, 600_000] as const

const WAITS: FindOutcome = { kind: 'cannot-tell', message: 'Another one comes first.', unanswered: true }

interface Post {
  id: string
  at: number
  shownAt: number
}

interface Row {
  delivery: Delivery
  providerId: string | null
  /** What a worker that died had stored of the answer. */
  answered: string | null
  /** Posts that were listed before the call. */
  known: readonly string[]
  callOverAt: number
  end: TwinWalk['results'][number] | null
}

/** Resumes at a time; whatever else is due before comes first. */
type Worker = Generator<number, void>

/**
 * Drives two deliveries of the same words, one account and one network side by side, as the choices say: calls that land or do not,
 * answers that are lost, workers that die, listings that show a post late. What the engine reads and claims is read and claimed here
 * in the same steps, and in between the other one may do anything.
 *
 * @throws Error for a delivery that does not end
 */
export function walkTwins(policy: DeliveryPolicy, drawn: readonly number[], apartMs?: number): TwinWalk {
  let index = 0
  const pick = (count: number) => {
    const round = Math.floor(index / drawn.length)
    const value = drawn[index % drawn.length] ?? 0
    index += 1
    return (value + round * 11) % count
  }
  const one = <T>(...values: readonly [T, ...T[]]): T => values[pick(values.length)] ?? values[0]
  const start = Date.UTC(2026, 10, 22, 12)
  let time = start
  const now = () => new Date(time)
  const later = (...ms: readonly [number, ...number[]]) => time + one(...ms)
  const posts: Post[] = []
  const notesKnown = pick(2) === 0

  const rowOf = (at: number): Row => ({
    delivery: freshDelivery(new Date(at), policy, []),
    providerId: null,
    answered: null,
    known: [],
    callOverAt: 0,
    end: null,
  })
  const rows = [rowOf(start), rowOf(start + (apartMs ?? one(...APART_MS)))]
  const otherOf = (row: Row) => (rows[0] === row ? rows[1] : rows[0]) as Row
  const isTaken = (row: Row, id: string) => otherOf(row).providerId === id

  /** The visible call. Whatever it makes is made before it is over. */
  function* send(row: Row): Generator<number, PublishOutcome | 'died'> {
    const endsAt = later(50, 2_000, 38_000)
    row.callOverAt = time + LEASE_MS
    yield later(0, 20, 10_000)
    let made: Post | null = null
    if (pick(3) > 0) {
      made = { id: `p${posts.length + 1}`, at: Math.min(time, endsAt), shownAt: 0 }
      made.shownAt = made.at + one(0, policy.listingDelayMs / 2, policy.listingDelayMs - 1)
      posts.push(made)
    }
    yield Math.max(endsAt, time)
    if (pick(6) === 0) {
      row.answered = made && pick(3) === 0 ? made.id : null
      return 'died'
    }
    row.callOverAt = time
    if (pick(2) === 0) return { kind: 'unknown', message: 'No answer.' }
    if (made) return { kind: 'published', providerId: made.id, permalink: null }
    return { kind: 'retry', notBefore: null, from: 'publish', countsAsAttempt: true, message: 'Not now.' }
  }

  /** A look in the steps of a connector: the listing, then the others, then what it takes. */
  function* find(row: Row): Generator<number, FindOutcome> {
    if (row.answered !== null) return { kind: 'found', providerId: row.answered, permalink: null }
    if (pick(8) === 0) return { kind: 'cannot-tell', message: 'No list.' }
    const begunAt = time
    const since = (row.delivery.firstFencedAt?.getTime() ?? 0) - 60_000
    const listed = posts.filter(({ id, at, shownAt }) => shownAt <= time && at >= since && !row.known.includes(id))
    yield later(0, 20, 3_000)
    const other = otherOf(row)
    const { stage } = other.delivery
    const isCalling = !other.end && other.providerId === null && stage === 'SENDING'
    const isUnsure = !other.end && other.providerId === null && stage === 'LOOKING_UP'
    const isVague = other.end !== null && other.providerId === null && other.end.mayBeLive
    const settled = other.providerId === null ? null : 'settled'
    const state = isCalling ? 'calling' : isUnsure ? 'unsure' : isVague ? 'vague' : settled
    const [own, others] = [row, other].map(({ delivery }) => delivery.fencedAt?.getTime() ?? 0) as [number, number]
    const isFirst = others < own || (others === own && other === rows[0])
    const isListed = !isCalling && begunAt - other.callOverAt >= policy.listingDelayMs
    const free = listed.filter(({ id }) => other.providerId !== id).sort((a, b) => a.at - b.at)
    const choice = chooseEntry(free, state === null ? [] : [{ state, isFirst, isListed }])
    yield later(0, 20)
    switch (choice.kind) {
      case 'none':
        return { kind: 'absent' }
      case 'several':
        return { kind: 'cannot-tell', message: 'Several.' }
      case 'wait':
        return WAITS
      case 'entry':
        if (isTaken(row, choice.entry.id)) return WAITS
        row.providerId = choice.entry.id
        return { kind: 'found', providerId: choice.entry.id, permalink: null }
    }
  }

  /** Stores a decision, unless the id that it names is the other one's. */
  function store(row: Row, decision: Decision, event: DeliveryEvent): void {
    if (decision.kind === 'open') row.delivery = decision.delivery
    else if (decision.kind === 'result') {
      const id = decision.result.status === 'POSTED' ? (decision.result.providerId ?? null) : null
      if (id !== null && isTaken(row, id)) store(row, next(row.delivery, { kind: 'taken' }, policy, now()), event)
      else {
        row.providerId = id ?? row.providerId
        row.end = { result: decision.result, mayBeLive: decision.mayBeLive ?? false }
      }
    } else throw new Error(`Nobody answers ${decision.kind} of ${event.kind}.`)
  }

  function* work(row: Row): Worker {
    const done = (event: DeliveryEvent) => store(row, next(row.delivery, event, policy, now()), event)
    while (!row.end) {
      yield Math.max(row.delivery.nextAt.getTime(), later(0, 50, 2_000))
      const task = taskOf(row.delivery, policy, now())
      if (task.kind === 'late') done({ kind: 'late', why: 'stopped' })
      else if (task.kind === 'event') done(task.event)
      else if (task.step === 'prepare') {
        if (notesKnown && row.delivery.firstFencedAt === null) {
          row.known = posts.filter(({ shownAt }) => shownAt <= time).map(({ id }) => id)
        }
        yield later(0, 20, 5_000)
        done({ kind: 'prepared', outcome: { kind: 'ready' }, refreshable: false })
      } else if (task.step === 'send') {
        done({ kind: 'fenced' })
        const outcome = yield* send(row)
        yield later(0, 20, 1_000)
        if (outcome !== 'died') done({ kind: 'sent', outcome, refreshable: false })
        // Taken over when its lease is certainly over.
        else yield Math.max(time, row.callOverAt) + 3_000
      } else {
        row.delivery = task.delivery
        const sinceCallMs = time - row.callOverAt
        const outcome = yield* find(row)
        yield later(0, 20)
        done({ kind: 'looked-up', outcome, refreshable: false, sinceCallMs, sinceFenceMs: null })
      }
    }
  }

  const workers = rows.map((row) => ({ work: work(row), at: row.delivery.nextAt.getTime() }))
  for (let step = 0; step < MOST_STEPS; step++) {
    const open = rows.flatMap((row, nth) => (row.end ? [] : (workers[nth] ?? [])))
    const [first, second] = open.sort((a, b) => a.at - b.at)
    if (!first) {
      return { results: rows.flatMap(({ end }) => end ?? []), held: posts.map(({ id }) => id) }
    }
    const worker = second && second.at === first.at && pick(2) === 0 ? second : first
    time = Math.max(time, worker.at)
    const step = worker.work.next()
    if (!step.done) worker.at = step.value
  }
  throw new Error('A delivery is still open.')
}
