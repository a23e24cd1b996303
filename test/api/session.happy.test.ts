import { afterAll, beforeAll, expect, test } from 'vitest'
import { rightsOf } from '#contract'
import { type Api, startApi } from '../_util/api/api.ts'
import { signInAs } from '../_util/api/members.ts'

let api: Api
beforeAll(async () => {
  api = await startApi()
})
afterAll(() => api.close())

test('a member signs in, learns who they are and works with the same operations as a key', async () => {
  const editor = await signInAs(api, 'editor')
  const session = await editor.request('GET', '/session')
  expect(session.status).toBe(200)
  expect(session.body).toMatchObject({
    user: { id: editor.userId, email: editor.email, name: 'Ada', twoFactorEnabled: false },
    account: { id: api.accountId, plan: 'SCALE' },
    role: 'editor',
    rights: rightsOf('editor'),
    socialSetIds: null,
    preferences: { theme: 'auto', shortcuts: true },
  })

  const made = await editor.request('POST', '/post-sets', { body: api.draft() })
  expect(made.status, JSON.stringify(made.body)).toBe(201)
  expect((await api.request('GET', `/v1/post-sets/${made.body.id}`)).body).toEqual(made.body)
  expect(await api.history(made.body.id)).toMatchObject([{ actor_type: 'USER', actor_name: 'Ada' }])
})

test('signing out ends the session', async () => {
  const editor = await signInAs(api, 'editor')
  expect((await editor.request('DELETE', '/session')).status).toBe(204)
  const after = await editor.request('GET', '/session')
  expect(after.status).toBe(401)
  expect(after.body.code).toBe('auth:not_signed_in')
})
