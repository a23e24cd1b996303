import { loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { countLone, type Figures, type Part, postParts, serviceParts } from './floor/parts.ts'
import { startProgram } from './lateness/processes.ts'
import { openSides } from './lateness/sides.ts'
import { printTable } from './measure.ts'
import { withPlace } from './place.ts'

/**
 * How near Almanac is to its floors: processor time of a post, how late posts are, a start, an idle service. Each figure is the middle
 * of alternated runs, with the least and the most of them; the floors, and BullMQ, beside it. README.md, "Nearer to the floor".
 *
 *     node bench/floor.ts [--quick] [--rounds 5] [--only Steady,Waiting,Burst,Lone,Start,Idle]
 */
const { values } = parseArgs({
  options: {
    /** One run of each, and shorter ones. */
    quick: { type: 'boolean', default: false },
    rounds: { type: 'string', default: '5' },
    only: { type: 'string', default: 'Steady,Waiting,Burst,Lone,Start,Idle' },
    sides: { type: 'string', default: 'almanac,floor,bullmq' },
    /** A folder with `node_modules/bullmq`, instead of one that is made for this run. */
    bullmq: { type: 'string', default: '' },
    node: { type: 'string', default: '' },
    dir: { type: 'string' },
  },
})
const wanted = values.only.split(',')
const rounds = values.quick ? 1 : Number(values.rounds)
const lengths = values.quick
  ? { steadySeconds: 10, burst: 1_000, settleSeconds: 5, idleSeconds: 10, lone: 5 }
  : { steadySeconds: 30, burst: 1_000, settleSeconds: 30, idleSeconds: 60, lone: 10 }
const ofPosts = ['Steady', 'Waiting', 'Burst']

/** A line of the table. A goal is a figure, or a part of the floor's. */
interface Line {
  part: string
  figure: string
  what: string
  goal?: number | { ofFloor: number } | { ofBullMq: number }
}

const LINES: readonly Line[] = [
  { part: 'Steady', figure: 'engine', what: '20 posts a second: processor ms of a post, engine', goal: 7 },
  { part: 'Steady', figure: 'database', what: '… PostgreSQL', goal: 6 },
  { part: 'Steady', figure: 'redis', what: '… Redis' },
  { part: 'Steady', figure: 'p99', what: '… p99 of lateness, ms' },
  { part: 'Waiting', figure: 'p99', what: 'Threads, 20 a second: p99 of lateness, ms', goal: { ofFloor: 1.1 } },
  { part: 'Burst', figure: 'p99', what: '1,000 at once: p99 of lateness, ms', goal: { ofBullMq: 0.9 } },
  { part: 'Burst', figure: 'cpu', what: '… processor ms of a post, all processes' },
  { part: 'Lone', figure: 'roundTrips', what: 'A lone post: round trips to the database' },
  { part: 'Lone', figure: 'idle', what: 'An idle worker: round trips a second' },
  { part: 'Start', figure: 'ready', what: 'Later start: ms until ready', goal: 1_000 },
  { part: 'Start', figure: 'cpu', what: '… processor ms' },
  { part: 'Start', figure: 'files', what: '… files loaded' },
  { part: 'Start', figure: 'modules', what: '… modules in them and beside them' },
  { part: 'Idle', figure: 'cpu', what: 'Idle `npm start`: processor ms a second', goal: 5 },
  { part: 'Idle', figure: 'mebibytes', what: '… MiB, shared memory divided', goal: 220 },
  { part: 'Idle', figure: 'processes', what: '… processes', goal: 20 },
  { part: 'Idle', figure: 'statements', what: '… round trips to the database a second' },
]

/** All runs, by part and side. */
const runs = new Map<string, Map<string, Figures[]>>()

function note(part: string, side: string, figures: Figures): void {
  const sides = runs.get(part) ?? new Map<string, Figures[]>()
  runs.set(part, sides.set(side, [...(sides.get(side) ?? []), figures]))
  const said = Object.entries(figures).map(([name, value]) => `${name} ${value.toFixed(1)}`)
  console.error(`${part}, ${side}: ${said.join(', ')}; load ${loadavg()[0]?.toFixed(1)}`)
}

async function measureParts(parts: readonly Part[]): Promise<void> {
  for (let round = 0; round < rounds; round++) {
    for (const { name, sides } of parts.filter(({ name }) => wanted.includes(name))) {
      const all = Object.entries(sides)
      // The first one finds the machine as the one before has left it: so they take turns in that, too.
      for (let nth = 0; nth < all.length; nth++) {
        const [side, measure] = all[(round + nth) % all.length] ?? ['', async () => ({})]
        note(name, side, await measure())
      }
    }
  }
}

await withPlace(values.dir, async (place) => {
  await using closing = new AsyncDisposableStack()
  const networks = await startProgram('networks.ts', { NETWORK_CALL_MS: '200' })
  closing.defer(() => networks.stop())
  const networksUrl = networks.said
  if (wanted.some((part) => ofPosts.includes(part))) {
    await using senders = new AsyncDisposableStack()
    const { bullmq, node } = values
    const only = values.sides.split(',')
    const sides = await openSides({ place, networksUrl, closing: senders, only, bullmq, node })
    const parts = postParts(sides, networksUrl, lengths)
    // Everything has been run once before it is measured, and the tables are known to the planner.
    const [steady] = postParts(sides, networksUrl, { ...lengths, steadySeconds: 5 })
    for (const measure of Object.values(steady?.sides ?? {})) await measure()
    await measureParts(parts)
  }
  if (wanted.includes('Lone')) {
    for (let round = 0; round < rounds; round++) {
      await using counted = new AsyncDisposableStack()
      note('Lone', 'Almanac', await countLone({ place, networksUrl, closing: counted }, lengths))
    }
  }
  if (wanted.includes('Start') || wanted.includes('Idle')) {
    await measureParts(await serviceParts(place, closing, lengths))
  }
})

const sorted = (part: string, side: string, figure: string) =>
  (runs.get(part)?.get(side) ?? []).flatMap((run) => run[figure] ?? []).toSorted((a, b) => a - b)
const middle = (values: readonly number[]) => values[Math.floor(values.length / 2)]
const written = (value: number | undefined) => (value === undefined ? '–' : value.toFixed(value < 100 ? 1 : 0))

/** The middle, and from where to where the runs are. */
function cell(values: readonly number[]): string {
  const least = values[0]
  const most = values.at(-1)
  const spread = values.length > 1 ? ` (${written(least)}–${written(most)})` : ''
  return `${written(middle(values))}${spread}`
}

const rows = LINES.flatMap(({ part, figure, what, goal }) => {
  const ours = sorted(part, 'Almanac', figure)
  const value = middle(ours)
  if (value === undefined) return []
  const [floor, bullMq] = [sorted(part, 'floor', figure), sorted(part, 'BullMQ', figure)]
  const limit =
    goal === undefined || typeof goal === 'number'
      ? goal
      : 'ofFloor' in goal
        ? (middle(floor) ?? Number.NaN) * goal.ofFloor
        : (middle(bullMq) ?? Number.NaN) * goal.ofBullMq
  const met = limit === undefined || Number.isNaN(limit) ? '–' : value <= limit ? 'met' : 'not met'
  const least = middle(floor)
  return [
    [
      ...[what, cell(ours), cell(floor), cell(bullMq)],
      least === undefined || least === 0 ? '–' : (value / least).toFixed(2),
      ...[limit === undefined || Number.isNaN(limit) ? '–' : written(limit), met],
    ],
  ]
})
const load = loadavg().map((each) => each.toFixed(1))
printTable(
  `The middle of ${rounds} alternated ${rounds === 1 ? 'run' : 'runs'} (load ${load.join(', ')})`,
  ['', 'Almanac', 'floor', 'BullMQ', 'of floor', 'goal', ''],
  rows,
)
