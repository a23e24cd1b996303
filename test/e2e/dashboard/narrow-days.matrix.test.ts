import { afterAll, beforeAll, expect, test } from 'vitest'
import { testBrowser } from '../../_util/browser/browser.ts'
import type { Dashboard } from '../../_util/browser/dashboard.ts'
import { calendarPath, cardOn, day } from '../../_util/browser/dashboard-calendar.ts'
import { expectNoAxeViolations } from '../../_util/browser/dashboard-checks.ts'
import { joinDashboard } from '../../_util/browser/dashboard-of-worker.ts'

/** What has to share little room: the days of a narrow month, the tools above them, low hours. */

const browser = testBrowser()
let dashboard: Dashboard
beforeAll(async () => {
  dashboard = await joinDashboard(browser)
}, 120_000)
afterAll(() => dashboard?.stop())

const seed = async (caption: string, scheduledAt: string, more: object = {}): Promise<string> =>
  (await dashboard.seed.postSet({ caption, scheduledAt, ...more })).id

test('how many more posts a day has stays in one line beside the panel of a post', async () => {
  const ids = await Promise.all(
    Array.from({ length: 14 }, (_, n) => seed(`Of many ${n}`, `2030-05-08T${n + 5}:00:00Z`.replace(/T(\d):/, 'T0$1:'))),
  )
  const page = await dashboard.open(calendarPath('month', { date: '2030-05-08', post: ids[0] ?? '' }), {
    signedIn: true,
    viewport: { width: 1024, height: 768 },
  })
  await page.getByRole('dialog', { name: 'Post', exact: true }).waitFor()
  const more = day(page, '2030-05-08').getByRole('button', { name: /^\+1\d more$/ })
  await more.waitFor()
  expect(await more.innerText()).toMatch(/^\+1\d$/)
  expect(await more.evaluate(CUT)).toEqual([0, 0])
  await expectNoAxeViolations(page, 'a narrow month')
  await page.setViewportSize({ width: 1440, height: 900 })
  await expect.poll(() => more.innerText()).toMatch(/^\+\d+ more$/)
})

test('the toolbar and the cards have room for all that they show where days are narrow', async () => {
  // In the month of the longest name.
  const mediaLibraryId = await dashboard.seed.media('photo.jpg')
  const networks = ['BLUESKY', 'THREADS', 'TWITTER']
  const posts = networks.map((accountType) => ({
    accountType,
    caption: 'As long as three lines',
    media: [{ mediaLibraryId }],
  }))
  const ids = await Promise.all(['10', '11'].map((hour) => seed('', `2030-09-12T${hour}:00:00Z`, { posts })))
  for (const [width, height, search] of [
    [1024, 768, {}],
    [1440, 900, { post: ids[0] ?? '' }],
    [1440, 900, {}],
  ] as const) {
    const page = await dashboard.open(calendarPath('month', { date: '2030-09-12', ...search }), {
      signedIn: true,
      viewport: { width, height },
    })
    await cardOn(page, '2030-09-12', 'As long').first().waitFor()
    expect(await page.evaluate(CROWDED), `${width} px wide`).toEqual([])
    await page.close()
  }
})

/** Of the toolbar: words over other buttons. Of cards: pictures over captions, and networks beside the line of their time. */
const CROWDED = `[...document.querySelectorAll('[class*="tools"] button')].filter((button, _, all) => {
  const words = document.createRange()
  words.selectNodeContents(button)
  const { left, right } = words.getBoundingClientRect()
  return all.some((other) => {
    const box = other.getBoundingClientRect()
    return other !== button && left < box.right && right > box.left
  })
}).map(({ textContent }) => textContent).concat([...document.querySelectorAll('[data-card]')].flatMap((card) => {
  const box = (part) => card.querySelector('[class*="' + part + '"]')?.getBoundingClientRect()
  const middle = ({ top, bottom }) => (top + bottom) / 2
  const [caption, picture, time] = ['caption', 'picture', 'time'].map(box)
  const icon = card.querySelector('[class*="networks"] > svg')?.getBoundingClientRect()
  return [
    ...(picture && picture.top + 0.5 < caption.bottom && picture.left < caption.right ? ['picture'] : []),
    ...(icon?.width && time.width && Math.abs(middle(icon) - middle(time)) > 1 ? ['networks'] : []),
  ]
}))`

test('the time now has no hour below it', async () => {
  const page = await dashboard.open('/dashboard/scheduling/calendar/week', { signedIn: true })
  await page.locator('[class*="nowLine"]').waitFor()
  expect(
    await page.evaluate(`(() => {
      const now = document.querySelector('[class*="times"] > [class*="now"]').getBoundingClientRect()
      return [...document.querySelectorAll('[data-hour]')].filter((hour) => {
        const { top, bottom } = hour.getBoundingClientRect()
        return hour.checkVisibility({ visibilityProperty: true }) && top < now.bottom && bottom > now.top
      }).map((hour) => hour.textContent)
    })()`),
  ).toEqual([])
})

/** How much of an element has no room in it. */
const CUT = ((box: Record<'scrollWidth' | 'clientWidth' | 'scrollHeight' | 'clientHeight', number>) => [
  box.scrollWidth - box.clientWidth,
  box.scrollHeight - box.clientHeight,
]) as never
