import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '#domain'
import { type Api, startApi } from '../_util/api/api.ts'
import { newMember } from '../_util/api/members.ts'
import { newPerson, newVisitor } from '../_util/api/visitor.ts'

let api: Api
beforeAll(async () => {
  api = await startApi({ trustProxy: true })
})
afterAll(() => api.close())

const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:145.0) Gecko/20100101 Firefox/145.0'
const PHONE =
  'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36'

async function signedIn(headers: Record<string, string> = {}) {
  const person = await newPerson(api)
  const visitor = newVisitor(api, headers)
  await visitor.signIn(person)
  return { person, visitor }
}

describe('where somebody is signed in', () => {
  test('is listed with browser, system, address and times', async () => {
    const { person, visitor } = await signedIn({ 'user-agent': FIREFOX, 'x-forwarded-for': '203.0.113.7' })
    const phone = newVisitor(api, { 'user-agent': PHONE, 'x-forwarded-for': '2001:db8:1:2:3:4:5:6' })
    await phone.signIn(person)
    const past = new Date(Date.now() - 3_600_000)
    await api.db.updateTable('sessions').set({ last_used_at: past }).where('user_id', '=', person.userId).execute()
    const { body } = await visitor.request('GET', '/sessions')
    expect(body.data).toEqual([
      {
        id: expect.any(String),
        device: 'Firefox on Windows',
        address: '203.0.113.7',
        startedAt: expect.stringMatching(/^\d{4}-/),
        lastUsedAt: expect.any(String),
        current: true,
      },
      expect.objectContaining({
        device: 'Chrome on Android',
        address: expect.stringMatching(/^2001:0?db8:/),
        current: false,
      }),
    ])
    // Asking was a use of the one and not of the other.
    expect(Date.parse(body.data[0].lastUsedAt)).toBeGreaterThan(Date.now() - 60_000)
    expect(body.data[1].lastUsedAt).toBe(past.toISOString())
  })

  test('one of them is ended, and all others', async () => {
    const { person, visitor } = await signedIn()
    const others = [newVisitor(api), newVisitor(api), newVisitor(api)] as const
    for (const other of others) await other.signIn(person)
    const own = (await others[0].request('GET', '/sessions')).body.data.find((one: { current: boolean }) => one.current)
    expect((await visitor.request('DELETE', `/sessions/${own.id}`)).status).toBe(204)
    expect((await others[0].request('GET', '/session')).status).toBe(401)
    expect((await others[1].request('GET', '/session')).status).toBe(200)
    expect((await visitor.request('DELETE', '/sessions')).status).toBe(204)
    for (const other of others) expect((await other.request('GET', '/session')).status).toBe(401)
    expect((await visitor.request('GET', '/sessions')).body.data).toHaveLength(1)
  })

  test('none is ended by a request that says what it does not know', async () => {
    const { person, visitor } = await signedIn()
    await newVisitor(api).signIn(person)
    const ids = (await visitor.request('GET', '/sessions')).body.data.map(({ id }: { id: string }) => id)
    const paths = [...ids.map((id: string) => `/sessions/${id}`), '/sessions', '/session']
    for (const path of paths) {
      const answer = await visitor.request('DELETE', `${path}?all=true`)
      expect(answer, path).toMatchObject({ status: 400, body: { code: 'request:invalid_query' } })
    }
    const unknown = await visitor.request('DELETE', `/sessions/${newId()}?all=true`)
    expect(unknown.body.code).toBe('session:not_found')
    expect((await visitor.request('GET', '/sessions')).body.data).toHaveLength(2)
  })

  test("no one ends another person's", async () => {
    const { visitor } = await signedIn()
    const other = await signedIn()
    const [theirs] = (await other.visitor.request('GET', '/sessions')).body.data
    for (const id of [theirs.id, newId(), 'x', '%00']) {
      const answer = await visitor.request('DELETE', `/sessions/${id}`)
      expect(answer, id).toMatchObject({ status: 404, body: { code: 'session:not_found' } })
    }
    await visitor.request('DELETE', '/sessions')
    expect((await other.visitor.request('GET', '/session')).status).toBe(200)
  })

  test.each([
    ['GET', '/sessions'],
    ['DELETE', '/sessions'],
    ['DELETE', '/sessions/x'],
    ['PUT', '/session/account'],
  ])('%s %s wants somebody who is signed in, on our own pages', async (method, path) => {
    const body = method === 'PUT' ? { accountId: 'x' } : undefined
    expect((await newVisitor(api).request(method, path, { body })).status).toBe(401)
    const { visitor } = await signedIn()
    const headers = { origin: 'https://elsewhere.test', 'sec-fetch-site': 'cross-site' }
    expect((await visitor.request(method, path, { body, headers })).status).toBe(403)
  })
})

describe('the account that a session works on', () => {
  test('is chosen among those of the member, for this session alone', async () => {
    const { person, visitor } = await signedIn()
    const second = await api.newAccount()
    await newMember(api, second, { ...person, accountId: second }, { role: 'owner' })
    const elsewhere = newVisitor(api)
    await elsewhere.signIn(person)
    const before = (await visitor.request('GET', '/session')).body
    const chosen = before.account.id === second ? api.accountId : second
    expect((await visitor.request('PUT', '/session/account', { body: { accountId: chosen } })).status).toBe(204)
    const after = (await visitor.request('GET', '/session')).body
    expect(after).toMatchObject({ account: { id: chosen }, role: chosen === second ? 'owner' : 'editor' })
    expect(after.accounts).toHaveLength(2)
    expect((await elsewhere.request('GET', '/session')).body.account).toEqual(before.account)
  })

  test('is none of which the member is no member', async () => {
    const { visitor } = await signedIn()
    const foreign = await api.newAccount()
    for (const accountId of [foreign, newId(), 'x', '']) {
      const answer = await visitor.request('PUT', '/session/account', { body: { accountId } })
      expect(answer, accountId).toMatchObject({ status: 404, body: { code: 'account:not_found' } })
    }
    expect((await visitor.request('PUT', '/session/account', { body: {} })).status).toBe(400)
    expect((await visitor.request('GET', '/session')).body.account.id).toBe(api.accountId)
  })
})
