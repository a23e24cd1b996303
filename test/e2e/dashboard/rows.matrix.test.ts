import { afterAll, beforeAll, expect, test } from 'vitest'
import { testBrowser } from '../../_util/browser/browser.ts'
import { type Dashboard, settled } from '../../_util/browser/dashboard.ts'
import { box, calendarPath, cardOn, day } from '../../_util/browser/dashboard-calendar.ts'
import { joinDashboard } from '../../_util/browser/dashboard-of-worker.ts'

/** How high the rows of a month are, and what stands on the lines of lists and of the rail. */

const browser = testBrowser()
let dashboard: Dashboard
beforeAll(async () => {
  dashboard = await joinDashboard(browser)
}, 120_000)
afterAll(() => dashboard?.stop())

test('weeks that are over and had no posts leave their room to the others', async () => {
  const at = (hour: number) => `2026-10-28T${String(hour).padStart(2, '0')}:00:00Z`
  for (const hour of [6, 7, 8, 9, 10, 11, 12, 13])
    await dashboard.seed.postSet({ caption: `At ${hour}`, scheduledAt: at(hour) })
  const page = await dashboard.open(calendarPath('month', { date: '2026-10-28' }), { signedIn: true })
  await cardOn(page, '2026-10-28', 'At 6').waitFor()
  const heights = await Promise.all(
    ['2026-09-28', '2026-10-06', '2026-10-14', '2026-10-22', '2026-10-28'].map(
      async (date) => (await box(day(page, date))).height,
    ),
  )
  expect(heights.slice(0, 4)).toEqual([64, 64, 64, 64])
  expect(heights[4]).toBeGreaterThan(400)
  expect(await day(page, '2026-10-28').locator('[data-item^="card-"]').count()).toBe(8)
  // A day of a low row can be pressed, too.
  const low = await box(day(page, '2026-10-14'))
  await page.mouse.click(low.x + low.width / 2, low.y + 50)
  await page.getByRole('dialog', { name: 'New post' }).waitFor()
})

test('the signs of a list stand in the middle of their row', async () => {
  await dashboard.seed.postSet({ caption: 'On the line', scheduledAt: '2030-03-06T10:00:00Z' })
  const page = await dashboard.open(calendarPath('list', { date: '2030-03-06' }), { signedIn: true })
  const row = page.getByRole('row', { name: /On the line/ })
  await row.waitFor()
  await settled(page)
  const off = await row.evaluate((found: Row) => {
    const middle = (element: Element) => {
      const { top, height } = element.getBoundingClientRect()
      return top + height / 2
    }
    return [...found.querySelectorAll('td:not(:first-child) svg')].map((sign) => Math.abs(middle(sign) - middle(found)))
  })
  expect(off.length).toBeGreaterThanOrEqual(3)
  for (const px of off) expect(px).toBeLessThanOrEqual(1)
})

interface Element {
  getBoundingClientRect(): { top: number; height: number }
}
interface Row extends Element {
  querySelectorAll(selector: string): Iterable<Element>
}

test.each([7, 12, 99, 120])('%i news stay within the rail, and within the corner of a phone', async (unread) => {
  const page = await dashboard.open('/dashboard/settings/labels', { signedIn: true })
  await page.route(/\/internal\/news\/unread/, (route) => route.fulfill({ json: { unread } }))
  await page.reload()
  const bell = page.getByRole('button', { name: /^News/ })
  const badge = bell.locator('.mantine-Badge-root')
  const inside = async () => {
    const [around, own] = [await box(bell), await box(badge)]
    expect(own.x + own.width).toBeLessThanOrEqual(around.x + around.width)
    expect(own.x).toBeGreaterThanOrEqual(around.x)
  }
  await badge.waitFor()
  await inside()
  await page.setViewportSize({ width: 390, height: 844 })
  await badge.waitFor()
  await inside()
})
