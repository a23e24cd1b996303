import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { accountTypes, LIMITS } from '#contract'
import { loadNetworks, optionsOf } from '#networks'
import { type Api, type Body, startApi } from '../_util/api/api.ts'

/** What a post chooses for itself in place of a publishing default of its account. */

let api: Api
beforeAll(async () => {
  api = await startApi()
})
afterAll(() => api.close())

const networks = await loadNetworks()
const LINKEDIN = { accountType: 'LINKEDIN_PERSONAL', caption: 'Bread', richCaption: ['Bread'], media: [] }
const linkedIn = (options: unknown) => ({ ...LINKEDIN, options })

const create = (posts: object[], status = 'DRAFT', socialSetId = api.socialSetId) =>
  api.request('POST', '/v1/post-sets', { body: { ...api.draft({ posts, status }), socialSetId } })

describe('which there are', () => {
  test('GET /v1/networks has those of each account type, with their schemas', async () => {
    const { data } = (await api.request('GET', '/v1/networks?size=100')).body
    for (const accountType of accountTypes) {
      const manifest = networks.serving(accountType)?.manifest
      if (!manifest) throw new Error(`No network serves ${accountType}.`)
      const { options } = data.find((each: Body) => each.accountType === accountType)
      expect(options).toEqual(
        optionsOf(manifest, accountType).map(
          ({ name, title, description, schema, titles = null, picker = null, group = 'post', ...more }) => ({
            label: `option:${accountType}:${name}`,
            group,
            order: expect.any(Number),
            name,
            title,
            description,
            schema: { ...schema },
            titles,
            picker,
            required: more.required,
            perPost: more.perPost ?? false,
            media: more.media ?? null,
          }),
        ),
      )
    }
  })

  test.each([
    [
      'TIKTOK',
      [
        ...['mode', 'coverMilliseconds', 'title', 'coverIndex', 'autoMusic', 'privacy'],
        ...['allowComments', 'allowDuet', 'allowStitch', 'brandContent', 'brandOrganic', 'aiGenerated'],
      ],
    ],
    ['YOUTUBE', ['category', 'madeForKids', 'notifySubscribers', 'firstComment']],
    ['LINKEDIN_PAGE', ['visibility', 'linkCard', 'documentTitle', 'firstComment']],
    ['LINKEDIN_PERSONAL', ['visibility', 'linkCard', 'documentTitle', 'firstComment']],
    ['PINTEREST', []],
    ['TWITTER', []],
    ['BLUESKY', ['languageCode', 'replyAudience', 'allowQuotes']],
    ['FACEBOOK', ['firstComment']],
    ['THREADS', ['firstComment']],
  ] as const)('%s has %j', (accountType, names) => {
    const manifest = networks.serving(accountType)?.manifest
    expect(manifest && optionsOf(manifest, accountType).map(({ name }) => name)).toEqual(names)
  })
})

describe('stored and answered', () => {
  test('null when unset, as sent when set, and what was read can be sent back', async () => {
    const { body } = await create([
      { accountType: 'BLUESKY', caption: 'Bread', media: [] },
      linkedIn({ visibility: 'CONNECTIONS' }),
    ])
    expect(body.posts.map(({ options }: Body) => options)).toEqual([null, { visibility: 'CONNECTIONS' }])
    const path = `/v1/post-sets/${body.id}`
    const read = (await api.request('GET', path)).body
    expect(read).toEqual(body)
    const back = await api.request('PATCH', path, { body: { posts: read.posts } })
    expect(back.status).toBe(200)
    expect(back.body).toEqual(body)
  })

  test('null values are left out, those of unknown names too', async () => {
    const { status, body } = await create([linkedIn({ visibility: null, mode: null })])
    expect(status).toBe(201)
    expect(body.posts[0].options).toBeNull()
  })

  test('a change is in the history, and leaving them out unsets them', async () => {
    const { body } = await create([linkedIn({ visibility: 'PUBLIC' })])
    const path = `/v1/post-sets/${body.id}`
    const [{ id }] = body.posts
    const changed = await api.request('PATCH', path, { body: { posts: [{ ...LINKEDIN, id }] } })
    expect(changed.body.posts[0].options).toBeNull()
    expect(changed.body.version).toBe(body.version + 1)
    const rows = await api.db.selectFrom('history').select('changes').where('post_set_id', '=', body.id).execute()
    expect(rows.map(({ changes }) => changes)).toContainEqual({
      posts: {
        changed: [
          { id, accountType: 'LINKEDIN_PERSONAL', fields: { options: { from: { visibility: 'PUBLIC' }, to: null } } },
        ],
      },
    })
  })
})

describe('refused', () => {
  test.each<[string, unknown, string]>([
    ['an unknown name', { colour: 'red' }, 'posts[0].options.colour'],
    ['the name of another network', { privacy: 'SELF_ONLY' }, 'posts[0].options.privacy'],
    ['a name of every object', { constructor: 'x' }, 'posts[0].options.constructor'],
    ['a list', ['visibility'], 'posts[0].options'],
    ['a text', 'visibility', 'posts[0].options'],
    ['a value that is an object', { visibility: { is: 'PUBLIC' } }, 'posts[0].options.visibility'],
    [
      'too many',
      Object.fromEntries(Array.from({ length: LIMITS.optionsPerPost + 1 }, (_, at) => [`name${at}`, null])),
      'posts[0].options',
    ],
  ])('%s, as a draft too, on create and update', async (_what, options, path) => {
    const { body } = await create([LINKEDIN])
    for (const answer of [
      await create([linkedIn(options)]),
      await api.request('PATCH', `/v1/post-sets/${body.id}`, { body: { posts: [linkedIn(options)] } }),
    ]) {
      expect(answer.status).toBe(400)
      expect(answer.body.errors).toMatchObject([{ code: 'request:invalid_body', path }])
    }
  })

  test('a value that the network does not take: of a scheduled set, not of a draft', async () => {
    const socialSetId = await api.newSocialSet({ connected: ['LINKEDIN_PERSONAL'] })
    const posts = [linkedIn({ visibility: 'LOGGED_IN' })]
    expect((await create(posts, 'DRAFT', socialSetId)).status).toBe(201)
    const { status, body } = await create(posts, 'SCHEDULED', socialSetId)
    expect(status).toBe(422)
    expect(body.errors).toMatchObject([
      {
        code: 'post:field_invalid',
        path: 'posts[0].options.visibility',
        accountType: 'LINKEDIN_PERSONAL',
        message: expect.stringContaining('Use one of: PUBLIC, CONNECTIONS.'),
      },
    ])
  })
})

describe('win over the default of the account', () => {
  test('what an account lacks may be chosen for the post', async () => {
    const socialSetId = await api.newSocialSet({ connected: ['LINKEDIN_PERSONAL'] })
    await api.db.updateTable('connections').set({ defaults: '{}' }).where('social_set_id', '=', socialSetId).execute()
    const refused = await create([LINKEDIN], 'SCHEDULED', socialSetId)
    expect(refused.status).toBe(422)
    expect(refused.body.errors[0].message).toContain('options.visibility')
    expect((await create([linkedIn({ visibility: 'PUBLIC' })], 'SCHEDULED', socialSetId)).status).toBe(201)
  })

  test('the rules see what the post chooses', async () => {
    const socialSetId = await api.newSocialSet({ connected: ['TIKTOK'] })
    const options = { brandContent: true, privacy: 'SELF_ONLY' }
    const body = {
      ...api.draft({ posts: [{ accountType: 'TIKTOK', caption: '', media: [], options }], status: 'SCHEDULED' }),
      socialSetId,
    }
    const { problems } = (await api.request('POST', '/v1/post-sets/validate', { body })).body
    expect(problems).toContainEqual(
      expect.objectContaining({ code: 'post:field_invalid', message: expect.stringContaining('paid partnerships') }),
    )
  })
})
