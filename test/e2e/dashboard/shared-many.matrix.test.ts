import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type GuestCalendar, LIMITS } from '#contract'
import { NARROW, testBrowser } from '../../_util/browser/browser.ts'
import type { Dashboard } from '../../_util/browser/dashboard.ts'
import { joinDashboard } from '../../_util/browser/dashboard-of-worker.ts'
import { goTo, shareBrand } from '../../_util/browser/dashboard-shared.ts'

/** A month with more posts than a page of the server's answer has: guests see all, or are told how they do. */

const A_DAY = 17
const DAYS = 31
/** Of a month, so many are read. */
const MOST = 2_000

const browser = testBrowser()
let dashboard: Dashboard
let path: string
beforeAll(async () => {
  dashboard = await joinDashboard(browser)
  for (let hour = 0; hour < A_DAY; hour++) {
    const scheduledAt = `2031-03-01T${String(5 + hour).padStart(2, '0')}:00:00Z`
    const repeat = { interval: 'DAY', occurrences: DAYS }
    await dashboard.seed.postSet({ caption: `Hour ${hour}`, scheduledAt, repeat })
  }
  ;({ path } = await shareBrand(dashboard))
}, 180_000)
afterAll(() => dashboard?.stop())

const posts = (page: Page) => page.getByRole('main').getByRole('link', { name: /Hour \d/ })
const isPage = (address: URL) => address.pathname.endsWith('/calendar')
const SAID = 'There are more posts than fit here. Choose a week or a brand to see all.'

test.each([
  ['month', {}],
  ['list', { viewport: NARROW }],
] as const)('every post of the month is in the %s', async (view, options) => {
  const page = await dashboard.open(path, options)
  await goTo(page, `view=${view}&date=2031-03-12`)
  await expect.poll(() => posts(page).count(), { timeout: 20_000 }).toBe(A_DAY * DAYS)
  expect(await page.getByText(SAID).count()).toBe(0)
})

test('of a month that has no end a part is read, and the page says how to see the rest', async () => {
  const page = await dashboard.open(path)
  let full: GuestCalendar | undefined
  let pages = 0
  await page.route(isPage, async (route) => {
    full ??= (await (await route.fetch()).json()) as GuestCalendar
    pages += 1
    const cards = full.cards.map((card) => ({ ...card, id: `${card.id}-${pages}` }))
    await route.fulfill({ json: { ...full, cards, next: 'and so on' } })
  })
  await goTo(page, 'view=month&date=2031-03-12')
  await page.getByText(SAID).waitFor({ timeout: 60_000 })
  expect(pages).toBe(MOST / LIMITS.guestVisits.cardsPerPage)
  await page.unroute(isPage)
  await goTo(page, 'view=week&date=2031-03-12')
  await expect.poll(() => posts(page).count(), { timeout: 20_000 }).toBe(A_DAY * 7)
  expect(await page.getByText(SAID).count()).toBe(0)
})
