import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { NARROW, testBrowser } from '../../_util/browser/browser.ts'
import type { Dashboard } from '../../_util/browser/dashboard.ts'
import { calendarPath } from '../../_util/browser/dashboard-calendar.ts'
import { COLOR_RULES, expectNoAxeViolations, expectNoSidewaysScroll } from '../../_util/browser/dashboard-checks.ts'
import { composer } from '../../_util/browser/dashboard-composer.ts'
import { joinDashboard } from '../../_util/browser/dashboard-of-worker.ts'

/** Saved times and groups of hashtags of a brand, on their screen, and its rule of approval where the plan has none. */

const browser = testBrowser()
let dashboard: Dashboard
beforeAll(async () => {
  dashboard = await joinDashboard(browser)
  const { socialSetId: id } = dashboard
  await dashboard.member('PUT', `/internal/social-sets/${id}/saved-times`, { times: [] })
  const { data } = await dashboard.member('GET', `/internal/hashtag-groups?socialSetId=${id}`)
  for (const group of data) await dashboard.member('DELETE', `/internal/hashtag-groups/${group.id}`)
}, 120_000)
afterAll(() => dashboard?.stop())

const path = () => `/dashboard/settings/social-sets/${dashboard.socialSetId}`
const times = async (): Promise<string[]> => {
  const answer = await dashboard.member('GET', `/internal/social-sets/${dashboard.socialSetId}/saved-times`)
  return answer.times.map(({ weekday, time }: { weekday: number; time: string }) => `${weekday} ${time}`)
}
const focused = (page: Page) => page.evaluate<string>(`document.activeElement.getAttribute('aria-label')`)

test('saved times are added for days, removed and brought back; the composer offers the free ones', async () => {
  const page = await dashboard.open('/dashboard/settings/social-sets', { signedIn: true })
  await page.getByRole('link', { name: /^Approval, times and hashtags of / }).click()
  await page.getByText('No saved times yet.').waitFor()
  await expectNoAxeViolations(page, 'no saved times')
  const section = page.getByRole('region', { name: 'Saved times' })
  await section.getByLabel('Time', { exact: true }).fill('5:30 pm')
  await section.getByLabel('Saturday').press('Space')
  await page.keyboard.press('Enter')
  await page.getByText('17:30 saved for 6 days.').first().waitFor()
  expect(await times()).toEqual([1, 2, 3, 4, 5, 6].map((weekday) => `${weekday} 17:30`))
  // What is there already is not added twice.
  await section.getByRole('button', { name: 'Add time' }).click()
  await page.getByText('17:30 is saved for these days already.').first().waitFor()
  // Removed by keys: the focus goes on to the next one.
  await section.getByRole('button', { name: 'Remove Tuesday, 17:30' }).focus()
  await page.keyboard.press('Enter')
  await page.getByText('Removed: Tuesday, 17:30.').first().waitFor()
  await expect.poll(() => focused(page)).toBe('Remove Wednesday, 17:30')
  expect(await times()).not.toContain('2 17:30')
  // What others have added meanwhile stays when it is undone.
  const now = [...(await times()), '7 08:00'].map((text) => ({ weekday: Number(text[0]), time: text.slice(2) }))
  await dashboard.member('PUT', `/internal/social-sets/${dashboard.socialSetId}/saved-times`, { times: now })
  await page.keyboard.press('Control+z')
  await section.getByRole('button', { name: 'Remove Tuesday, 17:30' }).waitFor()
  expect(await times()).toEqual([...[1, 2, 3, 4, 5, 6].map((weekday) => `${weekday} 17:30`), '7 08:00'])
  await expectNoAxeViolations(page, 'saved times')
  await page.emulateMedia({ colorScheme: 'dark' })
  await expectNoAxeViolations(page, 'saved times, dark', COLOR_RULES)
  await page.setViewportSize(NARROW)
  await expectNoAxeViolations(page, 'saved times, narrow')
  await expectNoSidewaysScroll(page)
  const writing = await dashboard.open(
    calendarPath('month', { date: '2030-06-12', post: 'new', at: '2030-06-12T10:00:00.000Z' }),
    { signedIn: true },
  )
  await composer(writing).getByRole('button', { name: '17:30', exact: true }).click()
  expect(await composer(writing).getByLabel('Time', { exact: true }).inputValue()).toBe('17:30')
})

test('groups of hashtags are added, changed, deleted and brought back; the composer writes them', async () => {
  browser.allowProblem(/hashtag-groups\S*: 4\d\d$/)
  const page = await dashboard.open(path(), { signedIn: true })
  const section = page.getByRole('region', { name: 'Hashtag groups' })
  await section.getByText('No groups yet.').waitFor()
  await section.getByLabel('Name of the group').fill('Bakery')
  await section.getByLabel('Hashtags', { exact: true }).fill('#bread, sourdough  bread')
  await section.getByRole('button', { name: 'Add group' }).click()
  await section.getByText('#bread #sourdough', { exact: true }).waitFor()
  // The same name again is refused at its field, and what was typed stays.
  await section.getByLabel('Name of the group').fill('bakery')
  await section.getByLabel('Hashtags', { exact: true }).fill('#oven')
  await section.getByRole('button', { name: 'Add group' }).click()
  await section.getByText('A hashtag group named “Bakery” already exists.').waitFor()
  await section.getByRole('button', { name: 'Change Bakery' }).click()
  await section.getByLabel('Name of “Bakery”').fill('Bread')
  await section.getByRole('button', { name: 'Save' }).click()
  await section.getByText('Bread', { exact: true }).waitFor()
  await section.getByRole('button', { name: 'Delete Bread' }).click()
  await section.getByText('No groups yet.').waitFor()
  await page.keyboard.press('Control+z')
  await section.getByText('Bread', { exact: true }).waitFor()
  await expectNoAxeViolations(page, 'groups of hashtags')
  const writing = await dashboard.open(calendarPath('month', { date: '2030-06-12', post: 'new' }), { signedIn: true })
  await composer(writing).getByRole('button', { name: 'Hashtags' }).click()
  await writing.getByRole('menuitem', { name: 'Edit the groups…' }).waitFor()
  await writing.getByRole('menuitem', { name: /^Bread/ }).click()
  await expect
    .poll(() => composer(writing).getByLabel('Caption', { exact: true }).inputValue())
    .toBe('#bread #sourdough')
})

test('who may not change them reads them; a brand that is not there says so', async () => {
  await dashboard.member('PUT', `/internal/social-sets/${dashboard.socialSetId}/saved-times`, {
    times: [{ weekday: 1, time: '09:00' }],
  })
  const reviewer = await dashboard.newMember({ role: 'reviewer' })
  const page = await dashboard.open(path(), { signedIn: reviewer })
  const section = page.getByRole('region', { name: 'Saved times' })
  await section.getByText('09:00', { exact: true }).waitFor()
  await section.getByText(/Your role can read them/).waitFor()
  expect(await page.getByRole('main').getByRole('button').count()).toBe(0)
  await expectNoAxeViolations(page, 'saved times, read only')
  await page.goto(`${dashboard.url}/dashboard/settings/social-sets/019f0000-0000-7000-8000-000000000000`)
  await page.getByText('This page does not exist, or you do not have access to it.').waitFor()
})

test('a rule of approval is not offered where the plan has no approvals, and a refusal says why in words', async () => {
  browser.allowProblem(/approval-rule: 403$/)
  const page = await dashboard.open('/dashboard/drafts', { signedIn: true })
  let features = ['apiAccess']
  await page.context().route('**/internal/usage', async (route) => {
    const answer = await route.fetch()
    await route.fulfill({ response: answer, json: { ...((await answer.json()) as object), features } })
  })
  const address = `${dashboard.url}${path()}`
  await page.goto(address)
  const section = page.getByRole('region', { name: 'Approval', exact: true })
  await section.getByText('The plan does not include approvals.').waitFor()
  expect(await section.getByRole('radio', { name: 'Optional' }).isEnabled()).toBe(true)
  for (const name of ['Required', 'The team, then the client']) {
    expect(await section.getByRole('radio', { name }).isDisabled()).toBe(true)
  }
  await expectNoAxeViolations(page, 'the rule of approval without approvals')
  // The plan is another one since the page was read.
  features = ['approvals']
  const requestId = '019f0000-0000-7000-8000-000000000001'
  const refusal = {
    type: 'about:blank',
    title: 'Refused',
    status: 403,
    code: 'plan:approvals_not_available',
    requestId,
  }
  await page
    .context()
    .route('**/approval-rule', (route) =>
      route.request().method() === 'PUT'
        ? route.fulfill({ status: 403, json: { ...refusal, message: 'Approvals are not part of the plan.' } })
        : route.fallback(),
    )
  await page.goto(address)
  await section.getByRole('radio', { name: 'Required' }).check()
  await section.getByRole('button', { name: 'Save rule' }).click()
  await section.getByRole('alert').getByText('Approvals are not part of the plan.').waitFor()
  expect(await page.getByText(requestId).count()).toBe(0)
})
