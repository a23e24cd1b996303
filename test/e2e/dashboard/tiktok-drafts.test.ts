import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { testBrowser } from '../../_util/browser/browser.ts'
import type { Dashboard } from '../../_util/browser/dashboard.ts'
import { calendarPath } from '../../_util/browser/dashboard-calendar.ts'
import { expectNoAxeViolations } from '../../_util/browser/dashboard-checks.ts'
import { joinDashboard } from '../../_util/browser/dashboard-of-worker.ts'
import { chooseAudience } from '../../_util/browser/tiktok-form.ts'

/** Copies, drafts of programs and one post per file: no one has chosen yet who sees them on TikTok. */

const browser = testBrowser()
let dashboard: Dashboard
let mediaLibraryId: string
beforeAll(async () => {
  dashboard = await joinDashboard(browser)
  mediaLibraryId = await dashboard.seed.media('video-h264-aac.mp4')
}, 120_000)
afterAll(() => dashboard?.stop())

const ME = 'Only the account itself'
const schedule = (dialog: Locator) => dialog.getByRole('button', { name: 'Schedule', exact: true })
const isBlocked = async (dialog: Locator) => (await schedule(dialog).getAttribute('aria-disabled')) === 'true'
const toggle = (dialog: Locator, name: string) => dialog.getByRole('switch', { name })

describe('drafts without an audience', () => {
  const draft = async (at: string, accountTypes = ['TIKTOK']) => {
    const posts = accountTypes.map((accountType) => ({ accountType, caption: 'A copy', media: [{ mediaLibraryId }] }))
    const body = { socialSetId: dashboard.socialSetId, scheduledAt: at, status: 'DRAFT', approval: 'NONE', posts }
    return (await dashboard.seed.call('POST', '/v1/post-sets', body)).id as string
  }
  const open = (id: string, date: string) =>
    dashboard.open(calendarPath('month', { set: dashboard.socialSetId, date, post: id }), { signedIn: true })
  const asking = (page: Page) => page.getByRole('dialog', { name: 'Schedule on TikTok' })
  const begin = async (page: Page) => {
    await page.getByRole('button', { name: 'Schedule…' }).first().click()
    await schedule(page.getByRole('dialog', { name: 'Schedule “A copy”' })).click()
  }
  const read = (id: string) => dashboard.seed.call('GET', `/v1/post-sets/${id}`)

  test('who schedules one is asked for it, and what is decided is in the post', async () => {
    const id = await draft('2030-06-18T10:00:00.000Z')
    const page = await open(id, '2030-06-18')
    await begin(page)
    const dialog = asking(page)
    await dialog.getByText(/^Posts as/).waitFor()
    await expect.poll(() => isBlocked(dialog)).toBe(true)
    await expectNoAxeViolations(page, 'what is asked before a draft is scheduled')
    await chooseAudience(page, dialog, ME)
    await toggle(dialog, 'Allow comments').check()
    await expect.poll(() => isBlocked(dialog)).toBe(false)
    await schedule(dialog).click()
    await expect.poll(async () => (await read(id)).status).toBe('SCHEDULED')
    expect((await read(id)).posts[0].options).toMatchObject({
      privacy: 'SELF_ONLY',
      allowComments: true,
      allowDuet: false,
    })
  })

  test('TikTok may be left out, and who turns back changes nothing', async () => {
    const id = await draft('2030-06-19T10:00:00.000Z', ['TIKTOK', 'BLUESKY'])
    const page = await open(id, '2030-06-19')
    await begin(page)
    await asking(page).getByRole('button', { name: 'Cancel' }).click()
    await asking(page).waitFor({ state: 'hidden' })
    expect(await read(id)).toMatchObject({ status: 'DRAFT', posts: [{ options: null }, {}] })
    await begin(page)
    await asking(page).getByRole('button', { name: 'Leave out TikTok' }).click()
    await expect.poll(async () => (await read(id)).status).toBe('SCHEDULED')
    expect((await read(id)).posts.map(({ accountType }: { accountType: string }) => accountType)).toEqual(['BLUESKY'])
  })

  test('several at once are asked about once', async () => {
    const ids = [await draft('2030-07-18T10:00:00.000Z'), await draft('2030-07-19T10:00:00.000Z')]
    const page = await dashboard.open(`/dashboard/drafts?set=${dashboard.socialSetId}`, { signedIn: true })
    const rows = page.getByRole('listitem').filter({ hasText: 'A copy' })
    await rows.first().waitFor()
    for (const row of await rows.all()) await row.getByRole('checkbox').check()
    await page.getByRole('button', { name: /^Schedule \d drafts$/ }).click()
    const dialog = asking(page)
    await dialog.getByText(/What you choose here is for all \d posts\./).waitFor()
    await chooseAudience(page, dialog, 'Everyone')
    await expect.poll(() => isBlocked(dialog)).toBe(false)
    await schedule(dialog).click()
    for (const id of ids) {
      await expect.poll(async () => (await read(id)).status, { timeout: 20_000 }).toBe('SCHEDULED')
      expect((await read(id)).posts[0].options).toMatchObject({ privacy: 'PUBLIC_TO_EVERYONE' })
    }
  })
})
