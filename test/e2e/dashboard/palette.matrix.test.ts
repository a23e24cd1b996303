import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { NARROW, testBrowser } from '../../_util/browser/browser.ts'
import { type Dashboard, settled } from '../../_util/browser/dashboard.ts'
import { calendarPath } from '../../_util/browser/dashboard-calendar.ts'
import { expectNoAxeInBothColors, expectNoSidewaysScroll } from '../../_util/browser/dashboard-checks.ts'
import { joinDashboard } from '../../_util/browser/dashboard-of-worker.ts'

/** ⌘K or Ctrl+K leads to a brand, a post, a day or an action. */

const browser = testBrowser()
let dashboard: Dashboard
let other: string
beforeAll(async () => {
  dashboard = await joinDashboard(browser)
  ;({ id: other } = await dashboard.member('POST', '/internal/social-sets', { name: 'Harbour bar', timezone: 'UTC' }))
}, 120_000)
afterAll(() => dashboard?.stop())

test('keys lead to a post, a day, an action and another brand', async () => {
  const { id } = await dashboard.seed.postSet({ caption: 'Rhubarb week', scheduledAt: '2030-06-12T10:00:00.000Z' })
  const page = await dashboard.open(calendarPath('month', { date: '2030-06-12' }), { signedIn: true })
  await settled(page)
  const open = async (text: string) => {
    await page.keyboard.press('ControlOrMeta+k')
    await page.getByRole('combobox', { name: 'Brand, post, day or action' }).fill(text)
  }
  await open('rhubarb')
  await page.getByRole('option', { name: /Rhubarb week/ }).waitFor()
  await expectNoAxeInBothColors(page, 'what a person goes to')
  await page.keyboard.press('Enter')
  await page.getByRole('dialog', { name: 'Post', exact: true }).getByText('Rhubarb week').first().waitFor()
  expect(new URL(page.url()).searchParams.get('post')).toBe(id)
  await page.getByRole('dialog', { name: 'Post', exact: true }).press('Escape')
  await open('24 dec 2031')
  await page.getByRole('option', { name: /24 December 2031/ }).waitFor()
  await page.keyboard.press('Enter')
  await page.waitForURL(/date=2031-12-24/)
  await open('results')
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/results/)
  await open('webhooks')
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/settings\/webhooks/)
  await open('harbour')
  await page.getByRole('listbox', { name: 'Go to' }).getByRole('option', { name: 'Harbour bar' }).waitFor()
  await page.keyboard.press('Enter')
  await page.waitForURL(new RegExp(`set=${other}`))
  await open('zzzz')
  await page.getByText('Nothing is found.').waitFor()
  await page.keyboard.press('Escape')
  await expect.poll(() => page.getByRole('combobox', { name: 'Brand, post, day or action' }).count()).toBe(0)
})

test('arrows choose, on a phone and in German it fits; over a dialog it does nothing', async () => {
  const page = await dashboard.open(calendarPath('month', { date: '2030-06-12' }), {
    signedIn: true,
    viewport: NARROW,
    locale: 'de-DE',
  })
  await settled(page)
  await page.keyboard.press('ControlOrMeta+k')
  const field = page.getByRole('combobox', { name: 'Marke, Beitrag, Tag oder Aktion' })
  await field.waitFor()
  await expectNoSidewaysScroll(page, 'wohin')
  const first = await page.locator('[role="option"][aria-selected="true"]').textContent()
  await page.keyboard.press('ArrowDown')
  const second = await page.locator('[role="option"][aria-selected="true"]').textContent()
  expect(second).not.toBe(first)
  await page.keyboard.press('ArrowUp')
  expect(await page.locator('[role="option"][aria-selected="true"]').textContent()).toBe(first)
  await page.keyboard.press('ControlOrMeta+k')
  expect(await field.count()).toBe(1)
  await field.fill('Entwürfe')
  await page.getByRole('option').first().click()
  await page.waitForURL(/\/drafts/)
})

test('posts of all brands are found, each with its brand; of all brands they are opened over all', async () => {
  const { seed } = dashboard
  const { id } = await seed.postSet({
    ...{ socialSetId: other, caption: 'Lighthouse supper', scheduledAt: '2030-08-12T10:00:00.000Z' },
  })
  const find = async (page: Page) => {
    await page.keyboard.press('ControlOrMeta+k')
    await page.getByRole('combobox', { name: 'Brand, post, day or action' }).fill('lighthouse')
    const option = page.getByRole('option', { name: /Lighthouse supper.*Harbour bar.*12 Aug/ })
    await option.waitFor()
    return option
  }
  const page = await dashboard.open(calendarPath('month', { set: dashboard.socialSetId, date: '2030-06-12' }), {
    signedIn: true,
  })
  await settled(page)
  await find(page)
  await expectNoAxeInBothColors(page, 'posts of several brands')
  await page.setViewportSize(NARROW)
  await expectNoSidewaysScroll(page, 'posts of several brands on a phone')
  await page.keyboard.press('Enter')
  await page.waitForURL(new RegExp(`set=${other}.*post=${id}`))
  await page.getByRole('dialog', { name: 'Post', exact: true }).getByText('Lighthouse supper').first().waitFor()
  const over = await dashboard.open(calendarPath('month', { date: '2030-06-12' }), { signedIn: true })
  await settled(over)
  await (await find(over)).click()
  await over.waitForURL(/date=2030-08-12/)
  expect(new URL(over.url()).searchParams.has('set')).toBe(false)
  await over.getByRole('dialog', { name: 'Post', exact: true }).getByText('Lighthouse supper').first().waitFor()
})

test('brands that a member does not see are not found', async () => {
  const limited = await dashboard.newMember({ role: 'editor', socialSetIds: [dashboard.socialSetId] })
  const page = await dashboard.open(calendarPath('month', { date: '2030-06-12' }), { signedIn: limited })
  await settled(page)
  await page.keyboard.press('ControlOrMeta+k')
  for (const hidden of ['harbour', 'lighthouse']) {
    await page.getByRole('combobox', { name: 'Brand, post, day or action' }).fill(hidden)
    await settled(page)
    await page.getByText('Nothing is found.').waitFor()
  }
})
