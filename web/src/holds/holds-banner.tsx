import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { lazyWithWords } from '../language/lazy-with-words.ts'
import { holdsQuery } from './queries.ts'

// On most days publishing is stopped nowhere.
const HoldLines = lazy(() => import('./hold-lines.tsx').then(({ HoldLines }) => ({ default: HoldLines })))
const HeldStartLine = lazyWithWords(() =>
  import('./held-start-line.tsx').then(({ HeldStartLine }) => ({ default: HeldStartLine })),
)

/** Says where publishing is stopped, or that Almanac waits for its operator, and lets it go on. Stands above every screen. */
export function HoldsBanner() {
  const { data: holds = [], start = null } = useQuery(holdsQuery).data ?? {}
  return (
    <Suspense>
      {start && <HeldStartLine start={start} />}
      {holds.length > 0 && <HoldLines holds={holds} />}
    </Suspense>
  )
}
