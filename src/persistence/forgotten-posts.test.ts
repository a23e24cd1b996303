import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { createDatabaseBefore } from '../../test/_util/database/database-before.ts'
import { listHistory } from './history.ts'
import { migrate } from './migrate.ts'
import { countResults, pageOfResults, readResults } from './results.ts'

test('posts of published sets that a claim has left out failed, for all to see, and can be sent again', async () => {
  const { db, url, drop } = await createDatabaseBefore('0037-')
  try {
    const [account, brand, identity, connection, set, sent, lost, draft] = Array.from({ length: 8 }, () =>
      randomUUID(),
    ) as [string, string, string, string, string, string, string, string]
    const posted = '{"status": "POSTED", "providerId": "1"}'
    await sql
      .raw(`
    insert into accounts (id, name, slug, plan) values ('${account}', 'A', 'a', 'PRO');
    insert into social_sets (id, account_id, name, timezone) values ('${brand}', '${account}', 'Brand', 'UTC');
    insert into network_identities (id, account_id, network, external_id) values ('${identity}', '${account}', 'threads', '1');
    insert into connections (id, account_id, social_set_id, identity_id, account_type, name)
      values ('${connection}', '${account}', '${brand}', '${identity}', 'THREADS', 'Ada');
    insert into post_sets (id, account_id, social_set_id, scheduled_at, status, approval, version, content_version)
      values ('${set}', '${account}', '${brand}', '2026-06-01T10:00:00Z', 'PUBLISHED', 'NONE', 7, 2),
        ('${draft}', '${account}', '${brand}', '2026-06-01T10:00:00Z', 'DRAFT', 'NONE', 1, 1);
    insert into posts (id, post_set_id, social_set_id, position, account_type, caption, fields)
      values ('${sent}', '${set}', '${brand}', 0, 'BLUESKY', 'One', '{}'),
        ('${lost}', '${set}', '${brand}', 1, 'THREADS', 'Two', '{}'),
        ('${randomUUID()}', '${draft}', '${brand}', 0, 'THREADS', 'Three', '{}');
    insert into deliveries (id, post_set_id, post_id, content_version, account_type, state, next_at, gives_up_at, result, finished_at)
      values ('${randomUUID()}', '${set}', '${sent}', 2, 'BLUESKY', 'DONE', '2026-06-01T10:00:00Z', '2026-06-02T10:00:00Z',
        '${posted}', '2026-06-01T10:00:01Z');`)
      .execute(db)
    await migrate(url)

    const visible = { accountId: account, socialSetIds: null }
    const needsYou = [visible, 'needs-you', { socialSetId: brand, days: null, accountTypes: null }] as const
    expect(await countResults(db, ...needsYou)).toBe(1)
    expect(await pageOfResults(db, ...needsYou, { after: null, limit: 10 })).toMatchObject([{ id: set }])
    const result = {
      status: 'FAILED',
      reason: 'UNKNOWN',
      message: expect.stringContaining('was not sent because of a fault in Almanac'),
    }
    expect(await readResults(db, [set], { captionCodePoints: 10 })).toMatchObject([
      {
        version: 8,
        // People have not seen it yet.
        failedAt: expect.any(Date),
        posts: [
          { postId: sent, state: 'DONE', result: { status: 'POSTED' } },
          { postId: lost, state: 'DONE', result, surelyAbsent: true, connectionId: connection, sentAt: null },
        ],
      },
    ])
    expect((await listHistory(db, set)).map(({ action, changes }) => ({ action, changes }))).toEqual([
      { action: 'post failed', changes: { postId: lost, accountType: 'THREADS', result } },
    ])
  } finally {
    await drop()
  }
})
