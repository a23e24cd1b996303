import { afterAll, beforeAll, expect, test } from 'vitest'
import { NARROW, testBrowser } from '../../_util/browser/browser.ts'
import { type Dashboard, settled } from '../../_util/browser/dashboard.ts'
import { calendarPath } from '../../_util/browser/dashboard-calendar.ts'
import { expectNoAxeViolations } from '../../_util/browser/dashboard-checks.ts'
import { joinDashboard } from '../../_util/browser/dashboard-of-worker.ts'

const browser = testBrowser()
let dashboard: Dashboard
beforeAll(async () => {
  dashboard = await joinDashboard(browser)
}, 120_000)
afterAll(() => dashboard?.stop())

test('comments and the list of people are accessible, and Escape closes the list alone', async () => {
  await dashboard.newMember({ role: 'editor', name: 'Eda Editor' })
  const { id } = await dashboard.seed.postSet({ caption: 'Talk' })
  await dashboard.member('POST', `/internal/post-sets/${id}/comments`, { text: 'Inner words', audience: 'INNER' })
  await dashboard.member('POST', `/internal/post-sets/${id}/comments`, { text: 'Shared words', audience: 'SHARED' })
  const path = calendarPath('month', { set: dashboard.socialSetId, date: '2030-06-12', post: id })
  for (const viewport of [{}, { viewport: NARROW }]) {
    const page = await dashboard.open(path, { signedIn: true, ...viewport })
    const field = page.getByLabel('Comment, team only')
    await field.pressSequentially('@Eda')
    await page.getByRole('option', { name: 'Eda Editor' }).waitFor()
    await settled(page)
    await expectNoAxeViolations(page, 'comments with the list of people')
    await page.emulateMedia({ colorScheme: 'dark' })
    await expectNoAxeViolations(page, 'comments with the list of people, dark')
    await page.keyboard.press('Escape')
    await page.getByRole('option').waitFor({ state: 'detached' })
    // What was written and the panel are still there.
    expect(await field.inputValue()).toBe('@Eda')
  }
})
