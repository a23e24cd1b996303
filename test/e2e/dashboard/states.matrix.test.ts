import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { NARROW, testBrowser, WIDE } from '../../_util/browser/browser.ts'
import { type Dashboard, settled } from '../../_util/browser/dashboard.ts'
import { calendarPath, card } from '../../_util/browser/dashboard-calendar.ts'
import { expectNoAxeViolations, expectNoSidewaysScroll, SETTINGS } from '../../_util/browser/dashboard-checks.ts'
import { joinDashboard } from '../../_util/browser/dashboard-of-worker.ts'

/** What screens say when something is missing, and how they look to whom colors, motion or room are missing. */

const browser = testBrowser()
let dashboard: Dashboard
beforeAll(async () => {
  dashboard = await joinDashboard(browser)
  await dashboard.seed.month('2030-06', 40)
}, 120_000)
afterAll(() => dashboard?.stop())

/** A path of the brand that is tried: the account gets another one, and without any it would be the calendar of both. */
const ofBrand = (path: string) =>
  /[?&]set=|\/settings\//.test(path)
    ? path
    : `${path}${path.includes('?') ? '&' : '?'}${new URLSearchParams({ set: dashboard.socialSetId })}`

const openOfBrand = (path: string, options: Parameters<Dashboard['open']>[1]) => dashboard.open(ofBrand(path), options)

const JUNE = { date: '2030-06-12' }
const ROUTES = [
  ['month', calendarPath('month', JUNE)],
  ['week', calendarPath('week', JUNE)],
  ['list', calendarPath('list', JUNE)],
  ['connections', '/dashboard/connections'],
  ['results', '/dashboard/results'],
  ['drafts', '/dashboard/drafts'],
  ['approvals', '/dashboard/approvals'],
  ...SETTINGS.map((part) => [part, `/dashboard/settings/${part}`] as const),
] as const

describe('without a network', () => {
  test.each([
    ['the calendar', calendarPath('month', JUNE)],
    ['settings', '/dashboard/settings/labels'],
  ])('%s says so, keeps what is there, and stops saying so', async (_, path) => {
    browser.allowProblem(/net::ERR_(INTERNET_DISCONNECTED|NETWORK_IO_SUSPENDED)/)
    const page = await openOfBrand(path, { signedIn: true })
    await page.getByRole('main').hover()
    await settled(page)
    const shown = await page.getByRole('heading', { level: 1 }).innerText()
    const banner = page.getByRole('status').filter({ hasText: 'You are offline' })
    expect(await banner.count()).toBe(0)
    await page.context().setOffline(true)
    await banner.waitFor()
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe(shown)
    await expectNoAxeViolations(page)
    await page.setViewportSize({ width: 320, height: 256 })
    await expectNoSidewaysScroll(page)
    await page.context().setOffline(false)
    await banner.waitFor({ state: 'detached' })
  })

  test('a screen that was never opened says that it is out of reach, and is there by Retry', async () => {
    browser.allowProblem(/net::ERR_(INTERNET_DISCONNECTED|NETWORK_IO_SUSPENDED)/)
    browser.allowProblem(/^console error: /)
    const page = await openOfBrand('/dashboard/settings/labels', { signedIn: true })
    await settled(page)
    await page.context().setOffline(true)
    await page.getByRole('link', { name: 'Plan and usage' }).click()
    await page.getByRole('alert').getByText('The server cannot be reached').waitFor({ timeout: 20_000 })
    await page.context().setOffline(false)
    await page.getByRole('button', { name: 'Retry' }).click()
    await page.getByRole('heading', { level: 1, name: 'Plan and usage' }).waitFor()
    await page.getByRole('alert').first().waitFor({ state: 'detached' })
  })
})

describe('a calendar with nothing to show', () => {
  test('of a social set without accounts leads to connecting one', async () => {
    const { id } = await dashboard.member('POST', '/internal/social-sets', {
      name: 'Unconnected shop',
      timezone: 'Europe/Berlin',
    })
    const page = await openOfBrand(calendarPath('month', { set: id, ...JUNE }), { signedIn: true })
    await page.getByRole('heading', { name: 'Let’s put your first post on the calendar' }).waitFor()
    expect(await page.getByText(/Nothing planned/).count()).toBe(0)
    await expectNoAxeViolations(page)
    await page.getByRole('main').getByRole('link', { name: 'Connect an account' }).click()
    await page.getByRole('heading', { level: 1, name: 'Connections' }).waitFor()
    await page.getByText('The accounts that Unconnected shop publishes to').waitFor()
    await page.getByRole('listitem', { name: 'Bluesky' }).getByText('Not connected').waitFor()
  })

  test('shows authors who connects', async () => {
    const author = await dashboard.newMember({ role: 'author' })
    const { data } = await dashboard.seed.call('GET', '/v1/social-sets')
    const bare = data.find(({ name }: { name: string }) => name === 'Unconnected shop')
    const page = await openOfBrand(calendarPath('month', { set: bare.id }), { signedIn: author })
    await page.getByText('An admin of the account can connect one').waitFor()
    expect(await page.getByRole('link', { name: 'Connect an account' }).count()).toBe(0)
  })

  test.each(['month', 'week', 'list'] as const)('in the %s, by its filters, is cleared of them', async (view) => {
    const page = await openOfBrand(calendarPath(view, { ...JUNE, q: 'nothing has these words' }), { signedIn: true })
    const notice = page.getByText('Nothing matches the filters.')
    await notice.waitFor()
    await expectNoAxeViolations(page)
    await page.getByRole('button', { name: 'Clear filters' }).last().click()
    await card(page, 'of a full month')
      .or(page.getByRole('button', { name: /of a full month/ }))
      .first()
      .waitFor()
    expect(await notice.count()).toBe(0)
    expect(page.url()).not.toContain('q=')
  })

  test.each([
    ['month', 'Nothing planned in January.'],
    ['week', 'Nothing planned in this week.'],
    ['list', 'Nothing planned in January.'],
  ] as const)('in the %s offers to begin', async (view, words) => {
    const page = await openOfBrand(calendarPath(view, { date: '2031-01-14' }), { signedIn: true })
    await page.getByText(words).waitFor()
    await page
      .getByText(words)
      .locator('..')
      .getByRole('button', { name: /^New post/ })
      .click()
    await page.getByRole('dialog', { name: 'New post' }).waitFor()
  })
})

describe('what goes out without an approval', () => {
  test('publish-27: warns on its card, in the list, on narrow screens and in its panel, from a day before', async () => {
    const within = (hours: number, minutes = 30) => new Date(Date.now() + (hours * 60 + minutes) * 60_000).toISOString()
    const seed = (caption: string, more: object) => dashboard.seed.postSet({ caption, status: 'SCHEDULED', ...more })
    const soon = await seed('Soon', { scheduledAt: within(5), approval: 'PENDING' })
    await seed('Elsewhere', { scheduledAt: within(6), approval: 'EXTERNAL_PENDING' })
    await seed('Agreed', { scheduledAt: within(7), approval: 'APPROVED' })
    const later = await seed('Later', { scheduledAt: within(26), approval: 'PENDING' })
    const said = 'Not approved, publishes in 5 hours'
    const date = soon.scheduledAt.slice(0, 10)

    const page = await openOfBrand(calendarPath('month', { date }), { signedIn: true })
    const button = (name: RegExp) => page.locator('[data-item^="card-"]').and(page.getByRole('button', { name }))
    await button(/Soon .*Not approved, publishes in 5 hours/).waitFor()
    await button(/Elsewhere .*Not approved, publishes in 6 hours/).waitFor()
    await card(page, 'Soon').locator('svg.tabler-icon-alert-triangle').waitFor()
    await expectNoAxeViolations(page, 'the month with a warning')

    await page.goto(`${dashboard.url}${ofBrand(calendarPath('list', { date }))}`)
    await page.getByRole('row', { name: /Soon/ }).getByText(said).waitFor()
    expect(
      await page
        .getByRole('row', { name: /Agreed/ })
        .getByText('Not approved')
        .count(),
    ).toBe(0)
    await expectNoAxeViolations(page, 'the list with a warning')

    await page.goto(`${dashboard.url}${ofBrand(calendarPath('month', { date, post: soon.id }))}`)
    const panel = page.getByRole('dialog', { name: 'Post', exact: true })
    await panel.getByText(`${said}.`).waitFor()
    await expectNoAxeViolations(page, 'the panel with a warning')
    await page.goto(`${dashboard.url}${ofBrand(calendarPath('month', { date, post: later.id }))}`)
    await panel.getByText('Later').first().waitFor()
    expect(await panel.getByText('Not approved').count()).toBe(0)

    await page.goto(`${dashboard.url}${ofBrand(calendarPath('month', { date }))}`)
    await page.setViewportSize(NARROW)
    await page.getByRole('button', { name: /Soon.*Not approved, publishes in 5 hours/ }).waitFor()
    await expectNoAxeViolations(page, 'the narrow month with a warning')
  })
})

const FORCED = { forcedColors: 'active', reducedMotion: 'reduce' } as const

describe('with the colors of the system and without motion', () => {
  test.each(ROUTES)('%s', async (_, path) => {
    const page = await openOfBrand(path, { signedIn: true })
    await page.emulateMedia(FORCED)
    await settled(page)
    await expectNoAxeViolations(page, `${path}, forced colours`)
    await expectFocusSeen(page)
    expect(await moving(page), 'what moves').toEqual([])
  })

  test('dialogs and menus open and close at once, and can be distinguished from what is below', async () => {
    const page = await openOfBrand(calendarPath('month', JUNE), { signedIn: true })
    await page.emulateMedia(FORCED)
    await card(page, 'of a full month').click()
    const panel = page.getByRole('dialog', { name: 'Post', exact: true })
    await panel.getByRole('button', { name: 'More' }).click()
    await page.getByRole('menuitem', { name: 'Duplicate' }).waitFor()
    expect(await moving(page), 'what moves').toEqual([])
    await expectNoAxeViolations(page, 'a panel and a menu, forced colours')
  })
})

/** The fourth stop of the Tab key has an outline or a border that it has not without the focus. */
async function expectFocusSeen(page: Page): Promise<void> {
  for (let press = 0; press < 4; press++) await page.keyboard.press('Tab')
  const look = await page.evaluate<string>(`(() => {
    const style = getComputedStyle(document.activeElement)
    return style.outlineStyle + ' ' + style.outlineWidth
  })()`)
  expect(look, await page.evaluate<string>('document.activeElement.outerHTML.slice(0, 120)')).toMatch(
    /^(auto|solid|dashed|double) [1-9]/,
  )
}

/** What is animated or in a transition now that takes longer than an eye sees. */
function moving(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`document.getAnimations()
    .filter((one) => one.playState === 'running' && one.effect.getComputedTiming().activeDuration > 50)
    .map((one) => one.effect.target?.outerHTML.slice(0, 120) ?? 'something')`)
}

describe('at 400 %, where 320 pixels are left', () => {
  const dialogs: [string, string, (page: Page) => Promise<unknown>][] = [
    ['a new post set', calendarPath('month', { ...JUNE, post: 'new', at: '2030-06-12T10:00:00.000Z' }), async () => {}],
    ['a new note', calendarPath('month', { ...JUNE, note: 'new', at: '2030-06-12T10:00:00.000Z' }), async () => {}],
    ['filters', calendarPath('month', JUNE), (page) => page.getByRole('button', { name: 'Filters' }).click()],
    ['the keys', calendarPath('month', JUNE), (page) => page.keyboard.press('?')],
    ['connecting', '/dashboard/connections?connect=BLUESKY', async () => {}],
  ]
  test.each(dialogs)('%s fits, and can be closed', async (_, path, open) => {
    const page = await openOfBrand(path, { signedIn: true, viewport: { width: 320, height: 256 } })
    await settled(page)
    await open(page)
    const dialog = page.getByRole('dialog').first()
    await dialog.waitFor()
    await settled(page)
    await expectNoSidewaysScroll(page, path)
    const tooWide = await dialog.evaluate(
      ({ scrollWidth, clientWidth }: { scrollWidth: number; clientWidth: number }) => scrollWidth - clientWidth,
    )
    expect(tooWide).toBeLessThanOrEqual(0)
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'hidden' })
  })

  test('what has the focus is never behind the bars', async () => {
    const page = await openOfBrand('/dashboard/settings/profile', {
      signedIn: true,
      viewport: { width: 320, height: 256 },
    })
    await settled(page)
    for (let press = 0; press < 20; press++) {
      await page.keyboard.press('Tab')
      const hidden = await page.evaluate<string | null>(`(() => {
        const element = document.activeElement
        const { left, top, right, bottom } = element.getBoundingClientRect()
        const spots = [[left + 2, top + 2], [(left + right) / 2, (top + bottom) / 2], [right - 2, bottom - 2]]
        const seen = spots.some(([x, y]) => {
          const at = document.elementFromPoint(x, y)
          return at && (element.contains(at) || at.contains(element))
        })
        return seen || element === document.body ? null : element.outerHTML.slice(0, 160)
      })()`)
      expect(hidden).toBeNull()
    }
  })
})

test('a window that is made narrow and wide again stays where it was', async () => {
  const page = await openOfBrand(calendarPath('month', JUNE), { signedIn: true, viewport: NARROW })
  await page
    .getByRole('button', { name: /of a full month/ })
    .first()
    .waitFor()
  await page.setViewportSize(WIDE)
  await card(page, 'of a full month').waitFor()
  expect(new URL(page.url()).searchParams.get('date')).toBe(JUNE.date)
})
