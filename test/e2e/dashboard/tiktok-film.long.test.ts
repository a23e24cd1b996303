import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testBrowser } from '../../_util/browser/browser.ts'
import { type Dashboard, settled } from '../../_util/browser/dashboard.ts'
import { joinDashboard } from '../../_util/browser/dashboard-of-worker.ts'
import { chooseAudience, openTikTok, tiktokBrand } from '../../_util/browser/tiktok-form.ts'

/**
 * The pictures that the demo video of TikTok's audit needs, in its order, from the empty form to the result. They are written
 * to `ALMANAC_TEST_FILM`, a folder; without it they are only taken.
 */

const browser = testBrowser()
let dashboard: Dashboard
beforeAll(async () => {
  dashboard = await joinDashboard(browser)
}, 120_000)
afterAll(() => dashboard?.stop())

test('the form of the audit as a strip of pictures', async () => {
  const folder = process.env.ALMANAC_TEST_FILM
  if (folder) await mkdir(folder, { recursive: true })
  const brand = await tiktokBrand(dashboard, 'Corner Bakery [[account:no-stitches]]')
  const { page, dialog } = await openTikTok(dashboard, brand)
  const taken: string[] = []
  const take = async (name: string) => {
    await settled(page)
    const file = `${String(taken.length + 1).padStart(2, '0')}-${name}.png`
    const bytes = await page.screenshot(folder ? { path: join(folder, file) } : {})
    expect(bytes.length, file).toBeGreaterThan(10_000)
    taken.push(file)
  }
  await dialog.getByText('Posts as Corner Bakery').waitFor()
  await take('whose-post-it-is')
  const audience = dialog.getByRole('combobox', { name: 'Who can see the posts' })
  await audience.click()
  await page.getByRole('listbox').getByRole('option').first().waitFor()
  await take('audiences-none-chosen')
  await page.keyboard.press('Escape')
  await chooseAudience(page, dialog, 'Only the account itself')
  await dialog.getByRole('switch', { name: 'Allow comments' }).check()
  await take('switches')
  const disclosure = dialog.getByRole('switch', { name: 'Disclose commercial content' })
  await disclosure.check()
  await disclosure.scrollIntoViewIfNeeded()
  await dialog.getByRole('button', { name: 'Schedule', exact: true }).hover()
  await page.getByRole('tooltip').waitFor()
  await take('disclosure-without-a-box')
  await dialog.getByRole('checkbox', { name: 'Your brand' }).check()
  await take('promotional-content')
  await dialog.getByRole('checkbox', { name: 'Branded content' }).check()
  await take('branded-content-clears-private')
  await audience.click()
  await page.getByRole('option', { name: 'Only the account itself' }).hover()
  await page.getByRole('tooltip').waitFor()
  await take('private-is-greyed')
  await page.keyboard.press('Escape')
  await chooseAudience(page, dialog, 'Everyone')
  await take('declaration-above-the-button')
  await dialog.getByRole('button', { name: 'More options' }).click()
  await page.getByRole('menuitem', { name: /^Publish now/ }).click()
  await page
    .getByRole('button', { name: /^Publish/ })
    .last()
    .click()
  await dialog.waitFor({ state: 'hidden' })
  const { data } = await dashboard.seed.call('GET', `/v1/post-sets?socialSetId=${brand}`)
  const set = await dashboard.seed.until(`/v1/post-sets/${data[0].id}`, ({ status }) => status === 'PUBLISHED')
  expect(set.posts[0].result.status).toBe('POSTED')
  const date = set.scheduledAt.slice(0, 10)
  await page.goto(`${dashboard.url}/dashboard/scheduling/calendar/month?set=${brand}&date=${date}&post=${set.id}`)
  await page.getByText('It may take a few minutes for the content to process and be visible on the profile.').waitFor()
  await take('published')
  expect(taken).toHaveLength(9)
})
