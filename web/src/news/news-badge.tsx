import { Trans } from '@lingui/react/macro'
import { Badge, VisuallyHidden } from '@mantine/core'
import { useSession } from '../api/session.ts'
import { useClockJump } from '../frame/stops.ts'
import { useUnreadNews } from './queries.ts'

const MOST = 99

/** How many news are unread, on the bell; nothing when none is. For operators a clock that has jumped counts until it is right. */
export function NewsBadge() {
  const { operator } = useSession()
  const jumped = useClockJump() !== null
  const number = useUnreadNews() + (operator && jumped ? 1 : 0)
  if (number === 0) return null
  return (
    <Badge size="sm" circle={number < 10}>
      {number > MOST ? `${MOST}+` : number}
      <VisuallyHidden>
        {' '}
        <Trans>unread</Trans>
      </VisuallyHidden>
    </Badge>
  )
}
