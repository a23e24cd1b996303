import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '#domain'
import { insertUser } from '#persistence'
import { type Api, startApi } from '../_util/api/api.ts'
import { identityOf } from '../_util/api/members.ts'
import { newPerson, newVisitor } from '../_util/api/visitor.ts'

let api: Api
beforeAll(async () => {
  // Each test comes from an address of its own.
  api = await startApi({ trustProxy: true })
})
afterAll(() => api.close())

let last = 0
const from = () => {
  last += 1
  return { 'x-forwarded-for': `198.51.100.${last}` }
}
const WRONG = 'not the password'

test('a wrong password and an unknown address get the same answer', async () => {
  const visitor = newVisitor(api, from())
  const person = await newPerson(api)
  const wrong = await visitor.signIn({ ...person, password: WRONG })
  const nobody = await visitor.signIn({ email: 'nobody@example.com', password: WRONG })
  expect(wrong).toMatchObject({ status: 401, body: { code: 'auth:wrong_sign_in' } })
  expect({ ...wrong.body, requestId: '' }).toEqual({ ...nobody.body, requestId: '' })
  expect(wrong.headers.getSetCookie()).toEqual([])
})

test.each([
  [{}],
  [{ email: 'a@example.com' }],
  [{ email: 'a@example.com', password: 1 }],
  [{ email: 'a@example.com', password: 'x', rememberMe: true }],
  [{ email: 'a@example.com', password: 'x'.repeat(1_001) }],
])('%j is no sign-in', async (body) => {
  const answer = await newVisitor(api, from()).request('POST', '/session', { body })
  expect(answer).toMatchObject({ status: 400, body: { code: 'request:invalid_body' } })
})

test('a person who is a member of no account any more learns so, and only with the right password', async () => {
  const { hashPassword } = identityOf(api)
  const person = { email: 'gone@example.com', password: 'a password of old' }
  await insertUser(api.db, {
    id: newId(),
    name: 'Gone',
    email: person.email,
    passwordHash: await hashPassword(person.password),
  })
  const visitor = newVisitor(api, from())
  expect((await visitor.signIn({ ...person, password: WRONG })).status).toBe(401)
  const answer = await visitor.signIn(person)
  expect(answer).toMatchObject({
    status: 409,
    body: { code: 'request:refused', message: expect.stringMatching(/no longer a member/) },
  })
  expect(visitor.cookies.size).toBe(0)
  expect(
    (await api.db.selectFrom('sessions').innerJoin('users', 'users.id', 'user_id').select('email').execute()).map(
      ({ email }) => email,
    ),
  ).not.toContain(person.email)
})

describe('tries', () => {
  test('after 5 wrong ones for an address the right one is not tried either, for 15 minutes', async () => {
    const visitor = newVisitor(api, from())
    const person = await newPerson(api)
    for (let n = 0; n < 5; n += 1) expect((await visitor.signIn({ ...person, password: WRONG })).status).toBe(401)
    const answer = await visitor.signIn(person)
    expect(answer).toMatchObject({
      status: 429,
      body: { code: 'auth:too_many_attempts', message: expect.stringMatching(/in 15 minutes/) },
    })
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(890)
    // From elsewhere the person still gets in.
    expect((await newVisitor(api, from()).signIn(person)).status).toBe(200)
  })

  test('they are counted for unknown addresses, too', async () => {
    const visitor = newVisitor(api, from())
    const nobody = { email: 'nobody-at-all@example.com', password: WRONG }
    for (let n = 0; n < 5; n += 1) expect((await visitor.signIn(nobody)).status).toBe(401)
    expect((await visitor.signIn(nobody)).status).toBe(429)
  })

  test('a right one makes the wrong ones before it forgotten', async () => {
    const visitor = newVisitor(api, from())
    const person = await newPerson(api)
    for (let round = 0; round < 2; round += 1) {
      for (let n = 0; n < 4; n += 1) await visitor.signIn({ ...person, password: WRONG })
      expect((await visitor.signIn(person)).status).toBe(200)
    }
  })

  test('50 wrong ones from one client, and being right once between does not start them again', async () => {
    const headers = from()
    const person = await newPerson(api)
    for (let n = 0; n < 50; n += 1) {
      const visitor = newVisitor(api, headers)
      if (n === 25) expect((await visitor.signIn(person)).status).toBe(200)
      expect((await visitor.signIn({ email: `nobody-${n}@example.com`, password: WRONG })).status).toBe(401)
    }
    const answer = await newVisitor(api, headers).signIn(person)
    expect(answer).toMatchObject({ status: 429, body: { code: 'auth:too_many_attempts' } })
  })

  test('at the same moment they are counted all the same', async () => {
    const headers = from()
    const person = await newPerson(api)
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => newVisitor(api, headers).signIn({ ...person, password: WRONG })),
    )
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(5)
  })
})
