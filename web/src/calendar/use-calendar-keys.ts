import { type RefObject, useMemo, useRef } from 'react'
import type { CalendarCard } from '#contract'
import type { PostSetActions } from '../post-set-actions/post-set-actions.tsx'
import { CALENDAR_VIEWS, type CalendarView } from '../shell/calendar-views.ts'
import { type Shortcut, useShortcuts } from '../shell/shortcuts.ts'
import type { AddressChange } from './address.ts'
import { dayOf, today, turn } from './dates.ts'
import type { GridFocus } from './grid-focus.ts'
import type { CalendarEvents } from './use-calendar-events.ts'

interface Means {
  view: CalendarView
  date: Temporal.PlainDate
  zone: string
  go: (change: AddressChange) => void
  grid: RefObject<GridFocus | null>
  searchField: RefObject<HTMLInputElement | null>
  cards: readonly CalendarCard[]
  actions: PostSetActions
  events: CalendarEvents
}

const VIEW_LABELS = { month: 'Month', week: 'Week', list: 'List' } as const satisfies Record<CalendarView, string>

/** The keys of the calendar. Arrows in the grid work without them, for members who turned such keys off. */
export function useCalendarKeys(means: Means): void {
  const latest = useRef(means)
  latest.current = means
  const shortcuts = useMemo<Shortcut[]>(() => {
    const onCard = (run: (card: CalendarCard, means: Means) => void) => () => {
      const id = focusedItem(latest.current.grid.current)?.replace(/^card-/, '')
      const card = latest.current.cards.find((known) => known.id === id)
      if (card) run(card, latest.current)
    }
    const turnTo = (pages: 1 | -1) => () => {
      const { view, date, go } = latest.current
      go({ date: turn(view, date, pages).toString() })
    }
    const nudge = (key: string, label: string): Shortcut => ({
      keys: `Alt+${key}`,
      label,
      group: GROUP_CARD,
      run: onCard((card, { events }) => events.onNudge(card.id, key)),
    })
    return [
      {
        keys: 'n',
        label: 'New post set, on the day that has the focus',
        group: GROUP,
        run: () => create(latest.current),
      },
      {
        keys: 't',
        label: 'Today',
        group: GROUP,
        run: () => latest.current.go({ date: today(latest.current.zone).toString() }),
      },
      { keys: '[', label: 'Previous page', group: GROUP, run: turnTo(-1) },
      { keys: ']', label: 'Next page', group: GROUP, run: turnTo(1) },
      ...CALENDAR_VIEWS.map(
        (view, index): Shortcut => ({
          keys: String(index + 1),
          label: VIEW_LABELS[view],
          group: GROUP,
          run: () => latest.current.go({ view }),
        }),
      ),
      { keys: '/', label: 'Search', group: GROUP, run: () => latest.current.searchField.current?.focus() },
      { keys: 'm', label: 'Move to…', group: GROUP_CARD, run: onCard((card, { actions }) => actions.openMove(card)) },
      {
        keys: 'l',
        label: 'Labels…',
        group: GROUP_CARD,
        run: onCard((card, { actions }) => actions.openLabels([card])),
      },
      {
        keys: 'x',
        label: 'Select',
        group: GROUP_CARD,
        run: onCard((card, { events }) => events.onSelect(card.id, 'toggle')),
      },
      {
        keys: 'Delete',
        label: 'Delete',
        group: GROUP_CARD,
        run: onCard((card, { actions }) => void actions.remove([card])),
      },
      nudge('ArrowLeft', 'A day earlier'),
      nudge('ArrowRight', 'A day later'),
      nudge('ArrowUp', 'A week earlier; in the week view 15 minutes'),
      nudge('ArrowDown', 'A week later; in the week view 15 minutes'),
    ]
  }, [])
  useShortcuts(shortcuts)
}

const GROUP = 'Calendar'
const GROUP_CARD = 'On the post set that has the focus'

function create({ grid, cards, zone, events }: Means): void {
  const item = focusedItem(grid.current)
  const card = cards.find(({ id }) => item === `card-${id}`)
  const day = item?.match(/^(?:day|more)-(\d{4}-\d{2}-\d{2})/)?.[1] ?? null
  events.create(card ? dayOf(card.scheduledAt, zone) : day)
}

function focusedItem(grid: GridFocus | null): string | null {
  const item = document.activeElement?.closest<HTMLElement>('[data-item]')?.dataset.item
  return item ?? grid?.focused() ?? null
}
