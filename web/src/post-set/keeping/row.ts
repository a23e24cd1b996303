import { hasCode } from '../../api/api-error.ts'
import { call } from '../../api/client.ts'
import { readDraft } from '../draft-shape.ts'
import type { Found, Keeping, Row } from './keeping.ts'

/** What the server has of a text; null of nothing. Throws ApiError. */
export async function readRow(id: string, socialSetId: string): Promise<Row | null> {
  // The list says first whether there is one: nothing that is asked for is missing, then.
  const { data } = await call('GET /kept-drafts', { query: { socialSetId } })
  if (!data.some((row) => row.id === id)) return null
  const row = await call('GET /kept-drafts/:id', { params: { id } })
  const draft = readDraft(row.content.draft)
  return draft && { draft, version: row.basedOnVersion, sequence: row.sequence }
}

/**
 * What the server has of a text that is opened. Of a new one that had a row, and of which this browser has more letters, it is asked
 * whether it was saved: the answer to that may have been lost. Throws ApiError.
 */
export async function openRow(
  subject: Pick<Keeping, 'id' | 'postSetId'>,
  socialSetId: string,
  hadRow: boolean,
): Promise<Row | 'saved' | null> {
  const row = await readRow(subject.id, socialSetId)
  if (row || subject.postSetId !== null || !hadRow) return row
  return (await findRow(subject, socialSetId)) === 'saved' ? 'saved' : null
}

/** What became of a text that the server had. Throws ApiError. */
export async function findRow(
  { id, postSetId }: Pick<Keeping, 'id' | 'postSetId'>,
  socialSetId: string,
): Promise<Found> {
  const row = await readRow(id, socialSetId)
  if (row) return row
  if (postSetId !== null) return 'discarded'
  try {
    await call('GET /post-sets/:id', { params: { id } })
    return 'saved'
  } catch (error) {
    if (hasCode(error, 'post-set:not_found')) return 'discarded'
    throw error
  }
}
