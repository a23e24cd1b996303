import { sql } from 'kysely'
import { afterAll, beforeAll } from 'vitest'
import { type Api, BLUESKY_POST, INSTAGRAM_POST, startApi } from '../_util/api/api.ts'
import { ABSENT, type BadInput, INVALID, QUERY, refusesAll } from '../_util/api/bad-input.ts'

let api: Api
/** Things of the account, of another one, and of a brand that the restricted key does not see. */
const ids = {} as Record<
  | 'draft'
  | 'post'
  | 'media'
  | 'item'
  | 'published'
  | 'publishing'
  | 'locked'
  | 'series'
  | 'foreignSet'
  | 'foreignSocialSet'
  | 'foreignItem'
  | 'otherBrand'
  | 'otherBrandItem',
  string
>
const keys = { reads: '', drafts: '', restricted: '' }

beforeAll(async () => {
  api = await startApi()
  ids.item = await api.newMedia()
  const draft = await api.create({ posts: [{ ...BLUESKY_POST, media: [{ mediaLibraryId: ids.item }] }] })
  ids.draft = draft.id
  ids.post = draft.posts[0]?.id ?? ''
  ids.media = draft.posts[0]?.media[0]?.id ?? ''
  ids.published = await inStatus('PUBLISHED')
  ids.publishing = await inStatus('PUBLISHING')
  ids.locked = (await api.create()).id
  await sql`update post_sets set locked_at = now(), locked_by = 'me' where id = ${ids.locked}`.execute(api.db)
  ids.series = (await api.create({ repeat: { interval: 'DAY', occurrences: 2 } })).id
  const accountId = await api.newAccount()
  ids.foreignSocialSet = await api.newSocialSet({ accountId })
  ids.foreignItem = await api.newMedia({ accountId, socialSetId: ids.foreignSocialSet })
  const foreign = await api.create({ socialSetId: ids.foreignSocialSet }, await api.newKey({ accountId }))
  ids.foreignSet = foreign.id
  ids.otherBrand = await api.newSocialSet()
  ids.otherBrandItem = await api.newMedia({ socialSetId: ids.otherBrand })
  keys.reads = await api.newKey({ scopes: [] })
  keys.drafts = await api.newKey({ scopes: ['post-sets:write'] })
  keys.restricted = await api.newKey({ socialSetIds: [ids.otherBrand] })
})
afterAll(() => api.close())

async function inStatus(status: string): Promise<string> {
  const { id } = await api.create()
  await sql`update post_sets set status = ${status} where id = ${id}`.execute(api.db)
  return id
}

const create = (what: string, expected: [number, string], more: () => object, key?: () => string): BadInput => [
  what,
  expected,
  'POST',
  () => '/v1/post-sets',
  () => ({ body: api.draft(more()), ...(key ? { key: key() } : {}) }),
]
const change = (
  what: string,
  expected: [number, string],
  id: () => string,
  body: () => unknown,
  more = {},
): BadInput => [what, expected, 'PATCH', () => `/v1/post-sets/${id()}`, () => ({ body: body(), ...more })]
const list = (what: string, query: () => string, expected = QUERY): BadInput => [
  what,
  expected,
  'GET',
  () => `/v1/post-sets?socialSetId=${api.socialSetId}&${query()}`,
]
const CASES: Record<string, BadInput[]> = {
  credentials: [
    ['none', [401, 'auth:missing_credential'], 'POST', () => '/v1/post-sets', () => ({ key: null, body: api.draft() })],
    [
      'unknown',
      [401, 'auth:invalid_credential'],
      'POST',
      () => '/v1/post-sets',
      () => ({ key: 'alm_x', body: api.draft() }),
    ],
    create(
      'without the scope of writing',
      [403, 'auth:insufficient_scope'],
      () => ({}),
      () => keys.reads,
    ),
    create(
      'without the scope of publishing',
      [403, 'auth:insufficient_scope'],
      () => ({ status: 'SCHEDULED' }),
      () => keys.drafts,
    ),
  ],
  bodies: [
    ['no JSON', [400, 'request:invalid_json'], 'POST', () => '/v1/post-sets', () => ({ raw: '{' })],
    [
      'of another type',
      [415, 'request:unsupported_media_type'],
      'POST',
      () => '/v1/notes',
      () => ({ raw: 'a=b', headers: { 'content-type': 'application/x-www-form-urlencoded' } }),
    ],
    ['too large', [413, 'request:too_large'], 'POST', () => '/v1/post-sets', () => ({ raw: ' '.repeat(1_100_000) })],
    [
      'an answer that we cannot give',
      [406, 'request:not_acceptable'],
      'POST',
      () => '/v1/post-sets',
      () => ({ body: api.draft(), headers: { accept: 'text/html' } }),
    ],
    [
      'a route that there is not',
      [404, 'route:not_found'],
      'POST',
      () => '/v1/postsets',
      () => ({ body: api.draft() }),
    ],
    [
      'a method that the route does not take',
      [405, 'request:method_not_allowed'],
      'PUT',
      () => '/v1/notes',
      () => ({ body: {} }),
    ],
  ],
  'new post sets': [
    create('an unknown field', INVALID, () => ({ extra: 1 })),
    create('no posts', INVALID, () => ({ posts: [] })),
    create('twelve posts', INVALID, () => ({ posts: Array(12).fill(BLUESKY_POST) })),
    create('an impossible date', INVALID, () => ({ scheduledAt: '2030-02-30' })),
    create('a year before 2000', INVALID, () => ({ scheduledAt: '1999-12-31T23:59:59Z' })),
    create('a year after 2100', INVALID, () => ({ scheduledAt: '2101-01-01T00:00:00Z' })),
    create('a series that ends after 2100', INVALID, () => ({
      scheduledAt: '2100-12-31T00:00:00Z',
      repeat: { interval: 'DAY', occurrences: 2 },
    })),
    create('fifty-one occurrences', INVALID, () => ({ repeat: { interval: 'DAY', occurrences: 51 } })),
    create('a status of the publisher', INVALID, () => ({ status: 'PUBLISHED' })),
    create('an unknown approval', INVALID, () => ({ approval: 'YES' })),
    create('a field of another account type', INVALID, () => ({ posts: [{ ...BLUESKY_POST, privacy: 'PUBLIC' }] })),
    create('a required field that is absent', INVALID, () => ({
      posts: [{ accountType: 'YOUTUBE', caption: '', media: [], title: '' }],
    })),
    create('a tag outside of its picture', INVALID, () => ({
      posts: [{ ...BLUESKY_POST, media: [{ mediaLibraryId: ids.item, tags: [{ x: 1.1, y: 0, text: 'a' }] }] }],
    })),
    create('the NUL character', INVALID, () => ({ posts: [{ ...BLUESKY_POST, caption: 'a\0b' }] })),
    create('the id of a post', [400, 'post-set:unknown_reference'], () => ({
      posts: [{ ...BLUESKY_POST, id: ids.post }],
    })),
    create('the id of a media item', [400, 'post-set:unknown_reference'], () => ({
      posts: [{ ...BLUESKY_POST, media: [{ id: ids.media }] }],
    })),
    create('a social set that is absent', [404, 'social-set:not_found'], () => ({ socialSetId: ABSENT })),
    create('a social set that is no id', [404, 'social-set:not_found'], () => ({ socialSetId: 'mine' })),
    create("another account's social set", [404, 'social-set:not_found'], () => ({
      socialSetId: ids.foreignSocialSet,
    })),
    create(
      'a social set outside of the key',
      [404, 'social-set:not_found'],
      () => ({}),
      () => keys.restricted,
    ),
    create('a media item that is absent', [422, 'post-set:invalid_posts'], () => ({
      posts: [{ ...BLUESKY_POST, media: [{ mediaLibraryId: ABSENT }] }],
    })),
    create("another account's media item", [422, 'post-set:invalid_posts'], () => ({
      posts: [{ ...BLUESKY_POST, media: [{ mediaLibraryId: ids.foreignItem }] }],
    })),
    create("another social set's media item", [422, 'post-set:invalid_posts'], () => ({
      posts: [{ ...BLUESKY_POST, media: [{ mediaLibraryId: ids.otherBrandItem }] }],
    })),
    create('posts that break the rules', [422, 'post-set:invalid_posts'], () => ({
      status: 'SCHEDULED',
      posts: [{ ...BLUESKY_POST, caption: '' }, INSTAGRAM_POST],
    })),
  ],
  'changes of post sets': [
    change(
      'that is absent',
      [404, 'post-set:not_found'],
      () => ABSENT,
      () => ({}),
    ),
    change(
      'that is no id',
      [404, 'post-set:not_found'],
      () => '42',
      () => ({}),
    ),
    change(
      "that is another account's",
      [404, 'post-set:not_found'],
      () => ids.foreignSet,
      () => ({}),
    ),
    change(
      'that is published',
      [412, 'post-set:read_only'],
      () => ids.published,
      () => 'anything',
    ),
    change(
      'that is publishing',
      [412, 'post-set:read_only'],
      () => ids.publishing,
      () => ({ status: 'DRAFT' }),
    ),
    change(
      'that is locked',
      [412, 'post-set:locked'],
      () => ids.locked,
      () => ({ approval: 'PENDING' }),
    ),
    change(
      'that has changed meanwhile',
      [412, 'post-set:version_conflict'],
      () => ids.draft,
      () => ({ approval: 'PENDING' }),
      { headers: { 'if-match': '"99"' } },
    ),
    change(
      'with a field that cannot change',
      INVALID,
      () => ids.draft,
      () => ({ isLocked: true }),
    ),
    change(
      'with a label',
      INVALID,
      () => ids.draft,
      () => ({ labelsId: [ABSENT] }),
    ),
    change(
      'with another repeat rule',
      [400, 'post-set:repeat_not_updatable'],
      () => ids.series,
      () => ({ repeat: { interval: 'DAY', occurrences: 3 } }),
    ),
    change(
      'that names a post twice',
      [400, 'post-set:duplicate_references'],
      () => ids.draft,
      () => ({
        posts: [
          { ...BLUESKY_POST, id: ids.post },
          { ...BLUESKY_POST, id: ids.post },
        ],
      }),
    ),
    change(
      'that names a post of no set',
      [400, 'post-set:unknown_reference'],
      () => ids.draft,
      () => ({ posts: [{ ...BLUESKY_POST, id: ABSENT }] }),
    ),
    change(
      'that makes a post another one',
      [400, 'post-set:account_type_not_updatable'],
      () => ids.draft,
      () => ({ posts: [{ accountType: 'THREADS', caption: '', media: [], id: ids.post }] }),
    ),
    change(
      'that gives an item other media',
      INVALID,
      () => ids.draft,
      () => ({ posts: [{ ...BLUESKY_POST, media: [{ id: ids.media, mediaLibraryId: ABSENT }] }] }),
    ),
    change(
      'that schedules what breaks the rules',
      [422, 'post-set:invalid_posts'],
      () => ids.draft,
      () => ({ status: 'SCHEDULED', posts: [{ ...BLUESKY_POST, caption: 'x'.repeat(301) }] }),
    ),
    ['deletion of what is published', [412, 'post-set:read_only'], 'DELETE', () => `/v1/post-sets/${ids.published}`],
    ['deletion of what is absent', [404, 'post-set:not_found'], 'DELETE', () => `/v1/post-sets/${ABSENT}`],
  ],
  lists: [
    list('an unknown parameter', () => 'color=red'),
    list('a page that is none', () => 'page=0'),
    list('a size beyond the limit', () => 'size=101'),
    list('a reach beyond the limit', () => 'page=101&size=100'),
    list('an unknown status', () => 'filters[status][]=GONE'),
    list('an unknown network', () => 'filters[socialNetworks][]=LINKEDIN_PAGE'),
    list('a search that is too short', () => 'filters[search]=ab'),
    list('a reversed range', () => 'filters[startDate]=2030-01-02&filters[endDate]=2030-01-01'),
    list('an impossible date', () => 'filters[startDate]=2030-13-01'),
    list('a sort that is none', () => 'sort[scheduledAt]=UP'),
    list('a broken escape', () => 'filters[search]=%zz'),
    ['no social set', QUERY, 'GET', () => '/v1/post-sets'],
    [
      'a social set that is absent',
      [404, 'social-set:not_found'],
      'GET',
      () => `/v1/media-library?socialSetId=${ABSENT}`,
    ],
    ['an item that is absent', [404, 'media-library:not_found'], 'GET', () => `/v1/media-library/${ABSENT}`],
  ],
}

refusesAll(() => api, CASES)
