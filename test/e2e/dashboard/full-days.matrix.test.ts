import type { Locator } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testBrowser } from '../../_util/browser/browser.ts'
import type { Dashboard } from '../../_util/browser/dashboard.ts'
import {
  box,
  calendarPath,
  card,
  cardOn,
  expectFocus,
  expectTime,
  focusOn,
} from '../../_util/browser/dashboard-calendar.ts'
import { expectNoAxeInBothColors } from '../../_util/browser/dashboard-checks.ts'
import { joinDashboard } from '../../_util/browser/dashboard-of-worker.ts'

interface Styled {
  getComputedStyle(of: unknown, part?: string): { content: string; zIndex: string; backgroundColor: string }
}

/** Days with more posts than there is room for, hours with none, and the filters that find what went wrong. */

const browser = testBrowser()
let dashboard: Dashboard
beforeAll(async () => {
  dashboard = await joinDashboard(browser)
}, 120_000)
afterAll(() => dashboard?.stop())

const seed = async (caption: string, scheduledAt: string): Promise<string> =>
  (await dashboard.seed.postSet({ caption, scheduledAt })).id

test('a card that keys move into a full day stays in sight, and moves on from there', async () => {
  for (const hour of ['06', '07', '08', '09', '10', '11', '12']) await seed(`Full ${hour}`, `2030-07-10T${hour}:00:00Z`)
  const id = await seed('On its way', '2030-07-09T16:00:00Z')
  const page = await dashboard.open(calendarPath('month', { date: '2030-07-09' }), { signedIn: true })
  await focusOn(card(page, 'On its way'))
  await page.keyboard.press('Alt+ArrowRight')
  await expectTime(dashboard.seed, id, '2030-07-10T16:00:00.000Z')
  await expectFocus(cardOn(page, '2030-07-10', 'On its way'))
  await page.keyboard.press('Alt+ArrowDown')
  await expectTime(dashboard.seed, id, '2030-07-17T16:00:00.000Z')
  await expectFocus(cardOn(page, '2030-07-17', 'On its way'))
})

test('a week does not begin with the night, and says no time over another', async () => {
  await seed('At nine', '2030-08-07T07:00:00Z')
  await seed('At nine, too', '2030-08-07T07:00:00Z')
  const page = await dashboard.open(calendarPath('week', { date: '2030-08-07' }), { signedIn: true })
  await card(page, 'At nine').waitFor()
  const six = await box(page.locator('[data-hour="6"]'))
  const lane = await box(page.locator('[data-hours][data-date="2030-08-07"]'))
  expect(six.y + six.height / 2 - lane.y).toBeLessThan(60)
  const tops = await page
    .locator('[data-hour]')
    .evaluateAll((all) => all.map((hour) => hour.getBoundingClientRect().top))
  for (const [index, top] of tops.entries())
    if (index > 0) expect(top - (tops[index - 1] ?? 0)).toBeGreaterThanOrEqual(18)
  // Nothing is drawn between cards of one time.
  const between = await page
    .locator('[class*="lane"] li')
    .filter({ hasText: 'At nine, too' })
    .evaluate(
      (item: { ownerDocument: { defaultView: Styled } }) =>
        item.ownerDocument.defaultView.getComputedStyle(item, '::before').content,
    )
  expect(between).toBe('none')
})

test('the line of the time now does not cross out the words of a card', async () => {
  const page = await dashboard.open('/dashboard/scheduling/calendar/week', { signedIn: true })
  const line = page.locator('[class*="nowLine"]')
  await line.waitFor()
  const layer = (of: Locator) =>
    of.evaluate((element: { ownerDocument: { defaultView: Styled } }) =>
      Number(element.ownerDocument.defaultView.getComputedStyle(element).zIndex),
    )
  await seed('At this time', new Date(Date.now() + 60_000).toISOString())
  const at = page.locator('[class*="lane"] li').filter({ hasText: 'At this time' })
  await at.waitFor()
  expect(await layer(line)).toBeLessThan(await layer(at))
  // A draft is not see-through either.
  await page.locator('[class*="lane"] [data-card][data-state="draft"]').first().waitFor()
  const ground = await page
    .locator('[class*="lane"] [data-card]')
    .evaluateAll((all) => all.map((each) => (globalThis as never as Styled).getComputedStyle(each).backgroundColor))
  expect(ground.length).toBeGreaterThan(0)
  for (const color of ground) expect(color).not.toMatch(/\/|rgba/)
})

test('among the filters what went wrong comes first, with its sign and color', async () => {
  const page = await dashboard.open(calendarPath('month', { date: '2030-07-09' }), { signedIn: true })
  await page.getByRole('button', { name: 'Filters' }).click()
  const filters = page.getByRole('dialog', { name: 'Filters' })
  const failed = filters.getByRole('checkbox', { name: 'Failed', exact: true })
  await failed.waitFor()
  const [window, place] = [await box(filters), await box(failed)]
  expect(place.y - window.y).toBeLessThan(140)
  const states = filters.getByRole('group', { name: 'Status' }).getByRole('checkbox')
  expect(await filters.locator('[data-state="failed"]').count()).toBe(1)
  expect(await states.count()).toBe(12)
  await expectNoAxeInBothColors(page, 'the filters')
})
