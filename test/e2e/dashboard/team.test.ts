import { afterAll, beforeAll, expect, test } from 'vitest'
import { totp } from '../../_util/api/totp.ts'
import { testBrowser } from '../../_util/browser/browser.ts'
import { type Dashboard, heading, settled } from '../../_util/browser/dashboard.ts'
import { expectNoAxeViolations } from '../../_util/browser/dashboard-checks.ts'
import { joinDashboard } from '../../_util/browser/dashboard-of-worker.ts'

/** From an invitation to somebody who works here. */

const browser = testBrowser()
let dashboard: Dashboard

beforeAll(async () => {
  dashboard = await joinDashboard(browser)
}, 120_000)

afterAll(() => dashboard?.stop())

test('somebody is invited, opens the link elsewhere, and sees what authors may see', async () => {
  const page = await dashboard.open('/dashboard/settings/team', { signedIn: true })
  await page.getByRole('button', { name: 'Invite a member' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Email').fill('grace@example.com')
  await dialog.getByRole('radio', { name: 'Author' }).check()
  await dialog.getByRole('button', { name: 'Create invitation' }).click()
  const field = dialog.getByLabel('Invitation link')
  const link = await field.inputValue()
  expect(link).toMatch(/\/dashboard\/invitation#token=[\w-]{43}$/)
  await expectNoAxeViolations(page, 'the link of an invitation')
  // A slip of the hand does not lose it.
  await page.keyboard.press('Escape')
  await dialog.getByRole('button', { name: 'Done' }).click()
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
  await dialog.getByRole('radio', { name: 'Some brands' }).check()
  await dialog.getByLabel('Which brands').click()
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

test('the API keys of a removed member are revoked by a box that is ticked', async () => {
  const credentials = await dashboard.newMember({ role: 'admin', name: 'Annie Easley' })
  const theirs = await dashboard.open('/dashboard/settings/api-keys', { signedIn: credentials })
  for (const name of ['Importer', 'Report']) {
    const answer = await theirs.context().request.post(`${dashboard.url}/internal/api-keys`, {
      data: { name, scopes: [], socialSetIds: null, expiresAt: null, password: credentials.password },
      headers: { origin: dashboard.url },
    })
    expect(answer.status()).toBe(201)
  }
  const page = await dashboard.open('/dashboard/settings/team', { signedIn: true })
  const listed = Promise.withResolvers<void>()
  await page.route('**/internal/api-keys', async (route) => {
    await listed.promise
    await route.continue()
  })
  await page.getByRole('button', { name: 'Remove Annie Easley' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Loading the API keys').waitFor()
  // What happens to the keys is not on the screen yet.
  expect(await dialog.getByRole('button', { name: 'Remove' }).isDisabled()).toBe(true)
  listed.resolve()
  const box = dialog.getByRole('checkbox', { name: 'Revoke the 2 API keys they created' })
  await box.waitFor()
  expect(await box.isChecked()).toBe(true)
  await dialog.getByText(/^(Importer and Report|Report and Importer)\./).waitFor()
  await expectNoAxeViolations(page, 'the removal of a member with keys')
  await dialog.getByLabel('Your password', { exact: true }).fill(dashboard.owner.password)
  await dialog.getByRole('button', { name: 'Remove' }).click()
  await page.getByText('Annie Easley is no longer a member.').waitFor()

  await page.goto(`${dashboard.url}/dashboard/settings/api-keys`)
  await page.getByRole('checkbox', { name: 'Show 2 revoked keys' }).check()
  const row = page.getByRole('row', { name: /Importer/ })
  await row.getByText('Revoked', { exact: true }).waitFor()
  await row.getByText('by Owner of Demo').waitFor()
})

test('an owner refuses or confirms the new address of a member', async () => {
  const credentials = await dashboard.newMember({ role: 'author', name: 'Dorothy Vaughan' })
  const theirs = await dashboard.open('/dashboard/settings/profile', { signedIn: credentials })
  const ask = async (email: string) => {
    await theirs.getByRole('button', { name: 'Change email' }).click()
    await theirs.getByLabel('New email').fill(email)
    await theirs.getByLabel('Your password').fill(credentials.password)
    await theirs.getByRole('button', { name: 'Change email' }).click()
    await theirs.getByText(`An owner has to confirm ${email}.`).waitFor()
  }
  await ask('dorothy@example.net')
  const page = await dashboard.open('/dashboard/settings/team', { signedIn: true })
  const row = page.getByRole('row', { name: /Dorothy Vaughan/ })
  await row.getByText('Wants to change the address to dorothy@example.net').waitFor()
  await expectNoAxeViolations(page, 'a new address to decide about')
  await page.getByRole('button', { name: 'Refuse the new address of Dorothy Vaughan' }).click()
  await page.getByText('The change to dorothy@example.net was refused.').waitFor()
  await row.getByText('Wants to change').waitFor({ state: 'detached' })
  await theirs.reload()
  await theirs.getByText(/Owner of Demo refused the change to dorothy@example.net/).waitFor()

  await ask('dorothy@example.org')
  await page.reload()
  await page.getByRole('button', { name: 'Confirm the new address of Dorothy Vaughan' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Change email' }).click()
  await page.getByText('Dorothy Vaughan signs in with dorothy@example.org from now on.').waitFor()
  await row.getByText('dorothy@example.org', { exact: true }).waitFor()
  const again = await dashboard.open('/dashboard/settings/profile', {
    signedIn: { ...credentials, email: 'dorothy@example.org' },
  })
  expect(await again.getByLabel('Your email').inputValue()).toBe('dorothy@example.org')
})

test('an owner removes the second step that a member has lost', async () => {
  const member = await dashboard.newMember({ role: 'author', name: 'Katherine' })
  const own = await dashboard.open('/dashboard/settings/security', { signedIn: member })
  await own.getByRole('button', { name: 'Set up' }).click()
  await own.getByLabel('Your password').fill(member.password)
  await own.getByRole('button', { name: 'Continue' }).click()
  const secret = await own.getByLabel('Or enter this secret in the app').inputValue()
  await own.getByLabel('Code', { exact: true }).fill(totp(secret.replaceAll(' ', '')))
  await own.getByRole('button', { name: 'Turn on' }).click()
  await own.getByRole('button', { name: 'I saved them' }).click()

  const page = await dashboard.open('/dashboard/settings/team', { signedIn: true })
  const name = 'Remove the second step of Katherine'
  await page.getByRole('button', { name }).click()
  const dialog = page.getByRole('dialog', { name: `${name}?` })
  await dialog.getByLabel('Your password').fill(dashboard.owner.password)
  await expectNoAxeViolations(page, 'the question about a second step')
  await dialog.getByRole('button', { name: 'Remove' }).click()
  await page.getByText('Katherine signs in with the password alone now.').waitFor()
  await page.getByRole('button', { name }).waitFor({ state: 'detached' })
  const row = page.getByRole('row', { name: /Katherine/ })
  await row.getByText(/^Second step removed by Owner of .+ on \d/).waitFor()
})
