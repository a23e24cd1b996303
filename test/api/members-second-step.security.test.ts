import { afterAll, beforeAll, expect, test } from 'vitest'
import { createMailer } from '#identity'
import { takeSecondStepAway } from '#operations'
import { type Api, startApi } from '../_util/api/api.ts'
import { type MailServer, startMailServer } from '../_util/api/mail-server.ts'
import { newMember, type Person, signInAs } from '../_util/api/members.ts'
import { type Enrolled, enrolled } from '../_util/api/two-factor.ts'
import { newVisitor } from '../_util/api/visitor.ts'

/** An owner removes the second step of a member who has lost it. */

let mail: MailServer
let api: Api
let owner: Person
beforeAll(async () => {
  mail = await startMailServer()
  api = await startApi({ mailer: createMailer({ smtpUrl: mail.url, from: 'almanac@example.com' }) })
  owner = await signInAs(api, 'owner')
})
afterAll(async () => {
  await api.close()
  await mail.close()
})

/** With an address that receives mail. */
async function locked(): Promise<Enrolled> {
  const member = await enrolled(api)
  const email = member.person.email.replace('.invalid', '.com')
  await api.db.updateTable('users').set({ email }).where('id', '=', member.person.userId).execute()
  return { ...member, person: { ...member.person, email } }
}
const remove = (by: Person, userId: string, password = by.password) =>
  by.request('DELETE', `/members/${userId}/second-step`, { body: { password } })
/** Who removed a member's second step and when, as someone reads it in the list of members. */
async function noted(by: Person, userId: string) {
  const { body } = await by.request('GET', '/members')
  return body.members.find((one: { userId: string }) => one.userId === userId).secondStepRemoved
}
/** What the next sign-in asks for. */
const asks = async ({ person }: Enrolled) => (await newVisitor(api).signIn(person)).body.next

test('the member signs in by password alone, everywhere else the sessions end, and a mail says who did it', async () => {
  const member = await locked()
  expect((await member.visitor.request('GET', '/session')).status).toBe(200)
  const { userId, email } = member.person
  expect((await remove(owner, userId)).status).toBe(204)
  expect((await member.visitor.request('GET', '/session')).status).toBe(401)
  expect(await asks(member)).toBe('signed-in')
  const { subject, text } = await mail.next(email)
  expect(subject).toBe('Your second step for Almanac was removed')
  expect(text).toContain('Ada removed the second step of your account')
  expect((await remove(owner, userId)).body).toMatchObject({
    code: 'request:refused',
    message: expect.stringContaining('has no second step'),
  })
})

test('owners and the member read who removed it and when, admins do not, and it stays when there is a new one', async () => {
  const member = await locked()
  const { userId, password } = member.person
  expect(await noted(owner, userId)).toBeNull()
  await remove(owner, userId)
  const removed = { at: expect.stringMatching(/Z$/), by: 'Ada' }
  expect(await noted(owner, userId)).toEqual(removed)
  expect(await noted(await signInAs(api, 'owner'), userId)).toEqual(removed)
  expect(await noted(await signInAs(api, 'admin'), userId)).toBeNull()
  const back = newVisitor(api)
  await back.signIn({ ...member.person, password })
  const own = (await back.request('GET', '/members')).body.members.find(({ isYou }: { isYou: boolean }) => isYou)
  expect(own.secondStepRemoved).toEqual(removed)
  await api.db.updateTable('users').set({ two_factor_enabled: true }).where('id', '=', userId).execute()
  expect(await noted(owner, userId)).toEqual(removed)
})

test('the operator is named as no one of the account, in every account of the person', async () => {
  const member = await locked()
  const { userId, password, email } = member.person
  const other = await api.newAccount()
  await newMember(api, other, { accountId: other, userId, password })
  await takeSecondStepAway({ db: api.db }, email)
  expect(await noted(owner, userId)).toEqual({ at: expect.stringMatching(/Z$/), by: null })
  const stranger = await signInAs(api, 'owner', { accountId: other })
  expect(await noted(stranger, userId)).toEqual({ at: expect.stringMatching(/Z$/), by: null })
})

test.each(['admin', 'editor', 'reviewer'] as const)('%s may not', async (role) => {
  const member = await locked()
  expect((await remove(await signInAs(api, role), member.person.userId)).status).toBe(403)
  expect(await asks(member)).toBe('second-step')
})

test('it takes the password of the owner', async () => {
  const member = await locked()
  const answer = await remove(owner, member.person.userId, member.person.password)
  expect(answer.body.code).toBe('auth:password_confirmation_failed')
  expect(await asks(member)).toBe('second-step')
})

test('nor of a person who belongs to another account, too, of another account’s member, or one’s own', async () => {
  const member = await locked()
  const { userId, password } = member.person
  const other = await api.newAccount()
  await newMember(api, other, { accountId: other, userId, password })
  expect((await remove(owner, userId)).body).toMatchObject({
    code: 'request:refused',
    message: expect.stringContaining('also belongs to another account'),
  })
  const stranger = await signInAs(api, 'owner', { accountId: await api.newAccount() })
  expect((await remove(stranger, userId)).body.code).toBe('member:not_found')
  expect(await asks(member)).toBe('second-step')
  expect((await remove(owner, owner.userId)).body.code).toBe('request:refused')
})
