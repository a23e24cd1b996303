import { type ReactNode, Suspense, useLayoutEffect } from 'react'
import { holdRest } from '../api/at-rest.ts'

/** What may be loaded when it is needed. While it is waited for, the page is not at rest; `fallback` is shown in its place. */
export function Part({ fallback, children }: { fallback?: ReactNode; children: ReactNode }) {
  const waiting = (
    <>
      <Waiting />
      {fallback}
    </>
  )
  return <Suspense fallback={waiting}>{children}</Suspense>
}

function Waiting() {
  useLayoutEffect(holdRest, [])
  return null
}
