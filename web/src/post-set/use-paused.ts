import { useDebouncedValue } from '@mantine/hooks'
import { useEffect } from 'react'
import { holdRest } from '../api/at-rest.ts'

const PAUSE_MS = 300

/** What is written, a moment after the last key. */
export function usePaused(written: string): string {
  const [paused] = useDebouncedValue(written, PAUSE_MS)
  const waits = paused !== written
  useEffect(() => (waits ? holdRest() : undefined), [waits])
  return paused
}
