import type { MediaFacts } from '#contract'
import type { Database } from './database.ts'

/** A converted copy of an image. */
export interface MediaRendition {
  id: string
  storageKey: string
  facts: MediaFacts
}

const columns = ['id', 'storage_key as storageKey', 'facts'] as const

/** The copy of an item in a form that `spec` names, if it was made. */
export async function findRendition(db: Database, mediaId: string, spec: string): Promise<MediaRendition | null> {
  const row = await db
    .selectFrom('media_renditions')
    .select(columns)
    .where('media_id', '=', mediaId)
    .where('spec', '=', spec)
    .executeTakeFirst()
  return row ?? null
}

/** A copy by its own id, with the name of the item it was made of. */
export async function findRenditionFile(db: Database, id: string): Promise<(MediaRendition & { name: string }) | null> {
  const row = await db
    .selectFrom('media_renditions')
    .innerJoin('media_items', 'media_items.id', 'media_renditions.media_id')
    .select([
      'media_renditions.id',
      'media_renditions.storage_key as storageKey',
      'media_renditions.facts',
      'media_items.name',
    ])
    .where('media_renditions.id', '=', id)
    .executeTakeFirst()
  return row ?? null
}

/** Keeps a copy. False when another process has made the same one meanwhile. */
export async function insertRendition(
  db: Database,
  rendition: MediaRendition & { mediaId: string; spec: string },
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('media_renditions')
    .values({
      id: rendition.id,
      media_id: rendition.mediaId,
      spec: rendition.spec,
      facts: JSON.stringify(rendition.facts),
      storage_key: rendition.storageKey,
    })
    .onConflict((conflict) => conflict.columns(['media_id', 'spec']).doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

/** Puts another file in the place of one that is gone. False when another process has done so meanwhile. */
export async function replaceRendition(db: Database, rendition: MediaRendition, goneKey: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('media_renditions')
    .set({ storage_key: rendition.storageKey, facts: JSON.stringify(rendition.facts) })
    .where('id', '=', rendition.id)
    .where('storage_key', '=', goneKey)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}
