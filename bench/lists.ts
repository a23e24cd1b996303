import { parseArgs } from 'node:util'
import { sql } from 'kysely'
import { accountTypes } from '#contract'
import {
  countPostSets,
  type Database,
  findPostSet,
  listMediaItems,
  listPostSetRows,
  listSocialSetRows,
  type PostSetFilters,
  type PostSetSort,
} from '#persistence'
import { inMs, LIST_HEAD, measure, measureList, printTable, times } from './measure.ts'
import { withPlace } from './place.ts'
import { fillRich, RICH } from './rich.ts'
import { seed } from './seed.ts'

const { values } = parseArgs({ options: { sets: { type: 'string', default: '1000000' }, dir: { type: 'string' } } })
const sets = Number(values.sets)
if (!Number.isInteger(sets) || sets < 1_000) throw new Error('--sets must be a number from 1000.')

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

await withPlace(values.dir, async (place) => {
  const large = await place.database(`one_${sets}`, (db) => seed(db, { name: 'one', sizes: [{ sets, times: 1 }] }))
  await filters(large)
  await rich(await place.database('rich', fillRich))
})

/** Pages and counts of one large social set. */
async function filters(db: Database): Promise<void> {
  const { socialSetId, labelId } = await one<{ socialSetId: string; labelId: string }>(
    db,
    sql`select social_sets.id as "socialSetId", labels.id as "labelId"
      from social_sets join labels on labels.account_id = social_sets.account_id`,
  )
  const floor = await lookup(db, socialSetId)
  const ASC: PostSetSort = { by: 'scheduledAt', direction: 'ASC' }
  const look = (some: Partial<PostSetFilters>, sort: PostSetSort[], page: number, size: number) => {
    const wanted = { ...EVERYTHING, ...some, socialSetId }
    const [first = ASC, ...others] = sort
    return {
      page: () => listPostSetRows(db, wanted, [first, ...others], { limit: size, offset: (page - 1) * size }),
      count: () => countPostSets(db, wanted),
    }
  }
  const plain = await measure(look({}, [], 1, 25).page, 50)
  const DESC: PostSetSort = { by: 'scheduledAt', direction: 'DESC' }
  const created: PostSetSort = { by: 'createdAt', direction: 'DESC' }
  const cases: [name: string, filters: Partial<PostSetFilters>, sort?: PostSetSort[], page?: number, size?: number][] =
    [
      ['all', {}],
      ['all, one', {}, [], 1, 1],
      ['all, a hundred', {}, [], 1, 100],
      ['all, page 100 of 100', {}, [], 100, 100],
      ['latest first', {}, [DESC]],
      ['newest first, page 100 of 100', {}, [created], 100, 100],
      ['by both', {}, [created, ASC]],
      ['published', { statuses: ['PUBLISHED'] }],
      ['drafts', { statuses: ['DRAFT'] }],
      ['drafts and scheduled, newest first', { statuses: ['DRAFT', 'SCHEDULED'] }, [created]],
      ['publishing (none)', { statuses: ['PUBLISHING'] }],
      ['pending', { approvals: ['PENDING'] }],
      ['pending drafts', { approvals: ['PENDING'], statuses: ['DRAFT'] }],
      ['pending externally (none)', { approvals: ['EXTERNAL_PENDING'] }],
      ['an account type of all', { accountTypes: accountTypes.slice(0, 1) }],
      ['an account type of a twentieth', { accountTypes: accountTypes.slice(9, 10) }],
      ['an account type of none', { accountTypes: accountTypes.slice(10) }],
      ['a label of a thousandth', { labelIds: [labelId] }],
      ['a label of none', { labelIds: [socialSetId] }],
    ]
  const rows: string[][] = []
  for (const [name, some, sort = [], page = 1, size = 25] of cases) {
    const { page: read, count } = look(some, sort, page, size)
    rows.push([name, ...(await measureList({ page: read, count }, { page: plain.middle, lookup: floor }))])
  }
  printTable(
    `Post sets, ${sets} in the social set (floors: a lookup by key ${inMs(floor)} ms, a plain page of 25 ${inMs(plain.middle)} ms)`,
    ['list', ...LIST_HEAD],
    rows,
  )
}

/** Pages whose rows have as much as they can have. */
async function rich(db: Database): Promise<void> {
  const { socialSetId, accountId, postSetId } = await one<Record<'socialSetId' | 'accountId' | 'postSetId', string>>(
    db,
    sql`select social_set_id as "socialSetId", account_id as "accountId", id as "postSetId" from post_sets limit 1`,
  )
  const floor = await lookup(db, socialSetId)
  const visible = { accountId, socialSetIds: null }
  const sort: [PostSetSort] = [{ by: 'scheduledAt', direction: 'ASC' }]
  const sized = (size: number): [name: string, rows: number, read: () => Promise<unknown>][] => [
    [
      `post sets of ${RICH.posts} posts with ${RICH.media} media items each`,
      size,
      () => listPostSetRows(db, { ...EVERYTHING, socialSetId }, sort, { limit: size, offset: 0 }),
    ],
    ['social sets with eleven accounts', size, () => listSocialSetRows(db, visible, { limit: size, offset: 0 })],
    ['media library', size, () => listMediaItems(db, socialSetId, { limit: size, offset: 0 })],
  ]
  const cases = [
    ['a post set', 1, () => findPostSet(db, visible, postSetId)] as const,
    ...[1, 25, 100].flatMap(sized).toSorted(([a], [b]) => a.localeCompare(b)),
  ]
  const rows: string[][] = []
  for (const [name, size, read] of cases) {
    const { first, middle } = await measure(read, 20)
    rows.push([name, String(size), inMs(first), inMs(middle), inMs(middle / size), times(middle, floor)])
  }
  printTable(
    `Rich rows (floor: a lookup by key ${inMs(floor)} ms)`,
    ['page', 'rows', 'first ms', 'ms', 'ms a row', '× lookup'],
    rows,
  )
}

async function lookup(db: Database, id: string): Promise<number> {
  const query = db.selectFrom('social_sets').select('timezone').where('id', '=', id)
  return (await measure(() => query.execute(), 50)).middle
}

async function one<T>(db: Database, query: ReturnType<typeof sql<T>>): Promise<T> {
  const [row] = (await query.execute(db)).rows
  if (!row) throw new Error('The database is empty.')
  return row
}
