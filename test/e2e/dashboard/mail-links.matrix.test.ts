import { afterAll, beforeAll, expect, test } from 'vitest'
import { testBrowser } from '../../_util/browser/browser.ts'
import type { Credentials, Dashboard } from '../../_util/browser/dashboard.ts'
import { joinDashboard } from '../../_util/browser/dashboard-of-worker.ts'

/** Links of mails name their account: a person may have another one open. */

const browser = testBrowser()
let [first, second]: [Dashboard, Dashboard] = [] as never
let both: Credentials
const accounts: string[] = []
beforeAll(async () => {
  first = await joinDashboard(browser)
  second = await joinDashboard(browser)
  both = await first.newMember({ role: 'editor', name: 'Nora of two' })
  await second.newMember({ role: 'editor', name: 'Nora of two', email: both.email })
  for (const each of [first, second]) {
    accounts.push((await each.member('GET', '/internal/session')).account.id)
  }
}, 180_000)
afterAll(async () => {
  await first?.stop()
  await second?.stop()
})

const linkOf = (dashboard: Dashboard, id: string, account: string) =>
  `/dashboard/scheduling/calendar/month?set=${dashboard.socialSetId}&post=${id}&account=${account}`

test('a link of each account opens it, whichever was open before; the address says no more of it', async () => {
  const [one, two] = [
    await first.seed.postSet({ caption: 'Of the first' }),
    await second.seed.postSet({ caption: 'Of the second' }),
  ]
  const page = await first.open(linkOf(first, one.id, accounts[0] ?? ''), { signedIn: both })
  const panel = page.getByRole('dialog', { name: 'Post', exact: true })
  await panel.getByText('Of the first').first().waitFor()
  await page.goto(`${second.url}${linkOf(second, two.id, accounts[1] ?? '')}`)
  await panel.getByText('Of the second').first().waitFor()
  expect(new URL(page.url()).searchParams.get('account')).toBeNull()
  await page.goto(`${first.url}${linkOf(first, one.id, accounts[0] ?? '')}`)
  await panel.getByText('Of the first').first().waitFor()
})

test('of an account that the person does not have, nothing is found, and the one that is open stays', async () => {
  const foreign = await second.seed.postSet({ caption: 'Not for everybody' })
  const member = await first.newMember({ role: 'editor' })
  browser.allowProblem(/: 404$/)
  const page = await first.open(linkOf(second, foreign.id, accounts[1] ?? ''), { signedIn: member })
  await page.getByText('There is no such brand, or you may not see it.').waitFor()
  const { account } = await page.evaluate<{ account: { id: string } }>(
    `fetch('/internal/session').then((answer) => answer.json())`,
  )
  expect(account.id).toBe(accounts[0])
})
