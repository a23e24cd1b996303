import { parseArgs } from 'node:util'
import { sql } from 'kysely'
import { countPostSets, type Database, listPostSetRows, type PostSetFilters, type PostSetSort } from '#persistence'
import { inMs, LIST_HEAD, measure, measureList, printTable } from './measure.ts'
import { withPlace } from './place.ts'
import { CALENDAR, type Layout, seed, WORDS } from './seed.ts'

const { values } = parseArgs({ options: { sets: { type: 'string', default: '1000000' }, dir: { type: 'string' } } })
const sets = Number(values.sets)
if (!Number.isInteger(sets) || sets < 1_000) throw new Error('--sets must be a number from 1000.')

/** All in one social set; and spread over ten thousand, one of which has a tenth and ten a hundredth each. */
const layouts: Layout[] = [
  { name: 'one', sizes: [{ sets, times: 1 }] },
  {
    name: 'spread',
    sizes: [
      { sets: sets / 10, times: 1 },
      { sets: sets / 100, times: 10 },
      { sets: Math.max(1, Math.round((sets * 0.8) / 9_989)), times: 9_989 },
    ],
  },
]

const EVERYTHING: Omit<PostSetFilters, 'socialSetId'> = {
  from: null,
  before: null,
  statuses: null,
  accountTypes: null,
  approvals: null,
  labelIds: null,
  search: null,
  externalId: null,
}
const DEFAULT: PostSetSort = { by: 'scheduledAt', direction: 'ASC' }

interface Case {
  name: string
  filters: Partial<PostSetFilters>
  sort?: PostSetSort
  page?: number
  size?: number
}

const day = (number: number) => new Date(CALENDAR.from.getTime() + number * 86_400_000)
const month = { from: day(900), before: day(930) }
const year = { from: day(900), before: day(1265) }

const cases: Case[] = [
  ...Object.entries(WORDS).map(([name, search]) => ({ name, filters: { search } })),
  ...(['half', 'tenth', 'hundredth', 'rare', 'late', 'early'] as const).flatMap((name) => {
    const search = WORDS[name]
    return [
      { name: `${name}, page 100 of 100`, filters: { search }, page: 100, size: 100 },
      { name: `${name}, latest first`, filters: { search }, sort: { by: 'scheduledAt', direction: 'DESC' } as const },
      { name: `${name}, newest first`, filters: { search }, sort: { by: 'createdAt', direction: 'DESC' } as const },
      { name: `${name}, drafts`, filters: { search, statuses: ['DRAFT'] as const } },
      { name: `${name}, a month`, filters: { search, ...month } },
      { name: `${name}, a year, page 100`, filters: { search, ...year }, page: 100, size: 100 },
    ]
  }),
  { name: 'half and hundredth as one', filters: { search: `${WORDS.half} ${WORDS.hundredth}` } },
  { name: 'three dots', filters: { search: '...' } },
  // Letters at the edges of words: not a trigram in it but those that every set has.
  { name: 'edges of words', filters: { search: 'q k' } },
  { name: 'long text', filters: { search: 'morihel schäno kettis '.repeat(12) } },
]

await withPlace(values.dir, async (place) => {
  for (const layout of layouts) {
    const db = await place.database(`${layout.name}_${sets}`, (empty) => seed(empty, layout))
    for (const { id, sets } of await examples(db)) await run(db, `${layout.name}: a social set of ${sets} sets`, id)
  }
})

/** Of each size, one social set. */
async function examples(db: Database): Promise<{ id: string; sets: number }[]> {
  const { rows } = await sql<{ id: string; sets: number }>`
    select distinct on (sets) social_set_id as id, sets
    from (select social_set_id, count(*) as sets from post_sets group by social_set_id) as counted
    order by sets desc`.execute(db)
  return rows
}

async function run(db: Database, title: string, socialSetId: string): Promise<void> {
  const look = (filters: Partial<PostSetFilters>, { sort = DEFAULT, page = 1, size = 25 }: Partial<Case>) => {
    const wanted = { ...EVERYTHING, ...filters, socialSetId }
    return {
      page: () => listPostSetRows(db, wanted, [sort], { limit: size, offset: (page - 1) * size }),
      count: () => countPostSets(db, wanted),
    }
  }
  const lookup = await measure(
    () => db.selectFrom('social_sets').select('timezone').where('id', '=', socialSetId).execute(),
    50,
  )
  const plain = await measure(look({}, {}).page, 50)
  const rows: string[][] = []
  for (const { name, filters, ...options } of cases) {
    const floors = { page: plain.middle, lookup: lookup.middle }
    rows.push([name, ...(await measureList(look(filters, options), floors))])
  }
  printTable(
    `${title} (floors: a lookup by key ${inMs(lookup.middle)} ms, a plain page of 25 ${inMs(plain.middle)} ms)`,
    ['search', ...LIST_HEAD],
    rows,
  )
}
