import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { testBrowser } from '../../_util/browser/browser.ts'
import { type Dashboard, settled } from '../../_util/browser/dashboard.ts'
import { calendarPath, card, cardOn, focusOn } from '../../_util/browser/dashboard-calendar.ts'
import { expectNoSidewaysScroll } from '../../_util/browser/dashboard-checks.ts'
import { joinDashboard } from '../../_util/browser/dashboard-of-worker.ts'

/** Parts of the dashboard are loaded when they are needed; the network may be gone just then. */

const browser = testBrowser()
let dashboard: Dashboard
beforeEach(() => browser.allowProblem(/ERR_INTERNET_DISCONNECTED|Failed to fetch/))
beforeAll(async () => {
  dashboard = await joinDashboard(browser)
}, 120_000)
afterAll(() => dashboard?.stop())

const month = () => calendarPath('month', { set: dashboard.socialSetId, date: '2030-06-12' })

test('the composer that is asked for without the network comes with it, and looks as it should', async () => {
  await dashboard.seed.postSet({ caption: 'There before' })
  const page = await dashboard.open(month(), { signedIn: true })
  await card(page, 'There before').waitFor()
  await settled(page)
  await page.context().setOffline(true)
  await page.getByRole('button', { name: 'New post' }).first().click()
  await page
    .getByText(/^You are offline/)
    .first()
    .waitFor()
  await card(page, 'There before').waitFor()
  expect(await page.getByText('Something went wrong').count()).toBe(0)
  await page.context().setOffline(false)
  const dialog = page.getByRole('dialog', { name: 'New post' })
  await dialog.getByLabel('Caption', { exact: true }).waitFor()
  // With its styles, too: their link was dropped when it failed, and is there again.
  const links = await page
    .locator('head link[rel="stylesheet"]')
    .evaluateAll((all: { sheet: unknown; href: string }[]) =>
      all.filter(({ sheet }) => sheet === null).map(({ href }) => href),
    )
  expect(links).toEqual([])
  await expectNoSidewaysScroll(page)
})

test.each([
  ['right after the page has come', 'You are offline'],
  ['when the page has been used for a while', 'The server cannot be reached'],
])('an action that needs more code changes nothing, %s', async (when, words) => {
  const caption = `Moved by keys ${when}`
  const { id } = await dashboard.seed.postSet({ caption })
  const page = await dashboard.open(month(), { signedIn: true })
  const before = cardOn(page, '2030-06-12', caption)
  await before.waitFor()
  await settled(page)
  if (words !== 'You are offline') {
    const used = page.waitForResponse(/message-list/)
    await page.keyboard.press('Shift')
    await used
  }
  await page.context().setOffline(true)
  await focusOn(before)
  await page.keyboard.press('Alt+ArrowRight')
  await page.getByText(words).first().waitFor()
  await before.waitFor()
  await page.context().setOffline(false)
  await page.getByText(/^You are offline/).waitFor({ state: 'hidden' })
  await before.waitFor()
  expect(await dashboard.seed.call('GET', `/v1/post-sets/${id}`)).toMatchObject({
    scheduledAt: '2030-06-12T10:00:00.000Z',
  })
})
