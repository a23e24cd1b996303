import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createSecretBox } from '#domain'
import { createIdentity } from '#identity'
import { type ConnectOutcome, type Network, type NetworkIdentity, networksOf, OPERATOR_SERVICE } from '#networks'
import { type Database, openDatabase, readSealedIdentity, requireReconnect } from '#persistence'
import { createDatabase } from '../../../test/_util/database/database.ts'
import { createAccount } from '../accounts/create.ts'
import { Refusal } from '../refusal.ts'
import { createSocialSet } from '../social-sets/create.ts'
import { type AddConnectionInput, addConnection } from './add.ts'
import { closeConnection } from './close.ts'
import { addSandboxConnection } from './connect-sandbox.ts'
import { createCredentialBox } from './credentials.ts'
import { listConnections } from './list.ts'

let database: { url: string; drop(): Promise<void> }
let db: Database
let accountId: string
let socialSetId: string
const box = createSecretBox([randomBytes(32)])
const credentials = createCredentialBox(box)

const signIn = {
  outcome: { kind: 'failed', message: '' } as ConnectOutcome,
  heard: [] as unknown[],
  before: async () => {},
}
const unused = () => {
  throw new Error('Not asked for here.')
}
const scripted = {
  manifest: {
    name: 'scripted',
    title: 'Scripted',
    accountTypes: ['BLUESKY'],
    defaults: [],
    endpoints: {},
    settings: {},
  },
  connect: {
    withPassword: async (_: unknown, input: unknown) => {
      signIn.heard.push(input)
      await signIn.before()
      return signIn.outcome
    },
    refresh: null,
  },
} as Partial<Record<keyof Network, unknown>> as unknown as Network
const wordless = {
  manifest: { name: 'wordless', title: 'Wordless', accountTypes: ['TIKTOK', 'YOUTUBE'], defaults: [] },
  connect: { refresh: null },
} as Partial<Record<keyof Network, unknown>> as unknown as Network

const deps = () => ({
  db,
  credentials,
  networks: networksOf([scripted, wordless]),
  connectContext: () => ({ endpoint: unused, setting: unused, http: unused, signal: AbortSignal.abort(), now: unused }),
  identity: createIdentity({
    db,
    newId: unused,
    publicUrl: 'https://almanac.test',
    secrets: box.derive('sessions'),
  }),
  sandboxIdentity: (network: Network, connection: { id: string; name: string }) =>
    person(`${network.manifest.name}-${connection.id}`, connection.name),
})
const person = (externalId: string, name = 'Ada'): NetworkIdentity => ({
  externalId,
  name,
  username: `${externalId}.example`,
  profileUrl: null,
  avatarUrl: null,
  credentials: { token: `token of ${externalId}` },
  expiresAt: null,
})
const add = (change: Partial<AddConnectionInput> = {}) =>
  addConnection(deps(), {
    accountId,
    socialSetId,
    network: 'scripted',
    accountType: null,
    service: null,
    serviceMayBePrivate: true,
    seenBy: null,
    identifier: 'ada.example',
    password: 'app password',
    ...change,
  })
const list = (closed = false) => listConnections(deps(), { accountId, socialSetId: null, closed })

beforeAll(async () => {
  database = await createDatabase()
  db = openDatabase(database.url)
})
afterAll(async () => {
  await db.destroy()
  await database.drop()
})
beforeEach(async () => {
  signIn.outcome = { kind: 'connected', identity: person('ada') }
  signIn.heard = []
  signIn.before = async () => {}
  const account = { name: 'Test', plan: 'SCALE', timezone: 'UTC', sandbox: false, ownerEmail: null }
  ;({ accountId, socialSetId } = await createAccount(deps(), account))
})

async function identityOf(connectionId: string) {
  const { identity_id } = await db
    .selectFrom('connections')
    .select('identity_id')
    .where('id', '=', connectionId)
    .executeTakeFirstOrThrow()
  const identity = await readSealedIdentity(db, identity_id)
  if (!identity?.secret || !identity.secretKeyId) throw new Error('No secret.')
  const { secret, secretKeyId } = identity
  return { ...identity, secret, opened: credentials.open(identity.id, { secret, secretKeyId }) }
}

test('a connection is made with sealed credentials', async () => {
  const added = await add({ service: 'https://pds.example/x' })
  expect(added).toEqual({
    connectionId: added.connectionId,
    accountType: 'BLUESKY',
    name: 'Ada',
    username: 'ada.example',
    renewed: false,
    warning: null,
    missingDefaults: [],
  })
  expect(signIn.heard).toEqual([
    { service: 'https://pds.example', identifier: 'ada.example', password: 'app password' },
  ])
  expect(await list()).toMatchObject([
    { id: added.connectionId, status: 'CONNECTED', sandbox: false, network: 'scripted' },
  ])
  const identity = await identityOf(added.connectionId)
  expect(identity.opened).toEqual({ token: 'token of ada' })
  expect(identity.secret.includes('token of ada')).toBe(false)
  expect(identity.endpoints).toEqual({ [OPERATOR_SERVICE]: 'https://pds.example' })
})

test('publish-15: the same account again renews the connection, wherever it is used, and keeps its id', async () => {
  const first = await add()
  const other = await createSocialSet(deps(), { accountId, name: 'Other', timezone: 'UTC', sandbox: false })
  const second = await add({ socialSetId: other.socialSetId })
  expect((await identityOf(first.connectionId)).id).toBe((await identityOf(second.connectionId)).id)
  const before = await identityOf(first.connectionId)
  await requireReconnect(db, before.id, 'The password was withdrawn.')
  expect((await list()).map(({ status }) => status)).toEqual(['RECONNECT_REQUIRED', 'RECONNECT_REQUIRED'])

  signIn.outcome = { kind: 'connected', identity: { ...person('ada', 'Ada L.'), credentials: { token: 'new' } } }
  expect(await add()).toMatchObject({ connectionId: first.connectionId, renewed: true, name: 'Ada L.' })
  const rows = await list()
  expect(rows.map(({ id }) => id).sort()).toEqual([first.connectionId, second.connectionId].sort())
  expect(rows).toMatchObject([
    { status: 'CONNECTED', statusReason: null, name: 'Ada L.' },
    { status: 'CONNECTED', statusReason: null, name: 'Ada L.' },
  ])
  const after = await identityOf(first.connectionId)
  expect(after.opened).toEqual({ token: 'new' })
  expect(after.refreshedAt).not.toEqual(before.refreshedAt)
})

test('what the network reports for the account takes the place of what was chosen, in all its connections', async () => {
  const defaultsOf = async () => {
    const rows = await db.selectFrom('connections').select('defaults').where('account_id', '=', accountId).execute()
    return rows.map(({ defaults }) => defaults)
  }
  signIn.outcome = { kind: 'connected', identity: { ...person('ada'), facts: { longPosts: true } } }
  await add()
  const other = await createSocialSet(deps(), { accountId, name: 'Other', timezone: 'UTC', sandbox: false })
  await add({ socialSetId: other.socialSetId })
  expect(await defaultsOf()).toEqual([{ longPosts: true }, { longPosts: true }])
  await db
    .updateTable('connections')
    .set({ defaults: JSON.stringify({ longPosts: true, language: 'de' }) })
    .where('account_id', '=', accountId)
    .execute()
  signIn.outcome = { kind: 'connected', identity: { ...person('ada'), facts: { longPosts: false } } }
  await add()
  const after = { longPosts: false, language: 'de' }
  expect(await defaultsOf()).toEqual([after, after])
  // A sign-in that reports nothing changes nothing.
  signIn.outcome = { kind: 'connected', identity: person('ada') }
  await add()
  expect(await defaultsOf()).toEqual([after, after])
})

test('shape-44, publish-25: another account is refused in words until the first is closed', async () => {
  const first = await add()
  signIn.outcome = { kind: 'connected', identity: person('bob', 'Bob') }
  await expect(add()).rejects.toThrow(/connected to another Scripted account, Ada/)
  expect(await list()).toHaveLength(1)
  await closeConnection(deps(), first.connectionId)
  const second = await add()
  expect(second.renewed).toBe(false)
  expect(await list()).toMatchObject([{ id: second.connectionId, name: 'Bob' }])
  expect(await list(true)).toMatchObject([{ id: second.connectionId }, { id: first.connectionId }])
  await expect(closeConnection(deps(), first.connectionId)).rejects.toThrow(/no open connection/)
})

test('shape-44: several at once make one connection', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  signIn.before = () => {
    if (signIn.heard.length === 5) resolve()
    return promise
  }
  const added = await Promise.all([add(), add(), add(), add(), add()])
  expect(new Set(added.map(({ connectionId }) => connectionId)).size).toBe(1)
  expect(await list()).toHaveLength(1)
})

test('a social set is connected to every demo account, each an identity of its own', async () => {
  const { socialSetId: demo } = await createSocialSet(deps(), {
    accountId,
    name: 'Demo',
    timezone: 'UTC',
    sandbox: true,
  })
  const rows = await listConnections(deps(), { accountId, socialSetId: demo, closed: false })
  expect(rows.map(({ accountType }) => accountType)).toEqual(['BLUESKY', 'TIKTOK', 'YOUTUBE'])
  expect(rows.every(({ sandbox, name }) => sandbox && name === 'Demo')).toBe(true)
  const secrets = await Promise.all(rows.map(({ id }) => identityOf(id)))
  expect(new Set(secrets.map(({ id }) => id)).size).toBe(3)
})

test.each<[string, Partial<AddConnectionInput>, RegExp]>([
  ['a network that does not exist', { network: 'myspace' }, /no network myspace. Available: scripted, wordless/],
  [
    'a network without passwords',
    { network: 'wordless', accountType: 'TIKTOK' },
    /cannot be connected with a password/,
  ],
  ['a network of several account types', { network: 'wordless' }, /TIKTOK and YOUTUBE: say which/],
  ['an account type of another network', { accountType: 'TIKTOK' }, /Scripted serves BLUESKY/],
  ['a social set that does not exist', { socialSetId: 'nonsense' }, /no social set nonsense/],
  ['an account that does not exist', { accountId: 'nonsense' }, /no account nonsense/],
  ['an address that is none', { service: 'ftp://pds.example' }, /not the address of a server/],
])('%s is refused before anybody is asked', async (_, change, words) => {
  await expect(add(change)).rejects.toThrow(words)
  await expect(add(change)).rejects.toThrow(Refusal)
  expect(signIn.heard).toEqual([])
})

test("the social set of another account is not there, and the network's refusal is reported as it is", async () => {
  const mine = socialSetId
  const other = await createAccount(deps(), {
    name: 'Other',
    plan: 'SCALE',
    timezone: 'UTC',
    sandbox: false,
    ownerEmail: null,
  })
  await expect(add({ accountId: other.accountId, socialSetId: mine })).rejects.toThrow(Refusal)
  signIn.outcome = { kind: 'failed', message: 'The app password is wrong.' }
  await expect(add()).rejects.toThrow('The app password is wrong.')
})

test('a demo account of a network without a sign-in page is connected by a word, and again after it was closed', async () => {
  const add = () => addSandboxConnection(deps(), { accountId, socialSetId, network: 'scripted', accountType: null })
  const first = await add()
  expect(first).toMatchObject({ accountType: 'BLUESKY', name: 'Scripted (sandbox)' })
  expect(await list()).toMatchObject([{ id: first.connectionId, sandbox: true }])
  await expect(add()).rejects.toThrow(/already connected to Scripted \(sandbox\) on Scripted/)
  await closeConnection(deps(), first.connectionId)
  const second = await add()
  expect(await list()).toMatchObject([{ id: second.connectionId }])
  await expect(
    addSandboxConnection(deps(), { accountId, socialSetId: 'nonsense', network: 'scripted', accountType: null }),
  ).rejects.toThrow(/no social set/)
})
