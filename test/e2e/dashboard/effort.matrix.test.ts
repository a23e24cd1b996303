import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testBrowser } from '../../_util/browser/browser.ts'
import type { Dashboard } from '../../_util/browser/dashboard.ts'
import { calendarPath, card, expectTime, focusOn } from '../../_util/browser/dashboard-calendar.ts'
import { chooseAccounts, give, openNewPost } from '../../_util/browser/dashboard-composer.ts'
import { keyboardTask } from '../../_util/browser/dashboard-keys.ts'
import { joinDashboard } from '../../_util/browser/dashboard-of-worker.ts'
import { readFixture } from '../../_util/networks/file-server.ts'

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

/** Counts the fields that a person typed into, texts of posts aside: each time that one gets the focus and is then changed. */
async function typedFieldsOf(page: Page): Promise<() => Promise<number>> {
  await page.evaluate(`
    globalThis.typed = 0
    let counted = null
    addEventListener('focusin', () => { counted = null }, true)
    addEventListener('input', ({ target, isTrusted }) => {
      const types = target instanceof HTMLInputElement && !['checkbox', 'radio', 'file'].includes(target.type)
      if (!isTrusted || !types || counted === target) return
      counted = target
      globalThis.typed += 1
    }, true)`)
  return () => page.evaluate<number>('globalThis.typed')
}

test('an empty week is filled with twenty posts with pictures on five accounts, with sixty clicks and twelve fields at most', async () => {
  const number = 20
  const times = [1, 2, 3, 4, 5].flatMap((weekday) =>
    ['08:00', '11:30', '15:00', '18:30'].map((time) => ({ weekday, time })),
  )
  await dashboard.member('PUT', `/internal/social-sets/${dashboard.socialSetId}/saved-times`, { times })
  const pictures = await Promise.all(
    Array.from({ length: number }, async (_, nth) => {
      const background = { r: 12 * nth, g: 120, b: 255 - 12 * nth }
      const picture = sharp({ create: { width: 1080, height: 1080, channels: 3, background } }).jpeg({ quality: 60 })
      return { name: `picture-${nth}.jpg`, mimeType: 'image/jpeg', buffer: await picture.toBuffer() }
    }),
  )
  const page = await dashboard.open(calendarPath('week', { date: '2031-06-09' }), { signedIn: true })
  const [clicks, typed] = [await clicksOf(page), await typedFieldsOf(page)]
  for (const [nth, picture] of pictures.entries()) {
    const dialog = await openNewPost(page)
    const caption = dialog.getByLabel('Caption', { exact: true })
    await expect.poll(() => caption.evaluate((field) => field.matches(':focus'))).toBe(true)
    if (nth === 0) await chooseAccounts(dialog, 'Bluesky', 'Facebook', 'Instagram', 'LinkedIn page', 'Threads')
    await caption.focus()
    await page.keyboard.insertText(`From the bakery, number ${nth + 1}`)
    await give(caption, 'paste', [picture])
    await dialog.getByRole('button', { name: /^Picture 1 of 1/ }).waitFor()
    await dialog.getByRole('button', { name: 'Schedule', exact: true }).click()
    await dialog.waitFor({ state: 'hidden' })
  }
  expect(await clicks()).toBeLessThanOrEqual(60)
  expect(await typed()).toBeLessThanOrEqual(12)
  const days = 'filters[startDate]=2031-06-09T00:00:00&filters[endDate]=2031-06-14T00:00:00'
  const query = `socialSetId=${dashboard.socialSetId}&size=100&${days}`
  const { data } = await dashboard.seed.call('GET', `/v1/post-sets?${query}`)
  const week = data as { status: string; scheduledAt: string; posts: { media: unknown[] }[] }[]
  expect(
    week.map(({ status, posts }) => [status, posts.length, posts.every(({ media }) => media.length === 1)]),
  ).toEqual(Array.from({ length: number }, () => ['SCHEDULED', 5, true]))
  // Each at a time of its own.
  expect(new Set(week.map(({ scheduledAt }) => scheduledAt)).size).toBe(number)
}, 360_000)

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
  await dialog.getByRole('tab', { name: /^TikTok/ }).click()
  await dialog.getByRole('combobox', { name: 'Who can see the posts' }).click()
  await page.getByRole('listbox').getByRole('option').first().click()
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
