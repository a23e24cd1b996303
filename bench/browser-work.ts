import { parseArgs } from 'node:util'
import type { Browser, Page } from 'playwright-core'
import { launchBrowser } from '../test/_util/browser/browser-program.ts'
import { type Dashboard, heading, settled, startDashboard } from '../test/_util/browser/dashboard.ts'
import {
  observeVitals,
  percentile,
  recordFrames,
  throttle,
  type Vitals,
  vitals,
} from '../test/_util/browser/dashboard-speed.ts'
import { printTable } from './measure.ts'

/** Where the dashboard is measured. */
export interface Site {
  browser: Browser
  dashboard: Dashboard
  /** Time zone of who looks at it; without one that of the machine. */
  zone?: string
}

/** A page of the calendar, and what its cards say. */
export interface FullPage {
  path: string
  card: RegExp
}

/** A page of a browser that has nothing in its cache, for the owner. */
export async function newPage({ browser, dashboard, zone }: Site): Promise<Page> {
  const context = await browser.newContext({
    ...{ viewport: { width: 1440, height: 900 }, locale: 'en-GB' },
    ...(zone ? { timezoneId: zone } : {}),
  })
  await dashboard.signInByRequest(context)
  return context.newPage()
}

/** Opens a page on a slow machine and line, uses it, and answers what the browser has measured. */
export async function load(site: Site, path: string, use: (page: Page) => Promise<void>): Promise<Vitals> {
  const page = await newPage(site)
  await observeVitals(page)
  await throttle(page)
  await page.goto(`${site.dashboard.url}${path}`)
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
export async function work(page: Page): Promise<void> {
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

/** The page has asked for all that it wants and has drawn it: for a fifth of a second nothing has happened in it. */
export async function idle(page: Page): Promise<void> {
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

/** From the last answer with sets until the last change of the page that follows from it is drawn. */
export async function renderTime(site: Site, { path, card }: FullPage): Promise<number> {
  const page = await newPage(site)
  await page.addInitScript(`{
    let last = 0
    const drawn = () => requestAnimationFrame(() => requestAnimationFrame(() => (last = performance.now())))
    new MutationObserver(drawn).observe(document, { childList: true, subtree: true })
    window.almanacLastChange = () => last
  }`)
  await page.goto(`${site.dashboard.url}${path}`)
  await page.getByText(card).first().waitFor()
  await settled(page)
  const ms = await page.evaluate<number>(`almanacLastChange() - Math.max(...performance
    .getEntriesByType('resource')
    .filter(({ name }) => name.includes('/internal/') && /post-sets|calendar/.test(name))
    .map(({ responseEnd }) => responseEnd))`)
  await page.context().close()
  return Math.max(0, ms)
}

export async function framesOf(page: Page, work: () => Promise<void>): Promise<number[]> {
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
export async function hold(page: Page, text: RegExp): Promise<Place> {
  const card = await page.getByText(text).first().boundingBox()
  const day = await page.locator('[role="cell"][data-date]').first().boundingBox()
  if (!card || !day) throw new Error('There is no card to drag.')
  const place = { x: card.x + card.width / 2, y: card.y + card.height / 2, width: day.width }
  await page.mouse.move(place.x, place.y)
  await idle(page)
  return place
}

/** A card over all days of two weeks, and back to where it was. */
export async function drag(page: Page, { x, y }: Place): Promise<void> {
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
export async function drop(page: Page, { x, y, width }: Place): Promise<void> {
  const read = page.waitForResponse((answer) => answer.url().includes('/internal/calendar?'))
  await page.mouse.down()
  await page.mouse.move(x + width, y + 20, { steps: 20 })
  await page.mouse.up()
  await read
  await idle(page)
}

export async function scroll(page: Page): Promise<void> {
  await page.mouse.move(700, 450)
  for (let step = 0; step < 120; step++) await page.mouse.wheel(0, step < 60 ? 80 : -80)
}

export function ascending(numbers: readonly number[]): number[] {
  return numbers.toSorted((a, b) => a - b)
}

/** Null: no input took as long as browsers report. */
export function reported(ms: number | null): string {
  return ms === null ? '< 16' : ms.toFixed(1)
}

/** `--runs n`: how often each figure is measured. */
export function readRuns(): number {
  const { values } = parseArgs({ options: { runs: { type: 'string', default: '5' } } })
  const runs = Number(values.runs)
  if (!Number.isInteger(runs) || runs < 1) throw new Error('--runs must be a number from 1.')
  return runs
}

/** A page of text from the same server: what the machine, the browser and the line take of every figure. */
export const FLOOR = '/docs'

/** Starts a browser and a dashboard, and stops both when the measuring has ended. */
export async function atSite(measure: (site: Site) => Promise<void>): Promise<void> {
  const browser = await launchBrowser()
  try {
    const dashboard = await startDashboard({
      newContext: (options) => browser.newContext({ viewport: { width: 1440, height: 900 }, ...options }),
      allowProblem: () => {},
    })
    try {
      await measure({ browser, dashboard })
    } finally {
      await dashboard.stop()
    }
  } finally {
    await browser.close()
  }
}

/** LCP, CLS and INP of a calendar on a slow machine and line, with nothing in the browser's cache; `shift`: the goal of its CLS. */
export async function measureLoads(
  site: Site,
  { what, path, shift: goal, runs }: { what: string; path: string; shift: number; runs: number },
): Promise<void> {
  const loads: Vitals[] = []
  const floors: Vitals[] = []
  for (let run = 0; run < runs; run++) {
    loads.push(await load(site, path, work))
    floors.push(await load(site, FLOOR, (page) => page.keyboard.press('Tab')))
  }
  const middle = (of: readonly Vitals[]) => percentile(ascending(of.map(({ lcp }) => lcp ?? 0)), 0.5)
  const inputs = (of: readonly Vitals[]) => percentile(ascending(of.flatMap((one) => one.inputs)), 0.75)
  const shift = (of: readonly Vitals[]) => Math.max(...of.map(({ cls }) => cls))
  for (const words of new Set(loads.flatMap(({ moved }) => moved))) console.log(`moved: ${words}`)
  printTable(
    `${what}, 4 × slower processor, 10 Mbit/s, 40 ms (floor: ${FLOOR})`,
    ['figure', 'measured', 'goal', 'floor'],
    [
      ['LCP ms, middle', reported(middle(loads)), '≤ 1800', reported(middle(floors))],
      ['INP ms, p75', reported(inputs(loads)), '≤ 200', reported(inputs(floors))],
      ['CLS, worst', shift(loads).toFixed(3), `≤ ${goal}`, shift(floors).toFixed(3)],
    ],
  )
}

/** Frames while a card of a month is dragged, and while another one is dropped. */
export async function moveCards(page: Page, site: Site, { path, card }: FullPage) {
  await page.goto(`${site.dashboard.url}${path}`)
  await page.getByText(card).first().waitFor()
  await settled(page)
  const first = await hold(page, card)
  const dragged = await framesOf(page, () => drag(page, first))
  await page.mouse.up()
  const second = await hold(page, card)
  return { dragged, dropped: await framesOf(page, () => drop(page, second)) }
}

/** Rows about how soon a month is drawn and its cards are moved. */
export const drawnRow = (renders: readonly number[]) => [
  'render ms after the answer, middle',
  reported(percentile(ascending(renders), 0.5)),
  '≤ 800',
  '',
]
export const moveRows = ({ dragged, dropped }: Awaited<ReturnType<typeof moveCards>>, floor: readonly number[]) => [
  ['drag frame ms, p95', reported(percentile(dragged, 0.95)), '≤ 20', reported(percentile(floor, 0.95))],
  ['drag frame ms, worst', reported(dragged.at(-1) ?? null), '≤ 50', reported(floor.at(-1) ?? null)],
  ['drop frame ms, worst', reported(dropped.at(-1) ?? null), '≤ 50', reported(floor.at(-1) ?? null)],
]
