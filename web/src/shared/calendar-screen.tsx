import { Trans } from '@lingui/react/macro'
import { useEffect, useRef, useState } from 'react'
import type { GuestCalendar, GuestVisit } from '#contract'
import { useKeepsHeight } from '../design/still.ts'
import { type DayRange, monthOf, startOfDay } from '../planning/dates/dates.ts'
import { monthAndYear } from '../planning/dates/titles.ts'
import { sameClock, viewerZone, zoneChip } from '../time/zones.ts'
import { go, usePlace } from './address.ts'
import { Agenda, dayId } from './agenda.tsx'
import { Banner, WaysToDo } from './banner.tsx'
import controls from './controls.module.css'
import { DateStrip } from './date-strip.tsx'
import { DayGrid } from './day-grid.tsx'
import { useDecide } from './decide.tsx'
import { Decided } from './decided.tsx'
import { MonthPictures } from './month-pictures.tsx'
import { NoteDialog } from './note-dialog.tsx'
import { OtherToDo } from './other-to-do.tsx'
import css from './screen.module.css'
import { SelectionBar, SelectionContext } from './select-box.tsx'
import side from './side.module.css'
import { Failed, Loading } from './states.tsx'
import { ToDoList } from './to-do-list.tsx'
import { Pages, Toolbar } from './toolbar.tsx'
import { useIsWide } from './use-is-wide.ts'

interface CalendarScreenProps {
  visit: GuestVisit
  date: Temporal.PlainDate
  range: DayRange
  calendar: Omit<GuestCalendar, 'next'> | undefined
  error: unknown
  onRetry: () => void
  /** The post that was open a moment ago: the focus goes back to it. */
  left: string | null
}

const NONE: Omit<GuestCalendar, 'next'> = { cards: [], notes: [], truncated: false }

/** Month, week or list of what the link shows. */
export function CalendarScreen({ visit, date, range, calendar, error, onRetry, left }: CalendarScreenProps) {
  const { view, waiting, brand } = usePlace()
  const isWide = useIsWide()
  const { asNamed } = useDecide()
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const [noteOn, setNoteOn] = useState<string | null>(null)
  const [chosen, setChosen] = useState<string | null>(null)
  const above = useKeepsHeight()
  useFocusBack(left, calendar !== undefined)
  const { cards, notes, truncated } = calendar ?? NONE
  const shown = waiting ? cards.filter((card) => card.waiting) : cards
  const shownNotes = waiting ? [] : notes
  const month = monthOf(date)
  const isGrid = isWide && view !== 'list'
  const isEmpty = shown.length === 0 && shownNotes.length === 0 && chosen === null
  const choose = (day: string) => {
    setChosen(day)
    window.requestAnimationFrame(() => {
      const heading = document.getElementById(dayId(day))
      heading?.focus({ preventScroll: true })
      heading?.scrollIntoView({ block: 'start' })
    })
  }
  // A note says whose it is.
  const addNote = (day: string) => asNamed(() => setNoteOn(day))
  const all = { visit, cards: shown, notes: shownNotes, onNote: addNote }
  return (
    <SelectionContext value={{ ids: selected, set: setSelected }}>
      <main className={css.main} tabIndex={-1}>
        <div ref={above} className={css.above}>
          <Banner visit={visit} cards={cards} date={date} />
          <Toolbar visit={visit} date={date} onNote={() => addNote(chosen ?? date.toString())}>
            {waiting ? <WaysToDo visit={visit} cards={cards} date={date} /> : <Pages date={date} />}
          </Toolbar>
          <Zones visit={visit} date={date} first={cards[0]?.scheduledAt} />
          {calendar && waiting && <OtherToDo visit={visit} date={date} />}
        </div>
        {truncated && (
          <p className={controls.dim}>
            <Trans>There are more posts than fit here. Choose a week or a brand to see all.</Trans>
          </p>
        )}
        {error !== null && !calendar && <Failed error={error} onRetry={onRetry} />}
        {error === null && !calendar && <Loading />}
        {calendar && view === 'month' && !isWide && (
          <DateStrip
            key={month.first.toString()}
            range={month}
            brands={visit.brands}
            cards={shown}
            notes={shownNotes}
            chosen={chosen}
            onChoose={choose}
          />
        )}
        {calendar && isGrid && <DayGrid {...all} range={range} month={view === 'month' ? date.month : null} />}
        {calendar && !isGrid && !waiting && <Agenda {...all} chosen={chosen} />}
        {calendar && isEmpty && !waiting && <Empty date={date} waiting={false} />}
        {calendar && waiting && (
          <div className={side.columns}>
            <div>
              <ToDoList visit={visit} cards={cards} scope={`${month.first} ${brand}`}>
                {isEmpty && <Empty date={date} waiting={cards.length > 0} />}
              </ToDoList>
              {/* Right after them: by keys, the month beside is a long way. */}
              <SelectionBar cards={shown} />
            </div>
            <aside>
              <MonthPictures visit={visit} date={date} cards={cards} />
              <Decided visit={visit} cards={cards} />
            </aside>
          </div>
        )}
        {!waiting && <SelectionBar cards={shown} />}
      </main>
      {noteOn !== null && (
        <NoteDialog key={noteOn} brands={visit.brands} day={noteOn} onClose={() => setNoteOn(null)} />
      )}
    </SelectionContext>
  )
}

function Empty({ date, waiting }: { date: Temporal.PlainDate; waiting: boolean }) {
  const month = monthAndYear(date, null)
  return (
    <div className={css.empty}>
      {waiting ? (
        <>
          <p>
            <Trans>Nothing in {month} needs you.</Trans>
          </p>
          <button type="button" className={controls.button} onClick={() => go({ waiting: false })}>
            <Trans>Show all posts</Trans>
          </button>
        </>
      ) : (
        <p>
          <Trans>Nothing is planned in {month} yet.</Trans>
        </p>
      )}
    </div>
  )
}

/** In whose time all is, where the guest's own clock shows another. */
function Zones({ visit, date, first }: { visit: GuestVisit; date: Temporal.PlainDate; first: string | undefined }) {
  const zones = [...new Set(visit.brands.map(({ timezone }) => timezone))]
  const [only] = zones
  if (zones.length > 1 || only === undefined) {
    return (
      <p className={controls.dim}>
        <Trans>Times are those of each brand.</Trans>
      </p>
    )
  }
  // Where nothing is planned, too, the clock is that of the days shown: not in every month it is that of now.
  const at = first ?? startOfDay(date, only)
  if (sameClock(at, only, viewerZone())) return null
  return (
    <p className={controls.dim}>
      <Trans>Times are those of {zoneChip(only, at)}.</Trans>
    </p>
  )
}

/** From a post that was open, the focus goes to its card; without one, to the page. */
function useFocusBack(left: string | null, ready: boolean): void {
  const done = useRef(left === null)
  useEffect(() => {
    if (done.current || !ready) return
    done.current = true
    const card = document.querySelector<HTMLElement>(`[data-card="${CSS.escape(left ?? '')}"]`)
    ;(card ?? document.querySelector('main'))?.focus()
  }, [left, ready])
}
