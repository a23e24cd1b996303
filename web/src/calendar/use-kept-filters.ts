import { useEffect, useRef } from 'react'
import type { useCalendarAddress } from './address.ts'
import { countFilters } from './filters.ts'
import type { useKept } from './kept.ts'

/** Who comes to the calendar as such gets the filters that were used last. An address that says more is shown as it is. */
export function useKeptFilters(
  { filters, search, go }: ReturnType<typeof useCalendarAddress>,
  { keptFilters }: Pick<ReturnType<typeof useKept>, 'keptFilters'>,
): void {
  const first = useRef(true)
  useEffect(() => {
    if (!first.current) return
    first.current = false
    // A copied address names the social set, and shows the same to everybody.
    if (countFilters(filters) > 0 || search.post !== undefined || search.set !== undefined) return
    const kept = keptFilters()
    if (Object.keys(kept).length > 0) go({ ...kept, replace: true })
  }, [filters, search, go, keptFilters])
}
