import { lazyCode } from '../api/code.ts'
import { Part } from '../design/part.tsx'
import { useUnseenOf } from './queries.ts'

// On most days nothing fails.
const FailuresLine = lazyCode(() =>
  import('./failures-line.tsx').then(({ FailuresLine }) => ({ default: FailuresLine })),
)

/** Says of a brand what failed, until it has been seen. */
export function FailuresNotice({ socialSetId }: { socialSetId: string }) {
  const number = useUnseenOf(socialSetId)
  if (number === 0) return null
  return (
    <Part>
      <FailuresLine socialSetId={socialSetId} number={number} />
    </Part>
  )
}
