import { afterAll, beforeAll, expect, test } from 'vitest'
import { readSharedComments, writeSharedComment } from '#operations'
import { type Api, startApi } from '../_util/api/api.ts'
import { reviewsOf } from '../_util/api/approvals.ts'
import { commentsOf, guestOf } from '../_util/api/comments.ts'
import { follow } from '../_util/api/event-stream.ts'
import { type Person, signInAs } from '../_util/api/members.ts'
import { actionsOf, anyRate } from '../_util/browser/dashboard-api.ts'

let api: Api
let ada: Person
let reviewer: Person
beforeAll(async () => {
  api = await startApi({ rate: anyRate })
  ada = await signInAs(api, 'author')
  reviewer = await signInAs(api, 'reviewer')
})
afterAll(() => api.close())

test('comment-01: a thread has what members and guests write, in its order, each as it was meant', async () => {
  const { id } = await api.create()
  const guest = guestOf(api)
  const inner = await commentsOf(reviewer).write(id, '  The logo is old.\r\nMind it. ')
  const shared = await commentsOf(ada).share(id, 'How do you like it?')
  const answer = await writeSharedComment(api.db, guest, id, { text: 'Very much.' })
  const { data } = await commentsOf(ada).thread(id)
  expect(data).toEqual([
    {
      id: inner.id,
      audience: 'INNER',
      text: 'The logo is old.\nMind it.',
      author: { type: 'USER', name: 'Ada' },
      mine: false,
      linkName: null,
      mentions: [],
      createdAt: expect.any(String),
      editedAt: null,
      resolved: null,
    },
    expect.objectContaining({ id: shared.id, audience: 'SHARED', mine: true }),
    expect.objectContaining({
      id: answer.id,
      audience: 'SHARED',
      author: { type: 'REVIEWER', name: 'Maria' },
      linkName: 'Spring calendar',
      mine: false,
    }),
  ])
  expect(await readSharedComments(api.db, guest, id)).toEqual([
    {
      id: shared.id,
      at: data[1]?.createdAt,
      by: { name: 'Ada', guest: false, mine: false },
      text: 'How do you like it?',
      editedAt: null,
      resolved: false,
    },
    expect.objectContaining({ id: answer.id, by: { name: 'Maria', guest: true, mine: true } }),
  ])
  expect(await reviewsOf(ada).read(id)).toMatchObject({ comments: 3 })
})

test('mentions are of members who see the brand, by the names that they have now', async () => {
  const { id } = await api.create()
  const elsewhere = await signInAs(api, 'editor', { socialSetIds: [await api.newSocialSet()] })
  const { people } = await commentsOf(ada).thread(id)
  const ids = people.map(({ userId }) => userId)
  expect(ids).toEqual(expect.arrayContaining([ada.userId, reviewer.userId]))
  expect(ids).not.toContain(elsewhere.userId)
  const comment = await commentsOf(ada).write(id, '@Ada please look', { mentions: [reviewer.userId, reviewer.userId] })
  expect(comment.mentions).toEqual([{ userId: reviewer.userId, name: 'Ada' }])
  await api.db.updateTable('users').set({ name: 'Bo' }).where('id', '=', reviewer.userId).execute()
  expect((await commentsOf(ada).thread(id)).data[0]?.mentions).toEqual([{ userId: reviewer.userId, name: 'Bo' }])
  await api.db.updateTable('users').set({ name: 'Ada' }).where('id', '=', reviewer.userId).execute()
})

test('an own comment is changed and deleted; who left the brand stays mentioned', async () => {
  const { id } = await api.create()
  const leaver = await signInAs(api, 'editor')
  const { id: commentId } = await commentsOf(ada).write(id, 'First', { mentions: [leaver.userId] })
  await api.db.deleteFrom('memberships').where('user_id', '=', leaver.userId).execute()
  const { body } = await commentsOf(ada).edit(commentId, { text: 'Second' })
  expect(body).toMatchObject({ text: 'Second', editedAt: expect.any(String), mentions: [{ userId: leaver.userId }] })
  expect((await commentsOf(ada).edit(commentId, { text: 'Third', mentions: [] })).body.mentions).toEqual([])
  expect((await commentsOf(ada).remove(commentId)).status).toBe(204)
  expect((await commentsOf(ada).thread(id)).data).toEqual([])
  expect((await commentsOf(ada).remove(commentId)).status).toBe(404)
})

test('a comment is resolved and opened again by any member', async () => {
  const { id } = await api.create()
  const { id: commentId } = await commentsOf(ada).write(id, 'The logo is old.')
  const { body } = await commentsOf(reviewer).resolve(commentId)
  expect(body.resolved).toEqual({ by: { type: 'USER', name: 'Ada' }, at: expect.any(String) })
  expect((await commentsOf(ada).resolve(commentId)).body).toEqual({ ...body, mine: true })
  expect((await commentsOf(ada).resolve(commentId, false)).body.resolved).toBeNull()
})

test('other screens hear of each change of a thread', async () => {
  const { id } = await api.create()
  const stream = await follow(api, reviewer, api.socialSetId)
  try {
    await stream.until('ready')
    const { id: commentId } = await commentsOf(ada).write(id, 'First')
    await stream.until('comments', [id])
    for (const change of [
      () => commentsOf(ada).edit(commentId, { text: 'Second' }),
      () => commentsOf(ada).resolve(commentId),
      () => commentsOf(ada).remove(commentId),
      () => writeSharedComment(api.db, guestOf(api), id, { text: 'By a guest' }),
    ]) {
      stream.events.splice(0)
      await change()
      await stream.until('comments', [id])
    }
  } finally {
    stream.close()
  }
})

test('a thread is hidden with its post, comes back with it, and goes with it for good', async () => {
  const { id } = await api.create()
  const { id: commentId } = await commentsOf(ada).write(id, 'Stays')
  await actionsOf(ada).remove(id)
  expect((await ada.request('GET', `/post-sets/${id}/comments`)).status).toBe(404)
  expect((await commentsOf(ada).edit(commentId, { text: 'Hidden' })).status).toBe(404)
  await actionsOf(ada).restore(id)
  expect((await commentsOf(ada).thread(id)).data).toMatchObject([{ text: 'Stays' }])
  await api.request('DELETE', `/v1/post-sets/${id}`)
  const left = await api.db.selectFrom('comments').select('id').where('post_set_id', '=', id).execute()
  expect(left).toEqual([])
})
