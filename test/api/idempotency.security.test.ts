import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '#domain'
import { type Api, startApi } from '../_util/api/api.ts'
import { newKeyedClient } from '../_util/api/keyed-requests.ts'
import { signInAs } from '../_util/api/members.ts'

/** Whose an `Idempotency-Key` is, and what is stored with it. */

let api: Api
let ask: ReturnType<typeof newKeyedClient>
beforeAll(async () => {
  api = await startApi()
  ask = newKeyedClient(api)
})
afterAll(() => api.close())

const note = (socialSetId = api.socialSetId) => ({
  method: 'POST',
  path: '/v1/notes',
  body: { socialSetId, content: 'Flour', hexColor: '#e4f8e2', scheduledAt: '2030-06-03T07:00:00Z' },
})

test('idempotency-09: two API keys never share one, of one account or of two', async () => {
  const accountId = await api.newAccount()
  const socialSetId = await api.newSocialSet({ accountId })
  const key = newId()
  const answers = [
    await ask({ ...note(), key }),
    await ask({ ...note(), key, credential: await api.newKey() }),
    await ask({ ...note(socialSetId), key, credential: await api.newKey({ accountId }) }),
  ]
  expect(answers.map(({ status, headers }) => [status, headers['idempotency-replayed']])).toEqual(
    Array(3).fill([201, undefined]),
  )
  expect(new Set(answers.map(({ text }) => JSON.parse(text).id)).size).toBe(3)
})

test('an answer is given to its API key alone, while that is valid and has the scope', async () => {
  const credential = await api.newKey({ scopes: ['notes:write'] })
  const key = newId()
  const request = { ...note(), key, credential }
  const { text } = await ask(request)
  const { api_key_id: id } = await api.db
    .selectFrom('idempotency_keys')
    .select('api_key_id')
    .where('key', '=', key)
    .executeTakeFirstOrThrow()
  const change = (set: object) => api.db.updateTable('api_keys').set(set).where('id', '=', id).execute()
  await change({ scopes: [] })
  expect((await ask(request)).status).toBe(403)
  await change({ scopes: ['notes:write'], disabled_at: new Date() })
  expect((await ask(request)).status).toBe(401)
  await change({ disabled_at: null })
  expect((await ask(request)).text).toBe(text)
})

test('idempotency-09: an answer is repeated only while its API key may still send the request', async () => {
  const [own, other] = [await api.newSocialSet({ connected: ['BLUESKY'] }), await api.newSocialSet()]
  const credential = await api.newKey({ socialSetIds: [own] })
  const sent = (method: string, path: string, body: object) => ({ method, path, body, key: newId(), credential })
  const idOf = async (request: Parameters<typeof ask>[0]) => JSON.parse((await ask(request)).text).id as string
  const scheduled = sent('POST', '/v1/post-sets', { ...api.draft({ socialSetId: own }), status: 'SCHEDULED' })
  const drafted = sent('POST', '/v1/post-sets', api.draft({ socialSetId: own }))
  const noted = sent('POST', '/v1/notes', note(own).body)
  const later = { scheduledAt: '2030-07-01T10:00:00Z' }
  const requests = [
    scheduled,
    sent('PATCH', `/v1/post-sets/${await idOf(scheduled)}`, later),
    drafted,
    sent('PATCH', `/v1/post-sets/${await idOf(drafted)}`, later),
    noted,
    sent('PATCH', `/v1/notes/${await idOf(noted)}`, { content: 'Sugar' }),
    sent('POST', '/v1/media-upload', { socialSetId: own, url: 'https://example.com/photo.jpg' }),
  ]
  const answers = async () => {
    const each: string[] = []
    for (const request of requests) {
      const { status, headers, text } = await ask(request)
      each.push(status < 300 ? `${headers['idempotency-replayed']}` : `${status} ${JSON.parse(text).code}`)
    }
    return each
  }
  await answers()
  const repeated = Array(7).fill('true')
  expect(await answers()).toEqual(repeated)
  const { api_key_id: id } = await api.db
    .selectFrom('idempotency_keys')
    .select('api_key_id')
    .where('key', '=', noted.key)
    .executeTakeFirstOrThrow()
  const change = (set: object) => api.db.updateTable('api_keys').set(set).where('id', '=', id).execute()
  await change({ social_set_ids: [other] })
  expect(await answers()).toEqual([
    '404 social-set:not_found',
    '404 post-set:not_found',
    '404 social-set:not_found',
    '404 post-set:not_found',
    '404 social-set:not_found',
    '404 note:not_found',
    '404 social-set:not_found',
  ])
  await change({ social_set_ids: [own], scopes: ['post-sets:write', 'notes:write', 'media:write'] })
  const refused = '403 auth:insufficient_scope'
  expect(await answers()).toEqual([refused, refused, ...Array(5).fill('true')])
  await change({ social_set_ids: null, scopes: ['post-sets:write', 'post-sets:publish', 'notes:write', 'media:write'] })
  expect(await answers()).toEqual(repeated)
})

test('the routes of the dashboard take no part', async () => {
  const { cookie } = await signInAs(api, 'owner')
  const headers = { cookie, origin: 'https://almanac.test', 'idempotency-key': newId() }
  const { body } = note()
  const [first, second] = [
    await api.request('POST', '/internal/notes', { key: null, headers, body }),
    await api.request('POST', '/internal/notes', { key: null, headers, body }),
  ]
  expect([first.status, second.status]).toEqual([201, 201])
  expect(second.body.id).not.toBe(first.body.id)
})

test('neither the log nor the stored answer holds the API key, and a refusal does not repeat the key that was sent', async () => {
  const key = `mine ${newId()}`
  await ask({ ...note(), key })
  const refused = await ask({ ...note(), path: '/v1/post-sets', key })
  expect(refused.status).toBe(422)
  expect(refused.text).not.toContain(key)
  const rows = await sql<{ row: string }>`select to_json(idempotency_keys)::text as row from idempotency_keys`.execute(
    api.db,
  )
  expect(rows.rows.map(({ row }) => row).join()).not.toContain('alm_')
  expect(api.logged()).not.toContain(key)
})
