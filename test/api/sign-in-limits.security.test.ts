import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createMailer } from '#identity'
import { type Api, startApi } from '../_util/api/api.ts'
import { tokenOf } from '../_util/api/invitations.ts'
import { type MailServer, startMailServer, tokenIn } from '../_util/api/mail-server.ts'
import { totp } from '../_util/api/totp.ts'
import { enrolled } from '../_util/api/two-factor.ts'
import { type KnownPerson, newMailPerson, newPerson, newVisitor, type Visitor } from '../_util/api/visitor.ts'

let api: Api
let mail: MailServer
beforeAll(async () => {
  mail = await startMailServer()
  api = await startApi({
    trustProxy: true,
    mailer: createMailer({ smtpUrl: mail.url, from: 'almanac@example.com' }),
  })
})
afterAll(async () => {
  await api.close()
  await mail.close()
})

const COOKIE = '__Secure-almanac.known_browser'
const WRONG = 'not the password'
const LOCKED = { status: 429, body: { code: 'auth:too_many_attempts' } }

let last = 0
/** A client that no other test has. */
const from = () => {
  last += 1
  return { 'x-forwarded-for': `198.51.100.${last}` }
}
const times = async <T>(count: number, make: (n: number) => Promise<T>) => {
  const all: T[] = []
  for (let n = 0; n < count; n += 1) all.push(await make(n))
  return all
}

/** What is counted for an address of mail, wherever it was tried from. */
const everywhere = ({ email }: { email: string }) => `sign-in:${createHash('sha256').update(email).digest('base64url')}`
const triesOf = async (subject: string) =>
  (await api.db.selectFrom('attempts').select('tries').where('subject', '=', subject).executeTakeFirst())?.tries

/** As after so many wrong tries from everywhere, the first of them so long ago. */
async function attacked(person: KnownPerson, tries: number, seconds: number): Promise<void> {
  const [subject, at] = [everywhere(person), sql<Date>`clock_timestamp() - make_interval(secs => ${seconds})`]
  await api.db
    .insertInto('attempts')
    .values({ subject, tries, began_at: at })
    .onConflict((conflict) => conflict.column('subject').doUpdateSet({ tries, began_at: at }))
    .execute()
}

/** Locks a client out, as 50 wrong tries for unknown addresses do. */
async function misbehave({ 'x-forwarded-for': address }: { 'x-forwarded-for': string }): Promise<void> {
  const subject = `address:${address}`
  await api.db.deleteFrom('attempts').where('subject', '=', subject).execute()
  const counted = { subject, tries: 50, began_at: sql<Date>`clock_timestamp()` }
  await api.db.insertInto('attempts').values(counted).execute()
}

/** Somebody in a browser in which they have signed in before. */
async function returning(headers = from()): Promise<{ person: KnownPerson; visitor: Visitor }> {
  const person = await newPerson(api)
  const visitor = newVisitor(api, headers)
  await visitor.signIn(person)
  await visitor.request('DELETE', '/session')
  return { person, visitor }
}

/** Somebody who is signed in, in a browser that is not known. */
async function unknownBrowser(): Promise<{ person: KnownPerson; visitor: Visitor }> {
  const person = await newPerson(api)
  const visitor = newVisitor(api, from())
  await visitor.signIn(person)
  visitor.cookies.delete(COOKIE)
  return { person, visitor }
}

describe('wrong tries of strangers', () => {
  test('for an address lock no one out: the next try waits for its turn', async () => {
    const person = await newPerson(api)
    const answers = await times(4, () => {
      const visitor = newVisitor(api, from())
      return times(5, () => visitor.signIn({ ...person, password: WRONG }))
    })
    expect(new Set(answers.flat().map(({ status }) => status))).toEqual(new Set([401]))
    expect(await triesOf(everywhere(person))).toBe(20)
    // The turn of the next one is ten seconds after the first.
    await attacked(person, 20, 9.7)
    expect((await newVisitor(api, from()).signIn(person)).status).toBe(200)
  })

  test('come no faster than their turns, and what is refused for that is not counted', async () => {
    const person = await newPerson(api)
    await attacked(person, 30, 60)
    const headers = from()
    for (const answer of await times(7, () => newVisitor(api, headers).signIn(person))) {
      expect(answer).toMatchObject(LOCKED)
      expect(answer.body.message).toMatch(/signed in with before, or ask for a new password\.$/)
      // 11 turns of 10 s from the first one are at 110 s; waiting is for 15 s.
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(30)
      expect(Number(answer.headers.get('retry-after'))).toBeLessThanOrEqual(35)
    }
    expect(await triesOf(everywhere(person))).toBe(30)
    await attacked(person, 30, 109.8)
    expect((await newVisitor(api, headers).signIn(person)).status).toBe(200)
  })

  test('are not made forgotten by somebody who is right', async () => {
    const person = await newPerson(api)
    await attacked(person, 15, 60)
    expect((await newVisitor(api, from()).signIn(person)).status).toBe(200)
    expect(await triesOf(everywhere(person))).toBe(15)
  })
})

describe('a browser that somebody has signed in with before', () => {
  test('is known by a cookie that no script reads', async () => {
    const visitor = newVisitor(api, from())
    const answer = await visitor.signIn(await newPerson(api))
    const cookie = answer.headers.getSetCookie().find((one) => one.startsWith(COOKIE))
    expect(cookie).toMatch(/; Max-Age=34560000; Path=\/; HttpOnly; Secure; SameSite=Lax$/)
    await visitor.request('DELETE', '/session')
    expect([...visitor.cookies.keys()]).toEqual([COOKIE])
  })

  test('is not given one by a wrong password', async () => {
    const visitor = newVisitor(api, from())
    await visitor.signIn({ ...(await newPerson(api)), password: WRONG })
    expect(visitor.cookies.size).toBe(0)
  })

  test('signs in while strangers try, from everywhere and from the same client', async () => {
    const headers = from()
    const { person, visitor } = await returning(headers)
    await attacked(person, 1_000, 60)
    await misbehave(headers)
    expect(await newVisitor(api, headers).signIn(person)).toMatchObject(LOCKED)
    expect((await visitor.signIn({ ...person, password: WRONG })).status).toBe(401)
    expect((await visitor.signIn(person)).status).toBe(200)
    expect(await triesOf(everywhere(person))).toBe(1_000)
  })

  test('has five wrong tries of its own, which lock no one else', async () => {
    const { person, visitor } = await returning()
    const wrong = await times(5, () => visitor.signIn({ ...person, password: WRONG }))
    expect(new Set(wrong.map(({ status }) => status))).toEqual(new Set([401]))
    expect(await visitor.signIn(person)).toMatchObject(LOCKED)
    expect((await newVisitor(api, from()).signIn(person)).status).toBe(200)
  })

  test('is known to each of the people who share it, and for no one else', async () => {
    const headers = from()
    const { person: one, visitor } = await returning(headers)
    const two = await newPerson(api)
    await visitor.signIn(two)
    await visitor.request('DELETE', '/session')
    await misbehave(headers)
    for (const person of [one, two]) {
      expect((await visitor.signIn(person)).status).toBe(200)
      await visitor.request('DELETE', '/session')
    }
    expect(await visitor.signIn(await newPerson(api))).toMatchObject(LOCKED)
  })

  test('is not known by a cookie that was changed', async () => {
    const headers = from()
    const { person, visitor } = await returning(headers)
    const other = await newPerson(api)
    const value = visitor.cookies.get(COOKIE) ?? ''
    const [, id = '', until = '', signature = ''] = value.split('.')
    await misbehave(headers)
    for (const [who, forged] of [
      [other, [other.userId, id, until, signature].join('.')],
      [person, [person.userId, id, String(Number(until) + 1), signature].join('.')],
      [person, [person.userId, `${id}A`, until, signature].join('.')],
      [person, [person.userId, id, until, ''].join('.')],
      [person, [person.userId, id, until].join('.')],
      [person, '~~~~'],
      [person, value.slice(0, -1)],
    ] as const) {
      const thief = newVisitor(api, headers)
      thief.cookies.set(COOKIE, forged)
      expect(await thief.signIn(who), forged).toMatchObject(LOCKED)
    }
  })

  test('is asked for a code while strangers lock its client', async () => {
    const { person, visitor, secret } = await enrolled(api)
    const headers = from()
    const again = newVisitor(api, headers)
    expect(visitor.cookies.has(COOKIE)).toBe(true)
    again.cookies.set(COOKIE, visitor.cookies.get(COOKIE) ?? '')
    await misbehave(headers)
    expect((await again.signIn(person)).body).toEqual({ next: 'second-step' })
    const code = totp(secret, 1)
    expect((await again.request('POST', '/session/second-step', { body: { code } })).body).toEqual({
      next: 'signed-in',
    })
  })

  test('confirms an invitation while strangers lock its client', async () => {
    const headers = from()
    const { person, visitor } = await returning(headers)
    await attacked(person, 1_000, 60)
    await misbehave(headers)
    const owner = newVisitor(api, from())
    await owner.signIn(await newPerson(api, 'owner'))
    await api.db.deleteFrom('memberships').where('user_id', '=', person.userId).execute()
    const invitation = { email: person.email, role: 'editor', socialSetIds: null }
    const token = tokenOf((await owner.request('POST', '/invitations', { body: invitation })).body.link)
    const body = { token, password: person.password }
    expect(await newVisitor(api, headers).request('POST', '/invitations/accept', { body })).toMatchObject(LOCKED)
    expect((await visitor.request('POST', '/invitations/accept', { body })).status).toBe(200)
  })

  test('asks for a new password while its client has asked too often', async () => {
    const headers = from()
    const person = await newMailPerson(api)
    const visitor = newVisitor(api, headers)
    await visitor.signIn(person)
    const ask = (who: Visitor, email: string) => who.request('POST', '/password-resets', { body: { email } })
    await times(21, (n) => ask(newVisitor(api, headers), `nobody-${n}@example.com`))
    expect(await ask(newVisitor(api, headers), person.email)).toMatchObject(LOCKED)
    const own = await times(3, () => ask(visitor, person.email))
    expect(new Set(own.map(({ status }) => status))).toEqual(new Set([200]))
    expect(await ask(visitor, person.email)).toMatchObject(LOCKED)
    await mail.next(person.email)
  })

  test('is also one that was signed in before there were such cookies, once its session is prolonged', async () => {
    const { person, visitor } = await unknownBrowser()
    expect((await visitor.request('GET', '/session')).status).toBe(200)
    expect(visitor.cookies.has(COOKIE)).toBe(false)
    const soon = sql<Date>`clock_timestamp() + interval '20 days'`
    await api.db.updateTable('sessions').set({ expires_at: soon }).where('user_id', '=', person.userId).execute()
    const answer = await visitor.request('GET', '/session')
    expect(answer.headers.getSetCookie()).toHaveLength(2)
    await api.db.deleteFrom('sessions').where('user_id', '=', person.userId).execute()
    await attacked(person, 1_000, 60)
    expect((await visitor.signIn(person)).status).toBe(200)
  })

  test('and once the person signs out', async () => {
    const { person, visitor } = await unknownBrowser()
    expect((await visitor.request('DELETE', '/session')).status).toBe(204)
    expect([...visitor.cookies.keys()]).toEqual([COOKIE])
    await attacked(person, 1_000, 60)
    expect((await visitor.signIn(person)).status).toBe(200)
  })

  test('keeps its cookie when it signs out, and without a session there is none', async () => {
    const { visitor } = await returning()
    const kept = visitor.cookies.get(COOKIE)
    await visitor.request('DELETE', '/session')
    expect(visitor.cookies.get(COOKIE)).toBe(kept)
    const stranger = newVisitor(api, from())
    await stranger.request('DELETE', '/session')
    expect(stranger.cookies.has(COOKIE)).toBe(false)
  })

  test('is also one in which a link for a new password was used', async () => {
    const headers = from()
    const person = await newMailPerson(api)
    const visitor = newVisitor(api, headers)
    await visitor.request('POST', '/password-resets', { body: { email: person.email } })
    const token = tokenIn((await mail.next(person.email)).content)
    const password = 'a password of this year'
    await misbehave(headers)
    expect((await visitor.request('POST', '/password-resets/redeem', { body: { token, password } })).status).toBe(204)
    expect((await visitor.signIn({ ...person, password })).status).toBe(200)
  })
})

test('a link that is right opens, however many wrong ones came from that client', async () => {
  const headers = from()
  const person = await newMailPerson(api)
  const visitor = newVisitor(api, headers)
  await visitor.request('POST', '/password-resets', { body: { email: person.email } })
  const token = tokenIn((await mail.next(person.email)).content)
  const look = (token: string) => visitor.request('POST', '/password-resets/look', { body: { token } })
  const wrong = await times(31, () => look('A'.repeat(43)))
  expect(wrong.map(({ status }) => status)).toEqual([...Array<number>(30).fill(410), 429])
  expect((await look(token)).status).toBe(200)
})

test('without a mail server, who has to wait for a far turn is sent to the operator', async () => {
  const bare = await startApi({ trustProxy: 1 })
  try {
    const person = await newPerson(bare)
    const [subject, began_at] = [everywhere(person), sql<Date>`clock_timestamp()`]
    await bare.db.insertInto('attempts').values({ subject, tries: 30, began_at }).execute()
    const answer = await newVisitor(bare, from()).signIn(person)
    expect(answer).toMatchObject(LOCKED)
    expect(answer.body.message).toMatch(/signed in with before, or ask the operator for a link for a new password\.$/)
  } finally {
    await bare.close()
  }
})
