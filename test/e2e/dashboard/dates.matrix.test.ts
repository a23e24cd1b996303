import { afterAll, beforeAll, expect, test } from 'vitest'
import { NARROW, testBrowser } from '../../_util/browser/browser.ts'
import type { Dashboard } from '../../_util/browser/dashboard.ts'
import { calendarPath, card, expectTime, focusOn } from '../../_util/browser/dashboard-calendar.ts'
import { expectNoAxeViolations, expectNoSidewaysScroll } from '../../_util/browser/dashboard-checks.ts'
import { composer } from '../../_util/browser/dashboard-composer.ts'
import { joinDashboard } from '../../_util/browser/dashboard-of-worker.ts'

/** Days and times as the member prefers them, typed and chosen, in the composer and in "Move to…". */

const browser = testBrowser()
let dashboard: Dashboard
beforeAll(async () => {
  dashboard = await joinDashboard(browser)
}, 120_000)
afterAll(() => dashboard?.stop())

const prefer = (preferences: object) => dashboard.member('PATCH', '/internal/preferences', preferences)
const openNew = () =>
  dashboard.open(calendarPath('month', { date: '2030-06-12', post: 'new', at: '2030-06-12T12:30:00.000Z' }), {
    signedIn: true,
  })

test.each([
  ['en-GB', { hourCycle: 'auto', weekStart: 'auto' }, 'Wed, 12 Jun 2030', '14:30', 'Mon', '1.7.'],
  ['en-US', { hourCycle: 'auto', weekStart: 'auto' }, 'Wed, Jun 12, 2030', '2:30 PM', 'Sun', '7/1/30'],
  ['de-DE', { hourCycle: 'auto', weekStart: 'saturday' }, 'Mi., 12. Juni 2030', '14:30', 'Sa', '1.7.30'],
  ['en-GB', { hourCycle: 'h12', weekStart: 'sunday' }, 'Wed, 12 Jun 2030', '02:30 pm', 'Sun', '1 July 2030'],
] as const)('%s, %j', async (locale, chosen, shown, clock, first, typed) => {
  await prefer({ locale, ...chosen })
  const page = await openNew()
  const german = locale === 'de-DE'
  const dialog = page.getByRole('dialog', { name: german ? 'Neuer Beitrag' : 'New post' })
  const date = dialog.getByLabel(german ? 'Datum' : 'Date', { exact: true })
  await date.waitFor()
  expect((await date.inputValue()).replaceAll('\u202f', ' ')).toBe(shown)
  const time = dialog.getByLabel(german ? 'Uhrzeit' : 'Time', { exact: true })
  expect((await time.inputValue()).replaceAll('\u202f', ' ')).toBe(clock)
  await date.press('ArrowDown')
  const grid = page.getByRole('grid')
  await grid.waitFor()
  expect((await grid.getByRole('columnheader').allInnerTexts())[0]).toBe(first)
  await page.keyboard.press('Escape')
  await grid.waitFor({ state: 'hidden' })
  // Escape closed the month alone.
  await date.fill(typed)
  await date.blur()
  expect(await date.getAttribute('data-day')).toMatch(/^(2030|2027)-07-01$/)
  await prefer({ locale: null, hourCycle: 'auto', weekStart: 'auto' })
})

test('a day is chosen from the month by keys and by the pointer, and what is no day is said', async () => {
  const page = await openNew()
  const dialog = composer(page)
  const date = dialog.getByLabel('Date', { exact: true })
  await date.press('ArrowDown')
  await page.getByRole('grid', { name: 'June 2030' }).waitFor()
  await expectNoAxeViolations(page, 'the month of the composer')
  const day = (name: string) => page.getByRole('button', { name, exact: true })
  await expect.poll(() => day('Wednesday, 12 June 2030').evaluate((button) => button.matches(':focus'))).toBe(true)
  for (const key of ['ArrowRight', 'ArrowDown', 'PageDown', 'Home']) await page.keyboard.press(key)
  await expect.poll(() => day('Monday, 15 July 2030').evaluate((button) => button.matches(':focus'))).toBe(true)
  await page.keyboard.press('Enter')
  expect(await date.getAttribute('data-day')).toBe('2030-07-15')
  await expect.poll(() => date.evaluate((field) => field.matches(':focus'))).toBe(true)
  await dialog.getByRole('button', { name: 'Choose a day' }).click()
  await page.getByRole('dialog', { name: 'Choose a day' }).getByRole('button', { name: 'Previous month' }).click()
  await day('Thursday, 20 June 2030').click()
  expect(await date.getAttribute('data-day')).toBe('2030-06-20')
  await date.fill('31 June')
  // Not while it is written.
  const wrong = dialog.getByText('Choose a day from 2000 to 2100, and a time.')
  expect(await wrong.count()).toBe(0)
  await date.blur()
  await expect.poll(() => wrong.count()).toBe(1)
  await expectNoAxeViolations(page, 'a day that is none')
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.setViewportSize(NARROW)
  await date.fill('20 June')
  await date.press('ArrowDown')
  await page.getByRole('grid').waitFor()
  await expectNoAxeViolations(page, 'the month on a phone')
  await expectNoSidewaysScroll(page)
})

test('a week offers the free times of the brand, and begins a post at the one that is clicked', async () => {
  await prefer({ locale: 'en-GB', hourCycle: 'auto', weekStart: 'auto' })
  await dashboard.member('PUT', `/internal/social-sets/${dashboard.socialSetId}/saved-times`, {
    times: [
      { weekday: 1, time: '07:05' },
      { weekday: 2, time: '07:05' },
      { weekday: 2, time: '18:15' },
    ],
  })
  const monday = Temporal.Now.plainDateISO('Europe/Berlin').add({ weeks: 2 })
  const date = monday.subtract({ days: monday.dayOfWeek - 1 })
  const taken = date.toZonedDateTime({ timeZone: 'Europe/Berlin', plainTime: '07:05' }).toInstant().toString()
  await dashboard.seed.postSet({ caption: 'Takes a free time', scheduledAt: taken })
  const page = await dashboard.open(calendarPath('week', { date: date.toString() }), { signedIn: true })
  await card(page, 'Takes a free time').waitFor()
  const free = page.getByRole('button', { name: /free$/ })
  await expect.poll(() => free.allTextContents()).toEqual(['07:05 free', '18:15 free'])
  await expectNoAxeViolations(page, 'a week with free times')
  await free.last().click()
  const dialog = page.getByRole('dialog', { name: 'New post' })
  const tuesday = date.add({ days: 1 }).toString()
  await expect.poll(() => dialog.getByLabel('Date', { exact: true }).getAttribute('data-day')).toBe(tuesday)
  expect(await dialog.getByLabel('Time', { exact: true }).inputValue()).toBe('18:15')
})

test('a post is moved to a free time of the brand', async () => {
  await dashboard.member('PUT', `/internal/social-sets/${dashboard.socialSetId}/saved-times`, {
    times: [{ weekday: 4, time: '18:15' }],
  })
  const { id } = await dashboard.seed.postSet({ caption: 'To a free time', scheduledAt: '2030-06-12T10:00:00.000Z' })
  const page = await dashboard.open(calendarPath('month', { date: '2030-06-12' }), { signedIn: true })
  await focusOn(card(page, 'To a free time'))
  await page.keyboard.press('m')
  const dialog = page.getByRole('dialog', { name: /^Move/ })
  await dialog.getByRole('button', { name: '13 June 2030, 18:15' }).click()
  expect(await dialog.getByLabel('Day', { exact: true }).getAttribute('data-day')).toBe('2030-06-13')
  await expectNoAxeViolations(page, 'the dialog of a move')
  await page.keyboard.press('Tab')
  await dialog.getByRole('button', { name: 'Move', exact: true }).click()
  await expectTime(dashboard.seed, id, '2030-06-13T16:15:00.000Z')
})
