import { afterAll, beforeAll, expect, test } from 'vitest'
import { testBrowser } from '../../_util/browser/browser.ts'
import type { Credentials, Dashboard } from '../../_util/browser/dashboard.ts'
import { expectNoAxeViolations, expectOneHeadingAndTitle } from '../../_util/browser/dashboard-checks.ts'
import { joinDashboard } from '../../_util/browser/dashboard-of-worker.ts'

/** What a member is called, and how the dashboard looks to the member. */

const PROFILE = '/dashboard/settings/profile'
const browser = testBrowser()
let dashboard: Dashboard
let member: Credentials

beforeAll(async () => {
  dashboard = await joinDashboard(browser)
  member = await dashboard.newMember({ role: 'author', name: 'Ada' })
}, 120_000)

afterAll(() => dashboard?.stop())

const open = () => dashboard.open(PROFILE, { signedIn: member })

test('the name is saved, and is in the frame at once', async () => {
  const page = await open()
  await expectOneHeadingAndTitle(page)
  const name = page.getByLabel('Your name')
  await name.fill('')
  await page.getByRole('button', { name: 'Save name' }).click()
  await page.getByRole('alert').filter({ hasText: 'Enter your name.' }).waitFor()
  await name.fill('Ada Lovelace')
  await page.getByRole('button', { name: 'Save name' }).click()
  await page.getByText('Your name is saved.').waitFor()
  await page.getByRole('button', { name: /Ada Lovelace/ }).waitFor()
  await expectNoAxeViolations(page)
})

test('a new address waits for an owner where no mail is sent, and can be taken back', async () => {
  browser.allowProblem(/^PUT \S+\/internal\/profile\/email: 403$/)
  const page = await open()
  await page.getByText('receives no mail').waitFor()
  await page.getByRole('button', { name: 'Change email' }).click()
  const email = page.getByLabel('New email')
  await email.fill('ada@example.com')
  const password = page.getByLabel('Your password')
  await password.fill('not the password')
  await page.getByRole('button', { name: 'Change email' }).click()
  await page.getByRole('alert').filter({ hasText: 'This is not your password' }).waitFor()
  await expectNoAxeViolations(page)
  await password.fill(member.password)
  await page.getByRole('button', { name: 'Change email' }).click()
  await page.getByText('An owner has to confirm the new address.').waitFor()
  await page.getByText(`An owner has to confirm ada@example.com. Until then, sign in with ${member.email}.`).waitFor()
  expect(await page.getByLabel('Your email').inputValue()).toBe(member.email)
  await expectNoAxeViolations(page)
  await page.getByRole('button', { name: 'Cancel the change' }).click()
  await page.getByText(/An owner has to confirm ada@example.com/).waitFor({ state: 'detached' })
  expect(await page.getByLabel('Your email').inputValue()).toBe(member.email)
})

test('preferences hold at once and are there the next time', async () => {
  const page = await open()
  await page.getByLabel('Appearance').selectOption('Dark')
  await page.getByLabel('Language and region').selectOption('en-US')
  await page.getByLabel('Clock').selectOption('24 hours')
  await page.getByLabel('First day of the week').selectOption('Saturday')
  const zone = page.getByRole('combobox', { name: 'Your time zone' })
  await zone.fill('Kathmandu')
  await page.getByRole('option', { name: /Kathmandu/ }).click()
  await page.getByText(/^Example: \w+day, \w+ \d+, \d{4} at \d\d:\d\d$/).waitFor()
  await page.getByLabel('Keyboard shortcuts').uncheck()
  await page.getByRole('button', { name: 'Save preferences' }).click()
  await page.getByText('Your preferences are saved.').waitFor()
  await expect.poll(() => page.evaluate('document.documentElement.dataset.mantineColorScheme')).toBe('dark')
  await expectNoAxeViolations(page)

  const again = await open()
  expect(await again.evaluate('document.documentElement.dataset.mantineColorScheme')).toBe('dark')
  expect(await again.getByLabel('First day of the week').inputValue()).toBe('saturday')
  expect(await again.getByRole('combobox', { name: 'Your time zone' }).inputValue()).toMatch(/Kathmandu/)
  expect(await again.getByLabel('Keyboard shortcuts').isChecked()).toBe(false)
})
