import { sql } from 'kysely'
import { accountTypes } from '#contract'
import { searchTextOf } from '#domain'
import type { Database } from '#persistence'

/** How many sets the social sets of a database have, the largest first. Each belongs to an account of its own. */
export interface Layout {
  name: string
  sizes: readonly { sets: number; times: number }[]
}

/** Words that a known part of the captions has, spread evenly unless it says otherwise. All other words are made up. */
export const WORDS = {
  half: 'summer',
  tenth: 'harvest',
  hundredth: 'zeppelin',
  /** One in ten thousand. */
  rare: 'quetzal',
  none: 'xylograph',
  umlauts: 'Größenänderung',
  cyrillic: 'распродажа',
  cjk: '新商品',
  emoji: '🎉🎉🎉',
  /** Only in the last fifth of the calendar, where every caption has it. */
  late: 'carnival',
  /** Only in the first half percent of the calendar, where every caption has it. */
  early: 'foundation',
} as const

/** The first moment of the calendar, and how long it is. */
export const CALENDAR = { from: new Date('2022-01-01T00:00:00Z'), days: 1826 }

/**
 * Fills an empty, migrated database. Of a hundred sets 60 have one post, 25 two, 10 three and 5 ten; captions have
 * about 150 characters; the posts of a set have the same caption. One account type is in no set, one label on a
 * thousandth of the sets. The same every time.
 */
export async function seed(db: Database, layout: Layout): Promise<void> {
  await db.connection().execute(async (connection) => {
    const run = (text: string) => sql.raw(text).execute(connection)
    // The rows fit together by construction: checking each reference would take most of the time.
    await run(`set session_replication_role = replica; set max_parallel_workers_per_gather = 0;
      set maintenance_work_mem = '512MB'; set synchronous_commit = off; select setseed(0.42)`)
    const { rows: indexes } = await sql<{ name: string; definition: string }>`
      select indexname as name, indexdef as definition from pg_indexes
      where indexdef like '% gin %' and schemaname = 'public'`.execute(connection)
    for (const { name } of indexes) await run(`drop index ${name}`)
    await run(`create temp table sizes as
      select row_number() over () as number, gen_random_uuid() as id, sets from (values ${layout.sizes
        .map(({ sets, times }) => `(${sets}, ${times})`)
        .join(', ')}) as size (sets, times), generate_series(1, times)`)
    await run(`insert into accounts (id, name, slug, plan) select id, 'Account', id::text, 'SCALE' from sizes;
      insert into social_sets (id, account_id, name, timezone) select id, id, 'Brand ' || number, 'Europe/Berlin' from sizes`)
    const has = (word: keyof typeof WORDS, condition: string) =>
      `case when ${condition} then ' ${WORDS[word]}' else '' end`
    const every = (count: number, offset: number) => `floor(lot * 1000000)::int % ${count} = ${offset}`
    await run(`create temp table drafts as
      select row_number() over (order by place) as number, id, social_set_id, place, at, lot, posts,
        (select string_agg(${syllable(STARTS)} || ${syllable(MIDDLES)} || ${syllable(ENDS)}, ' ')
          from generate_series(1, length)) ||
        ${has('half', every(2, 0))} || ${has('tenth', every(10, 1))} || ${has('hundredth', every(100, 3))} ||
        ${has('rare', every(10_000, 7))} || ${has('umlauts', every(100, 5))} || ${has('cyrillic', every(100, 9))} ||
        ${has('cjk', every(100, 13))} || ${has('emoji', every(100, 15))} ||
        ${has('late', 'at > 0.8')} || ${has('early', 'at < 0.005')} as caption
      from (
        select gen_random_uuid() as id, sizes.id as social_set_id, place, least(place + 0.03 * random(), 0.99999) as at,
          random() as lot, random() as posts, 8 + floor(random() * 33)::int as length
        from sizes, lateral (select (n - 0.5) / sets as place from generate_series(1, sets) n) places
        order by place) as drawn`)
    await writeSearchTexts(connection)
    const { from, days } = CALENDAR
    const time = (place: string) => `timestamptz '${from.toISOString()}' + ${place} * interval '${days} days'`
    await run(`insert into post_sets (id, account_id, social_set_id, scheduled_at, created_at, status, approval, search_text)
      select id, social_set_id, social_set_id, date_trunc('seconds', ${time('at')}), ${time('place')} - interval '30 days',
        case when at < 0.9 then 'PUBLISHED' when lot < 0.3 then 'DRAFT' else 'SCHEDULED' end,
        (array['NONE', 'PENDING', 'APPROVED', 'DENIED'])[1 + floor(lot * 4)::int], search_text
      from drafts join search_texts using (id) order by place`)
    await run(`insert into posts (id, post_set_id, social_set_id, position, account_type, caption, fields)
      select gen_random_uuid(), id, social_set_id, position,
        (array[${accountTypes.map((type) => `'${type}'`).join(', ')}])[position + 1], caption, '{}'
      from drafts,
        generate_series(0, case when posts < 0.6 then 0 when posts < 0.85 then 1 when posts < 0.95 then 2 else 9 end)
          as position
      order by place`)
    await run(`insert into labels (id, account_id, name) select gen_random_uuid(), id, 'rare' from sizes;
      insert into post_set_labels (post_set_id, label_id) select drafts.id, labels.id
      from drafts join labels on account_id = social_set_id where ${every(1_000, 77)}`)
    for (const { definition } of indexes) await run(definition)
    await run('drop table sizes, drafts, search_texts')
    for (const table of ['post_sets', 'posts', 'social_sets', 'labels', 'post_set_labels'])
      await run(`vacuum analyze ${table}`)
    await run('reset all')
  })
}

/** What a search looks through is made by the program, for the drafts of the sets as for sets that are created. */
async function writeSearchTexts(connection: Database): Promise<void> {
  await sql`create index on drafts (number)`.execute(connection)
  await sql`create temp table search_texts (id uuid, search_text text)`.execute(connection)
  for (let after = 0; ; after += BATCH) {
    const { rows } = await sql<{ id: string; caption: string }>`
      select id, caption from drafts where number > ${after} and number <= ${after + BATCH}`.execute(connection)
    if (rows.length === 0) return
    const texts = rows.map(({ caption }) => searchTextOf([{ caption }]))
    await sql`insert into search_texts
      select * from unnest(${rows.map(({ id }) => id)}::uuid[], ${texts}::text[])`.execute(connection)
  }
}

const BATCH = 10_000

const STARTS = ['ba', 'ke', 'li', 'mo', 'nu', 'ra', 'se', 'ti', 'vo', 'wu', 'schä', 'grü', 'д', 'ня']
const MIDDLES = ['n', 'r', 'st', 'l', 'ck', 'ng', 'm', 'tt']
const ENDS = ['a', 'en', 'is', 'o', 'um', 'er', 'ing', 'abal', 'edor', 'ofin', 'ugat', 'ihel', 'ajun', 'ekor']

/** The first ones are frequent, the last ones rare. */
const syllable = (from: string[]) =>
  `(array[${from.map((text) => `'${text}'`).join(', ')}])[1 + floor(${from.length} * random() ^ 2)::int]`
