import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connectAgent } from '../../_util/api/agents.ts'
import { testBrowser } from '../../_util/browser/browser.ts'
import type { Dashboard } from '../../_util/browser/dashboard.ts'
import { calendarPath } from '../../_util/browser/dashboard-calendar.ts'
import { expectNoAxeViolations } from '../../_util/browser/dashboard-checks.ts'
import { joinDashboard } from '../../_util/browser/dashboard-of-worker.ts'

/** The life of an API key, from the screen to the API. */

const browser = testBrowser()
let dashboard: Dashboard
beforeAll(async () => {
  dashboard = await joinDashboard(browser)
}, 120_000)
afterAll(() => dashboard?.stop())

const dialogOf = (page: Page, name: string | RegExp) => page.getByRole('dialog', { name })
const rowOf = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name })

/** A request of a program. */
async function statusOf(key: string, path: string, body?: object): Promise<[number, string | undefined]> {
  const answer = await fetch(`${dashboard.url}${path}`, {
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body ? { method: 'POST', body: JSON.stringify(body) } : {}),
  })
  return [answer.status, ((await answer.json()) as { code?: string }).code]
}
async function choose(page: Page, name: string, action: string): Promise<void> {
  await page.getByRole('button', { name: `Actions for ${name}` }).click()
  await page.getByRole('menuitem', { name: action, exact: true }).click()
}
async function confirmWith(page: Page, title: string, button: string): Promise<void> {
  const dialog = dialogOf(page, title)
  await dialog.getByLabel('Your password', { exact: true }).fill(dashboard.owner.password)
  await dialog.getByRole('button', { name: button }).click()
  await dialog.waitFor({ state: 'detached' })
}

test('a key is made, shown once, used, changed, disabled, enabled and revoked', async () => {
  browser.allowProblem(/^POST \S+\/internal\/api-keys: 403$/)
  const page = await dashboard.open('/dashboard/settings/api-keys', { signedIn: true })
  await page.getByText('1 of 10 active').waitFor()

  await page.getByRole('button', { name: 'Create API key' }).click()
  const create = dialogOf(page, 'Create an API key')
  expect(await create.getByLabel('Read', { exact: true }).isDisabled()).toBe(true)
  await create.getByRole('button', { name: 'Create key' }).click()
  // What is missing is reported on top and leads to its field.
  const summary = create.getByRole('alert').filter({ hasText: '2 problems' })
  await summary.getByRole('button', { name: 'Enter a name.' }).click()
  await page.keyboard.type('marketing-bot')
  await create.getByLabel('Write drafts').check()
  await create.getByLabel('Your password', { exact: true }).fill('not the password')
  await create.getByRole('button', { name: 'Create key' }).click()
  await create.getByText('This is not your password. Try again.').first().waitFor()
  await expectNoAxeViolations(page, 'the form with a wrong password')
  await create.getByLabel('Your password', { exact: true }).fill(dashboard.owner.password)
  await create.getByRole('button', { name: 'Create key' }).click()

  const store = dialogOf(page, 'Save the key “marketing-bot”')
  const key = await store.getByLabel('API key', { exact: true }).inputValue()
  expect(key).toMatch(/^alm_[\w-]{43}$/)
  await store.getByText(`curl "${dashboard.url}/v1/social-sets"`).waitFor()
  // Closing without having stored it asks first.
  await page.keyboard.press('Escape')
  const ask = dialogOf(page, 'Close without saving the key?')
  await ask.getByRole('button', { name: 'Cancel' }).click()
  await ask.waitFor({ state: 'detached' })
  await store.getByRole('button', { name: 'I saved it' }).click()
  await page.getByText('2 of 10 active').waitFor()
  expect(await page.content()).not.toContain(key)

  const { socialSetId } = dashboard
  const note = { socialSetId, content: 'By a program', hexColor: '#faf785', scheduledAt: '2030-01-01T10:00:00Z' }
  expect(await statusOf(key, '/v1/social-sets')).toEqual([200, undefined])
  expect(await statusOf(key, '/v1/notes', note)).toEqual([403, 'auth:insufficient_scope'])

  await choose(page, 'marketing-bot', 'Edit')
  const edit = dialogOf(page, 'Edit “marketing-bot”')
  await edit.getByLabel('Write notes').check()
  await edit.getByLabel('Write drafts').uncheck()
  await edit.getByLabel('Never').check()
  await confirmWith(page, 'Edit “marketing-bot”', 'Save changes')
  await rowOf(page, 'marketing-bot').getByText('Read · Write notes').waitFor()
  expect(await statusOf(key, '/v1/notes', note)).toEqual([201, undefined])
  expect(await statusOf(key, '/v1/post-sets', {})).toEqual([403, 'auth:insufficient_scope'])

  await choose(page, 'marketing-bot', 'Disable')
  await confirmWith(page, 'Disable “marketing-bot”?', 'Disable the key')
  await rowOf(page, 'marketing-bot').getByText('Disabled', { exact: true }).waitFor()
  expect(await statusOf(key, '/v1/social-sets')).toEqual([401, 'auth:invalid_credential'])
  await choose(page, 'marketing-bot', 'Enable')
  await confirmWith(page, 'Enable “marketing-bot”?', 'Enable the key')
  await rowOf(page, 'marketing-bot').getByText('Active', { exact: true }).waitFor()
  expect((await statusOf(key, '/v1/social-sets'))[0]).toBe(200)

  await choose(page, 'marketing-bot', 'Revoke')
  const revoke = dialogOf(page, 'Revoke “marketing-bot”?')
  await revoke.getByRole('button', { name: 'Revoke the key' }).click()
  await revoke.getByText('Type marketing-bot exactly as shown above.').waitFor()
  await revoke.getByLabel('Type the name of the key').fill('marketing-bot')
  await confirmWith(page, 'Revoke “marketing-bot”?', 'Revoke the key')
  await page.getByText('1 of 10 active').waitFor()
  expect((await statusOf(key, '/v1/social-sets'))[0]).toBe(401)
  await page.getByLabel('Show 1 revoked key').check()
  const row = rowOf(page, 'marketing-bot')
  await row.getByText('Revoked', { exact: true }).waitFor()
  await row
    .getByText(/^(just now|\d minutes? ago)/)
    .first()
    .waitFor()
}, 60_000)

test('a key for an agent takes one choice, has a budget and an end after 30 days, and shows its last calls', async () => {
  const page = await dashboard.open('/dashboard/settings/api-keys', { signedIn: true })
  await page.getByRole('button', { name: 'Create API key' }).click()
  const create = dialogOf(page, 'Create an API key')
  await create.getByLabel('Name', { exact: true }).fill('Claude')
  await create.getByLabel('An agent', { exact: true }).check()
  await create.getByLabel('Asks a person', { exact: true }).check()
  await create.getByLabel(/^In 30 days, on /).waitFor()
  await create.getByLabel('Posts a day').fill('few')
  await create.getByLabel('Your password', { exact: true }).fill(dashboard.owner.password)
  await create.getByRole('button', { name: 'Create key' }).click()
  await create.getByText('Enter a whole number up to 10000.').first().waitFor()
  await expectNoAxeViolations(page, 'the form of a key for an agent')
  await create.getByLabel('Posts a day').fill('1')
  await create.getByRole('button', { name: 'Create key' }).click()
  const store = dialogOf(page, 'Save the key “Claude”')
  await store.getByText(`claude mcp add --transport http almanac "${dashboard.url}/mcp"`).waitFor()
  const key = await store.getByLabel('API key', { exact: true }).inputValue()
  await store.getByRole('button', { name: 'I saved it' }).click()
  await rowOf(page, 'Claude').getByText('Agent that asks a person').waitFor()

  await using agent = await connectAgent({ url: dashboard.url, key })
  expect(await agent.tools()).toContain('ask_to_schedule')
  const { socialSetId } = dashboard
  const posts = [{ accountType: 'BLUESKY', caption: 'By an agent', media: [] }]
  const draft = { socialSetId, scheduledAt: '2031-05-01T10:00:00Z', posts }
  await agent.call('create_draft', draft)
  expect((await agent.refused('create_draft', draft)).more.code).toBe('api-key:budget_exceeded')
  await choose(page, 'Claude', 'Last calls')
  const calls = dialogOf(page, 'Last calls of “Claude”')
  await calls.getByText(/^Today: 1 of 1 posts, 0 bytes of 500 MB of media\./).waitFor()
  await calls.getByText('Refused: api-key:budget_exceeded').waitFor()
  expect(await calls.getByRole('listitem').count()).toBe(2)
  await expectNoAxeViolations(page, 'the last calls of a key')

  // What it brought says so to people, who find it among their own.
  await agent.call('add_note', { socialSetId, scheduledAt: '2031-05-02T10:00:00Z', content: 'From the agent' })
  const file = await dashboard.seed.by(key).media('photo.jpg', { name: 'Of the agent' })
  await page.goto(`${dashboard.url}${calendarPath('month', { set: socialSetId, date: '2031-05-02' })}`)
  await page.getByRole('button', { name: /^Note: .*From the agent$/ }).click()
  await dialogOf(page, 'Note').getByText('Agent, by the key “Claude”').waitFor()
  await page.goto(`${dashboard.url}/dashboard/media?set=${socialSetId}&file=${file}`)
  await dialogOf(page, 'Of the agent').getByText('Agent, by the key “Claude”').waitFor()
}, 60_000)
