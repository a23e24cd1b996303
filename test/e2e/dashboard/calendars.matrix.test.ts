import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ImportedCalendar } from '#contract'
import { testBrowser } from '../../_util/browser/browser.ts'
import { type Dashboard, settled } from '../../_util/browser/dashboard.ts'
import { expectNoAxeInBothColors, expectNoSidewaysScroll, LOOKS } from '../../_util/browser/dashboard-checks.ts'
import { joinDashboard } from '../../_util/browser/dashboard-of-worker.ts'

/** The screen of imported calendars in every state that one can have. */

const PATH = '/dashboard/settings/calendars'
const browser = testBrowser()
let dashboard: Dashboard
beforeAll(async () => {
  dashboard = await joinDashboard(browser)
}, 120_000)
afterAll(() => dashboard?.stop())

const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000 - 5_000).toISOString()
const ahead = (minutes: number) => new Date(Date.now() + minutes * 60_000 + 55_000).toISOString()
const calendar = (name: string, more: Partial<ImportedCalendar>): ImportedCalendar => ({
  id: name,
  socialSetId: dashboard.socialSetId,
  name,
  hexColor: '#e4f8e2',
  source: 'ADDRESS',
  address: 'calendar.example/…',
  fileName: null,
  status: 'OK',
  fetchedAt: ago(5),
  nextAt: ahead(25),
  failure: null,
  notes: 12,
  leftOut: 0,
  unreadable: 0,
  createdAt: ago(100),
  ...more,
})
const STATES: [string, Partial<ImportedCalendar>, RegExp][] = [
  ['Read', {}, /Last read 5 minutes ago.*Next time in 25 minutes/],
  ['New', { status: 'WAITING', fetchedAt: null }, /Not read yet\. It is read in a moment\./],
  ['Busy', { status: 'FETCHING' }, /Being read…/],
  ['Paused', { status: 'PAUSED', nextAt: null }, /Paused: it is not read until you resume it\..*Last read/],
  [
    'Failing',
    {
      status: 'FAILING',
      failure: {
        code: 'imported-calendar:not_a_calendar',
        message: 'What was read is not an iCalendar file. Give the address of the calendar in iCal format (.ics).',
        since: ago(180),
      },
    },
    /It cannot be read\. This began 3 hours ago.*file\. Give the address of the calendar in iCal format \(\.ics\)\.$/,
  ],
  [
    'Never read',
    {
      status: 'FAILING',
      fetchedAt: null,
      failure: { code: 'imported-calendar:dns_failed', message: 'No such host. Check its spelling.', since: ago(1) },
    },
    /^Not read yet\. Next time in 25 minutes(?!.*stay)/,
  ],
  ['Full', { leftOut: 40, unreadable: 1 }, /40 notes of the farthest days are left out.*1 event cannot be read/],
  ['Filed', { source: 'FILE', address: null, fileName: 'holidays.ics' }, /^Last read 5 minutes ago(?!.*Next time)/],
]

async function withCalendars(page: Page, data: ImportedCalendar[]): Promise<void> {
  const json = { data, limits: { calendars: 20, notes: 5_000 }, notes: 84 }
  await page.route(/\/internal\/imported-calendars\?/, (route) => route.fulfill({ json }))
  await page.goto(`${dashboard.url}${PATH}`)
  await page.getByRole('heading', { level: 1 }).waitFor()
}

describe.each(LOOKS)('$name', ({ name, colorScheme, viewport }) => {
  test('every state is said in words, and has nothing that axe finds', async () => {
    const page = await dashboard.open('/dashboard/drafts', { signedIn: true, colorScheme, viewport })
    await withCalendars(
      page,
      STATES.map(([title, more]) => calendar(title, more)),
    )
    const rows = page.getByRole('list', { name: 'Imported calendars' }).getByRole('listitem')
    for (const [title, , words] of STATES) {
      const row = rows.filter({ has: page.getByRole('heading', { name: title, exact: true }) })
      await row.getByText(words).first().waitFor()
    }
    await settled(page)
    await expectNoAxeInBothColors(page, `states, ${name}`)
    await page.getByRole('button', { name: 'Actions for Read' }).click()
    await page.getByRole('menuitem', { name: 'Edit' }).click()
    const dialog = page.getByRole('dialog', { name: 'Edit “Read”' })
    await dialog.getByRole('textbox', { name: 'Name' }).fill('')
    await dialog.getByRole('button', { name: 'Save changes' }).click()
    await dialog.getByText('Enter a name.').waitFor()
    await expectNoAxeInBothColors(page, `the form, ${name}`)
    await page.setViewportSize({ width: 320, height: 844 })
    await expectNoSidewaysScroll(page, `the form, ${name}`)
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await dialog.waitFor({ state: 'detached' })
    await expectNoSidewaysScroll(page, `states, ${name}`)
  })
})

test('a brand with as many as it may have says what to do first', async () => {
  const page = await dashboard.open('/dashboard/drafts', { signedIn: true })
  await withCalendars(
    page,
    Array.from({ length: 20 }, (_, number) => calendar(`Calendar ${number}`, {})),
  )
  await page.getByText('20 of 20 calendars, 84 of 5,000 notes. Remove one before you add another.').waitFor()
  expect(await page.getByRole('button', { name: 'Add a calendar' }).isDisabled()).toBe(true)
})

test('members without the right see calendars and nothing to change them with', async () => {
  const author = await dashboard.newMember({ role: 'author' })
  const page = await dashboard.open('/dashboard/drafts', { signedIn: author })
  await withCalendars(page, [calendar('Seen', {})])
  await page.getByText('Seen', { exact: true }).waitFor()
  await page.getByText('Only owners, admins and editors can add and change them.').waitFor()
  await page.getByText('There is no calendar address.').waitFor()
  expect(await page.getByRole('main').getByRole('button').count()).toBe(0)
})

test('news of a calendar lead to the brand that it belongs to', async () => {
  const { id } = await dashboard.member('POST', '/internal/social-sets', { name: 'Other shop', timezone: 'UTC' })
  const page = await dashboard.open(`${PATH}?set=${id}`, { signedIn: true })
  const brand = page.getByLabel('Brand', { exact: true })
  await expect.poll(() => brand.inputValue()).toBe(id)
  await brand.selectOption(dashboard.socialSetId)
  await page.waitForURL((address) => address.searchParams.get('set') === dashboard.socialSetId)
  await settled(page)
})
