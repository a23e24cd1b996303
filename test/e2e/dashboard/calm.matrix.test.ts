import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { NARROW, testBrowser, WIDE } from '../../_util/browser/browser.ts'
import { calmStates, notice, publish } from '../../_util/browser/calm-states.ts'
import { type Dashboard, settled, startDashboard } from '../../_util/browser/dashboard.ts'
import { calendarPath, card, focusOn } from '../../_util/browser/dashboard-calendar.ts'
import { expectCalm, expectNoAxeViolations } from '../../_util/browser/dashboard-checks.ts'
import { observeVitals } from '../../_util/browser/dashboard-speed.ts'
import { readFixture } from '../../_util/networks/file-server.ts'

/** What there is to know has one place: it moves nothing when it comes and goes, and one cause is said once. */

const browser = testBrowser()
let dashboard: Dashboard
beforeAll(async () => {
  dashboard = await startDashboard(browser)
  await dashboard.seed.month('2030-06', 30)
}, 240_000)
afterAll(() => dashboard?.stop())

const DATE = { date: '2030-06-12' }

async function open(view: 'month' | 'week' | 'list', viewport = WIDE): Promise<Page> {
  const context = await browser.newContext({ viewport })
  await dashboard.signInByRequest(context)
  const page = await context.newPage()
  await observeVitals(page)
  await page.goto(`${dashboard.url}${calendarPath(view, DATE)}`)
  await page.getByText('of a full month').first().waitFor()
  await settled(page)
  return page
}

/** Where the calendar is: the grid, or on a phone its strip of days. */
const placeOf = (page: Page) => page.locator('#calendar').boundingBox()

/** The same however far the page is scrolled: the list of a phone opens at its day, and at its top when one comes back to it. */
async function placeInPage(page: Page) {
  const [box, scrolled] = [await placeOf(page), await page.evaluate<number>('scrollY')]
  return box && { x: box.x, y: box.y + scrolled, width: box.width }
}

const STATES = ['a failed post', 'publishing is stopped', 'no connection', 'an account to reconnect']

describe.each([
  { view: 'month', viewport: WIDE },
  { view: 'week', viewport: WIDE },
  { view: 'list', viewport: WIDE },
  { view: 'month', viewport: NARROW },
] as const)('over a $view at $viewport.width', ({ view, viewport }) => {
  test.each(STATES)('%s moves nothing', async (state) => {
    const { name, begin, end } = calmStates(dashboard)[state] ?? {}
    if (!name || !begin) throw new Error('There is no such state.')
    browser.allowProblem(/ERR_INTERNET_DISCONNECTED|Failed to load resource|Failed to fetch/)
    const page = await open(view, viewport)
    const before = await placeOf(page)
    await begin(page)
    await notice(page, name).waitFor({ state: 'attached' })
    expect(await placeOf(page)).toEqual(before)
    await end?.(page)
    await expectCalm(page)
    await page.context().close()
  })

  test('an unsaved text is offered without moving anything, also when the page is loaded', async () => {
    const page = await open(view, viewport)
    const before = await placeOf(page)
    await page.goto(`${dashboard.url}${calendarPath(view, { ...DATE, post: 'new', at: '2030-06-12T10:00:00.000Z' })}`)
    const dialog = page.getByRole('dialog', { name: 'New post' })
    await dialog.getByLabel('Caption', { exact: true }).fill('Half a sentence')
    await dialog.getByText(/Draft kept \d/).waitFor()
    await page.goto(`${dashboard.url}${calendarPath(view, DATE)}`)
    await notice(page, 'Unsaved text').waitFor({ state: 'attached' })
    await page.getByText('of a full month').first().waitFor()
    await settled(page)
    expect(await placeOf(page)).toEqual(before)
    await expectCalm(page)
    await page.context().close()
  })
})

test('a selection floats over the month: what is selected stays where it is', async () => {
  const page = await open('month')
  const chosen = ['Post 1 of', 'Post 2 of', 'Post 3 of'].map((text) => card(page, text))
  const places = () => Promise.all(chosen.map((each) => each.boundingBox()))
  const before = await places()
  for (const each of chosen) await each.click({ modifiers: ['ControlOrMeta'] })
  const bar = page.getByRole('toolbar', { name: 'Selected posts' })
  await bar.getByText('3 posts selected').waitFor()
  expect(await places()).toEqual(before)
  const box = await bar.boundingBox()
  expect((box?.y ?? 0) + (box?.height ?? 0)).toBeGreaterThan(WIDE.height - 40)
  await expectCalm(page)
  await expectNoAxeViolations(page, 'a selection')
})

test.each([WIDE, NARROW])('an upload moves nothing at $width', async (viewport) => {
  const page = await open('month', viewport)
  // It does not end.
  await page.route(/\/internal\/media-upload\/files\/[^/]+$/, () => {})
  const before = await placeInPage(page)
  const photo = { name: 'slow.jpg', mimeType: 'image/jpeg', buffer: await readFixture('photo.jpg') }
  const main = page.getByRole('navigation', { name: 'Main' })
  if (viewport === NARROW) await main.getByText('More').click()
  await page
    .getByRole(viewport === NARROW ? 'menuitem' : 'link', { name: 'Media' })
    .first()
    .click()
  await page.locator('input[type="file"]').first().setInputFiles(photo)
  const tray = page.getByRole('region', { name: 'Uploads' })
  await tray.getByText('Uploading 1 of 1').waitFor()
  await main.getByRole('link', { name: 'Calendar' }).click()
  await page.locator('#calendar').waitFor()
  await settled(page)
  await tray.waitFor()
  expect(await placeInPage(page)).toEqual(before)
  await expectCalm(page)
  await page.context().close()
})

test('a message that comes and goes moves nothing', async () => {
  const page = await open('month')
  const before = await placeOf(page)
  await focusOn(card(page, 'Post 5 of'))
  await page.keyboard.press('Alt+ArrowRight')
  const message = page.locator('.mantine-Notification-root')
  await message.waitFor()
  expect(await placeOf(page)).toEqual(before)
  await page.keyboard.press('ControlOrMeta+z')
  await message.getByText(/^Undone/).waitFor()
  await message.getByRole('button', { name: 'Close this message' }).click()
  await message.waitFor({ state: 'detached' })
  expect(await placeOf(page)).toEqual(before)
  await expectCalm(page)
  await page.context().close()
})

test('an expired token is said once, by the way to mend it', async () => {
  const page = await open('month')
  await notice(page, 'Accounts to reconnect').getByRole('link', { name: 'Reconnect' }).waitFor()
  const main = page.getByRole('navigation', { name: 'Main' })
  expect(await main.getByRole('link').allInnerTexts()).toEqual([
    'Calendar',
    'Drafts',
    'Approvals',
    'Media',
    'Results',
    'Connections',
    'Settings',
  ])
  expect(await page.getByText(/failed/i).count()).toBe(0)
  expect(await page.title()).not.toContain('(')
  expect((await dashboard.member('GET', '/internal/results/unseen')).total).toBe(0)
})

test('several notices are one line, the worst first, and open over the page', async () => {
  const page = await open('month')
  await publish(dashboard, 'Longer still [[fault:caption-too-long]]', 'BLUESKY')
  const before = await placeOf(page)
  await page.getByRole('button', { name: /^and \d more/ }).click()
  const names = async () => {
    const all = await page
      .getByRole('main')
      .getByRole('region')
      .evaluateAll((found) => found.map((each) => (each as unknown as { ariaLabel: string }).ariaLabel))
    return all.filter((name) => !name.startsWith('Calendar of'))
  }
  await vi.waitFor(async () =>
    expect(await names()).toEqual(['Accounts to reconnect', 'Failed posts', 'Unsaved text', 'Demo accounts']),
  )
  expect(await placeOf(page)).toEqual(before)
  await expectNoAxeViolations(page, 'all notices')
  await page.keyboard.press('Escape')
  await notice(page, 'Failed posts').waitFor({ state: 'hidden' })
})
