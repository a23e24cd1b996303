import { afterAll, beforeAll, expect, test } from 'vitest'
import { connectAgent } from '../_util/api/agents.ts'
import { type Api, BLUESKY_POST, type Body, startApi } from '../_util/api/api.ts'
import { eventsBehind, newestPosition } from '../_util/api/event-log.ts'
import { AGENT } from '../_util/api/key-options.ts'
import { type Person, signInAs } from '../_util/api/members.ts'

/** Keys that are made for agents: what they may, what they did, and how that is said. */

let api: Api
let owner: Person
beforeAll(async () => {
  api = await startApi()
  owner = await signInAs(api, 'owner')
})
afterAll(() => api.close())

const DRAFTS = ['post-sets:write', 'media:write', 'notes:write']
const AT = '2031-05-01T10:00:00Z'
const draft = () => ({ socialSetId: api.socialSetId, scheduledAt: AT, posts: [BLUESKY_POST] })

async function make(more: object): Promise<{ id: string; key: string }> {
  const body = {
    name: 'Claude',
    scopes: DRAFTS,
    socialSetIds: null,
    expiresAt: null,
    password: owner.password,
    ...more,
  }
  const { status, body: made } = await owner.request('POST', '/api-keys', { body })
  expect(status, JSON.stringify(made)).toBe(201)
  return made
}
const listed = async (id: string) =>
  (await owner.request('GET', '/api-keys')).body.data.find((key: Body) => key.id === id)
const calls = async (id: string) => (await owner.request('GET', `/api-keys/${id}/calls`)).body

test('what an agent may is said when its key is made, changed from its next message on, and kept by the key that replaces it', async () => {
  const agent = { asks: true, dailyPostSets: 5, dailyUploadBytes: 1_000 }
  const { id, key } = await make({ agent })
  expect(await listed(id)).toMatchObject({ agent, scopes: expect.not.arrayContaining(['post-sets:publish']) })
  await using asking = await connectAgent(api, { key })
  expect(await asking.tools()).toContain('ask_to_schedule')
  const change = { agent: { ...agent, asks: false }, password: owner.password }
  expect((await owner.request('PATCH', `/api-keys/${id}`, { body: change })).status).toBe(204)
  expect(await asking.tools()).not.toContain('ask_to_schedule')
  const rotated = await owner.request('POST', `/api-keys/${id}/rotate`, { body: { password: owner.password } })
  expect(await listed(rotated.body.id)).toMatchObject({ agent: change.agent })
  const program = { agent: null, password: owner.password }
  expect((await owner.request('PATCH', `/api-keys/${id}`, { body: program })).status).toBe(204)
  expect(await listed(id)).toMatchObject({ agent: null })
})

test('the key says which tools were called last and what they were refused with, the newest first and no more than 50', async () => {
  const { id, key } = await make({ agent: { ...AGENT, dailyPostSets: 1 } })
  await using agent = await connectAgent(api, { key })
  expect(await calls(id)).toMatchObject({ data: [], today: { postSets: { used: 0, limit: 1 } } })
  await agent.call('create_draft', draft())
  await agent.refused('create_draft', draft())
  await agent.call('list_brands')
  const { data, today } = await calls(id)
  expect(data).toEqual([
    { at: expect.stringMatching(/Z$/), tool: 'list_brands', problem: null },
    { at: expect.stringMatching(/Z$/), tool: 'create_draft', problem: 'api-key:budget_exceeded' },
    { at: expect.stringMatching(/Z$/), tool: 'create_draft', problem: null },
  ])
  expect(today).toEqual({
    postSets: { used: 1, limit: 1 },
    uploadBytes: { used: 0, limit: AGENT.dailyUploadBytes },
    freeAt: expect.stringMatching(/T00:00:00\.000Z$/),
  })
  await api.db
    .insertInto('key_calls')
    .values(Array.from({ length: 60 }, () => ({ api_key_id: id, tool: 'get_post_set' })))
    .execute()
  await agent.call('list_brands')
  const last = (await calls(id)).data
  expect(last).toHaveLength(50)
  expect(last[0].tool).toBe('list_brands')
  const kept = await api.db.selectFrom('key_calls').select('id').where('api_key_id', '=', id).execute()
  expect(kept).toHaveLength(50)
})

test('events say of post sets, notes and files that an agent brought them, and of those of a program they do not', async () => {
  const { id: keyId, key } = await make({ agent: AGENT })
  await using agent = await connectAgent(api, { key })
  const before = await newestPosition(api)
  await agent.call('create_draft', draft())
  await agent.call('add_note', { socialSetId: api.socialSetId, content: 'Ask Ada', scheduledAt: AT })
  const url = 'https://example.com/photo.jpg'
  const importing = agent.call('import_media', { socialSetId: api.socialSetId, url })
  await expect.poll(() => api.db.selectFrom('media_uploads').select('id').execute()).toHaveLength(1)
  await api.db.updateTable('media_uploads').set({ status: 'FAILED', error_code: 'media-upload:timeout' }).execute()
  await importing
  const { data } = await eventsBehind(api, before)
  const actor = { kind: 'API_KEY', name: 'Claude', keyId, agent: true }
  expect(data.map(({ type, data: { actor: by } }) => [type, by])).toEqual([
    ['post_set.created', actor],
    ['note.created', actor],
    ['media_upload.failed', actor],
  ])
  const requests = await newestPosition(api)
  await api.create({}, key)
  await api.create()
  const both = (await eventsBehind(api, requests)).data
  expect(both.map((event) => event.data.actor)).toEqual([
    actor,
    { kind: 'API_KEY', name: expect.any(String), keyId: expect.not.stringMatching(keyId) },
  ])
})
