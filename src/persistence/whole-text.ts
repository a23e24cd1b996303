import { sql } from 'kysely'

/**
 * SQL of what a row of posts, called post, says with its further parts and its first comment: what is shown, cut and compared wherever
 * a caption is. The same as `wholeText` of the contract.
 */
const WHOLE_TEXT = `(case when post.thread is null then post.caption else post.caption || (
  select string_agg(E'\\n\\n' || (part ->> 'caption'), '' order by nth)
  from jsonb_array_elements(post.thread) with ordinality as parts (part, nth)
) end || coalesce(
  E'\\n\\n' || nullif(coalesce(post.fields ->> 'firstComment', post.fields -> 'options' ->> 'firstComment'), ''), ''
))`
export const wholeTextOfPost = sql.raw<string>(WHOLE_TEXT)

/**
 * The beginning of what a set says, in an aggregate of its posts: of the first post that has a text, as a story beside it has none. One
 * code point longer than asked for when there is more; null when none has any.
 */
export const firstTextOfPosts = (codePoints: number) => sql<string | null>`(
  array_agg(left(${wholeTextOfPost}, ${codePoints + 1}::integer) order by post.position) filter (where ${wholeTextOfPost} <> '')
)[1]`
