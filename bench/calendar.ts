import { parseArgs } from 'node:util'
import { sql } from 'kysely'
import { newId, type PostContent } from '#domain'
import {
  createPostSetRow,
  type Database,
  listAuthors,
  listCards,
  listPostSetRows,
  type PostSetFilters,
  watchSocialSets,
} from '#persistence'
import { inMs, measure, printTable, times } from './measure.ts'
import { withPlace } from './place.ts'
import { seed } from './seed.ts'

const { values } = parseArgs({ options: { sets: { type: 'string', default: '100000' }, dir: { type: 'string' } } })
const sets = Number(values.sets)
if (!Number.isInteger(sets) || sets < 1_000) throw new Error('--sets must be a number from 1000.')

const CLIENTS = 8
const ROUND_MS = 3_000
const ROUNDS = 5
/** md5 of 7, as authors are named here. */
const ONE_OF_TWENTY = '8f14e45fceea167a5a36dedd4bea2543'

await withPlace(values.dir, async (place) => {
  const fill = async (db: Database) => {
    await seed(db, { name: 'one', sizes: [{ sets, times: 1 }] })
    await sql`insert into history (id, account_id, post_set_id, actor_type, actor_id, actor_name, action)
      select gen_random_uuid(), account_id, id, 'USER', md5((row_number() over () % 20)::text), 'Somebody', 'created'
      from post_sets`.execute(db)
    await sql`vacuum analyze history`.execute(db)
  }
  const db = await place.database(`calendar_${sets}`, fill, CLIENTS)
  const { socialSetId, accountId } = await sql<{ socialSetId: string; accountId: string }>`
    select id as "socialSetId", account_id as "accountId" from social_sets`
    .execute(db)
    .then(({ rows }) => rows[0] ?? { socialSetId: '', accountId: '' })
  await cards(db, { socialSetId, accountId })
  await telling(db, { socialSetId, accountId })
})

/** Months of a calendar, beside a plain page of 25. */
async function cards(db: Database, of: { socialSetId: string; accountId: string }): Promise<void> {
  const { socialSetId, accountId } = of
  const seen = { accountId, socialSetIds: null }
  const day = (text: string) => new Date(`${text}T00:00:00Z`)
  const plain: PostSetFilters = {
    socialSetId,
    from: null,
    before: null,
    statuses: null,
    accountTypes: null,
    approvals: null,
    labelIds: null,
    search: null,
    externalId: null,
  }
  const month = { ...plain, from: day('2024-06-01'), before: day('2024-07-01') }
  const more = { accountTypes: null, authors: null, seriesId: null, outcomes: null }
  const take = { limit: 2_001, captionCodePoints: 480 }
  const page = () => listPostSetRows(db, plain, [{ by: 'scheduledAt', direction: 'ASC' }], { limit: 25, offset: 0 })
  const floor = (await measure(page, 20)).middle
  const ways: [string, () => Promise<unknown[]>][] = [
    ['a month', () => listCards(db, seen, month, take)],
    ['62 days', () => listCards(db, seen, { ...month, before: day('2024-08-02') }, take)],
    [
      'a month, an author of twenty',
      () => listCards(db, seen, { ...month, more: { ...more, authors: [ONE_OF_TWENTY] } }, take),
    ],
    [
      'a month, what failed (nothing)',
      () => listCards(db, seen, { ...month, more: { ...more, outcomes: ['FAILED'] } }, take),
    ],
    ['a month, a word of a hundredth', () => listCards(db, seen, { ...month, search: 'zeppelin' }, take)],
    ['authors', () => listAuthors(db, seen, socialSetId)],
  ]
  const rows: string[][] = []
  for (const [name, read] of ways) {
    const { result, first, middle } = await measure(read, 10)
    rows.push([name, String(result.length), inMs(first), inMs(middle), times(middle, floor)])
  }
  printTable(
    `The calendar of ${sets} sets (a plain page of 25: ${inMs(floor)} ms)`,
    ['what', 'rows', 'first ms', 'ms', '× page'],
    rows,
  )
}

/**
 * How many sets several clients make in a second: without the triggers that report changes, with them while no one
 * watches the social set, and while one client does; turn by turn. Last, the middles of ten turns on a busy machine with
 * two cores: 250, 280 and 190, where single turns of one way lay between 160 and 530.
 */
async function telling(db: Database, place: { socialSetId: string; accountId: string }): Promise<void> {
  const ways = ['no triggers', 'no one watches', 'one client watches'] as const
  const rates = new Map<string, number[]>(ways.map((way) => [way, []]))
  for (let round = 0; round < ways.length * ROUNDS; round++) {
    const way = ways[round % ways.length] ?? 'no triggers'
    await sql`alter table all_post_sets ${sql.raw(way === 'no triggers' ? 'disable' : 'enable')} trigger user`.execute(
      db,
    )
    await sql`truncate watched_social_sets`.execute(db)
    if (way === 'one client watches') await watchSocialSets(db, [place.socialSetId])
    let made = 0
    const until = performance.now() + ROUND_MS
    const client = async () => {
      while (performance.now() < until) {
        await db.transaction().execute((trx) => makeSet(trx, place))
        made++
      }
    }
    await Promise.all(Array.from({ length: CLIENTS }, client))
    rates.get(way)?.push(made / (ROUND_MS / 1_000))
  }
  const middle = (of: number[]) => of.toSorted((a, b) => a - b)[Math.floor(of.length / 2)] ?? 0
  const rows = [...rates].map(([way, of]) => [way, middle(of).toFixed(0), ...of.map((rate) => rate.toFixed(0))])
  printTable(
    `Sets made in a second by ${CLIENTS} clients`,
    ['with', 'middle', ...Array.from({ length: ROUNDS }, (_, index) => `${index + 1}.`)],
    rows,
  )
}

async function makeSet(
  trx: Database,
  { socialSetId, accountId }: { socialSetId: string; accountId: string },
): Promise<void> {
  const id = newId()
  const posts: PostContent[] = [
    { id: newId(), accountType: 'BLUESKY', caption: 'hello', fields: {}, media: [], thread: [] },
  ]
  const changes = { status: 'DRAFT', scheduledAt: '2030-01-01T00:00:00.000Z' } as const
  const actor = { type: 'OPERATOR', id: null, name: 'bench' } as const
  const row = await createPostSetRow(
    trx,
    {
      id,
      accountId,
      socialSetId,
      scheduledAt: new Date('2030-01-01'),
      status: 'DRAFT',
      approval: 'NONE',
      startsSeries: null,
      externalId: null,
      posts,
    },
    { timezone: 'Europe/Berlin', actor, event: { action: 'created', changes }, count: 0 },
  )
  if (!row) throw new Error('The set was not created.')
}
