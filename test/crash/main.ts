import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { openRunFolder } from '../_util/run/run-folder.ts'
import { type Cell, openCell } from './cell.ts'
import { FAULT_NAMES, faultOf } from './faults.ts'
import type { Point } from './gate.ts'
import { namePoint, planLongLease, planRuns, RECORDINGS, type Recording, shotName } from './plan.ts'
import { type Ended, faultsOf, lineOf, namesOf, tablesOf, writeTables } from './report.ts'
import { play, type Run, record } from './run.ts'

/** `npm run test:crash`: see README.md. */

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    fault: { type: 'string' },
    list: { type: 'boolean', default: false },
    lease: { type: 'string', default: '5' },
    cells: { type: 'string', default: `${3 * availableParallelism()}` },
    'long-cells': { type: 'string', default: '2' },
    verbose: { type: 'boolean', default: false },
    dry: { type: 'boolean', default: false },
  },
})
const DEFAULT_LEASE_MS = 40_000
const began = performance.now()
const say = (line: string) =>
  console.log(`${String(Math.round((performance.now() - began) / 1_000)).padStart(5)} s  ${line}`)

/** Cells take the next run when they have ended one; each ends when there is none. */
async function work(cell: Cell, queue: Run[], ended: (end: Ended) => void, broken: (run: Run, error: unknown) => void) {
  for (let run = queue.shift(); run !== undefined; run = queue.shift()) {
    const cannot = faultOf(run.fault).cannot?.(cell)
    if (cannot) {
      say(`${faultOf(run.fault).title}: ${cannot}`)
      continue
    }
    try {
      ended({ ...(await play(cell, run)), leaseMs: cell.leaseMs })
    } catch (error) {
      broken(run, error)
      return
    }
  }
}

/** The same with some of its points, and the posts that they are of. */
function runAgain(run: Run, points: Run['points']): Run {
  const isOfCalendar = points.some(({ subject }) => subject === 'CALENDAR')
  const accountTypes = run.accountTypes.filter((type) => isOfCalendar || points.some(({ subject }) => subject === type))
  return { ...run, points, accountTypes }
}

/** The runs that `--only` and `--fault` leave. */
function chosen(runs: readonly Run[]): Run[] {
  const { only, fault: wanted } = values
  const other = FAULT_NAMES.find((name) => name === wanted)
  const named = other === undefined ? runs : runs.map((run) => ({ ...run, fault: other }))
  if (only === undefined) return [...named]
  const pattern = new RegExp(only)
  const seen = new Set<string>()
  return named.flatMap((run) => {
    const points = run.points.filter((point) => {
      const name = shotName(run, point)
      return pattern.test(name) && !seen.has(name) && seen.add(name)
    })
    return points.length > 0 ? [runAgain(run, points)] : []
  })
}

async function recordAll(cell: Cell): Promise<Recording[]> {
  const recordings: Recording[] = []
  for (const each of RECORDINGS) recordings.push({ ...each, points: await record(cell, each) })
  return recordings
}

async function main(): Promise<number> {
  openRunFolder()
  const { only } = values
  const ends: Ended[] = []
  const wrong: string[] = []
  const cells: Cell[] = []
  const closings: AsyncDisposableStack[] = []
  const close = () => Promise.allSettled(closings.map((closing) => closing.disposeAsync()))
  const open = async (leaseMs: number) => {
    const closing = new AsyncDisposableStack()
    closings.push(closing)
    const cell = await openCell({ leaseMs }, closing)
    cells.push(cell)
    return cell
  }
  // Everything that was started ends with it.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      say('interrupted')
      void close().finally(() => process.exit(130))
    })
  }
  try {
    const leaseMs = Number(values.lease) * 1_000
    const first = await open(leaseMs)
    const recordings = await recordAll(first)
    const queue = chosen(planRuns(recordings))
    const shots = queue.flatMap((run) => run.points.map((point) => shotName(run, point)))
    const points = new Set(queue.flatMap((run) => run.points.map((point) => namePoint(run, point))))
    if (values.list) {
      for (const shot of shots) console.log(shot)
      return 0
    }
    const longQueue = only === undefined ? planLongLease(recordings) : []
    say(
      `${shots.length} faults at ${points.size} points in ${queue.length} runs, and ${longQueue.length} at the default lease`,
    )
    const again = new Map<string, number>()
    const ended = (from: Run[]) => (end: Ended) => {
      ends.push(end)
      say(lineOf(end))
      if (values.verbose) for (const name of namesOf(end, end.struck)) say(`  struck ${name}`)
      for (const fault of faultsOf(end)) {
        wrong.push(fault)
        say(`  WRONG ${fault}`)
      }
      // What was not reached is tried again in the company of what else was not, then alone.
      const together = end.missed.filter((point) => triesOf(end, point) === 0)
      const alone = end.missed.filter((point) => triesOf(end, point) === 1)
      for (const point of end.missed) {
        const name = shotName(end.run, point)
        const tries = triesOf(end, point)
        again.set(name, tries + 1)
        if (tries >= 2) say(`  not reached ${name}`)
      }
      if (together.length > 0) from.push(runAgain(end.run, together))
      for (const point of alone) from.push(runAgain(end.run, [point]))
    }
    const triesOf = (end: Ended, point: Point) => again.get(shotName(end.run, point)) ?? 0
    const broken = (run: Run, error: unknown) => {
      const names = run.points.map((point) => shotName(run, point))
      wrong.push(`${names}: ${error instanceof Error ? error.stack : error}`)
      say(`  BROKEN ${wrong.at(-1)}`)
    }
    const started = [work(first, queue, ended(queue), broken)]
    const opening = async (length: number, from: Run[], ms: number) => {
      for (let count = 0; count < length && from.length > 0; count += 1) {
        const cell = await open(ms)
        started.push(work(cell, from, ended(from), broken))
      }
    }
    await opening(Number(values['long-cells']), longQueue, DEFAULT_LEASE_MS)
    await opening(Number(values.cells) - 1, queue, leaseMs)
    await Promise.all(started)
    // What was to be tried again when the other cells had ended.
    await work(first, queue, ended(queue), broken)
    const tables = tablesOf(ends, { minutes: Math.round((performance.now() - began) / 60_000) })
    console.log(`\n${tables}\n`)
    if (only === undefined && !values.dry) await writeTables(tables)
    const struck = new Set(ends.flatMap(({ run, struck }) => struck.map((point) => namePoint(run, point)))).size
    const few = only === undefined && struck < 200
    if (few) wrong.push(`only ${struck} points were reached`)
    for (const line of wrong) console.log(`FAILED ${line}`)
    if (values.verbose) for (const cell of cells) console.log(cell.words())
    const posts = ends.flatMap((end) => end.posts)
    console.log(`${posts.filter(({ faults }) => faults.length === 0).length} passed, ${wrong.length} failed`)
    return wrong.length > 0 || posts.length === 0 ? 1 : 0
  } finally {
    await close()
  }
}

process.exitCode = await main()
