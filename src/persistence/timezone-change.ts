import { sql } from 'kysely'
import type { Fit, HistoryAction, PostSetStatus } from '#contract'
import { newId } from '#domain'
import { type Database, now } from './database.ts'
import { notesHappened } from './happened.ts'
import type { Actor } from './history.ts'
import { isVisible, type Visible } from './visible.ts'

interface NamedSocialSet {
  id: string
  name: string
  timezone: string
  /** `#rrggbb` */
  color: string
  fit: Fit
}

/** A social set that the caller may see, held for a change of it. Post sets can be made meanwhile. */
export async function lockSocialSet(trx: Database, visible: Visible, id: string): Promise<NamedSocialSet | null> {
  const row = await trx
    .selectFrom('social_sets')
    .select(['id', 'name', 'timezone', 'color'])
    .select((eb) => eb.ref('fit').$castTo<Fit>().as('fit'))
    .where('id', '=', id)
    .where(isVisible(visible, { account: 'account_id', socialSet: 'id' }))
    .forNoKeyUpdate()
    .executeTakeFirst()
  return row ?? null
}

/**
 * The timezone of a social set, which stays until the transaction ends: everything that is put on its calendar locks it
 * first, and before any row of the calendar. Null when there is no such social set.
 */
export async function holdTimezone(trx: Database, socialSetId: string): Promise<string | null> {
  const row = await trx
    .selectFrom('social_sets')
    .select('timezone')
    .where('id', '=', socialSetId)
    .forShare()
    .executeTakeFirst()
  return row?.timezone ?? null
}

/** The same without holding it. */
export async function findTimezone(db: Database, socialSetId: string): Promise<string | null> {
  const row = await db.selectFrom('social_sets').select('timezone').where('id', '=', socialSetId).executeTakeFirst()
  return row?.timezone ?? null
}

type OnCalendar = 'post_sets' | 'all_post_sets' | 'all_notes'

/** Holds the timezone of the social set that something belongs to, when it is there. */
export async function holdTimezoneOf(trx: Database, { table, id }: { table: OnCalendar; id: string }): Promise<void> {
  await sql`
    select from social_sets where id = (select social_set_id from ${sql.table(table)} where id = ${id})
    for share`.execute(trx)
}

export async function updateSocialSet(
  trx: Database,
  id: string,
  { name, timezone, color, fit }: Omit<NamedSocialSet, 'id'>,
): Promise<void> {
  await trx
    .updateTable('social_sets')
    .set({ name, timezone, color, fit, updated_at: now })
    .where('id', '=', id)
    .execute()
}

interface TimedPostSet {
  id: string
  status: PostSetStatus
  scheduledAt: Date
}

/**
 * The drafts and scheduled sets of a social set; with `lock` their rows are held, in the order of their ids, and no
 * publisher takes one of them. Sets that are publishing or published are not among them. Scheduled sets that are due before
 * `notBefore` are not held: they keep their moments, so a publisher need not wait for the rest.
 */
export async function listMovablePostSets(
  db: Database,
  socialSetId: string,
  { lock, notBefore }: { lock: boolean; notBefore: Date },
): Promise<TimedPostSet[]> {
  const query = db
    .selectFrom('post_sets')
    .select(['id', 'status', 'scheduled_at as scheduledAt'])
    .where('social_set_id', '=', socialSetId)
    .orderBy('id')
  const soon = await query.where('status', '=', 'SCHEDULED').where('scheduled_at', '<=', notBefore).execute()
  const rest = query.where(({ eb, and, or }) =>
    or([eb('status', '=', 'DRAFT'), and([eb('status', '=', 'SCHEDULED'), eb('scheduled_at', '>', notBefore)])]),
  )
  return [...soon, ...(await (lock ? rest.forUpdate() : rest).execute())]
}

/** All notes of a social set; with `lock` their rows are held. */
export async function listMovableNotes(
  db: Database,
  socialSetId: string,
  { lock } = { lock: false },
): Promise<{ id: string; scheduledAt: Date }[]> {
  const query = db
    .selectFrom('notes')
    .select(['id', 'scheduled_at as scheduledAt'])
    .where('social_set_id', '=', socialSetId)
    .orderBy('id')
  return (lock ? query.forUpdate() : query).execute()
}

interface ZoneChange {
  accountId: string
  actor: Actor
  timezone: { from: string; to: string }
}

interface Move {
  id: string
  from: Date
  to: Date
}

/**
 * Rows that one statement moves. A hundred thousand sets take about half a minute, as long as a statement may: so they are moved
 * in several, all of them in the caller's transaction, which is one change to every reader and nothing after a crash. Only
 * changes of the same sets wait for it: what is due meanwhile is not among them.
 */
const AT_ONCE = 2_000

function* inParts<T>(all: readonly T[]): Iterable<readonly T[]> {
  for (let from = 0; from < all.length; from += AT_ONCE) yield all.slice(from, from + AT_ONCE)
}

/**
 * Moves post sets to other times because their timezone changed: raises their versions and adds a row of history to
 * each. The caller holds their rows.
 */
export async function movePostSets(trx: Database, change: ZoneChange, moves: readonly Move[]): Promise<void> {
  for (const part of inParts(moves)) await movePart(trx, change, part)
}

async function movePart(
  trx: Database,
  { accountId, actor, timezone }: ZoneChange,
  moves: readonly Move[],
): Promise<void> {
  await sql`
    with move as (
      select * from unnest(
        ${moves.map(({ id }) => id)}::uuid[], ${moves.map(() => newId())}::uuid[],
        ${moves.map(({ from }) => from.toISOString())}::text[], ${moves.map(({ to }) => to.toISOString())}::text[]
      ) as move (id, history_id, moved_from, moved_to)
    ), moved as (
      update post_sets as post_set
      set scheduled_at = move.moved_to::timestamptz, version = version + 1, updated_at = almanac_now(),
        schedule_requested_at =
          case when status = 'SCHEDULED' then almanac_now() else schedule_requested_at end
      from move where post_set.id = move.id
      returning post_set.id, post_set.version
    )
    insert into history (id, account_id, post_set_id, actor_type, actor_id, actor_name, action, changes, version)
    select move.history_id, ${accountId}, move.id, ${actor.type}, ${actor.id}, ${actor.name}, ${'updated' satisfies HistoryAction},
      jsonb_build_object(
        'scheduledAt', jsonb_build_object('from', move.moved_from, 'to', move.moved_to),
        'timezone', jsonb_build_object('from', ${timezone.from}::text, 'to', ${timezone.to}::text)
      ), moved.version
    from moved join move on move.id = moved.id`.execute(trx)
}

/** Moves notes of a social set to other times. The caller holds their rows. */
export async function moveNotes(
  trx: Database,
  act: { accountId: string; socialSetId: string; actor: Actor },
  moves: readonly Move[],
): Promise<void> {
  for (const part of inParts(moves)) {
    // Of those of imported calendars nothing was ever said.
    const { rows } = await sql<{ id: string }>`
      select id from notes where id = any(${part.map(({ id }) => id)}::uuid[]) and source <> 'GOOGLE_IMPORT' order by id`.execute(
      trx,
    )
    const noteIds = rows.map(({ id }) => id)
    await sql`
      with told as (${notesHappened({ ...act, type: 'note.updated', noteIds })})
      update notes set scheduled_at = move.moved_to, updated_at = almanac_now()
      from ${unnested(part)}
      where notes.id = move.id`.execute(trx)
  }
}

/** What members took off the calendar of a social set and can bring back; the rows are held. */
export async function lockRemovedTimes(
  trx: Database,
  socialSetId: string,
): Promise<{ postSets: TimedPostSet[]; notes: { id: string; scheduledAt: Date }[] }> {
  const postSets = await sql<TimedPostSet>`
    select id, status, scheduled_at as "scheduledAt" from all_post_sets
    where social_set_id = ${socialSetId} and removed_at is not null order by id for update`.execute(trx)
  const notes = await sql<{ id: string; scheduledAt: Date }>`
    select id, scheduled_at as "scheduledAt" from all_notes
    where social_set_id = ${socialSetId} and removed_at is not null order by id for update`.execute(trx)
  return { postSets: postSets.rows, notes: notes.rows }
}

/** Moves what was removed to other times: there it is when it comes back. The caller holds the rows. */
export async function moveRemoved(
  trx: Database,
  { postSets, notes }: { postSets: readonly Move[]; notes: readonly Move[] },
): Promise<void> {
  for (const [table, moves] of [
    ['all_post_sets', postSets],
    ['all_notes', notes],
  ] as const) {
    for (const part of inParts(moves)) {
      await sql`
        update ${sql.table(table)} as removed set scheduled_at = moved_to
        from ${unnested(part)} where removed.id = move.id`.execute(trx)
    }
  }
}

function unnested(moves: readonly Move[]) {
  return sql`unnest(
    ${moves.map(({ id }) => id)}::uuid[], ${moves.map(({ to }) => to)}::timestamptz[]
  ) as move (id, moved_to)`
}
