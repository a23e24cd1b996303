import { parseArgs } from 'node:util'
import { launchBrowser } from '../test/_util/browser-program.ts'
import { settled, startDashboard } from '../test/_util/dashboard.ts'
import { percentile, type Vitals } from '../test/_util/dashboard-speed.ts'
import { MANY, makeManyBrands } from '../test/_util/many-brands.ts'
import {
  ascending,
  drag,
  drop,
  framesOf,
  hold,
  load,
  newPage,
  renderTime,
  reported,
  type Site,
  scroll,
  work,
} from './browser-work.ts'
import { printTable } from './measure.ts'

const { values } = parseArgs({ options: { runs: { type: 'string', default: '5' } } })
const runs = Number(values.runs)
if (!Number.isInteger(runs) || runs < 1) throw new Error('--runs must be a number from 1.')

/** An address that names no brand is the calendar of all. */
const MONTH = { path: `/dashboard/scheduling/calendar/month?date=${MANY.month}-15`, card: /of many/ }
/** What the machine, the browser and the line take of every figure. */
const FLOOR = '/docs'

const browser = await launchBrowser()
try {
  const dashboard = await startDashboard({
    newContext: (options) => browser.newContext({ viewport: { width: 1440, height: 900 }, ...options }),
    allowProblem: () => {},
  })
  try {
    await makeManyBrands(dashboard)
    await measureLoads({ browser, dashboard })
    await measureMoves({ browser, dashboard })
  } finally {
    await dashboard.stop()
  }
} finally {
  await browser.close()
}

/** LCP, CLS and INP of the month of all brands on a slow machine and line, with nothing in the browser's cache. */
async function measureLoads(site: Site): Promise<void> {
  const loads: Vitals[] = []
  const floors: Vitals[] = []
  for (let run = 0; run < runs; run++) {
    loads.push(await load(site, MONTH.path, work))
    floors.push(await load(site, FLOOR, (page) => page.keyboard.press('Tab')))
  }
  const middle = (of: readonly Vitals[]) => percentile(ascending(of.map(({ lcp }) => lcp ?? 0)), 0.5)
  const inputs = (of: readonly Vitals[]) => percentile(ascending(of.flatMap((one) => one.inputs)), 0.75)
  const shift = (of: readonly Vitals[]) => Math.max(...of.map(({ cls }) => cls))
  printTable(
    `All of ${MANY.brands} brands, ${MANY.posts} posts in the month, 4 × slower processor, 10 Mbit/s, 40 ms (floor: ${FLOOR})`,
    ['figure', 'measured', 'goal', 'floor'],
    [
      ['LCP ms, middle', reported(middle(loads)), '≤ 1800', reported(middle(floors))],
      ['INP ms, p75', reported(inputs(loads)), '≤ 200', reported(inputs(floors))],
      ['CLS, worst', shift(loads).toFixed(3), '≤ 0.02', shift(floors).toFixed(3)],
    ],
  )
}

/** How soon the month is drawn, and a card of it moved, on this machine as it is. */
async function measureMoves(site: Site): Promise<void> {
  const renders: number[] = []
  for (let run = 0; run < runs; run++) renders.push(await renderTime(site, MONTH))

  const page = await newPage(site)
  await page.goto(`${site.dashboard.url}${MONTH.path}`)
  await page.getByText(MONTH.card).first().waitFor()
  await settled(page)
  const first = await hold(page, MONTH.card)
  const dragged = await framesOf(page, () => drag(page, first))
  await page.mouse.up()
  const second = await hold(page, MONTH.card)
  const dropped = await framesOf(page, () => drop(page, second))
  await page.goto(`${site.dashboard.url}${FLOOR}`)
  const floor = await framesOf(page, () => scroll(page))
  await page.context().close()

  printTable(
    `The same on this machine as it is (floor: the wheel over ${FLOOR})`,
    ['figure', 'measured', 'goal', 'floor'],
    [
      ['render ms after the answer, middle', reported(percentile(ascending(renders), 0.5)), '≤ 800', ''],
      ['drag frame ms, p95', reported(percentile(dragged, 0.95)), '≤ 20', reported(percentile(floor, 0.95))],
      ['drag frame ms, worst', reported(dragged.at(-1) ?? null), '≤ 50', reported(floor.at(-1) ?? null)],
      ['drop frame ms, worst', reported(dropped.at(-1) ?? null), '≤ 50', reported(floor.at(-1) ?? null)],
    ],
  )
}
