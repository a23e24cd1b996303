import { Trans } from '@lingui/react/macro'
import { Badge, VisuallyHidden } from '@mantine/core'
import { useUnreadNews } from './queries.ts'

const MOST = 99

/** How many news are unread, on the bell; nothing when none is. */
export function NewsBadge() {
  const number = useUnreadNews()
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
