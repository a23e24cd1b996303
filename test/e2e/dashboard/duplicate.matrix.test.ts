import { afterAll, beforeAll, expect, test } from 'vitest'
import { NARROW, testBrowser } from '../../_util/browser/browser.ts'
import type { Dashboard } from '../../_util/browser/dashboard.ts'
import { calendarPath, card, cardOn, focusOn } from '../../_util/browser/dashboard-calendar.ts'
import { expectNoAxeViolations } from '../../_util/browser/dashboard-checks.ts'
import { joinDashboard } from '../../_util/browser/dashboard-of-worker.ts'

/** Copies ask when they are due, from a card, the panel and a selection; one undo takes all of them away. */

const browser = testBrowser()
let dashboard: Dashboard
beforeAll(async () => {
  dashboard = await joinDashboard(browser)
}, 120_000)
afterAll(() => dashboard?.stop())

/** Times of the posts with a caption. */
async function timesOf(caption: string): Promise<string[]> {
  const { data } = await dashboard.seed.call('GET', `/v1/post-sets?socialSetId=${dashboard.socialSetId}&size=100`)
  type Found = { scheduledAt: string; posts: { caption: string }[] }
  return (data as Found[])
    .filter(({ posts }) => posts.some((post) => post.caption === caption))
    .map(({ scheduledAt }) => scheduledAt)
    .toSorted()
}

test('a card is duplicated a week later by the keys that are offered first, and one undo takes the copy away', async () => {
  await dashboard.seed.postSet({ caption: 'Each week', scheduledAt: '2030-10-24T10:00:00.000Z' })
  const page = await dashboard.open(calendarPath('month', { date: '2030-10-24' }), { signedIn: true })
  await card(page, 'Each week').click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Duplicate…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Duplicate' })
  await dialog.getByText('When should the copy go out?').waitFor()
  await expectNoAxeViolations(page, 'when a copy is due')
  await page.keyboard.press('Enter')
  await page
    .getByText(/Each week duplicated as a draft for Thursday 31 October 2030, 12:00/)
    .first()
    .waitFor()
  // The clock of the brand has changed in between, and shows the same.
  expect(await timesOf('Each week')).toEqual(['2030-10-24T10:00:00.000Z', '2030-10-31T11:00:00.000Z'])
  await page.keyboard.press('Control+z')
  await expect.poll(() => timesOf('Each week')).toEqual(['2030-10-24T10:00:00.000Z'])
})

test('from the panel to another time, and to the next free one', async () => {
  const { id } = await dashboard.seed.postSet({ caption: 'At a time', scheduledAt: '2030-06-12T10:00:00.000Z' })
  await dashboard.member('PUT', `/internal/social-sets/${dashboard.socialSetId}/saved-times`, {
    times: [{ weekday: 1, time: '07:05' }],
  })
  const page = await dashboard.open(calendarPath('month', { date: '2030-06-12', post: id }), {
    signedIn: true,
    viewport: NARROW,
    colorScheme: 'dark',
  })
  const asked = page.getByRole('dialog', { name: 'Duplicate' })
  const open = async () => {
    await page.getByRole('dialog', { name: 'Post', exact: true }).getByRole('button', { name: 'More' }).click()
    await page.getByRole('menuitem', { name: 'Duplicate…' }).click()
    await asked.waitFor()
  }
  await open()
  await asked.getByLabel('Another time').check()
  await asked.getByLabel('Day', { exact: true }).fill('2030-07-01')
  await asked.getByLabel('Time', { exact: true }).fill('')
  await asked.getByRole('button', { name: 'Duplicate' }).click()
  await asked.getByText('Enter a time.').waitFor()
  await expectNoAxeViolations(page, 'another time for a copy')
  await asked.getByLabel('Time', { exact: true }).fill('8:15')
  await asked.getByRole('button', { name: 'Duplicate' }).click()
  await expect.poll(() => timesOf('At a time')).toEqual(['2030-06-12T10:00:00.000Z', '2030-07-01T06:15:00.000Z'])
  await open()
  await asked.getByLabel('Next free time').check()
  await asked.getByRole('button', { name: 'Duplicate' }).click()
  await expect.poll(async () => (await timesOf('At a time')).length).toBe(3)
  const [soon = ''] = await timesOf('At a time')
  expect(Temporal.Instant.from(soon).toZonedDateTimeISO('Europe/Berlin')).toMatchObject({
    dayOfWeek: 1,
    hour: 7,
    minute: 5,
  })
})

test('several at once, with one undo for all', async () => {
  for (const day of [3, 4]) {
    await dashboard.seed.postSet({ caption: 'Two at once', scheduledAt: `2030-09-0${day}T10:00:00.000Z` })
  }
  const page = await dashboard.open(calendarPath('month', { date: '2030-09-03' }), { signedIn: true })
  for (const day of ['2030-09-03', '2030-09-04']) {
    await focusOn(cardOn(page, day, 'Two at once'))
    await page.keyboard.press('x')
  }
  await page.getByRole('toolbar', { name: 'Selected posts' }).getByRole('button', { name: 'Duplicate…' }).click()
  const asked = page.getByRole('dialog', { name: 'Duplicate' })
  await asked.getByText('When are 2 copies due?').waitFor()
  await expectNoAxeViolations(page, 'when copies are due')
  await asked.getByRole('button', { name: 'Duplicate' }).click()
  await page.getByText('2 posts duplicated as drafts.').first().waitFor()
  expect((await timesOf('Two at once')).map((at) => at.slice(5, 10))).toEqual(['09-03', '09-04', '09-10', '09-11'])
  await page.keyboard.press('Control+z')
  await expect.poll(async () => (await timesOf('Two at once')).length).toBe(2)
})
