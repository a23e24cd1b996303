import {
  type AskedBody,
  type AskedQuery,
  entryAt,
  LIMITS,
  NEWS_PAGE,
  type NewsItem,
  type NewsPage,
  type NewsQuery,
  type ProblemEntry,
  ProblemError,
  type ReadNews,
  type UnreadNews,
} from '#contract'
import { excerptOf, isId, parseTime } from '#domain'
import { linkOf } from '#news'
import { type BellRow, countUnread, type Database, listBell, markAllNewsRead, markNewsRead } from '#persistence'
import { type Caller, requireMember } from '../caller.ts'
import { goodTime } from '../read-body.ts'
import { checkCursor, placeOfCursor } from '../read-query.ts'

/**
 * The member's notifications, newest first.
 *
 * @throws ProblemError `auth:not_signed_in`, `request:invalid_query`
 */
export async function listNews(
  { db }: { db: Database },
  caller: Caller,
  query: AskedQuery<NewsQuery>,
): Promise<NewsPage> {
  const { userId } = requireMember(caller)
  const { cursor, size = NEWS_PAGE.defaultSize, unread = false } = query.read(checkCursor)
  const rows = await listBell(db, caller, { userId, after: placeOfCursor(cursor), unread, limit: size + 1 })
  const last = rows.length > size ? rows[size - 1] : undefined
  return {
    unread: await countUnread(db, caller, userId),
    data: rows.slice(0, size).map(itemOf),
    next: last ? `${last.at.toISOString()}_${last.id}` : null,
  }
}

/**
 * The number of the member's unread notifications.
 *
 * @throws ProblemError `auth:not_signed_in`
 */
export async function readUnreadNews({ db }: { db: Database }, caller: Caller): Promise<UnreadNews> {
  const { userId } = requireMember(caller)
  return { unread: await countUnread(db, caller, userId) }
}

/**
 * Marks a notification as read.
 *
 * @throws ProblemError `auth:not_signed_in`, `news:not_found`, `request:invalid_query`
 */
export async function putNewsRead(
  { db }: { db: Database },
  caller: Caller,
  id: string,
  query: AskedQuery<undefined>,
): Promise<UnreadNews> {
  const { userId } = requireMember(caller)
  return db.transaction().execute(async (trx) => {
    if (!isId(id) || !(await markNewsRead(trx, caller, userId, id))) {
      throw new ProblemError('news:not_found', 'No notification has this id.')
    }
    query.read()
    return readUnreadNews({ db: trx }, caller)
  })
}

/**
 * Marks all notifications up to a time as read.
 *
 * @throws ProblemError `auth:not_signed_in`, `request:invalid_query`, `request:invalid_body`
 */
export async function putAllNewsRead(
  { db }: { db: Database },
  caller: Caller,
  body: AskedBody<ReadNews>,
): Promise<UnreadNews> {
  const { userId } = requireMember(caller)
  const { until } = body.read((raw) => checkUntil(raw.until))
  await markAllNewsRead(db, caller, userId, goodTime(until, 'UTC'))
  return readUnreadNews({ db }, caller)
}

function checkUntil(text: unknown): ProblemEntry[] {
  if (typeof text !== 'string' || parseTime(text, 'UTC', new Date())) return []
  return [entryAt(['until'], 'request:invalid_body', 'until must be an ISO 8601 time, as in at.')]
}

function itemOf({ id, cause, at, read, count, news }: BellRow): NewsItem {
  const { facts, postSet, socialSet } = news
  return {
    ...{ id, cause, kind: news.kind, at: at.toISOString(), read, count },
    actor: news.actor && { name: news.actor.name, type: news.actor.type },
    socialSet: socialSet && { id: socialSet.id, name: socialSet.name },
    postSet: postSet && {
      id: postSet.id,
      scheduledAt: postSet.scheduledAt.toISOString(),
      excerpt: excerptOf(postSet.caption, LIMITS.excerpt.codePoints),
    },
    note: facts.note?.id ?? null,
    takenBack: facts.takenBack ?? false,
    accountType: news.accountType,
    connection: news.connection,
    calendar: facts.calendar ?? null,
    webhook: facts.webhook ?? null,
    key: facts.key ?? null,
    plan: facts.plan ?? null,
    hours: facts.hours ?? null,
    endsAt: facts.endsAt ?? null,
    words: facts.words ?? null,
    message: facts.message ?? null,
    reason: facts.reason ?? null,
    link: linkOf(news, count),
  }
}
