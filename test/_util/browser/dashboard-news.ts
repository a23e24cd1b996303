import type { BrowserContext, Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import type { NewsItem } from '#contract'
import type { Dashboard } from './dashboard.ts'
import { eventually } from './dashboard-seed.ts'

/** The button that opens the news, with what it counts: `News`, `News 2 unread`. */
export const bell = (page: Page, unread = 0): Locator =>
  page.getByRole('button', { name: unread === 0 ? /^News$/ : new RegExp(`^News\\s*${unread}\\s*unread$`) })

/** Opens the news and waits until they are there. */
export async function openNews(page: Page): Promise<Locator> {
  await page.getByRole('button', { name: /^News/ }).click()
  const drawer = page.getByRole('dialog', { name: 'News' })
  await drawer.waitFor()
  return drawer
}

/** Comments on a post as the member who is signed in to a context, and waits until the owner has heard of it. */
export async function commentBy(
  dashboard: Dashboard,
  context: BrowserContext,
  postSetId: string,
  text: string,
): Promise<void> {
  const answer = await context.request.post(`${dashboard.url}/internal/post-sets/${postSetId}/comments`, {
    data: { text, audience: 'INNER' },
    headers: { origin: dashboard.url },
  })
  expect(answer.status(), await answer.text()).toBe(201)
  await eventually('The bell', async () => {
    const { data } = await dashboard.member('GET', '/internal/news')
    return data.some(({ postSet, words }: NewsItem) => postSet?.id === postSetId && words === text) ? true : null
  })
}

/** A line of the bell as the server answers it. */
export function newsItem(more: Partial<NewsItem> & Pick<NewsItem, 'id' | 'kind' | 'cause'>): NewsItem {
  return {
    at: '2030-06-12T10:00:00.000Z',
    read: false,
    count: 1,
    actor: null,
    socialSet: null,
    postSet: null,
    note: null,
    takenBack: false,
    accountType: null,
    connection: null,
    calendar: null,
    webhook: null,
    key: null,
    plan: null,
    hours: null,
    endsAt: null,
    words: null,
    message: null,
    reason: null,
    link: '/dashboard/results',
    ...more,
  }
}
