import { queryOptions } from '@tanstack/react-query'
import { call } from '../../api/client.ts'
import { queryClient } from '../../api/query-client.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { forgetCopyOf, type Owner, readCopies } from './copies.ts'

/** What is written and not saved. */
export interface Unsaved {
  id: string
  socialSetId: string
  /** Null: a new post. */
  postSetId: string | null
  /** How it begins. */
  text: string
  /** ISO 8601. */
  at: string
}

/**
 * What the person has written in a brand and not saved, in this browser and on the server, the newest first.
 *
 * @param where the id of the brand, or those of all that are seen
 */
export const unsavedQuery = (owner: Owner, where: string | readonly string[]) =>
  queryOptions({
    queryKey: queryKeys.keptDrafts.list({ where }),
    queryFn: ({ signal }) => listUnsaved(owner, where, signal),
    staleTime: 0,
    gcTime: 0,
  })

/** Reads them again. No row says it of what is written into this browser, or goes from it. */
export const unsavedChanged = () => queryClient.invalidateQueries({ queryKey: queryKeys.keptDrafts.all })

async function listUnsaved(owner: Owner, where: string | readonly string[], signal: AbortSignal): Promise<Unsaved[]> {
  const socialSetId = typeof where === 'string' ? where : null
  const copies = readCopies(owner).filter((copy) => [where].flat().includes(copy.socialSetId))
  const listed = await call('GET /kept-drafts', { query: { socialSetId }, signal }).catch((error: unknown) => {
    // What this browser has is offered also when the server is away.
    if (copies.length > 0) return null
    throw error
  })
  const rows = listed?.data ?? []
  const stored = new Map(rows.map((row) => [row.id, row]))
  const found = new Map<string, Unsaved>(
    rows.map(({ id, excerpt, updatedAt, ...row }) => [
      id,
      { id, socialSetId: row.socialSetId, postSetId: row.postSetId, text: excerpt, at: updatedAt },
    ]),
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
    if (!row || sequence > row.sequence)
      found.set(id, { id, socialSetId: copy.socialSetId, postSetId, text: draft.caption, at })
  }
  return [...found.values()].sort((one, other) => other.at.localeCompare(one.at))
}
