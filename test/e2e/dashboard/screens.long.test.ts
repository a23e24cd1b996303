import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { NARROW, testBrowser, WIDE } from '../../_util/browser/browser.ts'
import { type Dashboard, settled, startDashboard } from '../../_util/browser/dashboard.ts'
import { openNewPost } from '../../_util/browser/dashboard-composer.ts'
import { shareBrand } from '../../_util/browser/dashboard-shared.ts'
import { makeDataDir } from '../../_util/processes/app.ts'

/**
 * Pictures of the main screens, from a first start with its demo posts. They are written to `ALMANAC_TEST_SCREENS`, a folder;
 * without it they are only taken. Those of the documentation:
 *
 *     ALMANAC_TEST_SCREENS=docs/screens npx vitest run --config vitest.long.config.ts test/e2e/dashboard/screens
 */

const browser = testBrowser()
let dashboard: Dashboard
let data: Awaited<ReturnType<typeof makeDataDir>>
beforeAll(async () => {
  // Of a newcomer: what other tests begin with has no posts.
  data = await makeDataDir()
  dashboard = await startDashboard(browser, { ALMANAC_DATA_DIR: data.path })
}, 120_000)
afterAll(async () => {
  await dashboard?.stop()
  await data?.remove()
})

const CAPTION =
  'Saturday on the canal: fresh cups, a saxophone, and the last bags of the winter blend. We pour until nine. #coffee #canal'

interface Screen {
  name: string
  /** Null: that of a shared calendar. */
  path: string | null
  narrow?: boolean
  dark?: boolean
  /** What is done before the picture is taken. */
  open?: (page: Page) => Promise<unknown>
}

const calendar = (view: string) => `/dashboard/scheduling/calendar/${view}`
const firstPost = async (page: Page) => {
  await page.locator('[data-item^="card-"]').first().click()
  const panel = page.getByRole('dialog', { name: 'Post', exact: true })
  // What the panel asks for comes after it: where it went, what was said, what happened.
  for (const name of ['Published', 'Comments', 'History']) {
    await panel.getByRole('region', { name }).getByText(/\S/).nth(1).waitFor()
  }
  await panel.getByRole('region', { name: 'History' }).getByRole('listitem').first().waitFor()
  await picturesIn(panel)
  // What came under the pointer while the calendar made room is not shown.
  await page.mouse.move(0, 0)
  await page.getByText(/^by /).waitFor({ state: 'hidden' })
}

/** Until each picture in it is drawn. */
const picturesIn = async (place: Locator) => {
  for (const picture of await place.getByRole('img').and(place.locator('img')).all())
    await picture.evaluate((element) => (element as unknown as { decode(): Promise<void> }).decode())
}

/** A post for all networks, half written. */
async function newPost(page: Page): Promise<void> {
  const dialog = await openNewPost(page)
  await dialog.getByRole('button', { name: 'All', exact: true }).click()
  await dialog.getByLabel('Caption', { exact: true }).fill(CAPTION)
  await dialog.getByRole('button', { name: 'Library' }).click()
  const picker = page.getByRole('dialog', { name: 'Add pictures and videos' })
  await picker.getByRole('checkbox').first().check()
  await picker.getByRole('button', { name: 'Add 1 file' }).click()
  // What the check says of the text with its picture, not of the text alone.
  await dialog.getByRole('button', { name: /problems/ }).waitFor()
}

const SCREENS: readonly Screen[] = [
  { name: 'month', path: calendar('month') },
  { name: 'month-dark', path: calendar('month'), dark: true },
  { name: 'week', path: calendar('week') },
  { name: 'post', path: calendar('month'), open: firstPost },
  // From here on there is text that is not saved.
  { name: 'composer', path: calendar('month'), open: newPost },
  { name: 'results', path: '/dashboard/results' },
  { name: 'drafts', path: '/dashboard/drafts' },
  { name: 'approvals', path: '/dashboard/approvals?tab=requested' },
  { name: 'connections', path: '/dashboard/connections' },
  { name: 'phone', path: calendar('month'), narrow: true },
  { name: 'phone-composer', path: calendar('month'), narrow: true, open: newPost },
  { name: 'shared', path: null },
  { name: 'phone-shared', path: null, narrow: true },
]

// In this order: some leave a text that is not saved.
test.each(SCREENS)('$name', async ({ name, path, narrow = false, dark = false, open }) => {
  const page = await dashboard.open(path ?? (await shareBrand(dashboard)).path, {
    ...{ signedIn: path !== null, viewport: narrow ? NARROW : WIDE },
    ...{ colorScheme: dark ? 'dark' : 'light', reducedMotion: 'reduce', timezoneId: 'Europe/Berlin', locale: 'en-GB' },
  })
  await settled(page)
  await open?.(page)
  await settled(page)
  // A palette: a fifth of the bytes, and the same to the eye.
  const picture = await sharp(await page.screenshot())
    .png({ palette: true, effort: 10 })
    .toBuffer()
  expect(picture.length).toBeGreaterThan(5_000)
  const folder = process.env.ALMANAC_TEST_SCREENS
  if (folder) {
    await mkdir(folder, { recursive: true })
    await writeFile(join(folder, `${name}.png`), picture)
  }
  await page.context().close()
})
