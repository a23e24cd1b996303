import { afterAll, beforeAll, expect, test } from 'vitest'
import { loadNetworks, signedTokens } from '#networks'
import { type Api, startApi } from '../_util/api/api.ts'
import { choose, comeBack, decide, readSignIn, signInThere, start } from '../_util/api/connecting.ts'
import { anyRate, SANDBOX_KEYS, startSimulators } from '../_util/api/connections.ts'
import { type Person, signInAs } from '../_util/api/members.ts'

/** The app password of an account at the simulator. */
const appPasswordOf = (did: string) => signedTokens(SANDBOX_KEYS, 'bluesky').sign('app password', did)

let api: Api
let simulators: Awaited<ReturnType<typeof startSimulators>>
let owner: Person
let admin: Person
const requested: string[] = []
/** What a server of an attacker answers; null: nothing is there. */
let evil: object | null = null

beforeAll(async () => {
  simulators = await startSimulators(await loadNetworks())
  const bluesky = `${simulators.sandboxUrl}/bluesky`
  api = await startApi({
    rate: anyRate,
    connections: {
      ...simulators,
      // The servers of accounts that are connected with a password.
      settings: { bluesky: { SERVICE_URL: `${bluesky}/pds`, PLC_URL: `${bluesky}/plc` } },
      async http(request) {
        requested.push(request.url)
        if (evil && request.url.startsWith('https://evil.example/')) {
          return { kind: 'answer', status: 200, headers: {}, text: '', json: evil }
        }
        return simulators.http?.(request) ?? { kind: 'failed', sent: false, message: '' }
      },
    },
  })
  owner = await signInAs(api, 'owner')
  admin = await signInAs(api, 'admin')
})
afterAll(async () => {
  await api.close()
  await simulators.close()
})

const connectionsOf = async (socialSetId: string, person = owner) =>
  (await person.request('GET', `/connections?socialSetId=${socialSetId}`)).body.connections
const connectDemo = async (socialSetId: string, accountType: string): Promise<string> => {
  await owner.request('POST', '/connections/sandbox', { body: { socialSetId, accountTypes: [accountType] } })
  return (await connectionsOf(socialSetId))[0].id
}
const identityIn = (socialSetId: string) =>
  api.db
    .selectFrom('network_identities')
    .selectAll('network_identities')
    .innerJoin('connections', 'connections.identity_id', 'network_identities.id')
    .where('connections.social_set_id', '=', socialSetId)
    .where('connections.closed_at', 'is', null)
    .executeTakeFirstOrThrow()
/** Everything that changes something, or asks a network in somebody's name. */
const requests = (socialSetId: string, id: string, signInId: string): [string, string, object?][] => [
  ['POST', '/connections/authorizations', { socialSetId, accountType: 'THREADS', sandbox: true }],
  ['GET', `/connections/authorizations/${signInId}`],
  ['POST', `/connections/authorizations/${signInId}/choose`, { externalId: 'x' }],
  ['POST', '/connections/password', { socialSetId, accountType: 'BLUESKY', identifier: 'a', password: 'b' }],
  ['POST', '/connections/sandbox', { socialSetId }],
  ['GET', `/connections/${id}/defaults`],
  ['PUT', `/connections/${id}/defaults`, { defaults: {} }],
  ['POST', `/connections/${id}/reconnect`],
  ['DELETE', `/connections/${id}`, { password: 'x', scheduledSets: 'LEAVE' }],
]
const ask = (person: Person, [method, path, body]: [string, string, object?], headers = {}) =>
  person.request(method, path, { ...(body ? { body } : {}), headers })

test('editors, authors and reviewers see connections and change nothing', async () => {
  const socialSetId = await api.newSocialSet()
  const id = await connectDemo(socialSetId, 'BLUESKY')
  const { id: signInId } = await start(owner, { socialSetId, accountType: 'THREADS', sandbox: true })
  for (const role of ['editor', 'author', 'reviewer'] as const) {
    const person = await signInAs(api, role)
    expect(await connectionsOf(socialSetId, person)).toMatchObject([{ id }])
    for (const request of requests(socialSetId, id, signInId)) {
      const answer = await ask(person, request)
      expect([request, answer.status, answer.body.code]).toEqual([request, 403, 'auth:insufficient_role'])
    }
  }
  expect(await connectionsOf(socialSetId)).toMatchObject([{ id, state: 'CONNECTED' }])
})

test("another account's ids, and those outside of what a member sees, are not there", async () => {
  const socialSetId = await api.newSocialSet()
  const id = await connectDemo(socialSetId, 'BLUESKY')
  const { id: signInId } = await start(owner, { socialSetId, accountType: 'THREADS', sandbox: true })
  const strangers = [
    await signInAs(api, 'owner', { accountId: await api.newAccount() }),
    await signInAs(api, 'admin', { socialSetIds: [api.socialSetId] }),
  ]
  for (const stranger of strangers) {
    const seen = await stranger.request('GET', `/connections?socialSetId=${socialSetId}`)
    expect(seen).toMatchObject({ status: 404, body: { code: 'social-set:not_found' } })
    expect((await stranger.request('GET', `/connections/${id}/closing`)).status).toBe(404)
    for (const request of requests(socialSetId, id, signInId)) {
      expect([request, (await ask(stranger, request)).status]).toEqual([request, 404])
    }
  }
})

test('neither a request without a session nor another site gets through', async () => {
  const socialSetId = await api.newSocialSet()
  const id = await connectDemo(socialSetId, 'BLUESKY')
  for (const request of requests(socialSetId, id, id)) {
    const nobody = await ask(owner, request, { cookie: '' })
    expect([request, nobody.status, nobody.body.code]).toEqual([request, 401, 'auth:not_signed_in'])
    const elsewhere = await ask(owner, request, { origin: 'https://evil.test', 'sec-fetch-site': 'cross-site' })
    expect([request, elsewhere.status, elsewhere.body.code]).toEqual([request, 403, 'auth:cross_site_request'])
  }
})

test("a member's sign-in that was lured into another browser connects nothing there, and goes on in its own", async () => {
  const mine = await api.newSocialSet()
  const { id, address } = await start(admin, { socialSetId: mine, accountType: 'THREADS', sandbox: true })
  // The attacker's code and state, opened by the victim.
  const back = await decide(address)
  const rival = await signInAs(api, 'owner', { accountId: await api.newAccount() })
  for (const cookie of [owner.cookie, rival.cookie, null, 'better-auth.session_token=nonsense']) {
    const page = await comeBack(api, back, cookie)
    expect(page.status).toBe(400)
    expect(await page.text()).toContain('begun in the dashboard by another person')
  }
  expect(await connectionsOf(mine)).toEqual([])
  expect(await readSignIn(admin, id)).toMatchObject({ status: 'STARTED' })
  expect((await comeBack(api, back, admin.cookie)).status).toBe(303)
  expect(await connectionsOf(mine)).toHaveLength(1)
})

test('what somebody stole of a sign-in is worth nothing in the browser of the thief', async () => {
  const socialSetId = await api.newSocialSet()
  const { id, address } = await start(owner, { socialSetId, accountType: 'FACEBOOK', sandbox: true })
  const back = await decide(address)
  expect((await comeBack(api, back, admin.cookie)).status).toBe(400)
  expect((await comeBack(api, back, owner.cookie)).status).toBe(303)
  // Nor are the accounts that it gave, although both may connect in this social set.
  const read = await admin.request('GET', `/connections/authorizations/${id}`)
  expect(read).toMatchObject({ status: 404, body: { code: 'connection:sign_in_not_found' } })
  const { accounts } = await readSignIn(owner, id)
  const body = { externalId: accounts[0]?.externalId }
  expect((await admin.request('POST', `/connections/authorizations/${id}/choose`, { body })).status).toBe(404)
})

test('the same member in another browser is another browser', async () => {
  const socialSetId = await api.newSocialSet()
  const { address } = await start(owner, { socialSetId, accountType: 'THREADS', sandbox: true })
  const from = { origin: 'https://almanac.test', 'sec-fetch-site': 'same-origin' }
  const body = { email: owner.email, password: owner.password }
  const again = await api.request('POST', '/internal/session', { key: null, body, headers: from })
  const cookie = again.headers
    .getSetCookie()
    .map((one) => one.split(';')[0])
    .join('; ')
  expect((await comeBack(api, await decide(address), cookie)).status).toBe(400)
  expect(await connectionsOf(socialSetId)).toEqual([])
})

test('a role that is taken away, or another account that is worked on, ends a sign-in under way', async () => {
  const socialSetId = await api.newSocialSet()
  const person = await signInAs(api, 'admin')
  const { id, address } = await start(person, { socialSetId, accountType: 'THREADS', sandbox: true })
  const setRole = (role: string) =>
    api.db.updateTable('memberships').set({ role }).where('user_id', '=', person.userId).execute()
  await setRole('editor')
  expect((await comeBack(api, await decide(address), person.cookie)).status).toBe(303)
  expect(await connectionsOf(socialSetId)).toEqual([])
  await setRole('admin')
  expect(await readSignIn(person, id)).toMatchObject({
    status: 'FAILED',
    message: expect.stringMatching(/may no longer connect/),
  })
})

test('the callback is no way to sign in: a state that is not known reveals nothing to any caller', async () => {
  const page = (cookie: string | null) =>
    comeBack(api, new URL('https://almanac.test/connect/threads/callback?state=x&code=y'), cookie)
  for (const cookie of [owner.cookie, null]) {
    const answer = await page(cookie)
    expect(answer.status).toBe(400)
    expect(answer.headers.get('location')).toBeNull()
    expect(await answer.text()).toContain('This sign-in has expired')
  }
})

test('no secret is in an answer or in the log', async () => {
  const socialSetId = await api.newSocialSet()
  const started = await start(owner, { socialSetId, accountType: 'FACEBOOK', sandbox: true })
  const back = await decide(started.address)
  await comeBack(api, back, owner.cookie)
  const signIn = await readSignIn(owner, started.id)
  const password = 'app-password-of-somebody'
  const body = { socialSetId, accountType: 'BLUESKY', identifier: 'ada', password, service: 'https://pds.invalid' }
  const refused = await owner.request('POST', '/connections/password', { body })
  await connectDemo(socialSetId, 'BLUESKY')
  const overview = await owner.request('GET', `/connections?socialSetId=${socialSetId}`)
  const reported = JSON.stringify([signIn, refused.body, overview.body]) + api.logged()
  const secrets = [password, owner.password, back.searchParams.get('code'), back.searchParams.get('state')]
  for (const secret of secrets) expect(reported).not.toContain(secret)
  expect(reported).not.toMatch(/accessJwt|refreshToken|accessToken/)
})

test('a server that a member names is not reached past the guard', async () => {
  requested.length = 0
  const socialSetId = await api.newSocialSet()
  const body = { socialSetId, accountType: 'BLUESKY', identifier: 'ada', password: 'x' }
  for (const service of ['https://127.0.0.1:9', 'https://[::1]', 'https://10.0.0.1', 'https://localhost']) {
    const answer = await admin.request('POST', '/connections/password', { body: { ...body, service } })
    expect([service, answer.status, answer.body.code]).toEqual([service, 409, 'request:refused'])
    expect(answer.body.message).toMatch(/could not be reached/)
    expect(answer.body.message).toMatch(/not (allowed|public|one that)|private|blocked|may not/i)
  }
  expect(requested).toHaveLength(4)
})

test('a server that a member names does not get hold of an account of another server', async () => {
  const [theirs, mine] = [await api.newSocialSet(), await api.newSocialSet()]
  await connectDemo(theirs, 'BLUESKY')
  const before = await identityIn(theirs)
  const did = before.external_id
  const didDoc = { id: did, service: [{ id: '#atproto_pds', serviceEndpoint: 'https://evil.example' }] }
  evil = { did, handle: 'brand.example', accessJwt: 'evil', refreshJwt: 'evil', active: true, didDoc }
  const person = await signInAs(api, 'admin', { socialSetIds: [mine] })
  const body = { accountType: 'BLUESKY', identifier: 'x', password: 'y', service: 'https://evil.example' }
  // A member who sees the other social set cannot either.
  for (const [who, socialSetId] of [[person, mine] as const, [owner, mine] as const, [owner, theirs] as const]) {
    const answer = await who.request('POST', '/connections/password', { body: { ...body, socialSetId } })
    expect(answer).toMatchObject({
      status: 409,
      body: { code: 'request:refused', message: expect.stringMatching(/^evil\.example does not hold this account/) },
    })
  }
  evil = null
  expect(await identityIn(theirs)).toEqual(before)
  expect(await connectionsOf(mine)).toEqual([])
})

test('what a social set publishes with is not replaced by a member who does not see it', async () => {
  const [theirs, mine, free] = [await api.newSocialSet(), await api.newSocialSet(), await api.newSocialSet()]
  const id = await connectDemo(theirs, 'BLUESKY')
  const before = await identityIn(theirs)
  const body = { accountType: 'BLUESKY', identifier: before.external_id, password: appPasswordOf(before.external_id) }
  const connect = (person: Person, socialSetId: string) =>
    person.request('POST', '/connections/password', { body: { ...body, socialSetId } })
  const person = await signInAs(api, 'admin', { socialSetIds: [mine, free] })
  expect(await connect(person, mine)).toMatchObject({
    status: 409,
    body: { message: expect.stringMatching(/is connected to a brand that you do not see/) },
  })
  expect(await identityIn(theirs)).toEqual(before)
  expect(await connectionsOf(mine)).toEqual([])
  // Who sees it may, and what is closed belongs to no one any more.
  expect(await connect(await signInAs(api, 'admin', { socialSetIds: [theirs, mine] }), mine)).toMatchObject({
    status: 201,
    body: { accountType: 'BLUESKY', renewed: false },
  })
  expect((await identityIn(theirs)).secret).not.toEqual(before.secret)
  const closing = { password: owner.password, scheduledSets: 'LEAVE' }
  expect((await owner.request('DELETE', `/connections/${id}`, { body: closing })).status).toBe(200)
  expect((await connect(person, mine)).body).toMatchObject({ renewed: true })
  expect((await connect(person, free)).status).toBe(201)
})

test("nor by a sign-in on the network's own pages", async () => {
  const [theirs, mine] = [await api.newSocialSet(), await api.newSocialSet()]
  const person = await signInAs(api, 'admin', { socialSetIds: [mine] })
  for (const accountType of ['THREADS', 'FACEBOOK']) {
    const seen = await signInThere(api, owner, { socialSetId: theirs, accountType, sandbox: true })
    const externalId = seen.accounts[0]?.externalId
    if (externalId) await choose(owner, seen.id, { externalId })
    const before = await identityIn(theirs)
    const signIn = await signInThere(api, person, { socialSetId: mine, accountType, sandbox: true })
    const refused = externalId
      ? (await person.request('POST', `/connections/authorizations/${signIn.id}/choose`, { body: { externalId } })).body
      : signIn
    expect(refused.message).toMatch(/is connected to a brand that you do not see/)
    expect(await identityIn(theirs)).toEqual(before)
    const closing = { password: owner.password, scheduledSets: 'LEAVE' }
    for (const { id } of await connectionsOf(theirs))
      await owner.request('DELETE', `/connections/${id}`, { body: closing })
  }
  expect(await connectionsOf(mine)).toEqual([])
})

test('no password travels in the clear, however the server is written', async () => {
  requested.length = 0
  const socialSetId = await api.newSocialSet()
  const body = { socialSetId, accountType: 'BLUESKY', identifier: 'ada', password: 'x' }
  const clear = 'http://clear.example'
  for (const service of [
    clear,
    `\t${clear}`,
    ` ${clear}`,
    `\n${clear}`,
    'ht\ttp://clear.example',
    'HTTP://clear.example',
  ]) {
    const answer = await admin.request('POST', '/connections/password', { body: { ...body, service } })
    expect([service, answer.status, answer.body.message]).toEqual([
      service,
      409,
      expect.stringMatching(/^Name a server that can be reached over https\. .* "connections add --service"\.$/),
    ])
  }
  expect(requested).toEqual([])
})

test('passwords of accounts are not tried without end', async () => {
  const person = await signInAs(api, 'admin')
  const socialSetId = await api.newSocialSet()
  const body = { socialSetId, accountType: 'BLUESKY', identifier: 'ada', password: 'x', service: 'https://pds.invalid' }
  const statuses: number[] = []
  for (let turn = 0; turn < 11; turn++) {
    statuses.push((await person.request('POST', '/connections/password', { body })).status)
  }
  expect(statuses).toEqual([...Array.from({ length: 10 }, () => 409), 429])
})

test('words of a network are text in the answer', async () => {
  const socialSetId = await api.newSocialSet()
  const { id, address } = await start(owner, { socialSetId, accountType: 'THREADS', sandbox: true })
  const back = await decide(address, 'deny')
  back.searchParams.set('error', 'server_error')
  back.searchParams.set('error_description', '<script>alert(1)</script>\u0007')
  await comeBack(api, back, owner.cookie)
  const { message } = await readSignIn(owner, id)
  expect(message).toBe('Threads says: “<script>alert(1)</script>”. Nothing was connected.')
})

test('signing out ends what was begun in that session', async () => {
  const socialSetId = await api.newSocialSet()
  const person = await signInAs(api, 'admin')
  const { address } = await start(person, { socialSetId, accountType: 'THREADS', sandbox: true })
  await person.request('DELETE', '/session')
  expect((await comeBack(api, await decide(address), person.cookie)).status).toBe(400)
  expect(await connectionsOf(socialSetId)).toEqual([])
})

test('a sign-in that the operator began ends in any browser, on a page of its own', async () => {
  const socialSetId = await api.newSocialSet()
  const { id, address } = await start(owner, { socialSetId, accountType: 'THREADS', sandbox: true })
  const set = (change: { started_by?: null; session_id: null }) =>
    api.db.updateTable('authorizations').set(change).where('id', '=', id).execute()
  // A session that is gone does not make it anybody's.
  await expect(set({ session_id: null })).rejects.toThrow(/authorizations_starter/)
  await set({ started_by: null, session_id: null })
  const page = await comeBack(api, await decide(address), null)
  expect([page.status, page.headers.get('location')]).toEqual([200, null])
  expect(await page.text()).toContain('is connected. You can close this page.')
  expect((await owner.request('GET', `/connections/authorizations/${id}`)).status).toBe(404)
})
