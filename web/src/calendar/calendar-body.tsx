import { useLingui } from '@lingui/react/macro'
import { type RefObject, useCallback, useDeferredValue, useEffect, useMemo, useRef, useState } from 'react'
import type { SocialSet } from '#contract'
import { lazyCode, lazyWithWords } from '../api/code.ts'
import { usePreferences, useSession } from '../api/session.ts'
import { announce } from '../design/announce.tsx'
import { Part } from '../design/part.tsx'
import { ErrorState, LoadingRows } from '../design/states.tsx'
import { useFirstSteps } from '../first-run/use-first-steps.tsx'
import { useSkipLink } from '../frame/skip-links.tsx'
import { useIsWide } from '../frame/use-is-wide.ts'
import { withWords } from '../language/language.ts'
import { rangeOf } from '../planning/dates/dates.ts'
import { viewTitle } from '../planning/dates/titles.ts'
import { useLabels } from '../planning/labels/labels-query.ts'
import { type PostSetSubject, whyNotChangeable } from '../planning/posts/subject.ts'
import { usePostSetActions } from '../post-set-actions/post-set-actions.tsx'
import { firstDayOfWeek } from '../time/zones.ts'
import { useCalendarAddress } from './address.ts'
import classes from './calendar.module.css'
import { CalendarHeader } from './calendar-header.tsx'
import type { CalendarPlace } from './calendar-place.ts'
import { useCalendar } from './calendar-query.ts'
import type { MenuPlace } from './card-menu.tsx'
import { dayItem, groupByDay } from './days.ts'
import { FILTERS_ID, FilterChips, FilterTools } from './filter-bar.tsx'
import { type CalendarFilters, countFilters, matches, NO_FILTERS, writeFilters } from './filters.ts'
import type { GridFocus } from './grid-focus.ts'
import { useKept } from './kept.ts'
import { MonthGrid } from './month-grid.tsx'
import { Notices } from './notices.tsx'
import { OpenedPanels } from './opened-panels.tsx'
import type { Over } from './over.ts'
import { PickBar } from './pick-bar.tsx'
import { InSightContext, SceneContext } from './scene.ts'
import { useSelection } from './selection.ts'
import { dayInSight, useCalendarEvents } from './use-calendar-events.ts'
import { useCalendarKeys } from './use-calendar-keys.ts'
import { type CardFocus, useCardFocus } from './use-card-focus.ts'
import { useDeepLink } from './use-deep-link.ts'
import { useComes, useKeptFilters } from './use-kept-filters.ts'

// What the first look at a month does without is loaded when it is needed.
const ListView = lazyWithWords(() => import('./list-view.tsx').then(({ ListView }) => ({ default: ListView })))
const WeekGrid = lazyWithWords(() => import('./week-grid.tsx').then(({ WeekGrid }) => ({ default: WeekGrid })))
const AgendaView = lazyCode(() => import('./agenda-view.tsx').then(({ AgendaView }) => ({ default: AgendaView })))
const Elsewhere = lazyWithWords(() => import('./elsewhere.tsx').then(({ Elsewhere }) => ({ default: Elsewhere })))
const SelectionBar = lazyWithWords(() =>
  import('./selection-bar.tsx').then(({ SelectionBar }) => ({ default: SelectionBar })),
)
const Extras = lazyWithWords(() =>
  import('./calendar-extras.tsx').then(({ CalendarExtras }) => ({ default: CalendarExtras })),
)

interface CalendarBodyProps {
  /** The brand; null where the calendar is over all of them. */
  brand: SocialSet | null
  over: Over | null
  /** The same, as what is read is called by. */
  socialSet: CalendarPlace
  /** The set that waits for a click on a day. */
  picked: PostSetSubject | null
  onPicked: () => void
  /** Gets what puts the focus on cards. */
  cardFocusRef: RefObject<CardFocus>
}

const CALENDAR_ID = 'calendar'
const NO_NOTES: never[] = []
const NO_CARDS: never[] = []

export function CalendarBody({ brand, over, socialSet, picked, onPicked, cardFocusRef }: CalendarBodyProps) {
  const { t } = useLingui()
  const zone = socialSet.timezone
  const session = useSession()
  const preferences = usePreferences()
  const wide = useIsWide()
  const actions = usePostSetActions()
  const labels = useLabels()
  const selection = useSelection()
  const address = useCalendarAddress(zone)
  const { view, date, filters, search, go } = address
  const firstDay = firstDayOfWeek(preferences)
  const kept = useKept()
  // A page that is turned says so at once; what it shows is drawn right after, so that no key has to wait for it.
  const shown = { view: useDeferredValue(view), date: useDeferredValue(date) }
  const { range, cards, notes, data, error, refetch, isPending, isPlaceholderData, isPartial } = useCalendar({
    ...shown,
    firstDay,
    socialSet,
    filters,
  })
  const section = useRef<HTMLDivElement>(null)
  const searchField = useRef<HTMLElement>(null)
  const grid = useRef<GridFocus>(null)
  const [menu, setMenu] = useState<MenuPlace | null>(null)
  const [inSight, setInSight] = useState<string | null>(null)
  const [dayShown, setDayShown] = useState<string | null>(null)
  /** How often all filters were cleared. */
  const [cleared, setCleared] = useState(0)
  /** Pointer or focus has been on the calendar: what opens over it is wanted soon. */
  const [touched, setTouched] = useState(false)

  useSkipLink(CALENDAR_ID, t`Skip to calendar`)
  useSkipLink(FILTERS_ID, t`Skip to filters`)
  useKeptFilters(address, kept, useComes(search.set === undefined && brand !== null))
  useDeepLink(address, brand)

  // On a narrow screen a month is its list of days; the days around it would only be in the way.
  const shownRange = useMemo(
    () => (wide || shown.view === 'week' ? range : rangeOf('list', shown.date, firstDay)),
    [wide, shown.view, range, shown.date, firstDay],
  )
  /** The page that the address names, while it is not drawn yet. */
  const turning = shown.view !== view || shown.date !== date
  const askedRange = useMemo(
    () => rangeOf(wide || view === 'week' ? view : 'list', date, firstDay),
    [wide, view, date, firstDay],
  )
  const matching = useMemo(() => cards.filter((card) => matches(card, filters, session)), [cards, filters, session])
  const narrowed = countFilters(filters) > 0
  const days = useMemo(
    // Who looks for posts does not look for notes.
    () => groupByDay({ cards: matching, notes: narrowed ? NO_NOTES : notes }, shownRange, zone, over?.dayOfNote),
    [matching, notes, narrowed, shownRange, zone, over],
  )
  // Where posts push each other, a part of them would be pushed by the others as they come; a month has a place for each.
  const sure = useMemo(
    () => (isPartial ? days.map((day) => ({ ...day, cards: NO_CARDS, notes: NO_NOTES })) : days),
    [days, isPartial],
  )
  const inRange = useMemo(() => days.flatMap((day) => day.cards), [days])
  const planned = days.reduce((sum, { notes, cards }) => sum + notes.length + cards.length, 0)
  const empty = data !== undefined && !isPlaceholderData && planned === 0
  const firstSteps = useFirstSteps(brand, empty && cards.length === 0 && !narrowed)
  const scene = useMemo(() => ({ zone, preferences, labels, over }), [zone, preferences, labels, over])

  const changeFilters = (changed: CalendarFilters) => {
    if (changed === NO_FILTERS) setCleared((times) => times + 1)
    kept.keepFilters(writeFilters(changed) as Parameters<typeof kept.keepFilters>[0])
    go({ ...writeFilters(changed), replace: true })
  }
  const cardFocus = useCardFocus({ cards, days, range: askedRange, zone, grid, go, onShow: setInSight })
  cardFocusRef.current = cardFocus

  const mayWrite = session.rights.includes('post-sets:write')
  const events = useCalendarEvents({
    zone,
    date,
    view,
    drawnView: shown.view,
    cards: inRange,
    planned: cards,
    go,
    actions,
    picked,
    onPicked,
    onMenu: setMenu,
    onDay: setDayShown,
    whyNot: (card) => whyNotChangeable(card, session.rights),
    focusDay: (day) => grid.current?.focusOn(dayItem(day)),
    range: askedRange,
    mayWrite,
    over,
  })
  useCalendarKeys({ view, date, zone, go, grid, searchField, cards: inRange, actions, events })

  // A calendar that is used may well change its view, or its window: then it is there, also without a network.
  useEffect(() => {
    if (!touched) return
    void withWords(import('./list-view.tsx'))
    void import('./agenda-view.tsx')
  }, [touched])
  const onAgendaDay = useCallback(
    (day: string) => (picked ? events.onPlace({ date: day, minutes: null }) : go({ date: day, replace: true })),
    [picked, events, go],
  )

  useEffect(() => {
    if (picked) announce(t`Choose the day to move to. Escape cancels.`)
  }, [picked, t])

  const title = viewTitle(shown.view, shown.date, firstDay, preferences.locale)
  const gridProps = {
    date: shown.date,
    days,
    firstDay,
    label: t`Calendar of ${title}`,
    picking: picked !== null,
    open: search.post,
    on: events,
    focusRef: grid,
  }
  const panels = {
    search,
    dayInSight: dayInSight({ zone, date, range: askedRange }),
    go,
    order: inRange.map(({ id }) => id),
    planned: cards,
    onClosed: cardFocus.show,
  }
  const loading = <LoadingRows rows={5} height={120} label={t`Loading the calendar…`} />
  const shownDay = days.find((day) => day.date === dayShown)
  return (
    <SceneContext value={scene}>
      <div className={classes.page}>
        <CalendarHeader
          socialSet={brand}
          view={view}
          date={date}
          zone={zone}
          firstDay={firstDay}
          search={search}
          go={go}
          loading={isPlaceholderData || turning}
          onNew={() => events.create(null)}
          onNewNote={() => events.createNote(null)}
          tools={(small) => (
            <FilterTools
              socialSet={socialSet}
              filters={filters}
              onChange={changeFilters}
              searchRef={searchField}
              cleared={cleared}
              small={small}
            />
          )}
        />
        <FilterChips socialSet={socialSet} filters={filters} onChange={changeFilters} />
        {narrowed && (
          <Part>
            <Elsewhere socialSet={socialSet} filters={filters} range={range} go={go} />
          </Part>
        )}
        {error && (
          <ErrorState title={t`The calendar could not be loaded`} error={error} onRetry={() => void refetch()} />
        )}
        {firstSteps}
        {/* biome-ignore lint/a11y/noStaticElementInteractions: it only notices that it is used */}
        <div
          id={CALENDAR_ID}
          className={classes.calendar}
          tabIndex={-1}
          ref={section}
          aria-busy={isPlaceholderData || turning}
          onPointerEnter={() => setTouched(true)}
          onFocus={({ target, currentTarget }) => {
            setTouched(true)
            // By the link that skips to it: arrows work from here.
            if (target === currentTarget) grid.current?.enter()
          }}
        >
          {isPending && !error && loading}
          {data &&
            (!wide ? (
              <Part>
                <AgendaView
                  days={sure}
                  date={shown.date}
                  label={t`Days of ${title}`}
                  picking={picked !== null}
                  onOpen={events.onOpen}
                  onNote={events.onNote}
                  onDay={onAgendaDay}
                />
              </Part>
            ) : (
              <Part fallback={loading}>
                <InSightContext value={inSight}>
                  {shown.view === 'list' && isPartial && loading}
                  {shown.view === 'list' && !isPartial && planned > 0 && (
                    <ListView days={days} label={t`Posts of ${title}`} onOpen={events.onOpen} onNote={events.onNote} />
                  )}
                  {shown.view === 'month' && <MonthGrid {...gridProps} partial={isPartial} />}
                  {shown.view === 'week' && (
                    <WeekGrid {...gridProps} days={sure} slotsOf={mayWrite ? socialSet.id : undefined} />
                  )}
                </InSightContext>
              </Part>
            ))}
        </div>
        <div className={classes.over}>
          {data && !firstSteps && (
            <Notices
              socialSet={brand}
              {...shown}
              filtered={narrowed}
              empty={empty}
              truncated={data.truncated}
              onClear={() => changeFilters(NO_FILTERS)}
              onNew={() => events.create(null)}
            />
          )}
          {picked && (
            <PickBar
              subject={picked}
              onCancel={() => {
                onPicked()
                cardFocus.show(picked.id)
              }}
            />
          )}
          {selection.size > 0 && (
            <Part>
              <SelectionBar cards={inRange} />
            </Part>
          )}
        </div>
        <Part>
          {touched && (
            <Extras
              section={section}
              grid={grid}
              cards={inRange}
              events={events}
              menu={menu}
              setMenu={setMenu}
              day={shownDay}
              setDay={setDayShown}
            />
          )}
        </Part>
        {brand && <OpenedPanels socialSet={brand} {...panels} />}
        {over?.panels({ ...panels, cards, notes })}
      </div>
    </SceneContext>
  )
}
