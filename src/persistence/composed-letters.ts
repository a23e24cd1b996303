import { sql } from 'kysely'
import { searchTextOf } from '#domain'
import type { Database } from './database.ts'
import type { Removal } from './old-rows.ts'
import { wholeTextOfPost } from './whole-text.ts'

/** Sets that one statement reads. */
const BATCH = 500

/** Name of its row in the table of chores, which says since when sets have to be looked at. Another one than before: all, once more. */
export const COMPOSING = 'whole-search-texts'

/** Letters that are folded to two characters, and spaces that are more than a space (French, Word). */
const OTHERWISE =
  '[\\u00a0\\u01f0\\u0390\\u03b0\\u1680\\u1e96-\\u1e99\\u1f50\\u1f52\\u1f54\\u1f56\\u1fb6\\u1fb7\\u1fc6\\u1fc7\\u1fd2\\u1fd6\\u1fd7\\u1fe2\\u1fe4\\u1fe6\\u1fe7\\u1ff6\\u1ff7\\u2000-\\u200a\\u202f\\u205f\\u3000]'
/** SQL: such a caption is seen otherwise by earlier versions. */
const isDecomposed = sql`(${wholeTextOfPost} is not nfc normalized or ${wholeTextOfPost} ~ ${OTHERWISE})`

/** SQL: a first comment in a field of its own, which earlier versions left out. */
const hasComment = sql`coalesce(post.fields ->> 'firstComment', '') <> ''`

/**
 * Writes the search texts of sets again that earlier versions made of decomposed letters or of spaces of several kinds, or without first
 * comments: of all sets at first, then of those that changed since the day before the last run, for processes of the older version that still ran. No lock is
 * held: a text is replaced only while it is the one that was read. Resolves with how many were written.
 */
export async function composeSearchTexts(db: Database, { batch = BATCH, signal }: Removal = {}): Promise<number> {
  const last = await sql<{ since: Date | null }>`
    select ran_at - interval '1 day' as since from chores where name = ${COMPOSING}`.execute(db)
  const since = last.rows[0]?.since ?? new Date(0)
  let written = 0
  let after = '00000000-0000-0000-0000-000000000000'
  while (!signal?.aborted) {
    const { rows } = await sql<{ id: string; text: string; captions: string[] | null }>`
      select id, search_text as text, (
        select array_agg(${wholeTextOfPost} order by position) from posts post where post_set_id = sets.id having bool_or(${isDecomposed} or ${hasComment})
      ) as captions
      from (
        select id, search_text from all_post_sets where id > ${after}::uuid and updated_at >= ${since}
        order by id limit ${batch}
      ) as sets order by id`.execute(db)
    for (const { id, text, captions } of rows) {
      const composed = captions && searchTextOf(captions.map((caption) => ({ caption })))
      if (composed === null || composed === text) continue
      // One at a time: what else writes waits for one row at most, and for none that waits for another.
      await sql`update all_post_sets set search_text = ${composed} where id = ${id} and search_text = ${text}`.execute(
        db,
      )
      written += 1
    }
    after = rows.at(-1)?.id ?? after
    if (rows.length < batch) break
  }
  return written
}
