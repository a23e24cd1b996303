import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Results } from '#contract'
import { type Api, startApi } from '../_util/api/api.ts'
import { type Person, signInAs } from '../_util/api/members.ts'
import { ENDED_EARLY, endedSet, endPosts, POSTED, REFUSED } from '../_util/api/results.ts'
import { anyRate, done } from '../_util/browser/dashboard-api.ts'

/** What failed is fixed in a copy: it is not sent twice, and needs no one once the copy is live. */

let api: Api
let person: Person
beforeAll(async () => {
  api = await startApi({ rate: anyRate })
  person = await signInAs(api, 'editor')
})
beforeEach(() => api.db.deleteFrom('post_sets').execute())
afterAll(() => api.close())

const refused = { result: REFUSED }
const posted = { result: POSTED }
const groups = async () => {
  const results: Results = await done(person.request('GET', `/results?socialSetId=${api.socialSetId}`))
  return Object.fromEntries(results.groups.map(({ group, data }) => [group, data]))
}
const needed = async (id: string) => (await groups())['needs-you']?.find((item) => item.id === id)
const copyOf = async (id: string): Promise<string> =>
  (await done(person.request('POST', `/post-sets/${id}/duplicate`, { body: { only: 'failed' } }), 201)).id
const retry = (id: string) => person.request('POST', `/post-sets/${id}/retry`)
const setStatus = (id: string, status: 'SCHEDULED' | 'PUBLISHED') =>
  sql`update post_sets set status = ${status}, scheduled_at = almanac_now() where id = ${id}`.execute(api.db)

test('while its copy is a draft it names the copy; once that is scheduled it is not sent again here', async () => {
  const id = await endedSet(api, [posted, refused])
  const copy = await copyOf(id)
  expect(await needed(id)).toMatchObject({
    posts: [{ failure: null }, { failure: { retry: { possible: true }, copy: { id: copy, status: 'DRAFT' } } }],
  })
  await setStatus(copy, 'SCHEDULED')
  const [, failed] = (await needed(id))?.posts ?? []
  expect(failed?.failure).toMatchObject({
    retry: { possible: false, why: { code: 'why:sent_in_copy' } },
    copy: { status: 'SCHEDULED' },
  })
  expect(await retry(id)).toMatchObject({ status: 409, body: { message: expect.stringContaining('twice') } })
  await done(person.request('DELETE', `/post-sets/${copy}`), 204)
  expect((await needed(id))?.posts[1]?.failure).toMatchObject({ retry: { possible: true }, copy: null })
})

test('it needs no one once the copy is live, on the networks where it is', async () => {
  const id = await endedSet(api, [refused, refused])
  const copy = await copyOf(id)
  await setStatus(copy, 'PUBLISHED')
  await endPosts(api, copy, [posted, refused])
  const now = await groups()
  expect(now['needs-you']?.map((item) => item.id).sort()).toEqual([copy, id].sort())
  // Where the copy failed, too, it is sent again from either.
  expect((await needed(id))?.posts[1]?.failure).toMatchObject({ retry: { possible: true } })
  const another = await copyOf(copy)
  await setStatus(another, 'PUBLISHED')
  await endPosts(api, another, [posted])
  const last = await groups()
  expect([last['needs-you'], last.done?.map((item) => item.id).sort()]).toEqual([[], [copy, id].sort()])
})

test('a thread beside it that ended early is not in the copy, and a copy whose thread did is live', async () => {
  const id = await endedSet(api, [ENDED_EARLY, refused])
  const copy = await copyOf(id)
  const copies = (await needed(id))?.posts.map(({ failure }) => failure?.copy?.id ?? null)
  expect(copies).toEqual([null, copy])
  const other = await endedSet(api, [refused])
  const second = await copyOf(other)
  await setStatus(second, 'PUBLISHED')
  await endPosts(api, second, [ENDED_EARLY])
  expect(await needed(other)).toBeUndefined()
  await done(person.request('PUT', `/post-sets/${other}/done`, { body: { done: false } }))
  expect((await needed(other))?.posts[0]?.failure?.retry).toMatchObject({ possible: false })
})

test('a copy of all of it changes nothing', async () => {
  const id = await endedSet(api, [refused])
  await done(person.request('POST', `/post-sets/${id}/duplicate`, { body: {} }), 201)
  expect((await needed(id))?.posts[0]?.failure).toMatchObject({ retry: { possible: true }, copy: null })
})
