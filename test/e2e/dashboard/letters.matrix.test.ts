import { afterAll, beforeAll, expect, test } from 'vitest'
import { testBrowser } from '../../_util/browser/browser.ts'
import type { Dashboard } from '../../_util/browser/dashboard.ts'
import { calendarPath } from '../../_util/browser/dashboard-calendar.ts'
import { joinDashboard } from '../../_util/browser/dashboard-of-worker.ts'

/** How much of its text a card of a full month shows. */

const browser = testBrowser()
let dashboard: Dashboard
beforeAll(async () => {
  dashboard = await joinDashboard(browser)
}, 120_000)
afterAll(() => dashboard?.stop())

const CAPTION = 'Our rye rests for a day and bakes for two hours, then it rests again'

interface Rectangle {
  left: number
  right: number
  top: number
  bottom: number
}
interface Page {
  createRange(): { setStart(of: unknown, at: number): void; setEnd(of: unknown, at: number): void } & {
    getBoundingClientRect(): Rectangle
  }
  createTreeWalker(of: unknown, show: number): { nextNode(): { data: string } | null }
}

test.each([
  ['drafts', '2031-09', async () => ({})],
  ['posts that wait for approval', '2031-10', async () => ({ approval: 'PENDING' })],
  ['pictures on three networks', '2031-11', async () => withPicture(await dashboard.seed.media('photo.jpg'))],
])(
  'each card of a month of a hundred shows eighteen letters at 1280: %s',
  async (_, month, more) => {
    const given = await more()
    for (let index = 0; index < 100; index++) {
      const day = String((index % 30) + 1).padStart(2, '0')
      const hour = String(8 + Math.floor(index / 30)).padStart(2, '0')
      const scheduledAt = `${month}-${day}T${hour}:00:00Z`
      await dashboard.seed.postSet({ caption: CAPTION, scheduledAt, ...given })
    }
    const page = await dashboard.open(calendarPath('month', { date: `${month}-15` }), {
      signedIn: true,
      viewport: { width: 1280, height: 900 },
    })
    const cards = page.locator('[data-item^="card-"]')
    await cards.first().waitFor()
    const letters = await cards.evaluateAll(
      (all: { ownerDocument: Page; querySelector(of: string): Seen | null }[]) => {
        const inside = (letter: Rectangle, box: Rectangle) =>
          letter.left >= box.left - 1 && letter.right <= box.right + 1 && letter.bottom <= box.bottom + 1
        return all.map((card) => {
          const caption = card.querySelector('[class*="caption"]')
          const walker = card.ownerDocument.createTreeWalker(caption, 4)
          let seen = 0
          for (let text = walker.nextNode(); text; text = walker.nextNode()) {
            for (let at = 0; at < text.data.length; at++) {
              const range = card.ownerDocument.createRange()
              range.setStart(text, at)
              range.setEnd(text, at + 1)
              if (caption && inside(range.getBoundingClientRect(), caption.getBoundingClientRect())) seen++
            }
          }
          return seen
        })
      },
    )
    expect(letters.length).toBeGreaterThanOrEqual(90)
    expect(Math.min(...letters)).toBeGreaterThanOrEqual(18)
  },
  120_000,
)

type Seen = { getBoundingClientRect(): Rectangle }

const withPicture = (mediaLibraryId: string) => ({
  posts: ['BLUESKY', 'THREADS', 'TWITTER'].map((accountType) => ({
    ...{ accountType, caption: CAPTION, media: [{ mediaLibraryId }] },
  })),
})
