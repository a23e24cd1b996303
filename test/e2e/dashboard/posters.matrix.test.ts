import type { Locator, Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { lookAt } from '../../_util/api/posters.ts'
import { testBrowser } from '../../_util/browser/browser.ts'
import type { Dashboard } from '../../_util/browser/dashboard.ts'
import { calendarPath, card } from '../../_util/browser/dashboard-calendar.ts'
import { expectNoAxeInBothColors } from '../../_util/browser/dashboard-checks.ts'
import { chooseAccounts, composer, saveDraft, showUploads } from '../../_util/browser/dashboard-composer.ts'
import { joinDashboard } from '../../_util/browser/dashboard-of-worker.ts'
import { readFixture } from '../../_util/networks/file-server.ts'

/** A video that is uploaded has a picture wherever it is shown, or the play sign, its length and its name. */

const browser = testBrowser()
let dashboard: Dashboard
beforeAll(async () => {
  dashboard = await joinDashboard(browser)
}, 120_000)

const DAY = '2030-06-12'
const openNew = () =>
  dashboard.open(calendarPath('month', { date: DAY, post: 'new', at: `${DAY}T10:00:00.000Z` }), { signedIn: true })
const film = async (name: string) => ({ name, mimeType: 'video/webm', buffer: await readFixture('video-vp9.webm') })
const choose = async (page: Page, name: string) =>
  composer(page)
    .locator('input[type="file"]')
    .setInputFiles(await film(name))
const tile = (page: Page) => composer(page).getByRole('button', { name: /^Video 1 of 1/ })

/** The picture of an image that is drawn by now. */
async function drawn(page: Page, image: Locator): Promise<Uint8Array> {
  await expect
    .poll(() => image.evaluate((({ naturalWidth }: { naturalWidth: number }) => naturalWidth) as never))
    .toBeGreaterThan(100)
  const address = new URL((await image.getAttribute('src')) ?? '', dashboard.url)
  return (await page.request.get(address.href)).body()
}

/** What is sent of a file, in its order. */
function watchSent(page: Page): string[] {
  const sent: string[] = []
  const isPart = /\/media-upload\/(files\/)?[^/]+(\/poster)?$/
  page.on('request', (request) => {
    if (request.method() === 'PATCH' && isPart.test(request.url())) sent.push('part')
  })
  page.on('response', (response) => {
    if (response.request().method() === 'POST' && response.url().endsWith('/poster')) {
      sent.push(`poster ${response.status()}`)
    }
  })
  return sent
}

test('the browser draws a frame before the last part is sent, and everything that shows the post shows it', async () => {
  const page = await openNew()
  const sent = watchSent(page)
  await chooseAccounts(composer(page), 'Bluesky')
  await composer(page).getByLabel('Caption', { exact: true }).fill('A film of ours')
  await choose(page, 'film.webm')
  const inComposer = tile(page).locator('img')
  const picture = await drawn(page, inComposer)
  expect(sent).toEqual(['poster 204', 'part'])
  const { format, width, height, spread } = await lookAt(picture)
  expect({ format, width, height }).toEqual({ format: 'webp', width: 320, height: 180 })
  // A frame that was not there yet is of one color.
  expect(spread).toBeGreaterThan(40)
  await composer(page).getByRole('listitem').getByText('0:02').waitFor()
  await saveDraft(page)
  await composer(page).waitFor({ state: 'hidden' })
  expect(await drawn(page, card(page, 'A film of ours').locator('img'))).toEqual(picture)
  expect(await card(page, 'A film of ours').locator('svg.tabler-icon-player-play-filled').isVisible()).toBe(true)
  await page.goto(`${dashboard.url}/dashboard/drafts`)
  const row = page.getByRole('listitem').filter({ hasText: 'A film of ours' })
  expect(await drawn(page, row.locator('img'))).toEqual(picture)
  await expectNoAxeInBothColors(page)
  await page.goto(`${dashboard.url}${calendarPath('month', { date: DAY, post: 'new' })}`)
  await composer(page).getByRole('button', { name: 'Library' }).click()
  const inLibrary = page
    .getByRole('dialog', { name: 'Add pictures and videos' })
    .getByRole('checkbox', { name: /^film\.webm, video/ })
  expect(await drawn(page, inLibrary.locator('img'))).toEqual(picture)
  expect(await inLibrary.getByText('0:02').isVisible()).toBe(true)
})

/** A browser whose decoder never gives a frame. */
const SILENT = `Object.defineProperty(HTMLMediaElement.prototype, 'src', { set() {}, get: () => '' })`

test('without a frame the last part waits three seconds at most, and the video is a tile that says what it is', async () => {
  const page = await openNew()
  await page.evaluate(SILENT)
  const sent = watchSent(page)
  await chooseAccounts(composer(page), 'Bluesky')
  await composer(page).getByLabel('Caption', { exact: true }).fill('A film without a frame')
  const begun = performance.now()
  await choose(page, 'silent.webm')
  await expect.poll(() => sent, { timeout: 20_000, interval: 20 }).toEqual(['part'])
  const waited = performance.now() - begun
  expect(waited).toBeGreaterThan(2_900)
  await tile(page).waitFor()
  expect(await tile(page).locator('img').count()).toBe(0)
  const place = composer(page).getByRole('listitem').filter({ hasText: 'silent.webm' })
  for (const text of ['silent.webm', '0:02']) await place.getByText(text).waitFor()
  expect(await place.locator('svg.tabler-icon-player-play-filled').isVisible()).toBe(true)
  await expectNoAxeInBothColors(page)
  await saveDraft(page)
  await composer(page).waitFor({ state: 'hidden' })
  expect(await card(page, 'A film without').locator('svg.tabler-icon-player-play-filled').isVisible()).toBe(true)
})

test('what is paused while the last part waits for the picture sends nothing until it goes on', async () => {
  const page = await openNew()
  await page.evaluate(SILENT)
  const sent = watchSent(page)
  await choose(page, 'paused.webm')
  const tray = page.getByRole('region', { name: 'Uploads' })
  await page.waitForResponse((answer) => answer.request().method() === 'POST' && answer.url().endsWith('/files'))
  await showUploads(page)
  await tray.getByRole('button', { name: 'Pause paused.webm' }).click()
  await tray.getByRole('button', { name: 'Go on with paused.webm' }).click()
  await tray.getByText('1 file is in the library').waitFor()
  // Of the first way none: each would have sent the one part.
  expect(sent).toEqual(['part'])
})
