import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createKey, disableKey, revokeKey } from '#operations'
import { type Api, startApi } from '../_util/api/api.ts'

let api: Api
beforeAll(async () => {
  api = await startApi()
})
afterAll(() => api.close())

const answerTo = async (authorization: string | null) => {
  const headers: Record<string, string> = authorization === null ? {} : { authorization }
  const { status, headers: answered, body } = await api.request('GET', '/v1/social-sets', { key: null, headers })
  return { status, challenge: answered.get('www-authenticate'), code: body.code, detail: body.detail }
}

describe('a credential', () => {
  test('auth-01, problem-19: that is missing', async () => {
    for (const given of [null, '']) {
      expect(await answerTo(given)).toMatchObject({
        status: 401,
        challenge: 'Bearer',
        code: 'auth:missing_credential',
      })
    }
  })

  test('problem-20: that is none, unknown, disabled, expired or revoked is answered alike', async () => {
    const make = () => createKey(api, { accountId: api.accountId, name: 'x', scopes: [], socialSetIds: null })
    const [disabled, expired, revoked] = [await make(), await make(), await make()]
    await disableKey(api, disabled.id)
    await revokeKey(api, revoked.id)
    await api.db.updateTable('api_keys').set({ expires_at: new Date() }).where('id', '=', expired.id).execute()
    const unknown = `alm_${'A'.repeat(43)}`
    const answers = await Promise.all(
      [
        `Bearer ${unknown}`,
        `Bearer ${disabled.key}`,
        `Bearer ${expired.key}`,
        `Bearer ${revoked.key}`,
        'Bearer',
        'Bearer x',
        `Basic ${Buffer.from(`${api.key}:`).toString('base64')}`,
        api.key,
        `Bearer ${api.key} ${api.key}`,
        `Bearer ${api.key.slice(0, -1)}`,
        `Bearer ${api.key}A`,
        `Bearer ${"' or 1=1 --"}`,
      ].map(answerTo),
    )
    const [first] = answers
    expect(first).toMatchObject({ status: 401, challenge: 'Bearer', code: 'auth:invalid_credential' })
    for (const answer of answers) expect(answer).toEqual(first)
  })

  test('is read without regard to the letters of its scheme', async () => {
    for (const scheme of ['Bearer', 'bearer', 'BEARER ']) {
      expect(await answerTo(`${scheme} ${api.key}`)).toMatchObject({ status: 200 })
    }
  })

  test('auth-01: does not count in a query or a body', async () => {
    const { status } = await api.request('GET', `/v1/social-sets?access_token=${api.key}`, { key: null })
    expect(status).toBe(401)
  })
})

test('nothing that a request carries reaches the log', async () => {
  const caption = 'a caption that stays secret'
  const { id } = await api.create({ posts: [{ accountType: 'BLUESKY', caption, media: [] }] })
  await api.request('PATCH', `/v1/post-sets/${id}`, { raw: `{"broken ${caption}` })
  await api.request('PATCH', `/v1/post-sets/${id}`, { body: { [caption]: 1 } })
  await api.request(
    'GET',
    `/v1/post-sets?socialSetId=${api.socialSetId}&filters[search]=${encodeURIComponent(caption)}`,
  )
  await api.request('GET', `/v1/nothing?key=${api.key}`)
  await api.request('GET', '/media/x/original?e=1&s=signature-of-media')
  const log = api.logged()
  expect(log).toContain('"path":"/v1/post-sets"')
  for (const secret of [
    api.key,
    api.key.slice(4),
    'alm_',
    caption,
    encodeURIComponent(caption),
    'signature-of-media',
    'Bearer',
    '?',
  ]) {
    expect(log).not.toContain(secret)
  }
})
