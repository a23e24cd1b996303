import { afterAll, beforeAll, expect, test } from 'vitest'
import { ROLES } from '#contract'
import { type Api, startApi } from '../_util/api.ts'
import {
  anyRate,
  calendarQuery,
  cardsOf,
  done,
  NO_SET,
  NO_SOCIAL_SET,
  NOT_SIGNED_IN,
  statusAndCode,
} from '../_util/dashboard-api.ts'
import { signInAs } from '../_util/members.ts'

let api: Api
beforeAll(async () => {
  api = await startApi({ rate: anyRate })
})
afterAll(() => api.close())

const paths = (socialSetId: string) => [
  calendarQuery(api, [['socialSetId', socialSetId]]),
  calendarQuery(api, [['socialSetId', socialSetId]]).replace('?', '/elsewhere?'),
  `/calendar/authors?socialSetId=${socialSetId}`,
]
const panels = (id: string) => [`/post-sets/${id}/history`, `/post-sets/${id}/deliveries`]

test('every role reads', async () => {
  const { id } = await api.create()
  for (const role of ROLES) {
    const person = await signInAs(api, role)
    for (const path of [...paths(api.socialSetId), ...panels(id)]) await done(person.request('GET', path))
  }
})

test('no one reads without being signed in, nor with a key', async () => {
  const { id } = await api.create()
  for (const path of [...paths(api.socialSetId), ...panels(id)]) {
    expect(statusAndCode(await api.request('GET', `/internal${path}`, { key: null }))).toEqual(NOT_SIGNED_IN)
    expect(statusAndCode(await api.request('GET', `/internal${path}`))).toEqual(NOT_SIGNED_IN)
  }
})

test('what belongs to another account, or lies outside of what a member sees, is not there', async () => {
  const accountId = await api.newAccount()
  const theirs = await api.newSocialSet({ accountId })
  const owner = await signInAs(api, 'owner')
  const other = await signInAs(api, 'owner', { accountId })
  const hidden = await api.newSocialSet()
  const limited = await signInAs(api, 'owner', { socialSetIds: [api.socialSetId] })
  const made = await api.create({ socialSetId: hidden })
  for (const path of paths(theirs)) expect(statusAndCode(await owner.request('GET', path))).toEqual(NO_SOCIAL_SET)
  for (const path of paths(hidden)) expect(statusAndCode(await limited.request('GET', path))).toEqual(NO_SOCIAL_SET)
  for (const person of [limited, other]) {
    for (const path of panels(made.id)) expect(statusAndCode(await person.request('GET', path))).toEqual(NO_SET)
  }
  expect((await cardsOf(api, owner, [['socialSetId', hidden]])).map(({ id }) => id)).toEqual([made.id])
  // A removed set has a history only for those who saw it.
  await done(owner.request('DELETE', `/post-sets/${made.id}`), 204)
  expect((await owner.request('GET', `/post-sets/${made.id}/history`)).status).toBe(200)
  expect(statusAndCode(await limited.request('GET', `/post-sets/${made.id}/history`))).toEqual(NO_SET)
  expect(statusAndCode(await other.request('GET', `/post-sets/${made.id}/history`))).toEqual(NO_SET)
})
