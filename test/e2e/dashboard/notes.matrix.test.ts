import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testBrowser } from '../../_util/browser/browser.ts'
import type { Dashboard } from '../../_util/browser/dashboard.ts'
import { calendarPath, expectFocus } from '../../_util/browser/dashboard-calendar.ts'
import { expectNoAxeViolations } from '../../_util/browser/dashboard-checks.ts'
import { joinDashboard } from '../../_util/browser/dashboard-of-worker.ts'
import { giveName, goTo, shareBrand } from '../../_util/browser/dashboard-shared.ts'

/** Notes are of a day; a time is only with those that need one. */

const browser = testBrowser()
let dashboard: Dashboard
beforeAll(async () => {
  dashboard = await joinDashboard(browser)
}, 180_000)
afterAll(() => dashboard?.stop())

const month = (search: Record<string, string>) =>
  calendarPath('month', { set: dashboard.socialSetId, date: '2030-06-12', ...search })

async function times(socialSetId = dashboard.socialSetId, year = 2030): Promise<Record<string, string[]>> {
  const range = `filters[startDate]=${year}-01-01&filters[endDate]=${year}-12-31`
  const notes = await dashboard.seed.call('GET', `/v1/notes?socialSetId=${socialSetId}&${range}`)
  const all = notes.map(({ content, scheduledAt }: { content: string; scheduledAt: string }) => [content, scheduledAt])
  const byContent = Map.groupBy<string, [string, string]>(all, ([content]) => content)
  return Object.fromEntries([...byContent].map(([content, found]) => [content, found.map(([, at]) => at)]))
}

async function save(page: Page, dialog: Locator): Promise<void> {
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'hidden' })
  await page
    .getByText(/Note saved for/)
    .first()
    .waitFor()
}

/** As the month has it: "Note: 15:30 Delivery". */
const bar = (page: Page, name: string) => page.getByRole('button', { name: `Note: ${name}`, exact: true })

test('a member writes a note of a day, gives it a time, and takes it away', async () => {
  const page = await dashboard.open(month({ note: 'new', at: '2030-06-11T22:00:00.000Z' }), { signedIn: true })
  const fresh = page.getByRole('dialog', { name: 'New note' })
  await fresh.getByLabel('Text').fill('Delivery')
  expect(await fresh.getByLabel('Time', { exact: true }).count()).toBe(0)
  await fresh.getByLabel('Date', { exact: true }).fill('2030-06-13')
  await expectNoAxeViolations(page)
  await save(page, fresh)
  expect(await times()).toMatchObject({ Delivery: ['2030-06-12T22:00:00.000Z'] })

  await bar(page, 'Delivery').click()
  const dialog = page.getByRole('dialog', { name: 'Note' })
  await dialog.getByRole('button', { name: 'Add a time' }).click()
  const time = dialog.getByLabel('Time', { exact: true })
  await expectFocus(time)
  await time.fill('15:30')
  await expectNoAxeViolations(page)
  await save(page, dialog)
  expect(await times()).toMatchObject({ Delivery: ['2030-06-13T13:30:00.000Z'] })
  await bar(page, '15:30 Delivery').waitFor()
  await page.goto(`${dashboard.url}${calendarPath('list', { set: dashboard.socialSetId, date: '2030-06-12' })}`)
  await page.getByRole('row', { name: /13 Jun, 15:30 .*Delivery/ }).waitFor()

  // What has a time keeps it when its day or its text changes.
  await page.goto(`${dashboard.url}${month({})}`)
  await bar(page, '15:30 Delivery').click()
  await dialog.getByLabel('Date', { exact: true }).fill('2030-06-14')
  await save(page, dialog)
  expect(await times()).toMatchObject({ Delivery: ['2030-06-14T13:30:00.000Z'] })

  await bar(page, '15:30 Delivery').click()
  await dialog.getByRole('button', { name: 'Remove the time' }).click()
  await expectFocus(dialog.getByRole('button', { name: 'Add a time' }))
  await save(page, dialog)
  expect(await times()).toMatchObject({ Delivery: ['2030-06-13T22:00:00.000Z'] })
  await bar(page, 'Delivery').waitFor()
})

test('notes of a series are at the start of their days, also where the clocks skip a midnight', async () => {
  // Beirut goes from 00:00 to 01:00 on 31 March 2030.
  const { id } = await dashboard.member('POST', '/internal/social-sets', { name: 'Beirut', timezone: 'Asia/Beirut' })
  const page = await dashboard.open(
    calendarPath('month', { set: id, date: '2030-03-31', note: 'new', at: '2030-03-30T22:00:00.000Z' }),
    { signedIn: true },
  )
  const fresh = page.getByRole('dialog', { name: 'New note' })
  expect(await fresh.getByLabel('Time', { exact: true }).count()).toBe(0)
  await fresh.getByLabel('Text').fill('Order flour')
  await fresh.getByRole('switch', { name: 'Repeat' }).check()
  await fresh.getByLabel('Number of times').fill('2')
  await save(page, fresh)
  expect(await times(id)).toEqual({ 'Order flour': ['2030-03-30T22:00:00.000Z', '2030-04-06T21:00:00.000Z'] })
  await page
    .getByRole('cell')
    .filter({ has: page.getByRole('button', { name: /31 March 2030/ }) })
    .getByRole('button', { name: 'Note: Order flour', exact: true })
    .waitFor()
})

test('a guest adds a note of a day, and one with a time', async () => {
  const { path } = await shareBrand(dashboard)
  const page = await dashboard.open(path)
  await goTo(page, 'view=list&date=2030-09-01')
  const dialog = page.getByRole('dialog', { name: 'Add a note' })
  const open = () => page.getByRole('button', { name: 'Add a note', exact: true }).click()
  await open()
  await giveName(page)
  await dialog.getByLabel('Text').fill('Fair in town')
  await dialog.getByLabel('Day').fill('2030-09-12')
  await dialog.getByRole('button', { name: 'Add note' }).click()
  await dialog.waitFor({ state: 'detached' })
  await open()
  await dialog.getByLabel('Text').fill('Photographer')
  await dialog.getByLabel('Day').fill('2030-09-12')
  await dialog.getByRole('button', { name: 'Add a time' }).click()
  const time = dialog.getByLabel('Time')
  await expectFocus(time)
  await time.fill('')
  await dialog.getByRole('button', { name: 'Add note' }).click()
  await dialog.getByText('Choose a time, or remove it.').waitFor()
  await time.fill('15:45')
  await expectNoAxeViolations(page)
  await dialog.getByRole('button', { name: 'Add note' }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByText(/15:45 Photographer/).waitFor()
  await page.getByText(/^Fair in town Note by/).waitFor()
  expect(await times()).toMatchObject({
    'Fair in town': ['2030-09-11T22:00:00.000Z'],
    Photographer: ['2030-09-12T13:45:00.000Z'],
  })
})
