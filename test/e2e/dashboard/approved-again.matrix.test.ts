import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { testBrowser } from '../../_util/browser/browser.ts'
import { type Dashboard, settled } from '../../_util/browser/dashboard.ts'
import { calendarPath } from '../../_util/browser/dashboard-calendar.ts'
import { expectNoAxeViolations } from '../../_util/browser/dashboard-checks.ts'
import { joinDashboard } from '../../_util/browser/dashboard-of-worker.ts'

/** Asking again about a post that is approved. */

const browser = testBrowser()
let dashboard: Dashboard
beforeAll(async () => {
  dashboard = await joinDashboard(browser)
  const rule = { rule: 'TEAM_THEN_CLIENT', reviewers: 1 }
  await dashboard.member('PUT', `/internal/social-sets/${dashboard.socialSetId}/approval-rule`, rule)
}, 180_000)
afterAll(() => dashboard?.stop())

const becomes = (id: string, wanted: object) =>
  vi.waitFor(async () => expect(await dashboard.seed.call('GET', `/v1/post-sets/${id}`)).toMatchObject(wanted), {
    timeout: 20_000,
    interval: 100,
  })

test('a post that is approved is brought to the client, and to the team again, from its menu', async () => {
  const editor = await dashboard.newMember({ role: 'editor' })
  const { id } = await dashboard.seed.postSet({ caption: 'Approved once', approval: 'APPROVED' })
  const path = calendarPath('month', { set: dashboard.socialSetId, date: '2030-06-12', post: id })
  const page = await dashboard.open(path, { signedIn: editor })
  const panel = page.getByRole('dialog', { name: 'Post', exact: true })
  const choose = async (name: string) => {
    await panel.getByRole('button', { name: 'More', exact: true }).click()
    await page.getByRole('menu').waitFor()
    await settled(page)
    await expectNoAxeViolations(page, 'the menu of an approved post')
    await page.getByRole('menuitem', { name, exact: true }).click()
  }
  await choose('Ask the client')
  await page.getByText('The client is asked about Approved once.').first().waitFor()
  await becomes(id, { status: 'DRAFT', approval: 'EXTERNAL_PENDING' })
  await page.getByRole('button', { name: 'Undo' }).first().click()
  await becomes(id, { approval: 'APPROVED' })
  await panel.getByText('Approved', { exact: true }).first().waitFor()
  await choose('Request approval again')
  await page.getByText('Approval of Approved once requested again.').first().waitFor()
  await becomes(id, { status: 'DRAFT', approval: 'PENDING' })
  await panel.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Copy link' }).waitFor()
  expect(await page.getByRole('menuitem', { name: /Request approval|Ask the client/ }).count()).toBe(0)
})

test('it offers neither to who may only look', async () => {
  const reviewer = await dashboard.newMember({ role: 'reviewer' })
  const { id } = await dashboard.seed.postSet({ caption: 'Only looked at', approval: 'APPROVED' })
  const path = calendarPath('month', { set: dashboard.socialSetId, date: '2030-06-12', post: id })
  const page = await dashboard.open(path, { signedIn: reviewer })
  const panel = page.getByRole('dialog', { name: 'Post', exact: true })
  await panel.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Copy link' }).waitFor()
  expect(await page.getByRole('menuitem', { name: /Request approval|Ask the client/ }).count()).toBe(0)
})

test('an owner reads that there is a rule, and that it may be passed', async () => {
  const search = { date: '2030-06-12', post: 'new', at: '2030-06-12T10:00:00.000Z' }
  const path = calendarPath('month', { set: dashboard.socialSetId, ...search })
  const page = await dashboard.open(path, { signedIn: true })
  const dialog = page.getByRole('dialog', { name: 'New post' })
  const words = 'Each post needs the approval of 1 reviewer, then that of the client. You may schedule without it.'
  await dialog.getByText(words, { exact: true }).waitFor()
  await dialog.getByRole('button', { name: 'More options' }).click()
  await page.getByRole('menuitem', { name: /^Request approval/ }).waitFor()
})

test('an owner who schedules from a list reads that the rule was passed, for one post and for several', async () => {
  const ids: string[] = []
  for (const caption of ['Passed one', 'Passed two', 'Passed three']) {
    ids.push((await dashboard.seed.postSet({ caption, scheduledAt: '2030-06-13T10:00:00.000Z' })).id)
  }
  const [first = '', ...others] = ids
  const page = await dashboard.open('/dashboard/drafts', { signedIn: true })
  const row = (name: string) => page.getByRole('listitem').filter({ hasText: name })
  await row('Passed one').getByRole('button', { name: 'Schedule…' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Schedule', exact: true }).click()
  await page
    .getByText(/^Passed one scheduled for .*, without the approval that this brand requires\.$/)
    .first()
    .waitFor()
  await becomes(first, { status: 'SCHEDULED' })
  for (const name of ['Passed two', 'Passed three']) await row(name).getByRole('checkbox').click()
  await page.getByRole('button', { name: 'Schedule 2 drafts' }).click()
  const words = '2 posts scheduled, not all with the approval that this brand requires.'
  await page.getByText(words, { exact: true }).first().waitFor()
  for (const id of others) await becomes(id, { status: 'SCHEDULED' })
})

test('an editor who changes an approved draft is offered to ask again, as it may not be scheduled any more', async () => {
  const editor = await dashboard.newMember({ role: 'editor' })
  const { id } = await dashboard.seed.postSet({ caption: 'Agreed words', approval: 'APPROVED' })
  const path = calendarPath('month', { set: dashboard.socialSetId, date: '2030-06-12', post: id })
  const page = await dashboard.open(path, { signedIn: editor })
  await page.getByRole('dialog', { name: 'Post', exact: true }).getByRole('button', { name: 'Edit' }).click()
  const dialog = page.getByRole('dialog', { name: 'Edit post' })
  await dialog.getByRole('button', { name: 'Schedule', exact: true }).waitFor()
  await dialog.getByLabel('Caption', { exact: true }).fill('Other words')
  await dialog.getByRole('button', { name: 'Request approval', exact: true }).click()
  await becomes(id, { status: 'DRAFT', approval: 'PENDING', posts: [{ caption: 'Other words' }] })
})

test('who changes what the client was to decide about reads that the team is asked first', async () => {
  const { id } = await dashboard.seed.postSet({ caption: 'For the client', approval: 'EXTERNAL_PENDING' })
  const path = calendarPath('month', { set: dashboard.socialSetId, date: '2030-06-12', post: id })
  const page = await dashboard.open(path, { signedIn: true })
  await page.getByRole('dialog', { name: 'Post', exact: true }).getByRole('button', { name: 'Edit' }).click()
  const dialog = page.getByRole('dialog', { name: 'Edit post' })
  await dialog.getByText('The team has approved this post.').waitFor()
  await dialog.getByLabel('Caption', { exact: true }).fill('For the client, changed')
  await dialog.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Saved. It waits for the team again, then for the client.').first().waitFor()
  await becomes(id, { approval: 'PENDING' })
})
