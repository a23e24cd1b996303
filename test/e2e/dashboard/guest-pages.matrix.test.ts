import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { testBrowser } from '../../_util/browser/browser.ts'
import { type Dashboard, startDashboard } from '../../_util/browser/dashboard.ts'
import { expectEveryLook } from '../../_util/browser/dashboard-checks.ts'
import { shareBrand } from '../../_util/browser/dashboard-shared.ts'

/** The pages that the server writes for guests, before there is a calendar: each form of them in every look. */

const browser = testBrowser()
let dashboard: Dashboard
let brand: string
beforeAll(async () => {
  dashboard = await startDashboard(browser)
  const { data } = await dashboard.seed.call('GET', '/v1/social-sets')
  brand = data[0].name
}, 180_000)
afterAll(() => dashboard?.stop())
// That is what is looked at.
beforeEach(() => browser.allowProblem(/\/shared\/\S+: (403|404|429)$/))

/** `--canvas`, `--text` and `--accent` of the product. */
const LOOK = {
  light: { canvas: 'rgb(249, 247, 244)', text: 'rgb(31, 28, 24)', accent: 'rgb(58, 68, 194)' },
  dark: { canvas: 'rgb(25, 24, 22)', text: 'rgb(240, 237, 231)', accent: 'rgb(88, 99, 221)' },
} as const

const colorOf = (page: Page, selector: string, name: 'backgroundColor' | 'color') =>
  page.evaluate(`getComputedStyle(document.querySelector('${selector}')).${name}`)

/** In the colors of the product, without a name of the brand or the calendar, and with nothing that axe finds. */
async function expectOurLook(page: Page, what: string): Promise<void> {
  for (const [colorScheme, { canvas, text, accent }] of Object.entries(LOOK)) {
    await page.emulateMedia({ colorScheme: colorScheme as keyof typeof LOOK })
    expect([colorScheme, await colorOf(page, 'body', 'backgroundColor')]).toEqual([colorScheme, canvas])
    expect([colorScheme, await colorOf(page, 'h1', 'color')]).toEqual([colorScheme, text])
    if ((await page.getByRole('button').count()) === 0) continue
    expect([colorScheme, await colorOf(page, 'button', 'backgroundColor')]).toEqual([colorScheme, accent])
  }
  await page.emulateMedia({ colorScheme: 'light' })
  for (const control of await page.locator('button, input').all()) {
    expect((await control.boundingBox())?.height).toBeGreaterThanOrEqual(44)
  }
  const html = await page.content()
  for (const secret of [brand, 'Spring campaign']) expect(html).not.toContain(secret)
  await expectEveryLook(page, what)
}

test('the form for a passcode, a wrong one, and too many', async () => {
  const { path } = await shareBrand(dashboard, { passcode: 'open sesame' })
  const page = await dashboard.open(path)
  await expectOurLook(page, 'the form for a passcode')
  const guess = async () => {
    await page.getByLabel('Passcode').fill('open barley')
    const answer = page.waitForEvent('load')
    await page.getByRole('button', { name: 'Open the calendar' }).click()
    await answer
  }
  await guess()
  await page.getByRole('alert').getByText('That is not the passcode.').waitFor()
  await expectOurLook(page, 'a wrong passcode')
  const stopped = page.getByRole('heading', { name: 'Too many wrong passcodes' })
  while (!(await stopped.isVisible())) await guess()
  await expectOurLook(page, 'too many passcodes')
})

test('a link that has ended', async () => {
  const { path } = await shareBrand(dashboard, { lastDay: '2020-01-01' })
  const page = await dashboard.open(path)
  await page.getByRole('heading', { name: 'This calendar is not shared any more' }).waitFor()
  await expectOurLook(page, 'a link that has ended')
})
