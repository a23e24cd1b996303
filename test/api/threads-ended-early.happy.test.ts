import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Results } from '#contract'
import { type Api, startApi } from '../_util/api/api.ts'
import { type Person, signInAs } from '../_util/api/members.ts'
import { ENDED_EARLY, endedSet, POSTED } from '../_util/api/results.ts'
import { anyRate, done } from '../_util/browser/dashboard-api.ts'

/** A post that is live, but not all of its thread. */

let api: Api
let person: Person
beforeAll(async () => {
  api = await startApi({ rate: anyRate })
  person = await signInAs(api, 'editor')
})
afterAll(() => api.close())

const list = (): Promise<Results> => done(person.request('GET', `/results?socialSetId=${api.socialSetId}`))
const idsOf = (results: Results) =>
  Object.fromEntries(results.groups.map(({ group, data }) => [group, data.map(({ id }) => id)]))
const markDone = (id: string, done: boolean) => person.request('PUT', `/post-sets/${id}/done`, { body: { done } })

test('it is among what needs people, with the way on, until it is continued or done', async () => {
  const id = await endedSet(api, [ENDED_EARLY])
  const published = await endedSet(api, [{ result: POSTED }])
  const [needed] = (await list()).groups
  expect(needed?.data).toMatchObject([
    { id, posts: [{ failure: { cause: 'ENDED_EARLY', fix: 'continue', retry: { possible: false } } }] },
  ])
  expect(idsOf(await list())).toMatchObject({ published: [published] })
  expect(await done(person.request('GET', '/results/unseen'))).toMatchObject({ total: 1 })
  await markDone(id, true)
  expect(idsOf(await list())).toMatchObject({ 'needs-you': [], done: [id] })
  await markDone(id, false)
  await api.db
    .updateTable('deliveries')
    .set({
      identity_id: sql`(select identity_id from connections
    where connections.id = deliveries.connection_id)`,
    })
    .where('post_set_id', '=', id)
    .execute()
  const again = (await list()).groups[0]?.data[0]
  expect(again?.posts[0]?.failure?.retry).toEqual({ possible: true, why: null })
  await done(person.request('POST', `/post-sets/${id}/retry`))
  expect(idsOf(await list())).toMatchObject({ 'needs-you': [], 'not-confirmed': [id] })
})
