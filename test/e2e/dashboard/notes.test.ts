import { afterAll, beforeAll, expect, test } from 'vitest'
import { testBrowser } from '../../_util/browser/browser.ts'
import type { Dashboard } from '../../_util/browser/dashboard.ts'
import { expectNoAxeViolations } from '../../_util/browser/dashboard-checks.ts'
import { joinDashboard } from '../../_util/browser/dashboard-of-worker.ts'

const browser = testBrowser()
let dashboard: Dashboard
beforeAll(async () => {
  dashboard = await joinDashboard(browser)
})
afterAll(() => dashboard.stop())

const month = (search: string) => `/dashboard/scheduling/calendar/month?set=${dashboard.socialSetId}&${search}`
const notes = () =>
  dashboard.seed.call(
    'GET',
    `/v1/notes?socialSetId=${dashboard.socialSetId}&filters[startDate]=2030-01-01&filters[endDate]=2030-12-31`,
  )

test('a note that repeats is written; one of it is changed, deleted and brought back', async () => {
  const page = await dashboard.open(month('note=new&at=2030-06-03T08:00:00.000Z'), { signedIn: true })
  const dialog = page.getByRole('dialog', { name: 'New note' })
  await dialog.getByLabel('Text').fill('Order flour')
  await dialog.getByRole('radio', { name: 'Mint' }).check()
  await dialog.getByRole('switch', { name: 'Repeat' }).check()
  await dialog.getByLabel('Number of times').fill('3')
  await expectNoAxeViolations(page)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page
    .getByText(/Note saved for/)
    .first()
    .waitFor()
  const made = await notes()
  expect(made).toHaveLength(3)
  expect(made[1]).toMatchObject({
    content: 'Order flour',
    hexColor: '#e4f8e2',
    scheduledAt: '2030-06-10T08:00:00.000Z',
  })

  await page.goto(`${dashboard.url}${month(`note=${made[1].id}`)}`)
  const note = page.getByRole('dialog', { name: 'Note' })
  await note.getByText('This note is part of a series').waitFor()
  await note.getByLabel('Text').fill('Order much flour')
  await note.getByRole('button', { name: 'Save' }).click()
  await note.waitFor({ state: 'hidden' })
  expect((await notes()).map(({ content }: { content: string }) => content)).toEqual([
    'Order flour',
    'Order much flour',
    'Order flour',
  ])

  await page.goto(`${dashboard.url}${month(`note=${made[1].id}`)}`)
  await note.getByRole('button', { name: 'Delete' }).click()
  await page.getByText('Note deleted.').first().waitFor()
  expect(await notes()).toHaveLength(2)
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('Undone: Note deleted.').waitFor()
  expect((await notes())[1]).toMatchObject({ id: made[1].id, content: 'Order much flour' })
})
