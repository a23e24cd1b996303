import { sql } from 'kysely'
import { MOST_UNREAD, type NewsCause } from '#contract'
import { type Database, now } from './database.ts'
import { NEWS_COLUMNS, NEWS_JOINS, type NewsRow, readNewsRow, type StoredNewsRow } from './news-rows.ts'
import { isVisible, type Visible } from './visible.ts'

/** A line of the bell, with the latest news that were folded into it. */
export interface BellRow {
  id: string
  cause: NewsCause
  at: Date
  read: boolean
  count: number
  news: NewsRow
}

/** Where a page begins: behind this item. */
interface BellPlace {
  at: Date
  id: string
}

/** Lines of what a member no longer sees are not shown. What is of no brand is seen by those who have made it, too. */
const shownTo = (visible: Visible, userId: string) => sql`
  item.user_id = ${userId}::uuid
  and (${isVisible(visible, { account: 'item.account_id', socialSet: 'item.social_set_id' })}
    or (item.account_id = ${visible.accountId} and item.social_set_id is null and exists (
      select from news where news.id = item.news_id and facts -> 'concerned' ? ${userId}::text)))`

/** A page of the bell of a member, newest first. */
export async function listBell(
  db: Database,
  visible: Visible,
  page: { userId: string; after: BellPlace | null; unread: boolean; limit: number },
): Promise<BellRow[]> {
  const { userId, after, unread, limit } = page
  const { rows } = await sql<
    StoredNewsRow & { itemId: string; cause: NewsCause; at: Date; read: boolean; count: number }
  >`
    select item.id as "itemId", item.cause, item.at, item.read_at is not null as read, item.count, ${NEWS_COLUMNS}
    from (
      select * from bell_items item where ${shownTo(visible, userId)}
        and ${unread ? sql`item.read_at is null` : sql`true`}
        and ${after ? sql`(item.at, item.id) < (${after.at}, ${after.id}::uuid)` : sql`true`}
      order by item.at desc, item.id desc limit ${limit}
    ) as item join news on news.id = item.news_id ${NEWS_JOINS}
    order by item.at desc, item.id desc`.execute(db)
  return rows.map(({ itemId, cause, at, read, count, ...news }) => ({
    ...{ id: itemId, cause, at, read, count },
    news: readNewsRow(news),
  }))
}

/** How many lines a member has not read: exact up to `MOST_UNREAD`. */
export async function countUnread(db: Database, visible: Visible, userId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from (
      select from bell_items item where ${shownTo(visible, userId)} and item.read_at is null limit ${MOST_UNREAD}
    ) as unread`.execute(db)
  return rows[0]?.count ?? 0
}

/** The member has read a line; false when there is none of that id. */
export async function markNewsRead(db: Database, visible: Visible, userId: string, id: string): Promise<boolean> {
  const { rows } = await sql`
    with found as (select id from bell_items item where id = ${id}::uuid and ${shownTo(visible, userId)}),
      changed as (
        update bell_items set read_at = ${now} from found where bell_items.id = found.id and read_at is null)
    select from found`.execute(db)
  return rows.length > 0
}

/** The member has read all lines until then, those of what is no longer seen too. */
export async function markAllNewsRead(
  db: Database,
  { accountId }: Pick<Visible, 'accountId'>,
  userId: string,
  until: Date,
): Promise<void> {
  await db
    .updateTable('bell_items')
    .set({ read_at: now })
    .where('user_id', '=', userId)
    .where('account_id', '=', accountId)
    .where('read_at', 'is', null)
    .where('at', '<=', until)
    .execute()
}
