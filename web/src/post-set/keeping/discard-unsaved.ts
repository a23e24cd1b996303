import { call } from '../../api/client.ts'
import { forgetAll, type Owner, readCopies, stamp, WRITER, writeCopy } from './copies.ts'
import { readRow } from './row.ts'
import type { Unsaved } from './unsaved.ts'

/** Discards a text here and on the server. Answers what takes that back, under an id of its own. Throws ApiError. */
export async function discardUnsaved(
  owner: Owner,
  socialSetId: string,
  { id, postSetId }: Unsaved,
): Promise<() => Promise<void>> {
  const copy = readCopies(owner).find((each) => each.id === id) ?? null
  const row = await readRow(id, socialSetId)
  if (row) {
    const query = { sequence: row.sequence, seen: row.sequence, writer: WRITER }
    await call('DELETE /kept-drafts/:id', { params: { id }, query })
  }
  forgetAll(owner, id)
  const kept = copy && !copy.isStored && copy.sequence > (row?.sequence ?? 0) ? copy : row
  return async () => {
    if (!kept) return
    const { draft, version } = kept
    const as = { id: postSetId ?? crypto.randomUUID(), socialSetId, postSetId }
    writeCopy(owner, { ...as, draft, version, sequence: stamp(), seen: 0, own: [], isStored: false })
  }
}
