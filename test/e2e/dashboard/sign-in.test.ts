import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { totp } from '../../_util/api/totp.ts'
import { testBrowser } from '../../_util/browser/browser.ts'
import { type Credentials, type Dashboard, heading, startDashboard } from '../../_util/browser/dashboard.ts'
import { expectNoAxeViolations, expectOneHeadingAndTitle } from '../../_util/browser/dashboard-checks.ts'
import { keyboardTask } from '../../_util/browser/dashboard-keys.ts'

/** The way in: password, second step, backup codes, and the way out. */

const SECURITY = '/dashboard/settings/security'
const browser = testBrowser()
let dashboard: Dashboard
let user: Credentials
let secret = ''
let backupCodes: string[] = []

beforeAll(async () => {
  dashboard = await startDashboard(browser)
  user = await dashboard.newMember({ role: 'editor' })
}, 120_000)

afterAll(() => dashboard?.stop())

/** Signing in wrongly is reported by 401. */
const allowRefusals = () => browser.allowProblem(/^POST \S+\/internal\/session(\/second-step)?: 401$/)

async function openSecondStep(): Promise<Page> {
  const page = await dashboard.open(`${SECURITY}?from=link`)
  await page.getByLabel('Email').fill(user.email)
  await page.getByLabel('Password', { exact: true }).fill(user.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { level: 1, name: 'Second step' }).waitFor()
  return page
}

test('what is missing is reported on top and at the fields', async () => {
  const page = await dashboard.open('/dashboard/sign-in')
  await page.getByRole('button', { name: 'Sign in' }).click()
  const summary = page.getByRole('alert')
  expect(await summary.textContent()).toContain('2 problems')
  await expect.poll(() => summary.evaluate((element) => element.matches(':focus'))).toBe(true)
  await summary.getByRole('button', { name: 'Enter your password.' }).click()
  const password = page.getByLabel('Password', { exact: true })
  expect(await password.evaluate((element) => element.matches(':focus'))).toBe(true)
  expect(await password.getAttribute('aria-invalid')).toBe('true')
  const message = page.locator(`[id="${(await password.getAttribute('aria-describedby'))?.split(' ').at(-1)}"]`)
  expect(await message.textContent()).toBe('Enter your password.')
  await expectNoAxeViolations(page)
})

test('password managers know the fields, and the password can be shown', async () => {
  const page = await dashboard.open('/dashboard/sign-in')
  expect(await page.getByLabel('Email').getAttribute('autocomplete')).toBe('username')
  const password = page.getByLabel('Password', { exact: true })
  expect(await password.getAttribute('autocomplete')).toBe('current-password')
  expect(await password.getAttribute('type')).toBe('password')
  await page.getByRole('button', { name: 'Show password' }).click()
  expect(await password.getAttribute('type')).toBe('text')
})

test('a second step is set up with an app, and its backup codes are shown once', async () => {
  const page = await dashboard.open('/dashboard/sign-in')
  await dashboard.signIn(page, user)
  await page.goto(`${dashboard.url}${SECURITY}`)
  await page.getByRole('button', { name: 'Set up' }).click()
  await page.getByLabel('Your password').fill(user.password)
  await page.getByRole('button', { name: 'Continue' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add Almanac to your app' })
  await dialog.getByRole('img', { name: 'QR code for your authenticator app' }).waitFor()
  await expectNoAxeViolations(page)
  secret = (await dialog.getByLabel('Or enter this secret in the app').inputValue()).replaceAll(' ', '')
  await dialog.getByLabel('Code', { exact: true }).fill(totp(secret))
  await dialog.getByRole('button', { name: 'Turn on' }).click()
  const codes = page.getByRole('dialog', { name: 'Save your backup codes' })
  await codes.waitFor()
  backupCodes = await codes.getByRole('list', { name: 'Backup codes' }).getByRole('listitem').allTextContents()
  expect(backupCodes).toHaveLength(10)
  await expectNoAxeViolations(page)
  const download = page.waitForEvent('download')
  await codes.getByRole('button', { name: 'Download' }).click()
  expect((await download).suggestedFilename()).toBe('almanac-backup-codes.txt')
  await codes.getByRole('button', { name: 'I saved them' }).click()
  await page.getByText('10 backup codes left.').waitFor()
})

test('a code is asked for after the password, and the way leads to where the link went', async () => {
  allowRefusals()
  const page = await openSecondStep()
  await expectOneHeadingAndTitle(page)
  const code = page.getByLabel('Code')
  expect(await code.getAttribute('autocomplete')).toBe('one-time-code')
  expect(await code.evaluate((element) => element.matches(':focus'))).toBe(true)
  await code.fill('000000')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('alert').filter({ hasText: 'That code is wrong' }).waitFor()
  await expectNoAxeViolations(page)
  // The one of now was used to set it up.
  await code.fill(totp(secret, 1))
  await page.keyboard.press('Enter')
  await page.waitForURL((address) => address.pathname === SECURITY)
  expect(new URL(page.url()).searchParams.get('from')).toBe('link')
})

test('a backup code signs in as well', async () => {
  const page = await openSecondStep()
  await page.getByRole('button', { name: 'Use a backup code' }).click()
  await page.getByLabel('Backup code').fill(backupCodes[0]?.toUpperCase() ?? '')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByText('9 backup codes left.').waitFor()
})

test('signing in with both steps, switching the second off, and signing out needs no pointer', async () => {
  const page = await dashboard.open(SECURITY)
  const keys = await keyboardTask(page)
  await keys.pressUntil('Tab', page.getByLabel('Email'), 3)
  await keys.type(user.email)
  await keys.press('Tab')
  await keys.type(user.password)
  await keys.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Second step' }).waitFor()
  await keys.pressUntil('Tab', page.getByRole('button', { name: 'Use a backup code' }), 5)
  await keys.press('Enter')
  await expect.poll(() => page.getByLabel('Backup code').evaluate((element) => element.matches(':focus'))).toBe(true)
  await keys.type(backupCodes[1] ?? '')
  await keys.press('Enter')
  const off = page.getByRole('button', { name: 'Turn off' })
  await off.waitFor()
  await keys.pressUntil('Tab', off, 40)
  await keys.press('Enter')
  await expect.poll(() => page.getByLabel('Your password').evaluate((element) => element.matches(':focus'))).toBe(true)
  await keys.type(user.password)
  await keys.press('Enter')
  await page.getByRole('button', { name: 'Set up' }).waitFor()
})

test('who is signed in and opens the sign-in goes to the calendar; who signs out does not come back by it', async () => {
  // What the calendar asked for while its member left.
  browser.allowProblem(/^GET \S+\/internal\/\S+: 401$/)
  const page = await dashboard.open('/dashboard/sign-in', { signedIn: true })
  await page.waitForURL(/\/scheduling\/calendar\//)
  await heading(page)
  await page.getByRole('button', { name: /owner of demo/i }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.waitForURL(/\/sign-in/)
  await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()
  // The page leaves again before it has loaded, at times before it is begun: `goBack` takes that for a fault.
  const leaving = page.waitForEvent('framenavigated')
  await page.evaluate('void setTimeout(() => history.back())')
  await leaving
  await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()
})

test('a link cannot send anybody to another site after signing in', async () => {
  const page = await dashboard.open(`/dashboard/sign-in?return=${encodeURIComponent('//elsewhere.test/')}`)
  await dashboard.fillSignIn(page)
  await page.waitForURL(/\/scheduling\/calendar\/month/)
  expect(new URL(page.url()).origin).toBe(dashboard.url)
})
