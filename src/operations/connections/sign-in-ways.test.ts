import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createSecretBox } from '#domain'
import { createIdentity } from '#identity'
import { type Network, type NetworkIdentity, networksOf } from '#networks'
import { type Database, openDatabase } from '#persistence'
import { createDatabase } from '../../../test/_util/database/database.ts'
import { createAccount } from '../accounts/create.ts'
import { createSocialSet } from '../social-sets/create.ts'
import { createAuthorizationBox, createCredentialBox } from './credentials.ts'
import { connectChosen, finishAuthorization } from './finish-authorization.ts'
import { listConnections } from './list.ts'
import { type AuthorizationDeps, startAuthorization } from './start-authorization.ts'

/** A network with two ways to sign in to the same accounts. */

const box = createSecretBox([randomBytes(32)])
let database: { url: string; drop(): Promise<void> }
let db: Database
let accountId: string
let socialSetId: string
let settings: Record<string, string>
/** Names of the accounts that a sign-in gives. */
let names: [string, ...string[]]
let codes: string[]

const identity = (name: string, signIn: string | null): NetworkIdentity => ({
  externalId: name,
  name,
  username: null,
  profileUrl: null,
  avatarUrl: null,
  credentials: { accessToken: `token of ${name}` },
  expiresAt: null,
  ...(signIn === null ? {} : { signIn }),
})
const way = (name: string, signIn: string | null, requires: string) => ({
  requires: [requires],
  pkce: false,
  authorizeUrl: (_: unknown, { state }: { state: string }) => `https://${name}.example/?state=${state}`,
  async complete(_: unknown, { code }: { code: string }) {
    codes.push(`${name} ${code}`)
    return { kind: 'accounts', accounts: names.map((each) => identity(each, signIn)) }
  },
})
const network = {
  manifest: {
    name: 'scripted',
    title: 'Scripted',
    accountTypes: ['PINTEREST'],
    endpoints: {},
    settings: {},
    defaults: [],
    signIns: [
      { name: 'usual', title: 'Usual', description: '' },
      { name: 'other', title: 'Other', description: '' },
    ],
  },
  connect: {
    oauth: way('usual', null, 'CLIENT_ID'),
    otherSignIns: { other: way('other', 'other', 'OTHER_ID') },
    refresh: null,
  },
} as Partial<Record<keyof Network, unknown>> as unknown as Network

const unused = () => {
  throw new Error('Not asked for here.')
}
const deps = (): AuthorizationDeps => ({
  db,
  credentials: createCredentialBox(box),
  authorizations: createAuthorizationBox(box),
  publicUrl: 'https://almanac.test',
  networks: networksOf([network]),
  connectContext: () => ({
    endpoint: unused,
    setting: (name) => settings[name] ?? '',
    http: unused,
    signal: AbortSignal.abort(),
    now: unused,
  }),
})
const start = (more: { signIn?: string | null; socialSetId?: string } = {}) =>
  startAuthorization(deps(), {
    ...{ accountId, socialSetId, network: 'scripted', accountType: null, sandbox: false, startedBy: null },
    ...more,
  })
const comeBack = ({ authorizeUrl }: { authorizeUrl: string }) =>
  finishAuthorization(deps(), {
    ...{ network: 'scripted', code: 'code', error: null, errorDescription: null, visitor: null },
    state: new URL(authorizeUrl).searchParams.get('state'),
  })
const ways = async () =>
  (await listConnections(deps(), { accountId, socialSetId: null, closed: false })).map(({ signIn }) => signIn)
const hostOf = async (more: { signIn?: string | null } = {}) => new URL((await start(more)).authorizeUrl).host

beforeAll(async () => {
  database = await createDatabase()
  db = openDatabase(database.url)
})
afterAll(async () => {
  await db.destroy()
  await database.drop()
})
beforeEach(async () => {
  settings = { CLIENT_ID: 'app', OTHER_ID: 'app' }
  names = ['Ada']
  codes = []
  const secrets = box.derive('sessions')
  const users = createIdentity({ db, newId: unused, publicUrl: 'https://almanac.test', secrets })
  ;({ accountId, socialSetId } = await createAccount(
    { ...deps(), identity: users, sandboxIdentity: unused },
    { name: 'Test', plan: 'SCALE', timezone: 'UTC', sandbox: false, ownerEmail: null },
  ))
})

test('the connection says by which way it came, until a sign-in to the same account by another', async () => {
  const first = await comeBack(await start({ signIn: 'other' }))
  expect(first).toMatchObject({ kind: 'connected', connection: { renewed: false } })
  expect(codes).toEqual(['other code'])
  expect(await ways()).toEqual(['other'])
  expect(await comeBack(await start({ signIn: 'usual' }))).toMatchObject({ connection: { renewed: true } })
  expect(codes).toEqual(['other code', 'usual code'])
  expect(await ways()).toEqual([null])
})

test('all connections of an account say so: they share its secrets', async () => {
  await comeBack(await start())
  const place = { accountId, name: 'Other', timezone: 'UTC', sandbox: false }
  const other = await createSocialSet({ ...deps(), sandboxIdentity: unused }, place)
  await comeBack(await start({ signIn: 'other', socialSetId: other.socialSetId }))
  expect(await ways()).toEqual(['other', 'other'])
})

test('an account that is chosen among several keeps the way', async () => {
  names = ['Ada', 'Bob']
  const started = await start({ signIn: 'other' })
  expect(await comeBack(started)).toMatchObject({ kind: 'choose' })
  await connectChosen(deps(), { authorizationId: started.authorizationId, externalId: 'Bob', seenBy: null })
  expect(await ways()).toEqual(['other'])
})

test('the way is the first that is set up, unless one is named', async () => {
  expect(await hostOf()).toBe('usual.example')
  settings = { OTHER_ID: 'app' }
  expect(await hostOf()).toBe('other.example')
  for (const signIn of ['usual', null]) {
    await expect(start({ signIn })).rejects.toThrow(/set ALMANAC_SCRIPTED_CLIENT_ID\./)
  }
  settings = {}
  await expect(start()).rejects.toThrow(/set ALMANAC_SCRIPTED_CLIENT_ID\./)
  await expect(start({ signIn: 'other' })).rejects.toThrow(/set ALMANAC_SCRIPTED_OTHER_ID\./)
  const words = 'Scripted has no sign-in named third. Available: usual, other.'
  await expect(start({ signIn: 'third' })).rejects.toThrow(words)
})
