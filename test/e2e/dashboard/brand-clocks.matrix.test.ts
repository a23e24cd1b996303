import { afterAll, beforeAll, test } from 'vitest'
import { testBrowser } from '../../_util/browser/browser.ts'
import type { Dashboard } from '../../_util/browser/dashboard.ts'
import { joinDashboard } from '../../_util/browser/dashboard-of-worker.ts'

/** Lists over brands say by which clock a time is, where it is not that of the viewer. */

const browser = testBrowser()
let dashboard: Dashboard
let tokyo = ''
beforeAll(async () => {
  dashboard = await joinDashboard(browser)
  const { id } = await dashboard.member('POST', '/internal/social-sets', { name: 'Kissaten', timezone: 'Asia/Tokyo' })
  tokyo = id
  await dashboard.member('POST', '/internal/connections/sandbox', { socialSetId: tokyo, accountTypes: ['BLUESKY'] })
}, 120_000)
afterAll(() => dashboard?.stop())

const open = (path: string, timezoneId = 'Europe/Berlin') => dashboard.open(path, { signedIn: true, timezoneId })

test('what waits for approval, what was published, and since when publishing is stopped', async () => {
  const { seed, member } = dashboard
  const at = { scheduledAt: '2030-06-13T10:00:00Z', approval: 'PENDING' }
  await seed.postSet({ ...at, socialSetId: tokyo, caption: 'Waits in Tokyo' })
  await seed.postSet({ ...at, caption: 'Waits at home' })
  const published = { scheduledAt: new Date().toISOString(), status: 'SCHEDULED', caption: 'Out in Tokyo' }
  const { id } = await seed.postSet({ ...published, socialSetId: tokyo })
  await seed.until(`/v1/post-sets/${id}`, ({ status }) => status === 'PUBLISHED')

  const approvals = await open('/dashboard/approvals')
  const row = (text: string) => approvals.getByRole('listitem').filter({ hasText: text })
  await row('Waits in Tokyo').getByText('Thu 13 Jun, 19:00 in Tokyo', { exact: true }).waitFor()
  await row('Waits at home').getByText('Thu 13 Jun, 12:00', { exact: true }).waitFor()
  const results = await open('/dashboard/results')
  await results
    .getByRole('listitem')
    .filter({ hasText: 'Out in Tokyo' })
    .getByText(/, \d\d:\d\d in Tokyo/)
    .waitFor()
  await member('POST', '/internal/holds', { scope: 'SOCIAL_SET', id: tokyo, reason: 'Wrong prices' })
  await results.reload()
  await results.getByText(/stopped it on .+ in Tokyo: Wrong prices/).waitFor()
  // Whose clock it is anyway reads no more.
  const there = await open('/dashboard/approvals', 'Asia/Tokyo')
  const theirs = there.getByRole('listitem').filter({ hasText: 'Waits in Tokyo' })
  await theirs.getByText('Thu 13 Jun, 19:00', { exact: true }).waitFor()
})
