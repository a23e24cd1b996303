/** A file that is small enough for lists, as its address names it. */
export interface SmallPicture {
  /** Of the library item; for guests of its place in a post. */
  id: string
  /** That of the item, or the frame that a post has chosen as its cover, by its milliseconds. */
  variant: 'thumbnail' | `cover-${number}`
  /** Another one for other bytes. */
  version: string
}

/** What is joined for the SQL below, of rows called post, used and item. `media`: the table of what posts use. */
export const joinCover = (media = 'post_media') => `
  left join media_covers cover on cover.media_id = used.media_id and cover.at_ms = almanac_cover_ms(post.fields)
    and cover.state = 'DRAWN' and used.id = (
      select first.id from ${media} first join media_items video on video.id = first.media_id
      where first.post_id = post.id and video.facts ->> 'type' = 'VIDEO' order by first.position limit 1
    )`

/** SQL: whether a file of a post has a small picture. */
export const HAS_SMALL_PICTURE = 'coalesce(cover.storage_key, item.thumbnail_key) is not null'

/** SQL of a `SmallPicture` without its id, as arguments of `json_build_object`. */
export const SMALL_PICTURE = `'variant', case when cover.at_ms is null then 'thumbnail' else 'cover-' || cover.at_ms end,
  'version', left(coalesce(cover.storage_key, item.thumbnail_key), 8)`
