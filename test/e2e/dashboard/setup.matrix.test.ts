import { afterAll, beforeAll, expect, test } from 'vitest'
import { testBrowser, WIDE } from '../../_util/browser/browser.ts'
import { buildDashboard, heading } from '../../_util/browser/dashboard.ts'
import {
  expectNoAxeViolations,
  expectNoSidewaysScroll,
  expectOneHeadingAndTitle,
} from '../../_util/browser/dashboard-checks.ts'
import { AT_TERMINAL, makeDataDir, type RunningAlmanac, startAlmanac } from '../../_util/processes/app.ts'

/** An installation that is not set up yet, from the address that its start prints to a terminal to the first calendar. */

const browser = testBrowser()
let data: { path: string; remove(): Promise<void> }
let almanac: RunningAlmanac
let address = ''

beforeAll(async () => {
  await buildDashboard()
  data = await makeDataDir()
  almanac = await startAlmanac({
    settings: {
      ALMANAC_DATA_DIR: data.path,
      ALMANAC_PORT: '0',
      ALMANAC_SANDBOX: 'off',
      ALMANAC_LOG_LEVEL: 'warn',
      ...AT_TERMINAL,
    },
  })
  address = /\S+\/dashboard\/setup#code=\S+/.exec(almanac.stdout())?.[0] ?? ''
}, 120_000)

afterAll(async () => {
  await almanac?.stop()
  await data?.remove()
})

/** As it is opened, it is in accessibility.matrix. */
const LOOKS = [
  { colorScheme: 'light', viewport: WIDE },
  { colorScheme: 'dark', viewport: { width: 320, height: 640 } },
] as const
const allowAsking = () => browser.allowProblem(/^GET \S+\/internal\/session: 401$/)

test.each(LOOKS)('the page to set up with what is missing looks right %j', async (look) => {
  allowAsking()
  const page = await browser.newPage(look)
  await page.goto(address)
  await heading(page)
  await expectOneHeadingAndTitle(page)
  await page.getByRole('button', { name: 'Create account' }).click()
  await page.getByRole('alert').waitFor()
  await expectNoAxeViolations(page)
  await expectNoSidewaysScroll(page)
})

test('a visitor without the code is led there and asked for it', async () => {
  allowAsking()
  browser.allowProblem(/^POST \S+\/internal\/setup: 403$/)
  const page = await browser.newPage()
  await page.goto(`${almanac.url}/dashboard`)
  await page.waitForURL(/\/dashboard\/setup/)
  await page.getByLabel('Code').fill('not the code')
  await page.getByLabel('Your name').fill('Mallory')
  await page.getByLabel('Email').fill('mallory@example.com')
  await page.getByLabel('Password', { exact: true }).fill('a password of this year')
  await page.getByLabel('Name of the account').fill('Mallory')
  await page.getByLabel('First brand').fill('Mallory')
  await page.getByRole('button', { name: 'Create account' }).click()
  await page.getByRole('alert').filter({ hasText: 'not the one that was printed' }).waitFor()
})

test('the printed address leads to an owner, an account and its calendar', async () => {
  allowAsking()
  browser.allowProblem(/^POST \S+\/internal\/setup: 400$/)
  const page = await browser.newPage({ timezoneId: 'Europe/London' })
  await page.goto(address)
  await page.waitForURL(`${almanac.url}/dashboard/setup`)
  await page.getByLabel('Your name').fill('Ada Lovelace')
  await page.getByLabel('Email').fill('ada@example.com')
  const password = page.getByLabel('Password', { exact: true })
  expect(await password.getAttribute('autocomplete')).toBe('new-password')
  await password.fill('password1234')
  await page.getByLabel('Name of the account').fill('Engines')
  await page.getByLabel('First brand').fill('Analytical Engine')
  expect(await page.getByRole('combobox', { name: 'Time zone' }).inputValue()).toMatch(/^Europe\/London/)
  await page.getByRole('button', { name: 'Create account' }).click()
  await page.getByRole('alert').filter({ hasText: 'everybody tries first' }).waitFor()
  await password.fill('a password of this year')
  await page.getByRole('button', { name: 'Create account' }).click()
  await page.waitForURL(/\/scheduling\/calendar\/month/)
  await heading(page)
  await page.getByText('Analytical Engine').first().waitFor()

  await page.goto(address)
  await page.getByText('already set up').waitFor()
})
