import { lazy, Suspense } from 'react'
import classes from './strip.module.css'

// On most days nothing fails.
const StripLine = lazy(() => import('./strip-line.tsx').then(({ StripLine }) => ({ default: StripLine })))

/** Says over the calendar of a brand what failed, until it has been seen. `number`: failures that have not been. */
export function FailuresStrip({ socialSetId, number }: { socialSetId: string; number: number }) {
  // Its place is kept, so that the calendar does not jump when its words come.
  return (
    <Suspense fallback={<div className={classes.strip} />}>
      {number > 0 && <StripLine socialSetId={socialSetId} number={number} />}
    </Suspense>
  )
}
