import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testBrowser } from '../../_util/browser/browser.ts'
import type { Dashboard } from '../../_util/browser/dashboard.ts'
import { day } from '../../_util/browser/dashboard-calendar.ts'
import { endWith, saveDraft } from '../../_util/browser/dashboard-composer.ts'
import { joinDashboard } from '../../_util/browser/dashboard-of-worker.ts'

const browser = testBrowser()
let dashboard: Dashboard
beforeAll(async () => {
  dashboard = await joinDashboard(browser)
}, 120_000)
afterAll(() => dashboard?.stop())

const sets = async () => (await dashboard.seed.call('GET', `/v1/post-sets?socialSetId=${dashboard.socialSetId}`)).data

const month = (search: string) => `/dashboard/scheduling/calendar/month?set=${dashboard.socialSetId}&${search}`

async function openEditor(at: string, more: Parameters<Dashboard['open']>[1] = { signedIn: true }) {
  const page = await dashboard.open(month(`post=new&at=${at}`), more)
  const dialog = page.getByRole('dialog', { name: 'New post' })
  await dialog.getByRole('checkbox', { name: /^Bluesky/ }).click()
  await dialog.getByLabel('Caption', { exact: true }).fill('Fresh bread')
  return { page, dialog }
}

/** Nothing is in the way of it, and the check has ended. */
const ready = async (page: Page) => {
  await page.getByText(/^Goes out/).waitFor()
  return page.getByRole('button', { name: 'Schedule', exact: true })
}

test('a time that the clocks skip is asked about and never guessed', async () => {
  const { page, dialog } = await openEditor('2027-03-28T10:00:00.000Z')
  await ready(page)
  await dialog.getByLabel('Time', { exact: true }).fill('02:30')
  await dialog.getByText('The clocks skip this time. Which is meant?').waitFor()
  expect(await dialog.getByLabel('Time', { exact: true }).inputValue()).toBe('02:30')
  await dialog.getByText('Choose which time is meant.').waitFor()
  await dialog.getByRole('radio', { name: /03:30|3:30/ }).check()
  expect(await dialog.getByLabel('Time', { exact: true }).inputValue()).toBe('03:30')
  await (await ready(page)).click()
  await page
    .getByText(/Scheduled for .*3:30/)
    .first()
    .waitFor()
  const { data } = await dashboard.seed.call('GET', `/v1/post-sets?socialSetId=${dashboard.socialSetId}`)
  expect(data[0].scheduledAt).toBe('2027-03-28T01:30:00.000Z')
  // What was made can be taken back.
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText(/^Undone/).waitFor()
  expect(await sets()).toEqual([])
})

test('publishing now instead of later is asked for as what it is', async () => {
  const { page } = await openEditor('2030-06-12T10:00:00.000Z')
  await ready(page)
  await endWith(page, /^Publish now/)
  const question = page.getByRole('dialog', { name: 'Publish now?' })
  await question.getByText(/^This goes out at once to Bluesky/).waitFor()
  await question.getByRole('button', { name: 'Cancel' }).click()
  await question.waitFor({ state: 'hidden' })
  expect(await sets()).toEqual([])
})

test('nothing is saved while a field is empty, and a number is typed as in any field', async () => {
  const { page, dialog } = await openEditor('2030-06-12T10:00:00.000Z')
  await ready(page)
  await dialog.getByLabel('Time', { exact: true }).fill('')
  await dialog.getByText('Choose a day from 2000 to 2100, and a time.').first().waitFor()
  await dialog.getByRole('button', { name: 'Schedule', exact: true }).click()
  await saveDraft(page)
  expect(await sets()).toEqual([])
  await dialog.getByLabel('Time', { exact: true }).fill('12:00')
  await dialog.getByRole('switch', { name: 'Repeat' }).check()
  const count = dialog.getByLabel('Number of times')
  await count.press('Control+a')
  await count.press('Delete')
  await dialog.getByText('Choose a number from 2 to 50.').waitFor()
  await saveDraft(page)
  expect(await sets()).toEqual([])
  await count.pressSequentially('6')
  await saveDraft(page)
  await page.getByText(/6 posts saved as drafts, the first for/).waitFor()
})

test('an author writes drafts and does not schedule; what reviewers said is not theirs to set', async () => {
  const author = await dashboard.newMember({ role: 'author' })
  const { page, dialog } = await openEditor('2030-07-12T10:00:00.000Z', { signedIn: author })
  await dialog.getByRole('button', { name: 'Save draft' }).waitFor()
  expect(await dialog.getByRole('button', { name: 'Schedule', exact: true }).count()).toBe(0)
  await page.getByRole('button', { name: 'More options' }).click()
  const endings = await page.getByRole('menuitem').allTextContents()
  expect(endings.map((text) => text.split(/(?=Saves|Stays)/)[0])).toEqual([
    'Save draft',
    'Request approval',
    'Ask the client',
  ])
  await page.getByRole('menuitem', { name: /^Request approval/ }).click()
  await page
    .getByText(/Saved as a draft for .* The team is asked/)
    .first()
    .waitFor()
  const asked = (await sets()).filter(({ approval }: { approval: string }) => approval === 'PENDING')
  expect(asked).toMatchObject([{ status: 'DRAFT' }])
})

const hiddenBelow = ({ scrollHeight, clientHeight }: { scrollHeight: number; clientHeight: number }) =>
  scrollHeight - clientHeight

test('what was written comes back with a reload, and is nothing that another new post begins with', async () => {
  const { page, dialog } = await openEditor('2030-08-12T10:00:00.000Z')
  const caption = dialog.getByLabel('Caption', { exact: true })
  await caption.fill('Half a thought')
  // Also where the rest of the composer is higher than the window.
  await page.setViewportSize({ width: 1440, height: 420 })
  await page.reload()
  const notice = dialog.getByRole('status', { name: 'What you wrote before was kept' })
  await notice.waitFor()
  expect(await notice.evaluate(hiddenBelow)).toBeLessThanOrEqual(1)
  expect(await caption.inputValue()).toBe('Half a thought')
  expect(await dialog.getByLabel('Date').getAttribute('data-day')).toBe('2030-08-12')
  const { href } = new URL(page.url())
  await page.goto(`${dashboard.url}${month('post=new&at=2030-08-20T10:00:00.000Z')}`)
  await caption.waitFor()
  expect([await caption.inputValue(), await notice.count()]).toEqual(['', 0])
  expect(await dialog.getByLabel('Date').getAttribute('data-day')).toBe('2030-08-20')
  await page.goto(href)
  await dialog.getByRole('button', { name: 'Discard it' }).click()
  expect(await caption.inputValue()).toBe('')
})

test('what was written on a day stays there, and another day is another post', async () => {
  const page = await dashboard.open(month('date=2030-11-01'), { signedIn: true })
  const dialog = page.getByRole('dialog', { name: 'New post' })
  const caption = dialog.getByLabel('Caption', { exact: true })
  const open = async (how: () => Promise<void>, text: string, on: string | null) => {
    await how()
    await expect.poll(() => caption.inputValue()).toBe(text)
    if (on) expect(await dialog.getByLabel('Date').getAttribute('data-day')).toBe(on)
    await page.goBack()
    await dialog.waitFor({ state: 'hidden' })
  }
  await day(page, '2030-11-16').click({ position: { x: 60, y: 70 } })
  await caption.fill('For the 16th')
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'hidden' })
  await open(() => page.getByRole('button', { name: 'Continue writing' }).click(), 'For the 16th', '2030-11-16')
  await open(() => page.getByRole('button', { name: 'New post', exact: true }).first().click(), '', null)
  await open(() => day(page, '2030-11-20').click({ position: { x: 60, y: 70 } }), '', '2030-11-20')
})

test('what was discarded comes back by undo, also when the composer is closed by then', async () => {
  const { page, dialog } = await openEditor('2030-12-12T10:00:00.000Z')
  const caption = dialog.getByLabel('Caption', { exact: true })
  const undo = page.getByRole('button', { name: 'Undo', exact: true })
  await caption.fill('Discarded too soon')
  await page.reload()
  await dialog.getByRole('button', { name: 'Discard it' }).click()
  expect(await caption.inputValue()).toBe('')
  await undo.click()
  await expect.poll(() => caption.inputValue()).toBe('Discarded too soon')
  // The message fades.
  await undo.waitFor({ state: 'hidden' })
  await dialog.getByRole('button', { name: 'Discard it' }).click()
  await dialog.getByRole('button', { name: 'Close', exact: true }).click()
  await dialog.waitFor({ state: 'hidden' })
  await undo.click()
  await page.getByRole('region', { name: 'Unsaved text' }).getByText('“Discarded too soon”').waitFor()
})

test('a text that no request takes is a problem while it is typed, and is kept in the browser', async () => {
  const { page, dialog } = await openEditor('2030-12-13T10:00:00.000Z')
  const caption = dialog.getByLabel('Caption', { exact: true })
  await caption.fill('Far too long. '.repeat(22_000))
  const problems = dialog.getByRole('region', { name: 'Problems' })
  await problems.getByText('The text is too long: at most 65,000 characters.').waitFor()
  expect(await dialog.getByText(/^Goes out/).count()).toBe(0)
  await dialog.getByText('Kept in this browser').waitFor()
  await page.getByRole('button', { name: 'Schedule', exact: true }).click()
  expect(await dialog.isVisible()).toBe(true)
  await page.reload()
  await expect.poll(async () => (await caption.inputValue()).length).toBe(308_000)
  await caption.fill('Short again')
  await problems.waitFor({ state: 'hidden' })
  await ready(page)
})
