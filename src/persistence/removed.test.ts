import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDatabaseBefore } from '../../test/_util/database/database-before.ts'
import { setState } from '../../test/_util/engine/set-state.ts'
import { migrate } from './migrate.ts'
import { lockRemovedNote, lockRemovedPostSet, restoreNoteRow, restorePostSetRow } from './removed.ts'

let database: Awaited<ReturnType<typeof createDatabaseBefore>>
beforeAll(async () => {
  database = await createDatabaseBefore('0012-')
})
afterAll(() => database.drop())

/** What the version before 0012 did when a member deleted all post sets and notes. */
const REMOVAL = `
  insert into removed_post_sets (id, account_id, social_set_id, removed_by, rows)
  select id, account_id, social_set_id, gen_random_uuid(), jsonb_build_object(
    'set', to_jsonb(post_sets),
    'posts', (select coalesce(jsonb_agg(to_jsonb(posts)), '[]') from posts where post_set_id = post_sets.id),
    'media', (
      select coalesce(jsonb_agg(to_jsonb(post_media)), '[]')
      from post_media join posts on posts.id = post_media.post_id where posts.post_set_id = post_sets.id),
    'labels', (
      select coalesce(jsonb_agg(to_jsonb(post_set_labels)), '[]')
      from post_set_labels where post_set_id = post_sets.id),
    'connections', (
      select coalesce(
        jsonb_agg(jsonb_build_array(connections.id, connections.identity_id) order by connections.id), '[]')
      from connections where connections.closed_at is null and connections.social_set_id = post_sets.social_set_id
        and connections.account_type in (select account_type from posts where post_set_id = post_sets.id)))
  from post_sets;
  delete from post_sets;
  insert into removed_notes (id, account_id, social_set_id, removed_by, row)
  select id, account_id, social_set_id, gen_random_uuid(), to_jsonb(notes) from notes;
  delete from notes`

test('what was removed before rows were kept comes back as it was', async () => {
  const { db, url } = database
  const [account, brand, identity, connection, media, series, set, post, label, gone, note] = Array.from(
    { length: 11 },
    () => randomUUID(),
  ) as [string, string, string, string, string, string, string, string, string, string, string]
  await sql
    .raw(`
    insert into accounts (id, name, slug, plan) values ('${account}', 'A', 'a', 'PRO');
    insert into social_sets (id, account_id, name, timezone) values ('${brand}', '${account}', 'Brand', 'Europe/Berlin');
    insert into network_identities (id, account_id, network, external_id) values ('${identity}', '${account}', 'x', '1');
    insert into connections (id, account_id, social_set_id, identity_id, account_type, name)
      values ('${connection}', '${account}', '${brand}', '${identity}', 'X', 'Ada');
    insert into media_items (id, account_id, social_set_id, name, facts, bytes, sha256, storage_key, source)
      values ('${media}', '${account}', '${brand}', 'photo', '{}', 1, '', 'key', 'UPLOAD');
    insert into series (id, account_id, social_set_id, repeat_interval, occurrences)
      values ('${series}', '${account}', '${brand}', 'DAY', 2);
    insert into post_sets (id, account_id, social_set_id, scheduled_at, status, approval, version, locked_at, locked_by,
        series_id, starts_series, search_text, created_at)
      values ('${set}', '${account}', '${brand}', '2030-06-01T10:00:00.123Z', 'SCHEDULED', 'APPROVED', 7,
        '2026-01-01T10:00:00Z', 'Ada', '${series}', true, 'hello', '2026-01-01T09:00:00.123456Z');
    insert into posts (id, post_set_id, social_set_id, position, account_type, caption, fields)
      values ('${post}', '${set}', '${brand}', 0, 'X', 'Ünï "quoted"', '{"a": [1, null]}');
    insert into post_media (id, post_id, media_id, position, alt_text, tags)
      values (gen_random_uuid(), '${post}', '${media}', 0, 'Loaf', '[{"x": 0.5}]');
    insert into labels (id, account_id, name) values ('${label}', '${account}', 'kept'), ('${gone}', '${account}', 'gone');
    insert into post_set_labels values ('${set}', '${label}'), ('${set}', '${gone}');
    insert into notes (id, account_id, social_set_id, type, source, content, hex_color, scheduled_at, series_id)
      values ('${note}', '${account}', '${brand}', 'RECURRING', 'APP', 'Fair', '#faf785', '2030-06-15T00:00Z', '${series}')`)
    .execute(db)
  const before = (await setState(db, set)) as { set: object; labels: string[]; media: object[]; posts: object[] }
  const noteBefore = await db.selectFrom('notes').selectAll().execute()
  await sql.raw(REMOVAL).execute(db)
  await sql`delete from labels where id = ${gone}`.execute(db)

  await migrate(url)
  expect(await setState(db, set)).toBeNull()
  expect(await db.selectFrom('notes').selectAll().execute()).toEqual([])
  const visible = { accountId: account, socialSetIds: null }
  expect(await lockRemovedPostSet(db, { ...visible, accountId: brand }, set)).toBeNull()
  expect(await lockRemovedPostSet(db, visible, set)).toEqual({ passed: false, reconnected: false })
  expect([await restorePostSetRow(db, set), await lockRemovedPostSet(db, visible, set)]).toEqual([true, null])
  expect(await setState(db, set)).toEqual({
    ...before,
    labels: [label],
    // Columns of later.
    set: { ...before.set, external_id: null },
    media: before.media.map((item) => ({ ...item, crop: null, part: 0 })),
    posts: before.posts.map((each) => ({ ...each, thread: null })),
  })
  expect(await db.selectFrom('post_sets').select('version').execute()).toEqual([{ version: 8 }])
  expect(await lockRemovedNote(db, visible, note)).toEqual({ socialSetId: brand })
  const actor = { type: 'OPERATOR', id: null, name: 'operator' } as const
  expect(await restoreNoteRow(db, { id: note, accountId: account, socialSetId: brand, actor })).toBe(true)
  // A column of later.
  const noteNow = noteBefore.map((row) => ({ ...row, made_by_agent: null }))
  expect(await db.selectFrom('notes').selectAll().execute()).toEqual(noteNow)
})
