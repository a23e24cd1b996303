import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { connectAgent } from '../_util/api/agents.ts'
import { type Api, BLUESKY_POST, startApi } from '../_util/api/api.ts'
import { AGENT } from '../_util/api/key-options.ts'
import { type MediaApi, startMediaApi } from '../_util/api/media-api.ts'
import { signInAs } from '../_util/api/members.ts'
import { metadataOf, tusClient } from '../_util/api/tus-client.ts'
import { readFixture } from '../_util/networks/file-server.ts'

/** What keys for agents are refused: more than their budget of a day, and asking where no one reviews. */

let api: Api
beforeAll(async () => {
  api = await startApi()
})
afterAll(() => api.close())

const EXCEEDED = 'api-key:budget_exceeded'
const newAgent = (dailyPostSets: number) => api.newKey({ agent: { dailyPostSets } })
const create = (key: string, more: object = {}) => api.request('POST', '/v1/post-sets', { key, body: api.draft(more) })
const codeOf = ({ status, body }: { status: number; body: { code?: string } }) => [status, body.code]
const REFUSED = [403, EXCEEDED]

describe('post sets beyond the budget of the day:', () => {
  test('are refused with what, how much and from when on there is room, and count nothing', async () => {
    await api.setClock('2031-03-03T12:00:00Z')
    const key = await newAgent(3)
    expect((await create(key)).status).toBe(201)
    // Four at once are two too many, whichever come first.
    const repeat = { interval: 'WEEK', occurrences: 3 }
    const series = await create(key, { repeat })
    expect(codeOf(series)).toEqual(REFUSED)
    expect(series.body).toMatchObject({
      detail:
        'The key may create 3 post sets a day (UTC); 1 were created today, not counting these 3. It may create more from 2031-03-04T00:00:00.000Z.',
      errors: [{ code: EXCEEDED, limit: 3, actual: 4 }],
    })
    const checked = await api.request('POST', '/v1/post-sets/validate', { key, body: api.draft({ repeat }) })
    expect(checked.body).toMatchObject({ valid: false, problems: [{ code: EXCEEDED }] })
    const all = await Promise.all(Array.from({ length: 6 }, () => create(key)))
    expect(all.map(({ status }) => status).toSorted()).toEqual([201, 201, 403, 403, 403, 403])
    // Other keys of the account are not concerned.
    expect((await create(api.key)).status).toBe(201)
    await api.setClock('2031-03-04T00:00:00Z')
    expect((await create(key, { repeat })).status).toBe(201)
    expect(codeOf(await create(key))).toEqual(REFUSED)
    await api.setClock(null)
  })

  test('also those of a series that an update begins, and of a request for many', async () => {
    const key = await newAgent(3)
    const { id } = (await create(key)).body
    const began = await api.request('PATCH', `/v1/post-sets/${id}`, {
      key,
      body: { repeat: { interval: 'WEEK', occurrences: 4 } },
    })
    expect(codeOf(began)).toEqual(REFUSED)
    const bulk = (count: number, mode: string) =>
      api.request('POST', '/v1/post-sets/bulk', {
        key,
        body: { mode, postSets: Array.from({ length: count }, () => api.draft()) },
      })
    expect(codeOf(await bulk(3, 'ATOMIC'))).toEqual(REFUSED)
    const each = await bulk(3, 'EACH')
    expect(each.body.data.map(({ status }: { status: string }) => status)).toEqual(['CREATED', 'CREATED', 'REFUSED'])
    expect(each.body.data[2].problem.code).toBe(EXCEEDED)
  })

  test('are counted beside the month of a plan', async () => {
    const accountId = await api.newAccount({ plan: 'FREE' })
    const socialSetId = await api.newSocialSet({ accountId, connected: ['BLUESKY'] })
    const key = await api.newKey({ accountId, agent: { dailyPostSets: 1 } })
    const set = { socialSetId, posts: [BLUESKY_POST] }
    expect((await create(key, set)).status).toBe(201)
    expect(codeOf(await create(key, set))).toEqual(REFUSED)
  })

  test('an agent is to stop for the day', async () => {
    await using agent = await connectAgent(api, { key: await newAgent(0) })
    const refused = await agent.refused('create_draft', {
      socialSetId: api.socialSetId,
      scheduledAt: '2031-05-01T10:00:00Z',
      posts: [BLUESKY_POST],
    })
    expect(refused.more.code).toBe(EXCEEDED)
    expect(refused.words).toMatch(/may create 0 post sets a day.*Stop here for today/)
  })
})

describe('files beyond the budget of the day:', () => {
  let media: MediaApi
  let size: number
  beforeAll(async () => {
    media = await startMediaApi()
    size = (await readFixture('photo.jpg')).length
  })
  afterAll(() => media.close())

  test('an import fails with what, how much and from when on there is room, and nothing of it is kept', async () => {
    const importer = await media.stage.startImporter()
    const url = await media.stage.server.fixture('photo.jpg')
    const key = await media.newKey({ agent: { dailyUploadBytes: 2 * size - 1 } })
    const begin = async () => {
      const body = { socialSetId: media.socialSetId, url }
      return (await media.request('POST', '/v1/media-upload', { key, body })).body.id as string
    }
    const ended = async (id: string) => {
      await vi.waitFor(async () => expect((await media.stage.upload(id)).status).toMatch(/READY|FAILED/), {
        timeout: 20_000,
        interval: 20,
      })
      return media.stage.upload(id)
    }
    // Both are fetched at once: one comes in, whichever it is.
    const both = await Promise.all((await Promise.all([begin(), begin()])).map(ended))
    expect(both.map(({ status }) => status).toSorted()).toEqual(['FAILED', 'READY'])
    const failed = both.find(({ status }) => status === 'FAILED')
    expect(failed).toMatchObject({ error_code: 'media-upload:budget_exceeded', media_id: null })
    expect(failed?.error_message).toMatch(
      /^The key may add .+ of files a day \(UTC\); .+ were added today, .+ from \d{4}-\d\d-\d\dT00:00:00\.000Z\.$/,
    )
    // Another key of the account goes on.
    expect(await media.ended((await media.upload(url)).id)).toMatchObject({ status: 'READY' })
    await importer.stop()
  })

  test('one that a client wants to send is refused before its bytes', async () => {
    const key = await media.newKey({ agent: { dailyUploadBytes: 1_000 } })
    const tus = tusClient(media.url, { authorization: `Bearer ${key}` })
    const ask = (bytes: number) =>
      tus.ask('POST', '/v1/media-upload/files', {
        'upload-length': String(bytes),
        'upload-metadata': metadataOf({ socialSetId: media.socialSetId }),
      })
    expect(codeOf(await ask(1_001))).toEqual(REFUSED)
    expect((await ask(1_000)).status).toBe(201)
  })
})

test('no key asks where the plan has no approvals', async () => {
  const accountId = await api.newAccount({ plan: 'STARTER' })
  const person = await signInAs(api, 'owner', { accountId })
  const body = { name: 'Claude', scopes: [], socialSetIds: null, expiresAt: null, password: person.password }
  const asks = { ...AGENT, asks: true }
  const refused = await person.request('POST', '/api-keys', { body: { ...body, agent: asks } })
  expect(codeOf(refused)).toEqual([403, 'plan:approvals_not_available'])
  const made = await person.request('POST', '/api-keys', { body: { ...body, agent: AGENT } })
  expect(made.status).toBe(201)
  const change = { body: { agent: asks, password: person.password } }
  expect(codeOf(await person.request('PATCH', `/api-keys/${made.body.id}`, change))).toEqual([
    403,
    'plan:approvals_not_available',
  ])
})

test('a budget is a whole number, and no one but a manager of keys reads what they did', async () => {
  const owner = await signInAs(api, 'owner')
  const body = { name: 'Claude', scopes: [], socialSetIds: null, expiresAt: null, password: owner.password }
  for (const wrong of [{ ...AGENT, dailyPostSets: -1 }, { ...AGENT, dailyPostSets: 1.5 }, { asks: true }, {}]) {
    const answer = await owner.request('POST', '/api-keys', { body: { ...body, agent: wrong } })
    expect(codeOf(answer)).toEqual([400, 'request:invalid_body'])
  }
  const { body: made } = await owner.request('POST', '/api-keys', { body: { ...body, agent: AGENT } })
  const editor = await signInAs(api, 'editor')
  expect(codeOf(await editor.request('GET', `/api-keys/${made.id}/calls`))).toEqual([403, 'auth:insufficient_role'])
})
