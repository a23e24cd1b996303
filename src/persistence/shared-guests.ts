import { sql } from 'kysely'
import { rolesWith } from '#contract'
import { DAY_MS, HOUR_MS } from '#contract/durations'
import { type Database, fromNow, inBatches, now, settledNow } from './database.ts'
import { isOpenCalendar, type OpenSharedCalendar, openCalendarColumns } from './shared-calendars.ts'

/** What a secret in an address opens. */
interface WayIn extends OpenSharedCalendar {
  /** Whose mail has it; null: who comes by it is the guest that the browser was, or a new one, unless it is a member's. */
  guestId: string | null
  /** A member's: no passcode is asked for. */
  ofMember: boolean
}

/** SQL: a row of shared_keys called key is no member's, or that of one who may still share all of the row called calendar. */
const mayLook = sql<boolean>`(key.user_id is null or exists (
  select from memberships membership
  where membership.user_id = key.user_id and membership.account_id = calendar.account_id
    and membership.role = any(${rolesWith('shared-calendars:manage')}::text[])
    and (membership.social_set_ids is null or calendar.social_set_ids <@ membership.social_set_ids)))`

/** The shared calendar that a token opens now: that of its address, of a mail, or of a member who looks. */
export async function findWayIn(db: Database, tokenHash: Buffer): Promise<WayIn | null> {
  const { rows } = await sql<WayIn>`
    select ${openCalendarColumns}, null as "guestId", false as "ofMember" from shared_calendars calendar
    where calendar.token_hash = ${tokenHash} and ${isOpenCalendar}
    union all
    select ${openCalendarColumns}, key.guest_id, key.guest_id is null
    from shared_keys key join shared_calendars calendar on calendar.id = key.shared_calendar_id
    where key.token_hash = ${tokenHash} and key.purpose = 'enter' and key.expires_at > ${now} and ${isOpenCalendar}
      and ${mayLook}`.execute(db)
  return rows[0] ?? null
}

/** Keeps the secret of a browser that has followed the address of a link. Whether it becomes a guest is seen when it loads the page. */
export async function insertEntry(
  trx: Database,
  entry: { tokenHash: Buffer; sharedCalendarId: string; seconds: number },
): Promise<void> {
  await trx
    .insertInto('shared_keys')
    .values({
      token_hash: entry.tokenHash,
      purpose: 'begin',
      shared_calendar_id: entry.sharedCalendarId,
      guest_id: null,
      user_id: null,
      email: null,
      expires_at: fromNow(entry.seconds * 1_000),
    })
    .execute()
}

/** Whether such a secret lets a browser in now. Its row is held until the transaction ends. */
export async function holdEntry(trx: Database, sharedCalendarId: string, tokenHash: Buffer): Promise<boolean> {
  const { rows } = await sql`
    select from shared_keys
    where token_hash = ${tokenHash} and purpose = 'begin' and shared_calendar_id = ${sharedCalendarId} and expires_at > ${now}
    for update`.execute(trx)
  return rows.length > 0
}

/** The browser has its visit, or needs no other one. */
export async function dropEntry(db: Database, tokenHash: Buffer): Promise<void> {
  await db.deleteFrom('shared_keys').where('token_hash', '=', tokenHash).where('purpose', '=', 'begin').execute()
}

/** Keeps a secret that lets a person in: a guest by mail, or a member, who is no guest and looks as long as it lasts. */
export async function insertWayIn(
  db: Database,
  key: { tokenHash: Buffer; sharedCalendarId: string; hours: number } & ({ guestId: string } | { userId: string }),
): Promise<void> {
  await db
    .insertInto('shared_keys')
    .values({
      token_hash: key.tokenHash,
      purpose: 'enter',
      shared_calendar_id: key.sharedCalendarId,
      guest_id: 'guestId' in key ? key.guestId : null,
      user_id: 'userId' in key ? key.userId : null,
      email: null,
      expires_at: fromNow(key.hours * HOUR_MS),
    })
    .execute()
}

/**
 * A guest of whom nothing is known but that they come. Anyone who has the address can make them by coming again and again, so a link
 * has so many, with a name or without. For one more, others are forgotten: who never looked, then who has no name, the longest
 * gone first, then who has a name and no way back.
 *
 * @returns false when no one can be forgotten
 */
export async function insertGuest(
  trx: Database,
  { id, sharedCalendarId, device }: { id: string; sharedCalendarId: string; device: string },
  most: number,
): Promise<boolean> {
  const all = sql`(select count(*) from shared_guests where shared_calendar_id = ${sharedCalendarId})`
  await sql`
    delete from shared_guests where id in (
      select guest.id from shared_guests guest
      where guest.shared_calendar_id = ${sharedCalendarId} and (guest.name is null or (guest.email is null
        and not exists (select from shared_visits visit where visit.guest_id = guest.id and visit.expires_at > ${now})
        and not exists (select from shared_keys key where key.guest_id = guest.id and key.expires_at > ${now})))
      order by guest.name is not null, guest.last_look_at is not null, coalesce(guest.last_look_at, guest.created_at), guest.id
      limit greatest(0, ${all} - ${most - 1}::integer))`.execute(trx)
  const { numAffectedRows } = await sql`
    insert into shared_guests (id, shared_calendar_id, device)
    select ${id}::uuid, ${sharedCalendarId}::uuid, ${device} where ${all} < ${most}::integer`.execute(trx)
  return numAffectedRows === 1n
}

export async function insertVisit(
  trx: Database,
  visit: { tokenHash: Buffer; guestId: string; days: number },
): Promise<void> {
  await trx
    .insertInto('shared_visits')
    .values({ token_hash: visit.tokenHash, guest_id: visit.guestId, expires_at: fromNow(visit.days * DAY_MS) })
    .execute()
}

export interface VisitRow {
  tokenHash: Buffer
  /** Of a member who looks; `guest` is the one of no row then. */
  ofMember: boolean
  guest: { id: string; name: string | null; email: string | null }
  calendar: OpenSharedCalendar
}

/** The id of no guest: what is asked about it finds nothing. */
const NO_GUEST = '00000000-0000-0000-0000-000000000000'

/**
 * Those of these visits that are under way on that shared calendar, which is open. A member's way in is the visit, too: of it
 * nothing is kept.
 */
export async function findVisits(
  db: Database,
  sharedCalendarId: string,
  tokenHashes: readonly Buffer[],
): Promise<VisitRow[]> {
  const { rows } = await sql<
    OpenSharedCalendar & {
      tokenHash: Buffer
      ofMember: boolean
      guestId: string
      guestName: string | null
      guestEmail: string | null
    }
  >`
    select ${openCalendarColumns}, visit.token_hash as "tokenHash", false as "ofMember", guest.id as "guestId",
      guest.name as "guestName", guest.email as "guestEmail"
    from shared_visits visit
    join shared_guests guest on guest.id = visit.guest_id
    join shared_calendars calendar on calendar.id = guest.shared_calendar_id
    where visit.token_hash = any(${tokenHashes}::bytea[]) and visit.expires_at > ${now}
      and calendar.id = ${sharedCalendarId} and ${isOpenCalendar}
    union all
    select ${openCalendarColumns}, key.token_hash, true, ${NO_GUEST}::uuid, null, null
    from shared_keys key join shared_calendars calendar on calendar.id = key.shared_calendar_id
    where key.token_hash = any(${tokenHashes}::bytea[]) and key.purpose = 'enter' and key.guest_id is null
      and key.expires_at > ${now} and calendar.id = ${sharedCalendarId} and ${isOpenCalendar} and ${mayLook}`.execute(
    db,
  )
  return rows.map(({ tokenHash, ofMember, guestId, guestName, guestEmail, ...calendar }) => ({
    tokenHash,
    ofMember,
    guest: { id: guestId, name: guestName, email: guestEmail },
    calendar,
  }))
}

/** Prolongs a visit. */
export async function prolongVisit(db: Database, tokenHash: Buffer, days: number): Promise<void> {
  await db
    .updateTable('shared_visits')
    .set({ expires_at: fromNow(days * DAY_MS) })
    .where('token_hash', '=', tokenHash)
    .execute()
}

/** Ends a visit that its browser does not need, with its guest when that one has no name yet. */
export async function dropVisit(db: Database, tokenHash: Buffer): Promise<void> {
  await sql`
    with gone as (delete from shared_visits where token_hash = ${tokenHash} returning guest_id)
    delete from shared_guests using gone
    where shared_guests.id = gone.guest_id and name is null and last_look_at is null`.execute(db)
}

/** In which language (BCP 47) a guest reads about which brands, by their names in their order; null when the guest has gone. */
export async function findGuestReading(
  db: Database,
  guestId: string,
): Promise<{ locale: string | null; formal: boolean; brands: string[] } | null> {
  const { rows } = await sql<{ locale: string | null; formal: boolean; brands: string[] }>`
    select guest.locale, calendar.formal, array(
      select social_set.name from social_sets social_set where social_set.id = any(calendar.social_set_ids)
      order by array_position(calendar.social_set_ids, social_set.id)
    ) as brands
    from shared_guests guest join shared_calendars calendar on calendar.id = guest.shared_calendar_id
    where guest.id = ${guestId}`.execute(db)
  return rows[0] ?? null
}

/** Notes that a guest looks; what comes within so many minutes is one look. */
export async function noteLook(db: Database, guestId: string, minutes: number): Promise<void> {
  await sql`
    update shared_guests set last_look_at = ${now}, first_look_at = coalesce(first_look_at, ${now}), looks = looks + 1
    where id = ${guestId}
      and (last_look_at is null or last_look_at < ${now} - make_interval(mins => ${minutes}::integer))`.execute(db)
}

interface VisitorRow {
  id: string
  name: string | null
  device: string
  hasNews: boolean
  firstLookAt: Date
  lastLookAt: Date
  looks: number
}

/** Guests who have looked, the latest first. */
export async function listVisitors(db: Database, sharedCalendarId: string, limit: number): Promise<VisitorRow[]> {
  const { rows } = await sql<VisitorRow>`
    select id, name, device, email is not null as "hasNews", first_look_at as "firstLookAt",
      last_look_at as "lastLookAt", looks
    from shared_guests where shared_calendar_id = ${sharedCalendarId} and last_look_at is not null
    order by last_look_at desc, id desc limit ${limit}`.execute(db)
  return rows
}

export async function renameGuest(db: Database, guestId: string, name: string): Promise<void> {
  await db.updateTable('shared_guests').set({ name }).where('id', '=', guestId).execute()
}

/** The address that waits for its confirmation; null for none. */
export async function findEmailToConfirm(db: Database, guestId: string): Promise<string | null> {
  const row = await db
    .selectFrom('shared_keys')
    .select('email')
    .where('guest_id', '=', guestId)
    .where('purpose', '=', 'confirm')
    .where('expires_at', '>', now)
    .executeTakeFirst()
  return row?.email ?? null
}

/** Has a guest's address wait for its confirmation, in place of an earlier one. */
export async function insertConfirmation(
  trx: Database,
  key: { tokenHash: Buffer; sharedCalendarId: string; guestId: string; email: string; hours: number },
): Promise<void> {
  await forgetConfirmations(trx, key.guestId)
  await trx
    .insertInto('shared_keys')
    .values({
      token_hash: key.tokenHash,
      purpose: 'confirm',
      shared_calendar_id: key.sharedCalendarId,
      guest_id: key.guestId,
      email: key.email,
      expires_at: fromNow(key.hours * HOUR_MS),
    })
    .execute()
}

async function forgetConfirmations(trx: Database, guestId: string): Promise<void> {
  await trx.deleteFrom('shared_keys').where('guest_id', '=', guestId).where('purpose', '=', 'confirm').execute()
}

/** How the guest of an address that a secret confirms now is addressed; null: it confirms nothing. */
export async function findConfirmation(db: Database, tokenHash: Buffer): Promise<{ formal: boolean } | null> {
  const { rows } = await sql<{ formal: boolean }>`
    select calendar.formal
    from shared_keys key join shared_calendars calendar on calendar.id = key.shared_calendar_id
    where key.token_hash = ${tokenHash} and key.purpose = 'confirm' and key.expires_at > ${now} and ${isOpenCalendar}`.execute(
    db,
  )
  return rows[0] ?? null
}

/** Confirms an address, once, with the same answer. */
export async function confirmGuestEmail(db: Database, tokenHash: Buffer): Promise<{ formal: boolean } | null> {
  const { rows } = await sql<{ formal: boolean }>`
    with key as (
      delete from shared_keys using shared_calendars calendar
      where shared_keys.token_hash = ${tokenHash} and purpose = 'confirm' and shared_keys.expires_at > ${now}
        and calendar.id = shared_calendar_id and ${isOpenCalendar}
      returning guest_id, shared_keys.email, calendar.formal
    )
    update shared_guests set email = key.email from key where shared_guests.id = key.guest_id
    returning key.formal`.execute(db)
  return rows[0] ?? null
}

/** The language in which a guest reads, as the browser says. */
export async function setGuestLocale(db: Database, guestId: string, locale: string | null): Promise<void> {
  await db.updateTable('shared_guests').set({ locale }).where('id', '=', guestId).execute()
}

/** A guest wants no news any more. */
export async function stopGuestNews(trx: Database, guestId: string): Promise<void> {
  await forgetConfirmations(trx, guestId)
  await trx.updateTable('shared_guests').set({ email: null }).where('id', '=', guestId).execute()
}

/** Guests with a confirmed address who see a brand by a link that is open. */
export async function guestsWhoSee(db: Database, socialSetId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select guest.id from shared_guests guest join shared_calendars calendar on calendar.id = guest.shared_calendar_id
    where guest.email is not null and ${isOpenCalendar}
      and calendar.account_id = (select account_id from social_sets where id = ${socialSetId})
      and ${socialSetId}::uuid = any(calendar.social_set_ids)
    order by guest.id`.execute(db)
  return rows.map(({ id }) => id)
}

interface GuestWithNews {
  id: string
  sharedCalendarId: string
  name: string
  email: string
  locale: string | null
  formal: boolean
  socialSetIds: string[]
}

/** Of these guests, those who may get mail now. */
export async function findGuestsWithNews(db: Database, ids: readonly string[]): Promise<GuestWithNews[]> {
  const { rows } = await sql<GuestWithNews>`
    select guest.id, calendar.id as "sharedCalendarId", guest.name, guest.email, guest.locale,
      calendar.formal, calendar.social_set_ids as "socialSetIds"
    from shared_guests guest join shared_calendars calendar on calendar.id = guest.shared_calendar_id
    where guest.id = any(${ids}::uuid[]) and guest.email is not null and guest.name is not null and ${isOpenCalendar}`.execute(
    db,
  )
  return rows
}

/** How long what guests leave is kept, in days. */
export const SHARED_KEPT = { silentGuestDays: 1, closedCalendarDays: 30 } as const

/**
 * Removes what is over: visits, secrets, guests who never looked, and shared calendars that were closed long ago with all
 * that belongs to them but what guests wrote. Resolves with how many rows were removed.
 */
export async function removeOldVisits(
  db: Database,
  { batch = 500, signal }: { batch?: number; signal?: AbortSignal } = {},
): Promise<number> {
  const daysAgo = (days: number) => sql`${settledNow} - make_interval(days => ${days}::integer)`
  const old = [
    ['shared_visits', sql`expires_at <= ${settledNow}`],
    ['shared_keys', sql`expires_at <= ${settledNow}`],
    ['shared_guests', sql`last_look_at is null and created_at < ${daysAgo(SHARED_KEPT.silentGuestDays)}`],
    ['shared_calendars', sql`closed_at < ${daysAgo(SHARED_KEPT.closedCalendarDays)}`],
  ] as const
  let removed = 0
  for (const [table, isOld] of old) {
    removed += await inBatches({ batch, signal }, async () => {
      const { numAffectedRows } = await sql`
        delete from ${sql.table(table)} where ctid = any(array(
          select ctid from ${sql.table(table)} where ${isOld} limit ${batch} for update skip locked))`.execute(db)
      return numAffectedRows
    })
  }
  return removed
}
