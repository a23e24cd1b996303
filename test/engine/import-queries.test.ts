import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { cutImportQueries } from '#persistence'
import { explaining } from '../_util/database/explain.ts'
import { createEngine, type Engine } from '../_util/engine/engine.ts'
import { scriptedNetwork } from '../_util/engine/scripted-network.ts'

let engine: Engine
beforeEach(async () => {
  engine = await createEngine({ networks: [scriptedNetwork({})] })
})
afterEach(() => engine.close())

test('addresses of imports that have ended lose their query; one that may be tried again keeps it', async () => {
  const url = 'https://files.example/a.jpg?token=secret#part'
  const run = (statement: string) => sql.raw(statement).execute(engine.db)
  const { id } = await engine.db.selectFrom('accounts').select('id').executeTakeFirstOrThrow()
  const place = `'${id}', '${engine.socialSetId}'`
  for (const status of ['PENDING', 'PROCESSING', 'READY', 'FAILED']) {
    await run(`insert into media_uploads (id, account_id, social_set_id, status, url)
      select gen_random_uuid(), ${place}, '${status}', '${url}' from generate_series(1, 3)`)
  }
  await run(`insert into media_items
      (id, account_id, social_set_id, name, facts, bytes, sha256, storage_key, source, source_url, thumbnail_key)
    select gen_random_uuid(), ${place}, 'a', '{}', 1, '', 'key ' || n, 'URL', '${url}', null from generate_series(1, 3) as n`)
  expect(await cutImportQueries(engine.db, { batch: 2 })).toBe(9)
  const kept = await engine.db.selectFrom('media_uploads').select(['status', 'url']).distinct().execute()
  expect(Object.fromEntries(kept.map((row) => [row.status, row.url]))).toEqual({
    ...{ PENDING: url, PROCESSING: url },
    ...{ READY: 'https://files.example/a.jpg', FAILED: 'https://files.example/a.jpg' },
  })
  const items = await engine.db.selectFrom('media_items').select('source_url').distinct().execute()
  expect(items).toEqual([{ source_url: 'https://files.example/a.jpg' }])
  expect(await cutImportQueries(engine.db)).toBe(0)
  // Later looks read two empty indexes.
  await engine.db.transaction().execute(async (trx) => {
    await sql`set local enable_seqscan = off`.execute(trx)
    const { db, plans } = explaining(trx)
    await cutImportQueries(db)
    expect(plans()).toEqual([
      expect.stringContaining('media_items_queries'),
      expect.stringContaining('media_uploads_queries'),
    ])
  })
})
