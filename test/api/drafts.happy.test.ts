import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { draftsQuery } from '#persistence'
import { type Api, BLUESKY_POST, startApi } from '../_util/api/api.ts'
import { newMember, type Person, signInAs } from '../_util/api/members.ts'
import { anyRate, done, NOT_SIGNED_IN, statusAndCode } from '../_util/browser/dashboard-api.ts'
import { explaining } from '../_util/database/explain.ts'

let api: Api
let other: string
let hidden: string
/** Sees two of the three brands. */
let member: Person
beforeAll(async () => {
  api = await startApi({ rate: anyRate })
  other = await api.newSocialSet({ name: 'Other', timezone: 'Asia/Tokyo', connected: ['BLUESKY'] })
  hidden = await api.newSocialSet({ name: 'Hidden', connected: ['BLUESKY'] })
  member = await signInAs(api, 'editor', { socialSetIds: [api.socialSetId, other] })
})
afterAll(() => api.close())

const ask = (person: Person, more: [string, string][] = []) =>
  person.request('GET', `/drafts?${new URLSearchParams(more)}`)
const ids = async (person: Person, more: [string, string][] = []): Promise<string[]> =>
  (await done(ask(person, more))).data.map(({ id }: { id: string }) => id)

describe('drafts of all brands', () => {
  test('are those that the member sees, by time or the newest first, and page after page', async () => {
    const at = (socialSetId: string, scheduledAt: string, more: object = {}) =>
      api.create({ socialSetId, scheduledAt, ...more })
    const late = await at(api.socialSetId, '2030-06-03T10:00:00Z')
    const early = await at(other, '2030-06-01T10:00:00Z', { posts: [{ ...BLUESKY_POST, caption: 'A word: zeppelin' }] })
    const middle = await at(api.socialSetId, '2030-06-02T10:00:00Z')
    const unseen = await at(hidden, '2030-06-02T10:00:00Z')
    await at(other, '2030-06-02T10:00:00Z', { status: 'SCHEDULED' })
    expect(await ids(member)).toEqual([early.id, middle.id, late.id])
    expect(await ids(member, [['sort', 'newest']])).toEqual([middle.id, early.id, late.id])
    expect(await ids(member, [['filters[search]', 'zeppelin']])).toEqual([early.id])
    const second = await done(
      ask(member, [
        ['size', '2'],
        ['page', '2'],
      ]),
    )
    expect(second.data.map(({ id }: { id: string }) => id)).toEqual([late.id])
    expect(second.pagination).toMatchObject({ page: 2, total: 3, totalPages: 2, totalIsExact: true })
    const first = await done(ask(member, [['size', '2']]))
    expect(first.pagination).toMatchObject({ total: 3, totalPages: 2 })
    expect(await ids(await signInAs(api, 'reviewer'))).toContain(unseen.id)
  })

  test('are those of the account which is open', async () => {
    const accountId = await api.newAccount()
    const theirs = await api.newSocialSet({ accountId, connected: ['BLUESKY'] })
    const made = await api.create({ socialSetId: theirs }, await api.newKey({ accountId }))
    const person = await signInAs(api, 'owner')
    await newMember(api, accountId, { accountId, userId: person.userId, password: person.password })
    expect(await ids(person)).not.toContain(made.id)
    await done(person.request('PUT', '/session/account', { body: { accountId } }), 204)
    expect(await ids(person)).toEqual([made.id])
  })

  test('are asked for by members, with filters that there are', async () => {
    expect(statusAndCode(await api.request('GET', '/internal/drafts'))).toEqual(NOT_SIGNED_IN)
    for (const [name, value] of [
      ['sort', 'best'],
      ['filters[approval][]', 'LOST'],
      ['filters[search]', 'ab'],
      ['socialSetId', other],
    ] as const) {
      const answer = await ask(member, [[name, value]])
      expect(statusAndCode(answer)).toEqual([400, 'request:invalid_query'])
      expect(answer.body.errors.map(({ path }: { path: string }) => path)).toEqual([name])
    }
  })

  test('are read by a range of an index of each brand', async () => {
    await sql`
      insert into post_sets (id, account_id, social_set_id, scheduled_at, status, approval)
      select gen_random_uuid(), ${api.accountId}, brand, timestamptz '2029-01-01' + n * interval '1 hour', 'DRAFT', 'NONE'
      from generate_series(1, 10000) as n, unnest(array[${api.socialSetId}, ${other}, ${hidden}]::uuid[]) as brand`.execute(
      api.db,
    )
    await sql`analyze all_post_sets, social_sets`.execute(api.db)
    const { db, plan } = explaining(api.db)
    const visible = { accountId: api.accountId, socialSetIds: null }
    for (const [by, index] of [
      ['scheduledAt', 'post_sets_calendar'],
      ['createdAt', 'post_sets_created'],
    ] as const) {
      const nothing = { approvals: null, labelIds: null, search: null }
      await draftsQuery(visible, nothing, by, { limit: 50, offset: 0 }).execute(db)
      expect(plan()).toContain(index)
      expect(plan()).not.toMatch(/Seq Scan on (all_post_sets|posts|history)/)
    }
  })
})
