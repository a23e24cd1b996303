import { afterAll, beforeAll, expect, test } from 'vitest'
import { DEFAULT_PREFERENCES } from '#contract'
import { type Api, startApi } from '../_util/api/api.ts'
import { newPerson, newVisitor, type Visitor } from '../_util/api/visitor.ts'

let api: Api
let visitor: Visitor
beforeAll(async () => {
  api = await startApi()
  visitor = newVisitor(api)
  await visitor.signIn(await newPerson(api))
})
afterAll(() => api.close())

const group = {
  socialSetId: '019f0000-0000-7000-8000-000000000000',
  name: 'Short texts',
  accountTypes: ['BLUESKY', 'TWITTER'],
}
const change = (body: object) => visitor.request('PATCH', '/preferences', { body })
const read = async () => (await visitor.request('GET', '/session')).body.preferences

test('each preference is changed by itself, and the others stay', async () => {
  const steps = {
    theme: 'dark',
    locale: 'de-CH',
    hourCycle: 'h12',
    weekStart: 'saturday',
    timezone: 'Asia/Kathmandu',
    shortcuts: false,
    accountGroups: [group],
  }
  const expected: Record<string, unknown> = { ...DEFAULT_PREFERENCES }
  for (const [name, value] of Object.entries(steps)) {
    expected[name] = value
    expect(await change({ [name]: value })).toMatchObject({ status: 200, body: expected })
    expect(await read()).toEqual(expected)
  }
  expect((await change({ locale: null, timezone: null })).body).toEqual({ ...expected, locale: null, timezone: null })
  expect((await change({})).status).toBe(200)
})

test.each([
  [{ theme: 'blue' }, 'theme'],
  [{ locale: 'not a language' }, 'locale'],
  [{ timezone: 'Europe/Atlantis' }, 'timezone'],
  [{ timezone: '+02:00' }, 'timezone'],
  [{ hourCycle: 'h24' }, 'hourCycle'],
  [{ weekStart: 1 }, 'weekStart'],
  [{ shortcuts: 'yes' }, 'shortcuts'],
  [{ fontSize: 12 }, 'fontSize'],
  [{ accountGroups: [{ ...group, socialSetId: 'mine' }] }, 'accountGroups[0].socialSetId'],
  [{ accountGroups: [group, { ...group, name: 'a\0b' }] }, 'accountGroups[1].name'],
  [{ accountGroups: [{ ...group, name: ' ' }] }, 'accountGroups[0].name'],
  [{ accountGroups: [{ ...group, name: 'a'.repeat(41) }] }, 'accountGroups[0].name'],
  [{ accountGroups: [{ ...group, accountTypes: [] }] }, 'accountGroups[0].accountTypes'],
  [{ accountGroups: [{ ...group, accountTypes: ['MYSPACE'] }] }, 'accountGroups[0].accountTypes[0]'],
])('%j is refused at its field', async (body, path) => {
  const before = await read()
  expect(await change(body)).toMatchObject({ status: 400, body: { errors: [{ path }] } })
  expect(await read()).toEqual(before)
})

test("they are one person's own", async () => {
  const other = newVisitor(api)
  await other.signIn(await newPerson(api))
  await other.request('PATCH', '/preferences', { body: { theme: 'light' } })
  await change({ theme: 'dark' })
  expect((await other.request('GET', '/session')).body.preferences).toEqual({ ...DEFAULT_PREFERENCES, theme: 'light' })
})

test('no one else changes them', async () => {
  expect((await newVisitor(api).request('PATCH', '/preferences', { body: {} })).status).toBe(401)
  const headers = { origin: 'https://elsewhere.test', 'sec-fetch-site': 'cross-site' }
  expect((await visitor.request('PATCH', '/preferences', { body: {}, headers })).status).toBe(403)
})
