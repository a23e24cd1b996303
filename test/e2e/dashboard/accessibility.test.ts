import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { NARROW, testBrowser } from '../../_util/browser/browser.ts'
import { type Dashboard, heading, OUT_OF_ORDER, settled } from '../../_util/browser/dashboard.ts'
import { focusOn } from '../../_util/browser/dashboard-calendar.ts'
import {
  expectEveryLook,
  expectNoAxeInBothColors,
  expectNoSidewaysScroll,
  SETTINGS,
} from '../../_util/browser/dashboard-checks.ts'
import { openNews } from '../../_util/browser/dashboard-news.ts'
import { joinDashboard } from '../../_util/browser/dashboard-of-worker.ts'
import { part, WHOLE } from '../../_util/run/whole.ts'
import { type Installation, startInstallation } from '../installation.ts'

/**
 * Every page in light and dark, wide and narrow, filled, empty and with a server that fails: `npm run test:matrix`. `npm run test:e2e`
 * looks at each page once, in one of the looks, and at every other of what opens over it or fails.
 */

const browser = testBrowser()
let dashboard: Dashboard
/** No one has an account there yet. */
let fresh: Installation
/** A post of the filled month. */
let post: string
/** A brand without accounts and posts. */
let empty: string

beforeAll(async () => {
  dashboard = await joinDashboard(browser)
  fresh = await startInstallation({ ALMANAC_SANDBOX: 'off' })
  await fill()
}, 180_000)

afterAll(async () => {
  await dashboard?.stop()
  await fresh?.stop()
})

/** A month with everything that a card can show by what the API can make. */
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
  await dashboard.member('POST', '/internal/labels', { name: 'Autumn', color: '#0b866d' })
  const { id } = await seed.postSet({ caption: 'With a panel', scheduledAt: '2030-06-14T06:00:00Z' })
  post = id
  ;({ id: empty } = await dashboard.member('POST', '/internal/social-sets', { name: 'Empty', timezone: 'UTC' }))
  const published = await seed.postSet({ scheduledAt: new Date().toISOString(), status: 'SCHEDULED', socialSetId })
  await seed.until(`/v1/post-sets/${published.id}`, ({ status }) => status === 'PUBLISHED')
}

/** In an address, the brand of the filled month: its id is not known yet where tests are named. */
const FILLED = 'set=FILLED'
const overAll = (view: string, date: string) => `/dashboard/scheduling/calendar/${view}?date=${date}`
const calendar = (view: string, date: string) => `${overAll(view, date)}&${FILLED}`
const addressOf = (path: string) => path.replace(FILLED, `set=${dashboard.socialSetId}`)
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

/** By screen, whose pages are looked at one after the other in one tab. */
const MEMBER_PAGES: readonly [string, readonly string[]][] = [
  ...['month', 'week', 'list'].map((view): [string, string[]] => [
    `${view}: filled, empty, today`,
    [calendar(view, '2030-06-14'), calendar(view, '2031-01-14'), calendar(view, today)],
  ]),
  ...(WHOLE
    ? [['all brands', ['month', 'week', 'list'].map((view) => overAll(view, '2030-06-14'))] as [string, string[]]]
    : []),
  ['connections, results', ['/dashboard/connections', '/dashboard/results']],
  ['drafts, media', ['/dashboard/drafts', '/dashboard/media']],
  ['approvals, not found', ['/dashboard/approvals', '/dashboard/nowhere']],
  ['settings, first half', SETTINGS.slice(0, 6).map((part) => `/dashboard/settings/${part}`)],
  ['settings, second half', SETTINGS.slice(6).map((part) => `/dashboard/settings/${part}`)],
]

/** Each screen once: that there is nothing to show has no other look when the server fails. */
const FAILING_PAGES = MEMBER_PAGES.map(([name, paths]): [string, string[]] => [
  name.replace(/:.*|, not found/, ''),
  paths.filter((path) => !path.includes('date=2031') && !path.includes(`date=${today}`) && !path.endsWith('/nowhere')),
])

/** Minutes for what looks at many pages. */
const LONG = 300_000

/** Loads a page in a tab that was opened before, and waits until its heading is there. */
async function visit(page: Page, path: string): Promise<void> {
  await page.goto(`${dashboard.url}${addressOf(path)}`)
  await heading(page)
}

describe('no one is signed in', () => {
  test.each(PUBLIC_PAGES)('%s', async (_, path) => {
    browser.allowProblem(/^(GET|POST) \S+\/internal\/\S+: 4\d\d$/)
    await expectEveryLook(await dashboard.open(path), path)
  })

  test('setup when no one has an account', async () => {
    browser.allowProblem(/^GET \S+\/internal\/session: 401$/)
    const page = await browser.newPage()
    await page.goto(`${fresh.url}/dashboard/setup`)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await expectEveryLook(page, '/dashboard/setup')
  })
})

describe('somebody is signed in', () => {
  test.each(MEMBER_PAGES)(
    '%s',
    async (_, paths) => {
      const page = await dashboard.open('/dashboard/nowhere', { signedIn: true })
      for (const path of paths) {
        await visit(page, path)
        await expectEveryLook(page, path)
      }
    },
    LONG,
  )
})

describe('a brand with nothing in it', () => {
  test(
    'calendar, connections, drafts, approvals, results',
    async () => {
      const page = await dashboard.open('/dashboard/nowhere', { signedIn: true })
      for (const path of [
        `${overAll('month', today)}&set=${empty}`,
        `/dashboard/connections?set=${empty}`,
        `/dashboard/drafts?set=${empty}`,
        `/dashboard/approvals?brand=${empty}`,
        `/dashboard/results?brand=${empty}`,
      ]) {
        await visit(page, path)
        await expectEveryLook(page, `${path}, empty`)
      }
    },
    LONG,
  )

  test('labels', async () => {
    const page = await dashboard.open('/dashboard/drafts', { signedIn: true })
    const json = { data: [], pagination: { page: 1, size: 20, total: 0, totalPages: 0 } }
    await page.route(/\/internal\/labels/, (route) => route.fulfill({ json }))
    await page.goto(`${dashboard.url}/dashboard/settings/labels`)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await expectEveryLook(page, 'labels, empty')
  })
})

const JUNE = calendar('month', '2030-06-14')
const main = (page: Page, name: string | RegExp) => page.getByRole('main').getByRole('button', { name }).first()
const onCard = async (page: Page, key: string) => {
  await focusOn(page.locator(`[data-item="card-${post}"]`))
  await page.keyboard.press(key)
}

/** What opens over a screen, by what opens it. */
const OPENED: [string, string, (page: Page) => Promise<unknown>][] = [
  ['the menu of a card', JUNE, (page) => page.locator(`[data-item="card-${post}"]`).click({ button: 'right' })],
  ['Move to', JUNE, (page) => onCard(page, 'm')],
  ['Labels', JUNE, (page) => onCard(page, 'l')],
  ['the keys', JUNE, (page) => onCard(page, '?')],
  ['the filters', JUNE, (page) => main(page, 'Filters').click()],
  ['Go to day', JUNE, (page) => main(page, 'Go to day').click()],
  [
    'all of a day',
    JUNE,
    (page) =>
      page
        .getByRole('button', { name: /^\+\d+/ })
        .first()
        .click(),
  ],
  ['stopping', JUNE, (page) => main(page, /^Stop publishing/).click()],
  ['a note', `${JUNE}&note=new`, async () => {}],
  ['an account', '/dashboard/connections?connect=BLUESKY', async () => {}],
  ['a key', '/dashboard/settings/api-keys', (page) => main(page, 'Create API key').click()],
  ['a brand', '/dashboard/settings/social-sets', (page) => main(page, 'New brand').click()],
  ['an invitation', '/dashboard/settings/team', (page) => main(page, 'Invite a member').click()],
  ['the news', '/dashboard/drafts', (page) => openNews(page)],
  ['a calendar', '/dashboard/settings/calendars', (page) => main(page, 'Add a calendar').click()],
  ['a shared calendar', '/dashboard/settings/shared-calendars?share=unknown', async () => {}],
]

describe('what is open over a screen', () => {
  const opened = '[role="dialog"], [role="menu"]'
  const expectLooks = async (page: Page, what: string) => {
    await page.locator(opened).filter({ visible: true }).first().waitFor()
    await settled(page)
    // What is below may be scrolled to where its head hides half of a button.
    await page.evaluate('scrollTo(0, 0)')
    await expectNoAxeInBothColors(page, what)
  }

  // Over one screen, one after the other in one tab.
  test.each([...Map.groupBy(part(OPENED, 8), ([, path]) => path)])(
    '%s',
    async (path, all) => {
      const page = await dashboard.open('/dashboard/nowhere', { signedIn: true, reducedMotion: 'reduce' })
      for (const [name, , act] of all) {
        await visit(page, path)
        await settled(page)
        await act(page)
        await expectLooks(page, name)
      }
    },
    LONG,
  )

  test.each([
    ['the composer', () => `${calendar('month', '2031-01-14')}&post=new`],
    ['a note', () => `${calendar('month', '2031-01-14')}&note=new`],
    ['an account', () => '/dashboard/connections?connect=BLUESKY'],
  ])('%s, on a phone and at 320 pixels', async (name, path) => {
    const page = await dashboard.open(addressOf(path()), { signedIn: true, viewport: NARROW, reducedMotion: 'reduce' })
    await page.getByRole('dialog').first().waitFor()
    await expectLooks(page, `${name}, narrow`)
    await page.setViewportSize({ width: 320, height: 640 })
    await expectNoSidewaysScroll(page, name)
  })

  test.each([
    ['the filters', (page: Page) => main(page, 'Filters').click()],
    ['More', (page: Page) => page.getByRole('navigation', { name: 'Main' }).getByText('More').click()],
  ])('%s, on a phone', async (name, act) => {
    const page = await dashboard.open(addressOf(JUNE), { signedIn: true, viewport: NARROW, reducedMotion: 'reduce' })
    await settled(page)
    await act(page)
    await expectLooks(page, `${name}, narrow`)
  })

  test('the composer when the server fails', async () => {
    browser.allowProblem(/: 503$/)
    const page = await dashboard.open(addressOf(JUNE), { signedIn: true })
    await settled(page)
    const answer = { status: 503, contentType: 'application/problem+json', body: '{"code":"internal:error"}' }
    await page.route(/\/internal\/(networks|validate)/, (route) => route.fulfill(answer))
    await page.keyboard.press('n')
    await page.getByRole('dialog').getByRole('alert').first().waitFor({ timeout: 20_000 })
    await expectLooks(page, 'the composer that failed to load')
  })
})

describe('the server fails', () => {
  const failing = /\/internal\/(?!session)/

  /** It works again: Retry is enough. */
  async function expectRetryHelps(page: Page): Promise<void> {
    await page.unroute(failing)
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
  }

  test.each(part(FAILING_PAGES, 4).map(([name, paths]): [string, string[]] => [name, part(paths, 2)]))(
    '%s',
    async (_, paths) => {
      browser.allowProblem(/^GET \S+\/internal\/\S+: 503$/)
      const page = await dashboard.open('/dashboard/nowhere', { signedIn: true })
      for (const path of paths) {
        await page.route(failing, (route) => route.fulfill(OUT_OF_ORDER))
        await visit(page, path)
        const alert = page.getByRole('main').getByRole('alert').first()
        await alert.waitFor({ timeout: 20_000 })
        await expect.poll(() => alert.innerText()).toMatch(/The database does not answer[\s\S]*Request\s+019f0000/)
        await expectEveryLook(page, `${path}, with a server that fails`)
        await expectRetryHelps(page)
      }
    },
    LONG,
  )
})
