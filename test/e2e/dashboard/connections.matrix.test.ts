import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ACCOUNT_TYPES, type AccountType, accountTypes } from '#contract'
import { testBrowser } from '../../_util/browser/browser.ts'
import type { Dashboard } from '../../_util/browser/dashboard.ts'
import {
  expectNoAxeInBothColors,
  expectNoAxeViolations,
  expectNoSidewaysScroll,
  LOOKS,
} from '../../_util/browser/dashboard-checks.ts'
import { card, decide, free, readConnection, readOverview } from '../../_util/browser/dashboard-connections.ts'
import { keyboardTask } from '../../_util/browser/dashboard-keys.ts'
import { joinDashboard } from '../../_util/browser/dashboard-of-worker.ts'

const browser = testBrowser()
let dashboard: Dashboard
beforeAll(async () => {
  dashboard = await joinDashboard(browser)
}, 180_000)
afterAll(() => dashboard?.stop())

const PATH = '/dashboard/connections'
const DEMO_ACCOUNT = 'Try with a demo account'
const WITH_SIGN_IN = accountTypes.filter((type) => ACCOUNT_TYPES[type].network !== 'bluesky')
const dialogOf = (page: Page) => page.getByRole('dialog')

/** A sign-in in the browser's own session, up to where the network leads back; for what the screen does not offer. */
async function simulatedSignIn(page: Page, accountType: AccountType): Promise<void> {
  const started = await page.request.post(`${dashboard.url}/internal/connections/authorizations`, {
    data: { socialSetId: dashboard.socialSetId, accountType, sandbox: true },
    headers: { origin: dashboard.url },
  })
  await page.goto(((await started.json()) as { address: string }).address)
  await decide(page, 'Allow')
}

describe('the simulated sign-in of each network', () => {
  test.each(WITH_SIGN_IN)('%s', async (accountType) => {
    await free(dashboard, accountType)
    const page = await dashboard.open(`${PATH}?connect=${accountType}`, { signedIn: true })
    await dialogOf(page).getByRole('button', { name: DEMO_ACCOUNT }).click()
    await decide(page, 'Allow')
    const connected = dialogOf(page).getByText('is connected.')
    const several = dialogOf(page).getByText('Step 2 of 3')
    await connected.or(several).waitFor()
    if (await several.isVisible()) {
      await dialogOf(page).getByRole('radio').last().check()
      await dialogOf(page).getByRole('button', { name: 'Connect', exact: true }).click()
      await connected.waitFor()
    }
    await expectNoAxeViolations(page, accountType)
    await dialogOf(page)
      .getByRole('button', { name: /^(Done|Later)$/ })
      .click()
    await dialogOf(page).waitFor({ state: 'hidden' })
    expect(await readConnection(dashboard, accountType)).toMatchObject({ sandbox: true })
    expect(new URL(page.url()).searchParams.has('authorization')).toBe(false)
  })

  test('INSTAGRAM without a Page, by the way that is chosen', async () => {
    await free(dashboard, 'INSTAGRAM')
    const page = await dashboard.open(`${PATH}?connect=INSTAGRAM`, { signedIn: true })
    const ways = dialogOf(page).getByRole('radiogroup', { name: 'Way to sign in' })
    expect(await ways.getByRole('radio', { name: 'With Facebook' }).isChecked()).toBe(true)
    await ways.getByRole('radio', { name: 'With Instagram' }).check()
    await dialogOf(page).getByRole('link', { name: 'Set up Instagram' }).waitFor()
    await expectNoAxeViolations(page)
    await dialogOf(page).getByRole('button', { name: DEMO_ACCOUNT }).click()
    await decide(page, 'Allow')
    await dialogOf(page).getByText('Demo Pottery is connected.').waitFor()
    expect(await readConnection(dashboard, 'INSTAGRAM')).toMatchObject({ sandbox: true, signIn: 'instagram' })
  })

  test('a network without one is connected at once', async () => {
    await free(dashboard, 'BLUESKY')
    const page = await dashboard.open(`${PATH}?connect=BLUESKY`, { signedIn: true })
    await dialogOf(page).getByRole('button', { name: DEMO_ACCOUNT }).click()
    await dialogOf(page).waitFor({ state: 'hidden' })
    expect(await readConnection(dashboard, 'BLUESKY')).toMatchObject({ sandbox: true, state: 'CONNECTED' })
  })

  test.each(WITH_SIGN_IN)('%s: who says no hears so, and tries again', async (accountType) => {
    await free(dashboard, accountType)
    const page = await dashboard.open(`${PATH}?connect=${accountType}`, { signedIn: true })
    await dialogOf(page).getByRole('button', { name: DEMO_ACCOUNT }).click()
    await decide(page, 'Deny')
    await dialogOf(page)
      .getByText(/^Nothing was connected: Almanac was not given the permissions that it asked .+ for\.$/)
      .waitFor()
    await expectNoAxeViolations(page, accountType)
    await dialogOf(page).getByRole('button', { name: 'Try again' }).click()
    await dialogOf(page).getByText('Step 1 of 3').waitFor()
    expect(await readConnection(dashboard, accountType)).toBeNull()
  })
})

test('demo accounts are connected wherever something is free', async () => {
  await free(dashboard, 'TWITTER')
  await free(dashboard, 'BLUESKY')
  const page = await dashboard.open(PATH, { signedIn: true })
  await page.getByRole('button', { name: 'Connect demo accounts' }).click()
  await page
    .getByText(/demo accounts? connected\./)
    .first()
    .waitFor()
  await page.getByRole('button', { name: 'Connect demo accounts' }).waitFor({ state: 'hidden' })
  expect((await readOverview(dashboard)).connections).toHaveLength(accountTypes.length)
})

test('who may connect is told that demo accounts are simulated, and led to a brand for real ones', async () => {
  await dashboard.member('POST', '/internal/connections/sandbox', { socialSetId: dashboard.socialSetId })
  const words = /^These accounts are simulated/
  const page = await dashboard.open(PATH, { signedIn: true })
  await page.getByText(words).waitFor()
  await expectNoAxeViolations(page, 'a brand of demo accounts')
  const author = await dashboard.newMember({ role: 'author' })
  const theirs = await dashboard.open(PATH, { signedIn: author })
  await card(theirs, 'Threads').waitFor()
  expect(await theirs.getByText(words).count()).toBe(0)
  await page.getByRole('main').getByRole('link', { name: 'Go to your brands' }).click()
  await page.getByRole('button', { name: 'New brand' }).click()
  await dialogOf(page).getByLabel('Name').fill('My bakery')
  await dialogOf(page).getByRole('button', { name: 'Create brand' }).click()
  await page.getByText('The accounts that My bakery publishes to').waitFor()
  expect(await page.getByText(words).count()).toBe(0)
})

test('another account at the renewal is asked about, and takes the place with the password only', async () => {
  browser.allowProblem(/\/choose: 403$/)
  await free(dashboard, 'THREADS')
  await dashboard.member('POST', '/internal/connections/sandbox', {
    socialSetId: dashboard.socialSetId,
    accountTypes: ['THREADS'],
  })
  const before = await readConnection(dashboard, 'THREADS')
  const page = await dashboard.open(PATH, { signedIn: true })
  await simulatedSignIn(page, 'THREADS')
  await dialogOf(page)
    .getByText(/^This is another account: /)
    .waitFor()
  const replace = dialogOf(page).getByRole('button', { name: `Replace ${before?.name}` })
  await replace.click()
  await dialogOf(page).getByText('Enter your password.').waitFor()
  await dialogOf(page).getByLabel('Your password').fill('wrong')
  await replace.click()
  await dialogOf(page).getByText('This is not your password. Try again.').waitFor()
  await expectNoAxeViolations(page)
  expect(await readConnection(dashboard, 'THREADS')).toMatchObject({ id: before?.id })
  await dialogOf(page).getByLabel('Your password').fill(dashboard.owner.password)
  await replace.click()
  await dialogOf(page).getByText('is connected.').waitFor()
  expect((await readConnection(dashboard, 'THREADS'))?.id).not.toBe(before?.id)
})

test('the account that is connected stays when its own sign-in is made after all', async () => {
  await free(dashboard, 'PINTEREST')
  await dashboard.member('POST', '/internal/connections/sandbox', {
    socialSetId: dashboard.socialSetId,
    accountTypes: ['PINTEREST'],
  })
  const before = await readConnection(dashboard, 'PINTEREST')
  const page = await dashboard.open(PATH, { signedIn: true })
  await simulatedSignIn(page, 'PINTEREST')
  await dialogOf(page)
    .getByRole('button', { name: `Sign in again as ${before?.name}` })
    .click()
  await dialogOf(page).waitFor({ state: 'hidden' })
  expect(await readConnection(dashboard, 'PINTEREST')).toMatchObject({ id: before?.id, state: 'CONNECTED' })
})

test('an account is connected with the keyboard alone', async () => {
  await free(dashboard, 'FACEBOOK')
  const page = await dashboard.open(PATH, { signedIn: true })
  const task = await keyboardTask(page)
  await card(page, 'Facebook').getByRole('button', { name: 'How to connect Facebook' }).focus()
  await task.press('Enter')
  await task.pressUntil('Tab', dialogOf(page).getByRole('button', { name: DEMO_ACCOUNT }))
  await task.press('Enter')
  await page.getByRole('heading', { name: /simulator/ }).waitFor()
  await task.pressUntil('Tab', page.getByRole('link', { name: 'Allow' }))
  await task.press('Enter')
  await dialogOf(page).getByText('Step 2 of 3').waitFor()
  await task.pressUntil('Tab', dialogOf(page).getByRole('radio', { name: 'Demo Bakery' }))
  await task.press('Space')
  await task.pressUntil('Tab', dialogOf(page).getByRole('button', { name: 'Connect', exact: true }))
  await task.press('Enter')
  await dialogOf(page).getByText('Demo Bakery is connected.').waitFor()
  await task.press('Escape')
  await dialogOf(page).waitFor({ state: 'hidden' })
  task.finish()
  expect(await readConnection(dashboard, 'FACEBOOK')).toMatchObject({ name: 'Demo Bakery' })
})

test('the focus goes back to where a dialog was opened', async () => {
  const page = await dashboard.open(PATH, { signedIn: true })
  const more = card(page, 'YouTube').getByRole('button', { name: 'More for YouTube' })
  await more.click()
  await page.getByRole('menuitem', { name: 'Publishing defaults' }).click()
  await dialogOf(page).getByRole('button', { name: 'Save' }).waitFor()
  await page.keyboard.press('Escape')
  await dialogOf(page).waitFor({ state: 'hidden' })
  await expect.poll(() => more.evaluate((element) => element.matches(':focus'))).toBe(true)
})

test('who may not connect sees how accounts stand, and no way to change them', async () => {
  const reviewer = await dashboard.newMember({ role: 'reviewer' })
  const page = await dashboard.open(PATH, { signedIn: reviewer })
  await page.getByText('Only owners and admins can connect accounts.').waitFor()
  await card(page, 'YouTube')
    .getByText(/^(Connected|Not ready)$/)
    .waitFor()
  for (const name of [/^(How to )?[Cc]onnect/, /^Reconnect/, /^Choose defaults/, 'Connect demo accounts']) {
    expect(await page.getByRole('button', { name }).count()).toBe(0)
  }
  await page.goto(`${dashboard.url}${PATH}?connect=YOUTUBE`)
  await page.getByText('Only owners and admins can connect accounts.').waitFor()
  expect(await dialogOf(page).count()).toBe(0)
})

test('what is wrong in an address is reported, and nothing breaks', async () => {
  browser.allowProblem(/\/internal\/connections\/authorizations\/nonsense: 404$/)
  const page = await dashboard.open(`${PATH}?authorization=nonsense`, { signedIn: true })
  await dialogOf(page).getByText('You have no sign-in with this id.').waitFor()
  await page.goto(`${dashboard.url}${PATH}?connect=MYSPACE`)
  await dialogOf(page).getByText('This no longer exists.').waitFor()
  await page.goto(`${dashboard.url}${PATH}?set=nonsense`)
  await page.getByText('This brand was not found.').waitFor()
})

test('what the network says of an app password stands at the form', async () => {
  browser.allowProblem(/\/internal\/connections\/password: 409$/)
  await free(dashboard, 'BLUESKY')
  const page = await dashboard.open(`${PATH}?connect=BLUESKY`, { signedIn: true })
  await dialogOf(page).getByRole('button', { name: 'Connect', exact: true }).click()
  await dialogOf(page).getByText('Enter the handle of the account.').waitFor()
  await dialogOf(page).getByText('Enter the app password.').waitFor()
  await dialogOf(page).getByLabel('Handle').fill('ada.example')
  await dialogOf(page).getByLabel('App password').fill('abcd-efgh')
  await dialogOf(page).getByLabel('Server (optional)').fill('http://127.0.0.1')
  await dialogOf(page).getByRole('button', { name: 'Connect', exact: true }).click()
  await dialogOf(page).getByText('Name a server that can be reached over https.').waitFor()
  await expectNoAxeViolations(page)
})

describe.each(LOOKS)('every dialog, $name', ({ colorScheme, viewport }) => {
  const open = (search: string) => dashboard.open(`${PATH}?${search}`, { signedIn: true, colorScheme, viewport })
  const check = async (page: Page, what: string) => {
    await expectNoAxeInBothColors(page, what)
    await page.setViewportSize({ width: 320, height: 844 })
    await expectNoSidewaysScroll(page, what)
  }

  test.each(['TIKTOK', 'BLUESKY', 'INSTAGRAM'])('connect %s', async (accountType) => {
    const page = await open(`connect=${accountType}`)
    await dialogOf(page).getByText('Almanac asks to:').waitFor()
    await check(page, 'connect')
  })

  test('publishing defaults', async () => {
    const connection = await readConnection(dashboard, 'YOUTUBE')
    const page = await open(`defaults=${connection?.id}`)
    await dialogOf(page).getByRole('button', { name: 'Save' }).waitFor()
    await check(page, 'defaults')
  })

  test('a choice of accounts, and of another account', async () => {
    await free(dashboard, 'FACEBOOK')
    const page = await open('')
    await simulatedSignIn(page, 'FACEBOOK')
    await dialogOf(page).getByRole('radio').first().waitFor()
    await check(page, 'choice')
    await dashboard.member('POST', '/internal/connections/sandbox', {
      socialSetId: dashboard.socialSetId,
      accountTypes: ['FACEBOOK'],
    })
    await page.reload()
    await dialogOf(page)
      .getByText(/^These are other accounts/)
      .waitFor()
    await check(page, 'another account')
  })

  test('disconnect', async () => {
    const page = await open('')
    await card(page, 'YouTube').getByRole('button', { name: 'More for YouTube' }).click()
    await page.getByRole('menuitem', { name: 'Disconnect…' }).waitFor()
    await expectNoAxeInBothColors(page, 'menu')
    await page.getByRole('menuitem', { name: 'Disconnect…' }).click()
    await dialogOf(page).getByLabel('Your password').waitFor()
    await check(page, 'disconnect')
  })
})
