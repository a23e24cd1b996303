import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { SocialSet } from '#contract'
import { usePreferences } from '../api/session.ts'
import { dayOfNote, daysOn, instantOn, landingOf } from '../planning/brands/brand-days.ts'
import { makeMarks } from '../planning/brands/brand-marks.tsx'
import type { PostSetSubject } from '../planning/posts/subject.ts'
import { PostSetActionsProvider } from '../post-set-actions/post-set-actions-provider.tsx'
import { useViewerZone } from '../time/viewer.ts'
import { BrandsPanels } from './brands-panels.tsx'
import { CalendarBody } from './calendar-body.tsx'
import type { Begun, Over } from './over.ts'
import { clearSelection } from './selection.ts'
import type { CardFocus } from './use-card-focus.ts'

/** The calendar of all brands that the member sees, by the viewer's own clock. */
export function BrandsCalendar({ sets }: { sets: readonly SocialSet[] }) {
  const zone = useViewerZone()
  const preferences = usePreferences()
  const [picked, setPicked] = useState<PostSetSubject | null>(null)
  const [begun, setBegun] = useState<Begun | null>(null)
  const focus = useRef<CardFocus>({ show: () => {}, leave: () => {} })
  const onFocus = useCallback((id: string) => focus.current.show(id), [])
  const onLeave = useCallback((ids: readonly string[]) => focus.current.leave(ids), [])
  useEffect(() => clearSelection, [])

  const brands = useMemo(() => new Map(sets.map((set) => [set.id, set])), [sets])
  const place = useMemo(
    () => ({ id: null, timezone: zone, accounts: sets.flatMap(({ accounts }) => accounts) }),
    [sets, zone],
  )
  const known = useMemo(() => ({ brands, zone }), [brands, zone])
  const over = useMemo<Over>(() => {
    const clocksOf = ({ socialSetId }: { socialSetId: string }) => ({
      brand: brands.get(socialSetId)?.timezone ?? zone,
      viewer: zone,
    })
    return {
      ...makeMarks({ brands, zone, preferences }),
      dayOfNote: (note) => dayOfNote(note.scheduledAt, clocksOf(note)),
      target: ({ scheduledAt }, { date, minutes }) =>
        minutes === null
          ? { to: 'days', days: daysOn(scheduledAt, zone, date) }
          : { to: 'instant', instant: instantOn(date, minutes, zone) },
      landing: (card, { date }) => landingOf(card.scheduledAt, clocksOf(card), date),
      begin: setBegun,
      panels: (props) => (
        <BrandsPanels {...props} {...known} begun={begun} onBegin={setBegun} onBegun={() => setBegun(null)} />
      ),
    }
  }, [brands, zone, preferences, known, begun])
  return (
    <PostSetActionsProvider socialSet={null} over={known} onFocus={onFocus} onLeave={onLeave} onPick={setPicked}>
      <CalendarBody
        brand={null}
        over={over}
        socialSet={place}
        picked={picked}
        onPicked={() => setPicked(null)}
        cardFocusRef={focus}
      />
    </PostSetActionsProvider>
  )
}
