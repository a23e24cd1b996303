import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { NARROW, testBrowser } from '../../_util/browser/browser.ts'
import type { Dashboard } from '../../_util/browser/dashboard.ts'
import { calendarPath } from '../../_util/browser/dashboard-calendar.ts'
import { expectEveryLook, expectNoAxeViolations } from '../../_util/browser/dashboard-checks.ts'
import { composer } from '../../_util/browser/dashboard-composer.ts'
import { joinDashboard } from '../../_util/browser/dashboard-of-worker.ts'

/** What failed finds the member, says why in words, and is retried where that cannot publish anything twice. */

const browser = testBrowser()
let dashboard: Dashboard
beforeAll(async () => {
  dashboard = await joinDashboard(browser)
}, 180_000)
afterAll(() => dashboard?.stop())

const RESULTS = '/dashboard/results'
const open = (path = RESULTS, options: object = {}) => dashboard.open(path, { signedIn: true, ...options })
const row = (page: Page, text: string) =>
  page
    .getByRole('main')
    .getByRole('listitem')
    .filter({ hasText: text })
    .filter({ has: page.getByRole('checkbox') })
const group = (page: Page, name: string) => page.getByRole('region', { name })
const unseen = async (): Promise<number> => (await dashboard.member('GET', '/internal/results/unseen')).total

/** A post that is published at once, or fails at once. */
async function publish(caption: string, accountTypes = ['BLUESKY']): Promise<string> {
  const { id } = await dashboard.seed.postSet({
    status: 'SCHEDULED',
    scheduledAt: new Date().toISOString(),
    posts: accountTypes.map((accountType) => ({ accountType, caption, media: [] })),
  })
  return id
}

const over = (id: string) => dashboard.seed.until(`/v1/post-sets/${id}`, ({ status }) => status === 'PUBLISHED')

/** Posts that fail because their account is gone when their time comes. It is connected again: a retry works. */
async function failWithoutAccount(captions: readonly string[]): Promise<string[]> {
  const { socialSetId, owner, member } = dashboard
  const { hold } = await member('POST', '/internal/holds', { scope: 'SOCIAL_SET', id: socialSetId, reason: 'A test' })
  const ids = await Promise.all(captions.map((caption) => publish(caption)))
  const { connections } = await member('GET', `/internal/connections?socialSetId=${socialSetId}`)
  const { id } = connections.find(({ accountType }: { accountType: string }) => accountType === 'BLUESKY')
  await member('DELETE', `/internal/connections/${id}`, { password: owner.password, scheduledSets: 'LEAVE' })
  await member('POST', `/internal/holds/${hold.id}/release`, { late: 'PUBLISH' })
  for (const id of ids) await over(id)
  await member('POST', '/internal/connections/sandbox', { socialSetId, accountTypes: ['BLUESKY'] })
  return ids
}

test('six failed posts are found from the calendar and retried in four clicks, with a sentence for each', async () => {
  // A retry of these is safe too, but what they need is another text, or the network.
  const others = ['Far too wide [[fault:caption-too-long]]', 'Shut out [[fault:account-suspended]]']
  for (const caption of others) await over(await publish(caption))
  const captions = [1, 2, 3, 4, 5, 6].map((number) => `Lost post ${number}`)
  const ids = await failWithoutAccount(captions)
  expect(await unseen()).toBe(8)
  const page = await open(calendarPath('month', {}))
  let clicks = 0
  const click = async (target: ReturnType<Page['getByRole']>) => {
    await target.click()
    clicks += 1
  }
  await page.getByRole('region', { name: 'Failed posts' }).getByText('8 posts failed.').waitFor()
  await vi.waitFor(async () => expect(await page.title()).toMatch(/^\(8\) /))
  await expectNoAxeViolations(page, 'the calendar with a strip')
  await click(page.getByRole('region', { name: 'Failed posts' }).getByRole('link', { name: 'See them' }))
  await page.getByRole('heading', { level: 1, name: 'Results' }).waitFor()
  await click(page.getByRole('checkbox', { name: 'Select all that are safe to retry' }))
  await expectNoAxeViolations(page, 'results with a selection')
  for (const caption of ['Far too wide', 'Shut out']) {
    const box = row(page, caption).getByRole('checkbox')
    expect([await box.isChecked(), await box.isEnabled()]).toEqual([false, true])
  }
  await click(page.getByRole('button', { name: 'Retry 6 posts' }))
  const answers = page.getByRole('region', { name: 'Retry results' })
  await answers.getByText('6 posts are live now.', { exact: true }).waitFor({ timeout: 20_000 })
  for (const caption of captions) await answers.getByText(`“${caption}”: Live on Bluesky.`).waitFor()
  expect(clicks).toBeLessThanOrEqual(4)
  console.log(`Six failed posts: found and retried in ${clicks} clicks.`)
  // They leave the group by themselves, and are live once.
  for (const caption of captions) await group(page, 'Published').getByRole('link', { name: caption }).waitFor()
  for (const id of ids) {
    const { posts } = await dashboard.seed.call('GET', `/v1/post-sets/${id}`)
    expect(posts[0].result.status).toBe('POSTED')
  }
}, 120_000)

test('the count goes when the failures have been seen, on every screen', async () => {
  const caption = 'Unseen so far [[fault:account-suspended]]'
  await over(await publish(caption))
  const page = await open('/dashboard/connections')
  const main = page.getByRole('navigation', { name: 'Main' })
  await main.getByRole('link', { name: /^Results\s+1\s+failed post$/ }).waitFor()
  await vi.waitFor(async () => expect(await page.title()).toMatch(/^\(1\) Demo · Connections/))
  await main.getByRole('link', { name: /^Results/ }).click()
  await row(page, 'Unseen so far').waitFor()
  await main.getByRole('link', { name: 'Results', exact: true }).waitFor()
  await vi.waitFor(async () => expect(await page.title()).toMatch(/^Results/))
  expect(await unseen()).toBe(0)
  await main.getByRole('link', { name: 'Calendar', exact: true }).click()
  await page.getByRole('cell').first().waitFor()
  expect(await page.getByRole('region', { name: 'Failed posts' }).count()).toBe(0)
})

test('says what failed and what to do; a retry that is refused again is reported where it was pressed', async () => {
  await over(await publish('Half out [[fault:account-suspended]]', ['BLUESKY', 'THREADS']))
  await over(await publish('Far too long [[fault:caption-too-long]]'))
  const page = await open()
  await row(page, 'Far too long').getByText('Caption too long for Bluesky').waitFor()
  await row(page, 'Far too long').getByText('Shorten the caption in a copy.').waitFor()
  const half = row(page, 'Half out')
  await half.getByText('Bluesky has suspended this account').waitFor()
  await half.getByText('Threads has suspended this account').waitFor()
  await half.getByRole('button', { name: 'Retry' }).first().click()
  const message = page.getByRole('status').filter({ hasText: 'Bluesky has suspended this account.' })
  await message.filter({ has: page.getByRole('button', { name: 'See what to do' }) }).waitFor({ timeout: 20_000 })
  expect(await message.filter({ hasText: 'Threads' }).count()).toBe(0)
  await page.getByRole('button', { name: 'Close this message' }).click()
  // Of several, the box follows what becomes of them.
  await half.getByRole('checkbox').check()
  await page.getByRole('button', { name: 'Retry 1 post' }).click()
  const answers = page.getByRole('region', { name: 'Retry results' })
  await answers.getByText('1 post failed again.', { exact: true }).waitFor({ timeout: 20_000 })
  await answers.getByText(/Bluesky has suspended this account\. Threads has suspended this account\.$/).waitFor()
  await answers.getByRole('button', { name: 'Close' }).click()
  await row(page, 'Far too long').getByRole('button', { name: 'Edit a copy' }).click()
  await page.waitForURL(/\/scheduling\/calendar\/month\?.*post=/)
  // It is there to be changed.
  const editor = composer(page, 'Edit post')
  await editor.getByLabel('Caption', { exact: true }).waitFor()
  expect(await editor.getByLabel('Caption', { exact: true }).inputValue()).toContain('Far too long')
  await editor.getByRole('button', { name: 'Close' }).click()
  await page.getByRole('dialog', { name: 'Post', exact: true }).getByText('Draft', { exact: true }).waitFor()
  const copy = new URL(page.url()).searchParams.get('post')
  const { status, posts } = await dashboard.seed.call('GET', `/v1/post-sets/${copy}`)
  expect([status, posts.length]).toEqual(['DRAFT', 1])
})

test('what the network has not confirmed is looked for, never sent again', async () => {
  const item = {
    id: '019f0000-0000-7000-8000-000000000001',
    socialSetId: dashboard.socialSetId,
    timezone: 'Europe/Berlin',
    scheduledAt: new Date().toISOString(),
    version: 3,
    state: 'publishing',
    labelsId: [],
    excerpt: 'Live from the oven',
    thumbnailUrl: null,
    mediaCount: 0,
    kinds: [],
    unseen: false,
    posts: [
      {
        postId: '019f0000-0000-7000-8000-000000000002',
        accountType: 'TIKTOK',
        connectionId: null,
        connectionName: null,
        state: 'looking-up',
        hold: null,
        attempts: 1,
        retries: 0,
        nextAt: new Date(Date.now() + 600_000).toISOString(),
        message: null,
        result: null,
        sentAt: null,
        endedAt: null,
        failure: null,
        look: { possible: true, why: null },
      },
    ],
  }
  const page = await open('/dashboard/settings/labels')
  await page.route(/\/internal\/results\?.*group=not-confirmed/, (route) =>
    route.fulfill({
      json: {
        groups: [{ group: 'not-confirmed', total: 1, totalIsExact: true, data: [item], next: null }],
        newestFailureAt: null,
      },
    }),
  )
  const { postId, accountType } = item.posts[0] ?? {}
  const asked: unknown[] = []
  await page.route(/\/internal\/post-sets\/[^/]+\/look$/, (route) => {
    asked.push(route.request().postDataJSON())
    return route.fulfill({ json: { asking: [{ postId, accountType }], left: [] } })
  })
  await page.getByRole('link', { name: /^Results/ }).click()
  const unknown = row(page, 'Live from the oven')
  await unknown.getByText('TikTok has not confirmed yet').waitFor()
  await unknown.getByText(/Checked again at .+ It is never sent twice blindly./).waitFor()
  expect(await unknown.getByRole('button', { name: 'Retry' }).count()).toBe(0)
  await page.mouse.move(700, 5)
  expect(await unknown.getByRole('checkbox').isDisabled()).toBe(true)
  await expectNoAxeViolations(page, 'results with something unknown')
  await unknown.getByRole('button', { name: 'Check now' }).click()
  await page.getByText('TikTok is being asked about “Live from the oven”.').first().waitFor()
  expect(asked).toEqual([{ postIds: [postId] }])
})

/** Publishes a planned post by moving it to a day that has passed. */
async function publishFromCalendar(caption: string): Promise<Page> {
  await dashboard.seed.postSet({ caption, status: 'SCHEDULED', scheduledAt: '2030-06-12T10:00:00Z' })
  const page = await open(calendarPath('list', { date: '2030-06-12' }))
  const line = page.getByRole('row').filter({ hasText: caption.slice(0, 10) })
  await line.getByRole('button', { name: /^(More|Actions)/ }).click()
  await page.getByRole('menuitem', { name: 'Move to…' }).click()
  // Results are of the last 30 days.
  const yesterday = Temporal.Now.plainDateISO().subtract({ days: 1 })
  await page.getByLabel('Day', { exact: true }).fill(yesterday.toString())
  await page.getByRole('button', { name: 'Move', exact: true }).click()
  await page.getByRole('button', { name: 'Publish to Bluesky' }).click()
  return page
}

describe('publishing at once', () => {
  test.each([
    ['Goes out now', /Live on Bluesky\./],
    ['Is refused [[fault:account-suspended]]', /^Bluesky has suspended this account\./],
  ])('%s: the message follows what becomes of it', async (caption, outcome) => {
    const page = await publishFromCalendar(caption)
    const message = page.getByRole('status').filter({ hasText: outcome }).first()
    await message.waitFor({ timeout: 20_000 })
    const next = page.getByRole('link', { name: 'Open on Bluesky (new tab)' })
    const see = page.getByRole('button', { name: 'See what to do' })
    await next.or(see).waitFor()
    await expectNoAxeViolations(page, 'a message that followed')
  })

  test('its message about a failure goes where the results say it, and one of a retry there stays', async () => {
    const page = await publishFromCalendar('In the way [[fault:account-suspended]]')
    const message = page.getByRole('status').filter({ has: page.getByRole('button', { name: 'See what to do' }) })
    await message.waitFor({ timeout: 20_000 })
    await page.getByRole('link', { name: /^See (it|them)$/ }).click()
    await row(page, 'In the way').waitFor()
    await message.waitFor({ state: 'detached' })
    await row(page, 'In the way').getByRole('button', { name: 'Retry' }).first().click()
    await message.waitFor({ timeout: 20_000 })
    expect(await message.count()).toBe(1)
  })
})

describe('the screen', () => {
  test('is accessible in light and dark, wide and narrow', async () => {
    const page = await open()
    await row(page, 'Far too long').waitFor()
    await expectEveryLook(page, 'results')
  }, 90_000)

  test('narrows by network and days, says when nothing is left, and is cleared', async () => {
    const page = await open()
    await row(page, 'Far too long').waitFor()
    await page.getByRole('combobox', { name: 'Network' }).selectOption('Pinterest')
    await page.getByText('No results match the filters.').waitFor()
    expect(page.url()).toContain('net=PINTEREST')
    await expectNoAxeViolations(page, 'results with nothing left')
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await row(page, 'Far too long').waitFor()
    await page.getByRole('button', { name: /^Published/ }).click()
    await row(page, 'Far too long').waitFor({ state: 'detached' })
  })

  test('says what could not be loaded, and tries again', async () => {
    browser.allowProblem(/\/internal\/results/)
    // What is not an outage is asked for again by the person alone.
    const refusing = /\/internal\/results\?/
    const page = await open(calendarPath('month', {}))
    await page.route(refusing, (route) => route.fulfill({ status: 403, json: { message: 'Not now.' } }))
    await page
      .getByRole('link', { name: /^Results/ })
      .first()
      .click()
    await page.getByRole('alert').getByText('The results could not be loaded').waitFor()
    await expectNoAxeViolations(page, 'results that failed to load')
    await page.unroute(refusing)
    await page.getByRole('button', { name: 'Retry' }).click()
    await row(page, 'Far too long').waitFor()
  })

  test('lets authors read what failed, and nothing else', async () => {
    const author = await dashboard.newMember({ role: 'author' })
    const page = await dashboard.open(RESULTS, { signedIn: author })
    await row(page, 'Half out').waitFor()
    await page.getByText('Owners, admins and editors can retry what failed.').waitFor()
    expect(await page.getByRole('button', { name: 'Retry' }).count()).toBe(0)
    expect(await row(page, 'Half out').getByRole('checkbox').isDisabled()).toBe(true)
  })

  test('leads where nothing was due yet to the calendar', async () => {
    const { id } = await dashboard.member('POST', '/internal/social-sets', {
      name: 'New shop',
      timezone: 'Europe/Berlin',
    })
    const page = await open(`${RESULTS}?brand=${id}`)
    await page.getByText('No results match the filters.').waitFor()
    await page.getByRole('combobox', { name: 'Brand' }).selectOption('All brands')
    await row(page, 'Far too long')
      .getByText(/Demo · /)
      .waitFor()
  })
})

test('on a phone what failed is in the first view, and the days, the search and the filters stay in sight', async () => {
  await over(await publish('Lost on the way [[fault:caption-too-long]]'))
  for (const day of ['03', '12', '20', '21', '22', '23', '24', '25', '26', '27'])
    await dashboard.seed.postSet({ caption: `Planned for ${day} May`, scheduledAt: `2031-05-${day}T10:00:00Z` })
  const path = calendarPath('month', { set: dashboard.socialSetId, date: '2031-05-20' })
  const page = await open(path, { viewport: NARROW, hasTouch: true })
  const main = page.getByRole('main')
  const head = [
    main.getByRole('button', { name: 'Search posts' }),
    main.getByRole('button', { name: 'Filters', exact: true }),
    main.getByRole('button', { name: 'Next month' }),
    main.getByRole('button', { name: /^Tuesday,? 20 May 2031/ }),
  ]
  const strip = main.getByRole('region', { name: 'Failed posts' })
  const first = main.getByText('Planned for 20 May')
  const bar = page.getByRole('navigation', { name: 'Main' })
  const toggle = main.getByRole('button', { name: /notices$/i })
  await toggle.tap()
  await strip.getByRole('link').waitFor()
  // Which post it is, and of which day.
  await strip.getByText(/“Lost on the way .*” on \w{3}\D* \d+\D*: Caption too long for Bluesky\./).waitFor()
  const seen = async (shown: readonly Locator[]) => {
    const end = (await bar.boundingBox())?.y ?? 0
    return Promise.all(
      shown.map(async (each) => {
        const { y, height } = (await each.boundingBox()) ?? { y: -1, height: 0 }
        return y >= 0 && y + height <= end
      }),
    )
  }
  await toggle.tap()
  await vi.waitFor(async () => expect(await seen([...head, strip, first])).not.toContain(false))
  // None of it lies over the other.
  const [above, below] = [await first.boundingBox(), await strip.boundingBox()]
  expect((above?.y ?? 0) + (above?.height ?? 0)).toBeLessThanOrEqual(below?.y ?? 0)
  await main.getByText('Planned for 27 May').scrollIntoViewIfNeeded()
  expect(await seen(head)).not.toContain(false)

  // The search opens where it is asked for, and keeps what was typed.
  await head[0]?.tap()
  const field = page.getByRole('searchbox', { name: 'Search posts' })
  await field.fill('27 May')
  await main.getByText('Planned for 26 May').waitFor({ state: 'detached' })
  await expectNoAxeViolations(page, 'the search on a phone')
  await field.press('Escape')
  await field.waitFor({ state: 'hidden' })
  await main.getByText('Planned for 27 May').waitFor()
})

test('a count in the rail leaves the sign of its entry to be seen', async () => {
  await over(await publish('Counted in the rail [[fault:caption-too-long]]'))
  await dashboard.seed.postSet({ caption: 'Waits', approval: 'PENDING', scheduledAt: '2031-06-20T10:00:00Z' })
  const page = await open(calendarPath('month', { set: dashboard.socialSetId }))
  const rail = page.getByRole('navigation', { name: 'Main' })
  for (const name of ['Approvals', 'Results', 'News']) {
    const named = { name: new RegExp(`^${name}`) }
    const entry = rail.getByRole('link', named).or(rail.getByRole('button', named))
    const count = await entry.getByText(/^\d/).boundingBox()
    const sign = await entry.locator('svg').boundingBox()
    if (!count || !sign) throw new Error(`There is no count at ${name}.`)
    // A corner of it at most.
    expect(sign.x + sign.width - count.x, name).toBeLessThanOrEqual(4)
    expect(count.x + count.width).toBeLessThanOrEqual(80)
  }
})
