import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testBrowser } from '../../_util/browser/browser.ts'
import { type Dashboard, settled } from '../../_util/browser/dashboard.ts'
import { joinDashboard } from '../../_util/browser/dashboard-of-worker.ts'

/** Markup in everything that people write is shown as the text that it is, and nothing of it runs. */

/** What looks like the tags that messages have for elements. */
const TAGS = '<constructor>boom</constructor> <b>bold</b> <0>first</0>'
const HOSTILE = [
  '<img src=x onerror="globalThis.hacked=1">',
  '</script><script>globalThis.hacked=1</script>',
  '"><svg onload="globalThis.hacked=1">',
  "'-globalThis.hacked=1-'",
  'javascript:globalThis.hacked=1',
  '{{constructor.constructor("globalThis.hacked=1")()}}',
  TAGS,
] as const
const ALL = HOSTILE.join(' ')

const browser = testBrowser()
let dashboard: Dashboard
let postSetId: string

beforeAll(async () => {
  dashboard = await joinDashboard(browser)
  const { seed } = dashboard
  for (const [index, caption] of HOSTILE.entries()) {
    await seed.postSet({ caption, scheduledAt: `2030-06-0${index + 3}T10:00:00Z` })
    await seed.note({ content: `Note ${caption}`, scheduledAt: `2030-06-0${index + 3}T00:00:00Z` })
  }
  const media = [{ mediaLibraryId: await seed.media('photo.jpg', { name: `${HOSTILE[0]}.jpg` }), altText: ALL }]
  const posts = [{ accountType: 'BLUESKY', caption: ALL, media }]
  postSetId = (await seed.postSet({ posts, scheduledAt: '2030-06-20T10:00:00Z', approval: 'PENDING' })).id
  for (const audience of ['INNER', 'SHARED']) {
    const comment = { text: `${audience} ${ALL}`, audience }
    await dashboard.member('POST', `/internal/post-sets/${postSetId}/comments`, comment)
  }
  await dashboard.member('PATCH', `/internal/social-sets/${dashboard.socialSetId}`, { name: `Set ${HOSTILE[0]}` })
  await dashboard.member('POST', '/internal/labels', { name: HOSTILE[0] })
  await dashboard.newMember({ role: 'author', name: `Member ${HOSTILE[0]}` })
  await dashboard.member('POST', '/internal/api-keys', {
    name: ALL.slice(0, 200),
    scopes: [],
    socialSetIds: null,
    expiresAt: null,
    password: dashboard.owner.password,
  })
}, 120_000)

afterAll(() => dashboard?.stop())

async function expectNothingRan(page: Page): Promise<void> {
  await settled(page)
  expect(await page.evaluate('globalThis.hacked')).toBeUndefined()
  expect(await page.locator('img[src="x"], [onerror], [onload], [href^="javascript:" i]').count()).toBe(0)
}

test.each(['month', 'week', 'list'])('in the %s', async (view) => {
  const page = await dashboard.open(`/dashboard/scheduling/calendar/${view}?date=2030-06-03`, { signedIn: true })
  await page.getByText(HOSTILE[0]).first().waitFor()
  // A list is of post sets alone.
  if (view !== 'list') await page.getByText(`Note ${HOSTILE[0]}`).first().waitFor()
  await expectNothingRan(page)
})

test('in the words about a post that is not saved, and about who wrote', async () => {
  const page = await dashboard.open(`/dashboard/scheduling/calendar/month?date=2030-06-03&post=new`, {
    signedIn: true,
  })
  const kept = page.waitForResponse((answer) => /kept-drafts/.test(answer.url()) && answer.request().method() === 'PUT')
  await page.getByRole('dialog', { name: 'New post' }).getByLabel('Caption', { exact: true }).fill(TAGS)
  expect((await kept).ok()).toBe(true)
  await page.goto(`${dashboard.url}/dashboard/scheduling/calendar/month?date=2030-06-03`)
  await page.getByText(TAGS).first().waitFor()
  await page.getByRole('button', { name: 'Continue writing' }).waitFor()
  await expectNothingRan(page)
})

test('in the panel of a post set', async () => {
  const query = `set=${dashboard.socialSetId}&post=${postSetId}`
  const page = await dashboard.open(`/dashboard/scheduling/calendar/month?${query}`, { signedIn: true })
  const panel = page.getByRole('dialog').or(page.getByRole('complementary')).filter({ hasText: HOSTILE[1] })
  await panel.first().waitFor()
  await expectNothingRan(page)
})

test('in the inbox of approvals, with comments', async () => {
  const page = await dashboard.open(`/dashboard/approvals?post=${postSetId}`, { signedIn: true })
  await page
    .getByRole('region', { name: 'Comments' })
    .getByText(/^SHARED .*onerror/)
    .waitFor()
  await page.getByRole('article', { name: 'Bluesky' }).getByText(HOSTILE[1]).first().waitFor()
  await expectNothingRan(page)
})

test.each(['labels', 'social-sets', 'team', 'api-keys'])('in the settings, %s', async (part) => {
  const page = await dashboard.open(`/dashboard/settings/${part}`, { signedIn: true })
  await page.getByRole('main').getByText(HOSTILE[0]).first().waitFor()
  await expectNothingRan(page)
})

test('in an address', async () => {
  const query = new URLSearchParams({ q: ALL, label: ALL, status: ALL, net: ALL, date: ALL, set: ALL, post: ALL })
  const page = await dashboard.open(`/dashboard/scheduling/calendar/month?${query}`, { signedIn: true })
  browser.allowProblem(/^GET \S+\/internal\/\S+: 4\d\d$/)
  await expectNothingRan(page)
  const signIn = await dashboard.open(
    `/dashboard/sign-in?return=${encodeURIComponent('javascript:globalThis.hacked=1')}`,
  )
  await dashboard.fillSignIn(signIn)
  await expectNothingRan(signIn)
  expect(new URL(signIn.url()).pathname).toBe('/dashboard/scheduling/calendar/month')
})
