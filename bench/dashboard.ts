import { parseArgs } from 'node:util'
import type { Page } from 'playwright-core'
import { launchBrowser } from '../test/_util/browser-program.ts'
import { type Dashboard, heading, settled, startDashboard } from '../test/_util/dashboard.ts'
import { observeVitals, percentile, recordFrames, throttle, vitals } from '../test/_util/dashboard-speed.ts'
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
    await measureLoads(dashboard)
    await measureDeepLink(dashboard)
    await measureFullMonth(dashboard)
  } finally {
    await dashboard.stop()
  }
} finally {
  await browser.close()
}

/** LCP, CLS and INP of the calendar on a slow machine and line, with nothing in the browser's cache. */
async function measureLoads(dashboard: Dashboard): Promise<void> {
  const calendar = `/dashboard/scheduling/calendar/month?date=${USUAL.date}`
  const loads = []
  const floors = []
  for (let run = 0; run < runs; run++) {
    loads.push(await load(dashboard, calendar, work))
    floors.push(await load(dashboard, FLOOR, (page) => page.keyboard.press('Tab')))
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

async function load(dashboard: Dashboard, path: string, use: (page: Page) => Promise<void>) {
  const page = await newPage(dashboard)
  await observeVitals(page)
  await throttle(page)
  await page.goto(`${dashboard.url}${path}`)
  await heading(page)
  await settled(page)
  await use(page)
  const measured = await vitals(page)
  await page.context().close()
  return measured
}

/**
 * What people do most: to and fro between months and views. The mouse clicks on places, because looking for an element
 * runs in the page and would count as its work; and as people do, it waits until it sees what it asked for.
 */
async function work(page: Page): Promise<void> {
  const names = [/next/i, /previous/i, /today/i]
  const buttons = names.map((name) => page.getByRole('main').getByRole('button', { name }).first())
  const places = await Promise.all(buttons.map((button) => button.boundingBox()))
  await idle(page)
  for (const place of places) {
    if (!place) throw new Error('There is no button to click.')
    await page.mouse.click(place.x + place.width / 2, place.y + place.height / 2)
    await idle(page)
  }
  for (const key of [']', '2', '3', '1']) {
    await page.keyboard.press(key)
    await idle(page)
  }
}

/** From the address of a post, in a browser that has been here before, until its panel shows what it says. */
async function measureDeepLink(dashboard: Dashboard): Promise<void> {
  const caption = 'What the link leads to'
  const { id } = await dashboard.seed.postSet({ caption, scheduledAt: `${USUAL.date}T10:00:00.000Z` })
  const link = `${dashboard.url}/dashboard/scheduling/calendar/month?set=${dashboard.socialSetId}&post=${id}`
  const opened = async (slow: boolean) => {
    const page = await newPage(dashboard)
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

/** The page has asked for all that it wants and has drawn it: for a fifth of a second nothing has happened in it. */
async function idle(page: Page): Promise<void> {
  await page.evaluate(`new Promise((resolve) => {
    let timer
    const wait = () => {
      clearTimeout(timer)
      timer = setTimeout(() => requestIdleCallback(end), 200)
    }
    const reported = new PerformanceObserver(wait)
    const changed = new MutationObserver(wait)
    const end = () => {
      reported.disconnect()
      changed.disconnect()
      clearTimeout(timer)
      resolve()
    }
    reported.observe({ entryTypes: ['resource', 'longtask'] })
    changed.observe(document.body, { childList: true, subtree: true })
    wait()
  })`)
}

/** A month that is as full as months get, on this machine as it is. */
async function measureFullMonth(dashboard: Dashboard): Promise<void> {
  const renders: number[] = []
  for (let run = 0; run < runs; run++) renders.push(await renderTime(dashboard))

  const page = await newPage(dashboard)
  await page.goto(`${dashboard.url}/dashboard/scheduling/calendar/month?date=${FULL.date}`)
  await page.getByText(CARD).first().waitFor()
  await settled(page)
  const first = await hold(page)
  const dragged = await framesOf(page, () => drag(page, first))
  await page.mouse.up()
  const second = await hold(page)
  const dropped = await framesOf(page, () => drop(page, second))
  await page.goto(`${dashboard.url}/dashboard/scheduling/calendar/list?date=${FULL.date}`)
  await page.getByText(CARD).first().waitFor()
  await settled(page)
  const scrolled = await framesOf(page, () => scroll(page))
  await page.goto(`${dashboard.url}${FLOOR}`)
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

/** From the last answer with sets until the last change of the page that follows from it is drawn. */
async function renderTime(dashboard: Dashboard): Promise<number> {
  const page = await newPage(dashboard)
  await page.addInitScript(`{
    let last = 0
    const drawn = () => requestAnimationFrame(() => requestAnimationFrame(() => (last = performance.now())))
    new MutationObserver(drawn).observe(document, { childList: true, subtree: true })
    window.almanacLastChange = () => last
  }`)
  await page.goto(`${dashboard.url}/dashboard/scheduling/calendar/month?date=${FULL.date}`)
  await page.getByText(CARD).first().waitFor()
  await settled(page)
  const ms = await page.evaluate<number>(`almanacLastChange() - Math.max(...performance
    .getEntriesByType('resource')
    .filter(({ name }) => name.includes('/internal/') && /post-sets|calendar/.test(name))
    .map(({ responseEnd }) => responseEnd))`)
  await page.context().close()
  return Math.max(0, ms)
}

async function framesOf(page: Page, work: () => Promise<void>): Promise<number[]> {
  const end = await recordFrames(page)
  await work()
  return end()
}

interface Place {
  x: number
  y: number
  /** Of a day. */
  width: number
}

/** Puts the pointer on a card and waits for all that this opens. What is measured begins with the press of the button. */
async function hold(page: Page): Promise<Place> {
  const card = await page.getByText(CARD).first().boundingBox()
  const day = await page.locator('[role="cell"][data-date]').first().boundingBox()
  if (!card || !day) throw new Error('There is no card to drag.')
  const place = { x: card.x + card.width / 2, y: card.y + card.height / 2, width: day.width }
  await page.mouse.move(place.x, place.y)
  await idle(page)
  return place
}

/** A card over all days of two weeks, and back to where it was. */
async function drag(page: Page, { x, y }: Place): Promise<void> {
  await page.mouse.down()
  for (const [dx, dy] of [
    [600, 0],
    [600, 150],
    [0, 150],
    [0, 0],
  ] as const) {
    await page.mouse.move(x + dx, y + dy, { steps: 60 })
  }
  await page.keyboard.press('Escape')
}

/** A card to the next day, where it stays: until the server has answered and the page was read again. */
async function drop(page: Page, { x, y, width }: Place): Promise<void> {
  const read = page.waitForResponse((answer) => answer.url().includes('/internal/calendar?'))
  await page.mouse.down()
  await page.mouse.move(x + width, y + 20, { steps: 20 })
  await page.mouse.up()
  await read
  await idle(page)
}

async function scroll(page: Page): Promise<void> {
  await page.mouse.move(700, 450)
  for (let step = 0; step < 120; step++) await page.mouse.wheel(0, step < 60 ? 80 : -80)
}

async function newPage(dashboard: Dashboard): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: 'en-GB' })
  await dashboard.signInByRequest(context)
  return context.newPage()
}

function ascending(numbers: readonly number[]): number[] {
  return numbers.toSorted((a, b) => a - b)
}

/** Null: no input took as long as browsers report. */
function reported(ms: number | null): string {
  return ms === null ? '< 16' : ms.toFixed(1)
}
