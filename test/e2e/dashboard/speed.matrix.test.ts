import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { NARROW, testBrowser, WIDE } from '../../_util/browser/browser.ts'
import { type Dashboard, heading, settled, startDashboard } from '../../_util/browser/dashboard.ts'
import { calendarPath, card, cardOn, expectTime, focusOn } from '../../_util/browser/dashboard-calendar.ts'
import { observeVitals, throttle, vitals } from '../../_util/browser/dashboard-speed.ts'

/** What of the goals for speed is the same on every machine. The rest is measured by bench/dashboard.ts. */

const browser = testBrowser()
let dashboard: Dashboard
beforeAll(async () => {
  dashboard = await startDashboard(browser)
  await dashboard.seed.month('2030-06', 90)
  await dashboard.seed.month('2030-07', 500)
}, 240_000)
afterAll(() => dashboard?.stop())

/** A line on which the parts of a page come one after the other, and a processor that is as quick as it is. */
const SLOW_LINE = { cpuSlowdown: 1, megabitsPerSecond: 10, latencyMs: 150 }

async function load(path: string, viewport: { width: number; height: number }): Promise<Page> {
  const context = await browser.newContext({ viewport })
  await dashboard.signInByRequest(context)
  const page = await context.newPage()
  await observeVitals(page)
  await throttle(page, SLOW_LINE)
  await page.goto(`${dashboard.url}${path}`)
  await heading(page)
  await settled(page)
  return page
}

const MONTHS = { 'with 90 sets': '2030-06-12', 'with 500 sets': '2030-07-12', 'with none': '2031-06-12' }

describe.each([
  ['wide', WIDE],
  ['narrow', NARROW],
])('what is on a %s screen stays where it is while the rest comes', (_, viewport) => {
  test.each([
    ...Object.entries(MONTHS).map(([name, date]) => [`a month ${name}`, calendarPath('month', { date })] as const),
    ['a week', calendarPath('week', { date: '2030-06-12' })],
    ['a list of 500', calendarPath('list', { date: '2030-07-12' })],
    ['connections', '/dashboard/connections'],
    ['labels', '/dashboard/settings/labels'],
    ['team', '/dashboard/settings/team'],
    ['profile', '/dashboard/settings/profile'],
  ] as const)('%s', async (_, path) => {
    const page = await load(path, viewport)
    expect((await vitals(page)).cls).toBeLessThanOrEqual(0.05)
  })
})

describe('of 500 sets in a month', () => {
  test('the month draws four a day and a number', async () => {
    const page = await load(calendarPath('month', { date: MONTHS['with 500 sets'] }), WIDE)
    await page.getByText('of a full month').first().waitFor()
    expect(await page.locator('[data-card]').count()).toBe(31 * 4)
    expect(await page.locator('[data-more]').count()).toBe(31)
  })

  test('the list draws those that are seen, and comes to its end', async () => {
    const page = await load(calendarPath('list', { date: MONTHS['with 500 sets'] }), WIDE)
    const rows = page.getByRole('row')
    await rows.nth(5).waitFor()
    expect(await rows.count()).toBeLessThan(80)
    expect(await page.getByRole('table').getAttribute('aria-rowcount')).toBe('501')
    // The end moves away while rows turn out to be higher than they were thought to be.
    const last = async () => {
      await page.keyboard.press('End')
      return page.locator('[aria-rowindex="501"]').count()
    }
    await expect.poll(last, { timeout: 10_000 }).toBe(1)
    expect(await rows.count()).toBeLessThan(80)
  })

  test('a move draws its week again, and leaves the cards of the others as they are', async () => {
    const { id } = await dashboard.seed.postSet({ caption: 'Moved', scheduledAt: '2030-06-12T05:00:00Z' })
    const page = await dashboard.open(calendarPath('month', { date: '2030-06-12' }), { signedIn: true })
    const dayButton = (day: string, sets: number) =>
      page.getByRole('button', { name: `${day} June 2030, ${sets} posts` })
    await focusOn(card(page, 'Moved'))
    await dayButton('Wednesday, 12', 4).or(dayButton('Wednesday 12', 4)).waitFor()
    await page.evaluate(`for (const card of document.querySelectorAll('[data-card]')) card.seenBefore = true`)
    await page.keyboard.press('Alt+ArrowRight')
    await expectTime(dashboard.seed, id, '2030-06-13T05:00:00.000Z')
    await cardOn(page, '2030-06-13', 'Moved').waitFor()
    await dayButton('Wednesday, 12', 3).or(dayButton('Wednesday 12', 3)).waitFor()
    await dayButton('Thursday, 13', 4).or(dayButton('Thursday 13', 4)).waitFor()
    const again = await page.evaluate<string[]>(`[...document.querySelectorAll('[data-card]')]
      .filter((card) => !card.seenBefore)
      .map((card) => card.closest('[data-date]').dataset.date)`)
    expect(again.filter((day) => day < '2030-06-10' || day > '2030-06-16')).toEqual([])
  })
})
