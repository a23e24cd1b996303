import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { SCOPES, SHIPPED_PLANS } from '#contract'
import { newId } from '#domain'
import { shown, toolsFor } from '#mcp'
import { connectAgent, ERAS } from '../_util/api/agents.ts'
import { type Api, BLUESKY_POST, startApi } from '../_util/api/api.ts'
import { AGENT } from '../_util/api/key-options.ts'
import { signInAs } from '../_util/api/members.ts'
import { startBalancer } from '../_util/networks/balancer.ts'

/** What agents do with the tools of their key, by the official client. */

let api: Api
let asking: string
const DRAFTS = ['post-sets:write', 'media:write', 'notes:write'] as const
beforeAll(async () => {
  api = await startApi()
  asking = await api.newKey({ scopes: [...DRAFTS], agent: { asks: true } })
})
afterAll(() => api.close())

const READING = [
  'list_brands',
  'describe_networks',
  'list_calendar',
  'get_post_set',
  'find_free_slots',
  'validate_post_set',
  'list_events',
]
const DRAFTING = ['create_draft', 'update_post_set', 'import_media', 'add_note']
const at = '2031-05-01T10:00:00Z'
const draft = (more: object = {}) => ({ socialSetId: api.socialSetId, scheduledAt: at, posts: [BLUESKY_POST], ...more })
const idsOf = ({ posts }: { posts: { id: string }[] }) => posts.map(({ id }) => id)

describe('a key has the tools of its scopes:', () => {
  test.each([
    ['one that reads', { scopes: [] }, READING],
    ['one that writes notes', { scopes: ['notes:write'] }, [...READING, 'add_note']],
    ['one of a program that drafts', { scopes: DRAFTS }, [...READING, ...DRAFTING, 'unschedule_post_set']],
    ['one that drafts', { scopes: DRAFTS, agent: {} }, [...READING, ...DRAFTING, 'unschedule_post_set']],
    [
      'one that asks',
      { scopes: DRAFTS, agent: { asks: true } },
      [...READING, ...DRAFTING, 'ask_to_schedule', 'unschedule_post_set'],
    ],
    [
      'one that publishes',
      { scopes: SCOPES, agent: { asks: true } },
      [...READING, ...DRAFTING, 'schedule_post_set', 'unschedule_post_set', 'retry_post'],
    ],
  ] as const)('%s', async (_, options, tools) => {
    await using agent = await connectAgent(api, { key: await api.newKey(options) })
    expect(await agent.tools()).toEqual(tools)
  })

  test('no one is asked where the plan has no approvals', async () => {
    const accountId = await api.newAccount({ plan: 'STARTER' })
    const key = await api.newKey({ accountId, scopes: ['post-sets:write'], agent: { asks: true } })
    await using agent = await connectAgent(api, { key })
    expect(await agent.tools()).toEqual([...READING, 'create_draft', 'update_post_set', 'unschedule_post_set'])
  })
})

test('all tools together cost a conversation less than 6,000 tokens, and say what hosts want to know', () => {
  const plan = SHIPPED_PLANS.SCALE
  const asks = { rights: ['post-sets:write'], plan, agentKey: { ...AGENT, asks: true } } as const
  const tools = [...toolsFor({ rights: SCOPES, plan }), ...toolsFor(asks)].map(shown)
  const all = [...new Map(tools.map((tool) => [tool.name, tool])).values()]
  expect(all).toHaveLength(15)
  // Of JSON and English text, four letters are a token at least.
  expect(JSON.stringify(all).length / 4).toBeLessThan(6_000)
  for (const { name, annotations, outputSchema, inputSchema } of all) {
    expect(Object.keys(annotations ?? {}), name).toHaveLength(4)
    expect([inputSchema.type, outputSchema?.type], name).toEqual(['object', 'object'])
    // Hosts take no other names.
    for (const field of Object.keys(inputSchema.properties ?? {})) expect(field).toMatch(/^\w{1,64}$/)
  }
})

describe.each(ERAS)('over the %s era of the protocol', (era) => {
  test('an agent goes from a brand to a post that is scheduled', async () => {
    await using agent = await connectAgent(api, { era })
    const brands = await agent.call('list_brands')
    expect(brands.data.map(({ id }: { id: string }) => id)).toContain(api.socialSetId)
    const network = await agent.call('describe_networks', { accountType: 'BLUESKY' })
    expect(network.forms[0].caption.max).toBe(300)
    const checked = await agent.call(
      'validate_post_set',
      draft({ posts: [{ ...BLUESKY_POST, caption: 'a'.repeat(301) }] }),
    )
    expect(checked).toMatchObject({ valid: false, problems: [{ code: 'post:caption_too_long' }] })
    const made = await agent.call('create_draft', draft())
    expect(made).toMatchObject({ status: 'DRAFT', approval: 'NONE', version: 1 })
    const changed = await agent.call('update_post_set', {
      id: made.id,
      version: 1,
      posts: [{ ...BLUESKY_POST, id: made.posts[0].id, caption: 'better' }],
    })
    expect(changed).toMatchObject({ version: 2, posts: [{ caption: 'better' }] })
    const read = await agent.call('get_post_set', { id: made.id })
    const scheduled = await agent.call('schedule_post_set', {
      id: made.id,
      version: read.version,
      postIds: idsOf(read),
    })
    expect(scheduled).toMatchObject({ status: 'SCHEDULED', version: 3 })
    const calendar = await agent.call('list_calendar', {
      socialSetId: api.socialSetId,
      from: at,
      to: '2031-05-02',
      status: ['SCHEDULED'],
    })
    expect(calendar.cards.map(({ id }: { id: string }) => id)).toContain(made.id)
    expect(await agent.call('unschedule_post_set', { id: made.id })).toMatchObject({ status: 'DRAFT' })
    const actions = (await api.history(made.id)).map(({ action }) => action)
    expect(actions).toEqual(['created', 'updated', 'scheduled', 'moved to drafts'])
    const history = await (await signInAs(api, 'owner')).request('GET', `/post-sets/${made.id}/history`)
    const agentOfKey = { type: 'API_KEY', name: expect.stringContaining('Key of'), agent: true }
    expect(history.body.data.map((item: { actor: object }) => item.actor)).toEqual(Array(4).fill(agentOfKey))
  })

  test('the pages of the documentation are resources', async () => {
    await using agent = await connectAgent(api, { era, path: '/mcp/' })
    const { resources } = await agent.client.listResources()
    expect(resources.map(({ uri }) => uri)).toContain('https://almanac.test/docs/limits.md')
    const { contents } = await agent.client.readResource({ uri: 'https://almanac.test/docs/limits.md' })
    expect(contents[0]).toMatchObject({ mimeType: 'text/markdown', text: expect.stringContaining('# Limits') })
  })
})

test('an agent that may not schedule asks a person', async () => {
  await using agent = await connectAgent(api, { key: asking })
  const made = await agent.call('create_draft', draft())
  const asked = await agent.call('ask_to_schedule', {
    id: made.id,
    version: made.version,
    postIds: idsOf(made),
    scheduledAt: '2031-06-01T10:00:00Z',
  })
  expect(asked).toMatchObject({ status: 'DRAFT', approval: 'PENDING', scheduledAt: '2031-06-01T10:00:00.000Z' })
  const news = api.db.selectFrom('news').select('kind').where('post_set_id', '=', made.id)
  expect(await news.execute()).toEqual([{ kind: 'REVIEW_REQUESTED' }])
})

test('a call with a requestId is carried out once', async () => {
  await using agent = await connectAgent(api)
  const requestId = newId()
  const first = await agent.call('create_draft', draft({ requestId }))
  expect(await agent.call('create_draft', draft({ requestId }))).toEqual(first)
  const { words, more } = await agent.refused('create_draft', draft({ requestId, scheduledAt: '2031-05-03T10:00:00Z' }))
  expect(more.code).toBe('request:idempotency_key_reused')
  expect(words).toContain('requestId of its own')
  // The store is that of HTTP.
  const answer = await api.request('POST', '/v1/post-sets', {
    body: api.draft(),
    headers: { 'idempotency-key': requestId },
  })
  expect(answer).toMatchObject({ status: 422, body: { code: 'request:idempotency_key_reused' } })
})

test('an agent adds notes, finds slots and follows what happens', async () => {
  await using agent = await connectAgent(api)
  const { nextAfter } = await agent.call('list_events')
  const note = await agent.call('add_note', { socialSetId: api.socialSetId, content: 'Ask Ada', scheduledAt: at })
  expect(note).toMatchObject({ content: 'Ask Ada', type: 'ONE_TIME' })
  expect(await agent.call('find_free_slots', { socialSetId: api.socialSetId, limit: 3 })).toMatchObject({ slots: [] })
  expect(await agent.call('list_events', { after: nextAfter, types: ['note.created'] })).toMatchObject({ nextAfter })
})

test('an import is waited for, and can be asked for again', async () => {
  await using agent = await connectAgent(api, { key: asking })
  const end = (id: string) =>
    api.db
      .updateTable('media_uploads')
      .set({ status: 'FAILED', error_code: 'media-upload:timeout' })
      .where('id', '=', id)
      .execute()
  const url = 'https://example.com/photo.jpg'
  const waiting = agent.call('import_media', { socialSetId: api.socialSetId, url, requestId: newId() })
  const begun = await vi.waitFor(() => api.db.selectFrom('media_uploads').select('id').executeTakeFirstOrThrow())
  await end(begun.id)
  expect(await waiting).toMatchObject({ id: begun.id, status: 'FAILED', error: { code: 'media-upload:timeout' } })
  expect(await agent.call('import_media', { uploadId: begun.id })).toMatchObject({ id: begun.id, status: 'FAILED' })
})

test('behind a proxy an agent of either era goes the same way', async () => {
  const proxy = await startBalancer()
  const behind = await startApi({ trustedOrigins: [proxy.url], trustProxy: 1 })
  try {
    proxy.add(behind.url)
    await vi.waitFor(() => expect(proxy.ready()).toBe(1))
    for (const era of ERAS) {
      await using agent = await connectAgent({ ...behind, url: proxy.url }, { era })
      const made = await agent.call('create_draft', draft({ socialSetId: behind.socialSetId }))
      const whole = { id: made.id, version: made.version, postIds: idsOf(made) }
      expect(await agent.call('schedule_post_set', whole)).toMatchObject({ status: 'SCHEDULED' })
    }
  } finally {
    await proxy.close()
    await behind.close()
  }
})
