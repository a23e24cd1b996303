import { afterAll, beforeAll, expect, test } from 'vitest'
import { LIMITS } from '#contract'
import { newId } from '#domain'
import { type Answer, type Api, type Body, startApi } from '../_util/api/api.ts'
import { ask, invite, untilWaiting } from '../_util/api/invitations.ts'
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
const paths = ({ body }: Answer) => body.errors.map(({ path }: Body) => path)
const look = (token: string) => ask(api, 'POST', '/invitations/look', { body: { token } })
const accept = (body: object) => ask(api, 'POST', '/invitations/accept', { body })

test('all problems of an invitation are reported at once, each with its field', async () => {
  const send = (body: object) => owner.request('POST', '/invitations', { body })
  const wrong = await send({ email: 7, role: 'king', socialSetIds: 'all', note: 'hi' })
  expect(codeOf(wrong)).toEqual([400, 'request:invalid_body'])
  expect(paths(wrong).toSorted()).toEqual(['email', 'note', 'role', 'socialSetIds'])
  for (const email of ['', 'ada', 'ada@home', 'a b@example.com', 'a@b@example.com', 'ada@example.com\u0007']) {
    expect(paths(await send({ email, role: 'author', socialSetIds: null })), email).toEqual(['email'])
  }
  const email = 'sets@example.com'
  expect(paths(await send({ email, role: 'author', socialSetIds: [] }))).toEqual(['socialSetIds'])
  expect(paths(await send({ email, role: 'author', socialSetIds: [newId()] }))).toEqual(['socialSetIds'])
  expect(paths(await send({ email, role: 'owner', socialSetIds: [api.socialSetId] }))).toEqual(['socialSetIds'])
  const { body } = await owner.request('GET', '/members')
  expect(body.invitations).toEqual([])
})

test('members and invited people are not invited twice', async () => {
  const member = await owner.request('POST', '/invitations', {
    body: { email: owner.email.toUpperCase(), role: 'author', socialSetIds: null },
  })
  expect(codeOf(member)).toEqual([409, 'invitation:member_already'])
  await invite(owner, { email: 'twice@example.com' })
  const again = await owner.request('POST', '/invitations', {
    body: { email: 'Twice@example.com', role: 'editor', socialSetIds: null },
  })
  expect(codeOf(again)).toEqual([409, 'invitation:invited_already'])
})

test('the outcome of a link is reported in words', async () => {
  const used = await invite(owner, { email: 'used@example.com' })
  expect((await accept({ token: used.token, name: 'Eva', password: PASSWORD })).status).toBe(200)
  const revoked = await invite(owner, { email: 'revoked@example.com' })
  await owner.request('DELETE', `/invitations/${revoked.invitation.id}`)
  const expired = await invite(owner, { email: 'expired@example.com' })
  await api.db
    .updateTable('invitations')
    .set({ expires_at: new Date('2020-01-01') })
    .where('id', '=', expired.invitation.id)
    .execute()
  const cases = [
    [used.token, 410, 'invitation:used', /accepted already/],
    [revoked.token, 410, 'invitation:revoked', /revoked/],
    [expired.token, 410, 'invitation:expired', /expired\. Ask Ada/],
    ['A'.repeat(43), 404, 'invitation:not_found', /Ask for a new invitation/],
    ['', 404, 'invitation:not_found', /not complete/],
  ] as const
  for (const [token, status, code, words] of cases) {
    const looked = await look(token)
    expect(codeOf(looked)).toEqual([status, code])
    expect(looked.body.message).toMatch(words)
    expect(codeOf(await accept({ token, name: 'Eva', password: PASSWORD }))).toEqual([status, code])
  }
  expect((await look(expired.token)).body.message).not.toContain('@')
})

test('a name and a password that can be used are asked of somebody new, and nothing is used up before', async () => {
  const { token } = await invite(owner, { email: 'new.person@example.com' })
  expect(paths(await accept({ token }))).toEqual(['name', 'password'])
  expect(paths(await accept({ token, name: ' ', password: 'short' }))).toEqual(['name', 'password'])
  expect(paths(await accept({ token, name: 'Eva', password: 'new.person@example.com' }))).toEqual(['password'])
  expect(paths(await accept({ token, name: 'x'.repeat(201), password: PASSWORD }))).toEqual(['name'])
  expect(paths(await accept({ token, name: 'Eva\u0007', password: PASSWORD }))).toEqual(['name'])
  expect(paths(await accept({ token, name: 'Eva', password: PASSWORD, role: 'owner' }))).toEqual(['role'])
  expect((await look(token)).status).toBe(200)
})

test('a name and a password are bounded before anything is hashed, of people who have a user too', async () => {
  const known = await newMember(api, await api.newAccount())
  const { token } = await invite(owner, { email: `${known.userId}@example.invalid` })
  const long = 'x'.repeat(LIMITS.password.max + 1)
  const tries = () => api.db.selectFrom('attempts').select('subject').execute()
  const before = await tries()
  expect(paths(await accept({ token, password: long }))).toEqual(['password'])
  expect(paths(await accept({ token, name: 'x'.repeat(201), password: known.password }))).toEqual(['name'])
  // No password was compared: that counts as a try.
  expect(await tries()).toEqual(before)
  expect((await look(token)).status).toBe(200)
})

test('a person who became a member in another way learns that', async () => {
  const accountId = await api.newAccount()
  const person = await newMember(api, accountId)
  const { token } = await invite(owner, { email: `${person.userId}@example.invalid` })
  await newMember(api, api.accountId, person)
  expect(codeOf(await accept({ token, password: person.password }))).toEqual([409, 'invitation:member_already'])
})

test('two who accept at once are one member, new or not', async () => {
  const accountId = await api.newAccount()
  const known = await newMember(api, accountId)
  const cases = [
    ['race@example.com', ['Eva', 'Eve'].map((name) => ({ name, password: PASSWORD }))],
    [`${known.userId}@example.invalid`, [{ password: known.password }, { password: known.password }]],
  ] as const
  for (const [email, people] of cases) {
    const { token } = await invite(owner, { email })
    const asked = await api.db.transaction().execute(async (trx) => {
      await trx.selectFrom('accounts').select('id').where('id', '=', api.accountId).forUpdate().execute()
      const both = people.map((person) => accept({ token, ...person }))
      await untilWaiting(api, 2)
      return both
    })
    const outcomes = (await Promise.all(asked)).map(codeOf)
    expect(outcomes).toContainEqual([200, undefined])
    expect(outcomes).toContainEqual([410, 'invitation:used'])
    const users = await api.db.selectFrom('users').select('id').where('email', '=', email).execute()
    expect(users).toHaveLength(1)
  }
})

test('two accounts that invite somebody new at once make one user', async () => {
  const accountId = await api.newAccount()
  const theirs = await signInAs(api, 'owner', { accountId })
  const email = 'both@example.com'
  const tokens = [await invite(owner, { email }), await invite(theirs, { email })].map(({ token }) => token)
  const answers = await Promise.all(tokens.map((token) => accept({ token, name: 'Eva', password: PASSWORD })))
  const worked = answers.filter(({ status }) => status === 200)
  expect(worked.length).toBeGreaterThan(0)
  for (const answer of answers) expect([200, 409]).toContain(answer.status)
  const left = tokens.filter((_, index) => answers[index]?.status !== 200)
  for (const token of left) expect((await accept({ token, password: PASSWORD })).status).toBe(200)
  const memberships = await api.db
    .selectFrom('memberships')
    .innerJoin('users', 'users.id', 'memberships.user_id')
    .select('account_id')
    .where('email', '=', email)
    .execute()
  expect(memberships).toHaveLength(2)
})

test('an invitation taken back while somebody accepts is one or the other, never both', async () => {
  const { token, invitation } = await invite(owner, { email: 'either@example.com' })
  const [accepted, revoked] = await Promise.all([
    accept({ token, name: 'Eva', password: PASSWORD }),
    owner.request('DELETE', `/invitations/${invitation.id}`),
  ])
  const outcome = [accepted.status, revoked.status]
  expect([[200, 404].join(), [410, 204].join()]).toContain(outcome.join())
})

test('there is an end to open invitations', async () => {
  const accountId = await api.newAccount()
  const theirs = await signInAs(api, 'owner', { accountId })
  const inviter = { id: theirs.userId, name: 'Ada' }
  const rows = Array.from({ length: LIMITS.openInvitationsPerAccount }, (_, index) => ({
    id: newId(),
    account_id: accountId,
    email: `person${index}@example.com`,
    role: 'author',
    social_set_ids: null,
    token_hash: Buffer.from(newId()),
    invited_by: inviter.id,
    inviter_name: inviter.name,
    expires_at: new Date('2100-01-01'),
  }))
  await api.db.insertInto('invitations').values(rows).execute()
  const body = { email: 'one.more@example.com', role: 'author', socialSetIds: null }
  const refused = await theirs.request('POST', '/invitations', { body })
  expect(codeOf(refused)).toEqual([409, 'request:refused'])
})
