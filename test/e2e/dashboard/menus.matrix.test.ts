import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testBrowser } from '../../_util/browser/browser.ts'
import { type Dashboard, settled } from '../../_util/browser/dashboard.ts'
import { calendarPath, card, focusOn } from '../../_util/browser/dashboard-calendar.ts'
import { expectNoAxeInBothColors } from '../../_util/browser/dashboard-checks.ts'
import { joinDashboard } from '../../_util/browser/dashboard-of-worker.ts'

/** What opens over a page: menus, lists and small dialogs behind every button that says so, and dialogs, in both schemes. */

const browser = testBrowser()
let dashboard: Dashboard
/** Ids of post sets: one that waits for approval, one of which a part failed. */
const ids = { waiting: '', failed: '' }

beforeAll(async () => {
  dashboard = await joinDashboard(browser)
  const { seed, member, socialSetId } = dashboard
  await member('POST', '/internal/labels', { name: 'Autumn', color: '#0b866d' })
  await member('POST', '/internal/hashtag-groups', { socialSetId, name: 'Bread', tags: ['#rye'] })
  const times = [{ weekday: 3, time: '11:15' }]
  await member('PUT', `/internal/social-sets/${socialSetId}/saved-times`, { times })
  const mediaLibraryId = await seed.media('photo.jpg')
  const posts = ['BLUESKY', 'PINTEREST'].map((accountType) => ({
    ...{ accountType, caption: 'With a menu', media: [{ mediaLibraryId }] },
    ...(accountType === 'PINTEREST' ? { title: 'With a menu', website: '' } : {}),
  }))
  ids.waiting = (await seed.postSet({ approval: 'PENDING', posts })).id
  const failing = [{ accountType: 'THREADS', caption: 'Failed [[fault:account-suspended]]', media: [] }]
  ids.failed = (await seed.postSet({ status: 'SCHEDULED', scheduledAt: '2026-01-01T10:00:00Z', posts: failing })).id
  await seed.until(`/v1/post-sets/${ids.failed}`, ({ status }) => status === 'PUBLISHED')
}, 120_000)
afterAll(() => dashboard?.stop())

const OPENERS = '[aria-haspopup][aria-expanded]:not([aria-haspopup="false"]):not(:disabled):not([data-disabled])'

/** What tells openers of one kind from others: of a list of rows, the first is looked at. */
const kindOf = (label: string) => label.replaceAll(/“.*”|\d+/g, '').split(/[:,]/)[0] ?? ''

/** Opens all that says that something opens, one after the other, and looks at it. Answers what that was. */
async function lookAtAll(page: Page, within: string): Promise<string[]> {
  const looked: string[] = []
  const openers = page.locator(within).locator(OPENERS)
  for (let place = 0; place < (await openers.count()); place++) {
    const opener = openers.nth(place)
    if (!(await opener.isVisible())) continue
    const label = await opener.evaluate((element: never) => {
      const { ariaLabel, title, innerText, labels } = element as {
        ariaLabel: string | null
        title: string
        innerText: string
        labels?: { innerText: string }[]
      }
      return ariaLabel ?? (labels?.[0]?.innerText || innerText.trim() || title)
    })
    const kind = kindOf(label)
    if (looked.includes(kind)) continue
    looked.push(kind)
    await opener.click()
    await expect.poll(() => opener.getAttribute('aria-expanded'), { message: label }).toBe('true')
    await settled(page)
    await expectNoAxeInBothColors(page, `“${label}” opened`)
    await page.keyboard.press('Escape')
    await expect.poll(() => opener.getAttribute('aria-expanded'), { message: label }).not.toBe('true')
  }
  return looked
}

const month = (more: Record<string, string> = {}) => calendarPath('month', { date: '2030-06-12', ...more })

const PAGES: readonly [name: string, path: () => string, within: string, known: string[]][] = [
  ['the calendar', () => month(), 'body', ['Filters', 'Go to day']],
  ['the panel of a post', () => month({ post: ids.waiting }), '[role="dialog"]', ['More']],
  ['the panel of what failed', () => month({ post: ids.failed }), '[role="dialog"]', ['More']],
  ['drafts', () => '/dashboard/drafts', 'main', []],
  ['approvals', () => '/dashboard/approvals', 'main', []],
  ['media', () => '/dashboard/media', 'main', []],
  ['connections', () => '/dashboard/connections', 'main', []],
  ['labels', () => '/dashboard/settings/labels', 'main', ['Actions for Autumn']],
  ['the team', () => '/dashboard/settings/team', 'main', []],
  ['keys', () => '/dashboard/settings/api-keys', 'main', []],
]

test.each(PAGES)('%s: what opens has no violation', async (_, path, within, known) => {
  const page = await dashboard.open(path(), { signedIn: true })
  await settled(page)
  expect(await lookAtAll(page, within)).toEqual(expect.arrayContaining(known))
})

test('the composer, of all networks and of one: what opens has no violation', async () => {
  const page = await dashboard.open(month({ post: ids.waiting }), { signedIn: true })
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Edit post' })
  await dialog.getByLabel('Caption').first().waitFor()
  await settled(page)
  const all = await lookAtAll(page, '[data-composer]')
  expect(all).toEqual(expect.arrayContaining(['Groups', 'Emoji', 'Hashtags', 'Labels', 'More options']))
  await dialog.getByRole('tab', { name: /^Pinterest/ }).click()
  await settled(page)
  expect(await lookAtAll(page, '[role="tabpanel"]')).toEqual(expect.arrayContaining(['Board']))
})

test.each([
  ['/dashboard/settings/social-sets', 'New brand', 'New brand'],
  ['/dashboard/settings/team', 'Invite a member', 'Invite a member'],
  ['/dashboard/settings/team', 'What each role can do', 'What each role can do'],
  ['/dashboard/settings/shared-calendars', 'Share a calendar', 'Share a calendar'],
  ['/dashboard/media', 'From an address', 'From an address'],
] as const)('%s: the dialog behind “%s” has no violation', async (path, button, name) => {
  const page = await dashboard.open(path, { signedIn: true })
  await page.getByRole('button', { name: button }).first().click()
  await page.getByRole('dialog', { name }).waitFor()
  await settled(page)
  await expectNoAxeInBothColors(page, name)
})

test.each([
  ['m', /^Move/],
  ['l', 'Labels'],
  ['?', 'Keyboard shortcuts'],
] as const)('the dialog behind the key %s has no violation', async (key, name) => {
  const page = await dashboard.open(month(), { signedIn: true })
  await focusOn(card(page, 'With a menu'))
  await page.keyboard.press(key)
  await page.getByRole('dialog', { name }).waitFor()
  await settled(page)
  await expectNoAxeInBothColors(page, String(name))
})
