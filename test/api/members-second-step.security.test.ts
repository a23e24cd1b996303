import { afterAll, beforeAll, expect, test } from 'vitest'
import { createMailer } from '#identity'
import { type Api, startApi } from '../_util/api.ts'
import { type MailServer, startMailServer } from '../_util/mail-server.ts'
import { newMember, type Person, signInAs } from '../_util/members.ts'
import { type Enrolled, enrolled } from '../_util/two-factor.ts'
import { newVisitor } from '../_util/visitor.ts'

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
