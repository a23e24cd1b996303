import { type RawBuilder, sql } from 'kysely'
import type { PlanName, SharedCalendarAllows, SharedCalendarShows, SharedCalendarState } from '#contract'
import { type Database, now } from './database.ts'
import type { Visible } from './visible.ts'

/** What a member says of a shared calendar. */
export interface SharedCalendarFields {
  name: string
  socialSetIds: readonly string[]
  shows: SharedCalendarShows
  allows: SharedCalendarAllows
  /** A date; null: it works until it is closed. */
  lastDay: string | null
  /** Guests are addressed formally. */
  formal: boolean
  passcodeHash: string | null
}

/** A shared calendar as members see it. */
export interface SharedCalendarRow extends SharedCalendarFields {
  id: string
  accountId: string
  state: SharedCalendarState
  createdBy: string
  createdAt: Date
  renewedAt: Date | null
  closedAt: Date | null
  visitors: number
  lastLookAt: Date | null
  canCopy: boolean
  /** `at` is ISO 8601 with an offset. */
  lastCopy: { by: string; at: string } | null
}

/** One that can be entered now. */
export interface OpenSharedCalendar extends SharedCalendarFields {
  id: string
  accountId: string
  plan: PlanName
}

/** SQL: a row of shared_calendars called calendar is neither closed nor over. */
export const isOpenCalendar = sql<boolean>`(calendar.closed_at is null and (calendar.expires_at is null or calendar.expires_at > ${now}))`

const fields = sql`
  calendar.id, calendar.account_id as "accountId", calendar.name, calendar.social_set_ids as "socialSetIds",
  json_build_object('scheduled', calendar.shows_scheduled, 'drafts', calendar.shows_drafts,
    'published', calendar.shows_published) as shows,
  json_build_object('comment', calendar.allows_comment, 'decide', calendar.allows_decide,
    'notes', calendar.allows_notes, 'files', calendar.allows_files) as allows,
  calendar.last_day::text as "lastDay", calendar.formal, calendar.passcode_hash as "passcodeHash"`

/** SQL of the columns of `OpenSharedCalendar`, of a row called calendar. */
export const openCalendarColumns = sql`${fields},
  (select plan from accounts where accounts.id = calendar.account_id) as plan`

/** What members see: all brands of a link are theirs. */
const isSeen = ({ accountId, socialSetIds }: Visible) =>
  socialSetIds === null
    ? sql`calendar.account_id = ${accountId}`
    : sql`calendar.account_id = ${accountId} and calendar.social_set_ids <@ ${socialSetIds}::uuid[]`

/** The shared calendars of an account, newest first; what is closed comes last. */
export async function listSharedCalendars(
  db: Database,
  visible: Visible,
  { id = null, limit }: { id?: string | null; limit: number },
): Promise<SharedCalendarRow[]> {
  const one = id === null ? sql`true` : sql`calendar.id = ${id}`
  const { rows } = await sql<SharedCalendarRow>`
    select ${fields}, calendar.created_by_name as "createdBy", calendar.created_at as "createdAt",
      calendar.renewed_at as "renewedAt", calendar.closed_at as "closedAt",
      case when ${isOpenCalendar} then 'open' when calendar.closed_at is null then 'expired' else 'closed' end as state,
      guests.visitors, guests.last as "lastLookAt", calendar.secret is not null as "canCopy", (
        select json_build_object('by', user_name, 'at', copied_at) from shared_calendar_copies
        where shared_calendar_id = calendar.id order by copied_at desc limit 1
      ) as "lastCopy"
    from shared_calendars calendar, lateral (
      select count(*)::integer as visitors, max(last_look_at) as last from shared_guests
      where shared_calendar_id = calendar.id and last_look_at is not null
    ) as guests
    where ${isSeen(visible)} and ${one}
    order by calendar.closed_at is not null, calendar.created_at desc, calendar.id desc limit ${limit}`.execute(db)
  return rows
}

/** A shared calendar that the caller may see; null when there is none. */
export async function findSharedCalendar(
  db: Database,
  visible: Visible,
  id: string,
): Promise<SharedCalendarRow | null> {
  const [row] = await listSharedCalendars(db, visible, { id, limit: 1 })
  return row ?? null
}

/** Holds the row of a shared calendar until the transaction ends; false when it is not there for the caller. */
export async function lockSharedCalendar(trx: Database, visible: Visible, id: string): Promise<boolean> {
  const { rows } = await sql`
    select from shared_calendars calendar where calendar.id = ${id} and ${isSeen(visible)} for update`.execute(trx)
  return rows.length > 0
}

/** How many of an account are neither closed nor over. */
export async function countOpenSharedCalendars(db: Database, accountId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from shared_calendars calendar
    where calendar.account_id = ${accountId} and ${isOpenCalendar}`.execute(db)
  return rows[0]?.count ?? 0
}

/** The end of a day, in the zone of those brands in which it ends last. Null without one. */
const endOf = (lastDay: string | null, socialSetIds: readonly string[]): RawBuilder<Date | null> =>
  lastDay === null
    ? sql`null`
    : sql`(
      select max((${lastDay}::date + 1)::timestamp at time zone timezone) from social_sets
      where id = any(${socialSetIds}::uuid[]))`

export async function insertSharedCalendar(
  trx: Database,
  calendar: SharedCalendarFields & {
    id: string
    accountId: string
    token: KeptToken
    createdBy: { id: string; name: string }
  },
): Promise<void> {
  await trx
    .insertInto('shared_calendars')
    .values({
      ...columnsOf(calendar),
      id: calendar.id,
      account_id: calendar.accountId,
      ...tokenColumns(calendar.token),
      created_by: calendar.createdBy.id,
      created_by_name: calendar.createdBy.name,
    })
    .execute()
}

/** Writes what members say of a shared calendar. The caller holds its row. */
export async function updateSharedCalendar(trx: Database, id: string, wanted: SharedCalendarFields): Promise<void> {
  await trx.updateTable('shared_calendars').set(columnsOf(wanted)).where('id', '=', id).execute()
}

/** The token of an address: its SHA-256, by which it is found, and itself, sealed for `shared_calendars/<id>`. */
export interface KeptToken {
  hash: Buffer
  secret: Buffer
  secretKeyId: string
}

const tokenColumns = ({ hash, secret, secretKeyId }: KeptToken) => ({
  token_hash: hash,
  secret,
  secret_key_id: secretKeyId,
})

function columnsOf({ name, socialSetIds, shows, allows, formal, lastDay, passcodeHash }: SharedCalendarFields) {
  return {
    name,
    social_set_ids: [...socialSetIds],
    passcode_hash: passcodeHash,
    shows_scheduled: shows.scheduled,
    shows_drafts: shows.drafts,
    shows_published: shows.published,
    allows_comment: allows.comment,
    allows_decide: allows.decide,
    allows_notes: allows.notes,
    allows_files: allows.files,
    formal,
    last_day: lastDay,
    expires_at: endOf(lastDay, socialSetIds),
  }
}

/** Gives a shared calendar another address, which this user is shown. The caller holds its row, and ends what was entered by the old one. */
export async function renewSharedCalendar(
  trx: Database,
  id: string,
  { token, userId }: { token: KeptToken; userId: string | null },
): Promise<void> {
  await trx
    .updateTable('shared_calendars')
    .set({ ...tokenColumns(token), renewed_at: now, renewed_by: userId })
    .where('id', '=', id)
    .execute()
}

/** The sealed token of a shared calendar; null: it is not kept. Notes who is shown the address. The caller holds its row. */
export async function copySharedToken(
  trx: Database,
  id: string,
  { copyId, user }: { copyId: string; user: { id: string; name: string } },
): Promise<Omit<KeptToken, 'hash'> | null> {
  const { rows } = await sql<Omit<KeptToken, 'hash'>>`
    with kept as (select id, secret, secret_key_id from shared_calendars where id = ${id} and secret is not null),
      noted as (
        insert into shared_calendar_copies (id, shared_calendar_id, user_id, user_name)
        select ${copyId}, id, ${user.id}, ${user.name} from kept)
    select secret, secret_key_id as "secretKeyId" from kept`.execute(trx)
  return rows[0] ?? null
}

/** The caller holds its row, and ends what was entered. */
export async function closeSharedCalendar(trx: Database, id: string): Promise<void> {
  await trx.updateTable('shared_calendars').set({ closed_at: now }).where('id', '=', id).execute()
}

/**
 * Ends all visits of a shared calendar, begun or about to begin. With `news`, the ways in that mails have end, and addresses of
 * guests are forgotten.
 */
export async function endVisits(trx: Database, id: string, { news }: { news: boolean }): Promise<void> {
  await sql`
    delete from shared_visits using shared_guests
    where shared_guests.id = guest_id and shared_calendar_id = ${id}`.execute(trx)
  const keys = trx.deleteFrom('shared_keys').where('shared_calendar_id', '=', id)
  await (news ? keys : keys.where('purpose', '=', 'begin')).execute()
  if (!news) return
  await trx
    .updateTable('shared_guests')
    .set({ email: null })
    .where('shared_calendar_id', '=', id)
    .where('email', 'is not', null)
    .execute()
}

/** A shared calendar that can be entered now, by its id alone. */
export async function findOpenSharedCalendar(db: Database, id: string): Promise<OpenSharedCalendar | null> {
  const { rows } = await sql<OpenSharedCalendar>`
    select ${openCalendarColumns} from shared_calendars calendar where calendar.id = ${id} and ${isOpenCalendar}`.execute(
    db,
  )
  return rows[0] ?? null
}

/** The same, which stays as it is until the transaction ends. */
export async function holdOpenSharedCalendar(trx: Database, id: string): Promise<OpenSharedCalendar | null> {
  await sql`select from shared_calendars where id = ${id} for share`.execute(trx)
  return findOpenSharedCalendar(trx, id)
}
