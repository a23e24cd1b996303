import { afterAll, beforeAll, expect, test } from 'vitest'
import { testBrowser } from '../../_util/browser.ts'
import { type Dashboard, heading, settled, startDashboard } from '../../_util/dashboard.ts'
import { expectNoAxeViolations } from '../../_util/dashboard-checks.ts'

/** From an invitation to somebody who works here. */

const browser = testBrowser()
let dashboard: Dashboard

beforeAll(async () => {
  dashboard = await startDashboard(browser)
}, 120_000)

afterAll(() => dashboard?.stop())

test('somebody is invited, opens the link elsewhere, and sees what authors may see', async () => {
  const page = await dashboard.open('/dashboard/settings/team', { signedIn: true })
  await page.getByRole('button', { name: 'Invite somebody' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Email').fill('grace@example.com')
  await dialog.getByRole('radio', { name: 'Author' }).check()
  await dialog.getByRole('button', { name: 'Make the invitation' }).click()
  const field = dialog.getByLabel('Link of the invitation')
  const link = await field.inputValue()
  expect(link).toMatch(/\/dashboard\/invitation#token=[\w-]{43}$/)
  await expectNoAxeViolations(page, 'the link of an invitation')
  // A slip of the hand does not lose it.
  await page.keyboard.press('Escape')
  await dialog.getByRole('button', { name: 'I sent it' }).click()
  await page.getByRole('list', { name: 'Invitations' }).getByText('grace@example.com', { exact: true }).waitFor()

  const grace = await dashboard.open(link.slice(dashboard.url.length))
  await grace.getByRole('heading', { name: 'Join Demo' }).waitFor()
  await grace.waitForURL(`${dashboard.url}/dashboard/invitation`)
  await expectNoAxeViolations(grace, 'an invitation')
  await grace.getByLabel('Your name').fill('Grace Hopper')
  await grace.getByLabel('New password').fill('too short')
  browser.allowProblem(/invitations\/accept: 400$/)
  await grace.getByRole('button', { name: 'Join Demo' }).click()
  await grace.getByText('The password needs at least 10 characters.').waitFor()
  await grace.getByLabel('New password').fill('a long enough secret')
  await grace.getByRole('button', { name: 'Join Demo' }).click()
  await grace.waitForURL(/\/scheduling\/calendar\/month/)

  await grace.goto(`${dashboard.url}/dashboard/settings/team`)
  await heading(grace)
  await settled(grace)
  const members = grace.getByRole('table', { name: 'Members' })
  await members.getByRole('row', { name: /Grace Hopper.*You.*Author/ }).waitFor()
  await members.getByText('Owner of Demo').waitFor()
  expect(await grace.getByText(dashboard.owner.email).count()).toBe(0)
  expect(await grace.getByRole('button', { name: /Invite|Remove|Change role/ }).count()).toBe(0)

  await page.reload()
  await page.getByRole('table', { name: 'Members' }).getByText('grace@example.com', { exact: true }).waitFor()
  expect(await page.getByRole('list', { name: 'Invitations' }).count()).toBe(0)
})

test('a member gets another role and is removed with the password', async () => {
  await dashboard.newMember({ role: 'author', name: 'Joan Clarke' })
  const page = await dashboard.open('/dashboard/settings/team', { signedIn: true })
  await page.getByRole('button', { name: 'Change role and access of Joan Clarke' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('radio', { name: 'Editor' }).check()
  await dialog.getByRole('radio', { name: 'Some social sets' }).check()
  await dialog.getByLabel('Which social sets').click()
  await page.getByRole('option', { name: 'Demo' }).click()
  await page.keyboard.press('Escape')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('row', { name: /Joan Clarke.*Editor.*Demo/ }).waitFor()

  await page.getByRole('button', { name: 'Remove Joan Clarke' }).click()
  await dialog.getByLabel('Your password', { exact: true }).fill('not this one')
  browser.allowProblem(/^DELETE \S+\/members\/\S+: 403$/)
  await dialog.getByRole('button', { name: 'Remove' }).click()
  await dialog.getByText('This is not your password. Try again.').waitFor()
  await dialog.getByLabel('Your password', { exact: true }).fill(dashboard.owner.password)
  await dialog.getByRole('button', { name: 'Remove' }).click()
  await page.getByText('Joan Clarke is no longer a member.').waitFor()
  await page.getByRole('row', { name: /Joan Clarke/ }).waitFor({ state: 'detached' })
})
