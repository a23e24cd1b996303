import { useCallback, useEffect, useRef, useState } from 'react'
import type { SocialSet } from '#contract'
import { PostSetActionsProvider } from '../post-set-actions/post-set-actions-provider.tsx'
import type { PostSetSubject } from '../post-set-actions/subject.ts'
import { chooseSocialSet } from '../shell/social-sets.ts'
import { CalendarBody } from './calendar-body.tsx'
import { clearSelection } from './selection.ts'

/** The calendar of one social set, with the actions on its post sets. */
export function SocialSetCalendar({ socialSet }: { socialSet: SocialSet }) {
  const [picked, setPicked] = useState<PostSetSubject | null>(null)
  const show = useRef<(id: string) => void>(() => {})
  const onFocus = useCallback((id: string) => show.current(id), [])
  useEffect(() => {
    chooseSocialSet(socialSet.id)
    return clearSelection
  }, [socialSet.id])
  return (
    <PostSetActionsProvider socialSet={socialSet} onFocus={onFocus} onPick={setPicked}>
      <CalendarBody socialSet={socialSet} picked={picked} onPicked={() => setPicked(null)} showRef={show} />
    </PostSetActionsProvider>
  )
}
