import { Readable } from 'node:stream'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { newId } from '#domain'
import { sweepOrphans } from '#importing'
import { findMediaFiles, insertRendition } from '#persistence'
import { type ImportStage, openImportStage } from '../_util/import-stage.ts'

let stage: ImportStage
beforeEach(async () => {
  stage = await openImportStage()
})
afterEach(() => stage.close())

test('files that no row names are removed once they are old enough; all others stay', async () => {
  await stage.startImporter()
  const upload = await stage.ended(await stage.add(await stage.server.fixture('photo.jpg')))
  const [item] = await findMediaFiles(stage.db, [upload.media_id ?? ''])
  if (!item) throw new Error('There is no item.')
  const copy = await stage.store.put(Readable.from([Buffer.from('copy')]))
  const { facts, id: mediaId } = item
  await insertRendition(stage.db, { id: newId(), mediaId, spec: 'test', storageKey: copy.key, facts })
  const orphans: string[] = []
  for (let index = 0; index < 3; index++) {
    orphans.push((await stage.store.put(Readable.from([Buffer.from(`orphan ${index}`)]))).key)
  }

  const files = stage.store
  expect(await sweepOrphans({ db: stage.db, files })).toBe(0)
  expect((await stage.files()).whole).toBe(6)
  expect(await sweepOrphans({ db: stage.db, files }, { olderThanMs: 0 })).toBe(3)
  for (const key of orphans) expect(await stage.store.stat(key)).toBeNull()
  for (const key of [item.storageKey, item.thumbnailKey ?? '', copy.key]) {
    expect(await stage.store.stat(key)).not.toBeNull()
  }
})

test('a worker that starts removes answers of idempotency keys that have expired', async () => {
  const { id: accountId } = await stage.db.selectFrom('accounts').select('id').executeTakeFirstOrThrow()
  const apiKeyId = newId()
  await sql`insert into api_keys (id, account_id, name, prefix, secret_hash, scopes)
    values (${apiKeyId}, ${accountId}, 'Key', 'alm_', '', '{}')`.execute(stage.db)
  for (const [key, hours] of [
    ['old', 25],
    ['young', 1],
  ] as const) {
    await sql`insert into idempotency_keys (api_key_id, key, request_hash, status, headers, answered_at)
      values (${apiKeyId}, ${key}, '', 201, '{}', almanac_now() - make_interval(hours => ${hours}::integer))`.execute(
      stage.db,
    )
  }
  const keys = async () => (await stage.db.selectFrom('idempotency_keys').select('key').execute()).map(({ key }) => key)
  await stage.startImporter()
  await expect.poll(keys, { timeout: 15_000 }).toEqual(['young'])
})
