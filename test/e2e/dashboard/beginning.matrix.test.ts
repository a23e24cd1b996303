import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testBrowser } from '../../_util/browser/browser.ts'
import { type Dashboard, settled } from '../../_util/browser/dashboard.ts'
import { box, calendarPath, day } from '../../_util/browser/dashboard-calendar.ts'
import { expectEveryLook } from '../../_util/browser/dashboard-checks.ts'
import { chooseAccounts, composer, openNewPost, saveDraft } from '../../_util/browser/dashboard-composer.ts'
import { joinDashboard } from '../../_util/browser/dashboard-of-worker.ts'

/** What a new post begins with: as little as possible is left to do. */

const browser = testBrowser()
let dashboard: Dashboard
beforeAll(async () => {
  dashboard = await joinDashboard(browser)
}, 120_000)
afterAll(() => dashboard?.stop())

const focused = (page: Page) => page.evaluate<string>('document.activeElement.getAttribute("aria-label")')

test('the accounts of the last post are chosen, at the next time that is free, and networks stand in one order', async () => {
  const times = [{ weekday: 5, time: '11:15' }]
  await dashboard.member('PUT', `/internal/social-sets/${dashboard.socialSetId}/saved-times`, { times })
  const page = await dashboard.open(calendarPath('month', { date: '2030-06-12' }), { signedIn: true })
  const dialog = await openNewPost(page)
  await expect.poll(() => dialog.getByLabel('Time', { exact: true }).inputValue()).toBe('11:15')
  expect(await dialog.getByRole('checkbox', { checked: true }).count()).toBe(0)
  await chooseAccounts(dialog, 'X', 'Threads', 'Bluesky')
  const tabs = () => dialog.getByRole('tab').allInnerTexts()
  expect((await tabs()).map((name) => name.split(/[\n,]/)[0])).toEqual(['All', 'Bluesky', 'Threads', 'X'])
  const previewed = (place: number) => dialog.getByLabel(`Network of preview ${place}`)
  await previewed(1).selectOption({ label: 'X' })
  await dialog.getByLabel('Caption', { exact: true }).fill('The first of many')
  await saveDraft(page)
  await dialog.waitFor({ state: 'hidden' })
  await settled(page)
  await openNewPost(page)
  await dialog.getByRole('checkbox', { checked: true }).first().waitFor()
  const chosen = dialog.getByRole('checkbox', { checked: true })
  expect(await chosen.evaluateAll((all) => all.map((one) => one.getAttribute('aria-label')?.split(',')[0]))).toEqual([
    'Bluesky',
    'Threads',
    'X',
  ])
  expect(
    await previewed(1).evaluate(
      (list: never) => (list as { selectedOptions: { label: string }[] }).selectedOptions[0]?.label,
    ),
  ).toBe('X')
  // Nothing was written: nothing is kept.
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'hidden' })
  await page.goto(`${dashboard.url}/dashboard/drafts`)
  await page.getByText('The first of many').waitFor()
  expect(await page.getByText('Not saved').count()).toBe(0)
})

test('the caption has the focus, and all accounts are one stop of Tab, between which arrows lead', async () => {
  const page = await dashboard.open(calendarPath('month', { date: '2030-06-12' }), { signedIn: true })
  await day(page, '2030-06-12').getByRole('button').first().focus()
  await page.keyboard.press('n')
  await composer(page).getByLabel('Caption', { exact: true }).waitFor()
  await expect.poll(() => focused(page)).toBe('Caption')
  const accounts = composer(page).getByRole('toolbar', { name: 'Accounts' })
  expect(await accounts.locator('[tabindex="0"]').count()).toBe(1)
  // The tab of all stands between them.
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('Shift+Tab')
  const first = await focused(page)
  expect(first).toMatch(/^Bluesky/)
  await page.keyboard.press('ArrowRight')
  expect(await focused(page)).toMatch(/^Facebook/)
  await page.keyboard.press('Space')
  await page.keyboard.press('End')
  expect(await focused(page)).toMatch(/^YouTube/)
  await page.keyboard.press('ArrowRight')
  expect(await focused(page)).toBe(first)
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  expect(await focused(page)).toBe('Caption')
  expect(await accounts.getByRole('checkbox', { checked: true }).count()).toBe(1)
  await expectEveryLook(page, 'a new post')
})

test('a day that was typed stays after a reload, although the address names the day that was pressed', async () => {
  const at = '2031-02-10T08:00:00.000Z'
  const page = await dashboard.open(calendarPath('month', { date: '2031-02-10', post: 'new', at }), { signedIn: true })
  const dialog = composer(page)
  const date = dialog.getByLabel('Date', { exact: true })
  await expect.poll(() => date.inputValue()).toContain('10 Feb 2031')
  await dialog.getByLabel('Caption', { exact: true }).fill('On the twelfth')
  await date.fill('12 February 2031')
  await date.blur()
  await dialog.getByText(/Draft kept \d/).waitFor()
  await settled(page)
  await page.reload()
  await expect.poll(() => dialog.getByLabel('Caption', { exact: true }).inputValue()).toBe('On the twelfth')
  await expect.poll(() => date.inputValue()).toContain('12 Feb 2031')
})

test('while the form is on its way, what stands for it is not at the edge', async () => {
  const page = await dashboard.open(calendarPath('month', { date: '2030-06-12' }), { signedIn: true })
  let letGo = () => {}
  const held = new Promise<void>((resolve) => (letGo = resolve))
  await page.route(/\/v1\/networks|\/internal\/networks/, async (route) => {
    await held
    await route.fallback()
  })
  await openNewPost(page)
  const loading = page.getByText('Loading the form…')
  await loading.waitFor({ state: 'attached' })
  const inset = async (of: Locator) => (await box(of)).x
  const panel = await inset(page.locator('.mantine-Drawer-content'))
  expect(
    (await inset(page.locator('.mantine-Drawer-content .mantine-Skeleton-root').first())) - panel,
  ).toBeGreaterThanOrEqual(20)
  expect((await inset(page.locator('.mantine-Drawer-content h2').first())) - panel).toBeGreaterThanOrEqual(20)
  letGo()
  await composer(page).getByLabel('Caption', { exact: true }).waitFor()
})

test.each([
  ['where the brand has times of its own, the next that is free', [{ weekday: 3, time: '11:15' }]],
  ['where it has none, an hour later', []],
])('of two that are written one behind the other each has a time of its own: %s', async (_, times) => {
  const { id: set } = await dashboard.member('POST', '/internal/social-sets', {
    name: 'Hours',
    timezone: 'Europe/Berlin',
  })
  await dashboard.member('POST', '/internal/connections/sandbox', { socialSetId: set, accountTypes: ['BLUESKY'] })
  await dashboard.member('PUT', `/internal/social-sets/${set}/saved-times`, { times })
  const page = await dashboard.open(calendarPath('month', { set, date: '2030-06-12' }), { signedIn: true })
  const dialog = composer(page)
  const write = async (open: () => Promise<unknown>, caption: string) => {
    await open()
    await dialog.getByLabel('Caption', { exact: true }).fill(caption)
    if ((await dialog.getByRole('checkbox', { checked: true }).count()) === 0) await chooseAccounts(dialog, 'Bluesky')
    await saveDraft(page)
    await dialog.waitFor({ state: 'hidden' })
  }
  for (const caption of ['One', 'Two']) await write(() => openNewPost(page), caption)
  // The same of a day that is pressed twice, where it is empty.
  const add = async () => {
    const { width, height } = await box(day(page, '2030-06-20'))
    await day(page, '2030-06-20').click({ position: { x: width / 2, y: height - 8 } })
  }
  for (const caption of ['Three', 'Four']) await write(add, caption)
  const { data } = await dashboard.seed.call('GET', `/v1/post-sets?socialSetId=${set}&size=100`)
  const at = new Map(
    data.map((each: { scheduledAt: string; posts: { caption: string }[] }) => [
      each.posts[0]?.caption,
      each.scheduledAt,
    ]),
  )
  expect(new Set(at.values()).size).toBe(4)
  expect(at.get('Three')).toBe('2030-06-20T08:00:00.000Z')
  expect(at.get('Four')).toBe('2030-06-20T09:00:00.000Z')
})
