import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { NARROW, testBrowser } from '../../_util/browser/browser.ts'
import { type Dashboard, settled } from '../../_util/browser/dashboard.ts'
import { calendarPath, card, focusOn } from '../../_util/browser/dashboard-calendar.ts'
import { expectNoAxeInBothColors } from '../../_util/browser/dashboard-checks.ts'
import { chooseAccounts, composer, give, showUploads } from '../../_util/browser/dashboard-composer.ts'
import { joinDashboard } from '../../_util/browser/dashboard-of-worker.ts'
import { observeVitals, vitals } from '../../_util/browser/dashboard-speed.ts'
import { readFixture } from '../../_util/networks/file-server.ts'

/** Messages and uploads are above the page, and over nothing that is read, written or pressed there. */

const browser = testBrowser()
let dashboard: Dashboard
beforeAll(async () => {
  dashboard = await joinDashboard(browser)
  await dashboard.seed.month('2030-06', 15)
  await dashboard.seed.postSet({ caption: 'Opened', scheduledAt: '2030-06-16T10:00:00Z' })
}, 240_000)
afterAll(() => dashboard?.stop())

const DATE = { date: '2030-06-26' }
const LOOKS = [
  { locale: 'en-GB', width: 1440, height: 900 },
  { locale: 'de-DE', width: 1280, height: 800 },
  { locale: 'en-GB', width: 390, height: 844 },
  { locale: 'de-DE', width: 320, height: 640 },
] as const
const WIDE_LOOKS = LOOKS.slice(0, 2)

const MESSAGE = '.mantine-Notification-root'
const TRAY = 'section:is([aria-label="Uploads"])'

/** What of `what` has a point in common with the first of `over`, as far as both are seen. */
const under = (page: Page, over: string, what: string) =>
  page.evaluate<string[]>(`(() => {
    const over = document.querySelector(${JSON.stringify(over)})
    const cut = (element) => {
      let { left, top, right, bottom } = element.getBoundingClientRect()
      for (let at = element.parentElement; at; at = at.parentElement) {
        if (getComputedStyle(at).overflowY === 'visible') continue
        const box = at.getBoundingClientRect()
        left = Math.max(left, box.left); top = Math.max(top, box.top)
        right = Math.min(right, box.right); bottom = Math.min(bottom, box.bottom)
      }
      return { left, top, right, bottom }
    }
    const place = over.getBoundingClientRect()
    return [...document.querySelectorAll(${JSON.stringify(what)})].filter((element) => {
      if (over.contains(element) || !element.checkVisibility()) return false
      const { left, top, right, bottom } = cut(element)
      return right - left > 1 && bottom - top > 1 &&
        left < place.right && right > place.left && top < place.bottom && bottom > place.top
    }).map((element) => element.outerHTML.slice(0, 100))
  })()`)

/** Scrolls to the end of all that scrolls in an element. */
const toTheEnd = (page: Page, within: string) =>
  page.evaluate(`for (const each of document.querySelectorAll(${JSON.stringify(`${within}, ${within} *`)}))
    if (each.scrollHeight > each.clientHeight) each.scrollTop = each.scrollHeight`)

async function shown(page: Page): Promise<void> {
  await page.locator(MESSAGE).first().waitFor()
  await expect.poll(() => page.evaluate('document.getAnimations().length')).toBe(0)
}

let moved = 0

/** A page with a message that can be undone, which stays as long as the pointer is on it. */
async function withMessage({ locale, width, height }: (typeof LOOKS)[number]): Promise<Page> {
  // One of its own, on a day of its own.
  moved += 1
  await dashboard.seed.postSet({ caption: `Moved ${moved}`, scheduledAt: `2030-06-${16 + moved}T10:00:00Z` })
  const page = await dashboard.open(calendarPath('month', DATE), {
    signedIn: true,
    reducedMotion: 'reduce',
    viewport: { width: 1280, height },
    locale,
  })
  await focusOn(card(page, `Moved ${moved}`))
  await page.keyboard.press('Alt+ArrowRight')
  await shown(page)
  await page.locator(MESSAGE).hover()
  await page.setViewportSize({ width, height })
  await settled(page)
  return page
}

const FIELDS = ':is(input, textarea, button, a, [role="checkbox"], [role="tab"], [data-preview])'

test.each(WIDE_LOOKS)('in $locale at $width × $height, a message lies over no day of the month', async (look) => {
  const page = await withMessage(look)
  expect(await under(page, MESSAGE, '[role="cell"]')).toEqual([])
  await expectNoAxeInBothColors(page, 'a month with a message')
})

describe.each(LOOKS)('in $locale at $width × $height, a message', (look) => {
  const wide = look.width > 640

  test('lies over no field of the composer, wherever that is scrolled to', async () => {
    const page = await withMessage(look)
    await page
      .getByRole(wide ? 'button' : 'link', { name: /^(New post|Neuer Beitrag)/ })
      .first()
      .click()
    const dialog = page.getByRole('dialog', { name: /New post|Neuer Beitrag/ })
    await dialog.locator('textarea').waitFor()
    await dialog.getByRole('checkbox').first().click()
    await shown(page)
    expect(await under(page, MESSAGE, `[data-composer] ${FIELDS}`)).toEqual([])
    await toTheEnd(page, '[data-composer]')
    expect(await under(page, MESSAGE, `[data-composer] ${FIELDS}`)).toEqual([])
    await expectNoAxeInBothColors(page, 'the composer with a message')
  })

  test('lies over no field of the panel', async () => {
    const page = await withMessage(look)
    await page
      .getByRole('button', { name: /Opened/ })
      .first()
      .click()
    const panel = page.getByRole('dialog', { name: /^(Post|Beitrag)$/ })
    await panel.getByRole('textbox').first().waitFor()
    await shown(page)
    await toTheEnd(page, '[role="dialog"]')
    expect(await under(page, MESSAGE, `[role="dialog"] ${FIELDS}`)).toEqual([])
  })
})

describe('what is uploaded', () => {
  const BYTES = /\/internal\/media-upload\/files\/[^/]+$/
  const file = async (name: string) => ({ name, mimeType: 'image/jpeg', buffer: await readFixture('photo.jpg') })

  test.each(WIDE_LOOKS)('lies over nothing at $width × $height while it is on its way', async (look) => {
    const page = await dashboard.open(calendarPath('month', DATE), {
      signedIn: true,
      viewport: { width: look.width, height: look.height },
    })
    // It does not end.
    await page.route(BYTES, () => {})
    await give(page.locator('[data-date="2030-06-20"]').first(), 'drop', [await file('slow.jpg')])
    const tray = page.getByRole('region', { name: 'Uploads' })
    await tray.getByText('Uploading 1 of 1').waitFor()
    await composer(page).locator('textarea').waitFor()
    expect(await under(page, TRAY, `[data-composer] ${FIELDS}`)).toEqual([])
    // By keys, too: it is in the dialog.
    expect(await composer(page).getByRole('region', { name: 'Uploads' }).count()).toBe(1)
    await expectNoAxeInBothColors(page, 'the composer with an upload')
    await composer(page).getByRole('button', { name: 'Close', exact: true }).click()
    await composer(page).waitFor({ state: 'hidden' })
    await card(page, 'Opened').click()
    const panel = page.getByRole('dialog', { name: 'Post', exact: true })
    await panel.getByRole('textbox').first().waitFor()
    await toTheEnd(page, '[data-post-panel]')
    expect(await under(page, TRAY, `[role="cell"], [data-post-panel] ${FIELDS}`)).toEqual([])
    await expectNoAxeInBothColors(page, 'the calendar with an upload')
    // Asked for, the list is there.
    await (await showUploads(page)).getByText('slow.jpg').waitFor()
    await page.unroute(BYTES)
  })

  test('is shown for four seconds more when it has come, and stays under the pointer', async () => {
    const page = await dashboard.open('/dashboard/settings/labels', { signedIn: true })
    await page.clock.install()
    await page.goto(`${dashboard.url}/dashboard/media?set=${dashboard.socialSetId}`)
    await settled(page)
    const tray = page.getByRole('region', { name: 'Uploads' })
    await page
      .locator('input[type="file"]')
      .first()
      .setInputFiles(await file('soon.jpg'))
    await tray.getByText('1 file is in the library').hover()
    await page.clock.fastForward(60_000)
    expect(await tray.count()).toBe(1)
    await page.clock.pauseAt((await page.evaluate<number>('Date.now()')) + 1_000)
    await page.mouse.move(700, 700)
    await page.clock.fastForward(3_900)
    expect(await tray.count()).toBe(1)
    await page.clock.fastForward(200)
    await tray.waitFor({ state: 'detached' })
  })
})

test('on a phone what ends the dialog of a picture is in sight', async () => {
  const page = await dashboard.open(calendarPath('month', { ...DATE, post: 'new' }), {
    signedIn: true,
    viewport: NARROW,
  })
  await chooseAccounts(composer(page), 'Bluesky')
  const names = ['one.jpg', 'two.jpg']
  const photo = await readFixture('photo.jpg')
  await composer(page)
    .locator('input[type="file"]')
    .setInputFiles(names.map((name) => ({ name, mimeType: 'image/jpeg', buffer: photo })))
  await composer(page)
    .getByRole('button', { name: /^Picture 1 of 2/ })
    .click()
  const dialog = page.getByRole('dialog', { name: 'Picture 1 of 2' })
  await dialog.getByText('4:5').first().waitFor()
  await settled(page)
  for (const name of ['Next file', 'Done'])
    expect(await isInSight(dialog.getByRole('button', { name })), name).toBe(true)
  await expectNoAxeInBothColors(page, 'a picture on a phone')
  await page.setViewportSize({ width: 320, height: 568 })
  for (const name of ['Next file', 'Done'])
    expect(await isInSight(dialog.getByRole('button', { name })), name).toBe(true)
})

/** Whether it is in the window, and on top. */
const isInSight = (element: Locator) =>
  element.evaluate((found: Found) => {
    const { left, top, width, height } = found.getBoundingClientRect()
    return found.contains(found.ownerDocument.elementFromPoint(left + width / 2, top + height / 2))
  })

interface Found {
  ownerDocument: { elementFromPoint(x: number, y: number): unknown }
  contains(other: unknown): boolean
  getBoundingClientRect(): { left: number; top: number; width: number; height: number }
}

test.each([
  ['en-GB', 390],
  ['de-DE', 390],
  ['en-GB', 320],
  ['de-DE', 320],
])('on a phone the calendar has no row for one button alone, in %s at %i', async (locale, width) => {
  const page = await dashboard.open(calendarPath('month', DATE), {
    signedIn: true,
    locale,
    viewport: { width, height: 844 },
  })
  await settled(page)
  const main = page.getByRole('main')
  const place = (name: RegExp) => main.getByRole('button', { name }).boundingBox()
  const [today, more] = await Promise.all([place(/^(Today|Heute)$/), place(/^(More|Mehr)$/)])
  expect(Math.abs((today?.y ?? 0) - (more?.y ?? 1000))).toBeLessThan(8)
})

test('the composer has its edges while it loads, and what comes moves nothing', async () => {
  const page = await dashboard.open('/dashboard/settings/labels', { signedIn: true })
  await observeVitals(page)
  let go = () => {}
  const held = new Promise<void>((resolve) => {
    go = resolve
  })
  await page.route(/\/internal\/networks(\?|$)/, async (route) => {
    await held
    await route.continue()
  })
  await page.goto(`${dashboard.url}${calendarPath('month', { ...DATE, post: 'new' })}`)
  const dialog = page.getByRole('dialog', { name: 'New post' })
  await dialog.getByText('Loading the form…').waitFor({ state: 'attached' })
  const bars = dialog.locator('.mantine-Skeleton-root')
  const [panel, bar] = [await dialog.boundingBox(), await bars.first().boundingBox()]
  expect((bar?.x ?? 0) - (panel?.x ?? 0)).toBeGreaterThanOrEqual(16)
  const title = () => dialog.getByRole('heading', { name: 'New post' }).boundingBox()
  const before = await title()
  await dialog.getByRole('button', { name: 'Close' }).waitFor()
  go()
  await dialog.locator('textarea').waitFor()
  await settled(page)
  expect(await title()).toEqual(before)
  expect((await vitals(page)).cls).toBeLessThanOrEqual(0.02)
})
