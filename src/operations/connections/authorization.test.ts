import { createHash, randomBytes } from 'node:crypto'
import Type from 'typebox'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createSecretBox } from '#domain'
import { createIdentity } from '#identity'
import {
  type DefaultOptions,
  type Network,
  type NetworkIdentity,
  networksOf,
  type OptionsOutcome,
  type RefreshOutcome,
  type SignInOutcome,
} from '#networks'
import { type Database, openDatabase, removeOldRows, requireReconnect } from '#persistence'
import { createDatabase } from '../../../test/_util/database/database.ts'
import { createAccount } from '../accounts/create.ts'
import { Refusal } from '../refusal.ts'
import { chooseDefaults, readDefaults } from './choose-defaults.ts'
import { closeConnection } from './close.ts'
import { createAuthorizationBox, createCredentialBox } from './credentials.ts'
import { connectChosen, finishAuthorization, readChoices } from './finish-authorization.ts'
import { listConnections } from './list.ts'
import { type AuthorizationDeps, startAuthorization } from './start-authorization.ts'

let database: { url: string; drop(): Promise<void> }
let db: Database
let accountId: string
let socialSetId: string
const box = createSecretBox([randomBytes(32)])

/** What the scripted network says, and what it was asked. */
const script = {
  outcome: { kind: 'failed', message: '' } as SignInOutcome,
  grants: [] as { code: string; codeVerifier: string | null; redirectUri: string }[],
  challenge: null as string | null,
  again: null as boolean | null,
  settings: {} as Record<string, string>,
  options: {} as DefaultOptions,
  optionsOutcome: null as OptionsOutcome | null,
  refresh: { kind: 'failed', message: 'Not now.' } as RefreshOutcome,
}
const scripted = {
  manifest: {
    name: 'scripted',
    title: 'Scripted',
    accountTypes: ['PINTEREST'],
    endpoints: {},
    settings: { CLIENT_ID: {}, CLIENT_SECRET: {} },
    defaults: [
      { name: 'place', title: 'Place', description: '', schema: Type.String(), required: true },
      { name: 'loud', title: 'Loud', description: '', schema: Type.Boolean(), required: false },
      {
        name: 'other',
        title: 'Of others',
        description: '',
        schema: Type.String(),
        required: true,
        accountTypes: ['TIKTOK'],
      },
    ],
  },
  connect: {
    oauth: {
      requires: ['CLIENT_ID', 'CLIENT_SECRET'],
      pkce: true,
      authorizeUrl: (_: unknown, ask: { state: string; codeChallenge: string | null; again?: boolean }) => {
        script.challenge = ask.codeChallenge
        script.again = ask.again ?? null
        return `https://scripted.example/authorize?state=${ask.state}`
      },
      complete: async (_: unknown, grant: (typeof script.grants)[number]) => {
        script.grants.push(grant)
        return script.outcome
      },
    },
    options: async () => script.optionsOutcome ?? { kind: 'options', options: script.options },
    refresh: async () => script.refresh,
  },
} as Partial<Record<keyof Network, unknown>> as unknown as Network
const wordless = {
  manifest: { name: 'wordless', title: 'Wordless', accountTypes: ['BLUESKY'] },
  connect: { refresh: null },
} as Partial<Record<keyof Network, unknown>> as unknown as Network

const unused = () => {
  throw new Error('Not asked for here.')
}
const setting = (name: string) => script.settings[name] ?? ''
const deps = (): AuthorizationDeps => ({
  db,
  credentials: createCredentialBox(box),
  authorizations: createAuthorizationBox(box),
  publicUrl: 'https://almanac.test',
  networks: networksOf([scripted, wordless]),
  connectContext: () => ({ endpoint: unused, setting, http: unused, signal: AbortSignal.abort(), now: unused }),
})
const defaultsDeps = () => ({
  ...deps(),
  endpoint: unused,
  setting: (_: string, name: string) => setting(name),
  httpFor: () => unused,
  now: () => new Date(),
  log: { warn() {} },
})
const person = (externalId: string, name = externalId): NetworkIdentity => ({
  externalId,
  name,
  username: `${externalId}.example`,
  profileUrl: null,
  avatarUrl: null,
  credentials: { accessToken: `token of ${externalId}` },
  expiresAt: new Date('2030-01-01T00:00:00Z'),
})
const accounts = (...identities: [NetworkIdentity, ...NetworkIdentity[]]): SignInOutcome => ({
  kind: 'accounts',
  accounts: identities,
})
const start = (more: object = {}) =>
  startAuthorization(deps(), {
    accountId,
    socialSetId,
    network: 'scripted',
    accountType: null,
    sandbox: false,
    startedBy: null,
    ...more,
  })
const stateOf = ({ authorizeUrl }: { authorizeUrl: string }) => new URL(authorizeUrl).searchParams.get('state')
const comeBack = (state: string | null, more: object = {}) =>
  finishAuthorization(deps(), {
    network: 'scripted',
    state,
    code: 'the code',
    error: null,
    errorDescription: null,
    visitor: null,
    ...more,
  })
const list = () => listConnections(deps(), { accountId, socialSetId, closed: false })
const rowOf = (id: string) => db.selectFrom('authorizations').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
async function connected(identity: NetworkIdentity): Promise<string> {
  script.outcome = accounts(identity)
  const finished = await comeBack(stateOf(await start()))
  if (finished.kind !== 'connected') throw new Error(JSON.stringify(finished))
  return finished.connection.connectionId
}

beforeAll(async () => {
  database = await createDatabase()
  db = openDatabase(database.url)
})
afterAll(async () => {
  await db.destroy()
  await database.drop()
})
beforeEach(async () => {
  Object.assign(script, { grants: [], options: {}, optionsOutcome: null })
  script.settings = { CLIENT_ID: 'app', CLIENT_SECRET: 'secret of the app' }
  script.outcome = accounts(person('ada', 'Ada'))
  const identity = createIdentity({
    db,
    newId: unused,
    publicUrl: 'https://almanac.test',
    secrets: box.derive('sessions'),
  })
  ;({ accountId, socialSetId } = await createAccount(
    { ...deps(), identity, sandboxIdentity: unused },
    { name: 'Test', plan: 'SCALE', timezone: 'UTC', sandbox: false, ownerEmail: null },
  ))
})

test('a sign-in with one account connects it, and leaves nothing secret behind', async () => {
  const started = await start()
  expect(started.redirectUri).toBe('https://almanac.test/connect/scripted/callback')
  const state = stateOf(started)
  expect(state).toMatch(/^[\w-]{43}$/)
  const finished = await comeBack(state)
  expect(finished).toMatchObject({
    kind: 'connected',
    connection: { accountType: 'PINTEREST', name: 'Ada', renewed: false, missingDefaults: ['place'] },
  })
  const [grant] = script.grants
  expect(grant).toMatchObject({ code: 'the code', redirectUri: started.redirectUri })
  const challenge = createHash('sha256')
    .update(grant?.codeVerifier ?? '')
    .digest('base64url')
  expect(challenge).toBe(script.challenge)
  expect(await list()).toMatchObject([{ name: 'Ada', status: 'CONNECTED', sandbox: false }])
  expect(await rowOf(started.authorizationId)).toMatchObject({ status: 'CONNECTED', secret: null, secret_key_id: null })
})

test('what may keep an account from publishing is reported until a sign-in without it', async () => {
  const warning = 'You may not create content there.'
  script.outcome = accounts({ ...person('ada', 'Ada'), warning }, person('bob'))
  const started = await start()
  await comeBack(stateOf(started))
  expect(
    await connectChosen(deps(), { authorizationId: started.authorizationId, externalId: 'ada', seenBy: null }),
  ).toMatchObject({ warning })
  expect(await list()).toMatchObject([{ name: 'Ada', status: 'CONNECTED', statusReason: warning }])
  script.outcome = accounts(person('ada', 'Ada'))
  expect(await comeBack(stateOf(await start()))).toMatchObject({ connection: { renewed: true, warning: null } })
  expect(await list()).toMatchObject([{ name: 'Ada', status: 'CONNECTED', statusReason: null }])
})

test('nothing in the row reveals the state or the verifier', async () => {
  const started = await start()
  const row = await rowOf(started.authorizationId)
  const text = JSON.stringify(row) + row.secret?.toString('latin1')
  expect(text).not.toContain(stateOf(started))
  await comeBack(stateOf(started))
  expect(text).not.toContain(script.grants[0]?.codeVerifier)
})

test('a sign-in ends once, also when the browser comes back five times at once', async () => {
  const state = stateOf(await start())
  const all = await Promise.all([1, 2, 3, 4, 5].map(() => comeBack(state)))
  expect(all.map(({ kind }) => kind).sort()).toEqual(['connected', 'failed', 'failed', 'failed', 'failed'])
  expect(script.grants).toHaveLength(1)
  expect(await comeBack(state)).toMatchObject({
    kind: 'failed',
    message: expect.stringMatching(/connected its account already/),
  })
})

test.each<[string, object]>([
  ['another state', { state: 'nonsense' }],
  ['no state', { state: null }],
  ['another network', { network: 'wordless' }],
  ['a network that does not exist', { network: 'myspace' }],
])('%s does nothing', async (_, more) => {
  const started = await start()
  expect(await comeBack(stateOf(started), more)).toMatchObject({ kind: 'failed' })
  expect(script.grants).toEqual([])
  expect((await rowOf(started.authorizationId)).status).toBe('STARTED')
})

test('a network hears that the last sign-in came to nothing, until one connects', async () => {
  const again = async () => {
    const started = await start()
    return { started, reported: script.again }
  }
  const first = await again()
  expect(first.reported).toBe(false)
  script.outcome = { kind: 'failed', message: 'A permission is missing.' }
  await comeBack(stateOf(first.started))
  // One that was merely begun meanwhile changes nothing.
  const [second, third] = [await again(), await again()]
  expect([second.reported, third.reported]).toEqual([true, true])
  script.outcome = accounts(person('ada', 'Ada'))
  await comeBack(stateOf(third.started))
  expect((await again()).reported).toBe(false)
})

test('ten minutes later it is over, and a day later it is gone', async () => {
  const started = await start()
  const back = (interval: string) =>
    db
      .updateTable('authorizations')
      .set({ expires_at: new Date(Date.now() - Number(interval)) })
      .where('id', '=', started.authorizationId)
      .execute()
  expect(started.expiresAt.getTime() - Date.now()).toBeGreaterThan(9.5 * 60_000)
  expect(started.expiresAt.getTime() - Date.now()).toBeLessThanOrEqual(10 * 60_000)
  await back('1')
  expect(await comeBack(stateOf(started))).toMatchObject({ kind: 'failed' })
  expect(script.grants).toEqual([])
  await removeOldRows(db, 'authorizations')
  await rowOf(started.authorizationId)
  await back(String(25 * 3_600_000))
  await removeOldRows(db, 'authorizations')
  await expect(rowOf(started.authorizationId)).rejects.toThrow()
})

test.each<[string, object, RegExp]>([
  ['said no', { code: null, error: 'access_denied', errorDescription: 'No.' }, /was not given/],
  ['a fault there', { code: null, error: 'server_error', errorDescription: 'Try\nlater' }, /says: “Try later”/],
  ['no code', { code: null }, /came back without a code/],
])('the person comes back with nothing: %s', async (_, more, words) => {
  const started = await start()
  const finished = await comeBack(stateOf(started), more)
  expect(finished).toMatchObject({ kind: 'failed', message: expect.stringMatching(words) })
  expect(await rowOf(started.authorizationId)).toMatchObject({ status: 'FAILED', secret: null })
  expect(await list()).toEqual([])
})

test('what the network says of its own accounts is reported as it is', async () => {
  script.outcome = { kind: 'failed', message: 'No page can be published to.' }
  expect(await comeBack(stateOf(await start()))).toEqual({ kind: 'failed', message: 'No page can be published to.' })
})

test('of several accounts one is chosen, once, and kept with its own secrets', async () => {
  script.outcome = accounts(person('ada', 'Ada'), person('bob', 'Bob'), person('eve', 'Eve'))
  const started = await start()
  const id = started.authorizationId
  await expect(readChoices(deps(), id)).rejects.toThrow(/has not come back/)
  const finished = await comeBack(stateOf(started))
  expect(finished).toMatchObject({ kind: 'choose', authorizationId: id })
  expect(JSON.stringify(finished)).not.toContain('token of')
  expect(await comeBack(stateOf(started))).toMatchObject({ message: expect.stringContaining(`choose ${id}`) })
  expect((await readChoices(deps(), id)).map(({ name }) => name)).toEqual(['Ada', 'Bob', 'Eve'])
  expect(JSON.stringify(await readChoices(deps(), id))).not.toContain('token of')
  expect((await rowOf(id)).secret?.includes('token of')).toBe(false)
  const choice = { authorizationId: id, seenBy: null }
  await expect(connectChosen(deps(), { ...choice, externalId: 'zoe' })).rejects.toThrow(/bob \(Bob\)/)
  expect(await connectChosen(deps(), { ...choice, externalId: 'bob' })).toMatchObject({ name: 'Bob' })
  await expect(connectChosen(deps(), { ...choice, externalId: 'ada' })).rejects.toThrow(/already/)
  const [identity] = await db.selectFrom('network_identities').selectAll().where('account_id', '=', accountId).execute()
  expect(identity?.external_id).toBe('bob')
  expect(identity?.expires_at).toEqual(new Date('2030-01-01T00:00:00Z'))
  const sealed = { secret: identity?.secret as Buffer, secretKeyId: identity?.secret_key_id as string }
  expect(createCredentialBox(box).open(identity?.id as string, sealed)).toEqual({ accessToken: 'token of bob' })
})

test('the account that is connected is renewed among several, with its id, and any other is refused', async () => {
  const first = await connected(person('bob', 'Bob'))
  const [identity] = await db.selectFrom('connections').select('identity_id').where('id', '=', first).execute()
  await requireReconnect(db, identity?.identity_id as string, 'Its token was withdrawn.')
  script.outcome = accounts(person('ada'), person('bob', 'Bob B.'))
  expect(await comeBack(stateOf(await start()))).toMatchObject({
    kind: 'connected',
    connection: { connectionId: first, renewed: true, name: 'Bob B.' },
  })
  expect(await list()).toMatchObject([{ id: first, status: 'CONNECTED' }])
  script.outcome = accounts(person('ada'), person('eve'))
  const refused = await comeBack(stateOf(await start()))
  expect(refused).toMatchObject({ kind: 'failed', message: expect.stringMatching(/another Scripted account, Bob B\./) })
  expect(await list()).toMatchObject([{ id: first, name: 'Bob B.' }])
})

test('a choice that waited too long, or that no key opens, is over', async () => {
  script.outcome = accounts(person('ada'), person('bob'))
  const started = await start()
  await comeBack(stateOf(started))
  const other = { ...deps(), authorizations: createAuthorizationBox(createSecretBox([randomBytes(32)])) }
  await expect(readChoices(other, started.authorizationId)).rejects.toThrow(/expired/)
  await db
    .updateTable('authorizations')
    .set({ expires_at: new Date(0) })
    .execute()
  await expect(readChoices(deps(), started.authorizationId)).rejects.toThrow(/expired/)
  await expect(readChoices(deps(), 'nonsense')).rejects.toThrow(Refusal)
})

test('a connection is not closed while it is being renewed', async () => {
  const connectionId = await connected(person('ada'))
  const { promise: held, resolve: go } = Promise.withResolvers<void>()
  const state = stateOf(await start())
  const locked = db.transaction().execute(async (trx) => {
    await trx.selectFrom('accounts').select('id').where('id', '=', accountId).forUpdate().execute()
    await held
  })
  const renewing = comeBack(state)
  const closing = closeConnection(deps(), connectionId)
  go()
  const [, renewal] = await Promise.all([locked, renewing, closing])
  if (renewal.kind !== 'connected') throw new Error(renewal.kind)
  // Either may come first: what was renewed is closed then, or the closed one is not called renewed.
  const left = (await list()).map(({ id }) => id)
  expect(left).toEqual(renewal.connection.renewed ? [] : [renewal.connection.connectionId])
  expect(left).not.toContain(connectionId)
  await expect(closeConnection(deps(), connectionId)).rejects.toThrow(/no open connection/)
})

test('without an app, or on a network without such a sign-in, nothing begins', async () => {
  script.settings = { CLIENT_ID: 'app' }
  await expect(start()).rejects.toThrow(/ALMANAC_SCRIPTED_CLIENT_SECRET/)
  await expect(start({ network: 'wordless' })).rejects.toThrow(/--identifier/)
  await expect(start({ socialSetId: 'nonsense' })).rejects.toThrow(/no social set/)
})

test('publish-26: publishing defaults are chosen by their schema and by what the network offers', async () => {
  const connectionId = await connected(person('ada'))
  script.options = { place: [{ value: 'home', title: 'Home' }] }
  const choose = (defaults: Record<string, unknown>) => chooseDefaults(defaultsDeps(), { connectionId, defaults })
  expect(await readDefaults(defaultsDeps(), connectionId)).toMatchObject([
    { name: 'place', value: undefined, required: true, options: [{ value: 'home' }] },
    { name: 'loud', options: null },
  ])
  await expect(choose({ place: 'away', loud: 'true' })).rejects.toThrow(/It offers: home \(Home\)/)
  await expect(choose({ loud: 'maybe' })).rejects.toThrow(/Loud \(loud\) cannot be "maybe". Use one of: true, false/)
  await expect(choose({ other: 'x' })).rejects.toThrow(/no publishing default other. Available: place, loud/)
  expect(await choose({ place: 'home', loud: 'true' })).toEqual({
    defaults: { place: 'home', loud: true },
    missingDefaults: [],
  })
  expect(await choose({ place: null })).toEqual({ defaults: { loud: true }, missingDefaults: ['place'] })
  await connected(person('ada'))
  expect(await readDefaults(defaultsDeps(), connectionId)).toMatchObject([{}, { name: 'loud', value: true }])
  await expect(readDefaults(defaultsDeps(), 'nonsense')).rejects.toThrow(/no open connection/)
})

test('a token that the network does not accept any more is refreshed once for the options', async () => {
  const connectionId = await connected(person('ada'))
  script.optionsOutcome = { kind: 'reconnect', mayRefresh: true, message: 'The token has expired.' }
  await expect(readDefaults(defaultsDeps(), connectionId)).rejects.toThrow('Not now.')
  script.refresh = { kind: 'refreshed', credentials: { accessToken: 'new' }, expiresAt: null }
  await expect(readDefaults(defaultsDeps(), connectionId)).rejects.toThrow('The token has expired.')
})
