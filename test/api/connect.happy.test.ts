import { afterAll, beforeAll, expect, test } from 'vitest'
import type { FinishedAuthorization, ReturnedAuthorization } from '#operations'
import { type Api, startApi } from '../_util/api/api.ts'

/** The page that ends a sign-in on a network: what it passes on, and what it says. */

let api: Api
let finished: FinishedAuthorization
const returned: ReturnedAuthorization[] = []
beforeAll(async () => {
  api = await startApi({
    finishAuthorization: async (with_) => {
      returned.push(with_)
      return finished
    },
  })
})
afterAll(() => api.close())

const comeBack = (query: string, network = 'bluesky') => fetch(`${api.url}/connect/${network}/callback?${query}`)
const connection = {
  connectionId: '019a9c6e-7d20-7b64-8c11-2f3e4d5c6b7a',
  accountType: 'PINTEREST' as const,
  name: 'Corner <Bakery>',
  username: 'corner',
  renewed: false,
  warning: null,
  missingDefaults: [],
}

test('what the browser brings is passed on as it came', async () => {
  finished = { kind: 'connected', title: 'Pinterest', connection }
  await comeBack('state=a%20b&code=c%2Bd%2F%3D&scope=x', 'two-words')
  await comeBack('error=access_denied&error_description=Said+no&state=s')
  expect(returned).toEqual([
    { network: 'two-words', state: 'a b', code: 'c+d/=', error: null, errorDescription: null, visitor: null },
    { network: 'bluesky', state: 's', code: null, error: 'access_denied', errorDescription: 'Said no', visitor: null },
  ])
})

test('a connected account is named, and what is to be chosen next', async () => {
  finished = { kind: 'connected', title: 'Pinterest', connection: { ...connection, missingDefaults: ['boardId'] } }
  const page = await comeBack('state=s&code=c')
  expect(page.status).toBe(200)
  const html = await page.text()
  expect(html).toContain('Corner &lt;Bakery&gt; on Pinterest is connected.')
  expect(html).toContain('<code>boardId</code>')
  expect(html).toContain(`almanac connections choose ${connection.connectionId}`)
  finished = { kind: 'connected', title: 'Pinterest', connection: { ...connection, renewed: true } }
  expect(await (await comeBack('state=s&code=c')).text()).toContain('is connected again.')
  finished = {
    kind: 'connected',
    title: 'Pinterest',
    connection: { ...connection, warning: 'Posts <may> be refused.' },
  }
  expect(await (await comeBack('state=s&code=c')).text()).toContain('Posts &lt;may&gt; be refused.')
})

test('several accounts are listed with the command that picks one', async () => {
  finished = {
    kind: 'choose',
    title: 'Pinterest',
    authorizationId: connection.connectionId,
    accountType: 'PINTEREST',
    accounts: [
      { externalId: '1', name: 'One & only', username: null },
      { externalId: '2', name: 'Two', username: 'two' },
    ],
  }
  const html = await (await comeBack('state=s&code=c')).text()
  expect(html).toContain('<td>One &amp; only</td><td></td><td><code>1</code></td>')
  expect(html).toContain(`almanac connections choose ${connection.connectionId} --pick ID`)
})

test('the stylesheet of the page is there', async () => {
  const html = await (await comeBack('state=s')).text()
  const [, href = ''] = /<link rel="stylesheet" href="([^"]+)"/.exec(html) ?? []
  expect((await fetch(`${api.url}${href}`)).status).toBe(200)
})
