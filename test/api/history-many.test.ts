import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { GuestPostSet } from '#contract'
import { type Api, startApi } from '../_util/api/api.ts'
import { enter, type GuestClient, share } from '../_util/api/guests.ts'
import { type Person, signInAs } from '../_util/api/members.ts'
import { anyRate, done } from '../_util/browser/dashboard-api.ts'

let api: Api
let owner: Person
let guest: GuestClient
let id: string
let postId: string

beforeAll(async () => {
  api = await startApi({ rate: anyRate, mailer: { send: async () => {} } })
  owner = await signInAs(api, 'owner')
  guest = await enter(api, await share(api, owner))
  const set = await api.create({ approval: 'EXTERNAL_PENDING' })
  id = set.id
  postId = set.posts[0].id
  await done(guest.request('PUT', `/posts/${id}/seen`, { body: { version: 1 } }), 204)
})
afterAll(() => api.close())

/** The caption becomes "text <count>", by as many edits as that is behind what it was. */
async function editUntil(count: number): Promise<void> {
  const { version } = await api.db
    .selectFrom('post_sets')
    .select('version')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const textOf = (number: string) =>
    sql`case when ${sql.raw(number)} = 1 then 'hello' else 'text ' || (${sql.raw(number)} - 1) end`
  await sql`
    insert into history (id, account_id, post_set_id, actor_type, actor_name, action, version, changes)
    select gen_random_uuid(), account_id, ${id}, 'API_KEY', 'Editor', 'updated', number + 1, json_build_object('posts',
      json_build_object('changed', json_build_array(json_build_object('id', ${postId}::text, 'accountType', 'BLUESKY',
        'fields', json_build_object('caption', json_build_object('from', ${textOf('number')}, 'to', 'text ' || number))))))
    from post_sets, generate_series(${version}::integer, ${count}::integer) as number where post_sets.id = ${id}
    order by number`.execute(api.db)
  await sql`update posts set caption = ${`text ${count}`} where id = ${postId}`.execute(api.db)
  await sql`
    update post_sets set version = ${count + 1}, content_version = content_version + 1 where id = ${id}`.execute(api.db)
}

const read = async () => ({
  member: (await done(owner.request('GET', `/post-sets/${id}/changes?since=1`))) as Record<string, unknown>,
  guest: (await done(guest.request('GET', `/posts/${id}`))) as GuestPostSet,
  opened: await done(owner.request('GET', `/post-sets/${id}/changes/${postId}?since=1`)),
  openedByGuest: await done(guest.request('GET', `/posts/${id}/changes/${postId}?since=1`)),
})

test.each([
  [1_500, 0],
  [10_000, 0],
  [10_300, 300],
])('of %i changes the newest are shown, and %i earlier ones are named', async (count, earlier) => {
  await editUntil(count)
  const all = await read()
  const caption = { from: 'hello', to: `text ${count}` }
  expect(all.member).toMatchObject({
    version: count + 1,
    earlier,
    changes: { posts: { changed: [{ names: ['caption'] }] } },
  })
  expect(all.guest.changes).toMatchObject({ earlier, posts: [{ what: 'changed', fields: ['caption'] }] })
  // Opened, it is what was seen beside what is there now, however many there are.
  expect(all.opened.fields).toEqual({ caption: { ...caption, fromKept: true } })
  expect(all.openedByGuest).toEqual({ caption })
})

test('what was changed before those that are compared is not said to be as it was', async () => {
  await sql`delete from history where post_set_id = ${id} and version > 10`.execute(api.db)
  const locked = { accountId: '', action: 'locked' }
  await sql`
    insert into history (id, account_id, post_set_id, actor_type, actor_name, action, version)
    select gen_random_uuid(), account_id, ${id}, 'API_KEY', 'Editor', ${locked.action}, 10 + number
    from post_sets, generate_series(1, 10100) as number where post_sets.id = ${id} order by number`.execute(api.db)
  const { member, guest: shown } = await read()
  expect(member).toMatchObject({ changes: {}, earlier: 109 })
  expect(shown.changes).toMatchObject({ earlier: 109, posts: [] })
})
