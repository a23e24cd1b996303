import { afterAll, beforeAll, expect, test } from 'vitest'
import { testBrowser } from '../../_util/browser/browser.ts'
import { type Dashboard, startDashboard } from '../../_util/browser/dashboard.ts'
import { free } from '../../_util/browser/dashboard-connections.ts'
import { enter, KNOWN, openOf, startTokenNetwork } from '../../_util/browser/dashboard-network-apps.ts'

/** From a network that is not set up to its own page for the sign-in, without a shell. */

const browser = testBrowser()
let network: Awaited<ReturnType<typeof startTokenNetwork>>
let dashboard: Dashboard
beforeAll(async () => {
  network = await startTokenNetwork()
  dashboard = await startDashboard(browser, network.settings)
}, 120_000)
afterAll(async () => {
  await dashboard?.stop()
  await network?.close()
})

test('an operator comes from the dialog to connect, enters the app, has it checked, and signs in on the network', async () => {
  await free(dashboard, 'THREADS')
  const page = await dashboard.open('/dashboard/connections', { signedIn: true })
  await page.getByRole('button', { name: 'How to connect Threads' }).click()
  await page.getByRole('link', { name: 'Set up Threads' }).click()
  const asking = page.getByRole('dialog', { name: 'App on Threads' })
  await asking.getByLabel('Callback address of Threads').waitFor()
  await asking.getByRole('link', { name: /^How to get an app on Threads/ }).waitFor()
  await enter(page, dashboard, { title: 'Threads', ...KNOWN })
  const card = openOf(page, 'Threads')
  await card.getByText('Threads knows this app. Id and secret are right.').waitFor()
  await card.getByText(/^Entered by Owner of/).waitFor()
  await card.getByText('Secret set, never shown').waitFor()
  expect(await card.getByLabel('Callback address of Threads').inputValue()).toBe(
    `${dashboard.url}/connect/threads/callback`,
  )
  expect(await page.content()).not.toContain(KNOWN.secret)

  const asked: string[] = []
  await page.context().route('https://www.threads.com/**', (route) => {
    asked.push(route.request().url())
    return route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>Threads</title><h1>Threads</h1>' })
  })
  await card.getByRole('link', { name: 'Connect an account on Threads' }).click()
  await page.getByRole('button', { name: 'Connect Threads' }).click()
  await page.getByRole('button', { name: 'Continue to Threads' }).click()
  await page.getByRole('heading', { name: 'Threads', level: 1 }).waitFor()
  expect(new URL(asked[0] ?? '').searchParams.get('client_id')).toBe(KNOWN.id)
}, 60_000)
