import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { Role } from '#contract'
import { type Answer, type Api, startApi } from '../_util/api/api.ts'
import { ask, cookieOf, invite } from '../_util/api/invitations.ts'
import { newMember, type Person, signInAs } from '../_util/api/members.ts'

const PASSWORD = 'a long enough secret'

let api: Api
let owner: Person
beforeAll(async () => {
  api = await startApi()
  owner = await signInAs(api, 'owner')
})
afterAll(() => api.close())

const codeOf = ({ status, body }: Answer) => [status, body?.code]
const accept = (body: object, cookie?: string) =>
  ask(api, 'POST', '/invitations/accept', cookie === undefined ? { body } : { body, cookie })

test.each<Role>(['editor', 'author', 'reviewer'])('%s invites no one and touches no invitation', async (role) => {
  const { invitation } = await invite(owner, { email: `kept-from-${role}@example.com` })
  const person = await signInAs(api, role)
  const body = { email: 'friend@example.com', role: 'reviewer', socialSetIds: null }
  for (const answer of [
    await person.request('POST', '/invitations', { body }),
    await person.request('POST', `/invitations/${invitation.id}/resend`),
    await person.request('DELETE', `/invitations/${invitation.id}`),
  ]) {
    expect(codeOf(answer)).toEqual([403, 'auth:insufficient_role'])
  }
})

test('an admin neither invites an owner, nor gets the link of one, nor takes the invitation back', async () => {
  const admin = await signInAs(api, 'admin')
  const { invitation } = await invite(owner, { email: 'co.owner@example.com', role: 'owner' })
  const body = { email: 'me.too@example.com', role: 'owner', socialSetIds: null }
  for (const answer of [
    await admin.request('POST', '/invitations', { body }),
    await admin.request('POST', `/invitations/${invitation.id}/resend`),
    await admin.request('DELETE', `/invitations/${invitation.id}`),
  ]) {
    expect(codeOf(answer)).toEqual([403, 'auth:insufficient_role'])
  }
})

test('an admin of some social sets invites to these only', async () => {
  const other = await api.newSocialSet()
  const admin = await signInAs(api, 'admin', { socialSetIds: [other] })
  const send = (socialSetIds: string[] | null) =>
    admin.request('POST', '/invitations', { body: { email: 'narrow@example.com', role: 'author', socialSetIds } })
  expect(codeOf(await send(null))).toEqual([403, 'auth:insufficient_role'])
  expect(codeOf(await send([api.socialSetId, other]))).toEqual([403, 'auth:insufficient_role'])
  expect((await send([other])).status).toBe(201)
})

test("another account's invitations and social sets are not there", async () => {
  const accountId = await api.newAccount()
  const theirs = await signInAs(api, 'owner', { accountId })
  const theirSet = await api.newSocialSet({ accountId })
  const { invitation } = await invite(theirs, { email: 'theirs@example.com' })
  for (const [method, end] of [
    ['POST', '/resend'],
    ['DELETE', ''],
  ] as const) {
    const answer = await owner.request(method, `/invitations/${invitation.id}${end}`)
    expect(codeOf(answer)).toEqual([404, 'invitation:not_found'])
  }
  const body = { email: 'cross@example.com', role: 'author', socialSetIds: [theirSet] }
  expect(codeOf(await owner.request('POST', '/invitations', { body }))).toEqual([400, 'request:invalid_body'])
  expect(JSON.stringify((await owner.request('GET', '/members')).body)).not.toContain('theirs@example.com')
})

test('a token is good once', async () => {
  const { token } = await invite(owner, { email: 'once@example.com' })
  expect((await accept({ token, name: 'Eva', password: PASSWORD })).status).toBe(200)
  const { userId } = await userOf('once@example.com')
  const removal = await owner.request('DELETE', `/members/${userId}`, { body: { password: owner.password } })
  expect(removal.status).toBe(200)
  expect(codeOf(await accept({ token, password: PASSWORD }))).toEqual([410, 'invitation:used'])
})

test('the link alone signs no one in: the password of an existing user is asked for', async () => {
  const accountId = await api.newAccount()
  const { userId } = await newMember(api, accountId)
  const email = `${userId}@example.invalid`
  const { token } = await invite(owner, { email })
  const wrong = await accept({ token, name: 'Thief', password: PASSWORD })
  expect(codeOf(wrong)).toEqual([403, 'auth:password_confirmation_failed'])
  expect(wrong.headers.getSetCookie()).toEqual([])
  const anotherUser = await signInAs(api, 'editor')
  expect(codeOf(await accept({ token }, anotherUser.cookie))).toEqual([403, 'auth:password_confirmation_failed'])
  expect((await userOf(email)).name).toBe('Ada')
  for (let tries = 0; tries < 3; tries++) await accept({ token, password: 'wrong again' })
  expect(codeOf(await accept({ token, password: 'wrong again' }))).toEqual([429, 'auth:too_many_attempts'])
})

test('the holder of a link can neither guess more nor keep the person from confirming what they do', async () => {
  const person = await signInAs(api, 'admin', { accountId: await api.newAccount() })
  const [one, two] = [
    await invite(owner, { email: person.email }),
    await invite(await rival(), { email: person.email }),
  ]
  for (let n = 0; n < 5; n += 1) {
    const answer = await accept({ token: one.token, password: `guess ${n}` })
    expect(codeOf(answer)).toEqual([403, 'auth:password_confirmation_failed'])
  }
  const ways = [
    await accept({ token: one.token, password: person.password }),
    await accept({ token: two.token, password: person.password }),
    await ask(api, 'POST', '/session', { body: { email: person.email, password: person.password } }),
  ]
  expect(ways.map(codeOf)).toEqual(ways.map(() => [429, 'auth:too_many_attempts']))
  const body = { password: person.password, newPassword: 'a password of this year' }
  expect((await person.request('PUT', '/profile/password', { body })).status).toBe(204)
})

test('opening a link while signed in as another user makes no member', async () => {
  const { token } = await invite(owner, { email: 'invited@example.com', role: 'admin' })
  const author = await signInAs(api, 'author')
  const accepted = await accept({ token, name: 'Invited', password: PASSWORD }, author.cookie)
  expect(accepted.status).toBe(200)
  const session = await ask(api, 'GET', '/session', { cookie: cookieOf(accepted) })
  expect(session.body).toMatchObject({ user: { email: 'invited@example.com' }, role: 'admin' })
})

test('a session that was planted before is not the one that is signed in', async () => {
  const { token } = await invite(owner, { email: 'fixed@example.com' })
  const planted = 'almanac.session_token=planted.planted; better-auth.session_token=planted.planted'
  const accepted = await accept({ token, name: 'Eva', password: PASSWORD }, planted)
  expect(cookieOf(accepted)).toMatch(/session_token=/)
  expect(cookieOf(accepted)).not.toContain('planted')
  expect((await ask(api, 'GET', '/session', { cookie: planted })).status).toBe(401)
})

test('a deleted account takes its invitations with it', async () => {
  const accountId = await api.newAccount()
  const theirs = await signInAs(api, 'owner', { accountId })
  const { token } = await invite(theirs, { email: 'gone@example.com' })
  await api.db.deleteFrom('accounts').where('id', '=', accountId).execute()
  expect(codeOf(await accept({ token, name: 'Eva', password: PASSWORD }))).toEqual([404, 'invitation:not_found'])
})

test('of a token only its hash is kept, and no log has it', async () => {
  const { token, invitation } = await invite(owner, { email: 'secret@example.com' })
  await ask(api, 'POST', '/invitations/look', { body: { token } })
  const { rows } = await sql<{ text: string }>`
    select row_to_json(invitations)::text as text from invitations where id = ${invitation.id}`.execute(api.db)
  expect(rows[0]?.text).not.toContain(token)
  expect(api.logged()).not.toContain(token)
  const { body } = await owner.request('GET', '/members')
  expect(JSON.stringify(body)).not.toContain(token)
})

test('names are data: nothing of them becomes a header of the mail or a line of its own', async () => {
  const mails: { subject: string; text: string }[] = []
  const other = await startApi({ mailer: { send: async (mail) => void mails.push(mail) } })
  try {
    const admin = await signInAs(other, 'admin')
    await other.db.updateTable('users').set({ name: 'Eve\r\nBcc: all@example.com' }).execute()
    await other.db.updateTable('accounts').set({ name: '<script>alert(1)</script>\nX: y' }).execute()
    await invite(admin, { email: 'safe@example.com' })
    await vi.waitUntil(() => mails.length > 0)
    expect(mails[0]?.subject).not.toMatch(/[\r\n]/)
    expect(mails[0]?.text).not.toMatch(/^(Bcc|X):/m)
  } finally {
    await other.close()
  }
})

test('the open routes answer to our own pages only', async () => {
  const { token } = await invite(owner, { email: 'csrf@example.com' })
  for (const path of ['look', 'accept']) {
    const answer = await api.request('POST', `/internal/invitations/${path}`, {
      key: null,
      body: { token, name: 'Eva', password: PASSWORD },
      headers: { origin: 'https://evil.test', 'sec-fetch-site': 'cross-site' },
    })
    expect(codeOf(answer)).toEqual([403, 'auth:cross_site_request'])
  }
})

const rival = async () => signInAs(api, 'owner', { accountId: await api.newAccount() })

async function userOf(email: string): Promise<{ userId: string; name: string }> {
  return api.db
    .selectFrom('users')
    .select(['id as userId', 'name'])
    .where('email', '=', email)
    .executeTakeFirstOrThrow()
}
