import { queryOptions } from '@tanstack/react-query'
import { call } from '../../api/client.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { forgetAll, forgetCopyOf, type Owner, readCopies, stamp, WRITER, writeCopy } from './copies.ts'
import { readRow } from './row.ts'

/** What is written and not saved. */
export interface Unsaved {
  id: string
  /** Null: a new post. */
  postSetId: string | null
  /** How it begins. */
  text: string
  /** ISO 8601. */
  at: string
}

/** What the person has written in a brand and not saved, in this browser and on the server, the newest first. */
export const unsavedQuery = (owner: Owner, socialSetId: string) =>
  queryOptions({
    queryKey: queryKeys.keptDrafts.list({ socialSetId }),
    queryFn: ({ signal }) => listUnsaved(owner, socialSetId, signal),
    staleTime: 0,
    gcTime: 0,
  })

async function listUnsaved(owner: Owner, socialSetId: string, signal: AbortSignal): Promise<Unsaved[]> {
  const copies = readCopies(owner).filter((copy) => copy.socialSetId === socialSetId)
  const listed = await call('GET /kept-drafts', { query: { socialSetId }, signal }).catch((error: unknown) => {
    // What this browser has is offered also when the server is away.
    if (copies.length > 0) return null
    throw error
  })
  const rows = listed?.data ?? []
  const stored = new Map(rows.map((row) => [row.id, row]))
  const found = new Map<string, Unsaved>(
    rows.map(({ id, postSetId, excerpt, updatedAt }) => [id, { id, postSetId, text: excerpt, at: updatedAt }]),
  )
  // The newest of a text comes first.
  for (const copy of copies.toReversed()) {
    const { id, postSetId, draft, at, isStored, sequence } = copy
    const row = stored.get(id)
    if (isStored && listed && !row) {
      // It was saved or discarded elsewhere.
      forgetCopyOf(copy)
      continue
    }
    if (!row || sequence > row.sequence) found.set(id, { id, postSetId, text: draft.caption, at })
  }
  return [...found.values()].sort((one, other) => other.at.localeCompare(one.at))
}

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
