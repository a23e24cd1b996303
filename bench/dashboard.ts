import { parseArgs } from 'node:util'
import { launchBrowser } from '../test/_util/browser-program.ts'
import { heading, settled, startDashboard } from '../test/_util/dashboard.ts'
import { percentile, throttle } from '../test/_util/dashboard-speed.ts'
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

/** Months by how many sets they have. */
const USUAL = { date: '2030-06-12', month: '2030-06', sets: 90 }
const FULL = { date: '2030-07-12', month: '2030-07', sets: 500 }
/** A page of text from the same server: what the machine, the browser and the line take of every figure. */
const FLOOR = '/docs'
const CARD = /of a full month/

const browser = await launchBrowser()
try {
  const dashboard = await startDashboard({
    newContext: (options) => browser.newContext({ viewport: { width: 1440, height: 900 }, ...options }),
    allowProblem: () => {},
  })
  try {
    for (const { month, sets } of [USUAL, FULL]) await dashboard.seed.month(month, sets)
    const site = { browser, dashboard }
    await measureLoads(site)
    await measureDeepLink(site)
    await measureFullMonth(site)
  } finally {
    await dashboard.stop()
  }
} finally {
  await browser.close()
}

/** LCP, CLS and INP of the calendar on a slow machine and line, with nothing in the browser's cache. */
async function measureLoads(site: Site): Promise<void> {
  const calendar = `/dashboard/scheduling/calendar/month?date=${USUAL.date}`
  const loads = []
  const floors = []
  for (let run = 0; run < runs; run++) {
    loads.push(await load(site, calendar, work))
    floors.push(await load(site, FLOOR, (page) => page.keyboard.press('Tab')))
  }
  const middle = (of: readonly { lcp: number | null }[]) => percentile(ascending(of.map(({ lcp }) => lcp ?? 0)), 0.5)
  const inputs = (of: readonly { inputs: number[] }[]) => percentile(ascending(of.flatMap((one) => one.inputs)), 0.75)
  const shift = (of: readonly { cls: number }[]) => Math.max(...of.map(({ cls }) => cls))
  printTable(
    `The calendar with ${USUAL.sets} sets, 4 × slower processor, 10 Mbit/s, 40 ms (floor: ${FLOOR})`,
    ['figure', 'measured', 'goal', 'floor'],
    [
      ['LCP ms, middle', reported(middle(loads)), '≤ 1800', reported(middle(floors))],
      ['INP ms, p75', reported(inputs(loads)), '≤ 200', reported(inputs(floors))],
      ['CLS, worst', shift(loads).toFixed(3), '≤ 0.05', shift(floors).toFixed(3)],
    ],
  )
}

/** From the address of a post, in a browser that has been here before, until its panel shows what it says. */
async function measureDeepLink(site: Site): Promise<void> {
  const { dashboard } = site
  const caption = 'What the link leads to'
  const { id } = await dashboard.seed.postSet({ caption, scheduledAt: `${USUAL.date}T10:00:00.000Z` })
  const link = `${dashboard.url}/dashboard/scheduling/calendar/month?set=${dashboard.socialSetId}&post=${id}`
  const opened = async (slow: boolean) => {
    const page = await newPage(site)
    await page.goto(`${dashboard.url}/dashboard/scheduling/calendar/month?date=${USUAL.date}`)
    await heading(page)
    await settled(page)
    if (slow) await throttle(page)
    const times: number[] = []
    for (let run = 0; run < runs; run++) {
      await page.goto('about:blank')
      await page.goto(link, { waitUntil: 'commit' })
      const shown = await page.evaluate<number>(`new Promise((resolve) => {
        const look = () => {
          const panels = [...document.querySelectorAll('[role="dialog"]')]
          const there = panels.some((panel) => panel.textContent.includes('${caption}'))
          if (there) resolve(performance.now())
          else requestAnimationFrame(look)
        }
        look()
      })`)
      times.push(shown)
    }
    await page.context().close()
    return percentile(ascending(times), 0.5)
  }
  printTable(
    'From the address of a post to its open panel, warm',
    ['machine', 'ms, middle', 'goal'],
    [
      ['this one', reported(await opened(false)), '≤ 1500'],
      ['4 × slower processor, 10 Mbit/s, 40 ms', reported(await opened(true)), ''],
    ],
  )
}

/** A month that is as full as months get, on this machine as it is. */
async function measureFullMonth(site: Site): Promise<void> {
  const path = `/dashboard/scheduling/calendar/month?date=${FULL.date}`
  const renders: number[] = []
  for (let run = 0; run < runs; run++) renders.push(await renderTime(site, { path, card: CARD }))

  const page = await newPage(site)
  await page.goto(`${site.dashboard.url}${path}`)
  await page.getByText(CARD).first().waitFor()
  await settled(page)
  const first = await hold(page, CARD)
  const dragged = await framesOf(page, () => drag(page, first))
  await page.mouse.up()
  const second = await hold(page, CARD)
  const dropped = await framesOf(page, () => drop(page, second))
  await page.goto(`${site.dashboard.url}/dashboard/scheduling/calendar/list?date=${FULL.date}`)
  await page.getByText(CARD).first().waitFor()
  await settled(page)
  const scrolled = await framesOf(page, () => scroll(page))
  await page.goto(`${site.dashboard.url}${FLOOR}`)
  const floor = await framesOf(page, () => scroll(page))
  await page.context().close()

  const perSecond = (frames: readonly number[]) =>
    ((frames.length * 1_000) / frames.reduce((sum, frame) => sum + frame, 0)).toFixed(1)
  printTable(
    `${FULL.sets} sets in a month (floor: the same wheel over ${FLOOR})`,
    ['figure', 'measured', 'goal', 'floor'],
    [
      ['render ms after the answer, middle', reported(percentile(ascending(renders), 0.5)), '≤ 800', ''],
      ['scroll of the list, frames a second', perSecond(scrolled), '≥ 58', perSecond(floor)],
      ['drag frame ms, p95', reported(percentile(dragged, 0.95)), '≤ 20', reported(percentile(floor, 0.95))],
      ['drag frame ms, worst', reported(dragged.at(-1) ?? null), '≤ 50', reported(floor.at(-1) ?? null)],
      ['drop frame ms, worst', reported(dropped.at(-1) ?? null), '≤ 50', reported(floor.at(-1) ?? null)],
    ],
  )
}
