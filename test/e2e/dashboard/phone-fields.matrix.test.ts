import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { NARROW, testBrowser } from '../../_util/browser/browser.ts'
import { type Dashboard, settled } from '../../_util/browser/dashboard.ts'
import { calendarPath } from '../../_util/browser/dashboard-calendar.ts'
import { expectNoSidewaysScroll, SETTINGS } from '../../_util/browser/dashboard-checks.ts'
import { chooseAccounts, composer } from '../../_util/browser/dashboard-composer.ts'
import { joinDashboard } from '../../_util/browser/dashboard-of-worker.ts'
import { giveName, goTo, shareBrand } from '../../_util/browser/dashboard-shared.ts'
import { type Installation, startInstallation } from '../installation.ts'

/**
 * Safari on iPhones zooms into every field whose letters are smaller than 16 px, and the page stays cut off at its side. So no
 * page has one, on a screen that is touched.
 */

const PHONE = { viewport: NARROW, hasTouch: true, isMobile: true, reducedMotion: 'reduce' } as const

const browser = testBrowser()
let dashboard: Dashboard
let fresh: Installation
let post: string
beforeAll(async () => {
  dashboard = await joinDashboard(browser)
  fresh = await startInstallation({ ALMANAC_SANDBOX: 'off' })
  ;({ id: post } = await dashboard.seed.postSet({ approval: 'PENDING' }))
}, 180_000)
afterAll(async () => {
  await dashboard?.stop()
  await fresh?.stop()
})

/** Names and sizes of the letters of the fields that are too small, also of those that are not seen just now. */
const SMALL = `[...document.querySelectorAll('input, textarea, select, [contenteditable]')]
  .filter((field) => !['hidden', 'checkbox', 'radio', 'file', 'range', 'color'].includes(field.type))
  .map((field) => [field.ariaLabel ?? field.labels?.[0]?.innerText ?? field.outerHTML.slice(0, 120), getComputedStyle(field).fontSize])
  .filter(([, size]) => parseFloat(size) < 16)`

async function expectLargeFields(page: Page, what = page.url()): Promise<void> {
  await settled(page)
  expect(await page.evaluate(SMALL), what).toEqual([])
}

const open = (path: string, signedIn = true) => dashboard.open(path, { ...PHONE, signedIn })
const june = (more: Record<string, string> = {}) => calendarPath('month', { date: '2030-06-12', ...more })

test.each([
  '/dashboard/sign-in',
  '/dashboard/forgot-password',
  '/dashboard/reset-password#token=unknown',
  '/dashboard/confirm-email#token=unknown',
  '/dashboard/invitation#token=unknown',
])('%s', async (path) => {
  browser.allowProblem(/: (?:401|404|410)$/)
  await expectLargeFields(await open(path, false))
})

test('setting up', async () => {
  browser.allowProblem(/session: 401$/)
  const page = await browser.newPage(PHONE)
  await page.goto(`${fresh.url}/dashboard/setup`)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await expectLargeFields(page)
})

test('an invitation', async () => {
  const { link } = await dashboard.member('POST', '/internal/invitations', {
    email: 'phone@example.invalid',
    role: 'author',
    socialSetIds: null,
  })
  const page = await open(new URL(link).pathname + new URL(link).hash, false)
  await page.getByLabel('Your name').waitFor()
  await expectLargeFields(page)
})

test.each([
  ...SETTINGS.map((part) => `/dashboard/settings/${part}`),
  '/dashboard/connections',
  '/dashboard/connections?connect=BLUESKY',
  '/dashboard/drafts',
  '/dashboard/results',
  june(),
  calendarPath('week', { date: '2030-06-12' }),
  calendarPath('list', { date: '2030-06-12' }),
  june({ note: 'new' }),
])('%s', async (path) => {
  await expectLargeFields(await open(path))
})

test.each([
  ['/dashboard/settings/api-keys', 'Create API key'],
  ['/dashboard/settings/social-sets', 'New brand'],
  ['/dashboard/settings/team', 'Invite a member'],
  ['/dashboard/settings/calendars', 'Add a calendar'],
  [june(), 'Filters'],
  ['/dashboard/drafts', 'Filters'],
])('what opens on %s by “%s”', async (path, button) => {
  const page = await open(path)
  await settled(page)
  await page.getByRole('main').getByRole('button', { name: button }).first().tap()
  await page.locator('[role="dialog"], [role="menu"]').filter({ visible: true }).first().waitFor()
  await expectLargeFields(page, button)
})

test('a brand, a post with its comments, and an approval', async () => {
  const page = await open(`/dashboard/settings/social-sets/${dashboard.socialSetId}`)
  await expectLargeFields(page)
  await page.goto(`${dashboard.url}${june({ post })}`)
  await page.getByRole('region', { name: 'Comments' }).getByRole('textbox').waitFor()
  await expectLargeFields(page)
  await page.goto(`${dashboard.url}/dashboard/approvals?post=${post}`)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await expectLargeFields(page)
})

describe('the composer', () => {
  test('has large fields in all tabs, the marks of its text where the text is, and nothing that sticks out', async () => {
    const page = await open(june({ post: 'new', at: '2030-06-12T10:00:00.000Z' }))
    const dialog = composer(page)
    await chooseAccounts(dialog, 'Bluesky', 'YouTube', 'Pinterest', 'Google')
    await dialog.getByLabel('Caption', { exact: true }).fill('Fresh #bread from https://bakery.example/ today')
    await expectLargeFields(page)
    for (const tab of await dialog.getByRole('tab').all()) {
      await tab.tap()
      await expectLargeFields(page, await tab.innerText())
      await expectNoSidewaysScroll(page)
    }
    const tooLong = `[...document.querySelectorAll('[role="dialog"] input')]
      .filter((input) => input.scrollWidth > input.clientWidth + 1).map(({ value }) => value)`
    expect(await page.evaluate(tooLong)).toEqual([])
    const [field, marks] = await page.evaluate<[string, string]>(`(() => {
      const field = document.querySelector('[role="dialog"] textarea')
      const marks = field.closest('[class*="writing"]').firstElementChild
      return [field, marks].map((element) => {
        const { font, lineHeight, padding } = getComputedStyle(element)
        return [font, lineHeight, padding].join()
      })
    })()`)
    expect(marks).toBe(field)
  })
})

test('pages of guests, and the form for a passcode', async () => {
  const { id } = await dashboard.seed.postSet({ caption: 'For the client', approval: 'EXTERNAL_PENDING' })
  const page = await open((await shareBrand(dashboard, { lastDay: '2031-01-31' })).path, false)
  await expectLargeFields(page)
  await page.getByRole('button', { name: 'Add a note', exact: true }).first().tap()
  await page.getByRole('dialog').waitFor()
  await expectLargeFields(page)
  const name = page.getByRole('dialog', { name: 'Your name' })
  if (await name.isVisible()) await giveName(page)
  await goTo(page, `date=2030-06-12&post=${id}`)
  await page.getByRole('button', { name: 'Request changes', exact: true }).first().tap()
  await expectLargeFields(page)
  browser.allowProblem(/: 403$/)
  const locked = await browser.newPage(PHONE)
  await locked.goto(`${dashboard.url}${(await shareBrand(dashboard, { passcode: 'open sesame' })).path}`)
  await locked.getByRole('textbox').or(locked.locator('input')).first().waitFor()
  expect(await locked.evaluate(SMALL)).toEqual([])
})

test('beside a mouse, fields are as before', async () => {
  browser.allowProblem(/session: 401$/)
  const page = await dashboard.open('/dashboard/sign-in')
  expect(await page.getByLabel('Email').evaluate('(field) => getComputedStyle(field).fontSize' as never)).not.toBe(
    '16px',
  )
})
