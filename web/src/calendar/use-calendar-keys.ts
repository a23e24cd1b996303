import { msg } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import { type RefObject, useMemo, useRef } from 'react'
import type { CalendarCard } from '#contract'
import { showWhyNot } from '../design/toast.tsx'
import { type Shortcut, useShortcuts } from '../frame/shortcuts.ts'
import { CALENDAR_VIEWS, type CalendarView } from '../planning/dates/calendar-views.ts'
import { dayOf, today, turn } from '../planning/dates/dates.ts'
import type { PostSetActions } from '../post-set-actions/post-set-actions.tsx'
import type { AddressChange } from './address.ts'
import type { GridFocus } from './grid-focus.ts'
import type { CalendarEvents } from './use-calendar-events.ts'

interface Deps {
  view: CalendarView
  date: Temporal.PlainDate
  zone: string
  go: (change: AddressChange) => void
  grid: RefObject<GridFocus | null>
  searchField: RefObject<HTMLElement | null>
  cards: readonly CalendarCard[]
  actions: PostSetActions
  events: CalendarEvents
}

const VIEW_LABELS = { month: msg`Month`, week: msg`Week`, list: msg`List` } satisfies Record<CalendarView, unknown>

/** The keys of the calendar. Arrows in the grid work without them, for members who turned such keys off. */
export function useCalendarKeys(deps: Deps): void {
  const { t } = useLingui()
  const latest = useRef(deps)
  latest.current = deps
  const shortcuts = useMemo<Shortcut[]>(() => {
    const group = t`Calendar`
    const onFocused = t`On the post that has the focus`
    const onCard = (run: (card: CalendarCard, deps: Deps) => void) => () => {
      const id = focusedItem(latest.current.grid.current)?.replace(/^card-/, '')
      const card = latest.current.cards.find((known) => known.id === id)
      if (card) run(card, latest.current)
      else showWhyNot(t`No post has the focus. Arrow keys lead to one.`)
    }
    const turnTo = (pages: 1 | -1) => () => {
      const { view, date, go } = latest.current
      go({ date: turn(view, date, pages).toString() })
    }
    const nudge = (key: string, label: string): Shortcut => ({
      keys: `Alt+${key}`,
      label,
      group: onFocused,
      run: onCard((card, { events }) => events.onNudge(card.id, key)),
    })
    return [
      {
        keys: 'n',
        label: t`New post, on the day that has the focus`,
        group,
        run: () => create(latest.current),
      },
      {
        keys: 't',
        label: t`Today`,
        group,
        run: () => latest.current.go({ date: today(latest.current.zone).toString() }),
      },
      { keys: '[', label: t`Previous page`, group, run: turnTo(-1) },
      { keys: ']', label: t`Next page`, group, run: turnTo(1) },
      ...CALENDAR_VIEWS.map(
        (view, index): Shortcut => ({
          keys: String(index + 1),
          label: t(VIEW_LABELS[view]),
          group,
          run: () => latest.current.go({ view }),
        }),
      ),
      { keys: '/', label: t`Search`, group, run: () => latest.current.searchField.current?.focus() },
      { keys: 'm', label: t`Move to…`, group: onFocused, run: onCard((card, { actions }) => actions.openMove(card)) },
      {
        keys: 'l',
        label: t`Labels…`,
        group: onFocused,
        run: onCard((card, { actions }) => actions.openLabels([card])),
      },
      {
        keys: 'x',
        label: t`Select`,
        group: onFocused,
        run: onCard((card, { events }) => events.onSelect(card.id, 'toggle')),
      },
      {
        keys: 'Delete',
        label: t`Delete`,
        group: onFocused,
        run: onCard((card, { actions }) => void actions.remove([card])),
      },
      nudge('ArrowLeft', t`A day earlier`),
      nudge('ArrowRight', t`A day later`),
      nudge('ArrowUp', t`A week earlier; in the week view 15 minutes`),
      nudge('ArrowDown', t`A week later; in the week view 15 minutes`),
    ]
  }, [t])
  useShortcuts(shortcuts)
}

function create({ grid, cards, zone, events }: Deps): void {
  const item = focusedItem(grid.current)
  const card = cards.find(({ id }) => item === `card-${id}`)
  const day = item?.match(/^(?:day|more)-(\d{4}-\d{2}-\d{2})/)?.[1] ?? null
  events.create(card ? dayOf(card.scheduledAt, zone) : day)
}

function focusedItem(grid: GridFocus | null): string | null {
  const item = document.activeElement?.closest<HTMLElement>('[data-item]')?.dataset.item
  return item ?? grid?.focused() ?? null
}
