import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Api, startApi } from '../_util/api/api.ts'
import { totp } from '../_util/api/totp.ts'
import { enrolled } from '../_util/api/two-factor.ts'
import { newPerson, newVisitor } from '../_util/api/visitor.ts'

let api: Api
beforeAll(async () => {
  api = await startApi()
})
afterAll(() => api.close())

test.each([
  ['POST', '/two-factor'],
  ['POST', '/two-factor/backup-codes'],
  ['DELETE', '/two-factor'],
])('%s %s wants the password', async (method, path) => {
  const { visitor } = await enrolled(api)
  const wrong = await visitor.request(method, path, { body: { password: 'not the password' } })
  expect(wrong).toMatchObject({ status: 403, body: { code: 'auth:password_confirmation_failed' } })
  for (const body of [{}, { password: 1 }, undefined]) {
    expect((await visitor.request(method, path, { body })).status).toBe(400)
  }
  expect((await visitor.request('GET', '/two-factor')).body).toEqual({ enabled: true, backupCodesLeft: 10 })
})

test('what there is cannot be set up again, and what there is not cannot be changed', async () => {
  const { person, visitor } = await enrolled(api)
  const { password } = person
  expect(await visitor.request('POST', '/two-factor', { body: { password } })).toMatchObject({ status: 409 })
  expect(await visitor.request('POST', '/two-factor/confirm', { body: { code: '123456' } })).toMatchObject({
    status: 409,
  })
  const plain = await newPerson(api)
  const without = newVisitor(api)
  await without.signIn(plain)
  const body = { password: plain.password }
  expect((await without.request('POST', '/two-factor/backup-codes', { body })).status).toBe(409)
})

test('a wrong first code sets nothing up, and a sixth one is not looked at', async () => {
  const person = await newPerson(api)
  const visitor = newVisitor(api)
  await visitor.signIn(person)
  // Before anything was begun.
  expect((await visitor.request('POST', '/two-factor/confirm', { body: { code: '123456' } })).status).toBe(400)
  const { body } = await visitor.request('POST', '/two-factor', { body: { password: person.password } })
  const wrong = totp(body.secret) === '000000' ? '000001' : '000000'
  for (const code of [wrong, 'abcdefghij', '', '12345']) {
    const answer = await visitor.request('POST', '/two-factor/confirm', { body: { code } })
    expect(answer).toMatchObject({ status: 400, body: { errors: [{ path: 'code' }] } })
  }
  const sixth = await visitor.request('POST', '/two-factor/confirm', { body: { code: totp(body.secret) } })
  expect(sixth).toMatchObject({ status: 429, body: { code: 'auth:too_many_attempts' } })
  expect((await visitor.request('GET', '/two-factor')).body.enabled).toBe(false)
})

test('after five wrong codes the right one is not looked at either', async () => {
  const { person, secret } = await enrolled(api)
  const visitor = newVisitor(api)
  await visitor.signIn(person)
  const use = (code: string) => visitor.request('POST', '/session/second-step', { body: { code } })
  for (const code of ['wrong-wrong', 'abcde-fghij', '22222-33333', 'zzzzz-zzzzz', '12345']) {
    expect(await use(code)).toMatchObject({ status: 401, body: { code: 'auth:wrong_sign_in' } })
  }
  expect(await use(totp(secret, 1))).toMatchObject({ status: 429, body: { code: 'auth:too_many_attempts' } })
  // Nor after the password again.
  await visitor.signIn(person)
  expect((await use(totp(secret, 1))).status).toBe(429)
})

test('without a first step, or long after it, the password is asked for again', async () => {
  const { person, secret } = await enrolled(api)
  const visitor = newVisitor(api)
  const use = () => visitor.request('POST', '/session/second-step', { body: { code: totp(secret, 1) } })
  expect(await use()).toMatchObject({ status: 401, body: { code: 'auth:second_step_over' } })
  await visitor.signIn(person)
  await api.db
    .updateTable('verifications' as never)
    .set({ expires_at: new Date() } as never)
    .execute()
  expect(await use()).toMatchObject({ status: 401, body: { code: 'auth:second_step_over' } })
  for (const body of [{}, { code: 123456 }, { code: '123456', trustDevice: true }]) {
    expect((await visitor.request('POST', '/session/second-step', { body })).status).toBe(400)
  }
})
