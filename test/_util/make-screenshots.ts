// Pictures of the main screens for `docs/screens/`, from a first start with its demo week:
//
//     node test/_util/make-screenshots.ts [FOLDER]

import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import sharp from 'sharp'
import { NARROW, WIDE } from './browser.ts'
import { launchBrowser } from './browser-program.ts'
import { type Dashboard, settled, startDashboard } from './dashboard.ts'
import { openNewPost } from './dashboard-composer.ts'
import { shareBrand } from './dashboard-shared.ts'
import { watchRequests } from './open-requests.ts'

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
  await dialog.getByRole('button', { name: '4 problems' }).waitFor()
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

const folder = process.argv[2] ?? join(import.meta.dirname, '../../docs/screens')
await mkdir(folder, { recursive: true })
const browser = await launchBrowser()
try {
  const dashboard = await startDashboard({
    async newContext(options) {
      const context = await browser.newContext({ timezoneId: 'Europe/Berlin', locale: 'en-GB', ...options })
      watchRequests(context)
      return context
    },
    allowProblem: () => {},
  })
  try {
    for (const screen of SCREENS) await take(dashboard, screen)
  } finally {
    await dashboard.stop()
  }
} finally {
  await browser.close()
}

async function take(dashboard: Dashboard, { name, path, narrow = false, dark = false, open }: Screen): Promise<void> {
  const guests = path === null
  const page = await dashboard.open(path ?? (await shareBrand(dashboard)).path, {
    ...{ signedIn: !guests, viewport: narrow ? NARROW : WIDE },
    ...{ colorScheme: dark ? 'dark' : 'light', reducedMotion: 'reduce' },
  })
  await settled(page)
  await open?.(page)
  await settled(page)
  // A palette: a fifth of the bytes, and the same to the eye.
  const picture = sharp(await page.screenshot()).png({ palette: true, effort: 10 })
  await picture.toFile(join(folder, `${name}.png`))
  await page.context().close()
}
