import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { newId } from '#domain'
import { emptyTrash, sweepOrphans } from '#housekeeping'
import { findMediaFiles, insertRendition } from '#persistence'
import { type ImportStage, openImportStage } from '../_util/engine/import-stage.ts'

let stage: ImportStage
beforeEach(async () => {
  stage = await openImportStage()
})
afterEach(() => stage.close())

test('files that no row names go to the trash once they are old enough; all others stay', async () => {
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
  const aborted = AbortSignal.abort()
  expect(await sweepOrphans({ db: stage.db, files }, { olderThanMs: 0, signal: aborted })).toBe(0)
  expect(await sweepOrphans({ db: stage.db, files }, { olderThanMs: 0 })).toBe(3)
  expect(await Array.fromAsync(files.list({ olderThanMs: 0 }))).not.toEqual(expect.arrayContaining(orphans))
  expect((await stage.files()).whole).toBe(3)
  for (const key of [item.storageKey, item.thumbnailKey ?? '', copy.key]) {
    expect(await stage.store.stat(key)).not.toBeNull()
  }
  // What is asked for after all comes back, and is young again; the rest goes for good when it has been there for long enough.
  expect(await buffer(await files.open(orphans[0] ?? ''))).toEqual(Buffer.from('orphan 0'))
  expect((await stage.files()).whole).toBe(4)
  expect(await sweepOrphans({ db: stage.db, files })).toBe(0)
  expect(await emptyTrash({ files })).toBe(0)
  vi.useFakeTimers({ now: Date.now() + 31 * 86_400_000 + 1_000, toFake: ['Date'] })
  try {
    expect(await emptyTrash({ files })).toBe(2)
  } finally {
    vi.useRealTimers()
  }
  expect(await files.stat(orphans[1] ?? '')).toBeNull()
})
