import { type RawBuilder, sql } from 'kysely'
import {
  type MemberLinkKind,
  type Right,
  type Role,
  rolesWith,
  type SharedCalendarAllows,
  type SharedCalendarShows,
} from '#contract'
import type { Database } from './database.ts'
import type { Visible } from './visible.ts'

/** An address that opens something to everyone who has it; or a webhook that the member made, which sends what happens to one. */
export interface MemberLinkRow {
  kind: MemberLinkKind
  /** Of the shared calendar or webhook; of a calendar address, that of its brand. */
  id: string
  /** Of a webhook: its address. */
  name: string
  /** Of a webhook: none, all. */
  socialSetIds: string[]
  /** Of a shared calendar. */
  shows: SharedCalendarShows | null
  allows: SharedCalendarAllows | null
  /** Of a shared calendar that calendar programs read as well. */
  hasFeed: boolean
  /** The address that it has now was shown to the member, who created or renewed it. */
  made: boolean
}

/** What a member is: a role, and the social sets that are seen; null: all. Null: no member. */
type MemberAccess = { role: Role; socialSetIds: readonly string[] | null } | null

/** SQL: with this access, those of these social sets are in reach whose addresses the right shows. */
function reaches(access: MemberAccess, right: Right, socialSetIds: RawBuilder<unknown>): RawBuilder<boolean> {
  if (access === null || !rolesWith(right).includes(access.role)) return sql`false`
  return access.socialSetIds === null ? sql`true` : sql`${socialSetIds} <@ ${access.socialSetIds}::uuid[]`
}

/** SQL: with this access, such a webhook can be made. One that names no social sets is about all. */
function mayMake(access: MemberAccess): RawBuilder<boolean> {
  if (access === null || !rolesWith('webhooks:write').includes(access.role)) return sql`false`
  return access.socialSetIds === null
    ? sql`true`
    : sql`(cardinality(webhook.social_set_ids) > 0 and webhook.social_set_ids <@ ${access.socialSetIds}::uuid[])`
}

/** SQL: since an address is what it is, the member could see all of these social sets, and lost the right to that. */
function saw(since: RawBuilder<unknown>, socialSetIds: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql`not exists (
    select from unnest(${socialSetIds}) as brand
    where ${since} >= coalesce((member.addresses_seen ->> brand::text)::timestamptz, '-infinity'))`
}

/**
 * The addresses of an account that are not closed and that a member could see with one access, and cannot see with another one; as
 * far as the caller sees them. Without another one, also those that were shown to the member as they are now, which come first, and
 * those that the member saw before losing the right to. And webhooks of the account that the member made, and could not make any more.
 */
export async function listMemberLinks(
  db: Database,
  visible: Visible,
  { userId, before, after }: { userId: string; before: MemberAccess; after: MemberAccess },
): Promise<MemberLinkRow[]> {
  const ofCalendar = sql`calendar.social_set_ids`
  const ofBrand = sql`array[feed.social_set_id]`
  const seen = (socialSetIds: RawBuilder<unknown>) =>
    visible.socialSetIds === null ? sql`true` : sql`${socialSetIds} <@ ${visible.socialSetIds}::uuid[]`
  const knows = (
    right: Right,
    socialSetIds: RawBuilder<unknown>,
    { made, since }: { made: RawBuilder<unknown>; since: RawBuilder<unknown> },
  ) => sql`
    ((${after === null}::boolean and (${made} or ${saw(since, socialSetIds)})) or ${reaches(before, right, socialSetIds)})
    and not ${reaches(after, right, socialSetIds)}`
  const shownTo = sql`case when calendar.renewed_at is null then calendar.created_by else calendar.renewed_by end`
  const copied = sql`exists (
    select from shared_calendar_copies copy where copy.shared_calendar_id = calendar.id and copy.user_id = ${userId}
      and copy.copied_at >= coalesce(calendar.renewed_at, calendar.created_at))`
  const madeCalendar = sql`(coalesce(${shownTo} = ${userId}, false) or ${copied} or coalesce(feed.created_by = ${userId}, false))`
  const madeFeed = sql`coalesce(feed.created_by = ${userId}, false)`
  const feedSince = sql`coalesce(feed.renewed_at, feed.created_at)`
  // A feed of it is not older: it ends with the address.
  const calendarSince = sql`coalesce(calendar.renewed_at, calendar.created_at)`
  const member = sql`
    cross join (select addresses_seen from memberships where account_id = ${visible.accountId} and user_id = ${userId}) as member`
  const { rows } = await sql<MemberLinkRow>`
    select 'SHARED_CALENDAR' as kind, calendar.id, calendar.name, calendar.social_set_ids as "socialSetIds",
      json_build_object('scheduled', calendar.shows_scheduled, 'drafts', calendar.shows_drafts,
        'published', calendar.shows_published) as shows,
      json_build_object('comment', calendar.allows_comment, 'decide', calendar.allows_decide,
        'notes', calendar.allows_notes, 'files', calendar.allows_files) as allows,
      feed.id is not null as "hasFeed", ${madeCalendar} as made
    from shared_calendars calendar left join calendar_feeds feed on feed.shared_calendar_id = calendar.id
      ${member}
    where calendar.account_id = ${visible.accountId} and calendar.closed_at is null and ${seen(ofCalendar)}
      and ${knows('shared-calendars:manage', ofCalendar, { made: madeCalendar, since: calendarSince })}
    union all
    select 'CALENDAR_FEED', social_set.id, social_set.name, ${ofBrand}, null, null, false, ${madeFeed}
    from calendar_feeds feed join social_sets social_set on social_set.id = feed.social_set_id
      ${member}
    where feed.account_id = ${visible.accountId} and ${seen(ofBrand)} and ${knows('calendars:manage', ofBrand, { made: madeFeed, since: feedSince })}
    union all
    select 'WEBHOOK', webhook.id, webhook.url, webhook.social_set_ids, null, null, false, true
    from webhooks webhook
    where webhook.account_id = ${visible.accountId} and webhook.created_by = ${userId} and webhook.key_id is null
      and webhook.closed_at is null and ${mayMake({ role: 'owner', socialSetIds: visible.socialSetIds })}
      and not ${mayMake(after)}
    order by made desc, name, id`.execute(db)
  return rows
}
