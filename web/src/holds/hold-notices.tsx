import { useQuery } from '@tanstack/react-query'
import { lazyCode, lazyWithWords } from '../api/code.ts'
import { Part } from '../design/part.tsx'
import { holdsQuery } from '../frame/stops.ts'

// On most days publishing is stopped nowhere.
const HoldLines = lazyCode(() => import('./hold-lines.tsx').then(({ HoldLines }) => ({ default: HoldLines })))
const HeldStartLine = lazyWithWords(() =>
  import('./held-start-line.tsx').then(({ HeldStartLine }) => ({ default: HeldStartLine })),
)
const ClockLine = lazyWithWords(() =>
  import('../frame/clock-line.tsx').then(({ ClockLine }) => ({ default: ClockLine })),
)

/**
 * Says where publishing is stopped, that Almanac waits for its operator, or that the clock has jumped, and lets publishing go on.
 * Notices of every screen.
 */
export function HoldNotices() {
  const { data: holds = [], start = null, clock = null } = useQuery(holdsQuery).data ?? {}
  return (
    <Part>
      {start && <HeldStartLine start={start} />}
      {clock && <ClockLine clock={clock} />}
      {holds.length > 0 && <HoldLines holds={holds} />}
    </Part>
  )
}
