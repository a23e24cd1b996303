import { sql } from 'kysely'
import { accountTypes } from '#contract'
import type { Database } from '#persistence'

/** Rows of the largest kind: as many posts as a set may have, as many media items as the networks take. */
export const RICH = { sets: 2_000, posts: 11, media: 10, mediaItems: 100_000, socialSets: 2_000 }

/** Fills an empty, migrated database with one account of rich rows. */
export async function fillRich(db: Database): Promise<void> {
  await db.connection().execute(async (connection) => {
    const run = (text: string) => sql.raw(text).execute(connection)
    const types = `array[${accountTypes.map((type) => `'${type}'`).join(', ')}]`
    await run('set session_replication_role = replica; set synchronous_commit = off')
    await run(`create temp table owner as select gen_random_uuid() as account_id;
      insert into accounts (id, name, slug, plan) select account_id, 'Account', 'account', 'SCALE' from owner;
      insert into social_sets (id, account_id, name, timezone)
        select gen_random_uuid(), account_id, 'Brand ' || n, 'Europe/Berlin' from owner, generate_series(1, ${RICH.socialSets}) n;
      insert into connections (id, account_id, social_set_id, identity_id, account_type, name, username)
        select gen_random_uuid(), account_id, social_sets.id, social_sets.id, type, 'Me on ' || type, 'me'
        from social_sets, unnest(${types}) as type;
      create temp table home as select id as social_set_id, account_id from social_sets limit 1`)
    await run(`insert into media_items
        (id, account_id, social_set_id, name, facts, bytes, sha256, storage_key, thumbnail_key, source, created_at)
      select gen_random_uuid(), account_id, social_set_id, 'photo ' || n || '.jpg', '{"type": "IMAGE",
        "mimeType": "image/jpeg", "bytes": 50000, "width": 1080, "height": 1080, "durationMs": null, "videoCodec": null,
        "audioCodec": null, "frameRate": null, "animated": false}', 50000, '', 'key ' || n, 'thumbnail ' || n, 'UPLOAD',
        now() - n * interval '1 minute'
      from home, generate_series(1, ${RICH.mediaItems}) n`)
    await run(`insert into post_sets (id, account_id, social_set_id, scheduled_at, status, approval)
        select gen_random_uuid(), account_id, social_set_id, now() + n * interval '1 hour', 'DRAFT', 'NONE'
        from home, generate_series(1, ${RICH.sets}) n;
      insert into posts (id, post_set_id, social_set_id, position, account_type, caption, fields)
        select gen_random_uuid(), post_sets.id, social_set_id, position, type, repeat('A caption of some length. ', 20), '{}'
        from post_sets, unnest(${types}) with ordinality as types (type, position);
      insert into post_media (id, post_id, media_id, position, alt_text)
        select gen_random_uuid(), post_id, media_id, position, 'What is to be seen'
        from (
          select posts.id as post_id, row_number() over () as number, position
          from posts, generate_series(1, ${RICH.media}) as places (place)
        ) as wanted
        join (select id as media_id, row_number() over () as number from media_items) as items
          on items.number = wanted.number % ${RICH.mediaItems} + 1;
      insert into labels (id, account_id, name) select gen_random_uuid(), account_id, 'label ' || n
        from home, generate_series(1, 5) n;
      insert into post_set_labels (post_set_id, label_id) select post_sets.id, labels.id from post_sets, labels`)
    await run('drop table owner, home; reset all')
    await run('vacuum analyze')
  })
}
