import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { tokenOf } from '../../_util/api/invitations.ts'
import { NARROW, testBrowser, WIDE } from '../../_util/browser/browser.ts'
import { type Credentials, type Dashboard, settled } from '../../_util/browser/dashboard.ts'
import { expectNoAxeViolations, expectNoSidewaysScroll } from '../../_util/browser/dashboard-checks.ts'
import { joinDashboard } from '../../_util/browser/dashboard-of-worker.ts'
import { call } from '../../_util/browser/dashboard-seed.ts'
import { shareBrand } from '../../_util/browser/dashboard-shared.ts'

/** Everything that invitations and members can come to, and the dialogs in every look. */

const browser = testBrowser()
let dashboard: Dashboard
let reviewer: Credentials

beforeAll(async () => {
  dashboard = await joinDashboard(browser)
  reviewer = await dashboard.newMember({ role: 'reviewer', name: 'Joan Clarke' })
}, 120_000)

afterAll(() => dashboard?.stop())

const team = (options = {}) => dashboard.open('/dashboard/settings/team', { signedIn: true, ...options })
const invitation = async (email: string) => {
  const body = { email, role: 'author', socialSetIds: null }
  const { link, invitation } = await dashboard.member('POST', '/internal/invitations', body)
  return { path: link.slice(dashboard.url.length), id: invitation.id, token: tokenOf(link) }
}
const accept = (token: string) =>
  call(
    `${dashboard.url}/internal/invitations/accept`,
    'POST',
    { origin: dashboard.url },
    {
      token,
      name: 'Somebody',
      password: 'a long enough secret',
    },
  )
const opened = (page: Page) => page.getByRole('dialog')

describe('a link', () => {
  test.each([
    ['that was used', 'Invitation already accepted', async (one: { token: string }) => void (await accept(one.token))],
    [
      'that was taken back',
      'Invitation withdrawn',
      async (one: { id: string }) => void (await dashboard.member('DELETE', `/internal/invitations/${one.id}`)),
    ],
    [
      'in whose place a newer one was sent',
      'Link not valid',
      async (one: { id: string }) => void (await dashboard.member('POST', `/internal/invitations/${one.id}/resend`)),
    ],
  ])('%s says so, and what to do', async (name, title, happens) => {
    const one = await invitation(`${name.replaceAll(' ', '.')}@example.com`)
    await happens(one)
    browser.allowProblem(/invitations\/look: 4(04|10)$/)
    const page = await dashboard.open(one.path)
    await page.getByRole('heading', { name: title }).waitFor()
    await page.getByRole('link', { name: 'Go to the sign-in' }).waitFor()
    await expectNoAxeViolations(page)
  })

  test('without its token asks for all of it', async () => {
    const page = await dashboard.open('/dashboard/invitation')
    await page.getByRole('heading', { name: 'Link not complete' }).waitFor()
  })

  test('is taken out of the address at once, and another one can be opened in the same tab', async () => {
    const [first, second] = [await invitation('first.link@example.com'), await invitation('second.link@example.com')]
    const asked: string[] = []
    const page = await dashboard.open(first.path)
    page.on('request', (request) => asked.push(request.url()))
    expect(await page.getByLabel('Email').inputValue()).toBe('first.link@example.com')
    await page.waitForURL(`${dashboard.url}/dashboard/invitation`)
    await page.getByLabel('Your name').fill('First')
    await page.goto(dashboard.url + second.path)
    await expect.poll(() => page.getByLabel('Email').inputValue()).toBe('second.link@example.com')
    expect(await page.getByLabel('Your name').inputValue()).toBe('')
    await page.waitForURL(`${dashboard.url}/dashboard/invitation`)
    expect(asked.join()).not.toContain(second.token)
    await page.reload()
    await page.getByRole('heading', { name: 'Link not complete' }).waitFor()
  })

  test('of somebody who may not invite any more says whom not to ask', async () => {
    const admin = await dashboard.newMember({ role: 'admin', name: 'Mallory Gone' })
    const page = await team({ signedIn: admin })
    await page.getByRole('button', { name: 'Invite a member' }).click()
    await opened(page).getByLabel('Email').fill('left.behind@example.com')
    await opened(page).getByRole('button', { name: 'Create invitation' }).click()
    const link = await opened(page).getByLabel('Invitation link').inputValue()
    await removeByRequest('Mallory Gone')
    browser.allowProblem(/invitations\/look: 410$|: 401$/)
    const invited = await dashboard.open(link.slice(dashboard.url.length))
    await invited.getByRole('heading', { name: 'Invitation withdrawn' }).waitFor()
    await invited.getByText('Mallory Gone cannot invite you there any more').waitFor()
  })

  test('for somebody who has an account asks for its password', async () => {
    const { email, password } = await dashboard.newMember({ role: 'editor', name: 'Mary Jackson' })
    await removeByRequest('Mary Jackson')
    const page = await dashboard.open((await invitation(email)).path)
    browser.allowProblem(/invitations\/accept: 403$/)
    await page.getByLabel('Your password', { exact: true }).fill('not this one')
    await page.getByRole('button', { name: 'Join Demo' }).click()
    await page.getByText('This is not your password. Try again.').waitFor()
    await page.getByLabel('Your password', { exact: true }).fill(password)
    await page.getByRole('button', { name: 'Join Demo' }).click()
    await page.waitForURL(/\/scheduling\/calendar\//)
  })

  test('opened by somebody else who is signed in warns, and signs that one out', async () => {
    const { path } = await invitation('second@example.com')
    const page = await dashboard.open(path, { signedIn: reviewer })
    await page.getByText(`You are signed in as ${reviewer.email}.`).waitFor()
    await expectNoAxeViolations(page)
    await page.getByLabel('Your name').fill('Second Person')
    await page.getByLabel('New password').fill('a long enough secret')
    await page.getByRole('button', { name: 'Join Demo' }).click()
    await page.waitForURL(/\/scheduling\/calendar\//)
    await page.goto(`${dashboard.url}/dashboard/settings/team`)
    await page.getByRole('row', { name: /Second Person.*You/ }).waitFor()
  })
})

test('a new link is shown once, and the invitation can be taken back', async () => {
  await invitation('open@example.com')
  const page = await team()
  await page.getByRole('button', { name: 'New link for open@example.com' }).click()
  await opened(page).getByLabel('Invitation link').waitFor()
  await opened(page).getByRole('button', { name: 'Done' }).click()
  await page.getByRole('button', { name: 'Withdraw the invitation of open@example.com' }).click()
  await opened(page).getByRole('button', { name: 'Withdraw' }).click()
  await page.getByText('The invitation of open@example.com was withdrawn.').waitFor()
  await page.getByRole('button', { name: 'New link for open@example.com' }).waitFor({ state: 'detached' })
})

test('what cannot be invited is said at its field, or above the buttons', async () => {
  const page = await team()
  await page.getByRole('button', { name: 'Invite a member' }).click()
  const send = opened(page).getByRole('button', { name: 'Create invitation' })
  await send.click()
  await opened(page).getByText('Enter the email address of the person.').waitFor()
  browser.allowProblem(/^POST \S+\/invitations: 4(00|09)$/)
  await opened(page).getByLabel('Email').fill('nobody')
  await send.click()
  await opened(page).getByText('This is not an email address. It looks like name@example.com.').waitFor()
  await opened(page).getByLabel('Email').fill(reviewer.email)
  await send.click()
  await opened(page)
    .getByRole('alert')
    .getByText(/is a member already/)
    .waitFor()
  await opened(page).getByRole('button', { name: 'Cancel' }).click()
  await opened(page).waitFor({ state: 'hidden' })
  const focused = page.getByRole('button', { name: 'Invite a member' })
  expect(await focused.evaluate((button) => button === button.ownerDocument.activeElement)).toBe(true)
})

test('the only owner cannot go; everybody else can leave', async () => {
  const page = await team()
  const mine = page.getByRole('row', { name: /Owner of Demo/ })
  await mine.getByText('The only owner').waitFor()
  expect(await mine.getByRole('button').count()).toBe(0)

  const leaver = await dashboard.newMember({ role: 'editor', name: 'Leaving Soon' })
  const theirs = await team({ signedIn: leaver })
  await theirs.getByRole('button', { name: 'Leave' }).click()
  await opened(theirs).getByLabel('Your password', { exact: true }).fill(leaver.password)
  await opened(theirs).getByRole('button', { name: 'Leave' }).click()
  await theirs.waitForURL(/\/sign-in/)
})

describe.each([
  { name: 'light, wide', colorScheme: 'light' as const, viewport: WIDE },
  { name: 'dark, wide', colorScheme: 'dark' as const, viewport: WIDE },
  { name: 'light, narrow', colorScheme: 'light' as const, viewport: NARROW },
  { name: 'dark, narrow', colorScheme: 'dark' as const, viewport: NARROW },
])('$name', (look) => {
  test.each([
    ['the invitation', 'Invite a member', 'Email'],
    ['role and access', 'Change role and access of Joan Clarke', 'Reviewer'],
    ['the roles', 'What each role can do', null],
    ['the removal', 'Remove Joan Clarke', 'Your password'],
  ])('the dialog of %s has no fault', async (_, button, label) => {
    const page = await team(look)
    await page.getByRole('button', { name: button }).click()
    if (label) await opened(page).getByLabel(label, { exact: true }).waitFor()
    else await opened(page).getByText('Write and change notes').waitFor()
    await settled(page)
    await expectNoAxeViolations(page)
    await page.setViewportSize({ width: 320, height: 844 })
    await expectNoSidewaysScroll(page)
  })
})

test('links that a member knows get new addresses with the removal, or with another role', async () => {
  await dashboard.newMember({ role: 'editor', name: 'Valerie Thomas' })
  const { path } = await shareBrand(dashboard)
  const page = await team()
  await page.getByRole('button', { name: 'Change role and access of Valerie Thomas' }).click()
  const dialog = opened(page)
  await dialog.getByRole('radio', { name: 'Author' }).check()
  const link = dialog.getByRole('checkbox', { name: 'Shared calendar “Spring campaign”' })
  await link.waitFor()
  expect(await link.isChecked()).toBe(true)
  await dialog.getByText(/^Demo\. Shows: Posts that wait for the client/).waitFor()
  await settled(page)
  await expectNoAxeViolations(page, 'what a member would not see any more')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await dialog.waitFor({ state: 'detached' })

  // Nothing is removed while it is not known what would stay open.
  browser.allowProblem(/500/)
  await page.route('**/links*', (route) => route.fulfill({ status: 500, body: '{}' }))
  await page.getByRole('button', { name: 'Remove Valerie Thomas' }).click()
  const retry = dialog.getByRole('button', { name: 'Retry' })
  await retry.waitFor()
  expect(await dialog.getByRole('button', { name: 'Remove' }).isDisabled()).toBe(true)
  await page.unroute('**/links*')
  await retry.click()
  await link.waitFor()
  await dialog.getByLabel('Your password', { exact: true }).fill(dashboard.owner.password)
  await dialog.getByRole('button', { name: 'Remove' }).click()
  const addresses = page.getByRole('dialog', { name: 'The new addresses' })
  const field = addresses.getByLabel('Shared calendar “Spring campaign”')
  expect(new URL(await field.inputValue()).pathname).not.toBe(path)
  await settled(page)
  await expectNoAxeViolations(page, 'the new addresses')
  // What is shown once is left by its button alone.
  await page.keyboard.press('Enter')
  await page.keyboard.press('Escape')
  await page.mouse.click(5, 5)
  await settled(page)
  expect(await addresses.getByRole('button').allTextContents()).toEqual(['Copy address', 'I copied them'])
  await addresses.getByRole('button', { name: 'I copied them' }).click()
  await addresses.waitFor({ state: 'detached' })
  browser.allowProblem(/404/)
  const old = await dashboard.open(path)
  await old.getByText('This calendar is not shared').first().waitFor()
})

async function removeByRequest(name: string): Promise<void> {
  const { members } = await dashboard.member('GET', '/internal/members')
  const { userId } = members.find((member: { name: string }) => member.name === name)
  await dashboard.member('DELETE', `/internal/members/${userId}`, { password: dashboard.owner.password })
}
