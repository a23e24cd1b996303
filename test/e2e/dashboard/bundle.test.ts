import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { BrowserContext } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testBrowser } from '../../_util/browser.ts'
import { type Dashboard, settled, startDashboard } from '../../_util/dashboard.ts'
import { shareBrand } from '../../_util/dashboard-shared.ts'

/** How much a browser that was never here loads before the calendar is there. In kB of 1000 bytes, as gzip. */
const LIMITS = { js: 290, css: 22 }
/** The same for the page of guests. */
const GUEST_LIMITS = { js: 170, css: 22 }
/** How files are cut up varies a little with every build. */
const SLACK = 1.03

const distDir = join(import.meta.dirname, '../../../web/dist')
const browser = testBrowser()
let dashboard: Dashboard

beforeAll(async () => {
  dashboard = await startDashboard(browser)
}, 120_000)

afterAll(() => dashboard?.stop())

test('the calendar loads no more than it may', async () => {
  await dashboard.seed.month('2030-06', 5)
  const context = await browser.newContext()
  await dashboard.signInByRequest(context)
  await expectFirstLoad('The calendar', context, {
    path: '/dashboard/scheduling/calendar/month?date=2030-06-12',
    shows: 'of a full month',
    limits: LIMITS,
  })
})

test('the page of guests loads no more than it may, in the language with words of its own too', async () => {
  await dashboard.seed.postSet({
    caption: 'Fresh bread',
    scheduledAt: '2030-07-02T10:00:00Z',
    approval: 'EXTERNAL_PENDING',
  })
  const { path } = await shareBrand(dashboard)
  const context = await browser.newContext({ locale: 'de-DE' })
  const load = { path, shows: 'braucht dich', limits: GUEST_LIMITS }
  await expectFirstLoad('The page of guests', context, load)
})

interface Load {
  path: string
  /** Text by which the page is there. */
  shows: string
  limits: { js: number; css: number }
}

/** Opens a page in a browser that has nothing of it, and weighs the files that it loads. */
async function expectFirstLoad(what: string, context: BrowserContext, { path, shows, limits }: Load): Promise<void> {
  const requested = new Set<string>()
  context.on('request', (request) => requested.add(new URL(request.url()).pathname))
  const page = await context.newPage()
  await page.goto(`${dashboard.url}${path}`)
  await page.getByText(shows).first().waitFor()
  await settled(page)

  const files = [...requested].filter((path) => /^\/dashboard\/assets\/.*\.(js|css)$/.test(path))
  const sizes = await Promise.all(
    files.map(async (path) => ({
      path,
      bytes: (await stat(join(distDir, `${path.slice('/dashboard'.length)}.gz`))).size,
    })),
  )
  const kB = (ending: string) =>
    sizes.filter(({ path }) => path.endsWith(ending)).reduce((sum, { bytes }) => sum + bytes, 0) / 1_000
  const measured = { js: kB('.js'), css: kB('.css') }
  const reported = [
    `${what} loads ${measured.js.toFixed(1)} kB of JavaScript (${limits.js} are allowed) and ${measured.css.toFixed(1)} kB of CSS (${limits.css}):`,
    ...sizes
      .toSorted((a, b) => b.bytes - a.bytes)
      .map(({ path, bytes }) => `${(bytes / 1_000).toFixed(1).padStart(7)} kB ${path}`),
  ].join('\n')
  console.log(reported)
  expect(measured.js, reported).toBeGreaterThan(50)
  expect(measured.css, reported).toBeGreaterThan(1)
  expect(measured.js, reported).toBeLessThanOrEqual(limits.js * SLACK)
  expect(measured.css, reported).toBeLessThanOrEqual(limits.css * SLACK)
}
