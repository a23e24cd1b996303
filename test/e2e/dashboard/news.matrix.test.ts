import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { NewsItem } from '#contract'
import { NARROW, testBrowser } from '../../_util/browser/browser.ts'
import { type Dashboard, settled } from '../../_util/browser/dashboard.ts'
import {
  expectNoAxeInBothColors,
  expectNoAxeViolations,
  expectNoSidewaysScroll,
  LOOKS,
} from '../../_util/browser/dashboard-checks.ts'
import { bell, newsItem, openNews } from '../../_util/browser/dashboard-news.ts'
import { joinDashboard } from '../../_util/browser/dashboard-of-worker.ts'

/** The bell and the choices of news in every form that they have. */

const browser = testBrowser()
let dashboard: Dashboard
beforeAll(async () => {
  dashboard = await joinDashboard(browser)
}, 120_000)
afterAll(() => dashboard?.stop())

const socialSet = { id: 'a', name: 'Bakery' }
const postSet = { id: 'p', scheduledAt: '2030-06-12T10:00:00.000Z', excerpt: 'Donaudampfschifffahrt '.repeat(5) }
const actor = { name: 'Grace Hopper', type: 'USER' } as const

/** Each kind with the words that it has. */
const GIVEN: [Partial<NewsItem> & Pick<NewsItem, 'kind' | 'cause'>, string][] = [
  [{ kind: 'POST_FAILED', cause: 'POST_FAILED', accountType: 'BLUESKY', count: 3 }, '3 posts were not published'],
  [{ kind: 'POST_UNKNOWN', cause: 'POST_FAILED', message: 'It never answered.' }, 'A post may not be published'],
  [
    { kind: 'POST_INCOMPLETE', cause: 'POST_FAILED', message: 'Part 2 is missing.' },
    'A post is live, but not all of it',
  ],
  [
    { kind: 'CONNECTION_DEAD', cause: 'CONNECTION', accountType: 'FACEBOOK', connection: { id: 'c', name: 'Kiosk' } },
    'Reconnect Kiosk (Facebook)',
  ],
  [
    {
      kind: 'CONNECTION_ENDING',
      cause: 'CONNECTION',
      connection: { id: 'c', name: 'Kiosk' },
      endsAt: '2030-06-22T10:00:00.000Z',
    },
    'Reconnect Kiosk before 22 June 2030',
  ],
  [{ kind: 'REVIEW_REQUESTED', cause: 'REVIEW_REQUESTED', actor }, 'Grace Hopper asks for your approval'],
  [{ kind: 'APPROVED', cause: 'DECIDED', actor, count: 2 }, 'Grace Hopper approved 2 posts'],
  [
    { kind: 'CHANGES_REQUESTED', cause: 'DECIDED', actor, words: 'Another photo, please.' },
    'Grace Hopper requests changes to a post',
  ],
  [{ kind: 'COMMENTED', cause: 'COMMENTED', actor, count: 4 }, '4 comments, the last one of Grace Hopper'],
  [{ kind: 'COMMENTED', cause: 'COMMENTED', actor, note: 'n', postSet: null }, 'Grace Hopper added a note'],
  [{ kind: 'COMMENTED', cause: 'MENTIONED', actor }, 'Grace Hopper mentioned you in a comment'],
  [
    { kind: 'REVIEW_REMINDER', cause: 'REVIEW_REMINDER', hours: 3 },
    'A post still waits for your approval, 3 hours before its time',
  ],
  [{ kind: 'STILL_WAITING', cause: 'STILL_WAITING' }, 'A scheduled post is not approved yet'],
  [
    { kind: 'IN_INBOX', cause: 'IN_INBOX', accountType: 'TIKTOK' },
    'A post waits in the TikTok inbox for a person to finish it',
  ],
  [{ kind: 'INBOX_ENDED', cause: 'IN_INBOX', accountType: 'TIKTOK', count: 2 }, '2 posts were not finished in TikTok'],
  [
    { kind: 'CALENDAR_FAILING', cause: 'CALENDAR_FAILING', calendar: { id: 'c', name: 'Holidays' } },
    'The calendar “Holidays” cannot be read',
  ],
  [
    {
      kind: 'KEY_ENDING',
      cause: 'WEBHOOKS',
      key: { id: 'k', name: 'n8n' },
      endsAt: '2030-06-14T10:00:00.000Z',
      socialSet: null,
    },
    'The API key “n8n” ends on 14 June 2030, and its webhooks with it',
  ],
  [
    { kind: 'WEBHOOK_FAILING', cause: 'WEBHOOKS', webhook: { id: 'w', host: 'hooks.example.com' }, socialSet: null },
    'The webhook to hooks.example.com was closed',
  ],
  [{ kind: 'WEBHOOK_LOOP', cause: 'WEBHOOKS' }, 'Programs keep changing a post'],
  [
    { kind: 'PLAN_USED', cause: 'PLAN', plan: { resource: 'STORAGE', percent: 80 }, socialSet: null },
    '80% of the storage is used',
  ],
]
const KINDS = GIVEN.map(([item, words]) => [newsItem({ id: words, socialSet, postSet, ...item }), words] as const)

/** Answers the bell with these pages. */
async function withNews(page: Page, pages: readonly (readonly NewsItem[])[]): Promise<void> {
  await page.route(/\/internal\/news(\?|$)/, (route) => {
    const number = Number(new URL(route.request().url()).searchParams.get('cursor') ?? 0)
    const next = number + 1 < pages.length ? String(number + 1) : null
    return route.fulfill({ json: { unread: 0, data: pages[number] ?? [], next } })
  })
}

describe.each(LOOKS)('$name', ({ name, colorScheme, viewport }) => {
  test('all kinds of news have words and nothing that axe finds, and fit into 320 pixels', async () => {
    const page = await dashboard.open('/dashboard/drafts', { signedIn: true, colorScheme, viewport })
    await withNews(page, [KINDS.map(([item]) => item)])
    const drawer = await openNews(page)
    for (const [, words] of KINDS) await drawer.getByText(words).first().waitFor()
    await settled(page)
    await expectNoAxeInBothColors(page, `the news, ${name}`)
    await page.setViewportSize({ width: 320, height: 640 })
    await expectNoSidewaysScroll(page, `the news, ${name}`)
  })
})

test('without news the bell says what will be there', async () => {
  const page = await dashboard.open('/dashboard/drafts', { signedIn: true })
  await withNews(page, [[]])
  const drawer = await openNews(page)
  await drawer.getByText('Nothing yet.').waitFor()
  expect(await drawer.getByRole('button', { name: 'Mark all as read' }).count()).toBe(0)
  await expectNoAxeViolations(page, 'no news')
})

test('news that cannot be loaded say so, and are there once they can', async () => {
  browser.allowProblem(/: 503$/)
  const failing = /\/internal\/news/
  const page = await dashboard.open('/dashboard/drafts', { signedIn: true, failing })
  const drawer = await openNews(page)
  await drawer.getByRole('alert').getByText('The database does not answer').waitFor({ timeout: 20_000 })
  await expectNoAxeViolations(page, 'news that failed')
  await page.context().unroute(failing)
  // They come by themselves as well.
  await drawer
    .getByRole('button', { name: 'Retry' })
    .click({ timeout: 1_000 })
    .catch(() => {})
  await drawer.getByText('Nothing yet.').waitFor({ timeout: 15_000 })
})

test('older news come by “Show more”, and the focus goes to the first of them', async () => {
  const page = await dashboard.open('/dashboard/drafts', { signedIn: true })
  const older = (number: number) =>
    newsItem({ id: `n${number}`, kind: 'COMMENTED', cause: 'COMMENTED', read: true, words: `Comment ${number}` })
  await withNews(page, [Array.from({ length: 25 }, (_, number) => older(number)), [older(25), older(26)]])
  const drawer = await openNews(page)
  await drawer.getByRole('button', { name: 'Show more' }).press('Enter')
  await drawer.getByText('Comment 26', { exact: true }).waitFor()
  expect(await drawer.getByRole('listitem').count()).toBe(27)
  const first = drawer.getByRole('link', { name: /Comment 25/ })
  await expect.poll(() => first.evaluate((link) => link.matches(':focus'))).toBe(true)
  expect(await drawer.getByRole('button', { name: 'Show more' }).count()).toBe(0)
})

test('on a phone the bell is at the top of every screen', async () => {
  const page = await dashboard.open('/dashboard/settings/labels', { signedIn: true, viewport: NARROW })
  await bell(page).waitFor()
  await openNews(page)
  await page.keyboard.press('Escape')
  await expect.poll(() => bell(page).evaluate((button) => button.matches(':focus'))).toBe(true)
})

test('on a phone the bell shows the whole number', async () => {
  const page = await dashboard.open('/dashboard/drafts', { signedIn: true, viewport: NARROW })
  for (const [unread, shown] of [
    [11, '11'],
    [120, '99+'],
  ] as const) {
    await page.route(/\/internal\/news\/unread$/, (route) => route.fulfill({ json: { unread } }))
    await page.reload()
    const label = page.getByRole('button', { name: /^News/ }).locator('.mantine-Badge-label')
    await label.getByText(shown).waitFor()
    expect(await label.evaluate((box: Box) => box.scrollWidth - box.clientWidth), shown).toBe(0)
  }
  await expectNoSidewaysScroll(page, 'the number of the bell')
})

interface Box {
  scrollWidth: number
  clientWidth: number
}

test('a choice is shown from the click on, and goes back with a message when the server refuses it', async () => {
  browser.allowProblem(/^PUT \S+\/internal\/news\/choices: 503$/)
  const page = await dashboard.open('/dashboard/settings/notifications', { signedIn: true })
  const answer = Promise.withResolvers<void>()
  await page.route(/\/internal\/news\/choices$/, async (route) => {
    if (route.request().method() !== 'PUT') return route.fallback()
    await answer.promise
    return route.fulfill({ status: 503, contentType: 'application/problem+json', body: '{"code":"internal:error"}' })
  })
  const radio = (choice: string) =>
    page.getByRole('radio', { name: `Comments that mention you: ${choice}`, exact: true })
  await radio('Default').waitFor()
  expect(await radio('Nothing').evaluate(CLICKED)).toBe(true)
  expect(await radio('Bell').evaluate(CLICKED)).toBe(true)
  answer.resolve()
  await page.getByRole('alert').getByText('That did not work').first().waitFor()
  await expect.poll(() => radio('Default').isChecked()).toBe(true)
})

/** Clicks, and says whether it is checked right after. */
const CLICKED = ((radio: { click(): void; checked: boolean }) => {
  radio.click()
  return radio.checked
}) as never

test('choices on a phone are a select for each cause, and a refused one goes back', async () => {
  browser.allowProblem(/^PUT \S+\/internal\/news\/choices: 503$/)
  const page = await dashboard.open('/dashboard/settings/notifications', { signedIn: true, viewport: NARROW })
  const select = page.getByLabel('Failed posts', { exact: true })
  await select.selectOption('Bell')
  await page.getByText('Saved: Failed posts').waitFor()
  await page.route(/\/internal\/news\/choices$/, (route) =>
    route.request().method() === 'PUT'
      ? route.fulfill({ status: 503, contentType: 'application/problem+json', body: '{"code":"internal:error"}' })
      : route.fallback(),
  )
  await select.selectOption('Nothing')
  await page.getByRole('alert').getByText('That did not work').waitFor()
  await expect.poll(() => select.inputValue()).toBe('BELL')
  await expectNoAxeViolations(page, 'choices on a phone')
})
