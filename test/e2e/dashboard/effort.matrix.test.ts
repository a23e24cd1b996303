import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testBrowser } from '../../_util/browser.ts'
import type { Dashboard } from '../../_util/dashboard.ts'
import { calendarPath, card, expectTime, focusOn } from '../../_util/dashboard-calendar.ts'
import { openNewPost } from '../../_util/dashboard-composer.ts'
import { keyboardTask } from '../../_util/dashboard-keys.ts'
import { joinDashboard } from '../../_util/dashboard-of-worker.ts'
import { readFixture } from '../../_util/file-server.ts'

/** How much the daily work takes: the numbers of docs/dashboard.md. Six failed posts are in failed-posts.matrix.test.ts. */

const browser = testBrowser()
let dashboard: Dashboard
beforeAll(async () => {
  dashboard = await joinDashboard(browser)
}, 120_000)
afterAll(() => dashboard?.stop())

/** Counts the presses of a pointer's button on a page. */
async function clicksOf(page: Page): Promise<() => Promise<number>> {
  await page.evaluate(`
    globalThis.pressed = 0
    addEventListener('pointerdown', (event) => { if (event.isTrusted) globalThis.pressed += 1 }, true)`)
  return () => page.evaluate<number>('globalThis.pressed')
}

const scheduled = async (caption: string) => {
  const { data } = await dashboard.seed.call('GET', `/v1/post-sets?socialSetId=${dashboard.socialSetId}&size=100`)
  type Found = { status: string; posts: { caption: string; accountType: string; media: unknown[] }[] }
  return (data as Found[]).find(({ posts }) => posts.some((post) => post.caption === caption))
}

test('a first post takes four clicks at most', async () => {
  const page = await dashboard.open(calendarPath('month', {}), { signedIn: true })
  const clicks = await clicksOf(page)
  const dialog = await openNewPost(page)
  await dialog.getByRole('checkbox', { name: /^Bluesky/ }).click()
  await dialog.getByLabel('Caption', { exact: true }).click()
  await page.keyboard.type('Our first post')
  await dialog.getByRole('button', { name: 'Schedule', exact: true }).click()
  await dialog.waitFor({ state: 'hidden' })
  expect(await clicks()).toBeLessThanOrEqual(4)
  expect(await scheduled('Our first post')).toMatchObject({ status: 'SCHEDULED' })
})

/** The system's own dialog of files: the file, and *Open*. */
const CLICKS_OF_THE_SYSTEM = 2

test('a picture from the disk to all account types that take one takes fourteen clicks at most', async () => {
  const page = await dashboard.open(calendarPath('month', {}), { signedIn: true })
  const clicks = await clicksOf(page)
  const dialog = await openNewPost(page)
  await dialog.getByRole('button', { name: 'All', exact: true }).click()
  await dialog.getByLabel('Caption', { exact: true }).click()
  await page.keyboard.type('To all of them')
  const chosen = page.waitForEvent('filechooser')
  await dialog.getByRole('button', { name: 'Choose files' }).click()
  await (await chosen).setFiles({ name: 'all.jpg', mimeType: 'image/jpeg', buffer: await readFixture('photo.jpg') })
  await dialog.getByRole('button', { name: /^Picture 1 of 1/ }).waitFor()
  await dialog.getByRole('button', { name: 'Leave out YouTube' }).first().click()
  await dialog.getByRole('button', { name: 'Fill in' }).first().click()
  await dialog
    .getByLabel(/^Title/)
    .first()
    .click()
  await page.keyboard.type('A title for Pinterest')
  await dialog.getByRole('button', { name: 'Schedule', exact: true }).click()
  await dialog.waitFor({ state: 'hidden' })
  expect((await clicks()) + CLICKS_OF_THE_SYSTEM).toBeLessThanOrEqual(14)
  const { posts = [] } = (await scheduled('To all of them')) ?? {}
  expect(posts.map(({ accountType }) => accountType)).not.toContain('YOUTUBE')
  expect(posts).toHaveLength(10)
  for (const { media } of posts) expect(media).toHaveLength(1)
})

test('from Tuesday to Wednesday, 14:30, takes twenty-one keys at most', async () => {
  const { id } = await dashboard.seed.postSet({ caption: 'Later that week', scheduledAt: '2030-06-11T10:00:00.000Z' })
  const page = await dashboard.open(calendarPath('month', { date: '2030-06-11' }), { signedIn: true })
  await focusOn(card(page, 'Later that week'))
  const keys = await keyboardTask(page)
  await keys.press('Alt+ArrowRight')
  await keys.press('m')
  const dialog = page.getByRole('dialog', { name: /^Move/ })
  await dialog.waitFor()
  await keys.pressUntil('Tab', dialog.getByLabel('Time', { exact: true }), 10)
  await keys.press('Control+a')
  for (const key of '14:30') await keys.press(key)
  await keys.press('Enter')
  await expectTime(dashboard.seed, id, '2030-06-12T12:30:00.000Z')
  keys.finish(21)
})
