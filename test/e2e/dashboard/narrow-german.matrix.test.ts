import type { Page } from 'playwright-core'
import { afterAll, beforeAll, test } from 'vitest'
import { testBrowser } from '../../_util/browser/browser.ts'
import { type Dashboard, settled } from '../../_util/browser/dashboard.ts'
import { calendarPath } from '../../_util/browser/dashboard-calendar.ts'
import { expectControlsApart, expectNoSidewaysScroll, SETTINGS } from '../../_util/browser/dashboard-checks.ts'
import { joinDashboard } from '../../_util/browser/dashboard-of-worker.ts'
import { shareBrand } from '../../_util/browser/dashboard-shared.ts'

/** No screen is wider than a window of 320 pixels in German, whose words are the longest. */

const browser = testBrowser()
let dashboard: Dashboard
let post: string
beforeAll(async () => {
  dashboard = await joinDashboard(browser)
  ;({ id: post } = await dashboard.seed.postSet({
    scheduledAt: '2031-02-12T10:00:00Z',
    posts: ['BLUESKY', 'INSTAGRAM', 'TIKTOK', 'THREADS'].map((accountType) => ({
      ...{ accountType, caption: 'Donaudampfschifffahrtsgesellschaftskapitän', media: [] },
      ...(accountType === 'INSTAGRAM' && { type: 'IMAGE', collaborators: [] }),
    })),
  }))
}, 120_000)
afterAll(() => dashboard?.stop())

const GERMAN = { locale: 'de-DE', viewport: { width: 320, height: 640 } }
const DAY = '2031-02-12'

/** Nothing is wider than the window, and no control of a dialog is cut at its edge. */
async function expectNarrow(page: Page, what?: string): Promise<void> {
  await expectNoSidewaysScroll(page, what)
  await expectControlsApart(page, what)
}

test.each([
  '/dashboard/sign-in',
  '/dashboard/sign-in?ended=1',
  '/dashboard/forgot-password',
  '/dashboard/reset-password#token=unknown',
  '/dashboard/confirm-email#token=unknown',
  '/dashboard/invitation#token=unknown',
])('%s', async (path) => {
  browser.allowProblem(/: (?:401|404|410)$/)
  const page = await dashboard.open(path, GERMAN)
  await settled(page)
  await expectNarrow(page)
})

test.each<[string, () => string]>([
  ...(['month', 'week', 'list'] as const).map((view): [string, () => string] => [
    view,
    () => calendarPath(view, { date: DAY }),
  ]),
  ['post', () => calendarPath('month', { date: DAY, post })],
  ['new post', () => calendarPath('month', { date: DAY, post: 'new' })],
  ['note', () => calendarPath('month', { date: DAY, note: 'new' })],
  ...[
    'results',
    'media',
    'drafts',
    'approvals',
    'connections',
    'news',
    'nowhere',
    ...SETTINGS.map((each) => `settings/${each}`),
  ].map((path): [string, () => string] => [path, () => `/dashboard/${path}`]),
  ['brand', () => `/dashboard/settings/social-sets/${dashboard.socialSetId}`],
  ['connecting', () => '/dashboard/connections?connect=BLUESKY'],
])('%s', async (_, path) => {
  const page = await dashboard.open(path(), { ...GERMAN, signedIn: true })
  await settled(page)
  await expectNarrow(page)
})

test('edit, each tab of the composer', async () => {
  const page = await dashboard.open(calendarPath('month', { date: DAY, post }), { ...GERMAN, signedIn: true })
  await page.getByRole('button', { name: 'Bearbeiten' }).click()
  const tabs = page.getByRole('dialog').getByRole('tab')
  await tabs.first().waitFor()
  for (const tab of await tabs.all()) {
    await tab.click()
    await settled(page)
    await expectNarrow(page, (await tab.getAttribute('aria-label')) ?? (await tab.innerText()))
  }
})

test('pages of guests', async () => {
  const link = await shareBrand(dashboard)
  const page = await dashboard.open(link.path, GERMAN)
  await settled(page)
  await expectNarrow(page)
  await page.goto(`${dashboard.url}${link.path}?post=${post}`)
  await settled(page)
  await expectNarrow(page)
})
