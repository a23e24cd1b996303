import { heading, settled } from '../test/_util/browser/dashboard.ts'
import { percentile, throttle } from '../test/_util/browser/dashboard-speed.ts'
import {
  ascending,
  atSite,
  drawnRow,
  FLOOR,
  framesOf,
  measureLoads,
  moveCards,
  moveRows,
  newPage,
  readRuns,
  renderTime,
  reported,
  type Site,
  scroll,
} from './browser-work.ts'
import { printTable } from './measure.ts'

const runs = readRuns()

/** Months by how many sets they have. */
const USUAL = { date: '2030-06-12', month: '2030-06', sets: 90 }
const FULL = { date: '2030-07-12', month: '2030-07', sets: 500 }
const CARD = /of a full month/
const pathOf = ({ date }: { date: string }) => `/dashboard/scheduling/calendar/month?date=${date}`

await atSite(async (site) => {
  for (const { month, sets } of [USUAL, FULL]) await site.dashboard.seed.month(month, sets)
  const what = `The calendar with ${USUAL.sets} sets`
  await measureLoads(site, { what, path: pathOf(USUAL), shift: 0.05, runs })
  await measureDeepLink(site)
  await measureFullMonth(site)
})

/** From the address of a post, in a browser that has been here before, until its panel shows what it says. */
async function measureDeepLink(site: Site): Promise<void> {
  const { dashboard } = site
  const caption = 'What the link leads to'
  const { id } = await dashboard.seed.postSet({ caption, scheduledAt: `${USUAL.date}T10:00:00.000Z` })
  const link = `${dashboard.url}/dashboard/scheduling/calendar/month?set=${dashboard.socialSetId}&post=${id}`
  const opened = async (slow: boolean) => {
    const page = await newPage(site)
    await page.goto(`${dashboard.url}${pathOf(USUAL)}`)
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
  const month = { path: pathOf(FULL), card: CARD }
  const renders: number[] = []
  for (let run = 0; run < runs; run++) renders.push(await renderTime(site, month))

  const page = await newPage(site)
  const moved = await moveCards(page, site, month)
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
      drawnRow(renders),
      ['scroll of the list, frames a second', perSecond(scrolled), '≥ 58', perSecond(floor)],
      ...moveRows(moved, floor),
    ],
  )
}
