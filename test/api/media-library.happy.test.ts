import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { MediaFacts } from '#contract'
import { newId, searchable } from '#domain'
import {
  emptyDeletedMedia,
  type MediaFilters,
  mediaPageQuery,
  purgeRemoved,
  unnamedFiles,
  writeMediaSearchTexts,
} from '#persistence'
import { type Api, BLUESKY_POST, type Body, startApi } from '../_util/api/api.ts'
import { type Person, signInAs } from '../_util/api/members.ts'
import { actionsOf, anyRate, done, publishAs } from '../_util/browser/dashboard-api.ts'
import { explaining } from '../_util/database/explain.ts'

let api: Api
let author: Person
let owner: Person
let socialSetId: string
beforeAll(async () => {
  api = await startApi({ rate: anyRate })
  author = await signInAs(api, 'author')
  owner = await signInAs(api, 'owner')
})
beforeEach(async () => {
  socialSetId = await api.newSocialSet({ connected: ['BLUESKY'] })
})
afterAll(() => api.close())

async function file(name: string, more: { altText?: string; facts?: Partial<MediaFacts> } = {}): Promise<string> {
  const id = await api.newMedia({ socialSetId, ...(more.facts ? { facts: more.facts } : {}) })
  await done(author.request('PATCH', `/media-library/${id}`, { body: { name, altText: more.altText ?? null } }))
  return id
}
const withFile = (mediaLibraryId: string) => ({ ...BLUESKY_POST, media: [{ mediaLibraryId }] })
const postWith = (id: string, more: object = {}) => api.create({ socialSetId, posts: [withFile(id)], ...more })
const browse = (query: Record<string, string> = {}): Promise<Body> =>
  done(author.request('GET', `/media-library/browse?${new URLSearchParams({ socialSetId, ...query })}`))
const named = async (query: Record<string, string> = {}) => (await browse(query)).data.map(({ name }: Body) => name)
const remove = (id: string) => author.request('DELETE', `/media-library/${id}`)
const restore = (id: string) => author.request('POST', `/media-library/${id}/restore`)
const uses = (id: string): Promise<Body> => done(author.request('GET', `/media-library/${id}/uses`))
const VIDEO = { type: 'VIDEO', mimeType: 'video/mp4', width: 1080, height: 1920, durationMs: 12_000 } as const

describe('the list', () => {
  test('shows what the API says of a file, and how many posts have it', async () => {
    const id = await file('Loaf.jpg', { altText: 'A loaf' })
    const { body: item } = await api.request('GET', `/v1/media-library/${id}`)
    expect(await browse()).toEqual({
      data: [{ ...item, usedIn: 0, labelsId: [], deletedAt: null, unfit: [], fills: [] }],
      total: 1,
      totalIsExact: true,
      next: null,
    })
    const twice = [withFile(id), { ...withFile(id), accountType: 'THREADS' }]
    const made = await api.create({ socialSetId, posts: twice })
    await postWith(id)
    expect((await browse()).data[0].usedIn).toBe(2)
    await actionsOf(author).remove(made.id)
    expect((await browse()).data[0].usedIn).toBe(1)
  })

  test('search finds parts of names and alternative texts, in capitals or not', async () => {
    await file('Brot 50%_neu.jpg', { altText: 'Zwei Laibe auf Größe XL' })
    await file('Café.jpg')
    expect(await named({ search: 'brot' })).toEqual(['Brot 50%_neu.jpg'])
    expect(await named({ search: 'GRÖSSE' })).toEqual(['Brot 50%_neu.jpg'])
    expect(await named({ search: '%' })).toEqual(['Brot 50%_neu.jpg'])
    expect(await named({ search: 'cafe\u0301' })).toEqual(['Café.jpg'])
    // The end of the name and the beginning of the text are not one word.
    expect(await named({ search: 'jpgzwei' })).toEqual([])
    expect(await named({ search: 'hefe' })).toEqual([])
    expect(await named({ search: '  ' })).toHaveLength(2)
  })

  test('filters by kind, shape, use, alternative text and month', async () => {
    const square = await file('square', { altText: 'A square' })
    await file('portrait', { facts: { width: 1080, height: 1350 } })
    await file('reel', { facts: VIDEO })
    await file('wide', { facts: { width: 1920, height: 1080 } })
    await postWith(square)
    expect(await named({ type: 'VIDEO' })).toEqual(['reel'])
    expect(await named({ type: 'IMAGE' })).toEqual(['wide', 'portrait', 'square'])
    expect(await named({ shape: 'SQUARE' })).toEqual(['square'])
    expect(await named({ shape: 'PORTRAIT' })).toEqual(['portrait'])
    expect(await named({ shape: 'VERTICAL' })).toEqual(['reel'])
    expect(await named({ shape: 'LANDSCAPE' })).toEqual(['wide'])
    expect(await named({ shown: 'USED' })).toEqual(['square'])
    expect(await named({ shown: 'UNUSED', type: 'IMAGE' })).toEqual(['wide', 'portrait'])
    expect(await named({ shown: 'NO_ALT_TEXT' })).toEqual(['wide', 'portrait'])
    // By the clocks of the social set: Berlin is an hour ahead.
    const at = (name: string, time: string) =>
      sql`update media_items set created_at = ${time} where social_set_id = ${socialSetId} and name = ${name}`.execute(
        api.db,
      )
    await api.setClock('2030-03-15T10:00:00Z')
    try {
      await at('square', '2030-02-28T22:59:59Z')
      await at('wide', '2030-02-28T23:00:00Z')
      expect(await named({ month: 'THIS', type: 'IMAGE' })).toEqual(['wide'])
      expect(await named({ month: 'LAST', type: 'IMAGE' })).toEqual(['square'])
      expect((await browse({ month: 'THIS', type: 'IMAGE', size: '1' })).total).toBe(1)
    } finally {
      await api.setClock(null)
    }
  })

  test('pages go on behind the last file, in every order', async () => {
    // Two of one size, one name in two spellings, and times that are equal.
    for (const [name, bytes] of [
      ['b', 3],
      ['A', 1],
      ['a', 3],
      ['c', 2],
      ['B', 9],
    ] as const) {
      await file(name, { facts: { bytes } })
    }
    await sql`update media_items set created_at = '2030-01-01Z' where social_set_id = ${socialSetId}
      and name in ('A', 'a', 'c')`.execute(api.db)
    for (const sort of ['NEWEST', 'OLDEST', 'NAME', 'LARGEST']) {
      const all = await named({ sort })
      const found: string[] = []
      for (let cursor: string | null = ''; cursor !== null; ) {
        const page: Body = await browse({ sort, size: '2', ...(cursor === '' ? {} : { cursor }) })
        expect(page.total).toBe(cursor === '' ? 5 : null)
        found.push(...page.data.map(({ name }: Body) => name))
        cursor = page.next
      }
      expect(found, sort).toEqual(all)
      expect(new Set(found).size).toBe(5)
    }
    expect(await named({ sort: 'LARGEST' })).toEqual(['B', 'a', 'b', 'c', 'A'])
    expect((await named({ sort: 'NAME' })).map((name: string) => name.toLowerCase())).toEqual(['a', 'a', 'b', 'b', 'c'])
  })

  test('says which networks take a file in no kind of post, and why', async () => {
    await file('square')
    await file('reel', { facts: { ...VIDEO, videoCodec: 'avc', audioCodec: 'aac', frameRate: 30 } })
    await file('tiny', { facts: { width: 90, height: 90 } })
    const query = new URLSearchParams({ socialSetId, sort: 'OLDEST' })
    for (const type of ['INSTAGRAM', 'YOUTUBE', 'GMB', 'BLUESKY']) query.append('accountTypes[]', type)
    const { data } = await done(author.request('GET', `/media-library/browse?${query}`))
    const found = data.map(({ unfit }: Body) => unfit.map(({ accountType, code }: Body) => [accountType, code]))
    expect(found).toEqual([
      [['YOUTUBE', 'post:media_required']],
      [['GMB', 'post:media_type']],
      [
        ['YOUTUBE', 'post:media_required'],
        ['GMB', 'post:media_dimensions'],
      ],
    ])
    expect(data[1].unfit[0].message).toContain('this is a video')
  })

  test('takes as many queries for a hundred files as for one', async () => {
    const count = async () => {
      const before = api.queries()
      await browse({ size: '100' })
      return api.queries() - before
    }
    await postWith(await file('one'))
    const one = await count()
    for (let index = 0; index < 20; index++) await postWith(await api.newMedia({ socialSetId }))
    expect(await count()).toBe(one)
  })
})

describe('a library of ten thousand', () => {
  const FILES = 10_000
  let library: string
  beforeAll(async () => {
    library = await api.newSocialSet()
    await sql`
      insert into media_items (id, account_id, social_set_id, name, facts, bytes, sha256, storage_key, source, search_text,
        created_at)
      select gen_random_uuid(), ${api.accountId}, ${library}, 'number ' || n,
        jsonb_build_object('type', case when n % 10 = 0 then 'VIDEO' else 'IMAGE' end, 'mimeType', 'image/jpeg', 'bytes', n,
          'width', 1000, 'height', 1000 + n % 900, 'durationMs', null),
        n, '', gen_random_uuid()::text, 'UPLOAD', replace('number ' || n, ' ', ${searchable(' ')}),
        '2030-01-01Z'::timestamptz + n * interval '1 minute'
      from generate_series(1, ${FILES}::int) n`.execute(api.db)
    // Every second file is in a post.
    await sql`
      with sets as (
        insert into post_sets (id, account_id, social_set_id, scheduled_at, status, approval)
        select id, account_id, social_set_id, '2030-01-01Z', 'DRAFT', 'NONE' from media_items
        where social_set_id = ${library} and bytes % 2 = 0
        returning id, social_set_id
      ), written as (
        insert into posts (id, post_set_id, social_set_id, position, account_type, caption, fields)
        select id, id, social_set_id, 0, 'BLUESKY', '', '{}' from sets
      )
      select from sets`.execute(api.db)
    await sql`
      insert into post_media (id, post_id, media_id, position)
      select id, id, id, 0 from posts where social_set_id = ${library}`.execute(api.db)
    await sql`analyze media_items, post_media, posts, all_post_sets`.execute(api.db)
  })

  const NO_FILTERS: MediaFilters = {
    search: null,
    type: null,
    used: null,
    shape: null,
    month: null,
    label: null,
    withoutAltText: false,
    deleted: false,
  }

  test('has a first page at once, with every filter', async () => {
    const timed = async (query: Record<string, string>) => {
      const from = performance.now()
      const page: Body = await done(
        author.request('GET', `/media-library/browse?${new URLSearchParams({ socialSetId: library, ...query })}`),
      )
      return { ms: performance.now() - from, ...page }
    }
    const first = await timed({})
    expect(first).toMatchObject({ total: FILES, totalIsExact: true })
    expect(first.data).toHaveLength(60)
    const found = await timed({ search: 'number 1234' })
    expect(found.data.map(({ name }: Body) => name)).toEqual(['number 1234'])
    for (const query of [
      {},
      { shown: 'UNUSED' },
      { shown: 'USED', sort: 'LARGEST' },
      { type: 'VIDEO', shape: 'VERTICAL' },
      { sort: 'NAME' },
      { search: '99' },
    ]) {
      const times = [await timed(query), await timed(query), await timed(query)].map(({ ms }) => ms)
      expect(Math.min(...times), JSON.stringify(query)).toBeLessThan(300)
    }
  })

  test('is read by an index in each order, and none of it is sorted', async () => {
    const { db, plan } = explaining(api.db)
    const orders = { NEWEST: 'library', OLDEST: 'library', NAME: 'names', LARGEST: 'sizes' } as const
    for (const [sort, index] of Object.entries(orders)) {
      for (const after of [null, newId()]) {
        await mediaPageQuery(library, NO_FILTERS, { sort: sort as 'NAME', after, limit: 61 }).execute(db)
        const [page = ''] = plan().split('Aggregate')
        expect(page, sort).toMatch(new RegExp(`Index (Only )?Scan (Backward )?using media_items_${index} `))
      }
    }
    await mediaPageQuery(
      library,
      { ...NO_FILTERS, search: 'number 1234' },
      { sort: 'NEWEST', after: null, limit: 61 },
    ).execute(db)
    expect(plan()).toContain('media_items_search')
  })
})

describe('a file', () => {
  test('keeps its alternative text for the next use; posts keep theirs', async () => {
    const id = await file('Loaf.jpg')
    const used = await postWith(id)
    const changed = await done(author.request('PATCH', `/media-library/${id}`, { body: { altText: 'A loaf' } }))
    expect(changed).toMatchObject({ id, name: 'Loaf.jpg', altText: 'A loaf' })
    expect((await actionsOf(author).read(used.id)).posts[0].media[0].altText).toBeNull()
    expect(await done(author.request('PATCH', `/media-library/${id}`, { body: { altText: '' } }))).toMatchObject({
      altText: null,
    })
  })

  test('says where it is used: what keeps it first', async () => {
    const id = await file('Loaf.jpg')
    const sent = await postWith(id, { scheduledAt: '2030-06-03T10:00:00Z' })
    await publishAs(api, sent.id, 'PUBLISHED', ['POSTED'])
    const draft = await postWith(id, { posts: [{ ...withFile(id), caption: 'Fresh bread' }] })
    await actionsOf(author).remove((await postWith(id)).id)
    expect(await uses(id)).toEqual({
      total: 2,
      agent: null,
      data: [
        {
          id: draft.id,
          scheduledAt: '2030-06-01T10:00:00.000Z',
          status: 'DRAFT',
          excerpt: 'Fresh bread',
          accountTypes: ['BLUESKY'],
          kinds: [],
          blocks: true,
        },
        expect.objectContaining({ id: sent.id, status: 'PUBLISHED', blocks: false }),
      ],
    })
  })

  test('is deleted and restored: it is in no list, and no post takes it; what was published keeps it', async () => {
    const id = await file('Loaf.jpg')
    const sent = await postWith(id)
    await publishAs(api, sent.id, 'PUBLISHED', ['POSTED'])
    const storage = async () => (await done(author.request('GET', '/usage'))).storageBytes.used
    const before = await storage()
    await done(remove(id), 204)
    expect(await storage()).toBe(before - 50_000)
    expect(await named()).toEqual([])
    expect((await api.request('GET', `/v1/media-library/${id}`)).status).toBe(404)
    const refused = await api.request('POST', '/v1/post-sets', {
      body: api.draft({ socialSetId, posts: [withFile(id)] }),
    })
    expect(refused.body.errors[0].code).toBe('post:media_not_found')
    expect((await actionsOf(author).read(sent.id)).posts[0].media[0]).toMatchObject({ mediaLibraryId: id })
    expect((await browse({ shown: 'DELETED' })).data).toMatchObject([{ id, deletedAt: expect.any(String), usedIn: 1 }])
    expect(await done(restore(id))).toMatchObject({ id, name: 'Loaf.jpg' })
    expect(await named()).toEqual(['Loaf.jpg'])
    expect(await storage()).toBe(before)
    expect(await named({ shown: 'DELETED' })).toEqual([])
  })

  test('several get a label, or lose it, and what was a change is answered', async () => {
    const [first, second] = [await file('First.jpg'), await file('Second.jpg')]
    const { id: labelId } = await done(owner.request('POST', '/labels', { body: { name: newId() } }), 201)
    await done(author.request('PUT', `/media-library/${first}/labels`, { body: { labelsId: [labelId] } }))
    const label = (has: boolean) =>
      done(
        author.request('POST', '/media-library/labels', { body: { mediaIds: [first, second, second], labelId, has } }),
      )
    expect(await label(true)).toEqual({ mediaIds: [second] })
    expect(await named({ labelId })).toEqual(['Second.jpg', 'First.jpg'])
    expect((await label(false)).mediaIds.sort()).toEqual([first, second].sort())
    expect(await named({ labelId })).toEqual([])
  })

  test('comes back with a deleted post that has it', async () => {
    const id = await file('Loaf.jpg')
    const made = await postWith(id, { status: 'SCHEDULED' })
    const editor = await signInAs(api, 'editor')
    await actionsOf(editor).remove(made.id)
    await done(remove(id), 204)
    expect(await actionsOf(editor).restore(made.id)).toMatchObject({ parked: false, postSet: { status: 'SCHEDULED' } })
    expect(await named()).toEqual(['Loaf.jpg'])
  })
})

describe('30 days after a file was deleted', () => {
  const later = (id: string, days: number) =>
    sql`update media_items set closed_at = closed_at - make_interval(days => ${days}::integer) - interval '1 minute'
      where id = ${id}`.execute(api.db)

  test('its bytes go, and its row stays; not a day before, and not while a post has it', async () => {
    const [old, young, shown, kept] = [await file('old'), await file('young'), await file('shown'), await file('kept')]
    await publishAs(api, (await postWith(shown)).id, 'PUBLISHED', ['POSTED'])
    const removed = await postWith(kept)
    await actionsOf(author).remove(removed.id)
    const copy = newId()
    await sql`insert into media_renditions (id, media_id, spec, facts, storage_key)
      values (${copy}, ${old}, 'jpeg', '{}', ${copy})`.execute(api.db)
    for (const id of [old, young, shown, kept]) {
      await done(remove(id), 204)
      await later(id, id === young ? 29 : 30)
    }
    const { items, keys } = await emptyDeletedMedia(api.db)
    expect(items).toBe(1)
    expect(keys.toSorted()).toEqual([old, `${old}-thumbnail`, copy].toSorted())
    expect(await emptyDeletedMedia(api.db)).toEqual({ items: 0, keys: [] })
    // A stop in between leaves them to the sweep, which asks by these.
    expect((await unnamedFiles(api.db, [...keys, young, shown, `${kept}-thumbnail`])).toSorted()).toEqual(
      keys.toSorted(),
    )
    expect((await restore(old)).status).toBe(404)
    expect((await restore(shown)).status).toBe(404)
    expect((await restore(young)).status).toBe(200)
    await sql`update all_post_sets set removed_at = removed_at - interval '31 days' where id = ${removed.id}`.execute(
      api.db,
    )
    await purgeRemoved(api.db)
    expect(await emptyDeletedMedia(api.db)).toEqual({ items: 1, keys: [kept, `${kept}-thumbnail`] })
  })
})

test('files of an earlier version are found once their search texts are written', async () => {
  await file('Loaf.jpg', { altText: 'Rye' })
  await sql`update media_items set search_text = null where social_set_id = ${socialSetId}`.execute(api.db)
  expect(await named({ search: 'rye' })).toEqual([])
  expect(await writeMediaSearchTexts(api.db, { batch: 1 })).toBe(1)
  expect(await named({ search: 'rye' })).toEqual(['Loaf.jpg'])
  expect(await writeMediaSearchTexts(api.db)).toBe(0)
})
