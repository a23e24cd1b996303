import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { NARROW, type PageOptions, testBrowser, WIDE } from '../../_util/browser/browser.ts'
import { type Dashboard, settled } from '../../_util/browser/dashboard.ts'
import { expectNoAxeViolations, expectNoSidewaysScroll } from '../../_util/browser/dashboard-checks.ts'
import { joinDashboard } from '../../_util/browser/dashboard-of-worker.ts'

/** The screen of plan and usage when a plan is nearly and wholly used up. */

const browser = testBrowser()
let dashboard: Dashboard
beforeAll(async () => {
  dashboard = await joinDashboard(browser)
}, 120_000)
afterAll(() => dashboard?.stop())

/** The screen as it is for an account of which other numbers are used. */
async function openWith(usage: object, options: PageOptions = {}): Promise<Page> {
  const context = await browser.newContext(options)
  await dashboard.signInByRequest(context)
  await context.route('**/internal/usage', async (route) => {
    const answer = await route.fetch()
    await route.fulfill({ response: answer, json: { ...((await answer.json()) as object), ...usage } })
  })
  const page = await context.newPage()
  await page.goto(`${dashboard.url}/dashboard/settings/plan`)
  await page.getByRole('region', { name: 'Usage' }).waitFor()
  return page
}

const TIGHT = {
  plan: 'FREE',
  postSets: { used: 8, limit: 10 },
  uploadBytes: { used: 500_000_000, limit: 500_000_000 },
  storageBytes: { used: 390_000_000, limit: 500_000_000 },
  socialSets: { used: 3, limit: 1 },
  features: ['apiAccess'],
}

test.each([
  ['light, wide', { colorScheme: 'light', viewport: WIDE }],
  ['light, narrow', { colorScheme: 'light', viewport: NARROW }],
  ['dark, wide', { colorScheme: 'dark', viewport: WIDE }],
  ['dark, narrow', { colorScheme: 'dark', viewport: NARROW }],
] as const)('%s: what is nearly used up is warned of, of what is used up is said what still works', async (_, look) => {
  const page = await openWith(TIGHT, look)
  await page.getByText('The account is on the plan Free.').waitFor()
  const usage = page.getByRole('region', { name: 'Usage' })
  for (const words of ['8 of 10', '500 MB of 500 MB', '390 MB of 500 MB', '3 of 1']) {
    await usage.getByText(words, { exact: true }).waitFor()
  }
  expect(await usage.getByText('80% or more is used.').count()).toBe(1)
  await usage
    .getByText(/^Nothing more can be imported this month\. Everything in the media library can still be used/)
    .waitFor()
  await usage.getByText('No more brands can be created. Existing brands work as before.').waitFor()
  await page.getByText('Video: not included').waitFor()
  await page.getByText('API: included').waitFor()
  await settled(page)
  await expectNoAxeViolations(page)
  await page.setViewportSize({ width: 320, height: 844 })
  await expectNoSidewaysScroll(page)
})

test('a number without a limit has no bar', async () => {
  const page = await openWith({ postSets: { used: 1_234, limit: null } })
  await page.getByText('1,234, no limit').waitFor()
  expect(await page.getByRole('progressbar', { name: 'Posts created this month' }).count()).toBe(0)
})
