import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { NARROW, testBrowser } from '../../_util/browser/browser.ts'
import { type Dashboard, settled } from '../../_util/browser/dashboard.ts'
import { calendarPath } from '../../_util/browser/dashboard-calendar.ts'
import { expectEveryLook, expectNoSidewaysScroll } from '../../_util/browser/dashboard-checks.ts'
import { joinDashboard } from '../../_util/browser/dashboard-of-worker.ts'
import { goTo, shareBrand } from '../../_util/browser/dashboard-shared.ts'

/** Whether a post is a story, a reel, a carousel or a video is seen wherever it is listed. */

const browser = testBrowser()
let dashboard: Dashboard
const JUNE = '2030-06-12'
const INSTAGRAM = { accountType: 'INSTAGRAM', collaborators: [] }

beforeAll(async () => {
  dashboard = await joinDashboard(browser)
  const { seed } = dashboard
  const [photo, other, film] = [
    { mediaLibraryId: await seed.media('photo.jpg') },
    { mediaLibraryId: await seed.media('photo.jpg', { name: 'other.jpg' }) },
    { mediaLibraryId: await seed.media('video-short.mp4') },
  ]
  const make = (day: string, posts: object[]) =>
    seed.postSet({ scheduledAt: `2030-06-${day}T10:00:00Z`, approval: 'PENDING', posts })
  await make('11', [{ ...INSTAGRAM, type: 'STORY', caption: '', media: [photo] }])
  await make('12', [
    { ...INSTAGRAM, type: 'REEL', caption: 'From the oven', media: [film] },
    { accountType: 'TIKTOK', caption: 'From the oven', media: [film] },
  ])
  await make('13', [{ ...INSTAGRAM, type: 'CAROUSEL', caption: 'Five loaves', media: [photo, other] }])
  await make('14', [{ accountType: 'BLUESKY', caption: 'Words alone', media: [] }])
}, 180_000)
afterAll(() => dashboard?.stop())

const open = (path: string, options: object = {}) => dashboard.open(path, { signedIn: true, ...options })
/** The accessible name of each card, by its text. */
const cardNamed = (page: Page, name: RegExp) =>
  page.locator('[data-item^="card-"]').and(page.getByRole('button', { name }))
const row = (page: Page, text: string) => page.getByRole('listitem').filter({ hasText: text })

test.each(['month', 'week'] as const)('the %s: a sign on the card, and the word in its name', async (view) => {
  const page = await open(calendarPath(view, { date: JUNE }))
  const story = cardNamed(page, /^Story .*Waiting for approval, Instagram$/)
  await story.waitFor()
  await story.locator('svg[data-kind="STORY"]').waitFor()
  expect(await page.getByText('Post without text').count()).toBe(0)
  const reel = cardNamed(page, /^From the oven .*, Instagram, TikTok, Reel, Video$/)
  await reel.locator('svg[data-kind="REEL"]').waitFor()
  await cardNamed(page, /^Five loaves .*, Carousel$/)
    .locator('svg[data-kind="CAROUSEL"]')
    .waitFor()
  expect(
    await cardNamed(page, /^Words alone/)
      .locator('svg[data-kind]')
      .count(),
  ).toBe(0)
  // What shows more comes with the first card that is pointed at.
  await vi.waitFor(
    async () => {
      for (const card of [story, reel]) await card.hover()
      await page
        .getByRole('tooltip')
        .getByText(/^Reel, Video · 1 media item/)
        .waitFor({ timeout: 1_000 })
    },
    { timeout: 20_000 },
  )
  await expectEveryLook(page)
})

test('a card has its sign where it has one line, and beside the panel of a post', async () => {
  for (const hour of ['12', '13', '14'])
    await dashboard.seed.postSet({ caption: `Beside at ${hour}`, scheduledAt: `2030-06-13T${hour}:00:00Z` })
  const { id } = await dashboard.seed.postSet({ caption: 'Opened', scheduledAt: '2030-06-20T10:00:00Z' })
  const page = await open(calendarPath('month', { date: JUNE }))
  const carousel = cardNamed(page, /^Five loaves .*, Carousel$/)
  await carousel.waitFor()
  expect(await page.locator('[data-card][data-line]').filter({ hasText: 'Five loaves' }).count()).toBe(1)
  expect(await carousel.locator('svg[data-kind="CAROUSEL"]').isVisible()).toBe(true)
  await page.goto(`${dashboard.url}${calendarPath('month', { date: JUNE, post: id })}`)
  await page.getByRole('dialog', { name: 'Post', exact: true }).getByText('Opened').first().waitFor()
  for (const [name, kind] of [
    [/^Story /, 'STORY'],
    [/^From the oven /, 'REEL'],
  ] as const) {
    expect(await cardNamed(page, name).locator(`svg[data-kind="${kind}"]`).isVisible(), kind).toBe(true)
  }
  await expectEveryLook(page)
})

test('the list has pictures, and says the kind', async () => {
  const page = await open(calendarPath('list', { date: JUNE }))
  const line = (text: string) => page.getByRole('row').filter({ hasText: text })
  await line('Five loaves').getByText('Carousel', { exact: true }).waitFor()
  await line('From the oven').getByText('Reel, Video', { exact: true }).waitFor()
  for (const text of ['Story', 'Five loaves']) await line(text).locator('img').waitFor()
  expect(await line('Words alone').locator('img').count()).toBe(0)
  await expectEveryLook(page)
})

test('a phone', async () => {
  const page = await open(calendarPath('month', { date: JUNE }), { viewport: NARROW })
  await row(page, 'From the oven').getByText('Reel, Video').waitFor()
  await row(page, 'Story').first().waitFor()
  await expectNoSidewaysScroll(page)
})

test('drafts and approvals', async () => {
  const page = await open('/dashboard/drafts')
  for (const path of ['drafts', 'approvals']) {
    await page.goto(`${dashboard.url}/dashboard/${path}`)
    await row(page, 'From the oven')
      .getByText(/Reel, Video · /)
      .waitFor()
    await row(page, 'Five loaves')
      .getByText(/Carousel · /)
      .waitFor()
    await row(page, 'Story').first().waitFor()
    expect(await page.getByText('Post without text').count()).toBe(0)
    await settled(page)
  }
})

test('results', async () => {
  const { seed } = dashboard
  const media = [{ mediaLibraryId: await seed.media('photo.jpg', { name: 'gone.jpg' }) }]
  const sent = { status: 'SCHEDULED', scheduledAt: '2026-01-01T10:00:00Z' }
  const posts = [{ ...INSTAGRAM, type: 'STORY', caption: '', media }]
  const { id } = await seed.postSet({ ...sent, posts })
  await seed.until(`/v1/post-sets/${id}`, ({ status }) => status === 'PUBLISHED')
  const page = await open('/dashboard/results?days=all')
  await page.getByRole('link', { name: 'Story', exact: true }).waitFor()
})

test('guests', async () => {
  const { path } = await shareBrand(dashboard, { lastDay: '2031-01-31' })
  const page = await dashboard.open(path)
  await goTo(page, `date=${JUNE}`)
  await page.getByRole('link', { name: /Story/ }).waitFor()
  await page.getByRole('link', { name: /From the oven.*Reel, Video/ }).waitFor()
  await goTo(page, `view=list&date=${JUNE}`)
  await row(page, 'From the oven').getByText('Reel, Video', { exact: true }).waitFor()
  await row(page, 'Story').first().waitFor()
  expect(await page.getByText('Without a text').count()).toBe(0)
  await expectEveryLook(page)
})
