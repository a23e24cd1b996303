import { access, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }
import { almanacJson, makeDataDir, runAlmanac, type Settings } from '../_util/processes/app.ts'

let dataDir: { path: string; remove(): Promise<void> }
let settings: Settings
const run = (...args: string[]) => runAlmanac(args, { settings })
const json = <T>(...args: string[]) => almanacJson<T>(args, { settings })

beforeAll(async () => {
  dataDir = await makeDataDir()
  settings = { ALMANAC_DATA_DIR: dataDir.path }
})
afterAll(() => dataDir.remove())

interface Account {
  accountId: string
  ownerEmail: string
  ownerPassword: string
  socialSetId: string
}
const id = expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/)

test('an operator sets an installation up with nothing running, one line of JSON per command', async () => {
  const account = await json<Account>(
    'accounts',
    'create',
    '--name',
    'Acme',
    '--plan',
    'PRO',
    '--timezone',
    'Asia/Kolkata',
  )
  expect(account).toEqual({
    accountId: id,
    ownerEmail: 'owner@acme.invalid',
    ownerPassword: expect.stringMatching(/^[\w-]{20}$/),
    socialSetId: id,
  })
  const { accountId } = account
  expect(await json('accounts', 'plan', accountId, 'SCALE')).toEqual({ accountId, plan: 'SCALE' })
  expect(
    await json('social-sets', 'create', '--account', accountId, '--name', 'Second', '--timezone', 'UTC', '--sandbox'),
  ).toEqual({ socialSetId: id })
  const [listed] = await json<{ socialSets: object[] }[]>('accounts', 'list')
  expect(listed).toMatchObject({ id: accountId, name: 'Acme', plan: 'SCALE' })
  expect(listed?.socialSets).toEqual([
    { id: account.socialSetId, name: 'Acme', timezone: 'Asia/Kolkata' },
    { id, name: 'Second', timezone: 'UTC' },
  ])
  const { stdout } = await run('accounts', 'list')
  expect(stdout.split('\n').map((line) => line.split(/ +/).slice(0, 2))).toEqual([
    [accountId, 'ACCOUNT'],
    [account.socialSetId, 'SOCIAL_SET'],
    [id, 'SOCIAL_SET'],
    [''],
  ])
  const key = ['keys', 'create', '--account', accountId, '--name', 'Program', '--scopes', '']
  expect(await json(...key, '--expires', '2090-01-01')).toEqual({ id, key: expect.stringMatching(/^alm_/) })
  expect(await run(...key, '--expires', '2020-01-01')).toMatchObject({
    code: 1,
    stderr: 'almanac: Choose an expiry date in the future.\n',
  })
  expect(await json('accounts', 'usage', accountId)).toMatchObject({
    members: { used: 1, limit: null },
    activeKeys: { used: 1, limit: 10 },
    features: ['video', 'carousels', 'repeats', 'approvals', 'apiAccess'],
  })
  expect(await json('labels', 'create', '--account', accountId, '--name', 'Autumn')).toEqual({
    id,
    name: 'Autumn',
    color: null,
  })
  expect(await json('labels', 'list', '--account', accountId)).toEqual([{ id, name: 'Autumn', color: null }])
  const connections = await json<{ sandbox: boolean; status: string }[]>('connections', 'list', '--account', accountId)
  expect(connections.every(({ sandbox, status }) => sandbox && status === 'CONNECTED')).toBe(true)
  expect(await json('connections', 'list', '--account', accountId, '--social-set', account.socialSetId)).toEqual([])
  // The command that started the database has stopped it.
  await expect(access(join(dataDir.path, 'postgres/cluster/postmaster.pid'))).rejects.toThrow()
}, 120_000)

test.each([
  [['accounts', 'create', '--name', 'X', '--plan', 'GOLD'], 1, /^almanac: There is no plan GOLD\. Available: FREE/],
  [['accounts', 'plan', 'nonsense', 'PRO'], 1, /^almanac: There is no account nonsense\.\n$/],
  [['accounts', 'create'], 2, /^almanac: --name is missing: almanac accounts create --name NAME/],
  [['accounts', 'plan', 'one'], 2, /^almanac: This is written: almanac accounts plan ACCOUNT PLAN\n$/],
  [['accounts', 'destroy'], 2, /^almanac: There is no command accounts destroy\. Available: accounts create/],
  [['upp'], 2, /^almanac: There is no command upp\./],
  [['labels', 'list', '--acount', 'x'], 2, /Unknown option '--acount'/],
] as const)('plan-01: %j ends with %i and one sentence', async (args, code, words) => {
  const finished = await run(...args)
  expect(finished).toMatchObject({ code, stdout: '' })
  expect(finished.stderr).toMatch(words)
})

test('a key for an agent has the scopes, the budget and the days that its choice has in the dashboard', async () => {
  const { accountId } = await json<Account>('accounts', 'create', '--name', 'Agents', '--plan', 'PRO')
  const key = ['keys', 'create', '--account', accountId, '--name', 'Agent', '--agent']
  const drafts = 'notes:write,post-sets:write,media:write'
  const made = { id, key: expect.stringMatching(/^alm_/), expiresAt: expect.any(String) }
  const inDays = Date.now() + 30 * 86_400_000
  const first = await json<{ expiresAt: string }>(...key, 'drafts')
  expect(first).toEqual({ ...made, scopes: drafts })
  expect(Math.abs(Date.parse(first.expiresAt) - inDays)).toBeLessThan(3_600_000)
  expect(await json(...key, 'asks')).toEqual({ ...made, scopes: drafts })
  expect(await json(...key, 'publishes', '--expires', '2090-01-01')).toEqual({
    ...made,
    scopes: `${drafts},post-sets:publish`,
    expiresAt: '2090-01-01',
  })
  for (const [args, code, words] of [
    [[...key, 'rules'], 1, /An agent publishes, asks or drafts; there is no "rules"\./],
    [[...key, 'drafts', '--scopes', 'post-sets:publish'], 2, /leave out --scopes/],
  ] as const) {
    const finished = await run(...args)
    expect(finished).toMatchObject({ code, stdout: '' })
    expect(finished.stderr).toMatch(words)
  }
  await json('accounts', 'plan', accountId, 'FREE')
  expect(await run(...key, 'asks')).toMatchObject({
    code: 1,
    stderr: 'almanac: The plan of the account does not include approvals: no one can be asked.\n',
  })
}, 120_000)

test('help names every command and every setting with what holds without it', async () => {
  const { code, stdout } = await run('--help')
  expect(code).toBe(0)
  for (const name of ['up', 'api', 'worker', 'sandbox', 'migrate', 'doctor', 'accounts create', 'connections add']) {
    expect(stdout).toContain(`  ${name}`)
  }
  expect(stdout).toMatch(/^ {2}ALMANAC_LATE_LIMIT=6h\n {6}A post/m)
  expect(stdout).toMatch(/^ {2}DATABASE_URL\n/m)
})

test('says its version', async () => {
  expect(await run('--version')).toMatchObject({ code: 0, stdout: `${manifest.version}\n` })
})

test('a sandbox that is switched off is not connected to', async () => {
  const finished = await runAlmanac(['accounts', 'create', '--name', 'Off', '--sandbox'], {
    settings: { ...settings, ALMANAC_SANDBOX: 'off' },
  })
  expect(finished.code).toBe(2)
  expect(finished.stderr).toMatch(/^almanac: The sandbox is off here/)
})

test('a command that calls no network loads none, nor the server, the sessions or the pictures', async () => {
  const file = join(dataDir.path, '../loaded-modules')
  const hook = join(import.meta.dirname, '../_util/list-modules.mjs')
  const settings = {
    ALMANAC_DATA_DIR: dataDir.path,
    NODE_OPTIONS: `--import ${hook}`,
    LOADED_MODULES_FILE: file,
  }
  await almanacJson(['users', 'list'], { settings })
  const loaded = (await readFile(file, 'utf8')).split('\n')
  expect(loaded.some((url) => url.includes('/src/operations/'))).toBe(true)
  const dispensable = /node_modules\/(better-auth|fastify|sharp|mediabunny|@atproto|twemoji-parser|pino)\//
  expect(loaded.filter((url) => dispensable.test(url))).toEqual([])
  const ofNetworks = loaded.filter((url) => /\/src\/networks\/(?!(?:kit|meta)\/)[^/]+\//.test(url))
  expect(ofNetworks.filter((url) => !/\/(manifest|agreement|limits\w*|[\w-]*manifest[\w-]*)\.ts$/.test(url))).toEqual(
    [],
  )
})
