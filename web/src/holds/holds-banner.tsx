import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { holdsQuery } from './queries.ts'

// On most days publishing is stopped nowhere.
const HoldLines = lazy(() => import('./hold-lines.tsx').then(({ HoldLines }) => ({ default: HoldLines })))

/** Says where publishing is stopped, and lets it go on. Stands above every screen. */
export function HoldsBanner() {
  const holds = useQuery(holdsQuery).data?.data ?? []
  return <Suspense>{holds.length > 0 && <HoldLines holds={holds} />}</Suspense>
}
