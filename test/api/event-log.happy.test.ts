import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '#domain'
import { addHistory, insertMediaUpload } from '#persistence'
import { type Api, BLUESKY_POST, INSTAGRAM_POST, startApi } from '../_util/api/api.ts'
import { eventsBehind, giveAll, newestPosition } from '../_util/api/event-log.ts'
import { signInAs } from '../_util/api/members.ts'

let api: Api
beforeAll(async () => {
  api = await startApi()
})
afterAll(() => api.close())

/** The types of events that `work` makes, with the last of them. */
async function made(work: () => Promise<unknown>) {
  const before = await newestPosition(api)
  await work()
  const { data } = await eventsBehind(api, before)
  return { types: data.map(({ type }) => type), data, last: data.at(-1) }
}
const patch = (id: string, body: object) => async () => {
  const answer = await api.request('PATCH', `/v1/post-sets/${id}`, { body })
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
}
const remove = (path: string) => async () => expect((await api.request('DELETE', path)).status).toBe(204)

describe('events of a post set', () => {
  test('events-03: say the state of the set right after the change, who made it and of which fields, without any text', async () => {
    const before = await newestPosition(api)
    const set = await api.create({ posts: [{ ...BLUESKY_POST, caption: 'A secret caption' }, INSTAGRAM_POST] })
    const { data, nextAfter } = await eventsBehind(api, before)
    expect(data).toEqual([
      {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        position: before + 1,
        type: 'post_set.created',
        timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        socialSetId: api.socialSetId,
        data: {
          postSetId: set.id,
          status: 'DRAFT',
          scheduledAt: '2030-06-01T10:00:00.000Z',
          approval: 'NONE',
          version: 1,
          actor: { kind: 'API_KEY', name: 'Key of 5 scopes', keyId: expect.stringMatching(/^[0-9a-f-]{36}$/) },
          posts: set.posts.map(({ id, accountType }: { id: string; accountType: string }) => ({
            id,
            accountType,
            result: null,
          })),
        },
      },
    ])
    expect(nextAfter).toBe(before + 1)
    const changed = await made(
      patch(set.id, { posts: [{ ...set.posts[0], caption: 'Another secret' }], scheduledAt: '2030-06-02T10:00:00Z' }),
    )
    expect(changed.types).toEqual(['post_set.updated'])
    expect(changed.last?.data).toMatchObject({ version: 2, changed: expect.arrayContaining(['posts', 'scheduledAt']) })
    expect(changed.last?.data.posts).toHaveLength(1)
    expect(JSON.stringify([...data, ...changed.data])).not.toContain('secret')
  })

  test('events-04: one change may make several, in a fixed order, and one that changes nothing none', async () => {
    let id = ''
    const created = await made(async () => {
      id = (await api.create({ status: 'SCHEDULED' })).id
    })
    expect(created.types).toEqual(['post_set.created', 'post_set.scheduled'])
    expect((await made(patch(id, { status: 'SCHEDULED' }))).types).toEqual([])
    expect((await made(patch(id, { approval: 'PENDING' }))).types).toEqual([
      'post_set.updated',
      'post_set.approval_changed',
    ])
    expect((await made(patch(id, { status: 'DRAFT' }))).types).toEqual(['post_set.parked'])
    expect((await made(patch(id, { status: 'SCHEDULED', approval: 'APPROVED' }))).types).toEqual([
      'post_set.scheduled',
      'post_set.approval_changed',
    ])
    const deleted = await made(remove(`/v1/post-sets/${id}`))
    expect(deleted.types).toEqual(['post_set.deleted'])
    expect(deleted.last).toMatchObject({ socialSetId: api.socialSetId, data: { postSetId: id, posts: [] } })
  })

  test('one that a member has deleted and restored keeps its posts in them', async () => {
    const { id } = await api.create()
    const owner = await signInAs(api, 'owner')
    const deleted = await made(() => owner.request('DELETE', `/post-sets/${id}`))
    expect(deleted.types).toEqual(['post_set.deleted'])
    expect(deleted.last?.data).toMatchObject({ posts: [{ accountType: 'BLUESKY' }], actor: { kind: 'USER' } })
    expect((await made(() => owner.request('POST', `/post-sets/${id}/restore`))).types).toEqual(['post_set.restored'])
  })

  test('of a result without a post there is one event for each post that it is about', async () => {
    const { id, posts } = await api.create({ posts: [BLUESKY_POST, INSTAGRAM_POST] })
    const failed = { status: 'FAILED', reason: 'UNKNOWN', message: 'Too late.' } as never
    const about = {
      accountId: api.accountId,
      postSetId: id,
      actor: { type: 'PUBLISHER', id: null, name: 'publisher' },
    } as const
    const all = await made(() =>
      addHistory(api.db, [
        { ...about, action: 'post failed', changes: { accountType: 'BLUESKY', result: failed } },
        { ...about, action: 'post failed', changes: { accountType: 'INSTAGRAM', postId: posts[1].id, result: failed } },
      ]),
    )
    expect(all.types).toEqual(['post.failed', 'post.failed'])
    expect(all.data.map(({ data }) => [data.postId, data.accountType, data.result, data.attempt])).toEqual([
      [posts[0].id, 'BLUESKY', 'FAILED', 1],
      [posts[1].id, 'INSTAGRAM', 'FAILED', 1],
    ])
  })
})

describe('events of other things', () => {
  test('notes, also all of a series, by whom they were written', async () => {
    const note = {
      socialSetId: api.socialSetId,
      content: 'Fair',
      hexColor: '#faf785',
      scheduledAt: '2030-06-01T10:00:00Z',
    }
    let id = ''
    const one = await made(async () => {
      id = (await api.request('POST', '/v1/notes', { body: note })).body.id
    })
    expect(one.types).toEqual(['note.created'])
    expect(one.last?.data).toEqual({
      noteId: id,
      actor: { kind: 'API_KEY', name: 'Key of 5 scopes', keyId: expect.any(String) },
    })
    const again = () => api.request('PATCH', `/v1/notes/${id}`, { body: { content: 'Another' } })
    expect((await made(again)).types).toEqual(['note.updated'])
    expect((await made(again)).types).toEqual([])
    expect((await made(remove(`/v1/notes/${id}`))).types).toEqual(['note.deleted'])
    const repeat = { interval: 'WEEK', occurrences: 3 }
    const series = await made(() => api.request('POST', '/v1/notes', { body: { ...note, repeat } }))
    expect(series.types).toEqual(['note.created', 'note.created', 'note.created'])
    expect(new Set(series.data.map(({ data }) => data.noteId)).size).toBe(3)
    const owner = await signInAs(api, 'owner')
    const noteId = series.last?.data.noteId
    expect((await made(() => owner.request('DELETE', `/notes/${noteId}`))).types).toEqual(['note.deleted'])
    expect((await made(() => owner.request('POST', `/notes/${noteId}/restore`))).types).toEqual(['note.created'])
    const move = { body: { timezone: 'Asia/Tokyo', keep: 'clock' } }
    const moved = await made(() => owner.request('PATCH', `/social-sets/${api.socialSetId}`, move))
    const ids = moved.data.filter(({ type }) => type === 'note.updated').map(({ data }) => data.noteId)
    expect(ids.toSorted()).toEqual(series.data.map(({ data }) => data.noteId).toSorted())
  })

  test('uploads that end, files that are deleted, accounts on networks and holds', async () => {
    const { accountId, socialSetId, db } = api
    const upload = {
      id: newId(),
      accountId,
      socialSetId,
      url: 'https://example.com/a.jpg',
      name: null,
      altText: null,
      by: { id: null, name: 'Ada' },
    }
    await insertMediaUpload(db, upload)
    const failed = await made(() =>
      sql`update media_uploads set status = 'FAILED', error_code = 'timeout' where id = ${upload.id}`.execute(db),
    )
    expect(failed.types).toEqual(['media_upload.failed'])
    expect(failed.last?.data).toEqual({ mediaUploadId: upload.id, status: 'FAILED', error: 'timeout' })
    const media = await api.newMedia()
    const owner = await signInAs(api, 'owner')
    const gone = await made(() => owner.request('DELETE', `/media-library/${media}`))
    expect([gone.types, gone.last?.data]).toEqual([['media.deleted'], { mediaId: media }])
    const connected = await made(() => api.newSocialSet({ connected: ['BLUESKY'] }))
    expect(connected.types).toEqual(['connection.connected'])
    const connectionId = connected.last?.data.connectionId
    const of = sql`where id = ${connectionId}::uuid`
    const ended = await made(() => sql`update connections set status = 'RECONNECT_REQUIRED' ${of}`.execute(db))
    expect(ended.types).toEqual(['connection.reconnect_required'])
    expect((await made(() => sql`update connections set status = 'CONNECTED' ${of}`.execute(db))).types).toEqual([
      'connection.connected',
    ])
    const closed = await made(() => sql`update connections set closed_at = almanac_now() ${of}`.execute(db))
    expect(closed.types).toEqual(['connection.closed'])
    const ending = await made(() =>
      sql`insert into news (id, account_id, social_set_id, kind, subject, account_type, connection_id)
        values (${newId()}, ${accountId}, ${socialSetId}, 'CONNECTION_ENDING', 'x', 'BLUESKY', ${connectionId})`.execute(
        db,
      ),
    )
    expect(ending.types).toEqual(['connection.expires_soon'])
    const hold = await made(() => owner.request('POST', '/holds', { body: { scope: 'ACCOUNT', reason: 'A pause' } }))
    expect([hold.types, hold.last?.socialSetId]).toEqual([['account.held'], null])
    const release = await made(() =>
      owner.request('POST', `/holds/${hold.last?.data.holdId}/release`, { body: { late: 'PUBLISH' } }),
    )
    expect(release.types).toEqual(['account.released'])
    const brand = await made(() =>
      owner.request('POST', '/holds', { body: { scope: 'SOCIAL_SET', id: socialSetId, reason: 'A pause' } }),
    )
    expect([brand.types, brand.last?.socialSetId]).toEqual([['social_set.held'], socialSetId])
    await owner.request('POST', `/holds/${brand.last?.data.holdId}/release`, { body: { late: 'PUBLISH' } })
  })
})

describe('a page of events', () => {
  test('events-05: is ascending, without gaps, and goes on where nextAfter says, also when it is empty', async () => {
    const before = await newestPosition(api)
    for (let at = 0; at < 5; at++) await api.create()
    const first = await eventsBehind(api, before, '&limit=2')
    expect(first.data.map(({ position }) => position)).toEqual([before + 1, before + 2])
    const second = await eventsBehind(api, first.nextAfter, '&limit=200')
    expect(second.data.map(({ position }) => position)).toEqual([before + 3, before + 4, before + 5])
    expect(await eventsBehind(api, second.nextAfter)).toEqual({ data: [], nextAfter: before + 5 })
    // From now on.
    expect((await api.request('GET', '/v1/events')).body).toEqual({ data: [], nextAfter: before + 5 })
  })

  test('events-06: has the types and the social set that were asked for, and goes on behind all others', async () => {
    const before = await newestPosition(api)
    const elsewhere = await api.newSocialSet({ connected: ['BLUESKY'] })
    const { id } = await api.create({ status: 'SCHEDULED' })
    await api.create({ socialSetId: elsewhere })
    const typed = await eventsBehind(api, before, '&types[]=post_set.scheduled&types[]=post.failed')
    expect(typed.data.map(({ type, data }) => [type, data.postSetId])).toEqual([['post_set.scheduled', id]])
    const newest = await newestPosition(api)
    expect(typed.nextAfter).toBe(newest)
    const placed = await eventsBehind(api, before, `&socialSetId=${elsewhere}`)
    expect(placed.data.map(({ socialSetId }) => socialSetId)).toEqual([elsewhere, elsewhere])
    expect((await eventsBehind(api, before, '&types[]=media.deleted')).nextAfter).toBe(newest)
  })

  test('events-07: with wait it is held until there is an event that is wanted, or the time is over', async () => {
    const before = await newestPosition(api)
    const asking = api.request('GET', `/v1/events?after=${before}&wait=20&types[]=note.created`)
    await api.create()
    await giveAll(api)
    const note = {
      socialSetId: api.socialSetId,
      content: 'Fair',
      hexColor: '#faf785',
      scheduledAt: '2030-06-01T10:00:00Z',
    }
    await api.request('POST', '/v1/notes', { body: note })
    await giveAll(api)
    const { body } = await asking
    expect(body.data.map(({ type }: { type: string }) => type)).toEqual(['note.created'])
    const began = performance.now()
    const none = await api.request('GET', `/v1/events?after=${body.nextAfter}&wait=1`)
    expect(none.body).toEqual({ data: [], nextAfter: body.nextAfter })
    expect(performance.now() - began).toBeGreaterThan(900)
  })
})
