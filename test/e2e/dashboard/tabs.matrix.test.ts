import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testBrowser } from '../../_util/browser/browser.ts'
import { type Dashboard, heading, settled } from '../../_util/browser/dashboard.ts'
import { joinDashboard } from '../../_util/browser/dashboard-of-worker.ts'

/** Several pages of one browser: what they share are its connections and its session. */

const CALENDAR = '/dashboard/scheduling/calendar/month?date=2030-06-12'
const browser = testBrowser()
let dashboard: Dashboard

beforeAll(async () => {
  dashboard = await joinDashboard(browser)
}, 120_000)

afterAll(() => dashboard?.stop())

/** What a browser does with a page whose tab is left or chosen; here every page is in sight. */
const show = (page: Page, state: 'visible' | 'hidden') =>
  page.evaluate(`
    Object.defineProperty(document, 'visibilityState', { value: '${state}', configurable: true })
    document.dispatchEvent(new Event('visibilitychange'))
  `)

test('seven pages work, of which one is in sight', async () => {
  const context = await browser.newContext()
  await dashboard.signInByRequest(context)
  for (let number = 1; number <= 7; number++) {
    const page = await context.newPage()
    const listening = page.waitForResponse(/\/internal\/live/)
    await page.goto(`${dashboard.url}${CALENDAR}`)
    await heading(page)
    expect((await listening).status()).toBe(200)
    if (number < 7) await show(page, 'hidden')
  }
})

test('a page that comes into sight again has what happened meanwhile', async () => {
  const page = await dashboard.open(CALENDAR, { signedIn: true })
  await settled(page)
  await show(page, 'hidden')
  await dashboard.seed.month('2030-06', 3)
  await show(page, 'visible')
  await page.getByText('of a full month').first().waitFor()
})

test('a page that was left before the server listened to it has what happened meanwhile', async () => {
  const page = await dashboard.open('/dashboard/settings/labels', { signedIn: true })
  await settled(page)
  let refused = 0
  await page.route(/\/internal\/live/, (route) => {
    refused += 1
    return route.abort()
  })
  browser.allowProblem(/\/internal\/live/)
  await page.goto(`${dashboard.url}/dashboard/scheduling/calendar/month?date=2031-06-12`)
  await heading(page)
  await expect.poll(() => refused).toBeGreaterThan(0)
  await show(page, 'hidden')
  await dashboard.seed.month('2031-06', 3)
  await page.unroute(/\/internal\/live/)
  await show(page, 'visible')
  await page.getByText('of a full month').first().waitFor()
})

test('a page does nothing in the name of somebody else who has signed in meanwhile', async () => {
  const other = await dashboard.newMember({ role: 'admin', name: 'Grace Hopper' })
  const page = await dashboard.open('/dashboard/settings/labels', { signedIn: true })
  await page.getByText('Owner of Demo').first().waitFor()
  await settled(page)
  await dashboard.signInByRequest(page.context(), other)
  browser.allowProblem(/: 409$/)
  await page.getByRole('region', { name: 'New label' }).getByLabel('Name').fill('Misplaced')
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/scheduling\/calendar\//)
  await page.getByText('Grace Hopper').first().waitFor()
  expect(JSON.stringify(await dashboard.member('GET', '/internal/labels'))).not.toContain('Misplaced')
})

test('a page hears of it when another one is drawn for somebody else', async () => {
  const other = await dashboard.newMember({ role: 'editor', name: 'Joan Clarke' })
  const page = await dashboard.open('/dashboard/settings/labels', { signedIn: true })
  await page.getByText('Owner of Demo').first().waitFor()
  await settled(page)
  await dashboard.signInByRequest(page.context(), other)
  browser.allowProblem(/: 409$/)
  const second = await page.context().newPage()
  await second.goto(`${dashboard.url}${CALENDAR}`)
  await heading(second)
  await page.waitForURL(/\/scheduling\/calendar\//)
  await page.getByText('Joan Clarke').first().waitFor()
})

test('a page whose session has ended elsewhere says so, and goes on after the sign-in', async () => {
  browser.allowProblem(/401/)
  const page = await dashboard.open(CALENDAR, { signedIn: true })
  await settled(page)
  await page.context().clearCookies()
  await page.keyboard.press(']')
  await page.getByText('Your session has ended. Sign in to continue where you were.').waitFor()
  await dashboard.fillSignIn(page)
  await page.getByRole('heading', { name: 'July 2030' }).waitFor()
})
