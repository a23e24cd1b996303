import { randomBytes } from 'node:crypto'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { Socket } from 'node:net'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import type { GuestPostSet } from '#contract'
import { addHistory, type HistoryEntry, joinHistory } from '#persistence'
import { type Api, startApi } from '../_util/api/api.ts'
import { enter, type GuestClient, share } from '../_util/api/guests.ts'
import { type Person, signInAs } from '../_util/api/members.ts'
import { anyRate, done } from '../_util/browser/dashboard-api.ts'

const EDITS = 600
const TEXT_BYTES = 20_000
const texts = Array.from({ length: EDITS + 1 }, () => randomBytes(TEXT_BYTES / 2).toString('hex'))

/** Sockets that this process has opened to PostgreSQL. */
const sockets: Socket[] = []
const keep = (message: unknown) => {
  sockets.push((message as { socket: Socket }).socket)
}
const bytesFromDatabase = () => {
  const port = Number(new URL(inject('databaseUrl')).port)
  return sockets.filter(({ remotePort }) => remotePort === port).reduce((sum, { bytesRead }) => sum + bytesRead, 0)
}

let api: Api
let owner: Person
let guest: GuestClient
let id: string

beforeAll(async () => {
  subscribe('net.client.socket', keep)
  api = await startApi({ rate: anyRate, mailer: { send: async () => {} } })
  owner = await signInAs(api, 'owner')
  const { token } = await share(api, owner)
  guest = await enter(api, { token })
  id = (await api.create({ approval: 'EXTERNAL_PENDING' })).id
  await done(guest.request('PUT', `/posts/${id}/seen`, { body: { version: 1 } }), 204)
  await edit()
})
afterAll(async () => {
  unsubscribe('net.client.socket', keep)
  await api.close()
})

/** Writes the history of that many edits by the product's own function, and what the set is after them. */
async function edit() {
  const set = await api.db.selectFrom('post_sets').select('account_id').where('id', '=', id).executeTakeFirstOrThrow()
  const post = await api.db.selectFrom('posts').select('id').where('post_set_id', '=', id).executeTakeFirstOrThrow()
  await sql`update posts set caption = ${texts[0]} where id = ${post.id}`.execute(api.db)
  const entries = texts.slice(1).map((to, index): HistoryEntry => {
    const fields = { caption: { from: texts[index], to } }
    const changed = [{ id: post.id, accountType: 'BLUESKY' as const, fields }]
    const actor = { type: 'API_KEY', id: null, name: 'Editor' } as const
    return { accountId: set.account_id, postSetId: id, actor, action: 'updated', changes: { posts: { changed } } }
  })
  for (let at = 0; at < entries.length; at += 100) await addHistory(api.db, entries.slice(at, at + 100))
  await sql`
    update history set version = numbered.version from (
      select id, row_number() over (order by sequence) as version from history where post_set_id = ${id}
    ) as numbered where numbered.id = history.id`.execute(api.db)
  await sql`update posts set caption = ${texts.at(-1)} where id = ${post.id}`.execute(api.db)
  await sql`
    update post_sets set version = ${EDITS + 1}, content_version = content_version + 1 where id = ${id}`.execute(api.db)
}

/** What an act answers, and how many bytes came from the database for it. */
async function measured<T>(act: () => Promise<T>): Promise<{ answer: T; bytes: number; answered: number }> {
  const before = bytesFromDatabase()
  const answer = await act()
  return { answer, bytes: bytesFromDatabase() - before, answered: JSON.stringify(answer).length }
}

const FEW_BYTES = 5_000

test('a guest who has seen the first text is told that it has changed, and gets it beside the last when it is opened', async () => {
  const { answer, bytes } = await measured((): Promise<GuestPostSet> => done(guest.request('GET', `/posts/${id}`)))
  expect(answer.changes).toMatchObject({ since: 1, posts: [{ what: 'changed', fields: ['caption'] }] })
  // The text of now is in the post.
  expect(bytes).toBeLessThan(2 * TEXT_BYTES)
  const postId = answer.changes?.posts[0]?.id
  const opened = await measured(() => done(guest.request('GET', `/posts/${id}/changes/${postId}?since=1`)))
  expect(opened.answer).toEqual({ caption: { from: texts[0], to: texts.at(-1) } })
  // The post is read too: its further parts are compared with the caption.
  expect(opened.bytes).toBeLessThan(4 * TEXT_BYTES)
})

test('a member who saw a version is told which fields have changed, and gets their texts by themselves, from any version on', async () => {
  for (const since of [1, 300, EDITS]) {
    const { answer, answered } = await measured(() =>
      done(owner.request('GET', `/post-sets/${id}/changes?since=${since}`)),
    )
    expect(answer.changes.posts.changed).toEqual([
      { id: expect.any(String), accountType: 'BLUESKY', fields: {}, names: ['caption'] },
    ])
    expect(answered).toBeLessThan(FEW_BYTES)
    const path = `/post-sets/${id}/changes/${answer.changes.posts.changed[0].id}?since=${since}`
    const opened = await measured(() => done(owner.request('GET', path)))
    expect(opened.answer.fields).toEqual({ caption: { from: texts[since - 1], to: texts.at(-1), fromKept: true } })
    // The set itself is read for the right to see it.
    expect(opened.bytes).toBeLessThan(4 * TEXT_BYTES)
  }
})

test('a page of history names the fields that changed and reads no text; an entry that is opened has its own alone', async () => {
  const { answer, answered } = await measured(() =>
    done(owner.request('GET', `/post-sets/${id}/history?page=1&size=100`)),
  )
  expect(answer.pagination.total).toBe(EDITS + 1)
  expect(answer.data).toHaveLength(100)
  expect(answer.data[0].changes.posts.changed).toEqual([
    { id: expect.any(String), accountType: 'BLUESKY', fields: {}, names: ['caption'] },
  ])
  expect(answered).toBeLessThan(100_000)
  const opened = await measured(() => done(owner.request('GET', `/post-sets/${id}/history/${answer.data[1].id}`)))
  expect(opened.answer.posts).toMatchObject([{ fields: { caption: { from: texts.at(-3), to: texts.at(-2) } } }])
  expect(opened.bytes).toBeLessThan(4 * TEXT_BYTES)
})

test('beyond a budget texts in between go, and everything is answered as before but for them', async () => {
  const list = () => done(owner.request('GET', `/post-sets/${id}/history?page=2&size=100`))
  const [before, seen] = [await list(), await done(guest.request('GET', `/posts/${id}`))]
  // The guest had seen the text of version 300 before.
  await sql`update shared_seen set before_version = 300 where post_set_id = ${id}`.execute(api.db)
  expect(await joinHistory(api.db, { budget: 1_000_000 })).toBe(EDITS - 4)
  const after = await list()
  const plain = ({ data }: typeof before) =>
    data.map(({ changes, ...row }: { changes: { posts: { changed: object[] } } }) => ({
      ...row,
      changed: changes.posts.changed.map((post) => ({ ...post, joined: undefined })),
    }))
  expect(plain(after)).toEqual(plain(before))
  expect(after.data[0].changes.posts.changed).toMatchObject([{ names: ['caption'], joined: ['caption'] }])
  const opened = await done(owner.request('GET', `/post-sets/${id}/history/${after.data[0].id}`))
  const together = { from: texts[300], to: texts.at(-2), together: EDITS - 301 }
  expect(opened.posts).toMatchObject([{ fields: { caption: together } }])
  const changed = await done(guest.request('GET', `/posts/${id}`))
  expect(changed).toEqual(seen)
  const path = `/posts/${id}/changes/${changed.changes.posts[0].id}?since=1`
  expect(await done(guest.request('GET', path))).toEqual({ caption: { from: texts[0], to: texts.at(-1) } })
  const before300 = path.replace('since=1', 'since=300')
  expect(await done(guest.request('GET', before300))).toEqual({ caption: { from: texts[299], to: texts.at(-1) } })
})

test('a row from before outlines is read as one that has it', async () => {
  await sql`alter table history disable trigger history_outline`.execute(api.db)
  await sql`update history set outline = null where post_set_id = ${id} and version > 400`.execute(api.db)
  await sql`alter table history enable trigger history_outline`.execute(api.db)
  const { answer, answered } = await measured(() => done(owner.request('GET', `/post-sets/${id}/changes?since=1`)))
  expect(answer.changes.posts.changed).toMatchObject([{ fields: {}, names: ['caption'] }])
  expect(answered).toBeLessThan(FEW_BYTES)
  const path = `/post-sets/${id}/changes/${answer.changes.posts.changed[0].id}?since=1`
  expect((await done(owner.request('GET', path))).fields).toMatchObject({
    caption: { from: texts[0], to: texts.at(-1) },
  })
})
