import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testBrowser } from '../../_util/browser/browser.ts'
import type { Dashboard } from '../../_util/browser/dashboard.ts'
import { calendarPath } from '../../_util/browser/dashboard-calendar.ts'
import { expectNoAxeViolations } from '../../_util/browser/dashboard-checks.ts'
import { chooseAccounts, composer, give, saveDraft } from '../../_util/browser/dashboard-composer.ts'
import { joinDashboard } from '../../_util/browser/dashboard-of-worker.ts'
import { readFixture } from '../../_util/networks/file-server.ts'

/** What is done to a picture in the composer, by the pointer and by keys alone; emojis by keys. */

const browser = testBrowser()
let dashboard: Dashboard
beforeAll(async () => {
  dashboard = await joinDashboard(browser)
}, 120_000)
afterAll(() => dashboard?.stop())

/** A post with one picture on Instagram, open to be changed. */
async function editPicture(caption: string) {
  const mediaLibraryId = await dashboard.seed.media('photo.jpg')
  const { id } = await dashboard.seed.postSet({
    caption: '',
    posts: [{ accountType: 'INSTAGRAM', caption, type: 'IMAGE', collaborators: [], media: [{ mediaLibraryId }] }],
  })
  const page = await dashboard.open(calendarPath('month', { date: '2030-06-12', post: id }), { signedIn: true })
  await page.getByRole('button', { name: 'Edit' }).click()
  return { id, page, dialog: composer(page, 'Edit post') }
}

test('a picture that a network only advises against is cropped by one click too', async () => {
  const { dialog } = await editPicture('High')
  await dialog.getByText('too tall: 4:5 at most; it may be refused').waitFor()
  await dialog.getByRole('button', { name: 'Crop to 4:5' }).click()
  await dialog.getByText('too tall: 4:5 at most; it may be refused').waitFor({ state: 'hidden' })
})

test('a person is tagged by a click on the picture and a handle, and one without a handle is left out', async () => {
  const { id, page, dialog } = await editPicture('Tagged')
  await dialog.getByRole('button', { name: /^Picture 1/ }).click()
  const details = page.getByRole('dialog', { name: 'Picture 1 of 1' })
  await details.getByText('People', { exact: true }).click()
  await details.getByText('Add a person').click()
  const handle = (number: number) => details.getByLabel(`Handle of person ${number}`)
  await expect.poll(() => handle(1).evaluate((field) => field.matches(':focus'))).toBe(true)
  await page.keyboard.type('@anna.baker')
  await details.getByText('Add a person').click()
  await handle(2).waitFor()
  await details.getByRole('button', { name: 'Done' }).click()
  await saveDraft(page)
  await dialog.waitFor({ state: 'hidden' })
  const { posts } = await dashboard.seed.call('GET', `/v1/post-sets/${id}`)
  expect(posts[0].media[0].tags).toEqual([{ x: 0.5, y: 0.5, text: 'anna.baker' }])
})

async function tabTo(page: Page, target: Locator): Promise<void> {
  for (let presses = 0; presses < 40; presses++) {
    if (await target.evaluate((element) => element.matches(':focus'))) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`Tab does not lead to ${target}.`)
}

test('an emoji is chosen by keys alone, and writing goes on behind it', async () => {
  const path = calendarPath('month', { date: '2030-06-12', post: 'new', at: '2030-06-12T10:00:00.000Z' })
  const page = await dashboard.open(path, { signedIn: true })
  const dialog = composer(page)
  const caption = dialog.getByLabel('Caption', { exact: true })
  await caption.fill('Fresh bread')
  await tabTo(page, dialog.getByRole('button', { name: 'Emoji' }))
  await page.keyboard.press('Enter')
  const emojis = page.getByRole('region', { name: 'Emojis' }).getByRole('button')
  await emojis.first().waitFor()
  await tabTo(page, page.getByRole('radio', { name: 'Faces' }))
  for (const name of ['People', 'Nature', 'Food']) {
    await page.keyboard.press('ArrowRight')
    await expect.poll(() => page.getByRole('radio', { name }).isChecked()).toBe(true)
  }
  await tabTo(page, emojis.first())
  await page.keyboard.press('Tab')
  const chosen = await emojis.nth(1).innerText()
  await page.keyboard.press('Enter')
  await expect.poll(() => caption.inputValue()).toBe(`Fresh bread${chosen}`)
  await expect.poll(() => caption.evaluate((field) => field.matches(':focus'))).toBe(true)
  await page.keyboard.type(' at nine')
  expect(await caption.inputValue()).toBe(`Fresh bread${chosen} at nine`)
})

test('a person is tagged and placed on a picture by keys alone', async () => {
  const { id, page, dialog } = await editPicture('Tagged by keys')
  await tabTo(page, dialog.getByRole('button', { name: /^Picture 1/ }))
  await page.keyboard.press('Enter')
  const details = page.getByRole('dialog', { name: 'Picture 1 of 1' })
  await details.waitFor()
  const people = details.getByRole('radio', { name: 'People' })
  await tabTo(page, details.getByRole('radio', { name: 'Crop' }))
  for (let presses = 0; presses < 4 && !(await people.isChecked()); presses++) await page.keyboard.press('ArrowRight')
  await tabTo(page, details.getByRole('button', { name: 'Add a person' }))
  await page.keyboard.press('Enter')
  const handle = details.getByLabel('Handle of person 1')
  await expect.poll(() => handle.evaluate((field) => field.matches(':focus'))).toBe(true)
  await page.keyboard.type('@anna.baker')
  for (const [label, percent] of [
    ['Horizontal position, %', '20'],
    ['Vertical position, %', '75'],
  ] as const) {
    await tabTo(page, details.getByLabel(label))
    await page.keyboard.press('Control+a')
    await page.keyboard.type(percent)
  }
  await tabTo(page, details.getByRole('button', { name: 'Done' }))
  await page.keyboard.press('Enter')
  await details.waitFor({ state: 'hidden' })
  await page.keyboard.press('Control+s')
  await dialog.waitFor({ state: 'hidden' })
  const { posts } = await dashboard.seed.call('GET', `/v1/post-sets/${id}`)
  expect(posts[0].media[0].tags).toEqual([{ x: 0.2, y: 0.75, text: 'anna.baker' }])
})

test('a cropped picture keeps its proportions among others in the preview', async () => {
  const mediaLibraryId = await dashboard.seed.media('photo.jpg')
  const crop = { x: 0.1, y: 0.25, width: 0.8, height: 0.25 }
  const media = [{ mediaLibraryId, crop }, { mediaLibraryId }]
  const { id } = await dashboard.seed.postSet({ posts: [{ accountType: 'BLUESKY', caption: 'Cut', media }] })
  const page = await dashboard.open(calendarPath('month', { date: '2030-06-12', post: id }), { signedIn: true })
  await page.getByRole('button', { name: 'Edit' }).click()
  const image = composer(page, 'Edit post').getByRole('article', { name: 'Bluesky' }).locator('img').first()
  const stretched = () =>
    image.evaluate((drawn) => {
      const { naturalWidth, naturalHeight, getBoundingClientRect } = drawn as unknown as Drawn
      const { width, height } = getBoundingClientRect.call(drawn)
      return width / height / (naturalWidth / naturalHeight)
    })
  await expect.poll(stretched).toBeCloseTo(1, 1)
})

test('a file that was refused has no place in the preview', async () => {
  const path = calendarPath('month', { date: '2030-06-13', post: 'new', at: '2030-06-13T10:00:00.000Z' })
  const page = await dashboard.open(path, { signedIn: true })
  const dialog = composer(page)
  await chooseAccounts(dialog, 'Bluesky')
  const file = { mimeType: 'image/jpeg', buffer: await readFixture('photo.jpg') }
  await give(dialog.getByLabel('Caption', { exact: true }), 'drop', [
    { ...file, name: 'bread.jpg' },
    { ...file, name: 'empty.jpg', buffer: Buffer.alloc(0) },
  ])
  await dialog.getByText('The file is empty. Choose another one.').waitFor()
  await dialog.getByRole('button', { name: /^Picture 1/ }).waitFor()
  const preview = dialog.getByRole('article', { name: 'Bluesky' })
  await preview.locator('img').waitFor()
  // One picture is as wide as the post; two were tiles.
  expect(await preview.locator('[data-count]').count()).toBe(0)
})

interface Drawn {
  naturalWidth: number
  naturalHeight: number
  getBoundingClientRect: () => { width: number; height: number }
}

test('an alt text that is written for one network is that of the picture, which all go on sharing', async () => {
  const media = [{ mediaLibraryId: await dashboard.seed.media('photo.jpg') }]
  const posts = ['BLUESKY', 'THREADS'].map((accountType) => ({ accountType, caption: 'Shared', media }))
  const { id } = await dashboard.seed.postSet({ posts })
  const page = await dashboard.open(calendarPath('month', { date: '2030-06-12', post: id }), { signedIn: true })
  await page.getByRole('button', { name: 'Edit' }).click()
  const dialog = composer(page, 'Edit post')
  await dialog.getByRole('tab', { name: /^Threads/ }).click()
  await dialog.getByRole('button', { name: /^Picture 1/ }).click()
  const details = page.getByRole('dialog', { name: 'Picture 1 of 1' })
  await details.getByLabel('Alt text').fill('A loaf of rye')
  await details.getByRole('button', { name: 'Done' }).click()
  expect(await dialog.getByRole('button', { name: 'Use the files of all' }).count()).toBe(0)
  await saveDraft(page)
  await dialog.waitFor({ state: 'hidden' })
  const saved = await dashboard.seed.call('GET', `/v1/post-sets/${id}`)
  const altTexts = saved.posts.map((post: { media: { altText: string }[] }) => post.media[0]?.altText)
  expect(altTexts).toEqual(['A loaf of rye', 'A loaf of rye'])
})

test('four pictures are described one behind the other without leaving their dialog', async () => {
  const mediaLibraryId = await dashboard.seed.media('photo.jpg')
  const media = Array.from({ length: 4 }, () => ({ mediaLibraryId }))
  const { id } = await dashboard.seed.postSet({ posts: [{ accountType: 'BLUESKY', caption: 'Four', media }] })
  const page = await dashboard.open(calendarPath('month', { date: '2030-06-12', post: id }), { signedIn: true })
  await page.getByRole('button', { name: 'Edit' }).click()
  const dialog = composer(page, 'Edit post')
  await dialog.getByRole('button', { name: /^Picture 1 of 4/ }).click()
  for (const number of [1, 2, 3, 4]) {
    const details = page.getByRole('dialog', { name: `Picture ${number} of 4` })
    const altText = details.getByLabel('Alt text')
    await expect.poll(() => altText.evaluate((field) => field.matches(':focus'))).toBe(true)
    await page.keyboard.type(`Step ${number}`)
    const next = details.getByRole('button', { name: 'Next file' })
    if (number < 4) await next.click()
    else expect(await next.isDisabled()).toBe(true)
  }
  await expectNoAxeViolations(page, 'the dialog of one of four pictures')
  const details = page.getByRole('dialog', { name: 'Picture 4 of 4' })
  await details.getByRole('button', { name: 'Previous file' }).click()
  expect(await page.getByRole('dialog', { name: 'Picture 3 of 4' }).getByLabel('Alt text').inputValue()).toBe('Step 3')
  await page.keyboard.press('Escape')
  await saveDraft(page)
  await dialog.waitFor({ state: 'hidden' })
  const { posts } = await dashboard.seed.call('GET', `/v1/post-sets/${id}`)
  expect(posts[0].media.map(({ altText }: { altText: string }) => altText)).toEqual([
    'Step 1',
    'Step 2',
    'Step 3',
    'Step 4',
  ])
})
