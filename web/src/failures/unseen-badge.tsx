import { plural } from '@lingui/core/macro'
import { Badge, VisuallyHidden } from '@mantine/core'
import { useEffect } from 'react'
import { setWaiting } from '../design/page-title.tsx'
import { useUnseen } from './queries.ts'

const MOST = 99

/** How many failed posts wait to be seen, beside an entry of the navigation; nothing when none does. */
export function UnseenBadge() {
  const number = useUnseen()
  if (number === 0) return null
  return (
    <Badge color="red" size="sm" circle={number < 10}>
      {number > MOST ? `${MOST}+` : number}
      <VisuallyHidden> {plural(number, { one: 'failed post', other: 'failed posts' })}</VisuallyHidden>
    </Badge>
  )
}

/** Keeps that number in the title of the window: "(2) Calendar". */
export function UnseenInTitle() {
  const number = useUnseen()
  useEffect(() => {
    setWaiting(number)
    return () => setWaiting(0)
  }, [number])
  return null
}
