import { useCallback } from 'react'
import { useSession } from '../api/session.ts'
import type { FilterSearch } from './filters.ts'

/** What a member chose last, in this browser. */
export function useKept() {
  const { user, account } = useSession()
  const { id } = user
  // Labels and authors are those of an account.
  const filters = `filters.${account.id}.${id}`
  const keepFilters = useCallback((chosen: FilterSearch) => write(filters, JSON.stringify(chosen)), [filters])
  const keptFilters = useCallback((): FilterSearch => {
    try {
      const kept: unknown = JSON.parse(read(filters) ?? '{}')
      return typeof kept === 'object' && kept !== null ? textsOf(kept) : {}
    } catch {
      return {}
    }
  }, [filters])
  return { keepFilters, keptFilters }
}

const NAMES = ['net', 'status', 'label', 'author', 'q'] as const

function textsOf(kept: object): FilterSearch {
  const texts = Object.entries(kept).filter(
    ([name, value]) => NAMES.some((known) => known === name) && typeof value === 'string' && value !== '',
  )
  return Object.fromEntries(texts)
}

// Without storage the choice is of this page alone.
function read(name: string): string | null {
  try {
    return localStorage.getItem(`almanac.calendar.${name}`)
  } catch {
    return null
  }
}

function write(name: string, value: string): void {
  try {
    localStorage.setItem(`almanac.calendar.${name}`, value)
  } catch {}
}
