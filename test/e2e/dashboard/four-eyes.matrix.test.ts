import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { NARROW, testBrowser, WIDE } from '../../_util/browser/browser.ts'
import { type Dashboard, settled } from '../../_util/browser/dashboard.ts'
import { calendarPath } from '../../_util/browser/dashboard-calendar.ts'
import { expectNoAxeViolations } from '../../_util/browser/dashboard-checks.ts'
import { joinDashboard } from '../../_util/browser/dashboard-of-worker.ts'
import type { Body } from '../../_util/browser/dashboard-seed.ts'
import { goTo, shareBrand } from '../../_util/browser/dashboard-shared.ts'

/** Who has changed a post last does not approve it, and what comes of that on screens. */

const browser = testBrowser()
let dashboard: Dashboard
beforeAll(async () => {
  dashboard = await joinDashboard(browser)
}, 120_000)
afterAll(() => dashboard?.stop())

/** Asks a route below /internal/ as who is signed in on a page. */
async function as(page: Page, method: string, path: string, data: object): Promise<Body> {
  const headers = { origin: dashboard.url, 'if-match': '*' }
  const answer = await page.context().request.fetch(`${dashboard.url}/internal${path}`, { method, headers, data })
  if (!answer.ok()) throw new Error(`${method} ${path} answered ${answer.status()}: ${await answer.text()}`)
  return answer.json()
}
const ask = (page: Page, caption: string) =>
  as(page, 'POST', '/post-sets', {
    socialSetId: dashboard.socialSetId,
    scheduledAt: '2029-06-12T10:00:00Z',
    status: 'DRAFT',
    approval: 'PENDING',
    posts: [{ accountType: 'BLUESKY', caption, media: [] }],
  })

test('guests read that the team approved without its usual review', async () => {
  const page = await dashboard.open('/dashboard/approvals', { signedIn: true })
  const rule = { rule: 'TEAM_THEN_CLIENT', reviewers: 1 }
  await as(page, 'PUT', `/social-sets/${dashboard.socialSetId}/approval-rule`, rule)
  const { id } = await ask(page, 'Written and approved by one')
  const author = await dashboard.newMember({ role: 'author' })
  const asAuthor = await dashboard.open(`/dashboard/approvals?post=${id}`, { signedIn: author })
  await asAuthor.getByText('No reviewer is left who can approve this post.').waitFor()
  await as(page, 'POST', `/post-sets/${id}/review`, { decision: 'approve', reason: 'Everyone is away' })
  const { path } = await shareBrand(dashboard)
  const guest = await dashboard.open(path)
  await goTo(guest, `post=${id}`)
  await guest.getByText('The team approved this without its usual review.').waitFor()
  expect(await guest.getByText('Everyone is away').count()).toBe(0)
  // On a phone it is where the buttons are.
  await guest.setViewportSize(NARROW)
  const mark = guest.getByText('The team approved this without its usual review.')
  await expect.poll(async () => (await mark.boundingBox())?.y ?? 0).toBeLessThan(NARROW.height)
  await guest.setViewportSize(WIDE)
  await page.goto(`${dashboard.url}/dashboard/approvals?post=${id}`)
  await page.getByText('You changed this post last, so the client or another member has to approve it.').waitFor()
  await settled(guest)
  await expectNoAxeViolations(guest, 'a post without its usual review')
})

test('who wrote a post reads what another one changed, and approves it then', async () => {
  const editor = await dashboard.newMember({ role: 'editor', name: 'Edna Editor' })
  const page = await dashboard.open('/dashboard/approvals', { signedIn: editor })
  const { id, posts } = await ask(page, 'Rye bread is old')
  await page.goto(`${dashboard.url}/dashboard/approvals?post=${id}`)
  const review = page.getByRole('region', { name: /^Review of / })
  await review.getByText('You changed this post last, so someone else has to approve it.').waitFor()
  expect(await review.getByRole('button', { name: /^Approve/ }).count()).toBe(0)
  const changed = [{ ...posts[0], caption: 'Rye bread is fresh' }]
  await dashboard.member('PATCH', `/internal/post-sets/${id}`, { posts: changed })
  await page.reload()
  const notice = review.getByRole('note').filter({ hasText: /changed what you wrote/ })
  await notice.locator('del').filter({ hasText: 'old' }).waitFor()
  await notice.locator('ins').filter({ hasText: 'fresh' }).waitFor()
  await review
    .getByRole('button', { name: /^Approve/ })
    .first()
    .waitFor()
  await settled(page)
  await expectNoAxeViolations(page, 'what another one has changed')
  // In the panel, which is full, the notice is as high as what it says.
  await page.goto(`${dashboard.url}${calendarPath('month', { date: '2029-06-12', post: id })}`)
  const inPanel = page.getByRole('note').filter({ hasText: /changed what you wrote/ })
  await inPanel.locator('ins').filter({ hasText: 'fresh' }).waitFor()
  const cut = ({ scrollHeight, clientHeight }: { scrollHeight: number; clientHeight: number }) =>
    scrollHeight > clientHeight
  expect(await inPanel.evaluate(cut)).toBe(false)
})
