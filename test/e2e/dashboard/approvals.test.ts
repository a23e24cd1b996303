import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { testBrowser } from '../../_util/browser/browser.ts'
import type { Credentials, Dashboard } from '../../_util/browser/dashboard.ts'
import { joinDashboard } from '../../_util/browser/dashboard-of-worker.ts'
import type { Body } from '../../_util/browser/dashboard-seed.ts'

/** A post on its way from its author to those who review it, and what they say about it. */

const browser = testBrowser()
let dashboard: Dashboard
let author: Credentials
let reviewer: Credentials
beforeAll(async () => {
  dashboard = await joinDashboard(browser)
  author = await dashboard.newMember({ role: 'author', name: 'Ada Author' })
  reviewer = await dashboard.newMember({ role: 'reviewer', name: 'Rita Reviewer' })
}, 120_000)
afterAll(() => dashboard?.stop())

const setRule = (reviewers: number) =>
  dashboard.member('PUT', `/internal/social-sets/${dashboard.socialSetId}/approval-rule`, {
    rule: 'REQUIRED',
    reviewers,
  })
/** Asks a route below /internal/ as who is signed in on a page. */
const as = async (page: Page, method: string, path: string, data?: unknown): Promise<Body> => {
  const headers = { origin: dashboard.url }
  const answer = await page.context().request.fetch(`${dashboard.url}/internal${path}`, { method, headers, data })
  if (!answer.ok()) throw new Error(`${method} ${path} answered ${answer.status()}: ${await answer.text()}`)
  return answer.json()
}
const panelPath = (id: string) =>
  `/dashboard/scheduling/calendar/month?set=${dashboard.socialSetId}&date=2030-06-12&post=${id}`
const panelOf = (page: Page) => page.getByRole('dialog', { name: 'Post', exact: true })
const inbox = (page: Page) => page.getByRole('region', { name: 'Posts', exact: true })
const review = (page: Page) => page.getByRole('region', { name: /^Review of / })
const becomes = (id: string, wanted: object) =>
  vi.waitFor(async () => expect(await dashboard.seed.call('GET', `/v1/post-sets/${id}`)).toMatchObject(wanted), {
    timeout: 20_000,
    interval: 100,
  })

test('an author asks, a reviewer requests changes and approves what was changed, and the author sees both', async () => {
  await setRule(1)
  const writing = await dashboard.open('/dashboard/drafts', { signedIn: author })
  const { id } = await as(writing, 'POST', '/post-sets', {
    socialSetId: dashboard.socialSetId,
    scheduledAt: '2030-06-12T10:00:00Z',
    status: 'DRAFT',
    approval: 'NONE',
    posts: [{ accountType: 'BLUESKY', caption: 'Rye bread, in many words', media: [] }],
  })
  await writing.goto(`${dashboard.url}${panelPath(id)}`)
  const panel = panelOf(writing)
  await panel.getByRole('button', { name: 'Request approval' }).click()
  await panel.getByText('Not approved yet').waitFor()
  await becomes(id, { approval: 'PENDING' })
  // Who asks does not decide.
  expect(await panel.getByRole('button', { name: /^Approve/ }).count()).toBe(0)

  const reading = await dashboard.open('/dashboard/approvals', { signedIn: reviewer })
  await reading
    .getByRole('navigation', { name: 'Main' })
    .getByRole('link', { name: /^Approvals.*wait/ })
    .waitFor()
  await inbox(reading)
    .getByRole('link', { name: /^Rye bread/ })
    .click()
  await review(reading).getByText('Ada Author').first().waitFor()
  await review(reading).getByRole('button', { name: 'Request changes' }).click()
  await review(reading).getByText('Describe what has to change.').waitFor()
  await review(reading).getByLabel('Words to the author').fill('Shorter, please.')
  await review(reading).getByRole('button', { name: 'Request changes' }).click()
  await reading.getByText('Changes requested for Rye bread, in many words.').first().waitFor()
  await becomes(id, { approval: 'DENIED', status: 'DRAFT' })

  await panel.getByText('Rita Reviewer asks for changes').waitFor()
  await panel.getByText('Shorter, please.').first().waitFor()
  const { posts } = await as(writing, 'GET', `/post-sets/${id}`)
  await as(writing, 'PATCH', `/post-sets/${id}`, {
    posts: [{ id: posts[0].id, accountType: 'BLUESKY', caption: 'Rye bread', media: [] }],
  })
  await panel.getByText('Rye bread', { exact: true }).first().waitFor()
  await panel.getByRole('button', { name: 'Request approval' }).click()
  await becomes(id, { approval: 'PENDING' })

  await inbox(reading).getByRole('link', { name: 'Rye bread', exact: true }).click()
  await review(reading).getByText('Changed since you asked for changes').waitFor()
  await review(reading).locator('del').filter({ hasText: 'in many words' }).waitFor()
  // The history names the field, and asks for its texts when they are opened.
  const history = review(reading).getByRole('region', { name: 'History' })
  const entry = history.getByText('Bluesky: Caption')
  await entry.waitFor()
  expect(await history.locator('del').count()).toBe(0)
  await entry.click()
  await history.locator('del').filter({ hasText: 'in many words' }).waitFor()
  await review(reading).getByRole('button', { name: 'Approve', exact: true }).click()
  await reading.getByText('Rye bread approved.').first().waitFor()
  const row = inbox(reading).getByRole('listitem').filter({ hasText: 'Rye bread' })
  await row.getByText('Approved', { exact: true }).waitFor()
  await row.getByText('Not approved yet').waitFor({ state: 'hidden' })
  await becomes(id, { approval: 'APPROVED', status: 'DRAFT' })

  await panel.getByText('Approved', { exact: true }).first().waitFor()
  await panel.getByText('Rita Reviewer: approved').waitFor()
  await panel.getByText('Approval 1 of 1').first().waitFor()
  await reading.getByRole('button', { name: 'Decided', exact: true }).click()
  await inbox(reading)
    .getByRole('listitem')
    .filter({ hasText: 'Rye bread' })
    .getByText(/^Approved by you/)
    .waitFor()
})

test('where two have to approve, the first approval counts and the second one decides', async () => {
  await setRule(2)
  const { id } = await dashboard.seed.postSet({ caption: 'Two pairs of eyes', approval: 'PENDING' })
  const path = `/dashboard/approvals?post=${id}`
  const first = await dashboard.open(path, { signedIn: true })
  await review(first).getByText('Not approved yet').waitFor()
  await review(first).getByRole('button', { name: 'Approve', exact: true }).click()
  await first.getByText('Your approval of Two pairs of eyes counts. It waits for others.').first().waitFor()
  await becomes(id, { approval: 'PENDING' })

  const second = await dashboard.open(path, { signedIn: reviewer })
  await inbox(second)
    .getByRole('listitem')
    .filter({ hasText: 'Two pairs of eyes' })
    .getByText('1 of 2 approvals')
    .waitFor()
  await review(second)
    .getByText(/^1 of 2 approvals/)
    .waitFor()
  await review(second)
    .getByText(/so far/)
    .waitFor()
  await review(second).getByRole('button', { name: 'Approve', exact: true }).click()
  await second.getByText('Two pairs of eyes approved.').first().waitFor()
  await becomes(id, { approval: 'APPROVED' })
})

test('a comment mentions a member by keys, says who reads it, and is edited, resolved and deleted', async () => {
  const { id } = await dashboard.seed.postSet({ caption: 'Talked about' })
  const page = await dashboard.open(panelPath(id), { signedIn: true })
  const reading = await dashboard.open(panelPath(id), { signedIn: reviewer })
  const comments = page.getByRole('region', { name: 'Comments' })
  const comment = (text: string) => comments.getByRole('listitem').filter({ hasText: text })
  const inner = comments.getByLabel('Comment, team only')
  await inner.pressSequentially('Look, @rit')
  await page.getByRole('option', { name: 'Rita Reviewer' }).waitFor()
  await page.keyboard.press('Enter')
  await expect.poll(() => inner.inputValue()).toBe('Look, @Rita Reviewer ')
  await page.keyboard.type('please')
  await page.keyboard.press('Control+Enter')
  await comment('Look, @Rita Reviewer please').getByText('Team only').waitFor()
  // It can be read before its answer is there.
  await expect.poll(() => inner.inputValue()).toBe('')
  // Others have it at once.
  await reading.getByRole('region', { name: 'Comments' }).getByText('@Rita Reviewer').waitFor()

  await comments.getByRole('radiogroup').getByText('Visible to the client').click()
  await comments.getByLabel('Comment, visible to the client').fill('Dear client')
  await comments.getByRole('button', { name: 'Send to the client' }).click()
  await comment('Dear client').getByText('Visible to the client').waitFor()
  // The next one is for the team again.
  await inner.waitFor()
  const { data } = await dashboard.member('GET', `/internal/post-sets/${id}/comments`)
  expect(data.map(({ text, audience, mentions }: Body) => [text, audience, mentions.length])).toEqual([
    ['Look, @Rita Reviewer please', 'INNER', 1],
    ['Dear client', 'SHARED', 0],
  ])

  await comment('Dear client').getByRole('button', { name: 'Edit comment' }).click()
  await comments.getByLabel('Edit the comment').fill('Dear clients')
  await comments.getByRole('button', { name: 'Save', exact: true }).click()
  await comment('Dear clients').getByText('edited').waitFor()
  await comment('Look,').getByRole('button', { name: 'Resolve' }).click()
  await comment('Look,')
    .getByText(/^Resolved by/)
    .waitFor()
  await comment('Look,').getByRole('button', { name: 'Open again' }).waitFor()
  await comment('Dear clients').getByRole('button', { name: 'Delete comment' }).click()
  await page
    .getByRole('dialog', { name: 'Delete this comment?' })
    .getByRole('button', { name: 'Delete', exact: true })
    .click()
  await comment('Dear clients').waitFor({ state: 'detached' })
  // Of others, a reviewer deletes nothing.
  const others = reading.getByRole('region', { name: 'Comments' })
  await others.getByRole('button', { name: 'Open again' }).waitFor()
  expect(await others.getByRole('button', { name: /Delete|Edit/ }).count()).toBe(0)
})
