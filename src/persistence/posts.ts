import { sql } from 'kysely'
import type { MediaContent, PartContent, PostContent } from '#domain'
import { type Database, now } from './database.ts'

/** Further parts as they are stored beside their post: null for none. Their media are rows. */
export const threadToStore = (thread: readonly PartContent[]): { id: string; caption: string }[] | null =>
  thread.length === 0 ? null : thread.map(({ id, caption }) => ({ id, caption }))

/** The media of a post and of its further parts, with the number of the part: 0 is the post itself. */
export const mediaInOrder = ({ media, thread }: PostContent): (MediaContent & { part: number })[] =>
  [media, ...thread.map((each) => each.media)].flatMap((items, part) => items.map((item) => ({ ...item, part })))

/**
 * Writes posts of a set with their media: new ones are inserted, others are brought to what they are now, and media
 * items may have moved between them. Three statements, however many there are. The caller holds the set's row and has
 * made sure that every id is new or of this set. `posts` is the complete list, in its order; `changed` names those
 * whose content is new.
 */
export async function writePosts(
  trx: Database,
  { id: postSetId, socialSetId }: { id: string; socialSetId: string },
  posts: readonly PostContent[],
  changed: ReadonlySet<string>,
): Promise<void> {
  if (posts.length === 0) return
  await trx
    .insertInto('posts')
    .values(
      posts.map((post, position) => ({
        id: post.id,
        post_set_id: postSetId,
        social_set_id: socialSetId,
        position,
        account_type: post.accountType,
        caption: post.caption,
        fields: JSON.stringify(post.fields),
        thread: post.thread.length === 0 ? null : JSON.stringify(threadToStore(post.thread)),
      })),
    )
    .onConflict((conflict) =>
      conflict.column('id').doUpdateSet(({ ref }) => ({
        position: ref('excluded.position'),
        caption: ref('excluded.caption'),
        fields: ref('excluded.fields'),
        thread: ref('excluded.thread'),
        updated_at: sql<Date>`case when posts.id = any(${[...changed]}::uuid[]) then ${now} else posts.updated_at end`,
      })),
    )
    .execute()
  const media = posts
    .filter(({ id }) => changed.has(id))
    .flatMap((post) =>
      mediaInOrder(post).map(({ part, ...item }, position) => ({
        id: item.id,
        post_id: post.id,
        media_id: item.mediaId,
        part,
        position,
        alt_text: item.altText,
        title: item.title,
        description: item.description,
        link: item.link,
        tags: JSON.stringify(item.tags),
        crop: item.crop === null ? null : JSON.stringify(item.crop),
      })),
    )
  if (media.length === 0) return
  await trx
    .insertInto('post_media')
    .values(media)
    .onConflict((conflict) =>
      conflict.column('id').doUpdateSet(({ ref }) => ({
        post_id: ref('excluded.post_id'),
        part: ref('excluded.part'),
        position: ref('excluded.position'),
        alt_text: ref('excluded.alt_text'),
        title: ref('excluded.title'),
        description: ref('excluded.description'),
        link: ref('excluded.link'),
        tags: ref('excluded.tags'),
        crop: ref('excluded.crop'),
      })),
    )
    .execute()
}

/**
 * Removes posts and media items. After `writePosts`: a media item that moved to a post that stays must not go with the
 * post that it was in.
 */
export async function deletePosts(
  trx: Database,
  gone: { postIds: readonly string[]; mediaIds: readonly string[] },
): Promise<void> {
  if (gone.mediaIds.length > 0) await trx.deleteFrom('post_media').where('id', 'in', gone.mediaIds).execute()
  if (gone.postIds.length > 0) await trx.deleteFrom('posts').where('id', 'in', gone.postIds).execute()
}
