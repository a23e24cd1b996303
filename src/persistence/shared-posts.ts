import { type RawBuilder, sql } from 'kysely'
import type {
  AccountType,
  Approval,
  Decision,
  FormOfPost,
  HistoryAction,
  MediaType,
  NoteColor,
  Outcome,
  PostSetStatus,
} from '#contract'
import { POST_SET_STATUSES } from '#contract'
import type { DeliveryState } from '#domain'
import { formed, picturedForGuests } from './calendar.ts'
import { type Database, now } from './database.ts'
import { lastDelivery } from './post-set-deliveries.ts'
import { lastOutcome } from './post-sets.ts'
import type { OpenSharedCalendar } from './shared-calendars.ts'
import { HAS_SMALL_PICTURE, joinCover, SMALL_PICTURE, type SmallPicture } from './small-pictures.ts'
import { decisionIn, STORED_AS } from './stored-decisions.ts'
import { firstTextOfPosts } from './whole-text.ts'

/** What of a shared calendar says which post sets it shows. */
type Showing = Pick<OpenSharedCalendar, 'id' | 'accountId' | 'socialSetIds' | 'shows'>

/**
 * SQL: a row of post_sets called post_set is shown by a shared calendar. The one place that says so. What its guests have
 * decided stays shown while it is what they have decided about.
 */
function isShownBy({ id, accountId, socialSetIds, shows }: Showing): RawBuilder<boolean> {
  const statuses = POST_SET_STATUSES.filter(
    (status) =>
      (shows.drafts && status === 'DRAFT') ||
      (shows.scheduled && (status === 'SCHEDULED' || status === 'PUBLISHING')) ||
      (shows.published && (status === 'PUBLISHING' || status === 'PUBLISHED')),
  )
  return sql<boolean>`(
    post_set.account_id = ${accountId} and post_set.social_set_id = any(${socialSetIds}::uuid[]) and (
      post_set.status = any(${statuses}::text[])
      or (post_set.status in ('DRAFT', 'SCHEDULED') and (
        post_set.approval = 'EXTERNAL_PENDING'
        or exists (
          select from shared_decisions decided
          where decided.shared_calendar_id = ${id} and decided.post_set_id = post_set.id
            and decided.content_version = post_set.content_version and decided.approval = post_set.approval
        )
      ))
    ))`
}

/** What guests see of a post set besides its posts. */
export interface SharedFacts {
  id: string
  socialSetId: string
  scheduledAt: Date
  status: PostSetStatus
  approval: Approval
  version: number
  contentVersion: number
  /** What the link's guests have decided last; null when it was about another content, or was changed since. */
  decision: {
    decision: Decision
    guestId: string | null
    by: string
    /** ISO 8601 with an offset. */
    at: string
    message: string | null
    /** The row of history of the guest's own approval, as long as it can be taken back; null otherwise. */
    undoes: number | null
  } | null
  /** The team's approval of it was given with a reason, because no other reviewer was left. */
  approvedAlone: boolean
  /** What the guest has seen last; null for nothing. */
  seen: {
    version: number
    /** What was seen before that, when it said something else. */
    before: number | null
    contentVersion: number
    isChanged: boolean
  } | null
  /** Of each post of a set that is published; the state is that of its newest delivery. Null for any other. */
  results: { status: Outcome | null; state: DeliveryState | null }[] | null
}

/** What happens to a post set after an approval without anyone relying on it. */
const KEEPS_UNDO: readonly HistoryAction[] = ['label added', 'label removed', 'labels changed', 'locked', 'unlocked']

/**
 * SQL: the row of history by which a guest approved a row of post_sets called post_set; null when it cannot be taken back,
 * because somebody has scheduled, parked, changed or decided the set since, or it has begun to publish.
 */
const undoableApproval = (guestId: string) => sql`(
  select given.sequence from review_decisions given
  where given.post_set_id = post_set.id and given.latest and given.decision = 'APPROVED' and given.step = 'CLIENT'
    and given.actor_type = 'REVIEWER' and given.actor_id = ${guestId}::text
    and post_set.approval = 'APPROVED' and post_set.status in ('DRAFT', 'SCHEDULED')
    and not exists (
      select from history later
      where later.post_set_id = given.post_set_id and later.sequence > given.sequence
        and later.action not in (${sql.join(KEEPS_UNDO)})
    ))`

const factsOf = ({ id }: Showing, guestId: string) => sql`
  post_set.id, post_set.social_set_id as "socialSetId", post_set.scheduled_at as "scheduledAt", post_set.status,
  post_set.approval, post_set.version, post_set.content_version as "contentVersion",
  (
    select json_build_object('decision', ${decisionIn(sql`decided.approval`)}, 'guestId', decided.guest_id, 'by', decided.guest_name,
      'at', decided.decided_at, 'message', decided.message,
      'undoes', case when decided.guest_id = ${guestId} then ${undoableApproval(guestId)} end)
    from shared_decisions decided
    where decided.shared_calendar_id = ${id} and decided.post_set_id = post_set.id
      and decided.content_version = post_set.content_version and decided.approval = post_set.approval
  ) as decision,
  case when post_set.approval in ('EXTERNAL_PENDING', 'APPROVED') then coalesce((
    select entry.changes ? 'reason'
    from review_decisions team join history entry on entry.post_set_id = team.post_set_id and entry.sequence = team.sequence
    where team.post_set_id = post_set.id and team.decision = 'APPROVED' and team.step = 'TEAM'
      and team.content_version = post_set.content_version
    order by team.sequence desc limit 1
  ), false) else false end as "approvedAlone",
  (
    select json_build_object('version', seen.version, 'before', seen.before_version, 'contentVersion', seen.content_version,
      'isChanged', (seen.content_version, seen.scheduled_at) is distinct from (post_set.content_version, post_set.scheduled_at))
    from shared_seen seen where seen.guest_id = ${guestId} and seen.post_set_id = post_set.id
  ) as seen,
  (
    select json_agg(json_build_object('status', ${sql.raw(lastOutcome)}, 'state', delivery.state))
    from posts post left join lateral ${lastDelivery} as delivery on true
    where post.post_set_id = post_set.id and post_set.status = 'PUBLISHED'
  ) as results`

/** A post set as the guests' calendar shows it. */
export interface SharedCardRow extends SharedFacts {
  accountTypes: AccountType[]
  /** Beginning of the first caption, one code point longer than asked for when there is more. */
  caption: string
  /** The first one of its files; its id is that of the place in the post. */
  picture: SmallPicture | null
  mediaType: MediaType | null
  mediaCount: number
  forms: FormOfPost[]
}

interface SharedRange {
  socialSetIds: readonly string[]
  from: Date
  before: Date
  limit: number
}

/** What a shared calendar shows of some of its brands between two times, by time. */
export async function listSharedCards(
  db: Database,
  calendar: Showing,
  {
    guestId,
    captionCodePoints,
    after,
    ...range
  }: SharedRange & { guestId: string; captionCodePoints: number; after: { at: Date; id: string } | null },
): Promise<SharedCardRow[]> {
  const { rows } = await sql<SharedCardRow>`
    select ${factsOf(calendar, guestId)}, coalesce(shown.types, '[]') as "accountTypes",
      coalesce(shown.caption, '') as caption, pictured.picture, pictured.type as "mediaType",
      coalesce(pictured.count, 0)::integer as "mediaCount", coalesce(formed.posts, '[]') as forms
    from (
      select * from post_sets post_set
      where ${isShownBy(calendar)} and post_set.social_set_id = any(${range.socialSetIds}::uuid[])
        and post_set.scheduled_at >= ${after && after.at > range.from ? after.at : range.from} and post_set.scheduled_at < ${range.before}
        and ${after ? sql`(post_set.scheduled_at, post_set.id) > (${after.at}, ${after.id}::uuid)` : sql`true`}
      order by post_set.scheduled_at, post_set.id limit ${range.limit}
    ) as post_set
    left join lateral (
      select json_agg(post.account_type order by post.position) as types,
        ${firstTextOfPosts(captionCodePoints)} as caption
      from posts post where post.post_set_id = post_set.id
    ) as shown on true
    left join lateral ${picturedForGuests} as pictured on true
    left join lateral ${formed} as formed on true
    order by post_set.scheduled_at, post_set.id`.execute(db)
  return rows
}

/** A post set that a shared calendar shows; null for any other. */
export async function findSharedFacts(
  db: Database,
  calendar: Showing,
  { guestId, id }: { guestId: string; id: string },
): Promise<SharedFacts | null> {
  const { rows } = await sql<SharedFacts>`
    select ${factsOf(calendar, guestId)} from post_sets post_set
    where post_set.id = ${id} and ${isShownBy(calendar)}`.execute(db)
  return rows[0] ?? null
}

/** What waits for the client in a month of a social set. */
interface SharedWaiting {
  socialSetId: string
  /** In the time zone of the social set: `2030-06`. */
  month: string
  count: number
  firstAt: Date
  /** The earliest time of those that are still to come. */
  nextAt: Date | null
}

/** What waits for the client, by social set and month, earliest first. */
export async function countSharedWaiting(db: Database, calendar: Showing): Promise<SharedWaiting[]> {
  const { rows } = await sql<SharedWaiting>`
    select post_set.social_set_id as "socialSetId",
      to_char(post_set.scheduled_at at time zone social_set.timezone, 'YYYY-MM') as month,
      count(*)::integer as count, min(post_set.scheduled_at) as "firstAt",
      min(post_set.scheduled_at) filter (where post_set.scheduled_at > ${now}) as "nextAt"
    from post_sets post_set join social_sets social_set on social_set.id = post_set.social_set_id
    where ${isShownBy(calendar)} and post_set.approval = 'EXTERNAL_PENDING' and post_set.status in ('DRAFT', 'SCHEDULED')
    group by 1, 2 order by "firstAt"`.execute(db)
  return rows
}

export interface SharedMedia {
  /** The library item. */
  mediaId: string
  name: string
  type: MediaType
  /** What stands for it in lists; null: nothing does. */
  picture: Omit<SmallPicture, 'id'> | null
}

/** The file behind a media item of a post that a shared calendar shows; null for any other. */
export async function findSharedMedia(db: Database, calendar: Showing, id: string): Promise<SharedMedia | null> {
  const { rows } = await sql<SharedMedia>`
    select used.media_id as "mediaId", item.name, item.facts->>'type' as type,
      case when ${sql.raw(HAS_SMALL_PICTURE)} then json_build_object(${sql.raw(SMALL_PICTURE)}) end as picture
    from post_media used join posts post on post.id = used.post_id join post_sets post_set on post_set.id = post.post_set_id
      join media_items item on item.id = used.media_id ${sql.raw(joinCover())}
    where used.id = ${id} and ${isShownBy(calendar)}`.execute(db)
  return rows[0] ?? null
}

/** As whom the posts of a social set go out: its open connections. */
export async function listSharedAccounts(
  db: Database,
  socialSetId: string,
): Promise<{ accountType: AccountType; name: string; username: string | null }[]> {
  return db
    .selectFrom('connections')
    .select(['account_type as accountType', 'name', 'username'])
    .where('social_set_id', '=', socialSetId)
    .where('closed_at', 'is', null)
    .execute()
}

/** Writes which version of a post set a guest has seen: never an older one than before. */
export async function writeSeen(db: Database, guestId: string, set: SharedFacts): Promise<void> {
  await sql`
    insert into shared_seen as known (guest_id, post_set_id, version, content_version, scheduled_at)
    values (${guestId}, ${set.id}, ${set.version}, ${set.contentVersion}, ${set.scheduledAt})
    on conflict (guest_id, post_set_id) do update set version = excluded.version,
      before_version = case
        when (known.content_version, known.scheduled_at) is distinct from (excluded.content_version, excluded.scheduled_at)
        then known.version else known.before_version end,
      content_version = excluded.content_version, scheduled_at = excluded.scheduled_at
    where known.version < excluded.version`.execute(db)
}

/** Writes what a guest has decided, in place of what the link's guests had decided before. */
export async function writeSharedDecision(
  trx: Database,
  decided: {
    sharedCalendarId: string
    postSetId: string
    guest: { id: string; name: string }
    decision: Decision
    message: string | null
    contentVersion: number
  },
): Promise<void> {
  const { guest, decision, message } = decided
  await sql`
    insert into shared_decisions
      (shared_calendar_id, post_set_id, guest_id, guest_name, approval, message, content_version)
    values (${decided.sharedCalendarId}, ${decided.postSetId}, ${guest.id}, ${guest.name}, ${STORED_AS[decision]}, ${message},
      ${decided.contentVersion})
    on conflict (shared_calendar_id, post_set_id) do update set guest_id = excluded.guest_id,
      guest_name = excluded.guest_name, approval = excluded.approval, message = excluded.message,
      content_version = excluded.content_version, decided_at = excluded.decided_at`.execute(trx)
}

/** Removes what the link's guests decided about a post set: it was taken back. */
export async function removeSharedDecision(
  trx: Database,
  { sharedCalendarId, postSetId }: { sharedCalendarId: string; postSetId: string },
): Promise<void> {
  await trx
    .deleteFrom('shared_decisions')
    .where('shared_calendar_id', '=', sharedCalendarId)
    .where('post_set_id', '=', postSetId)
    .execute()
}

export interface SharedNoteRow {
  id: string
  socialSetId: string
  content: string
  hexColor: NoteColor
  scheduledAt: Date
  by: string
}

/** Notes that guests of a shared calendar have added to some of its brands, between two times, by time. */
export async function listSharedNotes(
  db: Database,
  calendar: Pick<Showing, 'id'>,
  range: SharedRange,
): Promise<SharedNoteRow[]> {
  return db
    .selectFrom('shared_notes')
    .innerJoin('notes', 'notes.id', 'note_id')
    .select(['notes.id', 'social_set_id as socialSetId', 'content', 'hex_color as hexColor'])
    .select(['scheduled_at as scheduledAt', 'guest_name as by'])
    .where('shared_calendar_id', '=', calendar.id)
    .where('social_set_id', 'in', [...range.socialSetIds])
    .where('scheduled_at', '>=', range.from)
    .where('scheduled_at', '<', range.before)
    .orderBy('scheduled_at')
    .orderBy('notes.id')
    .limit(range.limit)
    .execute()
}

/** By whom a note was added. */
export async function insertSharedNote(
  trx: Database,
  note: { noteId: string; sharedCalendarId: string; guest: { id: string; name: string } },
): Promise<void> {
  await trx
    .insertInto('shared_notes')
    .values({
      note_id: note.noteId,
      shared_calendar_id: note.sharedCalendarId,
      guest_id: note.guest.id,
      guest_name: note.guest.name,
    })
    .execute()
}

/** Ids of what a shared calendar shows, and of the notes of its guests: so many of each, those nearest to now. */
export async function nearestShared(
  db: Database,
  calendar: Showing,
  limit: number,
): Promise<{ postSetIds: string[]; noteIds: string[] }> {
  const nearest = sql`order by abs(extract(epoch from scheduled_at - ${now})), id limit ${limit}`
  const { rows: sets } = await sql<{ id: string }>`
    select id from post_sets post_set where ${isShownBy(calendar)} ${nearest}`.execute(db)
  const { rows: notes } = await sql<{ id: string }>`
    select id from shared_notes join notes on notes.id = note_id
    where shared_calendar_id = ${calendar.id} and social_set_id = any(${calendar.socialSetIds}::uuid[]) ${nearest}`.execute(
    db,
  )
  return { postSetIds: sets.map(({ id }) => id), noteIds: notes.map(({ id }) => id) }
}
