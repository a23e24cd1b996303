import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { testBrowser } from '../../_util/browser/browser.ts'
import { expectNoAxeViolations } from '../../_util/browser/dashboard-checks.ts'
import { dashboardOnDatabase } from '../../_util/browser/dashboard-on-database.ts'

/** A clock that has jumped ahead, as people see it. */

const browser = testBrowser()
const started = dashboardOnDatabase(browser)

const CALENDAR = '/dashboard/scheduling/calendar/list'

/** Steps the database's clock, and waits until the worker has noticed. */
async function stepClock(ms: number): Promise<void> {
  await sql`create or replace function almanac_now() returns timestamptz language sql stable parallel safe
    return date_trunc('milliseconds', clock_timestamp()) + ${sql.lit(`${ms} milliseconds`)}::interval`.execute(
    started.db,
  )
  const isAhead = async () => {
    const { rows } = await sql<{ ahead: boolean }>`
      select clock_ahead_ms is not null as ahead from heartbeat`.execute(started.db)
    return rows[0]?.ahead
  }
  await expect.poll(isAhead, { timeout: 20_000 }).toBe(ms > 0)
}

const bellOf = (page: Page) => page.getByRole('button', { name: /^News/ })
const unreadOf = async (page: Page) => Number(/\d+/.exec((await bellOf(page).textContent()) ?? '')?.[0] ?? 0)

test('all see that the clock has jumped, operators at the bell too and what to do, until it is right', async () => {
  const editor = await started.dashboard.newMember({ role: 'editor' })
  const page = await started.dashboard.open(CALENDAR, { signedIn: true })
  await bellOf(page).waitFor()
  const before = await unreadOf(page)
  await stepClock(7_200_000)
  const theirs = await started.dashboard.open(CALENDAR, { signedIn: editor })
  const seen = theirs.getByRole('region', { name: 'The clock has jumped ahead' })
  await seen.getByText('The clock of Almanac has jumped ahead by 2 hours.').waitFor()
  await seen.getByText('The person who operates Almanac can set the clock right').waitFor()

  await page.reload()
  const banner = page.getByRole('region', { name: 'The clock has jumped ahead' })
  await banner.getByText('almanac clock believe').waitFor()
  await expectNoAxeViolations(page, 'a clock that has jumped')
  await expect.poll(() => unreadOf(page)).toBe(before + 1)
  await bellOf(page).click()
  const drawer = page.getByRole('dialog', { name: 'News' })
  await drawer.getByText('The clock of Almanac has jumped ahead by 2 hours.').waitFor()
  await expectNoAxeViolations(page, 'the bell in a jump')
  await page.keyboard.press('Escape')

  await stepClock(0)
  await page.reload()
  await bellOf(page).waitFor()
  await expect.poll(() => unreadOf(page)).toBe(before)
  expect(await banner.count()).toBe(0)
}, 90_000)
