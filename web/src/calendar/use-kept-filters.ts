import { useRouterState } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import type { useCalendarAddress } from './address.ts'
import { countFilters } from './filters.ts'
import type { useKept } from './kept.ts'

/** Whether the calendar was come to as such: by the navigation, or by an address that says nothing (`plain`). */
export function useComes(plain: boolean): boolean {
  return useRouterState({ select: ({ location }) => location.state.kept === true }) || plain
}

/**
 * Who comes to the calendar as such (`comes`), by the navigation or an address that names no brand where there is one, gets
 * the filters that were used last. An address that says more is shown as it is.
 */
export function useKeptFilters(
  { filters, search, go }: ReturnType<typeof useCalendarAddress>,
  { keptFilters }: Pick<ReturnType<typeof useKept>, 'keptFilters'>,
  comes: boolean,
): void {
  const first = useRef(true)
  useEffect(() => {
    if (!first.current) return
    first.current = false
    // A copied address shows the same to everybody.
    if (countFilters(filters) > 0 || search.post !== undefined || !comes) return
    const kept = keptFilters()
    if (Object.keys(kept).length > 0) go({ ...kept, replace: true })
  }, [filters, search, go, keptFilters, comes])
}
