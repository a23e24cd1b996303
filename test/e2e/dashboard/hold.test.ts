import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testBrowser } from '../../_util/browser/browser.ts'
import type { Dashboard } from '../../_util/browser/dashboard.ts'
import { expectNoAxeViolations } from '../../_util/browser/dashboard-checks.ts'
import { card as connectionCard } from '../../_util/browser/dashboard-connections.ts'
import { joinDashboard } from '../../_util/browser/dashboard-of-worker.ts'

/** Publishing is stopped and resumed, as a member does it on a bad day. */

const browser = testBrowser()
let dashboard: Dashboard
beforeAll(async () => {
  dashboard = await joinDashboard(browser)
}, 120_000)
afterAll(() => dashboard?.stop())

const CALENDAR = '/dashboard/scheduling/calendar/list'
const due = (caption: string, more: object = {}) =>
  dashboard.seed.postSet({ caption, status: 'SCHEDULED', scheduledAt: new Date().toISOString(), ...more })
const status = (id: string, wanted: string) =>
  dashboard.seed.until(`/v1/post-sets/${id}`, (set) => set.status === wanted)
const banner = (page: Page) => page.getByRole('region', { name: 'Publishing is stopped' })

async function stop(page: Page, reason: string): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Stop publishing?' })
  await dialog.getByLabel('Reason').fill(reason)
  await dialog.getByRole('button', { name: 'Stop publishing' }).click()
  await dialog.waitFor({ state: 'hidden' })
}

test('from the calendar a brand is stopped, what is late waits, and becomes drafts', async () => {
  const page = await dashboard.open(CALENDAR, { signedIn: true })
  await page.getByRole('button', { name: 'More', exact: true }).first().click()
  await page.getByRole('menuitem', { name: 'Stop publishing…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Stop publishing?' })
  await dialog.getByRole('radio', { name: /^All brands/ }).waitFor()
  await dialog.getByRole('button', { name: 'Stop publishing' }).click()
  await dialog.getByText('Enter a reason.').waitFor()
  await expectNoAxeViolations(page, 'stopping')
  await stop(page, 'Wrong prices')
  await page.getByText('Publishing is stopped for Demo. No post was already with a network.').waitFor()
  await banner(page)
    .getByText(/stopped it on .+: Wrong prices/)
    .waitFor()
  await page.getByRole('button', { name: 'More', exact: true }).first().click()
  await page.getByRole('menuitem', { name: 'New note' }).waitFor()
  expect(await page.getByRole('menuitem', { name: 'Stop publishing…' }).count()).toBe(0)
  await page.keyboard.press('Escape')

  const { id } = await due('Late bread')
  const row = page.getByRole('row').filter({ hasText: 'Late bread' })
  await row.getByText('Stopped').waitFor()
  await row
    .getByRole('button', { name: /Late bread/ })
    .first()
    .click()
  await page.getByText('Publishing is stopped, so this post waits.').waitFor()
  await expectNoAxeViolations(page, 'a post that waits')
  await page.keyboard.press('Escape')

  await banner(page).getByRole('button', { name: 'Resume publishing for Demo' }).click()
  const resume = page.getByRole('dialog', { name: 'Resume publishing for Demo?' })
  await resume.getByText('1 post was due while publishing was stopped.').waitFor()
  await resume.getByRole('button', { name: 'Resume publishing' }).click()
  await resume.getByText('Choose what happens to the late posts.').waitFor()
  await expectNoAxeViolations(page, 'resuming')
  await resume.getByRole('radio', { name: 'Move to drafts' }).check()
  await resume.getByRole('button', { name: 'Resume publishing' }).click()
  await page.getByText('Publishing resumed: 1 late post is now a draft.').waitFor()
  await banner(page).waitFor({ state: 'hidden' })
  await status(id, 'DRAFT')
})

test('from the settings the same brand is stopped, and what is late goes out', async () => {
  const page = await dashboard.open('/dashboard/settings/social-sets', { signedIn: true })
  await page.getByRole('button', { name: 'Stop publishing for Demo' }).click()
  await stop(page, 'A moment')
  await page.getByRole('list', { name: 'Brands' }).getByText('Stopped').waitFor()
  const { id } = await due('Fresh bread')
  await banner(page)
    .getByRole('button', { name: /^Resume/ })
    .click()
  const resume = page.getByRole('dialog', { name: /^Resume/ })
  await resume.getByRole('radio', { name: 'Publish now' }).check()
  await resume.getByRole('button', { name: 'Resume publishing' }).click()
  await page.getByText('Publishing resumed: 1 late post is publishing now.').waitFor()
  await status(id, 'PUBLISHED')
})

test('one account is stopped alone, and its posts say why they wait; who may not publish only reads it', async () => {
  const page = await dashboard.open('/dashboard/connections', { signedIn: true })
  await connectionCard(page, 'Bluesky').getByRole('button', { name: 'More for Bluesky' }).click()
  await page.getByRole('menuitem', { name: 'Stop publishing…' }).click()
  await stop(page, 'Hacked')
  await connectionCard(page, 'Bluesky').getByText('Publishing is stopped').waitFor()
  await expectNoAxeViolations(page, 'a stopped account')
  const posts = ['BLUESKY', 'THREADS'].map((accountType) => ({ accountType, caption: 'Two places', media: [] }))
  const { id } = await due('', { posts })
  await dashboard.seed.until(`/v1/post-sets/${id}`, (set) => set.posts[1].result?.status === 'POSTED')

  const author = await dashboard.newMember({ role: 'author' })
  const theirs = await dashboard.open(`${CALENDAR}?post=${id}`, { signedIn: author })
  const panel = theirs.getByRole('dialog')
  await panel.getByRole('region', { name: 'Bluesky' }).getByText('It waits because publishing is stopped.').waitFor()
  await panel.getByRole('region', { name: 'Published' }).getByRole('link', { name: 'Threads' }).waitFor()
  await theirs.keyboard.press('Escape')
  await banner(theirs).getByText('Owners, admins and editors can resume it.').waitFor()
  expect(await theirs.getByRole('button', { name: /^(Stop|Resume) publishing/ }).count()).toBe(0)

  await banner(page)
    .getByRole('button', { name: /^Resume/ })
    .click()
  const resume = page.getByRole('dialog', { name: /^Resume/ })
  await resume.getByRole('radio', { name: 'Publish now' }).check()
  await resume.getByRole('button', { name: 'Resume publishing' }).click()
  await status(id, 'PUBLISHED')
})

test('who writes while a brand is stopped reads that the post waits, before it is sent and after', async () => {
  const hold = { scope: 'SOCIAL_SET', id: dashboard.socialSetId, reason: 'Wrong prices' }
  await dashboard.member('POST', '/internal/holds', hold)
  const page = await dashboard.open(`${CALENDAR}?post=new`, { signedIn: true })
  const dialog = page.getByRole('dialog', { name: 'New post' })
  await dialog.getByRole('checkbox', { name: /^Bluesky/ }).click()
  await dialog.getByLabel('Caption', { exact: true }).fill('Waits for the end of the stop')
  const words = 'Publishing is stopped for Demo. This goes out once it resumes.'
  await dialog.getByText(words, { exact: true }).waitFor()
  await dialog.getByRole('button', { name: 'More options' }).click()
  await page.getByRole('menuitem', { name: /^Publish now/ }).click()
  const question = page.getByRole('dialog', { name: 'Publish now?' })
  await question.getByText(words).waitFor()
  await question.getByRole('button', { name: 'Publish now' }).click()
  await dialog.waitFor({ state: 'hidden' })
  await page.getByRole('status').filter({ hasText: words }).waitFor()
  expect(await page.getByText(/is being published/).count()).toBe(0)
})
