import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testBrowser } from '../../_util/browser/browser.ts'
import { chooseAction, type Dashboard, settled } from '../../_util/browser/dashboard.ts'
import { calendarPath } from '../../_util/browser/dashboard-calendar.ts'
import { expectNoAxeViolations, expectNoSidewaysScroll } from '../../_util/browser/dashboard-checks.ts'
import { joinDashboard } from '../../_util/browser/dashboard-of-worker.ts'

/** Links for guests are created from the calendar, and managed on their screen. */

const browser = testBrowser()
let dashboard: Dashboard
beforeAll(async () => {
  dashboard = await joinDashboard(browser)
}, 120_000)
afterAll(() => dashboard?.stop())

const PATH = '/dashboard/settings/shared-calendars'
const links = async () => (await dashboard.member('GET', '/internal/shared-calendars')).data
/** 303: into the calendar. 404: it is not shared. */
const statusOf = async (address: string) => (await fetch(address, { redirect: 'manual' })).status

/** Reads the address that a dialog shows once, and leaves the dialog. */
async function takeAddress(page: Page, title: string, label: string): Promise<string> {
  const dialog = page.getByRole('dialog', { name: title, exact: true })
  const address = await dialog.getByRole('textbox', { name: label, exact: true }).inputValue()
  await dialog.getByRole('button', { name: 'Done' }).click()
  await dialog.waitFor({ state: 'detached' })
  return address
}

test('a link is created from the calendar, previewed, changed, replaced and closed', async () => {
  // What guests see is built apart from this.
  const { data } = await dashboard.seed.call('GET', '/v1/social-sets')
  const page = await dashboard.open(calendarPath('month', { date: '2030-06-12' }), { signedIn: true })
  await page.getByRole('button', { name: 'More', exact: true }).first().click()
  await page.getByRole('menuitem', { name: 'Share the calendar' }).click()

  const form = page.getByRole('dialog', { name: 'Share a calendar' })
  expect(await form.getByRole('checkbox', { name: data[0].name, exact: true }).isChecked()).toBe(true)
  await form.getByRole('button', { name: 'Create link' }).click()
  await form.getByRole('alert').getByText('Enter a name.').waitFor()
  await form.getByRole('textbox', { name: 'Name' }).fill('Autumn campaign')
  await form.getByRole('checkbox', { name: 'Add notes' }).uncheck()
  await form.getByRole('radio', { name: 'Ask guests for a passcode' }).check()
  await form.getByRole('textbox', { name: 'The passcode' }).fill('open sesame')
  await form.getByRole('button', { name: 'Create link' }).click()
  await page.getByText('It asks for the passcode').waitFor()
  const first = await takeAddress(page, 'Copy the link of “Autumn campaign”', 'Link for your guests')
  expect(first).toMatch(/\/shared\/[\w-]{43}$/)
  // The client's second question: can you send me the link again?
  await page.getByRole('button', { name: 'Copy link of Autumn campaign' }).click()
  const copy = page.getByRole('dialog', { name: 'Copy the link of “Autumn campaign”' })
  expect(await copy.getByRole('textbox', { name: 'Link for your guests' }).inputValue()).toBe(first)
  await expectNoAxeViolations(page, 'a link that is copied again')
  await copy.getByRole('button', { name: 'Copy address' }).click()
  await copy.getByRole('button', { name: 'Copied' }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByText(/copied the link/).waitFor()
  expect(await statusOf(first)).not.toBe(404)
  expect(page.url()).not.toContain('share=')
  const [made] = await links()
  expect(made).toMatchObject({
    name: 'Autumn campaign',
    hasPasscode: true,
    shows: { scheduled: true, drafts: false, published: true },
    allows: { comment: true, decide: true, notes: false, files: false },
  })

  const list = page.getByRole('list', { name: 'Shared calendars' })
  await list.getByText('Guests may: Look · Approve and request changes · Comment').waitFor()
  await list.getByText('No one has looked yet.').waitFor()
  const [tab] = await Promise.all([
    page.waitForEvent('popup'),
    list.getByRole('button', { name: 'Preview Autumn campaign in a new tab' }).click(),
  ])
  await tab.waitForURL((address) => address.pathname === `/shared/view/${made.id}`)
  await tab.getByText('This is a preview for your team.').waitFor()
  await tab.getByRole('button', { name: 'To do' }).waitFor()
  await tab.close()
  await page.reload()
  await list.getByText('No one has looked yet.').waitFor()

  await chooseAction(page, 'Autumn campaign', 'Edit')
  const edit = page.getByRole('dialog', { name: 'Edit “Autumn campaign”' })
  expect(await edit.getByRole('radio', { name: 'Keep the present one' }).isChecked()).toBe(true)
  await edit.getByRole('textbox', { name: 'Name' }).fill('Winter campaign')
  await edit.getByRole('checkbox', { name: 'Drafts' }).check()
  await edit.getByRole('checkbox', { name: 'Save documents as PDF files' }).check()
  await edit.getByText('A PDF file can say more than its pages show.').waitFor()
  await expectNoAxeViolations(page, 'a link that is edited')
  await edit.getByRole('radio', { name: 'No passcode' }).check()
  await edit.getByRole('button', { name: 'Save changes' }).click()
  await list.getByText('Winter campaign', { exact: true }).waitFor()
  expect((await links())[0]).toMatchObject({ hasPasscode: false, shows: { drafts: true }, allows: { files: true } })
  await list
    .getByText('Guests may: Look · Approve and request changes · Comment · Save documents as PDF files')
    .waitFor()
  expect(await statusOf(first)).toBe(303)

  await chooseAction(page, 'Winter campaign', 'Replace the link')
  await page.getByRole('dialog').getByRole('button', { name: 'Replace the link' }).click()
  const second = await takeAddress(page, 'Copy the link of “Winter campaign”', 'Link for your guests')
  expect([await statusOf(first), await statusOf(second)]).toEqual([404, 303])

  await chooseAction(page, 'Winter campaign', 'Close')
  await page.getByRole('dialog').getByRole('button', { name: 'Close the link' }).click()
  await page.getByText('No calendar is shared.').waitFor()
  expect(await statusOf(second)).toBe(404)
  await page.getByRole('checkbox', { name: 'Show 1 closed link' }).check()
  await list.getByText('Closed', { exact: true }).waitFor()
}, 60_000)

test('a link has a calendar address, and says who looked', async () => {
  const { sharedCalendar, address } = await dashboard.member('POST', '/internal/shared-calendars', {
    name: 'Client',
    socialSetIds: [dashboard.socialSetId],
    shows: { scheduled: true, drafts: true, published: true },
    allows: { comment: true, decide: true, notes: true },
  })
  const page = await dashboard.open(PATH, { signedIn: true })
  await chooseAction(page, 'Client', 'Calendar address')
  const dialog = page.getByRole('dialog', { name: 'Calendar address of “Client”' })
  await dialog.getByText('There is no calendar address.').waitFor()
  await dialog.getByRole('button', { name: 'Create an address' }).click()
  const feed = await takeAddress(page, 'Copy the calendar address of Client', 'Calendar address')
  expect(await (await fetch(feed)).text()).toMatch(/^BEGIN:VCALENDAR/)
  await dialog.getByRole('button', { name: 'Close the address' }).click()
  await page
    .getByRole('dialog', { name: 'Close the calendar address of Client?' })
    .getByRole('button', { name: 'Close the address' })
    .click()
  await dialog.getByText('There is no calendar address.').waitFor()
  expect((await fetch(feed)).status).toBe(404)
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })

  // A guest whose browser keeps the cookie has looked.
  const guest = await browser.newPage()
  await guest.goto(address)
  await guest.getByRole('heading', { level: 1 }).waitFor()
  const visitors = async () =>
    (await dashboard.member('GET', `/internal/shared-calendars/${sharedCalendar.id}/visitors`)).data
  await expect.poll(async () => (await visitors()).length).toBe(1)
  const [{ device }] = await visitors()
  await page.reload()
  await page.getByText('1 guest has looked.').waitFor()
  await page.getByRole('button', { name: 'Views of Client' }).click()
  const list = page.getByRole('dialog', { name: 'Views of “Client”' }).getByRole('listitem')
  await list.getByText('Guest without a name').waitFor()
  await list.getByText(device).waitFor()
  await settled(page)
})

test('from Settings, a link is about the only brand at once', async () => {
  const page = await dashboard.open(PATH, { signedIn: true })
  await page.getByRole('button', { name: 'Share a calendar' }).click()
  const brands = page.getByRole('dialog').getByRole('group', { name: 'Brands' })
  await brands.getByRole('checkbox').waitFor()
  expect(await brands.getByRole('checkbox').isChecked()).toBe(true)
})

test('notices over the calendar fit on a small window', async () => {
  const page = await dashboard.open('/dashboard/drafts', { signedIn: true })
  const data = [{ socialSetId: dashboard.socialSetId, unseen: 2 }]
  await page.route(/\/internal\/results\/unseen$/, (route) => route.fulfill({ json: { total: 2, data } }))
  await page.goto(`${dashboard.url}${calendarPath('month', { date: '2030-06-12' })}`)
  await page.getByRole('region', { name: 'Failed posts' }).getByText('2 posts failed.').waitFor()
  await expectNoSidewaysScroll(page, 'the lines over the calendar')
})
