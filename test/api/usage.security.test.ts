import { afterAll, beforeAll, expect, test } from 'vitest'
import { ROLES } from '#contract'
import { type Api, startApi } from '../_util/api/api.ts'
import { signInAs } from '../_util/api/members.ts'

let api: Api
beforeAll(async () => {
  api = await startApi()
})
afterAll(() => api.close())

test('every member reads it, with any role and any social sets', async () => {
  const socialSetIds = [await api.newSocialSet()]
  for (const role of ROLES) {
    const member = await signInAs(api, role, { socialSetIds })
    const { status, body } = await member.request('GET', '/usage')
    expect([status, body.accountId], role).toEqual([200, api.accountId])
  }
})

test('nothing of another account is reported or counted', async () => {
  const stranger = await signInAs(api, 'owner', { accountId: await api.newAccount() })
  await api.create()
  await api.newMedia()
  const { body } = await stranger.request('GET', '/usage')
  const { postSets, storageBytes, socialSets, connections, members, activeKeys } = body
  const used = [postSets, storageBytes, socialSets, connections, activeKeys, members].map((each) => each.used)
  expect(used).toEqual([0, 0, 0, 0, 0, 1])
})

test('without a session it is 401, and a page of another site is refused', async () => {
  const owner = await signInAs(api, 'owner')
  const codeWith = async (headers: Record<string, string>) => {
    const { status, body } = await owner.request('GET', '/usage', { headers })
    return [status, body.code]
  }
  expect(await codeWith({ cookie: '' })).toEqual([401, 'auth:not_signed_in'])
  expect(await codeWith({ 'sec-fetch-site': 'cross-site' })).toEqual([403, 'auth:cross_site_request'])
})
