import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { CHORES, type Chore } from '#housekeeping'
import { findMediaFiles, readIdentity } from '#persistence'
import { type ImportStage, openImportStage } from '../_util/engine/import-stage.ts'

let stage: ImportStage
beforeEach(async () => {
  stage = await openImportStage()
})
afterEach(() => stage.close())

const chore = CHORES.find(({ name }) => name === 'deleted-media')

type ListedFiles = Parameters<Chore['run']>[0]['files']

/** The store, beside which the witness of one installation is. */
async function filesOf(installation: string | null): Promise<ListedFiles> {
  const witness = { installation, content: { owner: true } } as Awaited<
    ReturnType<ListedFiles['witnesses']['read']>
  >[number]
  return { ...stage.store, witnesses: { read: async () => [witness] } }
}

test('the bytes of a file that was deleted long ago go, where a sweep may be done', async () => {
  await stage.startImporter()
  const ended = async (name: string) =>
    (await stage.ended(await stage.add(await stage.server.fixture(name)))).media_id ?? ''
  const deleted = await ended('photo.jpg')
  const kept = await ended('photo.jpg')
  const [item] = await findMediaFiles(stage.db, [deleted])
  const keys = [item?.storageKey ?? '', item?.thumbnailKey ?? '']
  const there = async () => (await Promise.all(keys.map((key) => stage.store.stat(key)))).map((file) => file !== null)
  await sql`update media_items set closed_at = almanac_now() - interval '31 days' where id = ${deleted}`.execute(
    stage.db,
  )
  const { signal } = new AbortController()

  const { id } = await readIdentity(stage.db)
  const elsewhere = { db: stage.db, files: await filesOf('another') }
  expect(await chore?.may?.(elsewhere)).toBe(false)
  expect(await chore?.run(elsewhere, signal)).toBe(0)
  expect(await there()).toEqual([true, true])

  const here = { db: stage.db, files: await filesOf(id) }
  expect(await chore?.may?.(here)).toBe(true)
  expect(await chore?.run(here, AbortSignal.abort())).toBe(0)
  expect(await chore?.run(here, signal)).toBe(1)
  expect(await there()).toEqual([false, false])
  expect(await findMediaFiles(stage.db, [deleted])).toEqual([])
  expect(await findMediaFiles(stage.db, [kept])).toHaveLength(1)
  expect(await chore?.run(here, signal)).toBe(0)
})
