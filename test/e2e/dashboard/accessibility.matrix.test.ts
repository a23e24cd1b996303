import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { NARROW, testBrowser, WIDE } from '../../_util/browser.ts'
import { type Dashboard, settled, startDashboard } from '../../_util/dashboard.ts'
import {
  expectNoAxeViolations,
  expectNoSidewaysScroll,
  expectOneHeadingAndTitle,
} from '../../_util/dashboard-checks.ts'
import { type Installation, startInstallation } from '../installation.ts'

/** Every page in light and dark, wide and narrow, filled, empty and with a server that fails. */

const browser = testBrowser()
let dashboard: Dashboard
/** Nobody has an account there yet. */
let fresh: Installation

beforeAll(async () => {
  dashboard = await startDashboard(browser)
  fresh = await startInstallation({ ALMANAC_SANDBOX: 'off' })
  await fill()
}, 180_000)

afterAll(async () => {
  await dashboard?.stop()
  await fresh?.stop()
})

/** A month with everything that a card can show by what the interface can make. */
async function fill(): Promise<void> {
  const { seed, socialSetId } = dashboard
  await seed.month('2030-06', 60)
  for (let index = 0; index < 8; index++) {
    await seed.postSet({ scheduledAt: `2030-06-14T${String(8 + index).padStart(2, '0')}:30:00Z`, status: 'SCHEDULED' })
  }
  await seed.postSet({ caption: 'A very long caption without any pause '.repeat(20), approval: 'PENDING' })
  await seed.postSet({ caption: 'Donaudampfschifffahrtsgesellschaftskapitän'.repeat(6), approval: 'APPROVED' })
  const mediaLibraryId = await seed.media('photo.jpg')
  const media = [{ mediaLibraryId, altText: 'A loaf of bread' }]
  await seed.postSet({ posts: [{ accountType: 'BLUESKY', caption: 'With a photo', media }] })
  await seed.note({ content: 'A long weekend of which everybody has to know '.repeat(4) })
  const published = await seed.postSet({ scheduledAt: new Date().toISOString(), status: 'SCHEDULED', socialSetId })
  await seed.until(`/v1/post-sets/${published.id}`, ({ status }) => status === 'PUBLISHED')
}

const calendar = (view: string, date: string) => `/dashboard/scheduling/calendar/${view}?date=${date}`
const today = new Date().toISOString().slice(0, 10)

const PUBLIC_PAGES = [
  ['sign-in', '/dashboard/sign-in'],
  ['sign-in, back to a page', '/dashboard/sign-in?return=%2Fsettings%2Fteam'],
  ['forgot password', '/dashboard/forgot-password'],
  ['reset password without a token', '/dashboard/reset-password'],
  ['reset password with a token', '/dashboard/reset-password?token=unknown'],
  ['invitation without a token', '/dashboard/invitation'],
  ['invitation with a token that is none', '/dashboard/invitation?token=unknown'],
  ['setup when somebody has an account', '/dashboard/setup'],
] as const

const MEMBER_PAGES = [
  ...['month', 'week', 'list'].flatMap((view) => [
    [`${view}, filled`, calendar(view, '2030-06-14')] as const,
    [`${view}, empty`, calendar(view, '2031-01-14')] as const,
    [`${view}, today`, calendar(view, today)] as const,
  ]),
  ['connections', '/dashboard/connections'],
  ...['api-keys', 'social-sets', 'labels', 'team', 'plan', 'profile', 'security'].map(
    (part) => [`settings, ${part}`, `/dashboard/settings/${part}`] as const,
  ),
  ['not found', '/dashboard/nowhere'],
] as const

const FAILING_PAGES = MEMBER_PAGES.filter(([name]) => !/empty|today|not found/.test(name))

const LOOKS = (['light', 'dark'] as const).flatMap((colorScheme) => [
  { name: `${colorScheme}, wide`, colorScheme, viewport: WIDE },
  { name: `${colorScheme}, narrow`, colorScheme, viewport: NARROW },
])

describe.each(LOOKS)('$name', ({ colorScheme, viewport }) => {
  test.each(PUBLIC_PAGES)('%s', async (_, path) => {
    browser.allowProblem(/^(GET|POST) \S+\/internal\/\S+: 4\d\d$/)
    await check(await dashboard.open(path, { colorScheme, viewport }), path)
  })

  test('setup when nobody has an account', async () => {
    browser.allowProblem(/^GET \S+\/internal\/session: 401$/)
    const page = await browser.newPage({ colorScheme, viewport })
    await page.goto(`${fresh.url}/dashboard/setup`)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await check(page, '/dashboard/setup')
  })

  test.each(MEMBER_PAGES)('%s', async (_, path) => {
    await check(await dashboard.open(path, { signedIn: true, colorScheme, viewport }), path)
  })

  test.each(FAILING_PAGES)('%s, with a server that fails', async (_, path) => {
    browser.allowProblem(/^GET \S+\/internal\/\S+: 503$/)
    const page = await dashboard.open(path, {
      signedIn: true,
      colorScheme,
      viewport,
      failing: /\/internal\/(?!session)/,
    })
    await check(page, path)
  })
})

async function check(page: Page, path: string): Promise<void> {
  await settled(page)
  await expectOneHeadingAndTitle(page, path)
  await expectNoAxeViolations(page, path)
  // A week has seven columns, however narrow the window.
  if (path.includes('/calendar/week')) return
  await page.setViewportSize({ width: 320, height: 844 })
  await expectNoSidewaysScroll(page, path)
}
