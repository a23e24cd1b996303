import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { testBrowser } from '../../_util/browser/browser.ts'
import type { Dashboard } from '../../_util/browser/dashboard.ts'
import { calendarPath, cardOn } from '../../_util/browser/dashboard-calendar.ts'
import { expectEveryLook } from '../../_util/browser/dashboard-checks.ts'
import { joinDashboard } from '../../_util/browser/dashboard-of-worker.ts'

/** The panel of a post: what it shows, what it leaves of the calendar beside it, and which keys are its own. */

const browser = testBrowser()
let dashboard: Dashboard
beforeAll(async () => {
  dashboard = await joinDashboard(browser)
}, 120_000)
afterAll(() => dashboard?.stop())

const panelOf = (page: Page) => page.getByRole('dialog', { name: 'Post', exact: true })

async function openPanel(id: string, viewport = { width: 1440, height: 900 }, locale?: string): Promise<Page> {
  const path = calendarPath('month', { date: '2030-05-08', post: id })
  return dashboard.open(path, { signedIn: true, viewport, ...(locale ? { locale } : {}) })
}

const sending = { scheduledAt: '2026-01-01T10:00:00Z', status: 'SCHEDULED' }

describe('what is posted', () => {
  test('is shown as one network at a time will show it, below a title; what is equal is there once', async () => {
    const caption = 'Rye for three weeks\nand a crust of sugar'
    const posts = [
      ...['BLUESKY', 'THREADS', 'TWITTER'].map((accountType) => ({ accountType, caption, media: [] })),
      { accountType: 'TIKTOK', caption: 'Rye on TikTok', media: [] },
    ]
    const { id } = await dashboard.seed.postSet({ posts, scheduledAt: '2030-05-08T08:00:00Z' })
    const page = await openPanel(id)
    const panel = panelOf(page)
    await panel.getByRole('heading', { level: 2, name: 'Rye for three weeks', exact: true }).waitFor()
    await panel.getByRole('article', { name: 'Bluesky' }).waitFor()
    expect(await panel.getByRole('article').count()).toBe(1)
    expect(await panel.getByText('and a crust of sugar').count()).toBe(1)
    await panel.getByText('The same text and files on Bluesky, Threads, and X.').waitFor()
    await panel.getByRole('button', { name: 'TikTok' }).click()
    await panel.getByRole('article', { name: 'TikTok' }).getByText('Rye on TikTok').first().waitFor()
    await panel.getByText('TikTok has its own text or files.').waitFor()
    expect(await panel.getByRole('article').count()).toBe(1)
    await expectEveryLook(page, 'the panel of a post')
  })

  test('has a history in words for people, of values and of failures', async () => {
    const video = { mediaLibraryId: await dashboard.seed.media('video-h264-aac.mp4') }
    const post = { accountType: 'INSTAGRAM', caption: 'SALE', type: 'REEL', collaborators: [], media: [video] }
    const { id } = await dashboard.seed.postSet({ posts: [post], scheduledAt: '2030-05-08T08:00:00Z' })
    const read = await dashboard.seed.call('GET', `/v1/post-sets/${id}`)
    const changed = { ...read.posts[0], type: 'STORY', collaborators: [] }
    await dashboard.seed.call('PATCH', `/v1/post-sets/${id}`, { posts: [changed] })
    const page = await openPanel(id)
    const history = panelOf(page).getByRole('region', { name: 'History' })
    await history.getByText(/^Instagram: /).click()
    await history.getByText('Story').waitFor()
    expect(await history.innerText()).not.toMatch(/STORY|REEL/)
    const { id: failed } = await dashboard.seed.postSet({
      ...{ ...sending, caption: 'Not to be [[fault:account-suspended]]' },
    })
    await dashboard.seed.until(`/v1/post-sets/${failed}`, ({ status }) => status === 'PUBLISHED')
    await page.goto(`${dashboard.url}${calendarPath('month', { post: failed })}`)
    await history.getByText('Bluesky has suspended this account').waitFor()
  })

  test('is one click away once it went out', async () => {
    const { id } = await dashboard.seed.postSet({ ...sending, caption: 'Out at once' })
    await dashboard.seed.until(`/v1/post-sets/${id}`, ({ status }) => status === 'PUBLISHED')
    const panel = panelOf(await openPanel(id))
    await panel.getByRole('button', { name: 'Show what went out' }).click()
    await panel.getByRole('article', { name: 'Bluesky' }).getByText('Out at once').waitFor()
  })
})

describe.each([1440, 1280])('beside the panel, on a screen %d px wide', (width) => {
  test.each(['en-GB', 'de-DE'])('the toolbar is one row, and each card says its time (%s)', async (locale) => {
    const hours = ['06', '07', '08', '09', '10']
    const made = await Promise.all(
      hours.map((hour, n) =>
        dashboard.seed.postSet({
          caption: `${width} ${locale} ${n}: a crust of sugar, butter and rum`,
          scheduledAt: `2030-05-15T${hour}:00:00Z`,
          ...(n % 2 ? { status: 'SCHEDULED' } : {}),
        }),
      ),
    )
    const page = await openPanel(made[0].id, { width, height: 900 }, locale)
    await page.locator('[data-post-panel]').waitFor()
    const first = cardOn(page, '2030-05-15', `${width} ${locale} 0`).first()
    await first.waitFor()
    const times = (await page.evaluate(TIMES)) as string[]
    expect(times.length).toBeGreaterThan(2)
    expect(times.filter((time) => !/^\d\d:\d\d$/.test(time))).toEqual([])
    expect(await page.evaluate(ROWS)).toBe(1)
    await page.close()
  })
})

/** The time on each card, as far as it is drawn and within its card. */
const TIMES: string = `[...document.querySelectorAll('[data-card]')].map((card) => {
  const time = card.querySelector('[class*="time"]')
  const { left, right, width } = time.getBoundingClientRect()
  const box = card.getBoundingClientRect()
  return width > 0 && left >= box.left && right <= box.right ? time.textContent : card.textContent + ': no time'
})`

/** In how many rows the buttons of the toolbar are. */
const ROWS = `new Set([...document.querySelectorAll('[class*="toolbar"] :is(button, nav)')].map((each) => {
  const { top, bottom } = each.getBoundingClientRect()
  return Math.round((top + bottom) / 20)
})).size`

describe('Escape in the menu of a panel', () => {
  test.each([
    ['published', 'mouse', 'Out it went'],
    ['published', 'key', 'Out it went'],
    ['failed', 'mouse', 'Not at all [[fault:account-suspended]]'],
    ['failed', 'key', 'Not at all [[fault:account-suspended]]'],
  ])('closes the menu of a %s post alone, opened by %s', async (_, by, caption) => {
    const { id } = await dashboard.seed.postSet({ ...sending, caption })
    await dashboard.seed.until(`/v1/post-sets/${id}`, ({ status }) => status === 'PUBLISHED')
    const page = await openPanel(id)
    const more = panelOf(page).getByRole('button', { name: 'More', exact: true })
    if (by === 'mouse') await more.click()
    else await more.press('Enter')
    const menu = page.getByRole('menu')
    await menu.getByRole('menuitem', { name: 'Duplicate…' }).waitFor()
    // The first entry that can be used has the focus.
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Duplicate…')
    await page.keyboard.press('Escape')
    await menu.waitFor({ state: 'hidden' })
    expect(await panelOf(page).isVisible()).toBe(true)
    await page.keyboard.press('Escape')
    await panelOf(page).waitFor({ state: 'hidden' })
    await page.close()
  })
})
