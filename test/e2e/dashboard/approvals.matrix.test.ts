import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { NARROW, testBrowser } from '../../_util/browser/browser.ts'
import { type Dashboard, settled } from '../../_util/browser/dashboard.ts'
import { calendarPath, expectSpoken } from '../../_util/browser/dashboard-calendar.ts'
import { expectEveryLook, expectNoAxeViolations, expectNoSidewaysScroll } from '../../_util/browser/dashboard-checks.ts'
import { composer } from '../../_util/browser/dashboard-composer.ts'
import { joinDashboard } from '../../_util/browser/dashboard-of-worker.ts'

/** The inbox of approvals in its looks, by its keys, and where others are faster; the rule of a brand and what it refuses. */

const browser = testBrowser()
let dashboard: Dashboard
beforeAll(async () => {
  dashboard = await joinDashboard(browser)
}, 180_000)
afterAll(() => dashboard?.stop())

const APPROVALS = '/dashboard/approvals'
const open = (path = APPROVALS, options: object = {}) => dashboard.open(path, { signedIn: true, ...options })
const inbox = (page: Page) => page.getByRole('region', { name: 'Posts', exact: true })
const link = (page: Page, text: string) => inbox(page).getByRole('link', { name: text, exact: true })
const review = (page: Page, text = '') => page.getByRole('region', { name: new RegExp(`^Review of “${text}`) })
const waiting = (caption: string, more: object = {}) =>
  dashboard.seed.postSet({ caption, approval: 'PENDING', ...more })
const becomes = (id: string, wanted: object) =>
  vi.waitFor(async () => expect(await dashboard.seed.call('GET', `/v1/post-sets/${id}`)).toMatchObject(wanted), {
    timeout: 20_000,
    interval: 100,
  })
/** Another program changes what a post says. */
const rewrite = async (id: string, caption: string) => {
  const { posts } = await dashboard.seed.call('GET', `/v1/post-sets/${id}`)
  const changed = { id: posts[0].id, accountType: 'BLUESKY', caption, media: [] }
  await dashboard.seed.call('PATCH', `/v1/post-sets/${id}`, { posts: [changed] })
}
const setRule = (rule: string, reviewers = 1) =>
  dashboard.member('PUT', `/internal/social-sets/${dashboard.socialSetId}/approval-rule`, { rule, reviewers })
const newBrand = async (name: string): Promise<string> =>
  (await dashboard.member('POST', '/internal/social-sets', { name, timezone: 'Europe/Berlin' })).id

describe('the inbox', () => {
  test('is accessible in light and dark, wide and narrow; what is near is first and says so', async () => {
    const soon = new Date(Date.now() + 5.5 * 3_600_000).toISOString()
    await waiting('Far away')
    await waiting('Very soon', { scheduledAt: soon })
    const mediaLibraryId = await dashboard.seed.media('photo.jpg')
    const media = [{ mediaLibraryId, altText: 'A loaf of bread' }]
    await waiting('', {
      posts: [
        { accountType: 'BLUESKY', caption: `With a photo ${'and many words '.repeat(12)}`, media },
        { accountType: 'THREADS', caption: 'Another text', media: [] },
      ],
    })
    const page = await open()
    await inbox(page).getByRole('listitem').filter({ hasText: 'Very soon' }).getByText('in 5 hours').waitFor()
    expect(await inbox(page).getByRole('link').first().innerText()).toBe('Very soon')
    await review(page, 'Very soon').waitFor()
    await inbox(page)
      .getByRole('link', { name: /^With a photo/ })
      .click()
    await review(page, 'With a photo').getByRole('img', { name: 'A loaf of bread' }).first().waitFor()
    await review(page).getByRole('button', { name: 'Threads' }).click()
    await review(page).getByRole('article', { name: 'Threads' }).getByText('Another text').waitFor()
    await expectEveryLook(page, 'approvals')
  }, 90_000)

  test('leads from the list to the post and back on a phone', async () => {
    const page = await open(APPROVALS, { viewport: NARROW })
    await link(page, 'Far away').click()
    await review(page, 'Far away').waitFor()
    expect(await inbox(page).count()).toBe(0)
    await settled(page)
    await expectNoAxeViolations(page, 'a review on a phone')
    await page.setViewportSize({ width: 320, height: 640 })
    await expectNoSidewaysScroll(page)
    await page.getByRole('button', { name: 'All approvals' }).click()
    await link(page, 'Far away').waitFor()
    await link(page, 'Far away').click()
    await page.goBack()
    await link(page, 'Far away').waitFor()
    const more = page.getByRole('navigation', { name: 'Main' }).getByText('More')
    await more.click()
    await page.getByRole('menuitem', { name: 'Results' }).waitFor()
    await page.keyboard.press('Escape')
    // It is looked at each day: one step from anywhere.
    await page
      .getByRole('navigation', { name: 'Main' })
      .getByRole('link', { name: /^Approvals/ })
      .click()
    await link(page, 'Far away').waitFor()
  })

  test('with nothing in it says what to do', async () => {
    const brand = await newBrand('Nothing to approve')
    const page = await open(`${APPROVALS}?brand=${brand}`, { colorScheme: 'dark' })
    await page.getByText('All done.').waitFor()
    await expectNoAxeViolations(page, 'nothing waits')
    await page.getByRole('button', { name: 'Requested by me' }).click()
    await page.getByText('You have not asked for an approval.').waitFor()
    await page.getByRole('link', { name: 'Go to the drafts' }).waitFor()
    await page.getByRole('button', { name: 'Decided' }).click()
    await page.getByText('Nothing has been decided yet.').waitFor()
    const author = await dashboard.newMember({ role: 'author' })
    const writing = await dashboard.open(APPROVALS, { signedIn: author })
    await writing.getByText('Nothing waits for you: your role writes posts').waitFor()
  })

  test('that could not be loaded is asked for again', async () => {
    browser.allowProblem(/\/internal\/approvals/)
    const page = await open(APPROVALS, { failing: /\/internal\/approvals\?/ })
    await page.getByRole('alert').getByText('The approvals could not be loaded').waitFor({ timeout: 20_000 })
    await expectNoAxeViolations(page, 'approvals that failed to load')
    await page.context().unroute(/\/internal\/approvals\?/)
    // By itself, or by the button.
    await page
      .getByRole('button', { name: 'Retry' })
      .click({ timeout: 2_000 })
      .catch(() => {})
    await link(page, 'Far away').waitFor()
  })

  test('says that a post is not there', async () => {
    browser.allowProblem(/404/)
    const page = await open(`${APPROVALS}?post=01890000-0000-7000-8000-000000000000`)
    await page.getByText('There is no such post.').waitFor()
  })

  test('has keys for next, previous, approve and request changes', async () => {
    const [one, two] = [await waiting('Key one', at('2029-01-01')), await waiting('Key two', at('2029-01-02'))]
    const page = await open(`${APPROVALS}?post=${one.id}`)
    await review(page, 'Key one').getByRole('button', { name: 'Approve and schedule' }).waitFor()
    await page.keyboard.press('j')
    await review(page, 'Key two').getByRole('button', { name: 'Approve and schedule' }).waitFor()
    await page.keyboard.press('k')
    await review(page, 'Key one').getByRole('button', { name: 'Approve and schedule' }).waitFor()
    await page.keyboard.press('?')
    await page.getByRole('dialog').getByText('Edit', { exact: true }).first().waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.keyboard.press('a')
    // Two acts: the post is approved, and it goes out at the time that it has.
    await expectSpoken(page, /Key one scheduled for/)
    await becomes(one.id, { approval: 'APPROVED', status: 'SCHEDULED', scheduledAt: '2029-01-01T10:00:00.000Z' })
    // The next one is there, and R leads to the words that it needs.
    await review(page, 'Key two').getByRole('button', { name: 'Approve and schedule' }).waitFor()
    await page.keyboard.press('r')
    const words = review(page).getByLabel('Words to the author')
    await expect.poll(() => words.evaluate((field) => field.matches(':focus'))).toBe(true)
    expect(await review(page).getByText('Describe what has to change.').count()).toBe(0)
    await review(page).getByRole('button', { name: 'Request changes' }).click()
    await review(page).getByText('Describe what has to change.').waitFor()
    await page.keyboard.type('Another word')
    await review(page).getByRole('button', { name: 'Request changes' }).click()
    await becomes(two.id, { approval: 'DENIED' })
    await page.keyboard.press('Control+z')
    await becomes(two.id, { approval: 'PENDING' })
    await link(page, 'Key two').waitFor()
  })

  test('leaves a draft what it is when it is approved alone, with words to the author', async () => {
    const { id } = await waiting('Approved alone', at('2029-02-03'))
    const page = await open(`${APPROVALS}?post=${id}`)
    await review(page).getByText('Approving alone does not schedule.').waitFor()
    await review(page).getByLabel('Words to the author').fill('Lovely')
    await review(page).getByRole('button', { name: 'Other ways to approve' }).click()
    await page.getByRole('menuitem', { name: /^Approve\b/ }).click()
    await expectSpoken(page, /Approved alone approved/)
    await becomes(id, { approval: 'APPROVED', status: 'DRAFT' })
  })

  test('edits, and approves with a reason what no one else is left to approve', async () => {
    const { id } = await waiting('Nearly right', at('2029-02-01'))
    const page = await open(`${APPROVALS}?post=${id}`)
    await review(page).getByRole('button', { name: 'Other ways to approve' }).click()
    await page.getByRole('menuitem', { name: /^Edit/ }).click()
    const dialog = composer(page, 'Edit post')
    await dialog.getByLabel('Caption', { exact: true }).fill('Exactly right')
    await dialog.getByRole('button', { name: 'Save', exact: true }).click()
    await becomes(id, { approval: 'PENDING', status: 'DRAFT', posts: [{ caption: 'Exactly right' }] })
    await review(page).getByText('No one else can approve this post.').waitFor()
    await settled(page)
    await expectNoAxeViolations(page, 'a post that no one is left to approve')
    const approve = review(page).getByRole('button', { name: 'Approve with a reason' })
    await approve.click()
    await review(page).getByText('Enter a reason.').waitFor()
    await page.keyboard.type('Everyone is away')
    await approve.click()
    await becomes(id, { approval: 'APPROVED', status: 'DRAFT' })
    await page.keyboard.press('Control+z')
    await becomes(id, { approval: 'PENDING' })
    await page.goto(
      `${dashboard.url}/dashboard/scheduling/calendar/month?set=${dashboard.socialSetId}&date=2029-02-01&post=${id}`,
    )
    await page.getByRole('button', { name: 'Approve with a reason…' }).click()
    const asked = page.getByRole('dialog', { name: 'Approve with a reason' })
    await asked.getByLabel(/^Why do you approve/).fill('Still away')
    await settled(page)
    await expectNoAxeViolations(page, 'the question for a reason')
    await asked.getByRole('button', { name: 'Approve with a reason' }).click()
    await becomes(id, { approval: 'APPROVED' })
    await page.getByText('Without another reviewer, because: Still away').waitFor()
  })
})

const at = (day: string) => ({ scheduledAt: `${day}T10:00:00Z` })

describe('a post that others change meanwhile', () => {
  test('is decided only after what changed was shown', async () => {
    browser.allowProblem(/412/)
    const { id } = await waiting('Please do not knock.', at('2029-03-01'))
    const page = await open(`${APPROVALS}?post=${id}`)
    await review(page, 'Please do not').getByRole('button', { name: 'Approve and schedule' }).waitFor()
    await settled(page)
    await rewrite(id, 'Please come and knock.')
    await review(page, 'Please come').getByText('Changed while you were looking').waitFor()
    await expectNoAxeViolations(page, 'a post that changed')
    await review(page).getByRole('button', { name: 'Approve and schedule' }).click()
    const dialog = page.getByRole('dialog', { name: /has changed$/ })
    await dialog.locator('del').filter({ hasText: 'do not' }).waitFor()
    await dialog.locator('ins').filter({ hasText: 'come and' }).waitFor()
    await settled(page)
    await expectNoAxeViolations(page, 'what changed')
    await becomes(id, { approval: 'PENDING' })
    await dialog.getByRole('button', { name: 'Approve it as it is now' }).click()
    await becomes(id, { approval: 'APPROVED', status: 'SCHEDULED' })
  })

  test('that the person has seen is decided at once', async () => {
    const { id } = await waiting('Seen before', at('2029-03-02'))
    const page = await open(`${APPROVALS}?post=${id}`)
    await review(page, 'Seen before').getByRole('button', { name: 'Approve and schedule' }).waitFor()
    await settled(page)
    await rewrite(id, 'Seen after')
    await review(page, 'Seen after').getByRole('button', { name: 'I have seen it' }).click()
    await review(page).getByRole('button', { name: 'Approve and schedule' }).click()
    await becomes(id, { approval: 'APPROVED' })
    expect(await page.getByRole('dialog', { name: /has changed$/ }).count()).toBe(0)
  })
})

test('several are approved after one question, and each that is refused says why', async () => {
  const names = ['Many one', 'Many two', 'Many three']
  const sets = await Promise.all(names.map((name, index) => waiting(name, at(`2029-04-0${index + 1}`))))
  const [one, two, three] = sets.map(({ id }) => id as string)
  const page = await open()
  for (const name of names) await page.getByRole('checkbox', { name: `Select “${name}”` }).check()
  await expectNoAxeViolations(page, 'a selection of approvals')
  await page.getByRole('button', { name: 'Approve selected' }).click()
  const dialog = page.getByRole('dialog', { name: 'Approve 3 posts?' })
  await dialog.getByText('Many two').waitFor()
  await settled(page)
  await expectNoAxeViolations(page, 'the question about several')
  // It is changed while the question is open.
  await rewrite(two ?? '', 'Many two, changed')
  await dialog.getByRole('button', { name: 'Approve 3 posts' }).click()
  const reported = page.getByRole('alert').filter({ hasText: '1 post is not approved' })
  await reported.getByText('Many two').waitFor()
  await becomes(one ?? '', { approval: 'APPROVED' })
  await becomes(three ?? '', { approval: 'APPROVED' })
  await becomes(two ?? '', { approval: 'PENDING' })
  await page.getByText('2 posts approved.').first().waitFor()
  await dialog.waitFor({ state: 'detached' })
  await page.keyboard.press('Control+z')
  await becomes(one ?? '', { approval: 'PENDING' })
  await becomes(three ?? '', { approval: 'PENDING' })
})

test('of what was approved with others, the open post does not say that it has changed', async () => {
  const [{ id }] = await Promise.all([
    waiting('Bulk one', { scheduledAt: '2029-04-11T10:00:00Z' }),
    waiting('Bulk two', { scheduledAt: '2029-04-12T10:00:00Z' }),
  ])
  const page = await open(`${APPROVALS}?post=${id}`)
  await review(page, 'Bulk one').getByRole('button', { name: 'Approve and schedule' }).waitFor()
  for (const name of ['Bulk one', 'Bulk two']) await page.getByRole('checkbox', { name: `Select “${name}”` }).check()
  await page.getByRole('button', { name: 'Approve selected' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Approve 2 posts' }).click()
  await review(page, 'Bulk one').getByText('Approved', { exact: true }).first().waitFor()
  await settled(page)
  expect(await page.getByText('Changed while you were looking').count()).toBe(0)
})

describe('the rule of a brand', () => {
  test('is set in its settings, warns of too few reviewers, and is read by others', async () => {
    const id = await newBrand('Ruled')
    const path = `/dashboard/settings/social-sets/${id}`
    const page = await open(path)
    const section = page.getByRole('region', { name: 'Approval', exact: true })
    expect(await section.getByRole('radio', { name: 'Optional' }).isChecked()).toBe(true)
    await section.getByRole('radio', { name: 'The team, then the client' }).check()
    await section.getByLabel('Reviewers who have to approve').fill('9')
    await section.getByText('would have to approve each post with a reason').waitFor()
    await expectEveryLook(page, 'the rule of approval')
    await section.getByLabel('Reviewers who have to approve').fill('1')
    await section.getByRole('button', { name: 'Save rule' }).click()
    await page
      .getByText(/^Saved\. Each post needs/)
      .first()
      .waitFor()
    expect(await dashboard.member('GET', `/internal/social-sets/${id}/approval-rule`)).toMatchObject({
      rule: 'TEAM_THEN_CLIENT',
      reviewers: 1,
      binding: true,
    })
    const reviewer = await dashboard.newMember({ role: 'reviewer' })
    const reading = await dashboard.open(path, { signedIn: reviewer })
    await reading.getByText('Each post needs the approval of 1 reviewer, then that of the client.').waitFor()
    await reading.getByText('Owners and admins set this.').waitFor()
  }, 90_000)

  test('makes a draft of what an editor changes after its approval, when the editor wants that', async () => {
    browser.allowProblem(/409/)
    await setRule('REQUIRED')
    const editor = await dashboard.newMember({ role: 'editor' })
    const { id } = await dashboard.seed.postSet({
      caption: 'Agreed words',
      approval: 'APPROVED',
      status: 'SCHEDULED',
    })
    const page = await dashboard.open(
      calendarPath('month', { set: dashboard.socialSetId, date: '2030-06-12', post: id }),
      { signedIn: editor },
    )
    await page.getByRole('dialog', { name: 'Post', exact: true }).getByRole('button', { name: 'Edit' }).click()
    const dialog = composer(page, 'Edit post')
    await dialog.getByText('This post is approved. When you change').waitFor()
    await dialog.getByLabel('Caption', { exact: true }).fill('Other words')
    await settled(page)
    await dialog.getByRole('button', { name: 'Save', exact: true }).click()
    const question = page.getByRole('dialog', { name: 'Save as a draft?' })
    await question.waitFor()
    await expectNoAxeViolations(page, 'the question about a draft')
    await question.getByRole('button', { name: 'Save as draft' }).click()
    await becomes(id, { status: 'DRAFT', approval: 'PENDING', posts: [{ caption: 'Other words' }] })
  })

  test('offers an editor to request approval instead of scheduling', async () => {
    await setRule('REQUIRED')
    const editor = await dashboard.newMember({ role: 'editor' })
    const search = { date: '2030-06-12', post: 'new', at: '2030-06-12T10:00:00.000Z' }
    const page = await dashboard.open(calendarPath('month', { set: dashboard.socialSetId, ...search }), {
      signedIn: editor,
    })
    const dialog = composer(page)
    await dialog.getByText('Each post needs the approval of 1 reviewer.').waitFor()
    await dialog.getByRole('checkbox', { name: /^Bluesky/ }).click()
    await dialog.getByLabel('Caption', { exact: true }).fill('Asked about')
    expect(await dialog.getByRole('button', { name: 'Schedule', exact: true }).count()).toBe(0)
    await dialog.getByRole('button', { name: 'Request approval' }).click()
    await page
      .getByText(/The team is asked\./)
      .first()
      .waitFor()
    const { data } = await dashboard.member('GET', '/internal/approvals?tab=waiting')
    expect(data.map(({ excerpt }: { excerpt: string }) => excerpt)).toContain('Asked about')
  })

  test('asks an editor who schedules or moves what is not approved', async () => {
    browser.allowProblem(/409/)
    await setRule('REQUIRED')
    const editor = await dashboard.newMember({ role: 'editor' })
    const draft = await dashboard.seed.postSet({ caption: 'Not asked yet' })
    const page = await dashboard.open('/dashboard/drafts', { signedIn: editor })
    const row = page.getByRole('listitem').filter({ hasText: 'Not asked yet' })
    await row.getByRole('button', { name: 'Schedule…' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Schedule', exact: true }).click()
    const question = page.getByRole('dialog', { name: 'Request approval?' })
    await question.getByRole('button', { name: 'Request approval' }).click()
    await becomes(draft.id, { status: 'DRAFT', approval: 'PENDING' })

    const { id } = await dashboard.seed.postSet({ caption: 'Scheduled by a program', status: 'SCHEDULED' })
    const search = { set: dashboard.socialSetId, date: '2030-06-12', post: id }
    await page.goto(`${dashboard.url}${calendarPath('month', search)}`)
    await page.getByRole('dialog', { name: 'Post', exact: true }).getByRole('button', { name: 'More' }).click()
    await page.getByRole('menuitem', { name: 'Move to…' }).click()
    const move = page.getByRole('dialog', { name: /^Move “/ })
    await move.getByLabel('Day', { exact: true }).fill('2030-06-20')
    await move.getByRole('button', { name: 'Move', exact: true }).click()
    await page
      .getByRole('dialog', { name: 'Move it as a draft?' })
      .getByRole('button', { name: 'Move as a draft' })
      .click()
    await becomes(id, { status: 'DRAFT', scheduledAt: '2030-06-20T10:00:00.000Z' })
  })

  test('lets a member decide for the client, and says so', async () => {
    await setRule('TEAM_THEN_CLIENT')
    const { id } = await dashboard.seed.postSet({ caption: 'The bakery decides', approval: 'EXTERNAL_PENDING' })
    const page = await open(calendarPath('month', { set: dashboard.socialSetId, date: '2030-06-12', post: id }))
    const panel = page.getByRole('dialog', { name: 'Post', exact: true })
    await panel.getByText('You can decide in the client’s place').waitFor()
    await expectNoAxeViolations(page, 'a post that waits for the client')
    await panel.getByRole('button', { name: 'Approve for the client' }).click()
    await becomes(id, { approval: 'APPROVED' })
    await panel.getByText('For the client', { exact: true }).last().waitFor()
    const { data } = await dashboard.member('GET', `/internal/post-sets/${id}/history`)
    expect(data[0]).toMatchObject({ action: 'approved', changes: { forClient: true } })
  })
})
