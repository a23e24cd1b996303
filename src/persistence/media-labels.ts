import { sql } from 'kysely'
import type { Database } from './database.ts'

/** SQL: ids of the labels of a row called page, without those that were removed. */
export const labelsOfFile = sql<string[]>`coalesce((
  select json_agg(label_id order by label_id) from media_labels join labels on labels.id = label_id
  where media_id = page.id and removed_by is null
), '[]')`

/** Gives a file these labels and no others. The caller holds the row of the file and the labels. */
export async function setMediaLabels(trx: Database, mediaId: string, labelsId: readonly string[]): Promise<void> {
  await sql`delete from media_labels where media_id = ${mediaId}::uuid and label_id <> all(${[...labelsId]}::uuid[])`.execute(
    trx,
  )
  await sql`
    insert into media_labels (media_id, label_id) select ${mediaId}::uuid, unnest(${[...labelsId]}::uuid[])
    on conflict do nothing`.execute(trx)
}

/** Gives files a label, or takes it from them; answers those to which it was a change. The caller holds their rows and the label. */
export async function setLabelOfFiles(
  trx: Database,
  mediaIds: readonly string[],
  { labelId, has }: { labelId: string; has: boolean },
): Promise<string[]> {
  const ids = sql`${[...mediaIds]}::uuid[]`
  const { rows } = await (has
    ? sql<{ id: string }>`
        insert into media_labels (media_id, label_id) select unnest(${ids}), ${labelId}::uuid
        on conflict do nothing returning media_id as id`
    : sql<{ id: string }>`
        delete from media_labels where label_id = ${labelId}::uuid and media_id = any(${ids}) returning media_id as id`
  ).execute(trx)
  return rows.map(({ id }) => id)
}

/** The labels of a file, by id. */
export async function listMediaLabels(db: Database, mediaId: string): Promise<string[]> {
  const { rows } = await sql<{ labelsId: string[] }>`
    select ${labelsOfFile} as "labelsId" from (select ${mediaId}::uuid as id) as page`.execute(db)
  return rows[0]?.labelsId ?? []
}

/** Files that have a label get another one. */
export async function giveMediaLabel(trx: Database, id: string, into: string): Promise<void> {
  await sql`
    insert into media_labels (media_id, label_id) select media_id, ${into}::uuid from media_labels where label_id = ${id}::uuid
    on conflict do nothing`.execute(trx)
}
