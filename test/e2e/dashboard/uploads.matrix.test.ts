import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { tusClient } from '../../_util/api/tus-client.ts'
import { videoOf } from '../../_util/api/upload-walk.ts'
import { testBrowser } from '../../_util/browser/browser.ts'
import { forgetKeptFile, slowLine, uploadInBrowser, videoFile } from '../../_util/browser/browser-upload.ts'
import { type Dashboard, startDashboard } from '../../_util/browser/dashboard.ts'
import { calendarPath, card } from '../../_util/browser/dashboard-calendar.ts'
import { expectNoAxeViolations } from '../../_util/browser/dashboard-checks.ts'
import {
  chooseAccounts,
  composer,
  openNewPost,
  saveDraft,
  showUploads,
} from '../../_util/browser/dashboard-composer.ts'
import { blankPng } from '../../_util/files/blank-png.ts'
import { readFixture } from '../../_util/networks/file-server.ts'
import { makeDataDir } from '../../_util/processes/app.ts'
import { freePort } from '../../_util/processes/ports.ts'

/** What members write and upload outlives the server, the tab and a bad line; of what cannot be used, the reason is said. */

const MB = 1_000_000
const browser = testBrowser()
let dashboard: Dashboard
let plans: Awaited<ReturnType<typeof makeDataDir>>
beforeAll(async () => {
  plans = await makeDataDir()
  const path = join(plans.path, '../plans.json')
  await writeFile(path, JSON.stringify({ SCALE: { requestsPerSecond: 1_000_000, monthlyUploadBytes: 60 * MB } }))
  dashboard = await startDashboard(browser, { ALMANAC_PORT: await freePort(), ALMANAC_PLANS: path })
}, 120_000)
afterAll(async () => {
  await dashboard?.stop()
  await plans?.remove()
})

const openNew = () =>
  dashboard.open(calendarPath('month', { date: '2030-06-12', post: 'new', at: '2030-06-12T10:00:00.000Z' }), {
    signedIn: true,
  })
const caption = (page: Page) => composer(page).getByLabel('Caption', { exact: true })
/** A server that is away is no fault of the page. */
const allowOutage = () => browser.allowProblem(/net::ERR_|: 50\d$/)

test('30 MB with the server killed twice: the same bytes come back', async () => {
  allowOutage()
  await uploadInBrowser(dashboard, { bytes: 30 * MB, bytesPerSecond: 3 * MB, timeout: 60_000 })
}, 180_000)

test('of what is typed while the server and the tab are killed, the last second is lost at most', async () => {
  allowOutage()
  const page = await openNew()
  await chooseAccounts(composer(page), 'Bluesky')
  const text = 'Every letter of this is kept in the browser, and on the server a moment later. '.repeat(4)
  const typed = async () => (await caption(page).inputValue()).length
  const typing = caption(page)
    .pressSequentially(text, { delay: 20, timeout: 60_000 })
    .catch(() => {})
  await expect.poll(typed, { interval: 20, timeout: 60_000 }).toBeGreaterThan(40)
  await dashboard.kill()
  await expect.poll(typed, { interval: 20, timeout: 60_000 }).toBeGreaterThan(100)
  const seen = await caption(page).inputValue()
  const context = page.context()
  await page.close()
  await typing
  await dashboard.startAgain()
  const after = await context.newPage()
  await after.goto(`${dashboard.url}${calendarPath('month', { date: '2030-06-12' })}`)
  const line = after.getByRole('region', { name: 'Unsaved text' })
  await line.getByText(/^“Every letter/).waitFor()
  await expectNoAxeViolations(after, 'the calendar with a text that is not saved')
  await line.getByRole('button', { name: 'Continue writing' }).click()
  const kept = await caption(after).inputValue()
  expect(text.startsWith(kept)).toBe(true)
  expect(kept.length).toBeGreaterThanOrEqual(seen.length)
  // Saved, it is offered no more.
  await saveDraft(after)
  await composer(after).waitFor({ state: 'hidden' })
  await card(after, 'Every letter').waitFor()
  await line.getByText(/^“Every letter/).waitFor({ state: 'detached' })
}, 120_000)

test('a line of 1 Mbit/s just works', async () => {
  const page = await dashboard.open('/dashboard/settings/labels', { signedIn: true })
  page.setDefaultTimeout(60_000)
  await slowLine(page, 125_000)
  await page.goto(`${dashboard.url}${calendarPath('month', { date: '2030-06-12' })}`)
  const dialog = await openNewPost(page)
  await chooseAccounts(dialog, 'Bluesky')
  await caption(page).fill('From the train')
  const video = Buffer.concat([...(await videoOf(MB))(0)])
  await dialog.locator('input[type="file"]').setInputFiles({ name: 'train.mp4', mimeType: 'video/mp4', buffer: video })
  await page.getByRole('region', { name: 'Uploads' }).getByText('1 file is in the library').waitFor()
  await dialog.getByText(/^Goes out/).waitFor()
  await saveDraft(page)
  await dialog.waitFor({ state: 'hidden' })
  await card(page, 'From the train').waitFor()
}, 180_000)

test.each([
  [1440, 900],
  [900, 500],
])('the tray is in reach in the composer at %i × %i', async (width, height) => {
  const page = await dashboard.open(calendarPath('month', { date: '2030-06-12', post: 'new' }), {
    signedIn: true,
    viewport: { width, height },
  })
  const photo = await readFixture('photo.jpg')
  const files = Array.from({ length: 8 }, (_, index) => given(`photo ${index + 1}.jpg`, photo))
  await composer(page).locator('input[type="file"]').setInputFiles(files)
  const tray = await showUploads(page)
  await tray.getByText('8 files are in the library').waitFor({ timeout: 60_000 })
  expect(await tray.getByRole('listitem').count()).toBe(8)
  // A dialog over the composer is over the tray as well.
  await composer(page).getByRole('button', { name: 'Library' }).press('Enter')
  const picker = page.getByRole('dialog', { name: 'Add pictures and videos' })
  await picker.waitFor()
  expect(await tray.evaluate(IS_ON_TOP)).toBe(false)
  await picker.getByRole('button', { name: 'Close' }).click()
  await picker.waitFor({ state: 'hidden' })
  await tray.getByRole('button', { name: 'Hide the list of uploads' }).click()
  expect(await tray.getByRole('listitem').count()).toBe(0)
  await tray.getByRole('button', { name: 'Close uploads' }).click()
  await tray.waitFor({ state: 'detached' })
})

/** Whether a click in the middle of an element would reach it. */
const IS_ON_TOP = ((element: { contains(other: unknown): boolean; getBoundingClientRect(): DOMBox }) => {
  const { x, y, width, height } = element.getBoundingClientRect()
  const { document } = globalThis as unknown as { document: { elementFromPoint(x: number, y: number): unknown } }
  return element.contains(document.elementFromPoint(x + width / 2, y + height / 2))
}) as never
interface DOMBox {
  x: number
  y: number
  width: number
  height: number
}

test('the library shows what is unfinished, and ends it', async () => {
  const { url, key, socialSetId } = dashboard
  const tus = tusClient(url, { authorization: `Bearer ${key}` })
  const { path } = await tus.begun({ socialSetId, name: 'film.mp4' }, 2 * MB)
  const page = await openNew()
  await composer(page).getByRole('button', { name: 'Library' }).click()
  const picker = page.getByRole('dialog', { name: 'Add pictures and videos' })
  await picker.getByText(/^film\.mp4: 0 of 2 MB, by /).waitFor()
  await expectNoAxeViolations(page)
  await picker.getByRole('button', { name: 'End the upload of film.mp4' }).click()
  // It is of a key, not of the member.
  const question = page.getByRole('dialog', { name: 'End the upload of film.mp4?' })
  await question.getByRole('button', { name: 'End the upload' }).click()
  await picker.getByText(/^film\.mp4: /).waitFor({ state: 'detached' })
  expect((await tus.offset(path)).status).toBe(404)
})

test('a file that the browser did not keep is asked for by its tile in the composer', async () => {
  allowOutage()
  const photo = await readFixture('photo.jpg')
  const page = await openNew()
  const bytes = /\/internal\/media-upload\/files\/[^/]+$/
  await page.route(bytes, (route) => route.abort('connectionreset'))
  await caption(page).fill('With a large file')
  await composer(page).locator('input[type="file"]').setInputFiles(given('large.jpg', photo))
  await (await showUploads(page)).getByText('It goes on by itself.').waitFor()
  await forgetKeptFile(page, 'large.jpg')
  await page.reload()
  const tile = composer(page).getByRole('listitem').filter({ hasText: 'Go on' })
  const choose = async (name: string) => {
    const asked = page.waitForEvent('filechooser')
    await tile.getByRole('button', { name: 'Go on' }).click()
    await (await asked).setFiles(given(name, photo))
  }
  await choose('other.jpg')
  await page.getByText('This is another file. Choose large.jpg to go on.').last().waitFor()
  await expectNoAxeViolations(page, 'a tile that waits for its file')
  await page.unroute(bytes)
  await choose('large.jpg')
  await composer(page)
    .getByRole('button', { name: /^Picture 1 of 1, large\.jpg/ })
    .waitFor()
})

const given = (name: string, buffer: Buffer, mimeType = 'image/jpeg') => ({ name, mimeType, buffer })

test('what cannot be used says why, and what to do', async () => {
  const page = await openNew()
  const dialog = composer(page)
  await chooseAccounts(dialog, 'Bluesky')
  const photo = await readFixture('photo.jpg')
  const refused: [ReturnType<typeof given>, string][] = [
    [given('empty.jpg', Buffer.alloc(0)), 'The file is empty. Choose another one.'],
    [given('notes.txt', Buffer.from('hello'), 'text/plain'), 'This is not a picture, video or PDF. Choose one.'],
    [
      given('page.jpg', Buffer.from('<!doctype html><html></html>')),
      'No network takes this kind of file. Export it as JPEG, PNG or MP4.',
    ],
    [given('half.jpg', photo.subarray(0, 5_000)), 'The file is damaged. Export it again, or choose another one.'],
    [
      given('bomb.png', blankPng({ width: 30_000, height: 30_000, bits: 8, interlaced: false }), 'image/png'),
      'The file is larger than 1 GB, or its picture has too many pixels. Export it smaller.',
    ],
  ]
  const count = dialog
    .getByRole('region', { name: 'Pictures and video' })
    .getByRole('heading')
    .locator('xpath=following-sibling::*')
  for (const [file, words] of refused) {
    await dialog.locator('input[type="file"]').setInputFiles(file)
    await dialog.getByText(words).first().waitFor()
    await dialog.getByText('Remove the files that cannot be used.').waitFor()
    // A browser cannot show all of them: the reason has the place of the picture.
    expect(await dialog.getByRole('listitem').filter({ hasText: words }).locator('img').count()).toBe(0)
    expect(await count.count()).toBe(0)
    await dialog.getByRole('button', { name: `Remove ${file.name}` }).click()
  }
  // The name is of another type, and the bytes can be used: they decide.
  await dialog.locator('input[type="file"]').setInputFiles(given('photo.png', photo, 'image/png'))
  await dialog.getByRole('button', { name: /^Picture 1 of 1, photo\.png/ }).waitFor()
  expect(await count.innerText()).toBe('1')
})

test('when the uploads of the month are used up, it says so', async () => {
  const page = await openNew()
  const large = await videoFile(80 * MB)
  browser.allowProblem(/\/internal\/media-upload\S*: 403$/)
  await composer(page).locator('input[type="file"]').setInputFiles(large.path)
  await composer(page)
    .getByText('The uploads of this month are used up. Wait for the next month, or ask an owner for a larger plan.')
    .first()
    .waitFor()
  await expectNoAxeViolations(page, 'uploads that are used up')
  await large.remove()
})
