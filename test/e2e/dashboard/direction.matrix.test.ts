import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { NARROW, testBrowser, WIDE } from '../../_util/browser/browser.ts'
import { type Dashboard, settled } from '../../_util/browser/dashboard.ts'
import { calendarPath } from '../../_util/browser/dashboard-calendar.ts'
import { expectControlsApart, expectNoSidewaysScroll } from '../../_util/browser/dashboard-checks.ts'
import { fillMonth } from '../../_util/browser/dashboard-filled.ts'
import { joinDashboard } from '../../_util/browser/dashboard-of-worker.ts'

/** The main screens from right to left: nothing is cut, and no control lies over another. */

const browser = testBrowser()
let dashboard: Dashboard
let post: string
beforeAll(async () => {
  dashboard = await joinDashboard(browser)
  await fillMonth(dashboard.seed, '2030-06')
  ;({ id: post } = await dashboard.seed.postSet({ caption: 'مرحبا بالعالم', scheduledAt: '2030-06-18T10:00:00Z' }))
  const { id } = await dashboard.seed.postSet({
    caption: 'Refused [[fault:account-suspended]]',
    status: 'SCHEDULED',
    scheduledAt: new Date().toISOString(),
  })
  await dashboard.seed.until(`/v1/post-sets/${id}`, ({ status }) => status === 'PUBLISHED')
}, 180_000)
afterAll(() => dashboard?.stop())

/** As a language that is written from right to left would have it. */
async function openFromRight(path: string, viewport: object): Promise<Page> {
  const page = await dashboard.open(path, { signedIn: true, reducedMotion: 'reduce', ...viewport })
  await page.addInitScript(
    `document.addEventListener('readystatechange', () => { document.documentElement.dir = 'rtl' })`,
  )
  await page.reload()
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  await settled(page)
  expect(await page.evaluate('getComputedStyle(document.body).direction')).toBe('rtl')
  return page
}

const JUNE = { date: '2030-06-12' }
const SCREENS: [string, () => string][] = [
  ['month', () => calendarPath('month', JUNE)],
  ['week', () => calendarPath('week', JUNE)],
  ['list', () => calendarPath('list', JUNE)],
  ['panel', () => calendarPath('month', { ...JUNE, post })],
  ['composer', () => calendarPath('month', { ...JUNE, post: 'new' })],
  ['drafts', () => '/dashboard/drafts'],
  ['approvals', () => '/dashboard/approvals'],
  ['results', () => '/dashboard/results'],
  ['connections', () => '/dashboard/connections'],
  ['profile', () => '/dashboard/settings/profile'],
]

describe.each([
  ['wide', WIDE],
  ['on a phone', NARROW],
])('%s', (look, viewport) => {
  test.each(SCREENS)('%s', async (name, path) => {
    const page = await openFromRight(path(), { viewport })
    if (name === 'composer') await page.getByRole('dialog').getByLabel('Caption', { exact: true }).waitFor()
    await settled(page)
    await expectNoSidewaysScroll(page, name)
    // A calendar on a phone begins at its day, whose head lies over what is before it.
    await page.evaluate('scrollTo(0, 0)')
    await expectControlsApart(page, name)
    const { SHOTS } = process.env
    if (SHOTS) await page.screenshot({ path: `${SHOTS}/rtl-${name}-${look.replaceAll(' ', '-')}.png` })
  })
})

test('a text of the other direction keeps its beginning', async () => {
  await dashboard.seed.postSet({
    caption: `Begins here ${'and goes on '.repeat(9)}`,
    scheduledAt: '2030-07-03T10:00:00Z',
  })
  const page = await openFromRight(calendarPath('list', { date: '2030-07-03' }), {
    viewport: { width: 1000, height: 700 },
  })
  await page
    .getByRole('button', { name: /^Begins here/ })
    .first()
    .waitFor()
  const cut = await page.evaluate<boolean>(`(() => {
    const element = [...document.querySelectorAll('tbody button')].find((each) => each.textContent.startsWith('Begins here'))
    const range = document.createRange()
    const letters = document.createTreeWalker(element, NodeFilter.SHOW_TEXT).nextNode()
    range.setStart(letters, 0)
    range.setEnd(letters, 6)
    return range.getBoundingClientRect().left < element.getBoundingClientRect().left - 1
  })()`)
  expect(cut).toBe(false)
})

test('the rail, and what is open beside the calendar, change sides', async () => {
  const page = await openFromRight(calendarPath('month', { ...JUNE, post }), { viewport: WIDE })
  const rail = await page.getByRole('navigation', { name: 'Main' }).boundingBox()
  expect((rail?.x ?? 0) + (rail?.width ?? 0)).toBe(WIDE.width)
  const panel = await page.getByRole('dialog', { name: 'Post', exact: true }).boundingBox()
  expect(panel?.x).toBe(0)
})
