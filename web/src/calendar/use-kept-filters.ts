import { useEffect, useRef } from 'react'
import type { useCalendarAddress } from './address.ts'
import { countFilters } from './filters.ts'
import type { useKept } from './kept.ts'

/** Who comes back without filters in the address gets those that were used last. A link's own filters win. */
export function useKeptFilters(
  { filters, search, go }: ReturnType<typeof useCalendarAddress>,
  { keptFilters }: Pick<ReturnType<typeof useKept>, 'keptFilters'>,
): void {
  const first = useRef(true)
  useEffect(() => {
    if (!first.current) return
    first.current = false
    // A link to a post set should show it, whatever was filtered by before.
    if (countFilters(filters) > 0 || search.post !== undefined) return
    const kept = keptFilters()
    if (Object.keys(kept).length > 0) go({ ...kept, replace: true })
  }, [filters, search, go, keptFilters])
}
