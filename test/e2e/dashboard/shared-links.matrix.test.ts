import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { testBrowser } from '../../_util/browser/browser.ts'
import { chooseAction, type Dashboard, settled } from '../../_util/browser/dashboard.ts'
import {
  expectNoAxeInBothColors,
  expectNoAxeViolations,
  expectNoSidewaysScroll,
  LOOKS,
} from '../../_util/browser/dashboard-checks.ts'
import { joinDashboard } from '../../_util/browser/dashboard-of-worker.ts'

/** The screen of shared calendars in every form that it has. */

const PATH = '/dashboard/settings/shared-calendars'
const browser = testBrowser()
let dashboard: Dashboard
beforeAll(async () => {
  dashboard = await joinDashboard(browser)
}, 120_000)
afterAll(() => dashboard?.stop())

const share = (more: object) =>
  dashboard.member('POST', '/internal/shared-calendars', {
    socialSetIds: [dashboard.socialSetId],
    shows: { scheduled: true, drafts: true, published: true },
    allows: { comment: true, decide: true, notes: true },
    ...more,
  })

describe.each(LOOKS)('$name', ({ name, colorScheme, viewport }) => {
  test('the list and its dialogs have nothing that axe finds, and fit into 320 pixels', async () => {
    const title = `Donaudampfschifffahrtsgesellschaft ${name}`
    const lastDay = Temporal.Now.plainDateISO('UTC').add({ days: 30 }).toString()
    await share({ name: title, passcode: 'open sesame', lastDay })
    const page = await dashboard.open(PATH, { signedIn: true, colorScheme, viewport })
    const check = async (what: string) => {
      await settled(page)
      await expectNoAxeInBothColors(page, what)
      await page.setViewportSize({ width: 320, height: 844 })
      await expectNoSidewaysScroll(page, what)
      await page.setViewportSize(viewport)
    }
    await page.getByText(title).waitFor()
    await check('the list')
    const dialog = page.getByRole('dialog')
    const back = async (button?: string) => {
      if (button) await dialog.getByRole('button', { name: button }).click()
      else await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'detached' })
    }
    await chooseAction(page, title, 'Edit')
    await dialog.getByRole('radio', { name: 'Another one' }).check()
    await dialog.getByRole('button', { name: 'Save changes' }).click()
    await dialog.getByRole('alert').getByText('Use at least 6 characters.').waitFor()
    await check('the form')
    await back('Cancel')
    await chooseAction(page, title, 'Replace the link')
    await check('the question before replacing')
    await dialog.getByRole('button', { name: 'Replace the link' }).click()
    await dialog.getByRole('textbox', { name: 'Link for your guests' }).waitFor()
    await check('the link that is shown once')
    // It is not lost by a key or a click beside it.
    await page.keyboard.press('Escape')
    await back('Done')
    await chooseAction(page, title, 'Calendar address')
    await dialog.getByText('There is no calendar address.').waitFor()
    await check('the calendar address')
    await back()
    await page.getByRole('button', { name: `Views of ${title}` }).click()
    await dialog.getByText('No one has looked yet.').waitFor()
    await check('who looked')
    await back()
    await expect
      .poll(() => page.evaluate('document.activeElement.getAttribute("aria-label")'))
      .toBe(`Views of ${title}`)
  })
})

test('a link whose last day is over says so and how it opens again', async () => {
  const { sharedCalendar } = await share({ name: 'Old' })
  const page = await dashboard.open('/dashboard/drafts', { signedIn: true })
  await page.route(/\/internal\/shared-calendars$/, (route) =>
    route.fulfill({ json: { data: [{ ...sharedCalendar, state: 'expired', lastDay: '2026-01-31' }] } }),
  )
  await page.goto(`${dashboard.url}${PATH}`)
  await page.getByText('The last day was 31 January 2026. Edit it to open the link again.').waitFor()
  expect(await page.getByRole('button', { name: /^Preview/ }).count()).toBe(0)
  await expectNoAxeViolations(page, 'a link that has expired')
})

test('where the plan has no approvals, a link is made that lets no one decide', async () => {
  const page = await dashboard.open('/dashboard/drafts', { signedIn: true })
  await page.route('**/internal/usage', async (route) => {
    const answer = await route.fetch()
    await route.fulfill({ response: answer, json: { ...((await answer.json()) as object), features: ['apiAccess'] } })
  })
  await page.goto(`${dashboard.url}${PATH}`)
  await page.getByRole('button', { name: 'Share a calendar' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('The plan does not include approvals.').waitFor()
  await dialog.getByLabel('Name', { exact: true }).fill('To look at')
  await dialog.getByRole('group', { name: 'Brands' }).getByRole('checkbox').first().check()
  const asked = page.waitForRequest((request) => request.method() === 'POST' && /shared-calendars$/.test(request.url()))
  await dialog.getByRole('button', { name: 'Create link' }).click()
  expect((await asked).postDataJSON()).toMatchObject({ allows: { comment: true, decide: false, notes: true } })
})

test('a member who may not share calendars learns who may', async () => {
  const author = await dashboard.newMember({ role: 'author' })
  const page = await dashboard.open(PATH, { signedIn: author })
  await page.getByText('Only owners, admins and editors can share calendars.').waitFor()
  expect(await page.getByRole('button', { name: 'Share a calendar' }).count()).toBe(0)
  await page.goto(`${dashboard.url}/dashboard/scheduling/calendar/month`)
  await page.getByRole('button', { name: 'Today' }).waitFor()
  await page.getByRole('main').getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('menuitem', { name: 'New note' }).waitFor()
  expect(await page.getByRole('menuitem', { name: 'Share the calendar' }).count()).toBe(0)
})

test('a link is created with the keyboard alone, and the focus comes back', async () => {
  const page = await dashboard.open(PATH, { signedIn: true })
  const button = page.getByRole('button', { name: 'Share a calendar' })
  await expect.poll(() => button.isEnabled()).toBe(true)
  await button.press('Enter')
  const dialog = page.getByRole('dialog')
  const name = dialog.getByRole('textbox', { name: 'Name' })
  await expect.poll(() => name.evaluate((field) => field.matches(':focus'))).toBe(true)
  await page.keyboard.type('By keys')
  // The only brand is checked already.
  await page.keyboard.press('Tab')
  const brand = dialog.getByRole('group', { name: 'Brands' }).getByRole('checkbox')
  await expect.poll(() => brand.evaluate((box) => box.matches(':focus:checked'))).toBe(true)
  await page.keyboard.press('Space')
  await page.keyboard.press('Space')
  await page.keyboard.press('Enter')
  const link = dialog.getByRole('textbox', { name: 'Link for your guests' })
  await expect.poll(() => link.evaluate((field) => field.matches(':focus'))).toBe(true)
  await dialog.getByRole('button', { name: 'Done' }).press('Enter')
  await dialog.waitFor({ state: 'detached' })
  await expect.poll(() => button.evaluate((element) => element.matches(':focus'))).toBe(true)
})
