import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { testBrowser } from '../../_util/browser/browser.ts'
import { type Dashboard, settled, startDashboard } from '../../_util/browser/dashboard.ts'
import {
  expectEveryLook,
  expectNoAxeInBothColors,
  expectNoAxeViolations,
  expectNoSidewaysScroll,
  LOOKS,
} from '../../_util/browser/dashboard-checks.ts'
import { free } from '../../_util/browser/dashboard-connections.ts'
import { enter, KNOWN, openApp, openOf, PATH, startTokenNetwork } from '../../_util/browser/dashboard-network-apps.ts'

/** The screen of the operator's apps in every look, and what it says when something is wrong. */

const browser = testBrowser()
let network: Awaited<ReturnType<typeof startTokenNetwork>>
let dashboard: Dashboard
beforeAll(async () => {
  network = await startTokenNetwork()
  dashboard = await startDashboard(browser, {
    ...network.settings,
    ALMANAC_PINTEREST_CLIENT_ID: 'of-the-environment',
    ALMANAC_PINTEREST_CLIENT_SECRET: 'hush-of-the-environment',
    ALMANAC_TIKTOK_CLIENT_KEY: 'half-of-one',
  })
}, 120_000)
afterAll(async () => {
  await dashboard?.stop()
  await network?.close()
})

const open = () => dashboard.open(PATH, { signedIn: true })

test('the screen is accessible in every look', async () => {
  await expectEveryLook(await open())
})

test('it is a short list with a logo in each line, of which one is open at a time', async () => {
  const page = await open()
  const lines = page.getByRole('list', { name: 'Network apps' }).getByRole('listitem')
  await lines.first().waitFor()
  const count = await lines.count()
  expect(count).toBeGreaterThan(8)
  for (const line of await lines.all()) expect(await line.locator('svg').first().isVisible()).toBe(true)
  // Eleven cards with a filled button each were 3,310 px.
  expect(await page.evaluate<number>('document.documentElement.scrollHeight')).toBeLessThan(1_000)
  expect(await page.getByRole('button', { name: /^Enter id and secret/ }).count()).toBe(0)
  await openApp(page, 'Threads')
  await openApp(page, 'Facebook')
  expect(await page.getByRole('button', { expanded: true }).allTextContents()).toEqual([
    expect.stringMatching(/^Facebook/),
  ])
  expect(await openOf(page, 'Threads').count()).toBe(0)
  await page.getByRole('button', { name: /^Facebook /, expanded: true }).press('Enter')
  expect(await openOf(page, 'Facebook').count()).toBe(0)
  await settled(page)
  await expectNoAxeViolations(page)
})

describe.each(LOOKS)('$name', (look) => {
  test('the dialog of an app and what is wrong in it', async () => {
    browser.allowProblem(/^PUT \S+\/internal\/network-apps\/threads: 40[03]$/)
    const page = await dashboard.open(`${PATH}?app=threads`, { signedIn: true, ...look })
    const dialog = page.getByRole('dialog', { name: 'App on Threads' })
    await dialog.getByText('which is not the app ID shown at its top').waitFor()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByText('Enter the id.').waitFor()
    await dialog.getByLabel('Id', { exact: true }).fill('my app')
    await dialog.getByLabel('Secret', { exact: true }).fill('hush')
    await dialog.getByLabel('Your password', { exact: true }).fill(dashboard.owner.password)
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByText(/copy it again, without spaces/).waitFor()
    await dialog.getByLabel('Id', { exact: true }).fill('app')
    await dialog.getByLabel('Your password', { exact: true }).fill('not the password')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByText('This is not your password. Try again.').first().waitFor()
    // What was typed stays.
    expect(await dialog.getByLabel('Secret', { exact: true }).inputValue()).toBe('hush')
    await settled(page)
    await expectNoAxeInBothColors(page)
    await page.setViewportSize({ width: 320, height: 844 })
    await expectNoSidewaysScroll(page)
  })
})

test('what the environment sets is shown, wins, and cannot be changed here; of a half what is missing', async () => {
  const page = await open()
  const whole = await openApp(page, 'Pinterest')
  await whole.getByText(/^Set in the environment, by ALMANAC_PINTEREST_CLIENT_ID and/).waitFor()
  await whole.getByText('of-the-environment', { exact: true }).waitFor()
  expect(await whole.getByRole('button', { name: /^(Enter|Replace|Remove)/ }).count()).toBe(0)
  const half = await openApp(page, 'TikTok')
  await half.getByText('Set only in part').waitFor()
  await half.getByText('ALMANAC_TIKTOK_CLIENT_SECRET').last().waitFor()
  expect(await half.getByRole('button', { name: 'Check TikTok' }).count()).toBe(0)
  expect(await page.content()).not.toContain('hush-of-the-environment')
})

test('a wrong id and a wrong secret are named in words, are replaced, and an app is removed', async () => {
  const page = await open()
  const card = await openApp(page, 'Threads')
  await card.getByText('Not set up.').waitFor()
  await card.getByRole('button', { name: 'Enter id and secret of Threads' }).click()
  await enter(page, dashboard, { title: 'Threads', id: 'unknown', secret: 'hush' })
  await card.getByText('Threads does not know this id. Copy it from the app once more.').waitFor()
  await card.getByRole('button', { name: 'Replace id and secret of Threads' }).click()
  await enter(page, dashboard, { title: 'Threads', id: KNOWN.id, secret: 'hush' })
  await card.getByText('The secret does not belong to this id. Copy it from the app once more.').waitFor()
  await settled(page)
  await expectNoAxeViolations(page)
  await card.getByRole('button', { name: 'Replace id and secret of Threads' }).click()
  await enter(page, dashboard, { title: 'Threads', ...KNOWN })
  await card.getByText('Threads knows this app. Id and secret are right.').waitFor()
  await page.reload()
  await openApp(page, 'Threads')
  await card.getByRole('button', { name: 'Check Threads' }).click()
  await card.getByText('Threads knows this app. Id and secret are right.').waitFor()

  await card.getByRole('button', { name: 'Remove the app on Threads' }).click()
  const ask = page.getByRole('dialog', { name: 'Remove the app on Threads?' })
  await ask.getByLabel('Your password', { exact: true }).fill(dashboard.owner.password)
  await ask.getByRole('button', { name: 'Remove' }).click()
  await card.getByText('Not set up.').waitFor()
})

test('who is no operator finds no such screen, and reads in the dialog to connect whom to ask', async () => {
  await free(dashboard, 'FACEBOOK')
  const admin = await dashboard.newMember({ role: 'admin', name: 'Grace' })
  const page = await dashboard.open(PATH, { signedIn: admin })
  await page.getByRole('heading', { name: 'Not found' }).waitFor()
  await page.goto(`${dashboard.url}/dashboard/settings/profile`)
  await page.getByRole('navigation', { name: 'Settings' }).getByText('API keys').waitFor()
  expect(await page.getByText('Network apps').count()).toBe(0)
  await page.goto(`${dashboard.url}/dashboard/connections`)
  await page.getByRole('button', { name: 'How to connect Facebook' }).click()
  const dialog = page.getByRole('dialog', { name: 'Connect Facebook' })
  await dialog.getByText(/^To connect accounts here, ask Owner of .+ to set up Facebook\.$/).waitFor()
  expect(await dialog.getByText(/CLIENT_|secret/i).count()).toBe(0)
  expect(await dialog.getByRole('link', { name: /Set up/ }).count()).toBe(0)
  await expectNoAxeViolations(page)
})
