import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { Page } from 'playwright-core'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testBrowser } from '../../_util/browser/browser.ts'
import type { Dashboard } from '../../_util/browser/dashboard.ts'
import { expectEveryLook, expectNoAxeViolations } from '../../_util/browser/dashboard-checks.ts'
import { joinDashboard } from '../../_util/browser/dashboard-of-worker.ts'

/** A webhook from the screen to its receiver. */

const browser = testBrowser()
let dashboard: Dashboard
beforeAll(async () => {
  dashboard = await joinDashboard(browser)
}, 120_000)
afterAll(() => dashboard?.stop())

const PATH = '/dashboard/settings/webhooks'
const dialogOf = (page: Page, name: string | RegExp) => page.getByRole('dialog', { name })

/** A receiver that checks signatures, and answers `status`. */
async function startReceiver() {
  const got: { type: string; ok: boolean }[] = []
  const wanted = { status: 200, secret: '' }
  const server = createServer(async (request, response) => {
    const body = await text(request)
    const event = JSON.parse(body) as { type: string }
    let ok = true
    try {
      new Webhook(wanted.secret).verify(body, request.headers as Record<string, string>)
    } catch {
      ok = false
    }
    got.push({ type: event.type, ok })
    response.writeHead(wanted.status).end('Thanks')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    got,
    wanted,
    url: `http://127.0.0.1:${port}/hook`,
    close: () => new Promise((resolve) => server.close(resolve)),
  }
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

test('a webhook is added, tested, sent again, switched off and on, and deleted', async () => {
  const receiver = await startReceiver()
  try {
    const page = await dashboard.open(PATH, { signedIn: true })
    await page.getByText('There is no webhook yet.').waitFor()
    await expectEveryLook(page, 'webhooks, none')
    await page.getByRole('button', { name: 'Add a webhook' }).click()
    const add = dialogOf(page, 'Add a webhook')
    await add.getByRole('button', { name: 'Add the webhook' }).click()
    await add.getByRole('alert').getByRole('button', { name: 'Enter the address.' }).click()
    await page.keyboard.type(receiver.url)
    await add.getByLabel('What it is for').fill('Newsroom')
    await add.getByLabel('Some', { exact: true }).check()
    await add.getByLabel('post_set.created').check()
    await expectNoAxeViolations(page, 'the form of a webhook')
    await add.getByLabel('Your password', { exact: true }).fill(dashboard.owner.password)
    await add.getByRole('button', { name: 'Add the webhook' }).click()
    const store = dialogOf(page, 'Save the secret')
    receiver.wanted.secret = await store.getByLabel('Secret', { exact: true }).inputValue()
    expect(receiver.wanted.secret).toMatch(/^whsec_/)
    await expectNoAxeViolations(page, 'the secret')
    await store.getByRole('button', { name: 'I saved it' }).click()

    await page.getByText('1 of 20 active').waitFor()
    await page.getByRole('button', { name: `Send a test to ${receiver.url}` }).click()
    await expect.poll(() => receiver.got).toEqual([{ type: 'webhook.test', ok: true }])
    const draft = {
      ...{ socialSetId: dashboard.socialSetId, status: 'DRAFT', approval: 'NONE', scheduledAt: '2031-01-01T10:00:00Z' },
      posts: [{ accountType: 'BLUESKY', caption: 'For the newsroom', media: [] }],
    }
    receiver.wanted.status = 410
    await dashboard.seed.call('POST', '/v1/post-sets', draft)
    await expect.poll(() => receiver.got.at(-1)).toEqual({ type: 'post_set.created', ok: true })
    // The receiver said that it is gone.
    await page.getByText(/is gone \(410\)/).waitFor()
    await expectEveryLook(page, 'webhooks, one closed')
    receiver.wanted.status = 200
    await page.getByRole('button', { name: `Open again: ${receiver.url}` }).click()
    await confirmWith(page, 'Open it again?', 'Open the webhook')
    await page.getByText('Active', { exact: true }).waitFor()
    await expect.poll(() => receiver.got.filter(({ type }) => type === 'post_set.created').length).toBe(2)

    await page.getByRole('button', { name: `What was sent to ${receiver.url}` }).click()
    const log = dialogOf(page, 'What was sent')
    await log.getByText('post_set.created').first().waitFor()
    await log.getByText('It answered 410 Gone.').waitFor()
    await expectNoAxeViolations(page, 'the log of a webhook')
    await log.getByRole('button', { name: 'Send again' }).first().click()
    await expect.poll(() => receiver.got.filter(({ type }) => type === 'post_set.created').length).toBe(3)
    await log.getByRole('button', { name: 'Close' }).click()

    await choose(page, 'Newsroom', 'Replace the secret')
    await dialogOf(page, 'Replace the secret?')
      .getByLabel('Your password', { exact: true })
      .fill(dashboard.owner.password)
    await dialogOf(page, 'Replace the secret?').getByRole('button', { name: 'Replace the secret' }).click()
    await dialogOf(page, 'Save the secret').getByRole('button', { name: 'I saved it' }).click()
    await page.getByText(/The secret before this one signs too/).waitFor()
    await choose(page, 'Newsroom', 'Switch off')
    await confirmWith(page, 'Switch it off?', 'Switch off')
    await page.getByText('Switched off', { exact: true }).first().waitFor()
    await choose(page, 'Newsroom', 'Edit')
    const edit = dialogOf(page, 'Edit the webhook')
    await edit.getByLabel('All, also those of later versions').check()
    await edit.getByLabel('Your password', { exact: true }).fill(dashboard.owner.password)
    await edit.getByRole('button', { name: 'Save changes' }).click()
    await page.getByText(/All events/).waitFor()
    await choose(page, 'Newsroom', 'Delete')
    await confirmWith(page, 'Delete the webhook?', 'Delete the webhook')
    await page.getByText('There is no webhook yet.').waitFor()
    expect(receiver.got.every(({ ok }) => ok)).toBe(true)
  } finally {
    await receiver.close()
  }
})
