import { afterAll, beforeAll, expect, test } from 'vitest'
import { testBrowser } from '../../_util/browser/browser.ts'
import type { Dashboard } from '../../_util/browser/dashboard.ts'
import { expectNoAxeViolations, expectNoSidewaysScroll } from '../../_util/browser/dashboard-checks.ts'
import { composer } from '../../_util/browser/dashboard-composer.ts'
import { joinDashboard } from '../../_util/browser/dashboard-of-worker.ts'

const browser = testBrowser()
let dashboard: Dashboard
beforeAll(async () => {
  dashboard = await joinDashboard(browser)
}, 120_000)
afterAll(() => dashboard?.stop())

test('what failed is reported as it is, and tried again without what is out already', async () => {
  const { id } = await dashboard.seed.postSet({
    status: 'SCHEDULED',
    scheduledAt: '2026-01-01T10:00:00Z',
    posts: [
      { accountType: 'BLUESKY', caption: 'Half out', media: [] },
      { accountType: 'THREADS', caption: 'Half out [[fault:account-suspended]]', media: [] },
    ],
  })
  await dashboard.seed.until(`/v1/post-sets/${id}`, ({ status }) => status === 'PUBLISHED')
  const path = `/dashboard/scheduling/calendar/month?set=${dashboard.socialSetId}&post=${id}`
  const page = await dashboard.open(path, { signedIn: true })
  const panel = page.getByRole('dialog', { name: 'Post', exact: true })
  await panel.getByText('Partly published', { exact: true }).waitFor()
  await expectNoAxeViolations(page)
  await panel.getByRole('button', { name: 'Fix and try again' }).click()
  // A copy is there to be changed; behind its composer is its panel, with the post that failed alone.
  const editor = composer(page, 'Edit post')
  await editor.getByLabel('Caption', { exact: true }).waitFor()
  await editor.getByRole('button', { name: 'Close' }).click()
  await panel.getByText('Draft', { exact: true }).waitFor()
  await panel.getByRole('article', { name: 'Threads' }).waitFor()
  expect(await panel.getByRole('article').count()).toBe(1)
  const copy = new URL(page.url()).searchParams.get('post') ?? ''
  expect(copy).not.toBe(id)
  const { status, scheduledAt, posts } = await dashboard.seed.call('GET', `/v1/post-sets/${copy}`)
  expect([status, posts.length, posts[0].accountType]).toEqual(['DRAFT', 1, 'THREADS'])
  expect(Date.parse(scheduledAt)).toBeGreaterThan(Date.now())
  // The draft that is open goes with the undo.
  browser.allowProblem(/404/)
  await page.keyboard.press('Control+z')
  await page.getByText(/^Undone/).waitFor()
  // It leads back to what failed.
  await panel.getByText('Partly published', { exact: true }).waitFor()
  expect(new URL(page.url()).searchParams.get('post')).toBe(id)
})

const failed = async (caption: string): Promise<string> => {
  const { id } = await dashboard.seed.postSet({
    status: 'SCHEDULED',
    scheduledAt: '2026-01-01T10:00:00Z',
    posts: [{ accountType: 'THREADS', caption: `${caption} [[fault:account-suspended]]`, media: [] }],
  })
  await dashboard.seed.until(`/v1/post-sets/${id}`, ({ status }) => status === 'PUBLISHED')
  return id
}

test('several are marked as done at once with one undo, and one from its panel', async () => {
  for (const caption of ['Several, one', 'Several, two']) await failed(caption)
  const id = await failed('From the panel')
  const page = await dashboard.open('/dashboard/results?days=all', { signedIn: true })
  const needs = page.getByRole('region', { name: /^Needs you/ })
  const row = (caption: string) => needs.getByRole('listitem').filter({ hasText: caption }).first()
  for (const caption of ['Several, one', 'Several, two']) await row(caption).getByRole('checkbox').check()
  const bar = page.getByRole('toolbar', { name: 'Selected posts' })
  await expectNoAxeViolations(page, 'a selection')
  await bar.getByRole('button', { name: 'Mark as done' }).click()
  await page.getByText('2 posts marked as done.').first().waitFor()
  for (const caption of ['Several, one', 'Several, two']) await row(caption).waitFor({ state: 'detached' })
  await bar.waitFor({ state: 'detached' })
  await expect.poll(() => page.evaluate('document.activeElement.tagName')).not.toBe('BODY')
  await page.keyboard.press('Control+z')
  for (const caption of ['Several, one', 'Several, two']) await row(caption).waitFor()
  await row('From the panel').getByRole('link').first().click()
  const panel = page.getByRole('dialog', { name: 'Post', exact: true })
  // Nothing of it has gone out, and so nothing says that it is published.
  await panel.getByRole('button', { name: 'Show the post' }).waitFor()
  expect(await panel.getByText('This post has been published').count()).toBe(0)
  await panel.getByRole('button', { name: 'Mark as done' }).click()
  await panel.getByRole('button', { name: 'Bring back' }).waitFor()
  await expectNoAxeViolations(page, 'a panel of what is done')
  expect((await dashboard.member('GET', `/internal/post-sets/${id}/deliveries`)).done).toBe(true)
  await panel.getByRole('button', { name: 'Bring back' }).click()
  await panel.getByRole('button', { name: 'Mark as done' }).waitFor()
})

test('what nothing has to be done about leaves the list for everyone, and can be brought back', async () => {
  const id = await failed('Left as it is')
  await failed('Still to do')
  const page = await dashboard.open('/dashboard/results?days=all', { signedIn: true })
  const needs = page.getByRole('region', { name: /^Needs you/ })
  const left = needs.getByRole('listitem').filter({ hasText: 'Left as it is' }).first()
  const other = needs.getByRole('listitem').filter({ hasText: 'Still to do' }).first()
  const segment = (name: string) => page.getByRole('group', { name: 'Outcome' }).getByRole('button', { name })
  await other.waitFor()
  const before = Number(/\d+/.exec(await segment('Needs you').innerText())?.[0])
  await left.getByRole('button', { name: /^Mark as done: “Left as it is/ }).click()
  await left.waitFor({ state: 'detached' })
  await other.waitFor()
  await expect.poll(async () => Number(/\d+/.exec(await segment('Needs you').innerText())?.[0])).toBe(before - 1)
  await expect.poll(() => page.evaluate('document.activeElement.tagName')).not.toBe('BODY')
  await expectNoAxeViolations(page, 'an entry that is done')
  // By keys it is undone, and done again for what follows.
  await page.keyboard.press('Control+z')
  await left.waitFor()
  await left.getByRole('button', { name: /^Mark as done: “Left as it is/ }).click()
  await left.waitFor({ state: 'detached' })
  await segment('Marked as done').click()
  const done = page.getByRole('region', { name: /^Marked as done/ })
  const put = done.getByRole('listitem').filter({ hasText: 'Left as it is' }).first()
  await put.waitFor()
  await expectNoAxeViolations(page, 'what is done')
  const history = await dashboard.member('GET', `/internal/post-sets/${id}/history`)
  expect(history.data[0]).toMatchObject({ action: 'failure done', actor: { type: 'USER' } })
  await put.getByRole('button', { name: /^Bring back: “Left as it is/ }).click()
  await put.waitFor({ state: 'detached' })
  await segment('All').click()
  await left.waitFor()
})

test('a caption that is too long is not retried as it is, and all that the network answered can be read', async () => {
  const { id } = await dashboard.seed.postSet({
    status: 'SCHEDULED',
    scheduledAt: '2026-01-01T10:00:00Z',
    posts: [{ accountType: 'THREADS', caption: 'Far too long [[fault:caption-too-long]]', media: [] }],
  })
  await dashboard.seed.until(`/v1/post-sets/${id}`, ({ status }) => status === 'PUBLISHED')
  const page = await dashboard.open('/dashboard/results?days=all', { signedIn: true })
  const row = page.getByRole('listitem').filter({ hasText: 'Far too long' }).first()
  await row.getByRole('button', { name: 'Edit a copy' }).waitFor()
  expect(await row.getByRole('button', { name: 'Retry' }).count()).toBe(0)
  // Selected, it can be marked as done with others, and not be retried.
  await row.getByRole('checkbox').check()
  const bar = page.getByRole('toolbar', { name: 'Selected posts' })
  await bar.getByRole('button', { name: 'Mark as done' }).waitFor()
  expect(await bar.getByRole('button', { name: /^Retry/ }).count()).toBe(0)
  await row.getByRole('link').first().click()
  const panel = page.getByRole('dialog', { name: 'Post', exact: true })
  await panel.getByRole('button', { name: 'Fix and try again' }).waitFor()
  expect(await panel.getByRole('button', { name: 'Retry' }).count()).toBe(0)
  const ofNetwork = /Param text must be at most 500 characters long/
  const threads = panel.getByRole('region', { name: 'Threads', exact: true })
  await threads.getByText('Caption too long for Threads.').waitFor()
  expect(await threads.getByText(ofNetwork).isVisible()).toBe(false)
  await threads.getByText('Details', { exact: true }).click()
  await threads.getByText(ofNetwork).waitFor()
  await page.goBack()
  // The words of the network are for those who ask.
  expect(await row.getByText(ofNetwork).isVisible()).toBe(false)
  await page.setViewportSize({ width: 320, height: 700 })
  await row.getByText('Details', { exact: true }).click()
  await row.getByText(ofNetwork).waitFor()
  await expectNoSidewaysScroll(page)
  await expectNoAxeViolations(page, 'an answer of a network')
})

test('a thread that stopped in the middle waits with what failed, is continued from there, and marked as done from its panel', async () => {
  const { id } = await dashboard.seed.postSet({
    status: 'SCHEDULED',
    scheduledAt: '2026-01-01T10:00:00Z',
    posts: [
      {
        ...{ accountType: 'TWITTER', caption: 'Stops in the middle', media: [] },
        thread: [
          { caption: 'the second part [[fault:account-restricted]]', media: [] },
          { caption: 'the third part', media: [] },
        ],
      },
    ],
  })
  await dashboard.seed.until(`/v1/post-sets/${id}`, ({ status }) => status === 'PUBLISHED')
  const page = await dashboard.open('/dashboard/results?days=all', { signedIn: true })
  const needs = page.getByRole('region', { name: /^Needs you/ })
  const row = needs.getByRole('listitem').filter({ hasText: 'Stops in the middle' }).first()
  await row.getByText('The thread on X ended early').waitFor()
  await row.getByText(/nothing that is live goes out again/).waitFor()
  await expectNoAxeViolations(page, 'a thread that ended early')
  await row.getByRole('button', { name: 'Continue the thread' }).click()
  // It is refused again, and so it waits again.
  await page
    .getByText(/not all of it is live/i)
    .first()
    .waitFor()
  await row.getByRole('button', { name: 'Continue the thread' }).waitFor()
  await row.getByRole('link').first().click()
  const panel = page.getByRole('dialog', { name: 'Post', exact: true })
  await panel.getByRole('button', { name: 'Continue the thread on X' }).waitFor()
  await panel.getByRole('button', { name: 'Mark as done' }).click()
  await panel.getByRole('button', { name: 'Bring back' }).waitFor()
  expect((await dashboard.member('GET', `/internal/post-sets/${id}/deliveries`)).done).toBe(true)
  const { data } = await dashboard.member('GET', '/internal/news')
  expect(data).toContainEqual(expect.objectContaining({ kind: 'POST_INCOMPLETE' }))
})

test('a post that is fixed in a copy leads to it, and is not retried beside it', async () => {
  const { id } = await dashboard.seed.postSet({
    status: 'SCHEDULED',
    scheduledAt: '2026-01-01T10:00:00Z',
    posts: [{ accountType: 'BLUESKY', caption: 'Fixed in a copy [[fault:media-rejected]]', media: [] }],
  })
  await dashboard.seed.until(`/v1/post-sets/${id}`, ({ status }) => status === 'PUBLISHED')
  const page = await dashboard.open('/dashboard/results?days=all', { signedIn: true })
  const needs = page.getByRole('region', { name: /^Needs you/ })
  const row = needs.getByRole('listitem').filter({ hasText: 'Fixed in a copy' }).first()
  await row.getByRole('button', { name: 'Edit a copy' }).click()
  const editor = composer(page, 'Edit post')
  await editor.getByLabel('Caption', { exact: true }).waitFor()
  await editor.getByRole('button', { name: 'Close' }).click()
  await editor.waitFor({ state: 'detached' })
  await page.goto(`${new URL(page.url()).origin}/dashboard/results?days=all`)
  await row.getByText(/being fixed in a draft/).waitFor()
  expect(await row.getByRole('button', { name: 'Retry' }).count()).toBe(0)
  await expectNoAxeViolations(page, 'a post that is fixed in a copy')
  await row.getByRole('link', { name: 'Open the draft' }).click()
  const copy = new URL(page.url()).searchParams.get('post')
  await page.getByRole('dialog', { name: 'Post', exact: true }).getByText('Draft', { exact: true }).waitFor()
  await dashboard.seed.call('PATCH', `/v1/post-sets/${copy}`, {
    ...{ status: 'SCHEDULED', scheduledAt: '2026-01-01T10:00:00Z' },
    posts: [{ accountType: 'BLUESKY', caption: 'Fixed in a copy, and mended', media: [] }],
  })
  await dashboard.seed.until(`/v1/post-sets/${copy}`, ({ status }) => status === 'PUBLISHED')
  await page.goto(`${new URL(page.url()).origin}/dashboard/results?days=all`)
  await page
    .getByRole('region', { name: /^Published/ })
    .getByText('Fixed in a copy, and mended')
    .waitFor()
  await row.waitFor({ state: 'detached' })
})
