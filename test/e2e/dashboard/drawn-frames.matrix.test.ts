import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { testBrowser } from '../../_util/browser/browser.ts'
import { type Dashboard, startDashboard } from '../../_util/browser/dashboard.ts'
import { calendarPath, card } from '../../_util/browser/dashboard-calendar.ts'
import { shareBrand } from '../../_util/browser/dashboard-shared.ts'
import { distance, videoKinds } from '../../_util/files/video-kinds.ts'

/** A whole server with the decoder: a video comes in by its address, and its frame is on every card; a post's own cover on that post alone. */

const decoder = process.env.ALMANAC_VIDEO_DECODER
if (!decoder) process.stderr.write('Drawn frames: ALMANAC_VIDEO_DECODER is not set, so no server draws any.\n')
const browser = testBrowser()

describe.skipIf(!decoder)('with the decoder', () => {
  let dashboard: Dashboard
  beforeAll(async () => {
    dashboard = await startDashboard(browser, { ALMANAC_VIDEO_DECODER: decoder ?? '' })
  }, 180_000)
  afterAll(() => dashboard?.stop())

  const DAY = '2030-06-12'
  const FILE = 'hevc.mp4'
  const NEAR = 12
  const frames = videoKinds.find(({ file }) => file === FILE)?.frames
  const image = (page: Page, caption: string) => card(page, caption).locator('img')
  async function bytesOf(page: Page, picture: Locator): Promise<Uint8Array> {
    const address = new URL((await picture.getAttribute('src')) ?? '', dashboard.url)
    return (await page.request.get(address.href)).body()
  }

  test('upload, poster, card', { timeout: 180_000 }, async () => {
    if (!frames) throw new Error('There is no such video.')
    const media = [{ mediaLibraryId: await dashboard.seed.media(`videos/${FILE}`, { name: FILE }) }]
    const reel = { accountType: 'INSTAGRAM', type: 'REEL', collaborators: [], media }
    const make = (caption: string, more: object = {}) =>
      dashboard.seed.postSet({
        scheduledAt: `${DAY}T10:00:00Z`,
        approval: 'EXTERNAL_PENDING',
        posts: [{ ...reel, caption, ...more }],
      })
    await make('A reel as it is')
    await make('A reel with a cover', { videoCoverImage: 1.3 })
    // It is open before the frames are there.
    const page = await dashboard.open(calendarPath('month', { date: DAY }), { signedIn: true })
    await card(page, 'A reel as it is').waitFor()
    const away = async (caption: string, frame: keyof typeof frames) =>
      (await image(page, caption).count()) === 0
        ? 255
        : distance(await bytesOf(page, image(page, caption)), frames[frame])
    const soon = { timeout: 90_000, interval: 500 }
    await expect.poll(() => away('A reel as it is', 'poster'), soon).toBeLessThan(NEAR)
    await expect.poll(() => away('A reel with a cover', 'cover'), soon).toBeLessThan(NEAR)
    expect(await away('A reel as it is', 'cover')).toBeGreaterThan(NEAR)
    // So do the lists of members, and the client.
    await page.goto(`${dashboard.url}/dashboard/drafts`)
    const row = page.getByRole('listitem').filter({ hasText: 'A reel with a cover' }).locator('img')
    await row.waitFor()
    expect(await distance(await bytesOf(page, row), frames.cover)).toBeLessThan(NEAR)
    const { path } = await shareBrand(dashboard)
    const guest = await dashboard.open(path)
    await guest.goto(`${guest.url().split('?')[0]}?view=list&date=${DAY}`)
    const shown = guest.locator('[data-card]').filter({ hasText: 'A reel with a cover' }).locator('img')
    await shown.waitFor()
    expect(await distance(await bytesOf(guest, shown), frames.cover)).toBeLessThan(NEAR)
  })
})
