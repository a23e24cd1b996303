import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Api, BLUESKY_POST, type Body, INSTAGRAM_POST, startApi } from '../_util/api/api.ts'
import { signInAs } from '../_util/api/members.ts'
import { anyRate } from '../_util/browser/dashboard-api.ts'

let api: Api
beforeAll(async () => {
  api = await startApi({ rate: anyRate })
})
afterAll(() => api.close())

const bulk = (body: object, headers: Record<string, string> = {}) =>
  api.request('POST', '/v1/post-sets/bulk', { body, headers })
const statuses = ({ body }: { body: Body }) => body.data.map(({ status }: Body) => status)
const captioned = (caption: string, more: object = {}) => api.draft({ posts: [{ ...BLUESKY_POST, caption }], ...more })
const count = async () =>
  Number(
    (
      await api.db
        .selectFrom('post_sets')
        .select(({ fn }) => fn.countAll().as('n'))
        .executeTakeFirst()
    )?.n,
  )

describe('many post sets by one request', () => {
  test('are all created, in their order, and each is as if it had been alone', async () => {
    const mediaId = await api.newMedia()
    const postSets = [
      captioned('One', { externalId: 'one' }),
      captioned('Two', { repeat: { interval: 'DAY', occurrences: 3 } }),
      api.draft({ posts: [{ ...INSTAGRAM_POST, media: [{ mediaLibraryId: mediaId }] }], status: 'SCHEDULED' }),
    ]
    const before = await count()
    const answer = await bulk({ postSets })
    expect(answer.status).toBe(200)
    expect(answer.body.data).toMatchObject([
      { index: 0, status: 'CREATED', postSet: { externalId: 'one', posts: [{ caption: 'One' }] } },
      { index: 1, status: 'CREATED', postSet: { seriesId: expect.any(String) } },
      { index: 2, status: 'CREATED', postSet: { status: 'SCHEDULED' } },
    ])
    expect(await count()).toBe(before + 5)
    for (const { postSet } of answer.body.data) {
      expect((await api.request('GET', `/v1/post-sets/${postSet.id}`)).body).toEqual(postSet)
      expect(await api.history(postSet.id)).toMatchObject([{ action: 'created' }])
    }
  })

  test('EACH creates those that can be, and says of the others why not', async () => {
    const answer = await bulk({
      mode: 'EACH',
      postSets: [captioned('Good'), captioned('x'.repeat(301), { status: 'SCHEDULED' }), 'nonsense', captioned('Too')],
    })
    expect(statuses(answer)).toEqual(['CREATED', 'REFUSED', 'REFUSED', 'CREATED'])
    const [, long, nonsense] = answer.body.data
    expect(long).toMatchObject({
      index: 1,
      problem: {
        ...{ code: 'post-set:invalid_posts', status: 422 },
        errors: [{ path: 'postSets[1].posts[0].caption', pointer: '#/postSets/1/posts/0/caption', limit: 300 }],
      },
    })
    expect(nonsense.problem).toMatchObject({ code: 'request:invalid_body', status: 400 })
    expect(nonsense.problem.errors[0].path).toMatch(/^postSets\[2\]/)
  })

  test('are made by members as well', async () => {
    const person = await signInAs(api, 'editor')
    const { status, body } = await person.request('POST', '/post-sets/bulk', {
      body: { postSets: [captioned('Ours')] },
    })
    expect([status, body.data[0].status]).toEqual([200, 'CREATED'])
  })
})

describe('sets whose externalId is there already', () => {
  test('stay as they are, or become what is sent', async () => {
    const named = (caption: string, more: object = {}) => captioned(caption, { externalId: 'named', ...more })
    const [{ postSet: first }] = (await bulk({ postSets: [named('First')] })).body.data
    const again = await bulk({ postSets: [named('Second')] })
    expect(again.body.data).toEqual([{ index: 0, status: 'UNCHANGED', postSet: first }])
    const same = await bulk({ postSets: [named('First')], onConflict: 'UPDATE' })
    expect(same.body.data).toEqual([{ index: 0, status: 'UNCHANGED', postSet: first }])
    await api.request('PATCH', `/v1/post-sets/${first.id}`, { body: { approval: 'APPROVED' } })
    const changed = await bulk({ postSets: [named('Second')], onConflict: 'UPDATE', mode: 'EACH' })
    expect(changed.body.data).toMatchObject([
      {
        status: 'UPDATED',
        // Whoever sends a text says nothing of its approval.
        postSet: { id: first.id, approval: 'APPROVED', posts: [{ id: first.posts[0].id, caption: 'Second' }] },
      },
    ])
  })

  test('keep files and further parts that are sent again', async () => {
    const mediaId = await api.newMedia()
    const media = [{ mediaLibraryId: mediaId, altText: 'A loaf' }]
    const thread = [
      { caption: 'Two', media },
      { caption: 'Three', media: [] },
    ]
    const sent = api.draft({ externalId: 'parts', posts: [{ ...BLUESKY_POST, media, thread }] })
    const [{ postSet }] = (await bulk({ postSets: [sent] })).body.data
    const again = await bulk({ postSets: [sent], onConflict: 'UPDATE' })
    expect(again.body.data).toEqual([{ index: 0, status: 'UNCHANGED', postSet }])
  })

  test('that are published already stay', async () => {
    const { id } = await api.create({ externalId: 'published' })
    await api.db.updateTable('post_sets').set({ status: 'PUBLISHED' }).where('id', '=', id).execute()
    const answer = await bulk({ postSets: [captioned('New', { externalId: 'published' })], onConflict: 'UPDATE' })
    expect(answer.body.data).toMatchObject([{ status: 'UNCHANGED', postSet: { id, status: 'PUBLISHED' } }])
  })

  test('are made once, however many ask at the same time', async () => {
    const postSets = Array.from({ length: 5 }, (_, number) => captioned('Raced', { externalId: `raced ${number}` }))
    const answers = await Promise.all(Array.from({ length: 4 }, () => bulk({ postSets, mode: 'EACH' })))
    const ids = new Set(answers.flatMap(({ body }) => body.data.map(({ postSet }: Body) => postSet.id)))
    expect(ids.size).toBe(5)
    expect(answers.flatMap(statuses).filter((status) => status === 'CREATED').length).toBe(5)
  })
})

describe('with an Idempotency-Key', () => {
  test('ATOMIC answers the first answer again', async () => {
    const body = { postSets: [captioned('Once'), captioned('Only')] }
    const first = await bulk(body, { 'idempotency-key': 'atomic' })
    const before = await count()
    const again = await bulk(body, { 'idempotency-key': 'atomic' })
    expect([again.body, again.headers.get('idempotency-replayed')]).toEqual([first.body, 'true'])
    expect(await count()).toBe(before)
  })

  test('EACH makes what is missing, and answers again what was made', async () => {
    const headers = { 'idempotency-key': 'each' }
    const body = { mode: 'EACH', postSets: [captioned('A'), captioned('B'), captioned('C')] }
    const first = await bulk(body, headers)
    expect(statuses(first)).toEqual(['CREATED', 'CREATED', 'CREATED'])
    // As if the process had died before the last one.
    const last = first.body.data[2].postSet.id
    await api.request('DELETE', `/v1/post-sets/${last}`)
    await api.db.deleteFrom('idempotency_keys').where('key', '=', 'each\n2').execute()
    const before = await count()
    const again = await bulk(body, headers)
    expect(again.body.data.slice(0, 2)).toEqual(first.body.data.slice(0, 2))
    expect(again.body.data[2].postSet.id).not.toBe(last)
    expect(await count()).toBe(before + 1)
    expect((await bulk(body, headers)).body).toEqual(again.body)
    expect(await count()).toBe(before + 1)
  })

  test('another body is refused before anything of it is done', async () => {
    const headers = { 'idempotency-key': 'other body' }
    await bulk({ mode: 'EACH', postSets: [captioned('A')] }, headers)
    const before = await count()
    for (const body of [
      { mode: 'EACH', postSets: [captioned('A'), captioned('B')] },
      { mode: 'ATOMIC', postSets: [captioned('A')] },
    ])
      expect((await bulk(body, headers)).body.code).toBe('request:idempotency_key_reused')
    expect((await api.request('POST', '/v1/post-sets', { body: captioned('A'), headers })).status).toBe(422)
    expect(await count()).toBe(before)
  })

  test('a key that was narrowed since does not get what it may not see', async () => {
    const [here, there] = [await api.newSocialSet(), await api.newSocialSet()]
    const key = await api.newKey({ socialSetIds: [here, there] })
    const { id } = await api.db
      .selectFrom('api_keys')
      .select('id')
      .orderBy('created_at', 'desc')
      .executeTakeFirstOrThrow()
    const sees = (social_set_ids: string[]) =>
      api.db.updateTable('api_keys').set({ social_set_ids }).where('id', '=', id).execute()
    const postSets = [captioned('Here', { socialSetId: here }), captioned('There', { socialSetId: there })]
    const ask = (mode: string) => {
      const headers = { 'idempotency-key': `narrowed ${mode}` }
      return api.request('POST', '/v1/post-sets/bulk', { key, body: { mode, postSets }, headers })
    }
    for (const mode of ['ATOMIC', 'EACH']) expect((await ask(mode)).status).toBe(200)
    await sees([here])
    expect((await ask('ATOMIC')).body.code).toBe('social-set:not_found')
    expect((await ask('EACH')).body.data).toMatchObject([
      { status: 'CREATED' },
      { status: 'REFUSED', problem: { code: 'social-set:not_found' } },
    ])
  })
})
