import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { searchable } from '#domain'
import { type Api, BLUESKY_POST, type Body, INSTAGRAM_POST, startApi } from '../_util/api/api.ts'

let api: Api
beforeAll(async () => {
  api = await startApi()
})
afterAll(() => api.close())

const post = (caption: string) => ({ ...BLUESKY_POST, caption })

async function search(socialSetId: string, text: string, more: Record<string, string> = {}): Promise<Body> {
  const query = new URLSearchParams({ socialSetId, 'filters[search]': text, ...more })
  const { status, body } = await api.request('GET', `/v1/post-sets?${query}`)
  expect(status, JSON.stringify(body)).toBe(200)
  return body
}

async function found(socialSetId: string, text: string): Promise<string[]> {
  const { data, pagination } = await search(socialSetId, text, { size: '100' })
  expect(pagination.total).toBe(data.length)
  return data.map(({ posts }: Body) => posts[0].caption)
}

describe('every letter of Unicode', () => {
  const CAPTIONS = [
    'Frühling für ALLE: 50% auf Größe XL_2',
    'РАСПРОДАЖА в субботу',
    '新商品のお知らせ',
    '🎉🎉🎉 und 👩‍👩‍👧',
    'back\\slash, "quoted", <b>fett</b>',
    'ΟΔΥΣΣΕΑΣ',
    'Line one\nline two',
    '𝒜𝒷𝒸 𐐀𐐁𐐂',
    'fcy xfcy XfcY',
    'Ein Cafe\u0301 in Mu\u0308nchen',
    'Das Café Ümlaut',
    'Tiê\u0301ng Viê\u0323t',
  ]
  let socialSetId: string
  beforeAll(async () => {
    socialSetId = await api.newSocialSet()
    for (const caption of CAPTIONS) await api.create({ socialSetId, posts: [post(caption)] })
  })

  test.each([
    ['FÜR', [0]],
    ['ühl', [0]],
    ['50%', [0]],
    ['%%%', []],
    ['50% AUF gRÖSSE', [0]],
    ['gRÖße', [0]],
    ['L_2', [0]],
    ['___', []],
    ['распродажа В', [1]],
    ['субб', [1]],
    ['新商品', [2]],
    ['のお知', [2]],
    ['品新商', []],
    ['🎉🎉🎉', [3]],
    ['🎉🎉🎉🎉', []],
    ['🎉 u', [3]],
    ['👩‍👩‍👧', [3]],
    ['k\\s', [4]],
    ['\\\\\\', []],
    ['"quo', [4]],
    ['</b', [4]],
    ['οδυσσ', [5]],
    ['one\nline', [6]],
    ['e t', [6]],
    ['one line', []],
    ['𝒜𝒷𝒸', [7]],
    ['𐐩𐐪', null],
    ['𐐨𐐩𐐪', [7]],
    ['fcy', [8]],
    ['XFCY', [8]],
    ['   ', []],
    ['CAFÉ', [9, 10]],
    ['Cafe\u0301', [9, 10]],
    ['münch', [9]],
    ['U\u0308ML', [10]],
    ['tiếng việt', [11]],
    ['tiếng'.normalize('NFD'), [11]],
  ])('%j', async (text, expected) => {
    if (expected === null) {
      const query = new URLSearchParams({ socialSetId, 'filters[search]': text })
      expect((await api.request('GET', `/v1/post-sets?${query}`)).status).toBe(400)
      return
    }
    expect(await found(socialSetId, text)).toEqual(expected.map((index) => CAPTIONS[index]))
  })
})

describe('one caption of the set', () => {
  test('is enough, and two that meet are not one', async () => {
    const socialSetId = await api.newSocialSet()
    const posts = [post('alpha'), { ...INSTAGRAM_POST, caption: 'beta' }]
    await api.create({ socialSetId, posts })
    expect(await found(socialSetId, 'ALP')).toEqual(['alpha'])
    expect(await found(socialSetId, 'eta')).toEqual(['alpha'])
    for (const across of ['alphabeta', 'alpha beta', 'alpha\nbeta', 'a\nb', 'a\r\nb']) {
      expect(await found(socialSetId, across), JSON.stringify(across)).toEqual([])
    }
  })

  test('is the one that is there now', async () => {
    const socialSetId = await api.newSocialSet()
    const set = await api.create({
      socialSetId,
      posts: [post('first words'), { ...INSTAGRAM_POST, caption: 'second' }],
    })
    const change = async (posts: unknown[]) =>
      expect((await api.request('PATCH', `/v1/post-sets/${set.id}`, { body: { posts } })).status).toBe(200)
    const [first, second] = set.posts
    await change([{ ...first, caption: 'other words' }, second])
    expect(await found(socialSetId, 'first')).toEqual([])
    expect(await found(socialSetId, 'other')).toEqual(['other words'])
    expect(await found(socialSetId, 'second')).toEqual(['other words'])
    await change([{ ...first, caption: 'other words' }])
    expect(await found(socialSetId, 'second')).toEqual([])
    expect(await found(socialSetId, 'words')).toEqual(['other words'])
    expect((await api.request('DELETE', `/v1/post-sets/${set.id}`)).status).toBe(204)
    expect(await found(socialSetId, 'words')).toEqual([])
  })

  test('of this social set', async () => {
    const [here, there] = [await api.newSocialSet(), await api.newSocialSet()]
    await api.create({ socialSetId: here, posts: [post('the same words here')] })
    await api.create({ socialSetId: there, posts: [post('the same words there')] })
    expect(await found(here, 'same words')).toEqual(['the same words here'])
  })
})

describe('a calendar of seven thousand', () => {
  /** As many as a search goes through before it asks the index. */
  const SETS = 7_000
  let socialSetId: string

  // "often" is in every second caption, "early" in the first ten, "late" in the last 250.
  beforeAll(async () => {
    socialSetId = await api.newSocialSet()
    await sql`
      with sets as (
        insert into post_sets (id, account_id, social_set_id, scheduled_at, created_at, status, approval, search_text)
        select gen_random_uuid(), ${api.accountId}, ${socialSetId}, '2030-01-01Z'::timestamptz + n * interval '1 hour',
          '2029-01-01Z'::timestamptz - n * interval '1 hour', case when n % 100 = 0 then 'PUBLISHED' else 'DRAFT' end,
          'NONE', replace(replace(caption, ' ', ${searchable(' ')}), '.', ${searchable('.')})
        from (
          select n, 'number ' || n || '.' || case when n % 2 = 0 then ' often' else '' end
            || case when n < 10 then ' early' else '' end || case when n >= ${SETS - 250}::int then ' late' else '' end
            as caption
          from generate_series(0, ${SETS - 1}::int) n
        ) as captions
        returning id, social_set_id, replace(replace(search_text, ${searchable(' ')}, ' '), ${searchable('.')}, '.') as caption
      )
      insert into posts (id, post_set_id, social_set_id, position, account_type, caption, fields)
      select gen_random_uuid(), id, social_set_id, 0, 'BLUESKY', caption, '{}' from sets`.execute(api.db)
  })

  const numbers = async (text: string, more: Record<string, string> = {}) => {
    const { data, pagination } = await search(socialSetId, text, more)
    return { total: pagination.total, numbers: data.map(({ posts }: Body) => Number(posts[0].caption.match(/\d+/)[0])) }
  }
  const range = (from: number, count: number, step = 1) => Array.from({ length: count }, (_, at) => from + at * step)

  test.each<[text: string, more: Record<string, string>, total: number, numbers: number[]]>([
    ['often', {}, 3_500, range(0, 25, 2)],
    ['often', { page: '2', size: '10' }, 3_500, range(20, 10, 2)],
    ['often', { page: '35', size: '100' }, 3_500, range(6_800, 100, 2)],
    ['often', { page: '36', size: '100' }, 3_500, []],
    ['often', { 'sort[scheduledAt]': 'DESC' }, 3_500, range(6_998, 25, -2)],
    ['often', { 'sort[createdAt]': 'ASC' }, 3_500, range(6_998, 25, -2)],
    ['often', { 'filters[status]': 'PUBLISHED', page: '70', size: '1' }, 70, [6_900]],
    ['often', { 'filters[startDate]': '2030-01-02T00:00:00Z', size: '2' }, 3_488, [24, 26]],
    ['early', {}, 10, range(0, 10)],
    ['early', { 'sort[scheduledAt]': 'DESC', size: '4', page: '3' }, 10, [1, 0]],
    ['late', {}, 250, range(6_750, 25)],
    ['late', { page: '3', size: '100' }, 250, range(6_950, 50)],
    ['late', { 'sort[createdAt]': 'DESC', size: '2' }, 250, [6_750, 6_751]],
    ['often late', { size: '2', page: '63' }, 125, [6_998]],
    ['late', { 'filters[status]': 'PUBLISHED' }, 2, [6_800, 6_900]],
    ['late', { 'filters[endDate]': '2030-01-02T00:00:00Z' }, 0, []],
    ['number 6999.', {}, 1, [6_999]],
    ['never', {}, 0, []],
  ])('%s %j', async (text, more, total, expected) => {
    expect(await numbers(text, more)).toEqual({ total, numbers: expected })
  })

  test('the index answers the condition, also of letters that the locale does not know', async () => {
    const undone = new Error('undone')
    const looking = api.db.transaction().execute(async (trx) => {
      await sql`drop index post_sets_calendar, post_sets_created`.execute(trx)
      await sql`set local enable_seqscan = off`.execute(trx)
      for (const text of ['never', '新商品', '🎉🎉🎉', '...']) {
        const { rows } = await sql<{ 'QUERY PLAN': string }>`
          explain select id from post_sets where social_set_id = ${sql.lit(socialSetId)}
            and search_text like ${sql.lit(`%${searchable(text)}%`)}`.execute(trx)
        const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
        expect(plan).toMatch(/Index Scan on post_sets_search[^\n]*\n *Index Cond:.*search_text ~~ '%\w+%'/)
        const { rows: trigrams } = await sql<{ count: number }>`
          select cardinality(show_trgm(${searchable(text)}))::int as count`.execute(trx)
        expect(trigrams[0]?.count).toBeGreaterThan(3)
      }
      throw undone
    })
    await expect(looking).rejects.toBe(undone)
  })
})

test('pages are those of going through all captions, for many random texts', async () => {
  // A small alphabet of all kinds, so that texts occur; the same every time.
  const LETTERS = [...'abAB äÄßд商%_\\🎉\n.']
  let state = 7
  const random = (below: number) => {
    state = (state * 48_271) % 2_147_483_647
    return state % below
  }
  const text = (length: number) => Array.from({ length }, () => LETTERS[random(LETTERS.length)]).join('')
  const socialSetId = await api.newSocialSet()
  const sets: { id: string; captions: string[] }[] = []
  for (let at = 0; at < 60; at++) {
    const captions = Array.from({ length: 1 + random(2) }, () => text(10 + random(60)))
    const [first = '', second] = captions
    const posts = [post(first), ...(second === undefined ? [] : [{ ...INSTAGRAM_POST, caption: second }])]
    const time = new Date(Date.UTC(2031, 0, 1, at))
    sets.push({ id: (await api.create({ socialSetId, scheduledAt: time.toISOString(), posts })).id, captions })
  }
  const all = sets.flatMap(({ captions }) => captions.map((caption) => [...caption]))
  let hits = 0
  for (let round = 0; round < 60; round++) {
    const caption = all[random(all.length)] ?? []
    const from = random(caption.length - 3)
    const wanted = round % 4 === 0 ? text(3) : caption.slice(from, from + 3 + random(3)).join('')
    const expected = sets.filter(({ captions }) =>
      captions.some((caption) => caption.toLowerCase().includes(wanted.toLowerCase())),
    )
    const pages = [1, 2, 3].map((page) => search(socialSetId, wanted, { size: '3', page: String(page) }))
    const bodies: Body[] = await Promise.all(pages)
    const ids = bodies.flatMap(({ data }) => data.map(({ id }: Body) => id))
    expect(ids, JSON.stringify(wanted)).toEqual(expected.slice(0, 9).map(({ id }) => id))
    expect(bodies[0].pagination.total).toBe(expected.length)
    hits += expected.length
  }
  expect(hits).toBeGreaterThan(60)
})
