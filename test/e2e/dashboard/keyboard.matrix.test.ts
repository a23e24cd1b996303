import { afterAll, beforeAll, expect, test } from 'vitest'
import { testBrowser } from '../../_util/browser/browser.ts'
import { type Dashboard, heading } from '../../_util/browser/dashboard.ts'
import { calendarPath, card, expectFocus, expectSpoken } from '../../_util/browser/dashboard-calendar.ts'
import { keyboardTask } from '../../_util/browser/dashboard-keys.ts'
import { joinDashboard } from '../../_util/browser/dashboard-of-worker.ts'

/**
 * What members do, by keys alone and in 40 presses at most. Connecting is in connections.matrix, moving in calendar.matrix,
 * keys of the API in api-keys.matrix, approving as a guest in shared.matrix.
 */

const browser = testBrowser()
let dashboard: Dashboard
beforeAll(async () => {
  dashboard = await joinDashboard(browser)
})
afterAll(() => dashboard?.stop())

const june = () => dashboard.open(calendarPath('month', { date: '2030-06-12' }), { signedIn: true })

test('a post set is written and scheduled, and the focus is on its card', async () => {
  const page = await june()
  // The days can take the focus once they are drawn.
  await page.locator('#calendar [tabindex="0"]').first().waitFor({ state: 'attached' })
  const keys = await keyboardTask(page)
  await keys.pressUntil('Tab', page.getByRole('link', { name: 'Skip to calendar' }), 4)
  await keys.press('Enter')
  await keys.pressUntil('Tab', page.locator('#calendar [tabindex="0"]'), 2)
  await keys.press('n')
  const dialog = page.getByRole('dialog', { name: 'New post' })
  const bluesky = dialog.getByRole('checkbox', { name: 'Bluesky' })
  await bluesky.waitFor({ state: 'attached' })
  await expect.poll(() => page.evaluate('document.activeElement.tagName')).toBe('TEXTAREA')
  await keys.type('Written by keys')
  await keys.pressUntil('Shift+Tab', bluesky, 3)
  await keys.press('Space')
  const schedule = dialog.getByRole('button', { name: 'Schedule' })
  await expect.poll(() => schedule.isEnabled()).toBe(true)
  await keys.press('Control+Enter')
  await page
    .getByText(/^Scheduled for /)
    .first()
    .waitFor()
  await expectFocus(card(page, 'Written by keys'))
  keys.finish()
  const { data } = await dashboard.seed.call('GET', `/v1/post-sets?socialSetId=${dashboard.socialSetId}`)
  expect(data).toMatchObject([{ status: 'SCHEDULED', posts: [{ caption: 'Written by keys' }] }])
})

test('a post set is approved from the menu of its card, and the approval is taken back', async () => {
  const { id } = await dashboard.seed.postSet({ caption: 'Please look', approval: 'PENDING' })
  const page = await june()
  const approval = async () => (await dashboard.seed.call('GET', `/v1/post-sets/${id}`)).approval
  await card(page, 'Please look').waitFor()
  const keys = await keyboardTask(page)
  await keys.pressUntil('Tab', page.getByRole('link', { name: 'Skip to calendar' }), 4)
  await keys.press('Enter')
  await keys.pressUntil('Tab', page.locator('#calendar [tabindex="0"]'), 2)
  await keys.pressUntil('ArrowDown', card(page, 'Please look'), 8)
  await keys.press('Shift+F10')
  const approve = page.getByRole('menuitem', { name: 'Approve', exact: true })
  await approve.waitFor()
  await expect.poll(() => page.evaluate('document.activeElement.closest("[role=menu]") !== null')).toBe(true)
  await keys.pressUntil('ArrowDown', approve, 10)
  await keys.press('Enter')
  await expect.poll(approval).toBe('APPROVED')
  await expectSpoken(page, /approved/i)
  await expectFocus(card(page, 'Please look'))
  await keys.press('Control+z')
  await expect.poll(approval).toBe('PENDING')
  keys.finish()
})

test('the calendar is searched, narrowed to a status, and shows everything again', async () => {
  await dashboard.seed.postSet({ caption: 'A loaf of rye', scheduledAt: '2030-06-18T10:00:00Z' })
  await dashboard.seed.postSet({ caption: 'A cake', scheduledAt: '2030-06-19T10:00:00Z', status: 'SCHEDULED' })
  const page = await june()
  await card(page, 'A cake').waitFor()
  const keys = await keyboardTask(page)
  await keys.press('/')
  await keys.type('loaf')
  await card(page, 'A cake').waitFor({ state: 'detached' })
  await card(page, 'A loaf of rye').waitFor()
  await keys.press('Control+a')
  await keys.press('Delete')
  await card(page, 'A cake').waitFor()
  await keys.pressUntil('Tab', page.getByRole('button', { name: 'Filters' }), 2)
  await keys.press('Enter')
  const draft = page.getByRole('checkbox', { name: 'Draft', exact: true })
  await draft.waitFor()
  await keys.pressUntil('Tab', draft, 16)
  await keys.press('Space')
  await card(page, 'A cake').waitFor({ state: 'detached' })
  await keys.press('Escape')
  await expectFocus(page.getByRole('button', { name: 'Filters (1)' }))
  await keys.pressUntil('Tab', page.getByRole('button', { name: 'Clear filters' }), 12)
  await keys.press('Enter')
  await card(page, 'A cake').waitFor()
  keys.finish()
})

test('the calendar is shared, and the focus stays on the page', async () => {
  const page = await june()
  const more = page.getByRole('main').getByRole('button', { name: 'More', exact: true })
  await more.waitFor()
  const keys = await keyboardTask(page)
  await keys.pressUntil('Tab', more, 26)
  await keys.press('Enter')
  await page.getByRole('menuitem', { name: 'Share the calendar' }).waitFor()
  await keys.pressUntil('ArrowDown', page.getByRole('menuitem', { name: 'Share the calendar' }), 3)
  await keys.press('Enter')
  const dialog = page.getByRole('dialog')
  const name = dialog.getByRole('textbox', { name: 'Name' })
  await name.waitFor()
  await expectFocus(name)
  await keys.type('By keys')
  await keys.press('Enter')
  await expectFocus(dialog.getByRole('textbox', { name: 'Link for your guests' }))
  await keys.pressUntil('Tab', dialog.getByRole('button', { name: 'Done' }), 4)
  await keys.press('Enter')
  await dialog.waitFor({ state: 'detached' })
  await page.getByRole('list', { name: 'Shared calendars' }).getByText('By keys').waitFor()
  await expect.poll(() => page.evaluate('document.activeElement !== document.body')).toBe(true)
  keys.finish()
})

test('a calendar is imported, and the focus comes back', async () => {
  const page = await dashboard.open('/dashboard/settings/calendars', { signedIn: true })
  const add = page.getByRole('button', { name: 'Add a calendar' })
  await expect.poll(() => add.isEnabled()).toBe(true)
  const keys = await keyboardTask(page)
  await keys.pressUntil('Tab', page.getByRole('link', { name: 'Skip to content' }), 4)
  await keys.press('Enter')
  await keys.pressUntil('Tab', add, 16)
  await keys.press('Enter')
  const form = page.getByRole('dialog')
  await expectFocus(form.getByRole('textbox', { name: 'Name' }))
  await keys.type('Team')
  await keys.pressUntil('Tab', form.getByRole('textbox', { name: 'Address' }), 6)
  await keys.type('https://calendar.example/team.ics')
  await keys.press('Enter')
  await form.waitFor({ state: 'detached' })
  await page.getByRole('list', { name: 'Imported calendars' }).getByText('Team').waitFor()
  await expectFocus(add)
  keys.finish()
})

test('members find their preferences, and leave', async () => {
  const page = await june()
  const keys = await keyboardTask(page)
  await keys.pressUntil(
    'Tab',
    page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Settings' }),
    12,
  )
  await keys.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Profile' }).waitFor()
  await keys.pressUntil('Tab', page.getByRole('button', { name: /^Account/ }), 20)
  await keys.press('Enter')
  const signOut = page.getByRole('menuitem', { name: 'Sign out' })
  await signOut.waitFor()
  await keys.pressUntil('ArrowDown', signOut, 10)
  await keys.press('Enter')
  await page.waitForURL(/\/sign-in/)
  await heading(page)
  keys.finish()
})
