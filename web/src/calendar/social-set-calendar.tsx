import { useCallback, useEffect, useRef, useState } from 'react'
import type { SocialSet } from '#contract'
import type { PostSetSubject } from '../planning/posts/subject.ts'
import { PostSetActionsProvider } from '../post-set-actions/post-set-actions-provider.tsx'
import { CalendarBody } from './calendar-body.tsx'
import { clearSelection } from './selection.ts'
import type { CardFocus } from './use-card-focus.ts'

/** The calendar of one social set, with the actions on its post sets. */
export function SocialSetCalendar({ socialSet }: { socialSet: SocialSet }) {
  const [picked, setPicked] = useState<PostSetSubject | null>(null)
  const focus = useRef<CardFocus>({ show: () => {}, leave: () => {} })
  const onFocus = useCallback((id: string) => focus.current.show(id), [])
  const onLeave = useCallback((ids: readonly string[]) => focus.current.leave(ids), [])
  useEffect(() => clearSelection, [])
  return (
    <PostSetActionsProvider socialSet={socialSet} onFocus={onFocus} onLeave={onLeave} onPick={setPicked}>
      <CalendarBody
        brand={socialSet}
        over={null}
        socialSet={socialSet}
        picked={picked}
        onPicked={() => setPicked(null)}
        cardFocusRef={focus}
      />
    </PostSetActionsProvider>
  )
}
