import { afterAll, beforeAll, expect, test } from 'vitest'
import { loadNetworks } from '#networks'
import { type Api, startApi } from '../_util/api/api.ts'
import { choose, comeBack, decide, readSignIn, signInThere, start } from '../_util/api/connecting.ts'
import { anyRate, startSimulators } from '../_util/api/connections.ts'
import { type Person, signInAs } from '../_util/api/members.ts'

let api: Api
/** An installation whose sandbox is off. */
let bare: Api
let simulators: Awaited<ReturnType<typeof startSimulators>>
let owner: Person
let bareOwner: Person
let socialSetId: string

beforeAll(async () => {
  simulators = await startSimulators(await loadNetworks())
  ;[api, bare] = await Promise.all([startApi({ rate: anyRate, connections: simulators }), startApi({ rate: anyRate })])
  owner = await signInAs(api, 'owner')
  bareOwner = await signInAs(bare, 'owner')
  socialSetId = await api.newSocialSet()
})
afterAll(async () => {
  await Promise.all([api.close(), bare.close()])
  await simulators.close()
})

const post = (path: string, body?: object) => owner.request('POST', `/connections${path}`, { body })
const refused = (message: RegExp | string) => ({
  status: 409,
  body: { code: 'request:refused', message: typeof message === 'string' ? message : expect.stringMatching(message) },
})
const demoAccount = async (accountType: string, set = socialSetId) => {
  await post('/sandbox', { socialSetId: set, accountTypes: [accountType] })
  const { connections } = (await owner.request('GET', `/connections?socialSetId=${set}`)).body
  return connections.find((each: { accountType: string }) => each.accountType === accountType).id as string
}

test.each<[string, string, object, string[]]>([
  [
    'a sign-in',
    '/authorizations',
    { accountType: 'MYSPACE', sandbox: 'yes', more: 1 },
    ['accountType', 'more', 'sandbox'],
  ],
  ['a password', '/password', { accountType: 'BLUESKY', identifier: 1 }, ['identifier', 'password']],
  ['demo accounts', '/sandbox', { accountTypes: [] }, ['accountTypes']],
])('everything that is wrong with the body of %s is reported at once', async (_, path, body, wrong) => {
  const answer = await post(path, { socialSetId, ...body })
  expect([answer.status, answer.body.code]).toEqual([400, 'request:invalid_body'])
  expect(answer.body.errors.map((error: { path: string }) => error.path.split(/[.[]/)[0]).sort()).toEqual(wrong)
})

test.each<[string, string, string, object]>([
  ['a password', 'POST', '/password', { accountType: 'BLUESKY', identifier: 'a\0b', password: 'x' }],
  ['half a character', 'POST', '/password', { accountType: 'BLUESKY', identifier: 'a', password: 'x\ud800' }],
  ['a default', 'PUT', '/ID/defaults', { defaults: { privacy: 'a\0b' } }],
  ['the end', 'DELETE', '/ID', { password: 'a\0b', scheduledSets: 'LEAVE' }],
  ['a choice', 'POST', '/authorizations/SIGN-IN/choose', { externalId: 'a\0b' }],
])('texts that no database takes are refused: %s', async (_, method, path, body) => {
  const set = await api.newSocialSet()
  const id = await demoAccount('TIKTOK', set)
  const { id: signIn } = await start(owner, { socialSetId: set, accountType: 'FACEBOOK', sandbox: true })
  const place = method === 'POST' && path === '/password' ? { socialSetId: set } : {}
  const answer = await owner.request(method, `/connections${path.replace('ID', id).replace('SIGN-IN', signIn)}`, {
    body: { ...place, ...body },
  })
  expect([answer.status, answer.body.code]).toEqual([400, 'request:invalid_body'])
})

test('a list without a social set, with an unknown parameter, or of a set that is not there is refused', async () => {
  const get = (query: string) => owner.request('GET', `/connections${query}`)
  expect(await get('')).toMatchObject({ status: 400, body: { message: 'socialSetId is required.' } })
  expect(await get(`?socialSetId=${socialSetId}&x=1`)).toMatchObject({ status: 400 })
  expect(await get('?socialSetId=nonsense')).toMatchObject({ status: 404, body: { code: 'social-set:not_found' } })
  expect(await owner.request('GET', '/connections/attention?x=1')).toMatchObject({ status: 400 })
})

test('a connection or a sign-in that is not there is not found', async () => {
  for (const id of ['nonsense', socialSetId]) {
    for (const answer of [
      await owner.request('GET', `/connections/${id}/defaults`),
      await owner.request('PUT', `/connections/${id}/defaults`, { body: { defaults: {} } }),
      await owner.request('GET', `/connections/${id}/closing`),
      await post(`/${id}/reconnect`),
      await owner.request('DELETE', `/connections/${id}`, {
        body: { password: owner.password, scheduledSets: 'LEAVE' },
      }),
    ]) {
      expect(answer).toMatchObject({ status: 404, body: { code: 'connection:not_found' } })
    }
    const signIn = { status: 404, body: { code: 'connection:sign_in_not_found' } }
    expect(await owner.request('GET', `/connections/authorizations/${id}`)).toMatchObject(signIn)
    expect(await post(`/authorizations/${id}/choose`, { externalId: 'x' })).toMatchObject(signIn)
  }
})

test('without an app of the operator nothing begins, and the words say whom to ask', async () => {
  const answer = await post('/authorizations', { socialSetId, accountType: 'PINTEREST', sandbox: false })
  expect(answer).toMatchObject(
    refused(/^Pinterest is not set up on this installation\. Ask the person who operates it\.$/),
  )
})

test('each network is connected in its own way only', async () => {
  expect(await post('/authorizations', { socialSetId, accountType: 'BLUESKY', sandbox: false })).toMatchObject(
    refused(/has no sign-in on pages of its own/),
  )
  const body = { socialSetId, accountType: 'THREADS', identifier: 'ada', password: 'x' }
  expect(await post('/password', body)).toMatchObject(refused(/not connected with a password/))
})

test('what the network says of a password is reported as it is', async () => {
  const body = { socialSetId, accountType: 'BLUESKY', identifier: 'ada', password: 'x' }
  expect(
    await bareOwner.request('POST', '/connections/password', { body: { ...body, socialSetId: bare.socialSetId } }),
  ).toMatchObject(refused(/could not be reached\. There is no way out\./))
  expect(await post('/password', { ...body, service: 'http://pds.example' })).toMatchObject(
    refused(/reached over https/),
  )
  expect(await post('/password', { ...body, service: 'https://' })).toMatchObject(
    refused(/not the address of a server/),
  )
})

test('where the sandbox is off there are no demo accounts', async () => {
  const off = refused(/switched off here/)
  const ask = (path: string, body: object) => bareOwner.request('POST', `/connections${path}`, { body })
  const place = { socialSetId: bare.socialSetId }
  expect(await ask('/sandbox', place)).toMatchObject(off)
  expect(await ask('/authorizations', { ...place, accountType: 'THREADS', sandbox: true })).toMatchObject(off)
  const { body } = await bareOwner.request('GET', `/connections?socialSetId=${bare.socialSetId}`)
  expect(body.accountTypes.every(({ sandbox }: { sandbox: boolean }) => !sandbox)).toBe(true)
  const [connection] = body.connections
  expect(await ask(`/${connection.id}/reconnect`, {})).toMatchObject(off)
})

test('a choice that the sign-in does not offer, or that is made twice, is refused in words', async () => {
  const set = await api.newSocialSet()
  const { id } = await start(owner, { socialSetId: set, accountType: 'FACEBOOK', sandbox: true })
  const pick = (externalId: string) => post(`/authorizations/${id}/choose`, { externalId })
  expect(await pick('x')).toMatchObject(refused(/has not come back from the network yet/))
  const { address } = await start(owner, { socialSetId: set, accountType: 'FACEBOOK', sandbox: true })
  expect(address).toContain('state=')
  const signIn = await signInThere(api, owner, { socialSetId: set, accountType: 'FACEBOOK', sandbox: true })
  const choice = (externalId: unknown) => post(`/authorizations/${signIn.id}/choose`, { externalId })
  expect(await choice('x')).toMatchObject(refused(/gave no account x/))
  expect(await choice(1)).toMatchObject({ status: 400 })
  await choose(owner, signIn.id, { externalId: signIn.accounts[0]?.externalId })
  expect(await choice(signIn.accounts[1]?.externalId)).toMatchObject(refused(/already connected an account/))
})

test('another account does not take a place by itself', async () => {
  const set = await api.newSocialSet()
  const before = await demoAccount('THREADS', set)
  const signIn = await signInThere(api, owner, { socialSetId: set, accountType: 'THREADS', sandbox: true })
  const externalId = signIn.accounts[0]?.externalId
  const pick = (more: object) => post(`/authorizations/${signIn.id}/choose`, { externalId, ...more })
  expect(await pick({})).toMatchObject(refused(/connected to another Threads account/))
  expect(await pick({ password: 'wrong' })).toMatchObject({
    status: 403,
    body: { code: 'auth:password_confirmation_failed' },
  })
  const { connections } = (await owner.request('GET', `/connections?socialSetId=${set}`)).body
  expect(connections).toMatchObject([{ id: before }])
})

test('a sign-in that waited too long is over, before and after the person came back', async () => {
  const over = { status: 'FAILED', message: expect.stringMatching(/has expired/), accounts: [] }
  const set = await api.newSocialSet()
  const expire = (id: string) =>
    api.db
      .updateTable('authorizations')
      .set({ expires_at: new Date(0) })
      .where('id', '=', id)
      .execute()
  const begun = await start(owner, { socialSetId: set, accountType: 'FACEBOOK', sandbox: true })
  await expire(begun.id)
  const back = await comeBack(api, await decide(begun.address), owner.cookie)
  expect(back.status).toBe(303)
  expect(await readSignIn(owner, begun.id)).toMatchObject(over)
  const choosing = await signInThere(api, owner, { socialSetId: set, accountType: 'FACEBOOK', sandbox: true })
  await expire(choosing.id)
  expect(await readSignIn(owner, choosing.id)).toMatchObject(over)
})

test('a default that the network does not offer is refused in words', async () => {
  const id = await demoAccount('TIKTOK')
  const put = (defaults: object) => owner.request('PUT', `/connections/${id}/defaults`, { body: { defaults } })
  expect(await put({ privacy: 'EVERYBODY' })).toMatchObject(refused(/cannot be "EVERYBODY"/))
  expect(await put({ nonsense: 'x' })).toMatchObject(refused(/has no publishing default nonsense/))
  expect(await put({ privacy: 7 })).toMatchObject({ status: 400, body: { code: 'request:invalid_body' } })
})

test('a connection is not ended without the right password, and once only', async () => {
  const id = await demoAccount('YOUTUBE')
  const end = (body: object) => owner.request('DELETE', `/connections/${id}`, { body })
  expect(await end({ password: 'wrong', scheduledSets: 'LEAVE' })).toMatchObject({ status: 403 })
  expect(await end({ password: owner.password })).toMatchObject({ status: 400 })
  expect(await end({ password: owner.password, scheduledSets: 'DELETE' })).toMatchObject({ status: 400 })
  const all = await Promise.all([1, 2, 3].map(() => end({ password: owner.password, scheduledSets: 'LEAVE' })))
  expect(all.map(({ status }) => status).sort()).toEqual([200, 404, 404])
})
