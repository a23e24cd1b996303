import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { ENDPOINTS, type Endpoint } from '#contract'
import { readSharedComments, writeSharedComment } from '#operations'
import { type Api, BLUESKY_POST, startApi } from '../_util/api/api.ts'
import { CHANGES, reviewsOf } from '../_util/api/approvals.ts'
import { commentsOf, guestOf } from '../_util/api/comments.ts'
import { follow } from '../_util/api/event-stream.ts'
import { type Person, signInAs } from '../_util/api/members.ts'
import { actionsOf, anyRate, NO_SET, statusAndCode, WRONG_ROLE } from '../_util/browser/dashboard-api.ts'

let api: Api
let ada: Person
beforeAll(async () => {
  api = await startApi({ rate: anyRate })
})
beforeEach(async () => {
  ada = await signInAs(api, 'editor')
})
afterAll(() => api.close())

const SECRET = 'zebra-inner-words'
const NO_COMMENT = [404, 'comment:not_found']

/** A set with an inner comment, a shared one and a guest's, whose thread was changed in every way. */
async function threadWithSecret() {
  const set = await api.create({ approval: 'PENDING', posts: [BLUESKY_POST] })
  const guest = guestOf(api)
  const inner = await commentsOf(ada).write(set.id, `${SECRET} one`, { mentions: [ada.userId] })
  await commentsOf(ada).share(set.id, 'For everybody')
  await writeSharedComment(api.db, guest, set.id, { text: 'From outside' })
  await commentsOf(ada).edit(inner.id, { text: `${SECRET} two` })
  await commentsOf(ada).resolve(inner.id)
  return { set, guest, inner }
}

test('comment-02: an inner comment is in no answer of the API, its description and its pages', async () => {
  const { set } = await threadWithSecret()
  const params: Record<string, string> = { id: set.id }
  const gets = Object.entries<Endpoint>(ENDPOINTS).filter(([name, { api }]) => api && name.startsWith('GET '))
  expect(gets.length).toBeGreaterThan(8)
  for (const [name] of gets) {
    const path = name.slice(4).replace(/:(\w+)/g, (_, param) => params[param] ?? set.id)
    const range = { 'filters[startDate]': '2030-05-01', 'filters[endDate]': '2030-07-01' }
    const query = new URLSearchParams({ socialSetId: api.socialSetId, ...(path === '/notes' ? range : {}) })
    for (const url of [`/v1${path}`, `/v1${path}?${query}`]) {
      expect(JSON.stringify((await api.request('GET', url)).body), url).not.toContain(SECRET)
    }
  }
  const patched = await api.request('PATCH', `/v1/post-sets/${set.id}`, { body: { approval: 'NONE' } })
  expect(JSON.stringify(patched.body)).not.toContain(SECRET)
  expect(Object.keys(api.openApi.paths ?? {}).filter((path) => path.includes('comment'))).toEqual([])
})

test('comment-01: guests read what is shared and nothing of the rest: no text, no count, no id, no name but that of who wrote it', async () => {
  const { set, guest, inner } = await threadWithSecret()
  const seen = await readSharedComments(api.db, guest, set.id)
  expect(seen.map(({ text }) => text)).toEqual(['For everybody', 'From outside'])
  const text = JSON.stringify(seen)
  for (const hidden of [SECRET, inner.id, ada.userId, ada.email, guest.actor.id ?? '', guest.link.name]) {
    expect(text).not.toContain(hidden)
  }
  const other = await readSharedComments(api.db, guestOf(api), set.id)
  expect(other.map(({ by }) => by)).toEqual([
    { name: 'Ada', guest: false, mine: false },
    { name: 'Maria', guest: true, mine: false },
  ])
})

test('guests write only shared comments, no matter what they send, and the table refuses others', async () => {
  const { set, guest } = await threadWithSecret()
  const sneaky = { text: 'Hello', audience: 'INNER', mentions: [ada.userId] }
  const { id } = await writeSharedComment(api.db, guest, set.id, sneaky)
  const { data } = await commentsOf(ada).thread(set.id)
  expect(data.find((comment) => comment.id === id)).toMatchObject({ audience: 'SHARED', mentions: [] })
  const inner = sql`update comments set audience = 'INNER' where id = ${id}`.execute(api.db)
  await expect(inner).rejects.toThrow(/check constraint/)
})

test('guests of other links, brands and accounts find no thread', async () => {
  const { set } = await threadWithSecret()
  const hidden = await api.newSocialSet()
  const guests = [
    guestOf(api, { shows: () => false }),
    guestOf(api, { socialSetIds: [hidden] }),
    guestOf(api, { socialSetIds: [] }),
    guestOf(api, { accountId: await api.newAccount() }),
  ]
  for (const guest of guests) {
    await expect(readSharedComments(api.db, guest, set.id)).rejects.toMatchObject({ code: 'post-set:not_found' })
    const write = writeSharedComment(api.db, guest, set.id, { text: 'Hello' })
    await expect(write).rejects.toMatchObject({ code: 'post-set:not_found' })
  }
})

test('comment-01: events, history, kept answers and logs carry nothing of a comment, and no table but that of comments has its words', async () => {
  const stream = await follow(api, ada, api.socialSetId)
  try {
    await stream.until('ready')
    const { set } = await threadWithSecret()
    await stream.until('comments', [set.id])
    await reviewsOf(ada).decide(set.id, CHANGES)
    await actionsOf(ada).lock(set.id)
    expect(stream.text()).not.toContain(SECRET)
    expect(JSON.stringify(await actionsOf(ada).history(set.id))).not.toContain(SECRET)
    expect(JSON.stringify(await actionsOf(ada).read(set.id))).not.toContain(SECRET)
    expect(api.logged()).not.toContain(SECRET)
    expect(await tablesWith(SECRET)).toEqual(['comments'])
  } finally {
    stream.close()
  }
})

/** Every table of the database with a row that has these words in it. */
async function tablesWith(words: string): Promise<string[]> {
  const { rows: tables } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE' order by 1`.execute(api.db)
  expect(tables.length).toBeGreaterThan(30)
  const found: string[] = []
  for (const { name } of tables) {
    const { rows } = await sql`
      select from ${sql.table(name)} as row where row::text like ${`%${words}%`} limit 1`.execute(api.db)
    if (rows.length > 0) found.push(name)
  }
  return found
}

test('a member who does not see the brand finds no thread and no comment', async () => {
  const { set, inner } = await threadWithSecret()
  const hidden = await api.newSocialSet()
  for (const person of [
    await signInAs(api, 'admin', { socialSetIds: [hidden] }),
    await signInAs(api, 'owner', { accountId: await api.newAccount() }),
  ]) {
    expect(statusAndCode(await person.request('GET', `/post-sets/${set.id}/comments`))).toEqual(NO_SET)
    expect(statusAndCode(await commentsOf(person).post(set.id, { text: 'Hello', audience: 'INNER' }))).toEqual(NO_SET)
    expect(statusAndCode(await commentsOf(person).edit(inner.id, { text: 'Hello' }))).toEqual(NO_COMMENT)
    expect(statusAndCode(await commentsOf(person).remove(inner.id))).toEqual(NO_COMMENT)
    expect(statusAndCode(await commentsOf(person).resolve(inner.id))).toEqual(NO_COMMENT)
  }
  const elsewhere = await signInAs(api, 'editor', { socialSetIds: [hidden] })
  const mention = await commentsOf(ada).post(set.id, { text: 'Hello', audience: 'INNER', mentions: [elsewhere.userId] })
  expect(statusAndCode(mention)).toEqual([400, 'request:invalid_body'])
})

test('another’s comment is changed by no one, and deleted by owners and admins', async () => {
  const { set, inner } = await threadWithSecret()
  for (const role of ['owner', 'admin', 'editor', 'author', 'reviewer'] as const) {
    const person = await signInAs(api, role)
    expect([role, statusAndCode(await commentsOf(person).edit(inner.id, { text: 'Not mine' }))]).toEqual([
      role,
      WRONG_ROLE,
    ])
    const comment = await commentsOf(ada).write(set.id, 'Hello')
    const mayDelete = role === 'owner' || role === 'admin'
    expect([role, (await commentsOf(person).remove(comment.id)).status]).toEqual([role, mayDelete ? 204 : 403])
  }
})

test('comment-02: a key reads and writes no comments', async () => {
  const { set, inner } = await threadWithSecret()
  for (const [method, path] of [
    ['GET', `/v1/post-sets/${set.id}/comments`],
    ['POST', `/v1/post-sets/${set.id}/comments`],
    ['PATCH', `/v1/comments/${inner.id}`],
    ['DELETE', `/v1/comments/${inner.id}`],
    ['GET', '/v1/approvals?tab=waiting'],
    ['GET', `/v1/post-sets/${set.id}/review`],
  ] as const) {
    const body = method === 'POST' || method === 'PATCH' ? { body: { text: 'Hello', audience: 'INNER' } } : {}
    expect((await api.request(method, path, body)).status, path).toBe(404)
    const asMember = path.replace('/v1', '/internal')
    const from = { origin: 'https://almanac.test', 'sec-fetch-site': 'same-origin' }
    expect((await api.request(method, asMember, { ...body, headers: from })).status, asMember).toBe(401)
  }
})

test('script, marks that turn the direction and markup stay text', async () => {
  const { id } = await api.create()
  const text = '<script>alert(1)</script> \u202Eevil\u202C [x](javascript:alert(1)) {{7*7}}'
  await commentsOf(ada).share(id, text)
  expect((await commentsOf(ada).thread(id)).data[0]?.text).toBe(text)
  expect((await readSharedComments(api.db, guestOf(api), id))[0]?.text).toBe(text)
})
