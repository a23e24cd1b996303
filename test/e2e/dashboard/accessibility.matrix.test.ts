import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { NARROW, testBrowser, WIDE } from '../../_util/browser.ts'
import { type Dashboard, settled, startDashboard } from '../../_util/dashboard.ts'
import {
  COLOR_RULES,
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
  ['reset password with a token that is none', '/dashboard/reset-password#token=unknown'],
  ['confirm an address without a token', '/dashboard/confirm-email'],
  ['confirm an address with a token', '/dashboard/confirm-email#token=unknown'],
  ['invitation without a token', '/dashboard/invitation'],
  ['invitation with a token that is none', '/dashboard/invitation#token=unknown'],
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

describe('nobody is signed in', () => {
  test.each(PUBLIC_PAGES)('%s', async (_, path) => {
    browser.allowProblem(/^(GET|POST) \S+\/internal\/\S+: 4\d\d$/)
    await checkEveryLook(await dashboard.open(path), path)
  })

  test('setup when nobody has an account', async () => {
    browser.allowProblem(/^GET \S+\/internal\/session: 401$/)
    const page = await browser.newPage()
    await page.goto(`${fresh.url}/dashboard/setup`)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await checkEveryLook(page, '/dashboard/setup')
  })
})

describe('somebody is signed in', () => {
  test.each(MEMBER_PAGES)('%s', async (_, path) => {
    await checkEveryLook(await dashboard.open(path, { signedIn: true }), path)
  })
})

describe('the server fails', () => {
  test.each(FAILING_PAGES)('%s', async (_, path) => {
    browser.allowProblem(/^GET \S+\/internal\/\S+: 503$/)
    const failing = /\/internal\/(?!session)/
    const page = await dashboard.open(path, { signedIn: true, failing })
    const alert = page.getByRole('main').getByRole('alert').first()
    await alert.waitFor({ timeout: 20_000 })
    await expect.poll(() => alert.innerText()).toMatch(/The database does not answer[\s\S]*Request\s+019f0000/)
    await checkEveryLook(page, `${path}, with a server that fails`)
    // It works again: Retry is enough.
    await page.context().unroute(failing)
    await page.setViewportSize(WIDE)
    const retry = page.getByRole('main').getByRole('alert').getByRole('button', { name: 'Retry' })
    const pressed = async () => {
      // One may take the others with it.
      if ((await retry.count()) > 0)
        await retry
          .first()
          .click({ timeout: 1_000 })
          .catch(() => {})
      return retry.count()
    }
    await expect.poll(pressed, { timeout: 15_000, interval: 200 }).toBe(0)
    await settled(page)
    expect(await page.getByRole('main').getByRole('alert').count()).toBe(0)
  })
})

/**
 * One page in all looks: all rules once wide and once narrow, those about colours in the colours that are left. Then as
 * small as a window of 1280 × 1024 is at 400 %.
 */
async function checkEveryLook(page: Page, what: string): Promise<void> {
  await settled(page)
  await expectOneHeadingAndTitle(page, what)
  await expectNoAxeViolations(page, `${what}, light and wide`)
  await page.emulateMedia({ colorScheme: 'dark' })
  await expectNoAxeViolations(page, `${what}, dark and wide`, COLOR_RULES)
  await page.setViewportSize(NARROW)
  await settled(page)
  await expectNoAxeViolations(page, `${what}, dark and narrow`)
  await page.emulateMedia({ colorScheme: 'light' })
  await expectNoAxeViolations(page, `${what}, light and narrow`, COLOR_RULES)
  await page.setViewportSize({ width: 320, height: 256 })
  await expectNoSidewaysScroll(page, what)
}
