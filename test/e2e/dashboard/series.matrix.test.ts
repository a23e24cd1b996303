import { afterAll, beforeAll, expect, test } from 'vitest'
import { testBrowser } from '../../_util/browser/browser.ts'
import type { Dashboard } from '../../_util/browser/dashboard.ts'
import { calendarPath, card, cardOn, focusOn } from '../../_util/browser/dashboard-calendar.ts'
import { expectNoAxeViolations } from '../../_util/browser/dashboard-checks.ts'
import { saveDraft } from '../../_util/browser/dashboard-composer.ts'
import { joinDashboard } from '../../_util/browser/dashboard-of-worker.ts'

const browser = testBrowser()
let dashboard: Dashboard
beforeAll(async () => {
  dashboard = await joinDashboard(browser)
}, 120_000)
afterAll(() => dashboard?.stop())

test('the dates of a series are reported before it is saved, with what the clocks move', async () => {
  const at = '2027-03-26T01:30:00.000Z'
  const path = `/dashboard/scheduling/calendar/month?set=${dashboard.socialSetId}&post=new&at=${at}`
  const page = await dashboard.open(path, { signedIn: true })
  const dialog = page.getByRole('dialog', { name: 'New post' })
  await dialog.getByRole('checkbox', { name: /^Bluesky/ }).click()
  await dialog.getByLabel('Caption', { exact: true }).fill('Good morning')
  await dialog.getByRole('switch', { name: 'Repeat' }).check()
  await dialog.getByLabel('How often').selectOption('DAY')
  await dialog.getByLabel('Number of times').fill('9')
  const dates = dialog.getByRole('list', { name: 'Dates of the series' }).getByRole('listitem')
  await dates.filter({ hasText: /28 Mar.* – later, because the clocks skip the time on this day/ }).waitFor()
  await dates.filter({ hasText: /and 4 more, the last on .*3 Apr/ }).waitFor()
  await expectNoAxeViolations(page)
  await saveDraft(page)
  await page.getByText(/9 posts saved as drafts/).waitFor()
  const { data } = await dashboard.seed.call('GET', `/v1/post-sets?socialSetId=${dashboard.socialSetId}`)
  const times = data.map(({ scheduledAt }: { scheduledAt: string }) => scheduledAt)
  expect([times.length, times[2], times.at(-1)]).toEqual([9, '2027-03-28T01:30:00.000Z', '2027-04-03T00:30:00.000Z'])
  // One undo takes the whole series back.
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText(/^Undone/).waitFor()
  const left = await dashboard.seed.call('GET', `/v1/post-sets?socialSetId=${dashboard.socialSetId}`)
  expect(left.data).toEqual([])
})

test('of a series as much is deleted as is asked for, and comes back by one undo', async () => {
  await dashboard.seed.postSet({
    caption: 'Weekly',
    scheduledAt: '2030-05-06T10:00:00Z',
    repeat: { interval: 'WEEK', occurrences: 4 },
  })
  const page = await dashboard.open(calendarPath('month', { date: '2030-05-06' }), { signedIn: true })
  await focusOn(cardOn(page, '2030-05-13', 'Weekly'))
  await page.keyboard.press('Delete')
  const dialog = page.getByRole('dialog', { name: 'Which posts do you want to delete?' })
  await dialog.getByLabel('This and the following').check()
  await dialog.getByText('3 posts would be deleted.').waitFor()
  await expectNoAxeViolations(page)
  await dialog.getByRole('button', { name: 'Delete', exact: true }).click()
  await page.getByText('3 posts of the series deleted.').first().waitFor()
  for (const date of ['13', '20', '27']) {
    await cardOn(page, `2030-05-${date}`, 'Weekly').waitFor({ state: 'detached' })
  }
  await page.keyboard.press('Control+z')
  for (const date of ['06', '13', '20', '27']) await cardOn(page, `2030-05-${date}`, 'Weekly').waitFor()
  // What offered to take it back is gone with what it offered.
  await page.getByText(/^Undone/).waitFor()
  await expect.poll(() => page.getByRole('button', { name: 'Undo' }).count()).toBe(0)
  // Escape keeps all.
  await focusOn(card(page, 'Weekly'))
  await page.keyboard.press('Delete')
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'hidden' })
  await cardOn(page, '2030-05-06', 'Weekly').waitFor()
})

test('a series that was made and then moved is taken back step by step', async () => {
  const page = await dashboard.open(calendarPath('month', { date: '2030-09-12' }), { signedIn: true })
  await page
    .getByRole('button', { name: /^New post/ })
    .first()
    .click()
  const editor = page.getByRole('dialog', { name: 'New post' })
  await editor.getByRole('checkbox', { name: /^Bluesky/ }).click()
  await editor.getByLabel('Caption', { exact: true }).fill('Fortnight')
  await editor.getByRole('switch', { name: 'Repeat' }).check()
  await saveDraft(page)
  await editor.waitFor({ state: 'hidden' })
  await page.getByText(/4 posts saved as drafts/).waitFor()
  await focusOn(card(page, 'Fortnight').first())
  await page.keyboard.press('Alt+ArrowRight')
  await page
    .getByRole('dialog', { name: 'Which posts do you want to move?' })
    .getByRole('button', { name: 'Move', exact: true })
    .click()
  await page
    .getByText(/Fortnight moved/)
    .first()
    .waitFor()
  await page.keyboard.press('Control+z')
  await page.getByText(/^Undone: Fortnight moved/).waitFor()
  await page.keyboard.press('Control+z')
  await page.getByText(/^Undone: 4 posts/).waitFor()
  // The cards go with the next look at the calendar, which comes a moment after the message.
  await expect.poll(() => card(page, 'Fortnight').count()).toBe(0)
})
