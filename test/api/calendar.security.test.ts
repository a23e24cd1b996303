import { afterAll, beforeAll, expect, test } from 'vitest'
import { ROLES } from '#contract'
import { type Api, startApi } from '../_util/api/api.ts'
import { signInAs } from '../_util/api/members.ts'
import {
  anyRate,
  calendarQuery,
  cardsOf,
  done,
  NO_SET,
  NO_SOCIAL_SET,
  NOT_SIGNED_IN,
  statusAndCode,
} from '../_util/browser/dashboard-api.ts'

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
const entryOf = async (id: string) =>
  (await api.db.selectFrom('history').select('id').where('post_set_id', '=', id).executeTakeFirstOrThrow()).id

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
  const entry = await entryOf(made.id)
  const visible = await api.create()
  // Not by way of a set that is seen, either.
  for (const way of [limited, owner]) {
    const answer = await way.request('GET', `/post-sets/${visible.id}/history/${entry}`)
    expect(statusAndCode(answer)).toEqual([404, 'history:not_found'])
  }
  for (const person of [limited, other]) {
    expect(statusAndCode(await person.request('GET', `/post-sets/${made.id}/history/${entry}`))).toEqual(NO_SET)
    for (const path of panels(made.id)) expect(statusAndCode(await person.request('GET', path))).toEqual(NO_SET)
  }
  expect((await cardsOf(api, owner, [['socialSetId', hidden]])).map(({ id }) => id)).toEqual([made.id])
  // A removed set has a history only for those who saw it.
  await done(owner.request('DELETE', `/post-sets/${made.id}`), 204)
  for (const path of ['', `/${entry}`]) {
    expect((await owner.request('GET', `/post-sets/${made.id}/history${path}`)).status).toBe(200)
    for (const person of [limited, other]) {
      expect(statusAndCode(await person.request('GET', `/post-sets/${made.id}/history${path}`))).toEqual(NO_SET)
    }
  }
})
