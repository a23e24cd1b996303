import { afterAll, beforeAll, expect, test } from 'vitest'
import { testBrowser } from '../../_util/browser/browser.ts'
import type { Dashboard } from '../../_util/browser/dashboard.ts'
import { expectNoAxeViolations } from '../../_util/browser/dashboard-checks.ts'
import { joinDashboard } from '../../_util/browser/dashboard-of-worker.ts'

/** What the screen of plan and usage shows. */

const browser = testBrowser()
let dashboard: Dashboard
beforeAll(async () => {
  dashboard = await joinDashboard(browser)
}, 120_000)
afterAll(() => dashboard?.stop())

test('the plan, what is used of it, when the month ends where the viewer is, and what is included', async () => {
  const options = { signedIn: true, timezoneId: 'Asia/Kathmandu' }
  const page = await dashboard.open('/dashboard/settings/plan', options)
  await page.getByText('The account is on the plan Scale.').waitFor()
  const usage = page.getByRole('region', { name: 'Usage' })
  const keys = usage.getByRole('progressbar', { name: 'Active API keys' })
  expect(await keys.getAttribute('aria-valuetext')).toBe('10%')
  await usage.getByText('1 of 10', { exact: true }).waitFor()
  await usage.getByText('Posts created this month').waitFor()
  // Midnight in UTC is a quarter to six there.
  await usage.getByText(/1 \w+ \d{4} at 05:45 \(Asia\/Kath?mandu\)/).waitFor()
  const included = page.getByRole('region', { name: 'What the plan includes' })
  expect(await included.getByRole('listitem').allTextContents()).toHaveLength(5)
  await included.getByText('Approvals: included').waitFor()
  // The tests' plan has a rate that nothing reaches.
  await usage.getByText('Not limited', { exact: true }).waitFor()
  await page.getByText(/^almanac accounts plan \S+ PLAN$/).waitFor()
}, 60_000)

test.each(['owner', 'editor'] as const)(
  'an %s who does not run the server reads whom to ask, and no command',
  async (role) => {
    const page = await dashboard.open('/dashboard/settings/plan', { signedIn: await dashboard.newMember({ role }) })
    const change = page.getByRole('region', { name: 'Change plan' })
    await change.getByText('Ask the person who runs this server to change the plan.').waitFor()
    expect(await page.getByText(/almanac accounts/).count()).toBe(0)
    await expectNoAxeViolations(page)
  },
  60_000,
)
