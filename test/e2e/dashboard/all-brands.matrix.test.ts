import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { testBrowser, WIDE } from '../../_util/browser/browser.ts'
import { type Dashboard, heading, settled } from '../../_util/browser/dashboard.ts'
import { calendarPath, cardOn, day, drag, expectTime, focusOn } from '../../_util/browser/dashboard-calendar.ts'
import { joinDashboard } from '../../_util/browser/dashboard-of-worker.ts'
import { observeVitals, vitals } from '../../_util/browser/dashboard-speed.ts'
import { MANY, type MadePost, makeManyBrands } from '../../_util/browser/many-brands.ts'

/** 30 brands in six zones with 3,000 posts in the month of a DST night, seen from Tokyo and from Berlin. */

const { posts: POSTS, month: MONTH } = MANY

const browser = testBrowser()
let dashboard: Dashboard
/** What there is, as it was made. */
let made: readonly MadePost[] = []
beforeAll(async () => {
  dashboard = await joinDashboard(browser)
  made = await makeManyBrands(dashboard)
}, 300_000)
afterAll(() => dashboard?.stop())

const dayIn = (zone: string, at: string) => Temporal.Instant.from(at).toZonedDateTimeISO(zone).toPlainDate().toString()

describe.each(['Asia/Tokyo', 'Europe/Berlin'])('seen from %s', (zone) => {
  test('every day has the posts of that day; the page comes and stays where it is', async () => {
    const context = await browser.newContext({ viewport: WIDE, timezoneId: zone })
    await dashboard.signInByRequest(context)
    const page = await context.newPage()
    await observeVitals(page)
    const begun = performance.now()
    await page.goto(`${dashboard.url}${calendarPath('month', { date: `${MONTH}-15` })}`)
    await heading(page)
    await page.locator('[data-card]').first().waitFor()
    const firstCards = performance.now() - begun
    await settled(page)
    const { cls } = await vitals(page)
    console.log(`${zone}: cards after ${Math.round(firstCards)} ms, CLS ${cls}`)
    expect(cls).toBeLessThanOrEqual(0.05)
    for (let number = 1; number <= 31; number += 1) {
      const date = `${MONTH}-${String(number).padStart(2, '0')}`
      const expected = made.filter(({ at }) => dayIn(zone, at) === date).length
      const name = await page.locator(`[data-item="day-${date}"]`).getAttribute('aria-label')
      expect(name, date).toContain(`, ${expected} posts`)
    }
  })
})

test('a move by keys is drawn at once, and is where it says', async () => {
  const page = await dashboard.open(calendarPath('month', { date: `${MONTH}-15` }), {
    ...{ signedIn: true, timezoneId: 'Europe/Berlin' },
  })
  const first = page.locator(`[data-date="${MONTH}-10"] [data-card]`).first()
  await first.waitFor()
  const id = (await first.getAttribute('data-card')) ?? ''
  const before = made.find((post) => post.id === id)
  if (!before) throw new Error('The card is none of those that were made.')
  await focusOn(first.locator('[data-item]').first())
  const begun = performance.now()
  await page.keyboard.press('Alt+ArrowRight')
  await page.locator(`[data-date="${MONTH}-11"] [data-card="${id}"]`).waitFor()
  const drawn = performance.now() - begun
  console.log(`moved by keys after ${Math.round(drawn)} ms`)
  expect(drawn).toBeLessThan(2_000)
  await expectTime(dashboard.seed, id, new Date(Date.parse(before.at) + 86_400_000).toISOString())
  await drag(page, cardOn(page, `${MONTH}-11`, before.caption), day(page, `${MONTH}-09`))
  await expectTime(dashboard.seed, id, new Date(Date.parse(before.at) - 86_400_000).toISOString())
})

test('the answer is one of bounded size and time', async () => {
  const asked = new URLSearchParams({ from: `${MONTH}-01T00:00:00Z`, to: '2030-11-01T00:00:00Z' })
  const times: number[] = []
  let bytes = 0
  for (let round = 0; round < 5; round += 1) {
    const begun = performance.now()
    const answer = await dashboard.member('GET', `/internal/calendar?${asked}`)
    times.push(performance.now() - begun)
    bytes = JSON.stringify(answer).length
    expect(answer.cards).toHaveLength(POSTS)
    expect(answer.truncated).toBe(false)
  }
  const middle = times.toSorted((a, b) => a - b)[2] ?? 0
  console.log(`3,000 cards: ${Math.round(middle)} ms, ${Math.round(bytes / 1_000)} kB`)
  // 1.2 kB a card.
  expect(bytes).toBeLessThan(POSTS * 1_200)
  expect(middle).toBeLessThan(3_000)
})
