import { afterAll, beforeAll, expect, test } from 'vitest'
import { type MailServer, startMailServer } from '../../_util/api/mail-server.ts'
import { testBrowser } from '../../_util/browser/browser.ts'
import { type Credentials, type Dashboard, startDashboard } from '../../_util/browser/dashboard.ts'
import { expectNoAxeViolations } from '../../_util/browser/dashboard-checks.ts'

/** A new password by mail, a new address by mail, and where somebody is signed in. */

const SECURITY = '/dashboard/settings/security'
const NEW = 'a password of this year'
const browser = testBrowser()
let mail: MailServer
let dashboard: Dashboard

beforeAll(async () => {
  mail = await startMailServer()
  dashboard = await startDashboard(browser, {
    ALMANAC_SMTP_URL: mail.url,
    ALMANAC_MAIL_FROM: 'Almanac <almanac@example.com>',
  })
}, 120_000)

afterAll(async () => {
  await dashboard?.stop()
  await mail?.close()
})

let last = 0
/** A member whose mail arrives, at an address that was changed and confirmed as people do. */
async function newMailMember(): Promise<Credentials> {
  last += 1
  const email = `member-${last}@example.com`
  const member = await dashboard.newMember({ role: 'author', name: `Member ${last}` })
  const page = await dashboard.open('/dashboard/settings/profile', { signedIn: member })
  await page.getByRole('button', { name: 'Change email' }).click()
  await page.getByLabel('New email').fill(email)
  await page.getByLabel('Your password').fill(member.password)
  await page.getByRole('button', { name: 'Change email' }).click()
  await page.getByText(`Open the link that we sent to ${email}`).waitFor()
  await expectNoAxeViolations(page)
  const link = linkIn((await mail.next(email)).content)
  await page.goto(link)
  await page.waitForURL(`${dashboard.url}/dashboard/confirm-email`)
  await expectNoAxeViolations(page)
  await page.getByRole('button', { name: 'Confirm the address' }).click()
  await page.getByRole('heading', { level: 1, name: 'Address confirmed' }).waitFor()
  await page.reload()
  await page.getByRole('heading', { level: 1, name: 'Link not complete' }).waitFor()
  await page.goto(link)
  browser.allowProblem(/^POST \S+\/internal\/email-changes\/redeem: 410$/)
  await page.getByRole('button', { name: 'Confirm the address' }).click()
  await page.getByRole('heading', { level: 1, name: 'Link not valid' }).waitFor()
  return { ...member, email }
}

function linkIn(content: string): string {
  const link = /http:\/\/\S+token=\S+/.exec(content)?.[0]
  if (!link) throw new Error(`No link in ${content}`)
  return link
}

test('somebody who forgot the password gets a link by mail and signs in with a new one', async () => {
  const member = await newMailMember()
  const page = await dashboard.open('/dashboard/sign-in')
  await page.getByRole('link', { name: 'Forgot your password?' }).click()
  await page.getByRole('button', { name: 'Send the link' }).waitFor()
  await page.getByLabel('Email').fill('owner@demo.invalid')
  await page.getByText('ends in .invalid').waitFor()
  expect(await page.getByRole('button', { name: 'Send the link' }).isDisabled()).toBe(true)
  await page.getByLabel('Email').fill(member.email)
  await page.getByRole('button', { name: 'Send the link' }).click()
  await page.getByText('a link is on its way').waitFor()
  await expectNoAxeViolations(page)

  const link = linkIn((await mail.next(member.email)).content)
  browser.allowProblem(/^POST \S+\/internal\/password-resets\/(look|redeem): 4(00|10)$/)
  await page.goto(link)
  await page.waitForURL(`${dashboard.url}/dashboard/reset-password`)
  const password = page.getByLabel('New password')
  expect(await password.getAttribute('autocomplete')).toBe('new-password')
  expect(await page.getByLabel('Email').inputValue()).toBe(member.email)
  await password.fill('short')
  await page.getByRole('button', { name: 'Save the password' }).click()
  await page.getByRole('alert').filter({ hasText: 'at least 10 characters' }).waitFor()
  await expectNoAxeViolations(page)
  await password.fill(NEW)
  await page.getByRole('button', { name: 'Save the password' }).click()
  await page.getByRole('heading', { level: 1, name: 'Password changed' }).waitFor()
  await page.getByRole('link', { name: 'Sign in' }).click()
  await dashboard.fillSignIn(page, { ...member, password: NEW })

  await page.goto(link)
  await page.getByRole('heading', { level: 1, name: 'Link not valid' }).waitFor()
  await page.getByRole('link', { name: 'Get a new link' }).click()
  await page.getByRole('heading', { level: 1, name: 'Forgot your password?' }).waitFor()
})

test('an unknown address gets the same answer', async () => {
  const page = await dashboard.open('/dashboard/forgot-password')
  await page.getByLabel('Email').fill('nobody@example.com')
  await page.getByRole('button', { name: 'Send the link' }).click()
  await page.getByText('a link is on its way').waitFor()
})

test('a new password ends the sessions in other browsers', async () => {
  browser.allowProblem(/^PUT \S+\/internal\/profile\/password: 40[03]$|: 401$/)
  const member = await dashboard.newMember({ role: 'author' })
  const other = await dashboard.open(SECURITY, { signedIn: member })
  const page = await dashboard.open(SECURITY, { signedIn: member })
  const current = page.getByLabel('Current password')
  const next = page.getByLabel('New password')
  const save = page.getByRole('button', { name: 'Change password' })
  await current.fill('not the password')
  await next.fill(NEW)
  await save.click()
  await page.getByRole('alert').filter({ hasText: 'This is not your password' }).waitFor()
  await current.fill(member.password)
  await next.fill('1234567890')
  await save.click()
  await page.getByRole('alert').filter({ hasText: 'everybody tries first' }).waitFor()
  await expectNoAxeViolations(page)
  await next.fill(NEW)
  await save.click()
  await page.getByText('Your password was changed.').waitFor()
  expect(await current.inputValue()).toBe('')
  await other.reload()
  await other.waitForURL(/\/sign-in/)
})

test('sessions are listed and ended, one and all others', async () => {
  browser.allowProblem(/: 401$/)
  const member = await dashboard.newMember({ role: 'author' })
  const others = [
    await dashboard.open(SECURITY, { signedIn: member }),
    await dashboard.open(SECURITY, { signedIn: member }),
    await dashboard.open(SECURITY, { signedIn: member }),
  ]
  const page = await dashboard.open(SECURITY, { signedIn: member })
  const rows = page.getByRole('listitem').filter({ hasText: 'Chrome on Linux' })
  await expect.poll(() => rows.count()).toBeGreaterThanOrEqual(4)
  const before = await rows.count()
  expect(await rows.filter({ hasText: 'This browser' }).count()).toBe(1)
  await page.getByRole('button', { name: 'End the session in Chrome on Linux' }).first().click()
  await expect.poll(() => rows.count()).toBe(before - 1)
  await page.getByRole('button', { name: 'Sign out everywhere else' }).click()
  const dialog = page.getByRole('dialog')
  await expectNoAxeViolations(page)
  await dialog.getByRole('button', { name: 'Sign out everywhere else' }).click()
  await page.getByText('You are now signed in only here.').waitFor()
  await expect.poll(() => rows.count()).toBe(1)
  for (const other of others) {
    await other.reload()
    await other.waitForURL(/\/sign-in/)
  }
})
