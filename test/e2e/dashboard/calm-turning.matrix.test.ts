import { setTimeout as delay } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { NARROW, testBrowser, WIDE } from '../../_util/browser/browser.ts'
import { type Dashboard, settled } from '../../_util/browser/dashboard.ts'
import { calendarPath } from '../../_util/browser/dashboard-calendar.ts'
import { expectCalm } from '../../_util/browser/dashboard-checks.ts'
import { joinDashboard } from '../../_util/browser/dashboard-of-worker.ts'
import { observeVitals } from '../../_util/browser/dashboard-speed.ts'

/** Pages that are turned on a slow line: what comes later does not move what is there. */

const browser = testBrowser()
let dashboard: Dashboard
beforeAll(async () => {
  dashboard = await joinDashboard(browser)
  const { member, seed, socialSetId } = dashboard
  const { id } = await member('POST', '/internal/social-sets', { name: 'Kissaten', timezone: 'Asia/Tokyo' })
  await member('POST', '/internal/connections/sandbox', { socialSetId: id, accountTypes: ['BLUESKY'] })
  const times = [8, 12, 17].map((hour) => ({ weekday: 3, time: `${String(hour).padStart(2, '0')}:30` }))
  await member('PUT', `/internal/social-sets/${socialSetId}/saved-times`, { times })
  for (const month of ['2030-06', '2030-07', '2030-08']) await seed.month(month, 40)
  for (const day of ['06-11', '06-30', '07-02', '07-10', '07-31'])
    await seed.note({ scheduledAt: `2030-${day}T00:00:00Z`, content: `A note of ${day}` })
}, 120_000)
afterAll(() => dashboard?.stop())

/** Longer than a browser takes for the answer to a press. */
const SLOW_MS = 900

/** A calendar whose answers take their time from now on, in which it is the last day of June. */
async function openSlow(view: 'month' | 'week' | 'list', set: string | null, viewport = WIDE): Promise<Page> {
  const context = await browser.newContext({ viewport, timezoneId: 'Europe/Berlin' })
  await dashboard.signInByRequest(context)
  const page = await context.newPage()
  await page.addInitScript(`{
    const ahead = Date.parse('2030-06-28T10:00:00Z') - Date.now()
    const { instant, plainDateISO } = Temporal.Now
    Temporal.Now.instant = () => instant().add({ milliseconds: ahead })
    Temporal.Now.plainDateISO = (zone) => Temporal.Now.instant().toZonedDateTimeISO(zone).toPlainDate()
  }`)
  await observeVitals(page)
  const search = { date: '2030-08-15', ...(set ? { set } : {}) }
  await page.goto(`${dashboard.url}${calendarPath(view, search)}`)
  await page.getByText('of a full month').first().waitFor()
  await settled(page)
  await page.route(/\/internal\/(calendar|social-sets)/, async (route) => {
    await delay(SLOW_MS)
    await route.continue().catch(() => {})
  })
  return page
}

/** Each page is read for the first time. */
const TURNS: Record<'month' | 'week' | 'list', string[]> = {
  month: ['t', ']', '2', '3', '1', '['],
  week: ['t', '[', ']', '1', '2'],
  list: ['[', 't', '2', ']', ']', '3', '1'],
}

describe.each([
  ['all brands', false],
  ['one brand', true],
])('of %s', (_, single) => {
  test.each([
    ['month', WIDE],
    ['week', WIDE],
    ['list', WIDE],
    ['month', NARROW],
  ] as const)('%s', async (view, viewport) => {
    const page = await openSlow(view, single ? dashboard.socialSetId : null, viewport)
    for (const key of TURNS[view]) {
      await page.keyboard.press(key)
      await settled(page)
      await expectCalm(page, `a ${view} after ${key}`)
    }
    await page.getByText('of a full month').first().waitFor()
    await page.context().close()
  })
})
