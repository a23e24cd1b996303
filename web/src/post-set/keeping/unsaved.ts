import { queryOptions } from '@tanstack/react-query'
import { call } from '../../api/client.ts'
import { queryClient } from '../../api/query-client.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { forgetCopyOf, type Owner, readCopies } from './copies.ts'

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

/** Reads them again. No row says it of what is written into this browser, or goes from it. */
export const unsavedChanged = () => queryClient.invalidateQueries({ queryKey: queryKeys.keptDrafts.all })

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
