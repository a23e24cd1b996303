import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type AccountType, accountTypes, type Connection, type ConnectionOverview } from '#contract'
import { newId } from '#domain'
import { loadNetworks } from '#networks'
import { type Api, BLUESKY_POST, startApi } from '../_util/api/api.ts'
import { choose, comeBack, decide, readSignIn, signInThere, start } from '../_util/api/connecting.ts'
import { anyRate, startSimulators } from '../_util/api/connections.ts'
import { type Person, signInAs, signInAsOperator } from '../_util/api/members.ts'
import { done, publishAs } from '../_util/browser/dashboard-api.ts'

/** Connections as members make, see, renew and end them, with the simulators at the other end. */

let api: Api
let simulators: Awaited<ReturnType<typeof startSimulators>>
let owner: Person
let reviewer: Person
let socialSetId: string

beforeAll(async () => {
  simulators = await startSimulators(await loadNetworks())
  api = await startApi({
    rate: anyRate,
    connections: { ...simulators, settings: { threads: { CLIENT_ID: 'app', CLIENT_SECRET: 'secret' } } },
  })
  owner = await signInAs(api, 'owner')
  reviewer = await signInAs(api, 'reviewer')
})
afterAll(async () => {
  await api.close()
  await simulators.close()
})
beforeEach(async () => {
  socialSetId = await api.newSocialSet()
})

const overview = async (person = owner): Promise<ConnectionOverview> => {
  const { status, body } = await person.request('GET', `/connections?socialSetId=${socialSetId}`)
  expect(status, JSON.stringify(body)).toBe(200)
  return body
}
const only = async (): Promise<Connection> => {
  const { connections } = await overview()
  expect(connections).toHaveLength(1)
  return connections[0] as Connection
}
const connectDemo = async (...types: AccountType[]) => {
  const body = { socialSetId, ...(types.length > 0 ? { accountTypes: types } : {}) }
  const answer = await owner.request('POST', '/connections/sandbox', { body })
  expect(answer.status, JSON.stringify(answer.body)).toBe(201)
  return answer.body.connected
}
const expire = (id: string, reason: string | null = 'The token was withdrawn.') =>
  api.db
    .updateTable('connections')
    .set({ status: 'RECONNECT_REQUIRED', status_reason: reason })
    .where('id', '=', id)
    .execute()
const setEnd = (at: Date) =>
  api.db
    .updateTable('network_identities')
    .set({ expires_at: at })
    .where('id', 'in', (select) =>
      select.selectFrom('connections').select('identity_id').where('social_set_id', '=', socialSetId),
    )
    .execute()
const schedule = () => api.create({ socialSetId, status: 'SCHEDULED', posts: [BLUESKY_POST] })

test('everybody sees what is connected and what can be, in the order of the contract', async () => {
  await connectDemo('YOUTUBE', 'INSTAGRAM')
  for (const person of [owner, reviewer]) {
    const seen = await overview(person)
    expect(seen.connections.map(({ accountType }) => accountType)).toEqual(['INSTAGRAM', 'YOUTUBE'])
    expect(seen.accountTypes.map(({ accountType }) => accountType)).toEqual(accountTypes)
  }
})

test('a network that the operator has not set up says so to all, and to an operator which settings are missing', async () => {
  const plain = (await overview()).accountTypes.find(({ accountType }) => accountType === 'PINTEREST')
  expect(plain).toMatchObject({ configured: false, missingSettings: [] })
  const operator = await signInAsOperator(api)
  const types = new Map((await overview(operator)).accountTypes.map((type) => [type.accountType, type]))
  expect(types.get('PINTEREST')).toMatchObject({
    network: 'pinterest',
    way: 'SIGN_IN',
    configured: false,
    missingSettings: [
      { name: 'ALMANAC_PINTEREST_CLIENT_ID', description: expect.stringContaining('App id') },
      { name: 'ALMANAC_PINTEREST_CLIENT_SECRET' },
    ],
    sandbox: true,
  })
  expect(types.get('GMB')?.missingSettings[0]?.name).toBe('ALMANAC_GOOGLE_BUSINESS_CLIENT_ID')
  expect(types.get('THREADS')).toMatchObject({ configured: true, missingSettings: [] })
  expect(types.get('BLUESKY')).toMatchObject({ way: 'PASSWORD', configured: true })
})

test('a sign-in with one account connects it and leads back to the dashboard', async () => {
  const signIn = await signInThere(api, owner, { socialSetId, accountType: 'THREADS', sandbox: true })
  expect(signIn).toMatchObject({
    status: 'CONNECTED',
    socialSetId,
    accountType: 'THREADS',
    accounts: [],
    message: null,
  })
  expect(await only()).toMatchObject({
    id: signIn.connectionId,
    accountType: 'THREADS',
    state: 'CONNECTED',
    message: 'Posts go out through it.',
    sandbox: true,
    scheduledSets: 0,
    lastPublishedAt: null,
    expiresAt: null,
  })
})

test('an account that may not publish by what the network lists is connected with a warning', async () => {
  const signIn = await signInThere(api, owner, { socialSetId, accountType: 'FACEBOOK', sandbox: true })
  const page = signIn.accounts.find(({ name }) => name === 'Page to look at')
  const chosen = await choose(owner, signIn.id, { externalId: page?.externalId })
  const warning = expect.stringContaining('may create content on Page to look at')
  expect(chosen).toMatchObject({ name: 'Page to look at', warning })
  expect(await only()).toMatchObject({ state: 'CONNECTED', message: warning, warning })
})

test('of several accounts one is chosen', async () => {
  const signIn = await signInThere(api, owner, { socialSetId, accountType: 'FACEBOOK', sandbox: true })
  expect(signIn).toMatchObject({ status: 'CHOOSING', replaces: null, message: null, connectionId: null })
  expect(signIn.accounts.length).toBeGreaterThan(1)
  expect((await overview()).connections).toEqual([])
  const [, second] = signIn.accounts
  const chosen = await choose(owner, signIn.id, { externalId: second?.externalId })
  expect(chosen).toMatchObject({ accountType: 'FACEBOOK', name: second?.name, renewed: false })
  expect(await only()).toMatchObject({ id: chosen.id, name: second?.name })
  expect(await readSignIn(owner, signIn.id)).toMatchObject({
    status: 'CONNECTED',
    connectionId: chosen.id,
    accounts: [],
  })
})

test('who says no on the network hears so in the dashboard', async () => {
  const { id, address } = await start(owner, { socialSetId, accountType: 'PINTEREST', sandbox: true })
  expect(await readSignIn(owner, id)).toMatchObject({ status: 'STARTED' })
  const back = await comeBack(api, await decide(address, 'deny'), owner.cookie)
  expect(back.status).toBe(303)
  expect(await readSignIn(owner, id)).toMatchObject({
    status: 'FAILED',
    message: 'Nothing was connected: Almanac was not given the permissions that it asked Pinterest for.',
    why: { code: 'why:sign_in_not_allowed', values: { title: 'Pinterest' } },
  })
})

test('coming back a second time leads to the outcome of the first', async () => {
  const { id, address } = await start(owner, { socialSetId, accountType: 'THREADS', sandbox: true })
  const back = await decide(address)
  const [first, second] = [await comeBack(api, back, owner.cookie), await comeBack(api, back, owner.cookie)]
  expect([first.status, second.status]).toEqual([303, 303])
  expect(second.headers.get('location')).toBe(first.headers.get('location'))
  expect(await readSignIn(owner, id)).toMatchObject({ status: 'CONNECTED' })
})

test('demo accounts are connected wherever something is free', async () => {
  expect(await connectDemo('BLUESKY')).toEqual(['BLUESKY'])
  expect([...(await connectDemo())].sort()).toEqual(accountTypes.filter((type) => type !== 'BLUESKY').sort())
  expect(await connectDemo()).toEqual([])
  expect((await overview()).connections.map(({ state }) => state)).toEqual(accountTypes.map(() => 'CONNECTED'))
})

test('a connection says how it is: to be reconnected, what is to be chosen, and how long it is good', async () => {
  await connectDemo('LINKEDIN_PERSONAL')
  const { id } = await only()
  const ends = async (days: number) => {
    const at = new Date(Date.now() + days * 86_400_000)
    await setEnd(at)
    return at.toISOString()
  }
  const far = await ends(30)
  expect(await only()).toMatchObject({ state: 'CONNECTED', expiresAt: far })
  const near = await ends(6)
  expect(await only()).toMatchObject({ state: 'EXPIRES_SOON', expiresAt: near })
  await ends(-1)
  expect(await only()).toMatchObject({ state: 'RECONNECT_REQUIRED', message: 'What LinkedIn has allowed has ended.' })
  await expire(id)
  expect(await only()).toMatchObject({ state: 'RECONNECT_REQUIRED', message: 'The token was withdrawn.' })
  await expire(id, null)
  expect(await only()).toMatchObject({ state: 'RECONNECT_REQUIRED', message: 'LinkedIn wants a new sign-in.' })
})

test('credentials that Almanac refreshes by itself never need a person', async () => {
  await connectDemo('BLUESKY', 'LINKEDIN_PAGE')
  await setEnd(new Date(0))
  expect((await overview()).connections.map(({ state, expiresAt }) => [state, expiresAt])).toEqual([
    ['CONNECTED', null],
    ['CONNECTED', null],
  ])
})

test('what must be reconnected in any social set is reported at once, and to those who see the set', async () => {
  const mine = await signInAs(api, 'admin', { socialSetIds: [socialSetId] })
  const seen = async (person: Person) => (await person.request('GET', '/connections/attention')).body.connections
  await connectDemo('BLUESKY', 'TIKTOK')
  const { connections } = await overview()
  const [first] = connections
  await expire(first?.id ?? '')
  expect(await seen(mine)).toEqual([
    {
      id: first?.id,
      socialSetId,
      socialSetName: 'Brand',
      accountType: first?.accountType,
      name: first?.name,
      state: 'RECONNECT_REQUIRED',
      message: 'The token was withdrawn.',
      expiresAt: null,
    },
  ])
  expect(await seen(owner)).toContainEqual(expect.objectContaining({ id: first?.id }))
  await owner.request('POST', `/connections/${first?.id}/reconnect`)
  expect(await seen(mine)).toEqual([])
})

test('publishing defaults are a form of what the network offers, and say what is missing', async () => {
  await signInThere(api, owner, { socialSetId, accountType: 'TIKTOK', sandbox: true })
  const connection = await only()
  expect(connection).toMatchObject({
    state: 'DEFAULTS_MISSING',
    hasDefaults: true,
    message: 'Choose “Who can see the posts” before posts can be scheduled.',
    missingDefaults: [{ name: 'privacy', title: 'Who can see the posts' }],
  })
  const path = `/connections/${connection.id}/defaults`
  const form = await owner.request('GET', path)
  const privacy = form.body.fields.find(({ name }: { name: string }) => name === 'privacy')
  expect(privacy).toMatchObject({ required: true, value: null, options: expect.arrayContaining([expect.anything()]) })
  const { value } = privacy.options[0]
  const chosen = await owner.request('PUT', path, { body: { defaults: { privacy: value } } })
  expect([chosen.status, chosen.body]).toEqual([200, { missingDefaults: [] }])
  expect(await only()).toMatchObject({ state: 'CONNECTED', missingDefaults: [] })
  const again = await owner.request('GET', path)
  expect(again.body.fields.find(({ name }: { name: string }) => name === 'privacy').value).toBe(value)
})

test('the same account again renews its connection and keeps it, with its defaults', async () => {
  const first = await signInThere(api, owner, { socialSetId, accountType: 'THREADS', sandbox: true })
  await expire(first.connectionId ?? '')
  const begun = await owner.request('POST', `/connections/${first.connectionId}/reconnect`)
  expect(begun.status).toBe(200)
  const { id, address } = begun.body.signIn
  await comeBack(api, await decide(address), owner.cookie)
  expect(await readSignIn(owner, id)).toMatchObject({ status: 'CONNECTED', connectionId: first.connectionId })
  expect(await only()).toMatchObject({ id: first.connectionId, state: 'CONNECTED' })
})

test('another account when reconnecting asks which one to keep, and takes the place of the first with the password', async () => {
  await connectDemo('THREADS')
  const before = await only()
  const set = await api.create({
    socialSetId,
    status: 'SCHEDULED',
    posts: [{ accountType: 'THREADS', caption: 'hello', media: [] }],
  })
  const signIn = await signInThere(api, owner, { socialSetId, accountType: 'THREADS', sandbox: true })
  expect(signIn).toMatchObject({
    status: 'CHOOSING',
    accounts: [expect.anything()],
    message: expect.stringMatching(/^This is another account: .+\. .+ is connected here/),
    replaces: { id: before.id, name: before.name, scheduledSets: 1 },
  })
  const [account] = signIn.accounts
  const body = { externalId: account?.externalId, password: owner.password }
  const chosen = await choose(owner, signIn.id, body)
  expect(chosen).toMatchObject({ renewed: false, name: account?.name })
  const after = await only()
  expect(after).toMatchObject({ id: chosen.id, scheduledSets: 1 })
  expect(after.id).not.toBe(before.id)
  const read = await api.request('GET', `/v1/post-sets/${set.id}`)
  expect(read.body).toMatchObject({ status: 'SCHEDULED', posts: [{ caption: 'hello' }] })
})

test('hold-08: an account that takes the place of a held one is held, and gets the posts that wait', async () => {
  await connectDemo('THREADS')
  const before = await only()
  const set = await api.create({
    socialSetId,
    status: 'SCHEDULED',
    posts: [{ accountType: 'THREADS', caption: 'hello', media: [] }],
  })
  await publishAs(api, set.id, 'PUBLISHING', [null])
  const leased = {
    state: 'READY',
    handles: '{"container": "1"}',
    lease_owner: 'a worker',
    lease_until: new Date(),
  } as const
  await api.db
    .updateTable('deliveries')
    .set({ ...leased, connection_id: before.id })
    .where('post_set_id', '=', set.id)
    .execute()
  const body = { scope: 'CONNECTION', id: before.id, reason: 'Hacked' }
  const { hold } = await done(owner.request('POST', '/holds', { body }), 201)
  const signIn = await signInThere(api, owner, { socialSetId, accountType: 'THREADS', sandbox: true })
  const [account] = signIn.accounts
  await choose(owner, signIn.id, { externalId: account?.externalId, password: owner.password })
  const after = await only()
  expect(after).toMatchObject({ name: account?.name, hold: { since: hold.since, by: hold.by, reason: 'Hacked' } })
  const { data } = await done(owner.request('GET', '/holds'))
  expect(data).toEqual([{ ...hold, connectionId: after.id, name: after.name }])
  const delivery = await api.db
    .selectFrom('deliveries')
    .selectAll()
    .where('post_set_id', '=', set.id)
    .executeTakeFirst()
  expect(delivery).toMatchObject({ connection_id: after.id, state: 'PREPARING', handles: {}, lease_owner: null })
  await done(owner.request('POST', `/holds/${hold.id}/release`, { body: { late: 'PARK' } }))
})

test('scheduled post sets stay as they are when a connection is ended, or become drafts with it', async () => {
  await connectDemo('BLUESKY')
  const connection = await only()
  const [set, other] = [await schedule(), await schedule()]
  const draft = await api.create({ socialSetId, posts: [BLUESKY_POST] })
  expect(await only()).toMatchObject({ scheduledSets: 2 })
  const closing = await owner.request('GET', `/connections/${connection.id}/closing`)
  expect(closing.body).toEqual({ scheduledSets: 2 })
  const end = (id: string, scheduledSets: string) =>
    owner.request('DELETE', `/connections/${id}`, { body: { password: owner.password, scheduledSets } })
  expect((await end(connection.id, 'LEAVE')).body).toEqual({ parkedSets: 0 })
  expect((await overview()).connections).toEqual([])
  const statusOf = async ({ id }: { id: string }) => (await api.request('GET', `/v1/post-sets/${id}`)).body.status
  expect(await Promise.all([set, other, draft].map(statusOf))).toEqual(['SCHEDULED', 'SCHEDULED', 'DRAFT'])

  await connectDemo('BLUESKY')
  expect((await end((await only()).id, 'PARK')).body).toEqual({ parkedSets: 2 })
  expect(await Promise.all([set, other, draft].map(statusOf))).toEqual(['DRAFT', 'DRAFT', 'DRAFT'])
  expect((await api.request('GET', `/v1/post-sets/${set.id}`)).headers.get('etag')).not.toBe('"1"')
  expect((await api.history(set.id)).at(-1)).toMatchObject({
    action: 'moved to drafts',
    actor_type: 'USER',
    changes: { status: { from: 'SCHEDULED', to: 'DRAFT' } },
  })
  expect(await api.history(draft.id)).toHaveLength(1)
  // Results and history name them.
  const kept = await api.db.selectFrom('connections').select('id').where('social_set_id', '=', socialSetId).execute()
  expect(kept).toHaveLength(2)
})

test('however many post sets are scheduled, all of them become drafts', async () => {
  await connectDemo('BLUESKY')
  const { id } = await only()
  // Rows of nine values each: more than one statement of one parameter per value can have.
  const count = 7_400
  await sql`
    insert into post_sets (id, account_id, social_set_id, scheduled_at, status, approval)
    select gen_random_uuid(), ${api.accountId}, ${socialSetId}, '2050-05-05', 'SCHEDULED', 'NONE'
    from generate_series(1, ${count}::integer)`.execute(api.db)
  await sql`
    insert into posts (id, post_set_id, social_set_id, position, account_type, caption, fields)
    select gen_random_uuid(), id, social_set_id, 0, 'BLUESKY', 'hello', '{}'
    from post_sets where social_set_id = ${socialSetId}`.execute(api.db)
  const body = { password: owner.password, scheduledSets: 'PARK' }
  const ended = await owner.request('DELETE', `/connections/${id}`, { body })
  expect([ended.status, ended.body]).toEqual([200, { parkedSets: count }])
  const { rows } = await sql`
    select status, post_sets.version, action, history.version as reported, count(*)::integer
    from post_sets join history on history.post_set_id = post_sets.id
    where social_set_id = ${socialSetId} group by 1, 2, 3, 4`.execute(api.db)
  expect(rows).toEqual([{ status: 'DRAFT', version: 2, action: 'moved to drafts', reported: 2, count }])
}, 60_000)

test('it is reported when something last went out', async () => {
  await connectDemo('BLUESKY', 'THREADS')
  const { connections } = await overview()
  const id = connections.find(({ accountType }) => accountType === 'BLUESKY')?.id ?? ''
  const set = await schedule()
  const { posts } = set
  const at = new Date('2026-05-01T10:00:00Z')
  const common = { account_type: 'BLUESKY' as const, post_set_id: set.id, post_id: posts[0].id, connection_id: id }
  const delivery = (version: number, result: object, finished: Date) => ({
    ...common,
    id: newId(),
    content_version: version,
    state: 'DONE' as const,
    next_at: finished,
    gives_up_at: finished,
    result: JSON.stringify(result),
    finished_at: finished,
  })
  const [before, later] = [new Date('2026-04-01T10:00:00Z'), new Date('2026-06-01T10:00:00Z')]
  const posted = { status: 'POSTED' }
  await api.db
    .insertInto('deliveries')
    .values([delivery(1, posted, at), delivery(2, posted, before), delivery(3, { status: 'FAILED' }, later)])
    .execute()
  const seen = (await overview()).connections.map(({ accountType, lastPublishedAt }) => [accountType, lastPublishedAt])
  expect(Object.fromEntries(seen)).toEqual({ BLUESKY: at.toISOString(), THREADS: null })
})
