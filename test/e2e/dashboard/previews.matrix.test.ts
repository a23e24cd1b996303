import { mkdirSync } from 'node:fs'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { NARROW, testBrowser } from '../../_util/browser/browser.ts'
import type { Dashboard } from '../../_util/browser/dashboard.ts'
import { box, calendarPath } from '../../_util/browser/dashboard-calendar.ts'
import { expectNoAxeInBothColors, expectNoSidewaysScroll } from '../../_util/browser/dashboard-checks.ts'
import { chooseAccounts, composer } from '../../_util/browser/dashboard-composer.ts'
import { joinDashboard } from '../../_util/browser/dashboard-of-worker.ts'
import { readFixture } from '../../_util/networks/file-server.ts'

/** Stories, reels, Shorts and posts for TikTok are shown as they are: in 9:16, with the text over the picture. */

const browser = testBrowser()
let dashboard: Dashboard
beforeAll(async () => {
  dashboard = await joinDashboard(browser)
}, 120_000)
afterAll(() => dashboard?.stop())

async function open(posts: object[], options: object = {}): Promise<Page> {
  const { id } = await dashboard.seed.postSet({ posts })
  const path = calendarPath('month', { date: '2030-06-12', post: id })
  const page = await dashboard.open(path, { signedIn: true, ...options })
  await page.getByRole('button', { name: 'Edit' }).click()
  return page
}

const frame = (page: Page, network: string) => page.getByRole('article', { name: network })

async function expectUpright(preview: Locator): Promise<void> {
  const { width, height } = await box(preview.locator('[data-upright]'))
  expect(width / height).toBeCloseTo(9 / 16, 2)
}

/** For people to look at: with a folder, its pictures are kept there. */
async function keepPicture(page: Page, name: string): Promise<void> {
  const folder = process.env.ALMANAC_PICTURES
  if (!folder) return
  mkdirSync(folder, { recursive: true })
  await page.screenshot({ path: `${folder}/${name}.png` })
}

test('a story has no text, a reel and TikTok have it over the picture', async () => {
  const [photo, film] = [await dashboard.seed.media('photo.jpg'), await dashboard.seed.media('video-short.mp4')]
  const caption = `Bread of the day. ${'More to read. '.repeat(10)}`
  const instagram = { accountType: 'INSTAGRAM', collaborators: [], caption }
  const page = await open([
    { ...instagram, type: 'STORY', caption: '', media: [{ mediaLibraryId: photo, altText: 'Loaves' }] },
    { accountType: 'TIKTOK', caption, media: [{ mediaLibraryId: film }] },
  ])
  const [story, tiktok] = [frame(page, 'Instagram'), frame(page, 'TikTok')]
  for (const preview of [story, tiktok]) await expectUpright(preview)
  await story.getByRole('img', { name: 'Loaves' }).waitFor()
  await tiktok.getByText(/^Bread of the day\..*… more$/).waitFor()
  await keepPicture(page, 'story-and-tiktok')
  await expectNoAxeInBothColors(page)
  const reel = await open([{ ...instagram, type: 'REEL', media: [{ mediaLibraryId: film }] }], { viewport: NARROW })
  await composer(reel, 'Edit post').getByRole('button', { name: 'Preview' }).click()
  await expectUpright(frame(reel, 'Instagram'))
  await keepPicture(reel, 'reel-on-a-phone')
  await expectNoSidewaysScroll(reel)
})

test('the frame that a post has chosen as its cover is shown in its own preview alone', async () => {
  const media = [{ mediaLibraryId: await dashboard.seed.media('video-vp9.webm') }]
  const reel = { accountType: 'INSTAGRAM', collaborators: [], type: 'REEL', caption: 'A reel', media }
  const page = await open([
    { ...reel, videoCoverImage: 0.4 },
    { accountType: 'FACEBOOK', type: 'REEL', caption: 'A reel', richCaption: ['A reel'], media },
  ])
  const source = (network: string) => frame(page, network).locator('img').getAttribute('src')
  await expect.poll(() => source('Instagram')).toMatch(/^blob:/)
  expect(await frame(page, 'Facebook').locator('img[src^="blob:"]').count()).toBe(0)
})

test('a picture for the feed is a post of the feed', async () => {
  const media = [{ mediaLibraryId: await dashboard.seed.media('photo.jpg') }]
  const page = await open([{ accountType: 'INSTAGRAM', collaborators: [], type: 'IMAGE', caption: 'Bread', media }])
  await frame(page, 'Instagram').getByText('Bread', { exact: true }).waitFor()
  expect(await page.locator('[data-upright]').count()).toBe(0)
})

test('a file that is being sent is in the preview with its own picture', async () => {
  const path = calendarPath('month', { date: '2030-06-13', post: 'new', at: '2030-06-13T10:00:00.000Z' })
  const page = await dashboard.open(path, { signedIn: true })
  // No part of it arrives.
  await page.route(/\/media-upload\/files\//, () => {})
  await chooseAccounts(composer(page), 'TikTok')
  await composer(page)
    .locator('input[type="file"]')
    .setInputFiles({ name: 'film.webm', mimeType: 'video/webm', buffer: await readFixture('video-vp9.webm') })
  const picture = frame(page, 'TikTok').locator('img')
  await picture.waitFor()
  const width = (({ naturalWidth }: { naturalWidth: number }) => naturalWidth) as never
  await expect.poll(() => picture.evaluate(width)).toBeGreaterThan(100)
  await expectUpright(frame(page, 'TikTok'))
  await keepPicture(page, 'being-sent')
})
