import type { Page, Route } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { PostSet } from '#contract'
import { NARROW, testBrowser } from '../../_util/browser/browser.ts'
import type { Dashboard } from '../../_util/browser/dashboard.ts'
import { expectEveryLook } from '../../_util/browser/dashboard-checks.ts'
import { joinDashboard } from '../../_util/browser/dashboard-of-worker.ts'
import { giveName, shareBrand } from '../../_util/browser/dashboard-shared.ts'

/** A post that changes after a guest has got it, and before the server has learned that they see it. */

const browser = testBrowser()
let dashboard: Dashboard
let path: string
beforeAll(async () => {
  dashboard = await joinDashboard(browser)
  ;({ path } = await shareBrand(dashboard))
}, 120_000)
afterAll(() => dashboard?.stop())

const BEFORE = { accountType: 'BLUESKY', caption: 'The first text', media: [] }

/** The page of a guest who has a post before them that has changed meanwhile. */
async function openChanging(change: (set: PostSet) => Promise<unknown>): Promise<{ page: Page; id: string }> {
  const set = await dashboard.seed.postSet({ approval: 'EXTERNAL_PENDING', posts: [BEFORE] })
  const page = await dashboard.open(path, { viewport: NARROW, hasTouch: true })
  const held = Promise.withResolvers<Route>()
  await page.route(/\/posts\/[^/]+\/seen$/, (route) => held.resolve(route), { times: 1 })
  await page.goto(`${dashboard.url}${path}?post=${set.id}`)
  await page.getByText('The first text').waitFor()
  const route = await held.promise
  await change(set)
  const said = page.waitForResponse((answer) => answer.url().endsWith('/seen'))
  await route.continue()
  await said
  return { page, id: set.id }
}

const rewrite = ({ id, posts }: PostSet, more: object = {}) =>
  dashboard.seed.call('PATCH', `/v1/post-sets/${id}`, {
    ...{ posts: [{ ...BEFORE, id: posts[0]?.id, caption: 'The second text' }], ...more },
  })

/** As when the window is looked at again. */
const readAgain = (page: Page) => page.evaluate(`window.dispatchEvent(new Event('visibilitychange'))`)
const changes = (page: Page) => page.getByRole('region', { name: 'Changed since you saw it' })

test('stays as it was seen until the guest asks for the newer one, which says what has changed', async () => {
  const { page } = await openChanging((set) => rewrite(set, { scheduledAt: '2030-06-13T10:00:00Z' }))
  await readAgain(page)
  await page.getByText('This post was changed a moment ago.').waitFor()
  await page.getByRole('article', { name: 'Bluesky' }).getByText('The first text').waitFor()
  await page.getByRole('button', { name: 'Show what has changed' }).click()
  await changes(page).locator('del').filter({ hasText: 'The first text' }).waitFor()
  await changes(page).locator('ins').filter({ hasText: 'The second text' }).waitFor()
  await changes(page)
    .getByText(/^Time: from .*12 Jun.* to .*13 Jun/)
    .waitFor()
  await page.getByRole('article', { name: 'Bluesky' }).getByText('The second text').waitFor()
  await expectEveryLook(page, 'what has changed, by comparing')
})

test('is not approved as it was seen: what has changed is shown, and asked about again', async () => {
  browser.allowProblem(/\/decision: 412$/)
  const { page, id } = await openChanging((set) => rewrite(set))
  const read = () => dashboard.seed.call('GET', `/v1/post-sets/${id}`)
  await page.getByRole('button', { name: 'Approve', exact: true }).click()
  await giveName(page)
  await page.getByRole('alert').getByText('This post has changed since you saw it.').waitFor()
  await changes(page).locator('del').filter({ hasText: 'The first text' }).waitFor()
  expect(await read()).toMatchObject({ approval: 'EXTERNAL_PENDING' })
  await page.getByRole('button', { name: 'Approve', exact: true }).click()
  await page.getByText('You approved this.').waitFor()
  expect(await read()).toMatchObject({ approval: 'APPROVED' })
})

test('is not shown as changed when nothing that a guest sees is different', async () => {
  const { page, id } = await openChanging((set) =>
    dashboard.member('PUT', `/internal/post-sets/${set.id}/lock`, { locked: true }),
  )
  const version = async () => (await dashboard.seed.call('GET', `/v1/post-sets/${id}`)).version
  expect(await version()).toBeGreaterThan(1)
  const seen = page.waitForRequest((request) => request.url().endsWith('/seen'))
  await readAgain(page)
  expect((await seen).postDataJSON()).toEqual({ version: await version() })
  expect(await page.getByText('This post was changed a moment ago.').count()).toBe(0)
  expect(await changes(page).count()).toBe(0)
})
