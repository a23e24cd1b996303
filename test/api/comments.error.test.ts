import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { LIMITS } from '#contract'
import { newId } from '#domain'
import { writeSharedComment } from '#operations'
import { type Api, startApi } from '../_util/api/api.ts'
import { commentsOf, guestOf } from '../_util/api/comments.ts'
import { type Person, signInAs } from '../_util/api/members.ts'
import { anyRate, NO_SET, statusAndCode } from '../_util/browser/dashboard-api.ts'

let api: Api
let ada: Person
beforeAll(async () => {
  api = await startApi({ rate: anyRate })
  ada = await signInAs(api, 'author')
})
afterAll(() => api.close())

const NO_COMMENT = [404, 'comment:not_found']
const { codePoints, mentions, perMinute, perPostSet } = LIMITS.comments

describe('bad input', () => {
  test.each<[object, string]>([
    [{ audience: 'INNER' }, 'text'],
    [{ text: '', audience: 'INNER' }, 'text'],
    [{ text: ' \n ', audience: 'INNER' }, 'text'],
    [{ text: 'x'.repeat(codePoints + 1), audience: 'INNER' }, 'text'],
    [{ text: 'a\u0007b', audience: 'INNER' }, 'text'],
    [{ text: 'a\u0000b', audience: 'INNER' }, 'text'],
    [{ text: 'Hello' }, 'audience'],
    [{ text: 'Hello', audience: 'ALL' }, 'audience'],
    [{ text: 'Hello', audience: 'INNER', mentions: Array.from({ length: mentions + 1 }, newId) }, 'mentions'],
    [{ text: 'Hello', audience: 'INNER', mentions: ['nonsense'] }, 'mentions[0]'],
    [{ text: 'Hello', audience: 'INNER', mentions: [newId()] }, 'mentions[0]'],
    [{ text: 'Hello', audience: 'INNER', more: 1 }, 'more'],
  ])('%j', async (body, path) => {
    const { id } = await api.create()
    const answer = await commentsOf(ada).post(id, body)
    expect(statusAndCode(answer)).toEqual([400, 'request:invalid_body'])
    expect(answer.body.errors).toMatchObject([{ path }])
    expect((await commentsOf(ada).thread(id)).data).toEqual([])
  })

  test('the longest text is kept whole, by code points', async () => {
    const { id } = await api.create()
    const text = '🎭'.repeat(codePoints)
    expect(await commentsOf(ada).write(id, text)).toMatchObject({ text })
    await expect(writeSharedComment(api.db, guestOf(api), id, { text: `${text}!` })).rejects.toMatchObject({
      code: 'request:invalid_body',
    })
  })

  test('comment-01: the audience of a comment never changes', async () => {
    const { id } = await api.create()
    for (const [audience, other] of [
      ['INNER', 'SHARED'],
      ['SHARED', 'INNER'],
    ] as const) {
      const comment = await commentsOf(ada).write(id, 'Hello', { audience })
      const answer = await commentsOf(ada).edit(comment.id, { text: 'Hello', audience: other })
      expect(statusAndCode(answer)).toEqual([400, 'request:invalid_body'])
      expect((await commentsOf(ada).edit(comment.id, { text: 'Changed' })).body).toMatchObject({ audience })
    }
  })

  test('of changes', async () => {
    const { id } = await api.create()
    const comment = await commentsOf(ada).write(id, 'Hello')
    expect(statusAndCode(await commentsOf(ada).edit(comment.id, {}))).toEqual([400, 'request:invalid_body'])
    expect(statusAndCode(await commentsOf(ada).edit(comment.id, { text: ' ' }))).toEqual([400, 'request:invalid_body'])
    const unresolved = await ada.request('PUT', `/comments/${comment.id}/resolved`, { body: {} })
    expect(statusAndCode(unresolved)).toEqual([400, 'request:invalid_body'])
  })
})

test('what is not there', async () => {
  for (const id of [newId(), 'nonsense']) {
    expect(statusAndCode(await ada.request('GET', `/post-sets/${id}/comments`))).toEqual(NO_SET)
    expect(statusAndCode(await commentsOf(ada).post(id, { text: 'Hello', audience: 'INNER' }))).toEqual(NO_SET)
    expect(statusAndCode(await commentsOf(ada).edit(id, { text: 'Hello' }))).toEqual(NO_COMMENT)
    expect(statusAndCode(await commentsOf(ada).remove(id))).toEqual(NO_COMMENT)
    expect(statusAndCode(await commentsOf(ada).resolve(id))).toEqual(NO_COMMENT)
    await expect(writeSharedComment(api.db, guestOf(api), id, { text: 'Hello' })).rejects.toMatchObject({
      code: 'post-set:not_found',
    })
  }
})

describe('bounds', () => {
  test('one person writes so many in a minute, a guest too, and goes on behind it', async () => {
    const { id } = await api.create()
    const person = await signInAs(api, 'author')
    for (let nth = 0; nth < perMinute; nth++) await commentsOf(person).write(id, 'Hello')
    const refused = await commentsOf(person).post(id, { text: 'Hello', audience: 'INNER' })
    expect(statusAndCode(refused)).toEqual([429, 'comment:too_fast'])
    expect(refused.headers.get('retry-after')).toBe('60')
    // Others are not held up by it.
    await commentsOf(ada).write(id, 'Hello')
    await sql`update comments set created_at = created_at - interval '1 minute'`.execute(api.db)
    await commentsOf(person).write(id, 'Hello')
    const guest = guestOf(api)
    for (let nth = 0; nth < perMinute; nth++) await writeSharedComment(api.db, guest, id, { text: 'Hello' })
    await expect(writeSharedComment(api.db, guest, id, { text: 'Hello' })).rejects.toMatchObject({
      code: 'comment:too_fast',
    })
  })

  test('a post has so many', async () => {
    const { id } = await api.create()
    await commentsOf(ada).write(id, 'Hello')
    await sql`
      insert into comments (id, account_id, social_set_id, post_set_id, audience, author_type, author_id, author_name, text)
      select gen_random_uuid(), account_id, social_set_id, post_set_id, audience, author_type, 'other', author_name, text
      from comments, generate_series(2, ${perPostSet}) where post_set_id = ${id}`.execute(api.db)
    expect(statusAndCode(await commentsOf(ada).post(id, { text: 'Hello', audience: 'INNER' }))).toEqual([
      409,
      'comment:limit_reached',
    ])
    expect((await commentsOf(ada).thread(id)).data).toHaveLength(perPostSet)
    await expect(writeSharedComment(api.db, guestOf(api), id, { text: 'Hello' })).resolves.toMatchObject({
      text: 'Hello',
    })
  })

  test('guests have bounds of their own, each and all of a link, and take no room of members', async () => {
    const { id } = await api.create()
    await commentsOf(ada).write(id, 'Hello')
    const [clara, dora, elsa] = [guestOf(api), guestOf(api), guestOf(api)]
    const others = { ...elsa, link: { ...elsa.link, id: newId() } }
    const written = ({ actor, link }: typeof clara, count: number) =>
      sql`
      insert into comments (id, account_id, social_set_id, post_set_id, audience, author_type, author_id, author_name, link_name,
        shared_calendar_id, text, created_at)
      select gen_random_uuid(), account_id, social_set_id, post_set_id, 'SHARED', 'REVIEWER', ${actor.id}, 'Clara', 'Link',
        ${link.id}::uuid, text, created_at - interval '1 hour'
      from comments, generate_series(1, ${count}) where post_set_id = ${id} and author_type = 'USER'`.execute(api.db)
    const { each, ofLink } = LIMITS.comments.guests
    const write = (guest: typeof clara) => writeSharedComment(api.db, guest, id, { text: 'Hello' })
    await written(clara, each - 1)
    await write(clara)
    await expect(write(clara)).rejects.toMatchObject({
      code: 'comment:limit_reached',
      message: expect.stringContaining('100'),
    })
    await write({ ...dora, link: clara.link })
    await written({ ...guestOf(api), link: clara.link }, ofLink - each - 1)
    await expect(write({ ...dora, link: clara.link })).rejects.toMatchObject({ code: 'comment:limit_reached' })
    await write(others)
    await commentsOf(ada).write(id, 'Hello')
    expect((await commentsOf(ada).thread(id)).data).toHaveLength(1 + ofLink + 2)
  })
})
