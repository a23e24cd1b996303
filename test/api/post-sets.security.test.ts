import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Scope } from '#contract'
import { newId } from '#domain'
import { openDatabase } from '#persistence'
import { type Answer, type Api, BLUESKY_POST, type Body, startApi } from '../_util/api/api.ts'
import { untilSomeoneWaits } from '../_util/run/waiting.ts'

let api: Api
beforeAll(async () => {
  api = await startApi()
})
afterAll(() => api.close())

const reported = ({ status, body }: Answer) => [status, body.code]
const NO_KEY = [401, 'auth:missing_credential']
const NO_SET = [404, 'post-set:not_found']
const NO_SOCIAL_SET = [404, 'social-set:not_found']
const NO_SCOPE = [403, 'auth:insufficient_scope']

describe('scopes', () => {
  const keyOf = (...scopes: Scope[]) => api.newKey({ scopes })

  test('post-sets-17, post-sets-35, auth-08, auth-11, auth-15, shape-02, problem-21: a key without scopes reads and does nothing else', async () => {
    const key = await keyOf()
    const { id } = await api.create()
    expect((await api.request('GET', `/v1/post-sets/${id}`, { key })).status).toBe(200)
    expect((await api.request('GET', `/v1/post-sets?socialSetId=${api.socialSetId}`, { key })).status).toBe(200)
    const created = await api.request('POST', '/v1/post-sets', { key, body: api.draft() })
    expect(reported(created)).toEqual(NO_SCOPE)
    expect(created.body.detail).toContain('post-sets:write')
    expect(reported(await api.request('PATCH', `/v1/post-sets/${id}`, { key, body: {} }))).toEqual(NO_SCOPE)
  })

  test('post-sets-17, auth-09, auth-11: publishing alone does not write', async () => {
    const key = await keyOf('post-sets:publish', 'notes:write', 'media:write')
    const body = api.draft({ status: 'SCHEDULED' })
    expect(reported(await api.request('POST', '/v1/post-sets', { key, body }))).toEqual(NO_SCOPE)
  })

  test('states-08, states-09, states-10, states-11, states-17, post-sets-18, post-sets-36, auth-12, auth-13, problem-21: a key that only writes makes drafts and never leaves a set scheduled', async () => {
    const key = await keyOf('post-sets:write')
    const { id } = await api.create({}, key)
    const patch = (target: string, body: object) => api.request('PATCH', `/v1/post-sets/${target}`, { key, body })
    const scheduling = await api.request('POST', '/v1/post-sets', { key, body: api.draft({ status: 'SCHEDULED' }) })
    expect(reported(scheduling)).toEqual(NO_SCOPE)
    expect(scheduling.body.detail).toContain('post-sets:publish')
    expect((await patch(id, { approval: 'PENDING' })).status).toBe(200)
    expect(reported(await patch(id, { status: 'SCHEDULED' }))).toEqual(NO_SCOPE)

    const scheduled = await api.create({ status: 'SCHEDULED' })
    for (const body of [{}, { approval: 'PENDING' }, { scheduledAt: '2031-01-01' }, { status: 'SCHEDULED' }]) {
      expect(reported(await patch(scheduled.id, body))).toEqual(NO_SCOPE)
    }
    expect((await patch(scheduled.id, { status: 'DRAFT', approval: 'PENDING' })).status).toBe(200)
  })
})

describe('what a key does not see is not there', () => {
  test('post-sets-16: sets, social sets and media of another account', async () => {
    const accountId = await api.newAccount()
    const socialSetId = await api.newSocialSet({ accountId })
    const key = await api.newKey({ accountId })
    const mine = await api.create()
    const theirs = await api.create({ socialSetId, posts: [BLUESKY_POST] }, key)
    expect(reported(await api.request('GET', `/v1/post-sets/${theirs.id}`))).toEqual(NO_SET)
    expect(reported(await api.request('PATCH', `/v1/post-sets/${theirs.id}`, { body: {} }))).toEqual(NO_SET)
    expect(reported(await api.request('GET', `/v1/post-sets/${mine.id}`, { key }))).toEqual(NO_SET)
    expect(reported(await api.request('GET', `/v1/post-sets?socialSetId=${socialSetId}`))).toEqual(NO_SOCIAL_SET)
    expect(reported(await api.request('POST', '/v1/post-sets', { body: api.draft({ socialSetId }) }))).toEqual(
      NO_SOCIAL_SET,
    )
  })

  test('post-sets-16, post-sets-52, auth-14, errors-10, key-01: sets and social sets outside of the restriction of a key, in bodies too', async () => {
    const other = await api.newSocialSet({ connected: ['BLUESKY'] })
    const key = await api.newKey({ socialSetIds: [api.socialSetId.toUpperCase()] })
    const inside = await api.create({}, key)
    const outside = await api.create({ socialSetId: other })
    expect((await api.request('GET', `/v1/post-sets/${inside.id}`, { key })).status).toBe(200)
    expect((await api.request('PATCH', `/v1/post-sets/${inside.id}`, { key, body: {} })).status).toBe(200)
    expect(reported(await api.request('GET', `/v1/post-sets/${outside.id}`, { key }))).toEqual(NO_SET)
    expect(reported(await api.request('PATCH', `/v1/post-sets/${outside.id}`, { key, body: {} }))).toEqual(NO_SET)
    expect(reported(await api.request('GET', `/v1/post-sets?socialSetId=${other}`, { key }))).toEqual(NO_SOCIAL_SET)
    const body = api.draft({ socialSetId: other })
    expect(reported(await api.request('POST', '/v1/post-sets', { key, body }))).toEqual(NO_SOCIAL_SET)
  })

  test('a post or media item cannot be taken from a set of somebody else', async () => {
    const mediaId = await api.newMedia()
    const other = await api.create({ posts: [{ ...BLUESKY_POST, media: [{ mediaLibraryId: mediaId }] }] })
    const { id } = await api.create()
    const [post] = other.posts
    const body = { posts: [{ ...BLUESKY_POST, id: post.id, media: [{ id: post.media[0].id }] }] }
    expect((await api.request('PATCH', `/v1/post-sets/${id}`, { body })).status).toBe(400)
    expect((await api.request('GET', `/v1/post-sets/${other.id}`)).body).toEqual(other)
  })
})

describe('the order of checks', () => {
  /** Each names a fault; a request that has several is answered as the first of them in this order. */
  const created = () => api.create()
  const read_only = async () => {
    const { id } = await created()
    await api.db.updateTable('post_sets').set({ status: 'PUBLISHED' }).where('id', '=', id).execute()
    return id
  }
  const unfit = { raw: '{"posts":', headers: {} }
  const text = { raw: 'x', headers: { 'content-type': 'text/plain' } }
  const badShape = { nonsense: 1 }
  const broken = { status: 'SCHEDULED', posts: [{ ...BLUESKY_POST, caption: 'x'.repeat(301) }] }
  const large = { raw: JSON.stringify({ filler: 'x'.repeat(1_100_000) }) }

  test('order-01: credential before scope, syntax, existence and all else', async () => {
    const path = `/v1/post-sets/${newId()}`
    for (const options of [unfit, text, large, { body: badShape }, { body: broken }]) {
      expect(reported(await api.request('PATCH', path, { ...options, key: null }))).toEqual(NO_KEY)
      expect(reported(await api.request('POST', '/v1/post-sets', { ...options, key: 'alm_x' }))).toEqual([
        401,
        'auth:invalid_credential',
      ])
    }
    expect(reported(await api.request('GET', '/v1/post-sets?page=x', { key: null }))).toEqual(NO_KEY)
  })

  test('order-03: scope before media type, size, syntax, existence, state and shape', async () => {
    const key = await api.newKey({ scopes: [] })
    for (const path of [`/v1/post-sets/${newId()}`, `/v1/post-sets/${await read_only()}`]) {
      for (const options of [unfit, text, large, { body: badShape }, { body: broken }]) {
        expect(reported(await api.request('PATCH', path, { ...options, key }))).toEqual(NO_SCOPE)
      }
    }
    expect(reported(await api.request('POST', '/v1/post-sets', { ...text, key }))).toEqual(NO_SCOPE)
  })

  test('order-04: media type, size and syntax before existence and state', async () => {
    for (const path of [`/v1/post-sets/${newId()}`, `/v1/post-sets/${await read_only()}`]) {
      expect(reported(await api.request('PATCH', path, unfit))).toEqual([400, 'request:invalid_json'])
      expect(reported(await api.request('PATCH', path, text))).toEqual([415, 'request:unsupported_media_type'])
      expect(reported(await api.request('PATCH', path, large))).toEqual([413, 'request:too_large'])
    }
  })

  test('order-05: existence before shape, the scope of publishing and rules', async () => {
    const key = await api.newKey({ scopes: ['post-sets:write'] })
    for (const body of [badShape, broken]) {
      expect(reported(await api.request('PATCH', `/v1/post-sets/${newId()}`, { key, body }))).toEqual(NO_SET)
      const elsewhere = { ...body, socialSetId: newId() }
      expect(reported(await api.request('POST', '/v1/post-sets', { key, body: elsewhere }))).toEqual(NO_SOCIAL_SET)
    }
    expect(reported(await api.request('GET', `/v1/post-sets?socialSetId=${newId()}&page=x`))).toEqual(NO_SOCIAL_SET)
  })

  test('order-06: state before shape, the scope of publishing and rules', async () => {
    const key = await api.newKey({ scopes: ['post-sets:write'] })
    const published = await read_only()
    const { id: locked } = await created()
    await api.db.updateTable('post_sets').set({ locked_at: new Date() }).where('id', '=', locked).execute()
    for (const body of [badShape, broken]) {
      const options = { key, body }
      expect(reported(await api.request('PATCH', `/v1/post-sets/${published}`, options))).toEqual([
        412,
        'post-set:read_only',
      ])
      expect(reported(await api.request('PATCH', `/v1/post-sets/${locked}`, options))).toEqual([412, 'post-set:locked'])
    }
  })

  test('published before locked', async () => {
    const id = await read_only()
    await api.db.updateTable('post_sets').set({ locked_at: new Date() }).where('id', '=', id).execute()
    const body = { status: 'DRAFT' }
    expect(reported(await api.request('PATCH', `/v1/post-sets/${id}`, { body }))).toEqual([412, 'post-set:read_only'])
  })

  test('order-07: shape before the scope of publishing and rules', async () => {
    const key = await api.newKey({ scopes: ['post-sets:write'] })
    const { id } = await created()
    const body = { ...broken, ...badShape }
    expect(reported(await api.request('PATCH', `/v1/post-sets/${id}`, { key, body }))).toEqual([
      400,
      'request:invalid_body',
    ])
    expect(reported(await api.request('POST', '/v1/post-sets', { key, body: api.draft(body) }))).toEqual([
      400,
      'request:invalid_body',
    ])
  })

  test('order-09: the scope of publishing before rules', async () => {
    const key = await api.newKey({ scopes: ['post-sets:write'] })
    const { id } = await created()
    expect(reported(await api.request('PATCH', `/v1/post-sets/${id}`, { key, body: broken }))).toEqual(NO_SCOPE)
    expect(reported(await api.request('POST', '/v1/post-sets', { key, body: api.draft(broken) }))).toEqual(NO_SCOPE)
  })
})

describe('at the same time', () => {
  test('changes of one set come one after the other, and none is lost', async () => {
    const created = await api.create({ posts: Array.from({ length: 11 }, () => BLUESKY_POST) })
    const change = async (caption: string) => {
      const posts = [
        { ...BLUESKY_POST, id: created.posts[0].id, caption },
        { ...BLUESKY_POST, caption },
      ]
      return api.request('PATCH', `/v1/post-sets/${created.id}`, { body: { posts } })
    }
    const answers = await Promise.all(Array.from({ length: 8 }, (_, index) => change(`writer ${index}`)))
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
    for (const { body } of answers) {
      const captions = body.posts.map(({ caption }: Body) => caption)
      expect(captions).toEqual([captions[0], captions[0]])
    }
    const { version, content_version } = await api.db
      .selectFrom('post_sets')
      .select(['version', 'content_version'])
      .where('id', '=', created.id)
      .executeTakeFirstOrThrow()
    expect([version, content_version]).toEqual([9, 9])
    expect(await api.history(created.id)).toHaveLength(9)
    const posts = await api.db.selectFrom('posts').select('id').where('post_set_id', '=', created.id).execute()
    expect(posts).toHaveLength(2)
  })

  test('states-14, order-11: a set that is claimed while a change waits for it is not changed', async () => {
    const { id, posts } = await api.create({ status: 'SCHEDULED' })
    const publisher = openDatabase(api.databaseUrl, { poolSize: 1 })
    let change: Promise<Answer> | undefined
    await publisher.transaction().execute(async (trx) => {
      await trx.selectFrom('post_sets').select('id').where('id', '=', id).forUpdate().execute()
      const body = { posts: [{ ...posts[0], caption: 'too late' }] }
      change = api.request('PATCH', `/v1/post-sets/${id}`, { body })
      await untilSomeoneWaits(api.db)
      await trx.updateTable('post_sets').set({ status: 'PUBLISHING' }).where('id', '=', id).execute()
    })
    expect(reported((await change) as Answer)).toEqual([412, 'post-set:read_only'])
    expect((await api.request('GET', `/v1/post-sets/${id}`)).body.posts[0].caption).toBe('hello')
    await publisher.destroy()
  })

  test('a change that waits for another one sees the posts that it left', async () => {
    const { id } = await api.create()
    const other = openDatabase(api.databaseUrl, { poolSize: 1 })
    let change: Promise<Answer> | undefined
    await other.transaction().execute(async (trx) => {
      await trx.selectFrom('post_sets').select('id').where('id', '=', id).forUpdate().execute()
      change = api.request('PATCH', `/v1/post-sets/${id}`, { body: { approval: 'PENDING' } })
      await untilSomeoneWaits(api.db)
      await trx.updateTable('posts').set({ caption: 'changed' }).where('post_set_id', '=', id).execute()
      await trx.updateTable('post_sets').set({ approval: 'DENIED' }).where('id', '=', id).execute()
    })
    const { body } = (await change) as Answer
    expect(body).toMatchObject({ approval: 'PENDING', posts: [{ caption: 'changed' }] })
    expect((await api.history(id)).at(-1)?.changes).toEqual({ approval: { from: 'DENIED', to: 'PENDING' } })
    await other.destroy()
  })
})
