import { type RawBuilder, sql } from 'kysely'
import { type CommentAudience, type CommentPerson, LIMITS } from '#contract'
import { type Database, now } from './database.ts'
import { isVisible, type Visible } from './visible.ts'

/** Who reads a thread: members everything, guests what is shared. */
type CommentReader = 'MEMBERS' | 'GUESTS'

export interface CommentRow {
  id: string
  postSetId: string
  socialSetId: string
  audience: CommentAudience
  /** Id of the user or the guest. */
  author: { type: 'USER' | 'REVIEWER'; id: string; name: string }
  /** The shared calendar of a guest. */
  linkName: string | null
  text: string
  /** Those who are users still, by the names that they have now. */
  mentions: CommentPerson[]
  createdAt: Date
  editedAt: Date | null
  resolved: { by: string; at: Date } | null
}

type StoredRow = Omit<CommentRow, 'resolved'> & { resolvedAt: Date | null; resolvedBy: string | null }

const COLUMNS = sql`
  comments.id, comments.post_set_id as "postSetId", comments.social_set_id as "socialSetId", comments.audience,
  json_build_object('type', comments.author_type, 'id', comments.author_id, 'name', comments.author_name) as author,
  comments.link_name as "linkName", comments.text, coalesce((
    select json_agg(json_build_object('userId', users.id, 'name', users.name) order by lower(users.name), users.id)
    from users where users.id = any(comments.mentions)
  ), '[]') as mentions,
  comments.created_at as "createdAt", comments.edited_at as "editedAt", comments.resolved_at as "resolvedAt",
  comments.resolved_by_name as "resolvedBy"`

const rowOf = ({ resolvedAt, resolvedBy, ...row }: StoredRow): CommentRow => ({
  ...row,
  resolved: resolvedAt === null ? null : { by: resolvedBy ?? '', at: resolvedAt },
})

/** What a reader sees of the table; of a guest's reader the only way to it. */
const readable = (reader: CommentReader) => (reader === 'MEMBERS' ? sql`true` : sql`comments.audience = 'SHARED'`)

/** SQL of how many comments a row called post_set has, of either audience: for members. */
export const commentsOfSet = sql`(
  select count(*)::integer from comments where comments.post_set_id = post_set.id)`

/**
 * The thread of a post set, oldest first; of what guests wrote the newest, so that nothing of a member is left out for it. The caller
 * has made sure that the reader sees the set.
 */
export async function listComments(db: Database, postSetId: string, reader: CommentReader): Promise<CommentRow[]> {
  const newestOf = (author: 'USER' | 'REVIEWER', limit: number) => sql`(
    select id from comments where post_set_id = ${postSetId} and author_type = ${author} and ${readable(reader)}
    order by id desc limit ${limit})`
  const { rows } = await sql<StoredRow>`
    select ${COLUMNS} from comments
    where comments.id in (${newestOf('USER', 2 * LIMITS.comments.perPostSet)} union all ${newestOf('REVIEWER', GUESTS_SHOWN)})
    order by comments.id`.execute(db)
  return rows.map(rowOf)
}

/** Of several links of a post. */
const GUESTS_SHOWN = 3 * LIMITS.comments.guests.ofLink

/**
 * A comment on a post set that is on the calendar of a social set that is seen; null when there is none for the reader. With
 * `lock` its row is held.
 */
export async function findComment(
  db: Database,
  visible: Visible,
  id: string,
  { reader, lock = false }: { reader: CommentReader; lock?: boolean },
): Promise<CommentRow | null> {
  const { rows } = await sql<StoredRow>`
    select ${COLUMNS} from comments
    where comments.id = ${id} and ${isVisible(visible, { account: 'account_id', socialSet: 'social_set_id' })}
      and ${readable(reader)} and exists (select from post_sets where post_sets.id = comments.post_set_id)
    ${lock ? sql`for update` : sql``}`.execute(db)
  return rows[0] ? rowOf(rows[0]) : null
}

/** Who has written in a thread, as far as a reader sees it: each once. */
export async function listWriters(
  db: Database,
  postSetId: string,
  reader: CommentReader,
): Promise<{ type: 'USER' | 'REVIEWER'; id: string }[]> {
  const { rows } = await sql<{ type: 'USER' | 'REVIEWER'; id: string }>`
    select distinct author_type as type, author_id as id from comments
    where post_set_id = ${postSetId} and ${readable(reader)} order by 1, 2`.execute(db)
  return rows
}

interface NewComment {
  id: string
  accountId: string
  socialSetId: string
  postSetId: string
  audience: CommentAudience
  author: CommentRow['author']
  /** The shared calendar of a guest. */
  link: { id: string; name: string } | null
  text: string
  mentions: readonly string[]
}

/** Why a comment was not inserted. */
export type CommentLimit = 'perPostSet' | 'perGuest' | 'perLink' | 'perMinute'

/** Which bounds comments on a post set have, by how many there are. What guests write takes no room of members. */
function bounds({ author, link }: NewComment): RawBuilder<unknown> {
  const { perPostSet, guests } = LIMITS.comments
  const reached = (which: RawBuilder<unknown>, most: number) =>
    sql`count(*) filter (where ${which}) >= ${most}::integer`
  if (author.type === 'USER')
    return sql`case when ${reached(sql`author_type = 'USER'`, perPostSet)} then 'perPostSet' end`
  return sql`case when ${reached(sql`author_id = ${author.id}`, guests.each)} then 'perGuest'
    when ${reached(sql`shared_calendar_id = ${link?.id ?? null}::uuid`, guests.ofLink)} then 'perLink' end`
}

/**
 * Inserts a comment, unless the members, the guest or all guests of the link have written their comments about the post set, or the
 * author too many in this minute.
 */
export async function insertComment(trx: Database, comment: NewComment): Promise<CommentLimit | null> {
  const { author } = comment
  const { rows } = await sql<{ inserted: boolean; crowded: CommentLimit | null }>`
    with held as (
      select (
          select ${bounds(comment)} from comments where post_set_id = ${comment.postSetId}
        ) as crowded, (
          select count(*) from comments
          where author_id = ${author.id} and created_at > ${now} - interval '1 minute'
        ) >= ${LIMITS.comments.perMinute}::integer as hasty
    ), inserted as (
      insert into comments (
        id, account_id, social_set_id, post_set_id, audience, author_type, author_id, author_name, link_name, shared_calendar_id, text,
        mentions
      )
      select ${comment.id}::uuid, ${comment.accountId}::uuid, ${comment.socialSetId}::uuid, ${comment.postSetId}::uuid,
        ${comment.audience}, ${author.type}, ${author.id}, ${author.name}, ${comment.link?.name ?? null}, ${comment.link?.id ?? null}::uuid, ${comment.text},
        ${[...comment.mentions]}::uuid[]
      from held where crowded is null and not hasty
      returning id
    )
    select exists (select from inserted) as inserted, crowded from held`.execute(trx)
  const row = rows[0]
  if (!row) throw new Error('A query without a table has answered no row.')
  if (row.inserted) return null
  return row.crowded ?? 'perMinute'
}

/** Gives a comment another text. Its audience stays: nothing here changes it. The caller holds the row. */
export async function updateComment(
  trx: Database,
  id: string,
  { text, mentions }: { text: string; mentions: readonly string[] },
): Promise<void> {
  await trx
    .updateTable('comments')
    .set({ text, mentions: [...mentions], edited_at: now })
    .where('id', '=', id)
    .execute()
}

/** Marks a comment as resolved, or takes the mark away. The caller holds the row. */
export async function markResolved(trx: Database, id: string, by: string | null): Promise<void> {
  await trx
    .updateTable('comments')
    .set({ resolved_at: by === null ? null : now, resolved_by_name: by })
    .where('id', '=', id)
    .execute()
}

export async function deleteComment(trx: Database, id: string): Promise<void> {
  await trx.deleteFrom('comments').where('id', '=', id).execute()
}
