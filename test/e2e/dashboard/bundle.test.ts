import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { testBrowser } from '../../_util/browser/browser.ts'
import { type Dashboard, settled } from '../../_util/browser/dashboard.ts'
import { joinDashboard } from '../../_util/browser/dashboard-of-worker.ts'
import { shareBrand } from '../../_util/browser/dashboard-shared.ts'

/** How much a browser that was never here loads before the calendar is there. In kB of 1000 bytes, as gzip. */
const LIMITS = { js: 290, css: 22 }
/** The same for the page of guests. */
const GUEST_LIMITS = { js: 170, css: 22 }
/** What the composer loads besides, when it opens over the calendar. */
const COMPOSER_LIMIT = 110

const distDir = join(import.meta.dirname, '../../../web/dist')
const browser = testBrowser()
let dashboard: Dashboard

beforeAll(async () => {
  dashboard = await joinDashboard(browser)
}, 120_000)

afterAll(() => dashboard?.stop())

describe.each(['en-US', 'de-DE'])('in %s', (locale) => {
  test('the calendar loads no more than it may, and the composer over it', async () => {
    await dashboard.seed.month('2030-06', 5)
    const context = await browser.newContext({ locale })
    await dashboard.signInByRequest(context)
    const page = await expectFirstLoad('The calendar', context, {
      path: '/dashboard/scheduling/calendar/month?date=2030-06-12',
      shows: 'of a full month',
      limits: LIMITS,
    })
    const requested = filesOf(context)
    await page.keyboard.press('n')
    await page.getByRole('dialog').getByRole('textbox').first().waitFor()
    await settled(page)
    const { js } = await weigh(requested)
    expect(js.kB).toBeGreaterThan(5)
    expect(js.kB, js.report).toBeLessThanOrEqual(COMPOSER_LIMIT)
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
async function expectFirstLoad(what: string, context: BrowserContext, { path, shows, limits }: Load): Promise<Page> {
  const requested = filesOf(context)
  const page = await context.newPage()
  await page.goto(`${dashboard.url}${path}`)
  await page.getByText(shows).first().waitFor()
  await settled(page)

  const { js, css } = await weigh(requested)
  console.log(`${what} loads ${js.report} (${limits.js} kB are allowed)\n${css.report} (${limits.css})`)
  expect(js.kB, js.report).toBeGreaterThan(50)
  expect(css.kB, css.report).toBeGreaterThan(1)
  expect(js.kB, js.report).toBeLessThanOrEqual(limits.js)
  expect(css.kB, css.report).toBeLessThanOrEqual(limits.css)
  return page
}

/** The scripts and style sheets that pages ask for from now on. */
function filesOf(context: BrowserContext): Set<string> {
  const requested = new Set<string>()
  context.on('request', (request) => requested.add(new URL(request.url()).pathname))
  return requested
}

/** Each kind of file, in kB as it is sent, and in words. */
async function weigh(requested: ReadonlySet<string>) {
  const files = [...requested].filter((path) => /^\/dashboard\/assets\/.*\.(js|css)$/.test(path))
  const sizes = await Promise.all(
    files.map(async (path) => ({
      path,
      kB: (await stat(join(distDir, `${path.slice('/dashboard'.length)}.gz`))).size / 1_000,
    })),
  )
  const of = (ending: string) => {
    const found = sizes.filter(({ path }) => path.endsWith(ending)).toSorted((a, b) => b.kB - a.kB)
    const kB = found.reduce((sum, file) => sum + file.kB, 0)
    const lines = found.map((file) => `${file.kB.toFixed(1).padStart(7)} kB ${file.path}`)
    return { kB, report: [`${kB.toFixed(1)} kB of ${ending}:`, ...lines].join('\n') }
  }
  return { js: of('.js'), css: of('.css') }
}
