import { afterAll, beforeAll, expect, test } from 'vitest'
import { testBrowser } from '../../_util/browser/browser.ts'
import type { Dashboard } from '../../_util/browser/dashboard.ts'
import { expectNoAxeViolations } from '../../_util/browser/dashboard-checks.ts'
import { card, decide, free, readConnection } from '../../_util/browser/dashboard-connections.ts'
import { joinDashboard } from '../../_util/browser/dashboard-of-worker.ts'

/** Connecting, publishing, renewing and disconnecting, as a member does it, with the simulators at the other end. */

const browser = testBrowser()
let dashboard: Dashboard
beforeAll(async () => {
  dashboard = await joinDashboard(browser)
}, 120_000)
afterAll(() => dashboard?.stop())

const PATH = '/dashboard/connections'
const post = (caption: string) => ({
  scheduledAt: new Date().toISOString(),
  status: 'SCHEDULED',
  posts: [{ accountType: 'FACEBOOK', type: 'TEXT', caption, richCaption: [caption], media: [] }],
})
const ended = (id: string) => dashboard.seed.until(`/v1/post-sets/${id}`, ({ status }) => status === 'PUBLISHED')

test('an account is disconnected with the password, and what is scheduled becomes a draft', async () => {
  const set = await dashboard.seed.postSet({ ...post('Later'), scheduledAt: '2030-06-12T10:00:00Z' })
  const page = await dashboard.open(PATH, { signedIn: true })
  await card(page, 'Facebook').getByText('1 scheduled post').waitFor()
  await card(page, 'Facebook').getByRole('button', { name: 'More for Facebook' }).click()
  await page.getByRole('menuitem', { name: 'Disconnect…' }).click()
  const dialog = page.getByRole('dialog', { name: /^Disconnect/ })
  await dialog.getByRole('radio', { name: 'Move to drafts' }).check()
  await expectNoAxeViolations(page)
  await dialog.getByRole('button', { name: 'Disconnect' }).click()
  await dialog.getByText('Enter your password.').waitFor()
  await dialog.getByLabel('Your password').fill(dashboard.owner.password)
  await dialog.getByRole('button', { name: 'Disconnect' }).click()
  await page.getByText('is disconnected. 1 post is a draft now.').first().waitFor()
  await card(page, 'Facebook').getByText('Not connected').waitFor()
  expect(await readConnection(dashboard, 'FACEBOOK')).toBeNull()
  expect(await dashboard.seed.call('GET', `/v1/post-sets/${set.id}`)).toMatchObject({ status: 'DRAFT' })
})

test('one of several accounts is connected, a post goes out on it, and it is renewed when the network wants that', async () => {
  await free(dashboard, 'FACEBOOK')
  const page = await dashboard.open(PATH, { signedIn: true })
  await card(page, 'Facebook').getByRole('button', { name: 'How to connect Facebook' }).click()
  await page.getByRole('dialog', { name: 'Connect Facebook' }).getByRole('link', { name: 'Set up Facebook' }).waitFor()
  await page.getByRole('button', { name: 'Try with a demo account' }).click()
  await decide(page, 'Allow')
  const dialog = page.getByRole('dialog', { name: 'Connect Facebook' })
  await dialog.getByRole('radio', { name: 'Demo Kiosk' }).check()
  await expectNoAxeViolations(page)
  await dialog.getByRole('button', { name: 'Connect', exact: true }).click()
  await dialog.getByText('Demo Kiosk is connected.').waitFor()
  await dialog.getByRole('button', { name: 'Done' }).click()
  await card(page, 'Facebook').getByText('Nothing published yet').waitFor()

  const published = await ended((await dashboard.seed.postSet(post('Fresh bread'))).id)
  expect(published.posts[0].result).toMatchObject({ status: 'POSTED' })
  await page.reload()
  await card(page, 'Facebook').getByText('Last published on').waitFor()

  const first = await readConnection(dashboard, 'FACEBOOK')
  const refused = await ended((await dashboard.seed.postSet(post('Stale [[fault:token-expired]]'))).id)
  expect(refused.posts[0].result).toMatchObject({ status: 'FAILED' })
  await page.goto(`${dashboard.url}/dashboard/settings/labels`)
  const banner = page.getByRole('region', { name: 'Accounts to reconnect' })
  await banner.getByText('1 account must be reconnected: Demo Kiosk on Facebook.').waitFor()
  await banner.getByRole('link', { name: 'Reconnect' }).click()
  await card(page, 'Facebook').getByText('Must be reconnected').waitFor()
  await expectNoAxeViolations(page)
  await card(page, 'Facebook').getByRole('button', { name: 'Reconnect Facebook' }).click()
  await decide(page, 'Allow')
  await page.getByRole('dialog').getByText('Demo Kiosk is connected.').waitFor()
  await page.getByRole('button', { name: 'Done' }).click()
  await banner.waitFor({ state: 'hidden' })
  expect(await readConnection(dashboard, 'FACEBOOK')).toMatchObject({ id: first?.id, state: 'CONNECTED' })
})

test('what a network demands is chosen in the last step, before posts can be scheduled', async () => {
  await free(dashboard, 'TIKTOK')
  const page = await dashboard.open(`${PATH}?connect=TIKTOK`, { signedIn: true })
  await page.getByRole('button', { name: 'Try with a demo account' }).click()
  await decide(page, 'Allow')
  const dialog = page.getByRole('dialog', { name: 'Connect TikTok' })
  await dialog.getByText('Step 3 of 3').waitFor()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByText('Choose this before you schedule posts.').waitFor()
  await expectNoAxeViolations(page)
  await dialog.getByRole('combobox', { name: 'Who can see the posts' }).click()
  await page.getByRole('option').first().click()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page
    .getByText(/The publishing defaults of .+ are saved\./)
    .first()
    .waitFor()
  await dialog.waitFor({ state: 'hidden' })
  expect(await readConnection(dashboard, 'TIKTOK')).toMatchObject({ state: 'CONNECTED', missingDefaults: [] })
})
