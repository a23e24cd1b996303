import type { Locator, Page } from 'playwright-core'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Fit, fitPictures, type PictureShape } from '#contract'
import { makeJpeg } from '../../../src/media/make-picture.ts'
import { testBrowser } from '../../_util/browser.ts'
import type { Dashboard } from '../../_util/dashboard.ts'
import { calendarPath } from '../../_util/dashboard-calendar.ts'
import { expectNoAxeViolations } from '../../_util/dashboard-checks.ts'
import { composer, saveDraft } from '../../_util/dashboard-composer.ts'
import { joinDashboard } from '../../_util/dashboard-of-worker.ts'
import { shareBrand } from '../../_util/dashboard-shared.ts'

/** A picture of another shape is seen as its network gets it: in the composer, in the panel, and by guests. */

const browser = testBrowser()
let dashboard: Dashboard
beforeAll(async () => {
  dashboard = await joinDashboard(browser)
}, 120_000)
afterAll(() => dashboard?.stop())

const FEED: PictureShape = { minRatio: 3 / 4, maxRatio: 1.91, tallRatio: 4 / 5, alike: null }
const SCREEN: PictureShape = { minRatio: 9 / 16, maxRatio: 9 / 16, tallRatio: null, alike: null }
/** Eight fields of other colors, so that no part looks like another. */
function picture(width: number, height: number): Promise<Buffer> {
  const colors = ['#d02020', '#20a040', '#2040d0', '#d0c020', '#20c0c0', '#a020b0', '#ffffff', '#303030']
  const fields = colors.map((background, index) => ({
    input: {
      create: { width: Math.floor(width / 4), height: Math.floor(height / 2), channels: 3 as const, background },
    },
    left: (index % 4) * Math.floor(width / 4),
    top: Math.floor(index / 4) * Math.floor(height / 2),
  }))
  return sharp({ create: { width, height, channels: 3, background: '#303030' } })
    .composite(fields)
    .png()
    .toBuffer()
}

/** How far what is shown is from what is sent: the middle of the differences of all pixels, of 255. */
async function difference(shown: Locator, bytes: Buffer, shape: PictureShape, fit: Fit): Promise<number> {
  const { width, height } = await sharp(bytes).metadata()
  const [made] = fitPictures([{ width, height, fits: true, isVideo: false }], shape, fit)
  if (!made) throw new Error('Nothing is done to the picture.')
  const sent = await makeJpeg(() => sharp(bytes), { format: 'jpeg', fit: made })
  const box = await shown.boundingBox()
  expect(Math.abs((box?.width ?? 0) / (box?.height ?? 1) - made.width / made.height)).toBeLessThan(0.02)
  // A little of the frame is rounded or lies under what the network draws.
  const size = { width: 120, height: Math.round((120 * made.height) / made.width), fit: 'fill' as const }
  const raw = (image: Buffer | Uint8Array) => sharp(image).resize(size).removeAlpha().raw().toBuffer()
  if (process.env.SHOW)
    await Promise.all([
      shown.screenshot({ path: `/tmp/shown-${fit}.png` }),
      sharp(sent.data).toFile(`/tmp/sent-${fit}.jpg`),
    ])
  const [one, other] = [await raw(await shown.screenshot()), await raw(sent.data)]
  return one.reduce((sum, value, at) => sum + Math.abs(value - (other[at] ?? 0)), 0) / one.length
}
const CLOSE = 12

const shownIn = (place: Page | Locator) => place.locator('[data-fit]').first()

async function drawn(place: Page | Locator, fit: Fit): Promise<Locator> {
  const shown = place.locator(`[data-fit="${fit}"]`).first()
  await shown.waitFor()
  await expect
    .poll(() => shown.locator('img').evaluateAll((all) => all.every((img) => (img as unknown as Image).complete)))
    .toBe(true)
  return shown
}
interface Image {
  complete: boolean
}

async function upload(bytes: Buffer): Promise<string> {
  const { url, key, socialSetId, seed } = dashboard
  const form = new FormData()
  form.set('socialSetId', socialSetId)
  form.set('file', new File([new Uint8Array(bytes)], 'eight.png', { type: 'image/png' }))
  const headers = { authorization: `Bearer ${key}` }
  const { id } = (await (await fetch(`${url}/v1/media-upload`, { method: 'POST', headers, body: form })).json()) as {
    id: string
  }
  return (await seed.until(`/v1/media-upload/${id}`, ({ status }) => status === 'READY')).mediaLibraryId
}

/** A draft on Instagram with this picture, open to be changed in the network's tab. */
async function editPost(bytes: Buffer, type: 'IMAGE' | 'STORY', options: object = {}) {
  const media = [{ mediaLibraryId: await upload(bytes) }]
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
  const panel = page.getByRole('dialog', { name: /Eight/ })
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
