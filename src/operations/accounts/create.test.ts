import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createSecretBox, newId } from '#domain'
import { createIdentity, type Identity } from '#identity'
import { networksOf } from '#networks'
import { type Database, listMemberships, openDatabase } from '#persistence'
import { createDatabase } from '../../../test/_util/database/database.ts'
import { createCredentialBox } from '../connections/credentials.ts'
import { Refusal } from '../refusal.ts'
import { type CreateAccountDeps, type CreateAccountInput, createAccount } from './create.ts'

let database: { url: string; drop(): Promise<void> }
let db: Database
let identity: Identity
let deps: CreateAccountDeps
const box = createSecretBox([randomBytes(32)])

beforeAll(async () => {
  database = await createDatabase()
  db = openDatabase(database.url)
  identity = createIdentity({
    db,
    newId,
    publicUrl: 'http://127.0.0.1:4010',
    secrets: box.derive('sessions'),
  })
  deps = {
    db,
    identity,
    networks: networksOf([]),
    credentials: createCredentialBox(box),
    sandboxIdentity: () => {
      throw new Error('There are no networks.')
    },
  }
})
afterAll(async () => {
  await db.destroy()
  await database.drop()
})

const FROM = { headers: new Headers(), address: '192.0.2.1' }
const input = (change: Partial<CreateAccountInput> = {}): CreateAccountInput => ({
  name: 'Café Müller',
  plan: 'SCALE',
  timezone: 'Europe/Berlin',
  sandbox: true,
  ownerEmail: null,
  ...change,
})

test('an account has its owner, who signs in and is a member', async () => {
  const created = await createAccount(deps, input())
  expect(created.ownerEmail).toBe('owner@cafe-muller.invalid')
  const outcome = await identity.signIn({ email: created.ownerEmail, password: created.ownerPassword }, FROM)
  if (outcome.kind !== 'signed-in') throw new Error('Not signed in.')
  const cookie = outcome.cookies.map((one) => one.split(';')[0]).join('; ')
  const session = await identity.readSession(new Headers({ cookie }))
  expect(session).toMatchObject({
    email: created.ownerEmail,
    userId: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
  })
  expect(await listMemberships(db, session?.userId ?? '')).toMatchObject([
    { accountId: created.accountId, accountName: 'Café Müller', plan: 'SCALE', role: 'owner', socialSetIds: null },
  ])
})

test('a wrong password does not sign in, and the right one is stored as a hash alone', async () => {
  const created = await createAccount(deps, input({ name: 'Second' }))
  const wrong = { email: created.ownerEmail, password: 'not the password' }
  expect(await identity.signIn(wrong, FROM)).toEqual({ kind: 'wrong' })
  const { password } = await db
    .selectFrom('user_credentials')
    .innerJoin('users', 'users.id', 'user_credentials.user_id')
    .select('password')
    .where('email', '=', created.ownerEmail)
    .executeTakeFirstOrThrow()
  expect(password).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
})

test('a second account of the same name gets a slug of its own', async () => {
  const one = await createAccount(deps, input({ name: 'Twice' }))
  const two = await createAccount(deps, input({ name: 'Twice' }))
  expect(one.ownerEmail).toBe('owner@twice.invalid')
  expect(two.ownerEmail).toMatch(/^owner@twice-[0-9a-f]{8}\.invalid$/)
})

test.each<[string, Partial<CreateAccountInput>, RegExp]>([
  ['a plan that does not exist', { plan: 'GOLD' }, /no plan GOLD. Available: FREE, STARTER/],
  ['a timezone that does not exist', { timezone: 'Europe/Atlantis' }, /Europe\/Atlantis is not a timezone/],
  ['an offset for a timezone', { timezone: '+02:00' }, /is not a timezone/],
  ['no name', { name: '  ' }, /needs a name/],
  ['an address that is none', { ownerEmail: 'anna' }, /not a mail address/],
])('plan-01: %s is refused and leaves nothing behind', async (_, change, words) => {
  const count = async () => (await db.selectFrom('accounts').select('id').execute()).length
  const before = await count()
  await expect(createAccount(deps, input(change))).rejects.toThrow(words)
  await expect(createAccount(deps, input(change))).rejects.toThrow(Refusal)
  expect(await count()).toBe(before)
})

test('an owner address that is taken is refused and leaves nothing behind', async () => {
  await createAccount(deps, input({ name: 'Third', ownerEmail: 'Owner@Example.com' }))
  await expect(createAccount(deps, input({ name: 'Fourth', ownerEmail: 'owner@example.com' }))).rejects.toThrow(Refusal)
  const rows = await db.selectFrom('accounts').select('id').where('name', '=', 'Fourth').execute()
  expect(rows).toEqual([])
})
