import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { testBrowser } from '../../_util/browser/browser.ts'
import { type Dashboard, settled } from '../../_util/browser/dashboard.ts'
import {
  expectNoAxeInBothColors,
  expectNoAxeViolations,
  expectNoSidewaysScroll,
  LOOKS,
} from '../../_util/browser/dashboard-checks.ts'
import { keyboardTask } from '../../_util/browser/dashboard-keys.ts'
import { joinDashboard } from '../../_util/browser/dashboard-of-worker.ts'

/** The screen of API keys in every form that it has. */

const PATH = '/dashboard/settings/api-keys'
const browser = testBrowser()
let dashboard: Dashboard
beforeAll(async () => {
  dashboard = await joinDashboard(browser)
}, 120_000)
afterAll(() => dashboard?.stop())

const make = (name: string, more = {}): Promise<{ id: string; key: string }> =>
  dashboard.member('POST', '/internal/api-keys', {
    name,
    scopes: [],
    socialSetIds: null,
    expiresAt: null,
    password: dashboard.owner.password,
    ...more,
  })
const revoke = (id: string) =>
  dashboard.member('POST', `/internal/api-keys/${id}/revoke`, { password: dashboard.owner.password })
const openCreate = async (page: Page) => {
  await page.getByRole('button', { name: 'Create API key' }).click()
  return page.getByRole('dialog', { name: 'Create an API key' })
}
const choose = async (page: Page, name: string, action: string) => {
  await page.getByRole('button', { name: `Actions for ${name}` }).click()
  await page.getByRole('menuitem', { name: action, exact: true }).click()
}

describe.each(LOOKS)('$name', ({ name, colorScheme, viewport }) => {
  test('the list and all its dialogs have nothing that axe finds, and fit into 320 pixels', async () => {
    const soon = await make('A key with a very long name that says all about what it is for', {
      scopes: ['notes:write', 'post-sets:write', 'post-sets:publish', 'media:write'],
      expiresAt: new Date(Date.now() + 5 * 86_400_000).toISOString(),
    })
    const looked = `Looked at ${name}`
    const old = await make('old')
    await revoke(old.id)
    const page = await dashboard.open(PATH, { signedIn: true, colorScheme, viewport })
    const check = async (what: string) => {
      await settled(page)
      await expectNoAxeInBothColors(page, what)
      await page.setViewportSize({ width: 320, height: 844 })
      await expectNoSidewaysScroll(page, what)
      await page.setViewportSize(viewport)
    }
    await page.getByLabel(/^Show \d+ revoked/).check()
    await page.getByText('in 4 days').first().waitFor()
    await check('the list')

    const create = await openCreate(page)
    await create.getByLabel('Only the chosen ones').check()
    await create.getByLabel('On a date').check()
    await create.getByLabel('Last day').fill('')
    await create.getByRole('button', { name: 'Create key' }).click()
    await create.getByText('4 problems').waitFor()
    await check('the form with everything wrong')
    await create.getByLabel('Name', { exact: true }).fill(looked)
    await create.getByLabel('Demo').check()
    await create.getByLabel('Never').check()
    await create.getByLabel('Your password', { exact: true }).fill(dashboard.owner.password)
    await create.getByRole('button', { name: 'Create key' }).click()
    const store = page.getByRole('dialog', { name: `Save the key “${looked}”` })
    await store.waitFor()
    await check('the key, shown once')
    await store.getByRole('button', { name: 'I saved it' }).click()

    const question = page.getByRole('dialog', { name: `Revoke “${looked}”?` })
    await choose(page, looked, 'Revoke')
    await question.waitFor()
    await page.keyboard.press('Escape')
    await expect
      .poll(() => page.evaluate('document.activeElement.getAttribute("aria-label")'), {
        message: 'the focus is where it was',
      })
      .toBe(`Actions for ${looked}`)
    await choose(page, looked, 'Revoke')
    await question.waitFor()
    await check('the question before revoking')

    const { data } = await dashboard.member('GET', '/internal/api-keys')
    for (const apiKey of data) if (apiKey.name === looked) await revoke(apiKey.id)
    await revoke(soon.id)
  })
})

test('where ten are active there is no eleventh, also when the page does not know it yet', async () => {
  browser.allowProblem(/^POST \S+\/internal\/api-keys: 409$/)
  const { activeCount } = await dashboard.member('GET', '/internal/api-keys')
  const made: string[] = []
  for (let count = activeCount; count < 9; count++) made.push((await make(`Filler ${count}`)).id)
  const page = await dashboard.open(PATH, { signedIn: true })
  await page.getByText('9 of 10 active').waitFor()
  const create = await openCreate(page)
  await create.getByLabel('Name', { exact: true }).fill('Eleventh')
  await create.getByLabel('Your password', { exact: true }).fill(dashboard.owner.password)
  made.push((await make('Tenth')).id)
  await create.getByRole('button', { name: 'Create key' }).click()
  await create.getByText('The account already has 10 active keys. Disable or revoke one of them first.').waitFor()
  await create.getByRole('button', { name: 'Cancel' }).click()

  await page.reload()
  await page.getByText('10 of 10 active').waitFor()
  const button = page.getByRole('button', { name: 'Create API key' })
  expect(await button.isDisabled()).toBe(true)
  await page.getByText('The plan allows no more keys. Disable or revoke one first.').waitFor()
  for (const id of made) await revoke(id)
})

test('a key that has expired says so, keeps its date and opens again with a later one', async () => {
  const { id, key } = await make('Short', { expiresAt: new Date(Date.now() + 1_500).toISOString() })
  const status = async () =>
    (await fetch(`${dashboard.url}/v1/social-sets`, { headers: { authorization: `Bearer ${key}` } })).status
  await expect.poll(status, { timeout: 10_000 }).toBe(401)
  const page = await dashboard.open(PATH, { signedIn: true })
  const row = page.getByRole('row').filter({ hasText: 'Short' })
  await row.getByText('Expired', { exact: true }).waitFor()
  await choose(page, 'Short', 'Edit')
  const edit = page.getByRole('dialog', { name: 'Edit “Short”' })
  await edit.getByLabel('Never').check()
  await edit.getByLabel('Your password', { exact: true }).fill(dashboard.owner.password)
  await edit.getByRole('button', { name: 'Save changes' }).click()
  await row.getByText('Active', { exact: true }).waitFor()
  expect(await status()).toBe(200)
  await revoke(id)
})

test('an admin who sees one social set makes keys for it, and sees no others', async () => {
  const all = await make('Of everything')
  const admin = await dashboard.newMember({ role: 'admin', socialSetIds: [dashboard.socialSetId] })
  const page = await dashboard.open(PATH, { signedIn: admin })
  await page.getByText('There is no API key yet.').waitFor()
  await page.getByText(/keys? of brands that you cannot see (is|are) not listed/).waitFor()
  const create = await openCreate(page)
  expect(await create.getByLabel('All, including future ones').isDisabled()).toBe(true)
  await create.getByLabel('Name', { exact: true }).fill('Of mine')
  await create.getByLabel('Demo').check()
  await create.getByLabel('Your password', { exact: true }).fill(admin.password)
  await create.getByRole('button', { name: 'Create key' }).click()
  await page.getByRole('button', { name: 'I saved it' }).click()
  await page.getByRole('row').filter({ hasText: 'Of mine' }).getByText('The admin').waitFor()
  expect(await page.getByText('Of everything').count()).toBe(0)
  await revoke(all.id)
})

test('who may not manage keys reads who does', async () => {
  const page = await dashboard.open(PATH, { signedIn: await dashboard.newMember({ role: 'editor' }) })
  await page.getByText('Only owners and admins can manage API keys.').waitFor()
  expect(await page.getByRole('button', { name: 'Create API key' }).count()).toBe(0)
  await expectNoAxeViolations(page)
})

test('of a plan without the API it is said what keys are good for', async () => {
  const context = await browser.newContext()
  await dashboard.signInByRequest(context)
  await context.route('**/internal/usage', async (route) => {
    const answer = await route.fetch()
    const usage = (await answer.json()) as { features: string[] }
    await route.fulfill({ response: answer, json: { ...usage, features: ['video'] } })
  })
  const page = await context.newPage()
  await page.goto(`${dashboard.url}${PATH}`)
  await page.getByText('The plan does not include the API').waitFor()
  await expectNoAxeViolations(page)
})

test('a key is made without a pointer', async () => {
  const page = await dashboard.open(PATH, { signedIn: true })
  const button = page.getByRole('button', { name: 'Create API key' })
  await button.waitFor()
  const keys = await keyboardTask(page)
  await keys.press('Tab')
  // "Skip to content"
  await keys.press('Enter')
  await keys.pressUntil('Tab', button, 20)
  await keys.press('Enter')
  const create = page.getByRole('dialog', { name: 'Create an API key' })
  await create.waitFor()
  await expect.poll(() => create.getByLabel('Name', { exact: true }).evaluate((e) => e.matches(':focus'))).toBe(true)
  await keys.type('By keyboard')
  await keys.pressUntil('Tab', create.getByLabel('Write drafts'), 5)
  await keys.press('Space')
  await keys.pressUntil('Tab', create.getByLabel('Your password', { exact: true }), 10)
  await keys.type(dashboard.owner.password)
  await keys.press('Enter')
  const stored = page.getByRole('button', { name: 'I saved it' })
  await stored.waitFor()
  await keys.pressUntil('Tab', stored, 8)
  await keys.press('Enter')
  await page.getByRole('row').filter({ hasText: 'By keyboard' }).getByText('Read · Write drafts').waitFor()
  keys.finish()
})
