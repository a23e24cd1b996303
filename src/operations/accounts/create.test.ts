import { createHmac, randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createSecretBox, newId } from '#domain'
import { createIdentity, type Identity } from '#identity'
import { networksOf } from '#networks'
import { type Database, openDatabase } from '#persistence'
import { createDatabase } from '../../../test/_util/database.ts'
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
    defaultPlan: 'SCALE',
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

const input = (change: Partial<CreateAccountInput> = {}): CreateAccountInput => ({
  name: 'Café Müller',
  plan: 'SCALE',
  timezone: 'Europe/Berlin',
  sandbox: true,
  ownerEmail: null,
  ...change,
})

/** What a browser would send back after an answer. */
function cookiesOf(response: Response): string {
  return response.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ')
}

/** RFC 6238, six digits, thirty seconds. */
function totpOf(secret: string): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000)))
  const mac = createHmac('sha1', secret).update(counter).digest()
  const at = (mac.at(-1) ?? 0) & 15
  return String((mac.readUInt32BE(at) & 0x7fff_ffff) % 1_000_000).padStart(6, '0')
}

test('an account has its owner, who signs in, is a member and enrols a second factor', async () => {
  const created = await createAccount(deps, input())
  expect(created.ownerEmail).toBe('owner@cafe-muller.invalid')
  const { api } = await identity.signIn()
  const credentials = { email: created.ownerEmail, password: created.ownerPassword }

  const signedIn = await api.signInEmail({ body: credentials, asResponse: true })
  expect(signedIn.status).toBe(200)
  const headers = new Headers({ cookie: cookiesOf(signedIn) })
  const session = await api.getSession({ headers })
  expect(session?.user.email).toBe(created.ownerEmail)
  expect(session?.user.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7/)

  const [account] = await api.listOrganizations({ headers })
  expect(account).toMatchObject({ id: created.accountId, name: 'Café Müller', slug: 'cafe-muller', plan: 'SCALE' })
  await api.setActiveOrganization({ headers, body: { organizationId: created.accountId } })
  expect(await api.getActiveMember({ headers })).toMatchObject({ role: 'owner', organizationId: created.accountId })
  const invitation = await api.createInvitation({ headers, body: { email: 'anna@example.com', role: 'member' } })
  expect(invitation.organizationId).toBe(created.accountId)

  const enrolment = await api.enableTwoFactor({ headers, body: { password: created.ownerPassword } })
  if (!('totpURI' in enrolment)) throw new Error('No enrolment.')
  const secret = base32(new URL(enrolment.totpURI).searchParams.get('secret') ?? '')
  await api.verifyTOTP({ headers, body: { code: totpOf(secret) } })
  const again = await api.signInEmail({ body: credentials, asResponse: true })
  expect(await again.json()).toMatchObject({ twoFactorRedirect: true })
  const half = new Headers({ cookie: cookiesOf(again) })
  expect(await api.getSession({ headers: half })).toBeNull()
  await expect(api.verifyTOTP({ headers: half, body: { code: '000000' } })).rejects.toThrow()
  expect(await api.verifyTOTP({ headers: half, body: { code: totpOf(secret) } })).toHaveProperty('token')
})

function base32(text: string): string {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
  const bits = [...text].map((letter) => letters.indexOf(letter).toString(2).padStart(5, '0')).join('')
  const bytes = bits.match(/.{8}/g) ?? []
  return Buffer.from(bytes.map((byte) => Number.parseInt(byte, 2))).toString()
}

test('a wrong password does not sign in, and the right one is stored as a hash alone', async () => {
  const created = await createAccount(deps, input({ name: 'Second' }))
  const { api } = await identity.signIn()
  const body = { email: created.ownerEmail, password: 'not the password' }
  expect((await api.signInEmail({ body, asResponse: true })).status).toBe(401)
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
  ['a plan that does not exist', { plan: 'GOLD' }, /no plan GOLD. There are: FREE, STARTER/],
  ['a timezone that does not exist', { timezone: 'Europe/Atlantis' }, /Europe\/Atlantis is not a timezone/],
  ['an offset for a timezone', { timezone: '+02:00' }, /is not a timezone/],
  ['no name', { name: '  ' }, /needs a name/],
  ['an address that is none', { ownerEmail: 'anna' }, /not a mail address/],
])('%s is refused and leaves nothing behind', async (_, change, words) => {
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
