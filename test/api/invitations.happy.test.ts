import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { type Api, startApi } from '../_util/api/api.ts'
import { ask, cookieOf, invite, tokenOf } from '../_util/api/invitations.ts'
import { newMember, type Person, signInAs } from '../_util/api/members.ts'

const PASSWORD = 'a long enough secret'

interface SentMail {
  to: string
  subject: string
  text: string
}

let api: Api
let owner: Person
let mails: SentMail[] = []
/** Mails of earlier tests may still come. */
const sentTo = (address: string) => mails.filter(({ to }) => to === address)
let mailFails = false
let mailTakes = Promise.resolve()
beforeAll(async () => {
  api = await startApi({
    mailer: {
      async send(mail) {
        await mailTakes
        if (mailFails) throw new Error('The server of the mail is away.')
        mails.push(mail)
      },
    },
  })
  owner = await signInAs(api, 'owner')
})
afterEach(() => {
  mails = []
  mailFails = false
  mailTakes = Promise.resolve()
})
afterAll(() => api.close())

test.each([
  ['de-AT,de;q=0.9,en;q=0.8', 'de-AT'],
  ['en-US,en;q=0.9', null],
  ['fr-FR', null],
])('who joins with a browser that asks for %s gets mails in that language', async (accepted, locale) => {
  const email = `${accepted.slice(0, 2)}@example.com`
  const { token } = await invite(owner, { email, role: 'author' })
  const body = { token, name: 'Grace', password: PASSWORD }
  const headers = { origin: 'https://almanac.test', 'sec-fetch-site': 'same-origin', 'accept-language': accepted }
  const joined = await api.request('POST', '/internal/invitations/accept', { key: null, body, headers })
  expect(joined.status).toBe(200)
  const { preferences } = await api.db
    .selectFrom('users')
    .select('preferences')
    .where('email', '=', email)
    .executeTakeFirstOrThrow()
  expect(preferences.locale ?? null).toBe(locale)
})

test('somebody new opens the link, chooses name and password and is a member, signed in on the account', async () => {
  const made = await invite(owner, { email: ' Grace@Example.com ', role: 'author', socialSetIds: [api.socialSetId] })
  expect(made.link).toMatch(/^https:\/\/almanac\.test\/dashboard\/invitation#token=[\w-]{43}$/)
  expect(made.invitation).toMatchObject({ email: 'grace@example.com', role: 'author', invitedBy: 'Ada' })
  const days = (Date.parse(made.invitation.expiresAt) - Date.parse(made.invitation.createdAt)) / 86_400_000
  // The two are read from the clock one after the other.
  expect(days).toBeCloseTo(7, 5)

  const offer = await ask(api, 'POST', '/invitations/look', { body: { token: made.token } })
  expect(offer.status).toBe(200)
  expect(offer.body).toMatchObject({
    accountName: 'Account',
    email: 'grace@example.com',
    role: 'author',
    roleTitle: 'Author',
    invitedBy: 'Ada',
    userExists: false,
    signedInAs: null,
  })

  const body = { token: made.token, name: ' Grace ', password: PASSWORD }
  const accepted = await ask(api, 'POST', '/invitations/accept', { body })
  expect(accepted.status, JSON.stringify(accepted.body)).toBe(200)
  expect(accepted.body).toEqual({ accountId: api.accountId, accountName: 'Account', next: 'signed-in' })
  const session = await ask(api, 'GET', '/session', { cookie: cookieOf(accepted) })
  expect(session.body).toMatchObject({
    user: { name: 'Grace', email: 'grace@example.com' },
    account: { id: api.accountId },
    role: 'author',
    socialSetIds: [api.socialSetId],
  })
  const { body: team } = await owner.request('GET', '/members')
  expect(JSON.stringify(team.invitations)).not.toContain('grace@example.com')

  const again = { email: 'grace@example.com', password: PASSWORD }
  expect((await ask(api, 'POST', '/session', { body: again })).body).toEqual({ next: 'signed-in' })
})

test('somebody who is signed in accepts with one step, and works on the new account from then on', async () => {
  const accountId = await api.newAccount()
  const person = await signInAs(api, 'editor', { accountId })
  const { token } = await invite(owner, { email: person.email, role: 'reviewer' })
  const offer = await person.request('POST', '/invitations/look', { body: { token } })
  expect(offer.body).toMatchObject({ userExists: true, signedInAs: person.email })
  const accepted = await person.request('POST', '/invitations/accept', { body: { token } })
  expect(accepted.body).toMatchObject({ next: 'signed-in' })
  const session = await person.request('GET', '/session')
  expect(session.body).toMatchObject({ account: { id: api.accountId }, role: 'reviewer' })
  expect(session.body.accounts).toHaveLength(2)
})

test('somebody who has a user accepts with its password, in a new session', async () => {
  const accountId = await api.newAccount()
  const { userId, password } = await newMember(api, accountId)
  const email = `${userId}@example.invalid`
  const { token } = await invite(owner, { email, role: 'editor' })
  const anotherUser = await signInAs(api, 'author')
  const { cookie } = anotherUser
  const accepted = await ask(api, 'POST', '/invitations/accept', { body: { token, password }, cookie })
  expect(accepted.status, JSON.stringify(accepted.body)).toBe(200)
  expect(cookieOf(accepted)).not.toBe(cookie)
  const session = await ask(api, 'GET', '/session', { cookie: cookieOf(accepted) })
  expect(session.body).toMatchObject({ user: { id: userId }, account: { id: api.accountId }, role: 'editor' })
  // The session that was in this browser is over.
  expect((await anotherUser.request('GET', '/session')).status).toBe(401)
})

test('somebody with a second step becomes a member and signs in by themselves', async () => {
  const accountId = await api.newAccount()
  const { userId, password } = await newMember(api, accountId)
  await api.db.updateTable('users').set({ two_factor_enabled: true }).where('id', '=', userId).execute()
  await api.db
    .insertInto('two_factors')
    .values({ id: userId, user_id: userId, secret: 'sealed', backup_codes: 'sealed', verified: true })
    .execute()
  const { token } = await invite(owner, { email: `${userId}@example.invalid` })
  const accepted = await ask(api, 'POST', '/invitations/accept', { body: { token, password } })
  expect(accepted.body).toMatchObject({ next: 'sign-in' })
  expect(accepted.headers.getSetCookie()).toEqual([])
  const { body } = await owner.request('GET', '/members')
  expect(body.members.map((member: { userId: string }) => member.userId)).toContain(userId)
})

test('sent again, the new link holds for seven days and the old one is worth nothing', async () => {
  const made = await invite(owner, { email: 'again@example.com' })
  await api.db
    .updateTable('invitations')
    .set({ expires_at: new Date('2020-01-01') })
    .where('id', '=', made.invitation.id)
    .execute()
  const { body: team } = await owner.request('GET', '/members')
  expect(team.invitations).toContainEqual(expect.objectContaining({ email: 'again@example.com', expired: true }))
  const resent = await owner.request('POST', `/invitations/${made.invitation.id}/resend`)
  expect(resent.status).toBe(200)
  expect(resent.body.invitation).toMatchObject({ id: made.invitation.id, expired: false })
  const token = tokenOf(resent.body.link)
  expect(token).not.toBe(made.token)
  expect((await ask(api, 'POST', '/invitations/look', { body: { token: made.token } })).status).toBe(404)
  expect((await ask(api, 'POST', '/invitations/look', { body: { token } })).status).toBe(200)
})

test('an invitation that has expired, or was taken back, makes room for another one', async () => {
  const first = await invite(owner, { email: 'later@example.com' })
  await api.db
    .updateTable('invitations')
    .set({ expires_at: new Date('2020-01-01') })
    .execute()
  const second = await invite(owner, { email: 'later@example.com' })
  expect(second.invitation.id).not.toBe(first.invitation.id)
  expect((await owner.request('DELETE', `/invitations/${second.invitation.id}`)).status).toBe(204)
  await invite(owner, { email: 'later@example.com' })
})

test('the link is mailed where mail can be sent, and shown anyway', async () => {
  const { link, mailed } = await invite(owner, { email: 'mail@example.com', role: 'reviewer' })
  expect(mailed).toBe(true)
  await vi.waitUntil(() => sentTo('mail@example.com').length > 0)
  expect(sentTo('mail@example.com')).toEqual([
    {
      to: 'mail@example.com',
      subject: 'Invitation to Account on Almanac',
      text: expect.stringContaining(link),
      html: expect.stringContaining(link),
    },
  ])
  mailFails = true
  const unsent = await invite(owner, { email: 'unsent@example.com' })
  expect(unsent.mailed).toBe(true)
  await vi.waitUntil(() => api.logged().includes('A mail could not be sent'))
  expect(api.logged()).toContain(`"invitationId":"${unsent.invitation.id}"`)
  for (const { token } of [unsent, { token: tokenOf(link) }]) expect(api.logged()).not.toContain(token)
})

test('no one waits for the mail, and none is sent where none arrives', async () => {
  let taken = () => {}
  mailTakes = new Promise((resolve) => {
    taken = resolve
  })
  const { mailed } = await invite(owner, { email: 'slow@example.com' })
  expect(mailed).toBe(true)
  expect(sentTo('slow@example.com')).toEqual([])
  taken()
  await vi.waitUntil(() => sentTo('slow@example.com').length > 0)
  expect((await invite(owner, { email: 'nowhere@example.invalid' })).mailed).toBe(false)
})

test('sent again by somebody else, it is their invitation, and holds when the first one is gone', async () => {
  const admin = await signInAs(api, 'admin')
  const { invitation } = await invite(admin, { email: 'adopted@example.com' })
  await api.db.updateTable('users').set({ name: 'Grace' }).where('id', '=', owner.userId).execute()
  const { body: resent } = await owner.request('POST', `/invitations/${invitation.id}/resend`)
  expect(resent.invitation.invitedBy).toBe('Grace')
  const removal = await owner.request('DELETE', `/members/${admin.userId}`, { body: { password: owner.password } })
  expect(removal.status).toBe(200)
  const body = { token: tokenOf(resent.link), name: 'Joan', password: PASSWORD }
  expect((await ask(api, 'POST', '/invitations/accept', { body })).status).toBe(200)
})
