import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Locator, Page } from 'playwright-core'
import type { Settings } from '../processes/app.ts'
import type { Dashboard } from './dashboard.ts'

/** Id and secret of the app that the network of these tests knows. */
export const KNOWN = { id: '4711', secret: 'the-secret-of-4711' }
export const PATH = '/dashboard/settings/network-apps'

/** Gives a token of the app itself to one that it knows, and refuses others in the words of the Graph API. */
export async function startTokenNetwork(): Promise<{ settings: Settings; close(): Promise<void> }> {
  const server = createServer((request, response) => {
    const { searchParams } = new URL(request.url ?? '', 'http://network.invalid')
    const refused = (code: number, message: string) => ({ status: 400, body: { error: { code, message } } })
    const { status, body } =
      searchParams.get('client_id') !== KNOWN.id
        ? refused(101, 'Error validating application.')
        : searchParams.get('client_secret') !== KNOWN.secret
          ? refused(1, 'Error validating client secret.')
          : { status: 200, body: { access_token: 'TH|4711|x', token_type: 'bearer' } }
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    settings: { ALMANAC_THREADS_GRAPH_URL: `http://127.0.0.1:${port}` },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

/** What is shown of an app whose line is open. */
export const openOf = (page: Page, title: string): Locator => page.getByRole('region', { name: title, exact: true })

/** Opens the line of an app. */
export async function openApp(page: Page, title: string): Promise<Locator> {
  await page.getByRole('button', { name: new RegExp(`^${title} `), expanded: false }).click()
  return openOf(page, title)
}

/** Fills in the dialog that is open, and saves. */
export async function enter(
  page: Page,
  { owner }: Pick<Dashboard, 'owner'>,
  { title, id, secret }: { title: string; id: string; secret: string },
): Promise<void> {
  const dialog = page.getByRole('dialog', { name: `App on ${title}` })
  await dialog.getByLabel('Id', { exact: true }).fill(id)
  await dialog.getByLabel('Secret', { exact: true }).fill(secret)
  await dialog.getByLabel('Your password', { exact: true }).fill(owner.password)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'detached' })
}
