import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { NetworkApp, NetworkApps } from '#contract'
import { createSecretBox } from '#domain'
import { loadNetworks, networkAppsOf } from '#networks'
import { readNetworkApp, requireApp } from '#operations'
import { openNetworkApps } from '../../src/app/network-apps.ts'
import { type Api, startApi } from '../_util/api/api.ts'
import { anyRate, SECRET_BOX } from '../_util/api/connections.ts'
import { type Person, signInAs, signInAsOperator } from '../_util/api/members.ts'

/** The operator's apps: entered, taken by every process, removed. */

const SETTINGS = { pinterest: { CLIENT_ID: 'pins-of-the-environment', CLIENT_SECRET: 'hush-of-the-environment' } }
const networks = await loadNetworks()
let api: Api
let operator: Person
beforeAll(async () => {
  api = await startApi({ rate: anyRate, connections: { settings: SETTINGS } })
  operator = await signInAsOperator(api)
})
afterAll(() => api.close())

const set = (id: string, body: object, by = operator) =>
  by.request('PUT', `/network-apps/${id}`, { body: { password: by.password, ...body } })
const remove = (id: string) =>
  operator.request('DELETE', `/network-apps/${id}`, { body: { password: operator.password } })
async function read(): Promise<Record<string, NetworkApp>> {
  const { status, body } = await operator.request('GET', '/network-apps')
  expect(status, JSON.stringify(body)).toBe(200)
  return Object.fromEntries((body as NetworkApps).apps.map((app) => [app.id, app]))
}

test('every app that a manifest declares is listed, in alphabetical order, with its callback address', async () => {
  const declared = networks.all.flatMap(networkAppsOf)
  const secrets = networks.all.flatMap(({ manifest: { name, settings } }) =>
    Object.keys(settings).flatMap((setting) => (settings[setting]?.secret ? [`${name} ${setting}`] : [])),
  )
  // A secret that belongs to no app could be entered nowhere.
  expect(declared.map(({ network, secretSetting }) => `${network} ${secretSetting}`).sort()).toEqual(secrets.sort())
  const apps = await read()
  expect(Object.keys(apps).sort()).toEqual(declared.map(({ id }) => id).sort())
  const titles = Object.values(apps).map(({ title }) => title)
  expect(titles).toEqual(titles.toSorted((a, b) => a.localeCompare(b, 'en')))
  expect(apps['linkedin.page']).toEqual({
    id: 'linkedin.page',
    network: 'linkedin',
    accountTypes: expect.arrayContaining(['LINKEDIN_PAGE', 'LINKEDIN_PERSONAL']),
    title: 'LinkedIn, pages',
    needed: false,
    callbackUrl: 'https://almanac.test/connect/linkedin/callback',
    idVariable: 'ALMANAC_LINKEDIN_PAGE_CLIENT_ID',
    idDescription: expect.stringContaining('Community Management API'),
    secretVariable: 'ALMANAC_LINKEDIN_PAGE_CLIENT_SECRET',
    secretDescription: expect.any(String),
    secretNeeded: true,
    source: 'NONE',
    appId: null,
    secretSet: false,
    missingVariables: [],
    setAt: null,
    setBy: null,
    checkable: true,
  })
  expect(apps.x).toMatchObject({ needed: true, secretNeeded: false })
  expect(apps.tiktok).toMatchObject({ idVariable: 'ALMANAC_TIKTOK_CLIENT_KEY', secretNeeded: true })
})

test('what is entered is sealed, shows when and by whom it was, and makes the network one that can be connected', async () => {
  const owner = await signInAs(api, 'owner')
  const connectable = async () => {
    const { body } = await owner.request('GET', `/connections?socialSetId=${api.socialSetId}`)
    return body.accountTypes.find(({ accountType }: { accountType: string }) => accountType === 'TIKTOK').configured
  }
  expect(await connectable()).toBe(false)
  const saved = await set('tiktok', { appId: ' key-of-tiktok ', secret: ' hush-of-tiktok\n' })
  expect(saved.status, JSON.stringify(saved.body)).toBe(200)
  expect(saved.body).toMatchObject({ source: 'STORED', appId: 'key-of-tiktok', secretSet: true, setBy: 'Ada' })
  expect(Math.abs(Date.parse(saved.body.setAt) - Date.now())).toBeLessThan(60_000)
  expect((await read()).tiktok).toEqual(saved.body)
  expect(await connectable()).toBe(true)
  const body = { socialSetId: api.socialSetId, accountType: 'TIKTOK', sandbox: false }
  const started = await owner.request('POST', '/connections/authorizations', { body })
  expect(new URL(started.body.address).searchParams.get('client_key')).toBe('key-of-tiktok')
  const rows = JSON.stringify(await api.db.selectFrom('network_apps').selectAll().execute())
  expect(rows).not.toMatch(/key-of-tiktok|hush-of-tiktok/)

  expect((await remove('tiktok')).body).toMatchObject({ source: 'NONE', appId: null, secretSet: false, setAt: null })
  expect(await connectable()).toBe(false)
})

test('an app without a secret is one where the network knows such apps', async () => {
  const saved = await set('x', { appId: 'public-client', secret: null })
  expect([saved.status, saved.body]).toEqual([
    200,
    expect.objectContaining({ appId: 'public-client', secretSet: false }),
  ])
  await remove('x')
})

test('the environment wins, for the app as a whole, and only there it is changed', async () => {
  const row = { network: 'pinterest', prefix: '', set_by: null, set_by_name: 'Ada' }
  const sealed = SECRET_BOX.seal(Buffer.from('{"id":"stored","secret":"stored"}'), 'network_apps/x')
  const stored = { secret: sealed.bytes, secret_key_id: sealed.keyId }
  await api.db
    .insertInto('network_apps')
    .values({ id: operator.userId, ...row, ...stored })
    .execute()
  expect((await read()).pinterest).toMatchObject({
    source: 'ENVIRONMENT',
    appId: 'pins-of-the-environment',
    secretSet: true,
    setAt: null,
    setBy: null,
  })
  for (const answer of [await set('pinterest', { appId: 'a', secret: 'b' }), await remove('pinterest')]) {
    expect([answer.status, answer.body.message]).toEqual([409, expect.stringContaining('set in the environment')])
  }
  await api.db.deleteFrom('network_apps').execute()
})

test('other processes take a change: by a notification, or by the clock when none is heard', async () => {
  const log = { warn() {} } as unknown as Parameters<typeof openNetworkApps>[0]['log']
  const parts = { config: { networks: {} }, networks, db: api.db, box: SECRET_BOX, log }
  await using closing = new AsyncDisposableStack()
  const hearing = await openNetworkApps({ ...parts, directUrl: api.databaseUrl }, closing, { againMs: 3_600_000 })
  const deaf = await openNetworkApps({ ...parts, directUrl: null }, closing, { againMs: 50 })
  const alone = await openNetworkApps({ ...parts, directUrl: null }, closing, { againMs: 3_600_000 })
  const idOf = (apps: typeof hearing) => apps.settingsOf('threads').CLIENT_ID
  await set('threads', { appId: 'one', secret: 'hush' })
  await vi.waitFor(() => expect([idOf(hearing), idOf(deaf)]).toEqual(['one', 'one']), { timeout: 10_000 })
  await set('threads', { appId: 'two', secret: 'hush' })
  await vi.waitFor(() => expect([idOf(hearing), idOf(deaf)]).toEqual(['two', 'two']), { timeout: 10_000 })
  expect(idOf(alone)).toBeUndefined()
  await alone.refresh()
  expect(idOf(alone)).toBe('two')
  await remove('threads')
  await vi.waitFor(() => expect([idOf(hearing), idOf(deaf)]).toEqual([undefined, undefined]), { timeout: 10_000 })
})

test('what no key opens is said to be unreadable, and can be entered again', async () => {
  await set('threads', { appId: 'lost', secret: 'hush' })
  const parts = { db: api.db, networks, publicUrl: 'https://almanac.test', environmentOf: () => ({}) }
  const other = { ...parts, box: createSecretBox([randomBytes(32)]) }
  const app = requireApp(other, 'threads')
  expect(await readNetworkApp(other, app)).toMatchObject({
    source: 'UNREADABLE',
    appId: null,
    secretSet: false,
    setBy: 'Ada',
  })
  expect(await readNetworkApp({ ...parts, box: SECRET_BOX }, app)).toMatchObject({ source: 'STORED', appId: 'lost' })
  await remove('threads')
})
