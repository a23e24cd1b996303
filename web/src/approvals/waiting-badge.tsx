import { plural } from '@lingui/core/macro'
import { Badge, VisuallyHidden } from '@mantine/core'
import { useApprovalCounts } from './counts.ts'

const MOST = 99

/** How many posts wait for the member's approval, beside an entry of the navigation; red when the time of one is near. */
export function WaitingBadge() {
  const counts = useApprovalCounts()
  if (!counts || counts.waiting === 0) return null
  const { waiting, urgent } = counts
  return (
    <Badge
      {...(urgent > 0 ? { color: 'red' } : { color: 'var(--ink)', c: 'var(--on-ink)' })}
      size="sm"
      circle={waiting < 10}
    >
      {waiting > MOST ? `${MOST}+` : waiting}
      <VisuallyHidden> {plural(waiting, { one: 'post waits for you', other: 'posts wait for you' })}</VisuallyHidden>
    </Badge>
  )
}
