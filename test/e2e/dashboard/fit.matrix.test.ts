import type { Locator, Page } from 'playwright-core'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Fit, fitPictures, type PictureShape } from '#contract'
import { makeJpeg } from '../../../src/media/make-picture.ts'
import { testBrowser } from '../../_util/browser/browser.ts'
import type { Dashboard } from '../../_util/browser/dashboard.ts'
import { calendarPath } from '../../_util/browser/dashboard-calendar.ts'
import { expectNoAxeViolations } from '../../_util/browser/dashboard-checks.ts'
import { composer, saveDraft } from '../../_util/browser/dashboard-composer.ts'
import { joinDashboard } from '../../_util/browser/dashboard-of-worker.ts'
import { shareBrand } from '../../_util/browser/dashboard-shared.ts'
import {
  CLOSE,
  difference as differenceOf,
  drawn,
  picture,
  seenOf,
  uploadPicture,
} from '../../_util/files/fitted-pictures.ts'

/** A picture of another shape is seen as its network gets it: in the composer, in the panel, and by guests. */

const browser = testBrowser()
let dashboard: Dashboard
beforeAll(async () => {
  dashboard = await joinDashboard(browser)
}, 120_000)
afterAll(() => dashboard?.stop())

const FEED: PictureShape = { minRatio: 3 / 4, maxRatio: 1.91, tallRatio: 4 / 5, alike: null }
const SCREEN: PictureShape = { minRatio: 9 / 16, maxRatio: 9 / 16, tallRatio: null, alike: null }
/** How far what is shown is from what the picture process makes. */
async function difference(shown: Locator, bytes: Buffer, shape: PictureShape, fit: Fit): Promise<number> {
  const { width, height } = await sharp(bytes).metadata()
  const [made] = fitPictures([{ width, height, fits: true, isVideo: false }], shape, fit)
  if (!made) throw new Error('Nothing is done to the picture.')
  return differenceOf(await seenOf(shown), (await makeJpeg(() => sharp(bytes), { format: 'jpeg', fit: made })).data)
}

const shownIn = (place: Page | Locator) => place.locator('[data-fit]').first()

/** A draft on Instagram with this picture, open to be changed in the network's tab. */
async function editPost(bytes: Buffer, type: 'IMAGE' | 'STORY', options: object = {}) {
  const media = [{ mediaLibraryId: await uploadPicture(dashboard, bytes) }]
  const { id } = await dashboard.seed.postSet({
    posts: [{ accountType: 'INSTAGRAM', caption: 'Eight', type, collaborators: [], media }],
  })
  const page = await dashboard.open(calendarPath('month', { date: '2030-06-12', post: id }), {
    signedIn: true,
    ...options,
  })
  await page.getByRole('button', { name: 'Edit' }).click()
  const dialog = composer(page, 'Edit post')
  await dialog.getByRole('tab', { name: /^Instagram/ }).click()
  return { id, page, dialog }
}
const choice = (dialog: Locator) => dialog.getByLabel('Pictures of another shape')

test('what is too wide is filled or cut, and looks so before it is saved, in the panel, and to guests', async () => {
  const wide = await picture(1600, 400)
  const { id, page, dialog } = await editPost(wide, 'IMAGE')
  await dialog
    .getByText(/too wide/)
    .first()
    .waitFor()
  await dialog.getByRole('button', { name: 'Fill with soft edges' }).first().click()
  await dialog
    .getByText(/too wide/)
    .first()
    .waitFor({ state: 'hidden' })
  const preview = page.locator('[data-preview]')
  expect(await difference(await drawn(preview, 'PAD'), wide, FEED, 'PAD')).toBeLessThan(CLOSE)
  await expectNoAxeViolations(page, 'a picture that is filled')
  await choice(dialog).selectOption({ label: 'Cut to fit' })
  expect(await difference(await drawn(preview, 'CROP'), wide, FEED, 'CROP')).toBeLessThan(CLOSE)
  // The other way would not pass for it.
  expect(await difference(shownIn(preview), await picture(400, 1600), FEED, 'PAD').catch(() => 255)).toBeGreaterThan(
    CLOSE,
  )
  await saveDraft(page)
  await dialog.waitFor({ state: 'hidden' })
  const { posts } = await dashboard.seed.call('GET', `/v1/post-sets/${id}`)
  expect(posts[0].fit).toBe('CROP')

  await page.goto(`${dashboard.url}${calendarPath('month', { date: '2030-06-12', post: id })}`)
  const panel = page.getByRole('dialog', { name: 'Post', exact: true })
  expect(await difference(await drawn(panel, 'CROP'), wide, FEED, 'CROP')).toBeLessThan(CLOSE)
  await panel.getByText('Cut to fit').waitFor()

  const { path } = await shareBrand(dashboard)
  const seen = await dashboard.open(`${path}?post=${id}`)
  expect(await difference(await drawn(seen, 'CROP'), wide, FEED, 'CROP')).toBeLessThan(CLOSE)
}, 120_000)

test.each(['PAD', 'CROP'] as const)(
  'on a phone a story of a square picture fills the screen: %s',
  async (fit) => {
    const square = await picture(800, 800)
    const viewport = { width: 390, height: 844 }
    const { page, dialog } = await editPost(square, 'STORY', { viewport })
    await choice(dialog).selectOption(fit)
    await dialog.getByRole('button', { name: 'Preview' }).click()
    expect(await difference(await drawn(page, fit), square, SCREEN, fit)).toBeLessThan(2 * CLOSE)
  },
  120_000,
)
