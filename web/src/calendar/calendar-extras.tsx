import '../design/more-styles.ts'
import type { RefObject } from 'react'
import type { CalendarCard } from '#contract'
import { CardMenu, type MenuPlace } from './card-menu.tsx'
import { DayPanel } from './day-panel.tsx'
import { cardItem, dayItem, type PlannedDay } from './days.ts'
import type { GridFocus } from './grid-focus.ts'
import { HoverCard } from './hover-card.tsx'
import type { CalendarEvents } from './use-calendar-events.ts'

interface CalendarExtrasProps {
  section: RefObject<HTMLElement | null>
  grid: RefObject<GridFocus | null>
  cards: readonly CalendarCard[]
  events: CalendarEvents
  /** Where the menu of a card is asked for. */
  menu: MenuPlace | null
  setMenu: (place: MenuPlace | null) => void
  /** The day whose panel is asked for. */
  day: PlannedDay | undefined
  setDay: (date: string | null) => void
}

/** What opens over the calendar: more about a card, its menu, and the panel of a day. */
export function CalendarExtras({ section, grid, cards, events, menu, setMenu, day, setDay }: CalendarExtrasProps) {
  const menuCard = menu && cards.find(({ id }) => id === menu.id)
  const leaveDay = (run: () => void) => {
    setDay(null)
    run()
  }
  return (
    <>
      <HoverCard root={section} cards={cards} />
      {menu && menuCard && (
        <CardMenu
          place={menu}
          card={menuCard}
          onOpen={events.onOpen}
          onClose={() => {
            setMenu(null)
            grid.current?.focusOn(cardItem(menu.id))
          }}
        />
      )}
      {day && (
        <DayPanel
          day={day}
          onClose={() => leaveDay(() => grid.current?.focusOn(dayItem(day.date)))}
          onOpen={(id) => leaveDay(() => events.onOpen(id))}
          onNote={(id) => leaveDay(() => events.onNote(id))}
          onNew={(date) => leaveDay(() => events.create(date))}
          onNewNote={(date) => leaveDay(() => events.createNote(date))}
        />
      )}
    </>
  )
}
