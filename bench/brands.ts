import { MANY, makeManyBrands } from '../test/_util/browser/many-brands.ts'
import {
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
  type Site,
  scroll,
} from './browser-work.ts'
import { printTable } from './measure.ts'

const runs = readRuns()

/** An address that names no brand is the calendar of all. */
const MONTH = { path: `/dashboard/scheduling/calendar/month?date=${MANY.month}-15`, card: /of many/ }

await atSite(async (anywhere) => {
  await makeManyBrands(anywhere.dashboard)
  for (const zone of ['Asia/Tokyo', 'Europe/Berlin']) {
    const site = { ...anywhere, zone }
    const what = `${zone}: all of ${MANY.brands} brands, ${MANY.posts} posts in the month`
    await measureLoads(site, { what, path: MONTH.path, shift: 0.02, runs })
    await measureMoves(site)
  }
})

/** How soon the month is drawn, and a card of it moved, on this machine as it is. */
async function measureMoves(site: Site & { zone: string }): Promise<void> {
  const renders: number[] = []
  for (let run = 0; run < runs; run++) renders.push(await renderTime(site, MONTH))

  const page = await newPage(site)
  const moved = await moveCards(page, site, MONTH)
  await page.goto(`${site.dashboard.url}${FLOOR}`)
  const floor = await framesOf(page, () => scroll(page))
  await page.context().close()

  printTable(
    `${site.zone}: the same on this machine as it is (floor: the wheel over ${FLOOR})`,
    ['figure', 'measured', 'goal', 'floor'],
    [drawnRow(renders), ...moveRows(moved, floor)],
  )
}
