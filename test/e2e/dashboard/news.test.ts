import type { BrowserContext } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { testBrowser } from '../../_util/browser/browser.ts'
import { type Credentials, type Dashboard, settled } from '../../_util/browser/dashboard.ts'
import { expectNoAxeViolations } from '../../_util/browser/dashboard-checks.ts'
import { bell, commentBy, openNews } from '../../_util/browser/dashboard-news.ts'
import { joinDashboard } from '../../_util/browser/dashboard-of-worker.ts'

/** News are counted by the bell, lead to what they are about, and are chosen by cause. */

const browser = testBrowser()
let dashboard: Dashboard
let grace: Credentials
/** Signed in as another member. */
let colleague: BrowserContext

beforeAll(async () => {
  dashboard = await joinDashboard(browser)
  // What the tests before have left.
  await dashboard.member('PUT', '/internal/news/read', { until: new Date().toISOString() })
  grace = await dashboard.newMember({ role: 'editor', name: 'Grace Hopper' })
}, 120_000)

beforeEach(async () => {
  colleague = await browser.newContext()
  await dashboard.signInByRequest(colleague, grace)
})

afterAll(() => dashboard?.stop())

const unread = async (): Promise<number> => (await dashboard.member('GET', '/internal/news/unread')).unread

test('a comment of a colleague is counted at once, and leads to its post', async () => {
  const { id } = await dashboard.seed.postSet({ caption: 'Autumn teaser' })
  const page = await dashboard.open('/dashboard/drafts', { signedIn: true })
  await bell(page).waitFor()
  await commentBy(dashboard, colleague, id, 'Which logo?')
  await bell(page, 1).waitFor({ timeout: 20_000 })

  const drawer = await openNews(page)
  const line = drawer.getByRole('listitem').filter({ hasText: 'Which logo?' })
  await line.getByText('Grace Hopper commented').waitFor()
  await line.getByText('Autumn teaser').waitFor()
  await expectNoAxeViolations(page, 'the news')

  await line.getByRole('link').click()
  await drawer.waitFor({ state: 'detached' })
  await page.waitForURL((address) => address.searchParams.get('post') === id)
  await bell(page).waitFor()
  expect(await unread()).toBe(0)
})

test('one of the news is marked as read, then all of them', async () => {
  for (const caption of ['First', 'Second', 'Third']) {
    const { id } = await dashboard.seed.postSet({ caption })
    await commentBy(dashboard, colleague, id, `About: ${caption}`)
  }
  const page = await dashboard.open('/dashboard/drafts', { signedIn: true })
  await bell(page, 3).waitFor()
  const drawer = await openNews(page)
  const newest = drawer.getByRole('listitem').filter({ hasText: 'About: Third' })
  await newest.getByRole('button', { name: /^Mark as read: Grace Hopper commented/ }).click()
  await newest.getByRole('button').waitFor({ state: 'detached' })
  expect(await newest.getByRole('link').evaluate((link) => link.matches(':focus'))).toBe(true)
  expect(await unread()).toBe(2)

  await drawer.getByRole('button', { name: 'Mark all as read' }).click()
  await drawer.getByRole('button', { name: 'Mark all as read' }).waitFor({ state: 'detached' })
  await expect.poll(() => drawer.getByRole('button', { name: /^Mark as read/ }).count()).toBe(0)
  expect(await unread()).toBe(0)
  await page.keyboard.press('Escape')
  await drawer.waitFor({ state: 'detached' })
  await expect.poll(() => bell(page).evaluate((button) => button.matches(':focus'))).toBe(true)
})

test('what a member chooses for all brands and for one applies, and is taken back', async () => {
  const { data } = await dashboard.seed.call('GET', '/v1/social-sets')
  const { id: brand, name } = data[0]
  const choices = async () => {
    const { account, socialSets } = await dashboard.member('GET', '/internal/news/choices')
    const of = (rows: { cause: string; choice: string | null }[]) => rows.find(({ cause }) => cause === 'COMMENTED')
    const set = socialSets.find(({ socialSetId }: { socialSetId: string }) => socialSetId === brand)
    return [of(account)?.choice, of(set.choices)?.choice]
  }
  const page = await dashboard.open('/dashboard/drafts', { signedIn: true })
  const drawer = await openNews(page)
  await drawer.getByRole('link', { name: 'Choose what you get' }).click()
  await page.getByRole('heading', { level: 1, name: 'Notifications' }).waitFor()

  const radio = (choice: string) =>
    page.getByRole('radio', { name: `Comments and notes of guests: ${choice}`, exact: true })
  expect(await radio('Default').isChecked()).toBe(true)
  await page.getByText('Default: Bell. If it concerns you: Bell and mail').first().waitFor()
  await radio('Nothing').click()
  await page.getByText('Saved: Comments and notes of guests').waitFor()
  await expect.poll(choices).toEqual(['NONE', null])

  await page.getByLabel('Settings for', { exact: true }).selectOption(name)
  await page.getByText('Same as all brands: Nothing', { exact: true }).waitFor()
  await radio('Bell').click()
  await expect.poll(choices).toEqual(['NONE', 'BELL'])
  await page.reload()
  await page.getByRole('heading', { level: 1, name: 'Notifications' }).waitFor()
  // The address says whose choices are shown.
  expect(new URL(page.url()).searchParams.get('brand')).toBe(brand)
  await expect.poll(() => radio('Bell').isChecked()).toBe(true)

  await radio('Same as all brands').click()
  await expect.poll(choices).toEqual(['NONE', null])
  await page.getByLabel('Settings for', { exact: true }).selectOption('All brands')
  await radio('Default').click()
  await expect.poll(choices).toEqual([null, null])
  await settled(page)
})
