import { afterAll, beforeAll, expect, test } from 'vitest'
import { testBrowser } from '../../_util/browser/browser.ts'
import { type Dashboard, settled } from '../../_util/browser/dashboard.ts'
import { calendarPath } from '../../_util/browser/dashboard-calendar.ts'
import { joinDashboard } from '../../_util/browser/dashboard-of-worker.ts'

/** The last line of a card over all brands: two times, the state, the networks, beside a picture. */

const browser = testBrowser()
let dashboard: Dashboard
beforeAll(async () => {
  dashboard = await joinDashboard(browser)
  const { seed, member } = dashboard
  await member('POST', '/internal/social-sets', { name: 'Kissaten', timezone: 'Asia/Tokyo' })
  const picture = await seed.media('photo.jpg')
  const media = [{ mediaLibraryId: picture }]
  const posts = (caption: string, files: object[]) => [
    { accountType: 'INSTAGRAM', caption, type: 'IMAGE', collaborators: [], media: [{ mediaLibraryId: picture }] },
    { accountType: 'BLUESKY', caption, media: files },
    { accountType: 'THREADS', caption, media: files },
    { accountType: 'TWITTER', caption, media: files },
  ]
  const states = [
    { status: 'SCHEDULED' },
    { status: 'DRAFT' },
    { status: 'DRAFT', approval: 'PENDING' },
    { status: 'DRAFT', approval: 'EXTERNAL_PENDING' },
    { status: 'DRAFT', approval: 'DENIED' },
  ]
  for (const [index, state] of states.entries()) {
    const caption = `A post with a picture and words enough for two lines ${index}`
    await seed.postSet({ scheduledAt: `2030-06-${12 + index}T15:30:00Z`, posts: posts(caption, media), ...state })
  }
  const texts = posts('Four networks, no picture of its own', []).slice(1)
  await seed.postSet({ scheduledAt: '2030-06-18T15:30:00Z', posts: texts, status: 'SCHEDULED' })
}, 180_000)
afterAll(() => dashboard?.stop())

/** What of a last line is cut: signs of which a part shows, and words of which less than three letters do. */
const CUT = `[...document.querySelectorAll('[data-card]')].flatMap((card) => {
  const time = card.querySelector('button span > span')
  const line = time.parentElement
  const frame = line.getBoundingClientRect()
  const of = (what) => what + ': ' + card.textContent.slice(0, 60) + ' (' + card.dataset.state + ')'
  const shows = ({ top, left, right, width }) =>
    width > 0 && top < frame.bottom - 1 && right > frame.left && left < frame.right
  const endsOf = (sign) => {
    const ends = []
    for (let up = sign.parentElement; up !== line.parentElement; up = up.parentElement) ends.push(up.getBoundingClientRect().right)
    return Math.min(...ends)
  }
  const signs = [...line.querySelectorAll('svg')].filter((sign) => {
    const box = sign.getBoundingClientRect()
    return shows(box) && box.right > endsOf(sign) + 0.5
  })
  const words = [...line.querySelectorAll('span')].filter((word) => {
    if (word.children.length > 0 || word.textContent.trim() === '' || word === time) return false
    const box = word.getBoundingClientRect()
    return shows(box) && word.scrollWidth > word.clientWidth && box.width < 24
  })
  return [...signs.map(() => of('a sign is cut')), ...words.map(() => of('a word is cut'))]
})`

test.each([
  ['en-GB', 1440],
  ['en-GB', 1280],
  ['de-DE', 1440],
  ['de-DE', 1280],
  ['de-DE', 1100],
] as const)('nothing of it is cut to pieces, in %s, %i pixels wide', async (locale, width) => {
  const page = await dashboard.open(calendarPath('month', { date: '2030-06-12' }), {
    signedIn: true,
    ...{ locale, timezoneId: 'Asia/Tokyo', viewport: { width, height: 900 } },
  })
  await page.locator('[data-card]').nth(5).waitFor()
  await settled(page)
  expect(await page.evaluate(CUT)).toEqual([])
})
