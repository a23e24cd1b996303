import {
  entryAt,
  NEWS_PAGE,
  type NewsItem,
  type NewsPage,
  ProblemError,
  ReadNews,
  readQuery,
  refuseBody,
  type UnreadNews,
} from '#contract'
import { excerptOf, isId, parseTime } from '#domain'
import { linkOf } from '#news'
import {
  type BellPlace,
  type BellRow,
  countUnread,
  type Database,
  listBell,
  markAllNewsRead,
  markNewsRead,
} from '#persistence'
import { type Caller, requireMember } from '../caller.ts'
import { readShape, refuseQuery } from '../read-body.ts'

const EXCERPT_CODE_POINTS = 120

/**
 * The bell of the member, newest first. `query` is the query string: `cursor`, `size`, `unread`.
 *
 * @throws ProblemError `auth:not_signed_in`, `request:invalid_query`
 */
export async function listNews({ db }: { db: Database }, caller: Caller, query: string): Promise<NewsPage> {
  const { userId } = requireMember(caller)
  const reader = readQuery(query)
  const cursor = reader.text('cursor')
  const after = cursor === null ? null : placeOfCursor(cursor)
  if (cursor !== null && !after) reader.problem('cursor', 'must be the next of a page before')
  const size = reader.integer('size', { max: NEWS_PAGE.maxSize, default: NEWS_PAGE.defaultSize })
  const unread = reader.choice('unread', ['true', 'false']) === 'true'
  reader.finish()
  const rows = await listBell(db, caller, { userId, after, unread, limit: size + 1 })
  const last = rows.length > size ? rows[size - 1] : undefined
  return {
    unread: await countUnread(db, caller, userId),
    data: rows.slice(0, size).map(itemOf),
    next: last ? `${last.at.toISOString()}_${last.id}` : null,
  }
}

/**
 * How much the member has not read.
 *
 * @throws ProblemError `auth:not_signed_in`, `request:invalid_query`
 */
export async function readUnreadNews({ db }: { db: Database }, caller: Caller, query: string): Promise<UnreadNews> {
  const { userId } = requireMember(caller)
  refuseQuery(query)
  return { unread: await countUnread(db, caller, userId) }
}

/**
 * The member has read an item.
 *
 * @throws ProblemError `auth:not_signed_in`, `news:not_found`, `request:invalid_query`
 */
export async function putNewsRead(
  { db }: { db: Database },
  caller: Caller,
  id: string,
  query: string,
): Promise<UnreadNews> {
  const { userId } = requireMember(caller)
  if (!isId(id) || !(await markNewsRead(db, caller, userId, id))) {
    throw new ProblemError('news:not_found', 'There is no news of this id.')
  }
  return readUnreadNews({ db }, caller, query)
}

/**
 * The member has read everything up to a time.
 *
 * @throws ProblemError `auth:not_signed_in`, `request:invalid_query`, `request:invalid_body`
 */
export async function putAllNewsRead(
  { db }: { db: Database },
  caller: Caller,
  { body, query }: { body: unknown; query: string },
): Promise<UnreadNews> {
  const { userId } = requireMember(caller)
  refuseQuery(query)
  const until = parseTime(readShape(ReadNews, body).until, 'UTC', new Date())
  if (!until) {
    refuseBody([entryAt(['until'], 'request:invalid_body', 'until must be an ISO 8601 time, as in at.')])
    throw new Error('A time that cannot be read was not refused.')
  }
  await markAllNewsRead(db, caller, userId, until)
  return readUnreadNews({ db }, caller, '')
}

function placeOfCursor(cursor: string): BellPlace | null {
  const [time = '', id = ''] = cursor.split('_')
  const at = new Date(/^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/.test(time) ? time : Number.NaN)
  return Number.isNaN(at.getTime()) || !isId(id) ? null : { at, id }
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
      excerpt: excerptOf(postSet.caption, EXCERPT_CODE_POINTS),
    },
    note: facts.note?.id ?? null,
    takenBack: facts.takenBack ?? false,
    accountType: news.accountType,
    connection: news.connection,
    calendar: facts.calendar ?? null,
    plan: facts.plan ?? null,
    hours: facts.hours ?? null,
    endsAt: facts.endsAt ?? null,
    words: facts.words ?? null,
    message: facts.message ?? null,
    reason: facts.reason ?? null,
    link: linkOf(news, count),
  }
}
