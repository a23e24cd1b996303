import { afterAll, beforeAll, expect, test } from 'vitest'
import { testBrowser } from '../../_util/browser/browser.ts'
import { type Dashboard, startDashboard } from '../../_util/browser/dashboard.ts'
import { card, free } from '../../_util/browser/dashboard-connections.ts'

/** Both apps of a network with two ways to sign in are set up. Its own pages are not reached. */

const browser = testBrowser()
let dashboard: Dashboard
beforeAll(async () => {
  const app = (name: string) => ({
    [`ALMANAC_INSTAGRAM_${name}_ID`]: 'app',
    [`ALMANAC_INSTAGRAM_${name}_SECRET`]: 'secret',
  })
  dashboard = await startDashboard(browser, { ...app('CLIENT'), ...app('LOGIN_CLIENT') })
}, 180_000)
afterAll(() => dashboard?.stop())

test('each way says whom it is for, and leads to its own pages', async () => {
  await free(dashboard, 'INSTAGRAM')
  const page = await dashboard.open('/dashboard/connections', { signedIn: true })
  const leadTo: string[] = []
  await page.route(/^https:\/\/www\.(facebook|instagram)\.com\//, async (route) => {
    leadTo.push(new URL(route.request().url()).host)
    await route.fulfill({ contentType: 'text/html', body: '<h1>There</h1>' })
  })
  for (const [way, sentence] of [
    ['With Facebook', 'linked to a Facebook Page'],
    ['With Instagram', 'Needs no Facebook Page.'],
  ] as const) {
    await page.goto(`${dashboard.url}/dashboard/connections`)
    await card(page, 'Instagram').getByRole('button', { name: 'Connect Instagram' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText(sentence).waitFor()
    await dialog.getByRole('radio', { name: way }).check()
    await dialog.getByRole('button', { name: 'Continue to Instagram' }).click()
    await page.getByRole('heading', { name: 'There' }).waitFor()
  }
  expect(leadTo).toEqual(['www.facebook.com', 'www.instagram.com'])
})
