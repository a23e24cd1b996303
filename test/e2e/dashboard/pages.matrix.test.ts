import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testBrowser } from '../../_util/browser/browser.ts'
import { type Dashboard, settled } from '../../_util/browser/dashboard.ts'
import { calendarPath } from '../../_util/browser/dashboard-calendar.ts'
import { expectEveryLook, SETTINGS } from '../../_util/browser/dashboard-checks.ts'
import { joinDashboard } from '../../_util/browser/dashboard-of-worker.ts'

/** What all pages have in common: their colors, their width, and the titles of what opens over them. */

const browser = testBrowser()
let dashboard: Dashboard
beforeAll(async () => {
  dashboard = await joinDashboard(browser)
}, 120_000)
afterAll(() => dashboard?.stop())

const open = (path: string, options: object = {}) => dashboard.open(path, { signedIn: true, ...options })

/** What a token is on this page, as computed styles say it. */
const tokenOn = (page: Page, name: string): Promise<string> =>
  page.evaluate(`(() => {
    const probe = document.body.appendChild(document.createElement('i'))
    probe.style.color = 'var(${name})'
    const { color } = getComputedStyle(probe)
    probe.remove()
    return color
  })()`)
const styleOf = (element: Locator, property: string): Promise<string> =>
  element.evaluate((found: never, name: string) => {
    const view = (found as { ownerDocument: { defaultView: never } }).ownerDocument.defaultView as {
      getComputedStyle(of: unknown): { getPropertyValue(name: string): string }
    }
    return view.getComputedStyle(found).getPropertyValue(name)
  }, property)

test.each(['light', 'dark'] as const)('a message on a page has the accent, in %s', async (colorScheme) => {
  const page = await dashboard.open('/dashboard/sign-in?ended=yes', { colorScheme })
  const message = page.getByRole('status').filter({ hasText: 'Your session has ended.' })
  await message.waitFor()
  expect(await styleOf(message, 'background-color')).toBe(await tokenOn(page, '--accent-soft'))
  expect(await styleOf(message.locator('svg'), 'color')).toBe(await tokenOn(page, '--accent-text'))
})

test.each(['light', 'dark'] as const)('what waits has one color, in %s', async (colorScheme) => {
  const caption = `Waits in ${colorScheme}`
  const set = await dashboard.seed.postSet({
    caption,
    approval: 'PENDING',
    scheduledAt: colorScheme === 'light' ? '2030-07-10T10:00:00Z' : '2030-07-17T10:00:00Z',
  })
  const page = await open(calendarPath('month', { date: '2030-07-10', post: set.id }), { colorScheme })
  const panel = page.getByRole('dialog', { name: 'Post', exact: true })
  const badge = panel.getByText('Waiting for approval', { exact: true }).first()
  await badge.waitFor()
  const warn = await tokenOn(page, '--warn')
  expect(await styleOf(badge, 'color')).toBe(warn)
  expect(await styleOf(page.locator(`[role="cell"] svg[data-state="pending"]`).first(), 'color')).toBe(warn)
  await page.goto(`${dashboard.url}/dashboard/approvals`)
  await page
    .getByRole('link', { name: new RegExp(caption) })
    .or(page.getByText(caption))
    .first()
    .click()
  const chip = page.getByText('Waiting for approval', { exact: true }).first()
  await chip.waitFor()
  expect(await styleOf(chip, 'color')).toBe(warn)
})

const WIDTH = `(() => {
  let part = document.querySelector('main h1')
  while (!/Container|main/i.test(part.parentElement.className + part.parentElement.tagName)) part = part.parentElement
  return Math.round(part.getBoundingClientRect().width)
})()`

test('all pages of settings and the connections are as wide as each other', async () => {
  const page = await open('/dashboard/connections')
  const widths: Record<string, unknown> = {}
  const measure = async (path: string) => {
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.goto(`${dashboard.url}/dashboard/${path}`)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await settled(page)
    widths[path] = await page.evaluate(WIDTH)
  }
  await measure('connections')
  const own = SETTINGS.filter((section) => section !== 'network-apps')
  for (const section of [...own, 'webhooks', `social-sets/${dashboard.socialSetId}`])
    await measure(`settings/${section}`)
  expect(new Set(Object.values(widths)), JSON.stringify(widths)).toEqual(new Set([960]))
})

/** Of a dialog: its title, and headings in it that are as strong or stronger. */
const STRONGER = `((dialog) => {
  const strength = (element) => {
    const { fontSize, fontWeight } = getComputedStyle(element)
    return Number.parseFloat(fontSize) * Number.parseFloat(fontWeight)
  }
  const title = document.getElementById(dialog.getAttribute('aria-labelledby'))
  const all = [...dialog.querySelectorAll('h2, h3, h4, h5, legend, label, b, strong')]
  const others = all.filter((each) => each !== title && !title.contains(each) && each.checkVisibility())
  return { title: strength(title), others: others.filter((each) => strength(each) >= strength(title)).map((each) => each.textContent) }
})`

test.each([
  ['the news', '/dashboard/settings/profile', 'News', /^News/],
  ['a new brand', '/dashboard/settings/social-sets', 'New brand', 'New brand'],
  ['an invitation', '/dashboard/settings/team', 'Invite', /Invite/],
])('the title is the strongest text of a dialog: %s', async (_, path, button, name) => {
  const page = await open(path)
  await page.getByRole('button', { name: button }).first().click()
  const dialog = page.getByRole('dialog', { name })
  await dialog.waitFor()
  const { title, others } = await page.evaluate<{ title: number; others: string[] }>(
    `${STRONGER}([...document.querySelectorAll('[role="dialog"]')].at(-1))`,
  )
  expect(title).toBeGreaterThanOrEqual(16 * 600)
  expect(others).toEqual([])
})

test('the ring of a field does not touch its label', async () => {
  const page = await dashboard.open('/dashboard/sign-in')
  const field = page.getByLabel('Email')
  await field.focus()
  const [label, input] = await Promise.all([
    page.getByText('Email', { exact: true }).boundingBox(),
    field.boundingBox(),
  ])
  if (!label || !input) throw new Error('The field is not shown.')
  const ring = 2 + Number.parseFloat(await styleOf(field, 'outline-offset'))
  expect(input.y - ring - label.y - label.height).toBeGreaterThanOrEqual(2)
})

test('the links of a brand are apart from each other', async () => {
  const page = await open('/dashboard/settings/social-sets')
  const line = page.getByRole('list', { name: 'Brands' }).getByRole('listitem').first()
  const links = line.getByRole('link')
  await links.nth(1).waitFor()
  const [one, other] = await Promise.all([links.nth(0).boundingBox(), links.nth(1).boundingBox()])
  if (!one || !other) throw new Error('The links are not shown.')
  const apart = one.y === other.y ? other.x - one.x - one.width : other.y - one.y
  expect(apart).toBeGreaterThanOrEqual(16)
})

test('the page of a brand has a card for each of its forms, and no empty picture under one', async () => {
  const page = await open(`/dashboard/settings/social-sets/${dashboard.socialSetId}`)
  for (const name of ['Approval', 'Saved times', 'Hashtag groups']) {
    const part = page.getByRole('region', { name, exact: true })
    await part.waitFor()
    const card = part.locator('xpath=ancestor-or-self::*[contains(@class, "Paper")]')
    expect(await card.count(), name).toBe(1)
  }
  await page.getByText(/^No saved times yet/).waitFor()
  await expectEveryLook(page)
})
