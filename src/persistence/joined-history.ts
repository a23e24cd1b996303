import { sql } from 'kysely'
import { LIMITS } from '#contract'
import { type Database, inBatches } from './database.ts'

/** Rows that one statement joins. */
const BATCH = 5_000

/** Name of its row in the table of chores, which says since when texts have to be counted. */
export const JOINING = 'history-texts'

/** SQL: with a row of history ends what somebody approved, asked for changes of, or has before them as a guest. */
const isKept = sql`(action in ('approved', 'changes requested')
  or coalesce(said -> 'approval' ->> 'to', said ->> 'approval') = 'APPROVED'
  or exists (
    select from shared_seen seen
    where seen.post_set_id = history.post_set_id and history.version in (seen.version, seen.before_version)))`

/**
 * Which changes of a set and day belong together, the gentler way first. Of these the first and the last text of each field are kept.
 */
const TOGETHER = {
  /** Those of one person, one behind the other, with nothing else in between. */
  'one person': sql`isText and lag(isText) over inOrder
    and (actor_type, actor_id, actor_name) is not distinct from (lag(actor_type) over inOrder, lag(actor_id) over inOrder, lag(actor_name) over inOrder)
    and not lag(isKept) over inOrder`,
  /** All between two texts that are kept. */
  'nothing kept between': sql`not lag(isKept) over inOrder`,
}

interface Joining {
  /** Bytes of texts that an account keeps of a day in full. */
  budget?: number
  batch?: number
  signal?: AbortSignal
}

/**
 * Joins changes of accounts that have written more than their budget in a day: of changes that belong together the texts in between
 * are dropped, in the sets with the most text first. Rows stay, with who, when and the names of fields. Resolves with how many
 * rows were joined.
 */
export async function joinHistory(
  db: Database,
  { budget = LIMITS.historyBytesPerDay, batch = BATCH, signal }: Joining = {},
): Promise<number> {
  let joined = 0
  const failed: unknown[] = []
  for (const day of await findExceeded(db, budget)) {
    try {
      for (const way of ['one person', 'nothing kept between'] as const) {
        joined += await inBatches({ batch, signal }, () => joinSome(db, way, { ...day, budget, batch }))
      }
    } catch (error) {
      // One account that cannot be joined, such as by its size, keeps the others from nothing.
      failed.push(error)
    }
  }
  if (failed.length > 0) throw failed[0]
  return joined
}

interface AccountDay {
  account_id: string
  /** Its first moment. */
  day: string
}

const bytes = sql`pg_column_size(history.changes)`

/** Accounts that are beyond their budget, and of which days: of those since the last run, its own too. */
async function findExceeded(db: Database, budget: number): Promise<AccountDay[]> {
  const last = await sql<{ day: Date | null }>`
    select date_trunc('day', ran_at, 'UTC') as day from chores where name = ${JOINING}`.execute(db)
  // A value, so that PostgreSQL sees how few rows that are.
  const since = last.rows[0]?.day ?? new Date(0)
  const { rows } = await sql<AccountDay>`
    select account_id, date_trunc('day', at, 'UTC')::text as day from history
    where outline is not null and at >= ${since}
    group by 1, date_trunc('day', at, 'UTC') having sum(${bytes}) > ${budget}`.execute(db)
  return rows
}

async function joinSome(
  db: Database,
  way: keyof typeof TOGETHER,
  { account_id: accountId, day, budget, batch }: AccountDay & { budget: number; batch: number },
): Promise<bigint> {
  const ofDay = sql`history.at >= ${day}::timestamptz and history.at < ${day}::timestamptz + interval '24 hours'`
  const { numAffectedRows } = await sql`
    with heavy as materialized (
      select post_set_id from (
        select post_set_id, sum(sum(${bytes})) over (order by sum(${bytes}), post_set_id) as until
        from history where account_id = ${accountId}::uuid and ${ofDay} and outline is not null
        group by post_set_id
      ) as sized where until > ${budget}
    ), entry as (
      select *, count(*) filter (where not together) over (partition by post_set_id order by sequence) as part
      from (
        select *, coalesce(${TOGETHER[way]}, false) as together
        from (
          select id, post_set_id, sequence, outline, actor_type, actor_id, actor_name,
            outline is not null as isText, coalesce(${isKept}, false) as isKept
          from heavy join history using (post_set_id), lateral (select coalesce(outline, changes)) as short (said)
          where ${ofDay}
        ) as marked window inOrder as (partition by post_set_id order by sequence)
      ) as beside
    ), field as (
      select entry.id, post ->> 'id' as post_id, name, coalesce(post -> 'joined' ? name, false) as joined,
        lag(name) over neighbors is not null and lead(name) over neighbors is not null as inside
      from entry, jsonb_array_elements(outline #> '{posts,changed}') as post,
        jsonb_array_elements_text(post -> 'names') as name
      window neighbors as (partition by post_set_id, part, post ->> 'id', name order by sequence)
    ), dropped as (
      select id, jsonb_object_agg(post_id, names) as names from (
        select id, post_id, jsonb_agg(name) as names from field where inside and not joined group by id, post_id
      ) as named group by id order by id limit ${batch}
    )
    update history set changes = jsonb_set(changes, '{posts,changed}', (
      select jsonb_agg(
        case when dropped.names ? (post ->> 'id') then post || (
          select jsonb_build_object(
            'fields', (post -> 'fields') - array_agg(name),
            'names', (select shown -> 'names' from jsonb_array_elements(outline #> '{posts,changed}') as shown
              where shown ->> 'id' = post ->> 'id' limit 1),
            'joined', coalesce(post -> 'joined', '[]') || jsonb_agg(name))
          from jsonb_array_elements_text(dropped.names -> (post ->> 'id')) as name)
        else post end order by place)
      from jsonb_array_elements(changes #> '{posts,changed}') with ordinality as changed (post, place)))
    from dropped where history.id = dropped.id`.execute(db)
  return numAffectedRows ?? 0n
}
