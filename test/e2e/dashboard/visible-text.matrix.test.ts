import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testBrowser, WIDE } from '../../_util/browser/browser.ts'
import { type Dashboard, settled } from '../../_util/browser/dashboard.ts'
import { calendarPath } from '../../_util/browser/dashboard-calendar.ts'
import { fillMonth } from '../../_util/browser/dashboard-filled.ts'
import { joinDashboard } from '../../_util/browser/dashboard-of-worker.ts'

/**
 * How much of its text a card shows: characters of captions that are seen, spaces counted, by the median. Of days with one
 * or two posts, and of all cards. The filled month has pictures on two posts of three.
 */

const SMALL = { width: 1280, height: 800 }

const browser = testBrowser()
let dashboard: Dashboard
beforeAll(async () => {
  dashboard = await joinDashboard(browser)
  await fillMonth(dashboard.seed, FIVE_WEEKS)
  await fillMonth(dashboard.seed, SIX_WEEKS)
}, 120_000)
afterAll(() => dashboard?.stop())

const FIVE_WEEKS = '2030-08'
const SIX_WEEKS = '2030-12'

/**
 * Of every card: the characters whose middle is inside of its caption, the line with the ellipsis up to it, and how many
 * cards its day has.
 */
const COUNT = `[...document.querySelectorAll('[data-card]')].map((card) => {
  const caption = card.querySelector('[dir="auto"]')
  const box = caption.getBoundingClientRect()
  const day = card.closest('[data-date]')
  const text = caption.firstChild
  const range = document.createRange()
  let characters = 0
  let cut = false
  for (let at = 0; at < text.length; at++) {
    range.setStart(text, at)
    range.setEnd(text, at + 1)
    const { left, right, top, bottom } = range.getBoundingClientRect()
    const middle = (top + bottom) / 2
    if (middle > box.top && middle < box.bottom && right <= box.right + 1) characters++
    else cut = true
  }
  const drawn = day.querySelectorAll('[data-card]').length
  const more = day.querySelector('[data-item^="more-"]')
  return { characters: Math.max(0, characters - (cut ? 2 : 0)), posts: more ? 99 : drawn }
})`

async function visible(page: Page): Promise<{ few: number; all: number; cards: number }> {
  const counted = await page.evaluate<{ characters: number; posts: number }[]>(COUNT)
  const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
  return {
    few: median(counted.filter(({ posts }) => posts <= 2).map(({ characters }) => characters)),
    all: median(counted.map(({ characters }) => characters)),
    cards: counted.length,
  }
}

test.each([
  ['a month of five weeks', 'month', `${FIVE_WEEKS}-14`, WIDE, 40],
  ['a month of six weeks', 'month', `${SIX_WEEKS}-11`, WIDE, 40],
  ['a week', 'week', `${SIX_WEEKS}-11`, WIDE, 50],
  ['a month of five weeks in a small window', 'month', `${FIVE_WEEKS}-14`, SMALL, 28],
  ['a month of six weeks in a small window', 'month', `${SIX_WEEKS}-11`, SMALL, 28],
  ['a week in a small window', 'week', `${SIX_WEEKS}-11`, SMALL, 40],
] as const)('%s shows its posts', async (name, view, date, viewport, goal) => {
  const page = await dashboard.open(calendarPath(view, { date }), { signedIn: true, viewport })
  await page.locator('[data-card]').first().waitFor()
  await settled(page)
  const seen = await visible(page)
  console.log(
    `${name}: ${seen.few} characters on days with one or two posts, ${seen.all} on all of ${seen.cards} cards`,
  )
  expect(seen.cards).toBeGreaterThan(10)
  expect(seen.few, 'on days with one or two posts').toBeGreaterThanOrEqual(goal)
  expect(seen.all, 'on all cards').toBeGreaterThanOrEqual(18)
  await page.context().close()
})
