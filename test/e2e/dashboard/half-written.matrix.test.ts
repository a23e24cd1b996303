import { afterAll, beforeAll, expect, test } from 'vitest'
import { testBrowser } from '../../_util/browser/browser.ts'
import { type Dashboard, settled } from '../../_util/browser/dashboard.ts'
import { calendarPath } from '../../_util/browser/dashboard-calendar.ts'
import { joinDashboard } from '../../_util/browser/dashboard-of-worker.ts'

/** What a member has written about a post and not sent is there again. */

const browser = testBrowser()
let dashboard: Dashboard
beforeAll(async () => {
  dashboard = await joinDashboard(browser)
}, 120_000)
afterAll(() => dashboard?.stop())

test('a comment that was not sent is there after the panel was closed and the page loaded again, and gone once sent', async () => {
  const { id } = await dashboard.seed.postSet({ caption: 'Talked about' })
  const path = calendarPath('month', { set: dashboard.socialSetId, date: '2030-06-12', post: id })
  const page = await dashboard.open(path, { signedIn: true })
  const field = page.getByLabel('Comment, team only')
  await field.fill('Half a thou')
  await page.reload()
  await settled(page)
  expect(await field.inputValue()).toBe('Half a thou')
  await page.keyboard.press('Escape')
  await page.goto(`${dashboard.url}${path}`)
  await field.waitFor()
  expect(await field.inputValue()).toBe('Half a thou')
  await field.fill('Half a thought more')
  await page.getByRole('button', { name: 'Comment', exact: true }).click()
  await expect.poll(() => field.inputValue()).toBe('')
  await page.reload()
  await page.getByText('Half a thought more').first().waitFor()
  expect(await field.inputValue()).toBe('')
})

test('words of a decision stay with their post, whichever is looked at between, and are gone once it is made', async () => {
  const waiting = (caption: string, scheduledAt: string) =>
    dashboard.seed.postSet({ caption, scheduledAt, approval: 'PENDING' })
  const [one] = [await waiting('Words one', '2029-01-01T10:00:00Z'), await waiting('Words two', '2029-01-02T10:00:00Z')]
  const page = await dashboard.open(`/dashboard/approvals?post=${one.id}`, { signedIn: true })
  const review = (name: string) => page.getByRole('region', { name: `Review of “${name}”` })
  const words = (name: string) => review(name).getByLabel('Words to the author')
  await words('Words one').fill('Another pict')
  await page.getByRole('link', { name: /Words two/ }).click()
  await words('Words two').waitFor()
  expect(await words('Words two').inputValue()).toBe('')
  await page.getByRole('link', { name: /Words one/ }).click()
  await words('Words one').waitFor()
  expect(await words('Words one').inputValue()).toBe('Another pict')
  await page.reload()
  await words('Words one').waitFor()
  expect(await words('Words one').inputValue()).toBe('Another pict')
  await review('Words one').getByRole('button', { name: 'Request changes' }).click()
  await words('Words two').waitFor()
  const kept = await page.evaluate('Object.keys(sessionStorage).filter((name) => name.includes("decision"))')
  expect(kept).toEqual([])
})
