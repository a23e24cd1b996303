import { afterAll, beforeAll, expect, test } from 'vitest'
import { testBrowser } from '../../_util/browser/browser.ts'
import { type Dashboard, heading } from '../../_util/browser/dashboard.ts'
import { expectNoAxeViolations, expectOneHeadingAndTitle } from '../../_util/browser/dashboard-checks.ts'
import { keyboardTask } from '../../_util/browser/dashboard-keys.ts'
import { joinDashboard } from '../../_util/browser/dashboard-of-worker.ts'

/** What is around every screen: the way in and out, landmarks, and the answer to an address that leads nowhere. */

const CALENDAR = '/dashboard/scheduling/calendar/month'
const browser = testBrowser()
let dashboard: Dashboard

beforeAll(async () => {
  dashboard = await joinDashboard(browser)
  await dashboard.seed.month('2030-06', 20)
}, 120_000)

afterAll(() => dashboard?.stop())

test('somebody who is not signed in signs in, and arrives where the link led', async () => {
  const page = await dashboard.open(`${CALENDAR}?date=2030-06-12`)
  expect(new URL(page.url()).pathname).toBe('/dashboard/sign-in')
  await dashboard.fillSignIn(page)
  const { pathname, searchParams } = new URL(page.url())
  expect([pathname, searchParams.get('date')]).toEqual([CALENDAR, '2030-06-12'])
  await page.getByRole('heading', { level: 1, name: /June 2030/ }).waitFor()
})

test('a wrong password is reported in words, and the address stays filled in', async () => {
  browser.allowProblem(/^POST \S+\/internal\/session: 40[13]$/)
  const page = await dashboard.open('/dashboard/sign-in')
  await page.getByLabel('Email').fill(dashboard.owner.email)
  await page.getByLabel('Password', { exact: true }).fill('not the password')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page
    .getByRole('alert')
    .filter({ hasText: /password/i })
    .waitFor()
  expect(await page.getByLabel('Email').inputValue()).toBe(dashboard.owner.email)
  expect(new URL(page.url()).pathname).toBe('/dashboard/sign-in')
  await expectNoAxeViolations(page)
})

test('the frame has landmarks, a link past the navigation, and says where one is', async () => {
  const page = await dashboard.open(CALENDAR, { signedIn: true })
  expect(await page.getByRole('main').count()).toBe(1)
  expect(await page.getByRole('navigation').count()).toBeGreaterThan(0)
  await expectOneHeadingAndTitle(page)
  const current = page.getByRole('navigation').getByRole('link', { name: 'Calendar' })
  expect(await current.first().getAttribute('aria-current')).toBe('page')

  await page.keyboard.press('Tab')
  const skip = page.getByRole('link', { name: /^(skip|to)\b/i }).first()
  expect(await skip.evaluate((element) => element.matches(':focus'))).toBe(true)
  await page.keyboard.press('Enter')
  await expect.poll(() => page.evaluate('document.activeElement.closest("main, [role=main]") !== null')).toBe(true)
})

test('signing in and out needs no pointer', async () => {
  const page = await dashboard.open('/dashboard/sign-in')
  const keys = await keyboardTask(page)
  await keys.pressUntil('Tab', page.getByLabel('Email'), 5)
  await keys.type(dashboard.owner.email)
  await keys.pressUntil('Tab', page.getByLabel('Password', { exact: true }), 3)
  await keys.type(dashboard.owner.password)
  await keys.press('Enter')
  await page.waitForURL(/\/scheduling\/calendar\//)
  await heading(page)
  const account = page.getByRole('button', { name: /account|owner@demo/i }).first()
  // The address changes before the screen: keys that are pressed meanwhile go through the fields of the sign-in.
  await account.waitFor()
  await keys.pressUntil('Tab', account)
  await keys.press('Enter')
  const signOut = page.getByRole('menuitem', { name: 'Sign out' })
  await signOut.waitFor()
  await keys.pressUntil('ArrowDown', signOut, 10)
  await keys.press('Enter')
  await page.waitForURL(/\/sign-in/)
  await heading(page)
  keys.finish()
  // Who signed in here before stays known, which signs no one in.
  expect((await page.context().cookies()).map(({ name }) => name)).toEqual(['almanac.known_browser'])
})

test.each([
  ['an unknown path', '/dashboard/nowhere'],
  ['an unknown part of the settings', '/dashboard/settings/nowhere'],
])('%s says that nothing is there, and leads back', async (_, path) => {
  const page = await dashboard.open(path, { signedIn: true })
  await page.getByRole('heading', { level: 1, name: /not found/i }).waitFor()
  await expectNoAxeViolations(page)
  await page
    .getByRole('main')
    .getByRole('link', { name: /calendar/i })
    .click()
  await page.waitForURL(/\/scheduling\/calendar\//)
})
